#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "test_paths.h"
#include "tests/tools/run_command.h"

// Whole transcripts of `berd play`, one for each family of presets, kept in tests/golden/. They
// change when what a player sees changes, and then somebody has to look at them:
//
//   BERD_UPDATE_GOLDEN=1 build/release/bin/berd_tools_tests --gtest_filter=GoldenPlay.*
//   git diff tests/golden
namespace berd {
namespace {

struct Transcript {
  std::string_view name;
  std::vector<std::string> args;
  std::string_view input;
};

const std::vector<Transcript>& Transcripts() {
  static const std::vector<Transcript> kTranscripts = {
      {"race",
       {"--rules", "race:n=3:2x4", "--opponent", "greedy"},
       "1\n2\nhint\n1\nundo\n2\nmoves\nposition\n1\n1\n1\n1\n1\n"},
      {"race_of_four", {"--rules", "race:n=4:4x3", "--seat", "B"}, "1\n1\nhint\n1\n1\n2\n1\n1\n"},
      {"color", {"--rules", "race:short:2x4:color"}, "2\n1\n1\n2\n1\n1\n1\n1\n"},
      {"points", {"--rules", "race:n=2:2x3:points"}, "3\n1\n1\n2\n1\n1\n1\n1\n1\n1\n"},
      {"hidden",
       {"--rules", "race:n=2:2x3:hidden", "--opponent", "random"},
       "3\n1\n1\n2\n1\n1\n1\n1\n1\n1\n"},
      {"teams", {"--rules", "race:n=2:4x2:team=2", "--seat", "A"}, "1\n1\n1\n1\n2\n1\n1\n"},
      {"trade",
       {"--rules", "race:n=1:2x3:trade", "--seats", "human,human"},
       "1\n1\n1\n1\n1\n1\n1\n1\n1\n1\n1\n1\n1\n1\n1\n1\n1\n1\n1\n1\n"},
      {"goal", {"--rules", "race:n=1:2x3:goal=20"}, "1\n1\n1\n1\n1\n1\n1\n1\n1\n1\n1\n"},
      {"rolled_setup", {"--rules", "race:n=1:2x2:setup=rolled"}, "2\n1\n1\n1\n1\n1\n1\n"},
      {"duel", {"--rules", "duel:3x3:5"}, "2\n2\n1\n1\nhint\n1\n2\n1\n1\n1\n"},
      {"duel_points", {"--rules", "duel:3x3:3:points"}, "1\n2\n3\n1\n1\n1\n2\n1\n1\n1\n"},
      {"duel_hidden",
       {"--rules", "duel:3x3:3:color+hidden", "--seat", "B"},
       "1\n2\n3\n1\n1\n1\n2\n1\n1\n1\n"},
      {"backgammon",
       {"--rules", "backgammon", "--seat", "B"},
       "8/3 6/3\n6/4 8/5\nhint\n1\n24/22\n2\nundo\n1\nmoves\n1\n1\n1\nposition\n1\n"},
      {"bradspel",
       {"--rules", "bradspel", "--dice", "manual"},
       "w\n66\n\n53\n1\n62\n1/9\n21\n1\n\n1\nhint\n\n1\n\n1\n"},
      {"bradspel_match",
       {"--rules", "bradspel:cap=6", "--match", "3"},
       "1\n1\n1\n\n1\n1\n1\n\n1\n1\n1\n\n"},
      {"birth",
       {"--rules", "birth:3"},
       "1\n2\n3\n4\n5\n6\nhint\n1\n2\n3\n4\n5\n6\n1\n2\n3\n4\n5\n6\n1\n2\n3\n4\n"},
      {"birth_advanced",
       {"--rules", "birth:2:advanced+opening", "--dice", "manual"},
       "11122334456\nkeep\n6 5 5 4 3 3 2 2 1 1 1\n\n1\n2\n3\n4\n5\n6\n1\n2\n3\n4\n5\n6\n"},
  };
  return kTranscripts;
}

class GoldenPlay : public testing::TestWithParam<std::string_view> {};

TEST_P(GoldenPlay, LooksAsItDid) {
  for (const Transcript& transcript : Transcripts()) {
    if (transcript.name != GetParam()) continue;
    std::vector<std::string> args = {"play", "--seed", "1"};
    args.insert(args.end(), transcript.args.begin(), transcript.args.end());
    const auto run = RunCommand(args, std::string(transcript.input) + "help\nquit\n");
    EXPECT_EQ(run.exit_code, 0);
    EXPECT_EQ(run.err, "");
    const std::string path =
        BERD_SOURCE_DIR "/tests/golden/play_" + std::string(transcript.name) + ".txt";
    if (std::getenv("BERD_UPDATE_GOLDEN") != nullptr) std::ofstream(path) << run.out;
    std::ifstream file(path);
    ASSERT_TRUE(file) << path;
    EXPECT_EQ(run.out, std::string(std::istreambuf_iterator<char>(file), {})) << path;
  }
}

INSTANTIATE_TEST_SUITE_P(All, GoldenPlay, testing::ValuesIn([] {
                           std::vector<std::string_view> names;
                           for (const auto& transcript : Transcripts()) {
                             names.push_back(transcript.name);
                           }
                           return names;
                         }()),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace berd
