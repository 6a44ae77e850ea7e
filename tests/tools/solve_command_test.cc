#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/search/temporary_table.h"
#include "tests/tools/run_command.h"

namespace berd {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Json = nlohmann::json;

TEST(SolveCommand, EndsWithOneJsonObject) {
  const TemporaryTable file;
  const std::string& path = file.path();
  const auto run =
      RunCommand({"solve", "--rules", "duel:3x3:2", "--out", path, "--threads", "1", "--json"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.out.find('\n'), run.out.size() - 1);
  const auto json = Json::parse(run.out);
  EXPECT_EQ(json["rules"], "duel:3x3:2");
  EXPECT_EQ(json["game_value"], 0);
  EXPECT_EQ(json["states"], 113904);
  // The players have equal chances over all states.
  EXPECT_EQ(json["values"]["1"], json["values"]["-1"]);
  EXPECT_EQ(json["values"]["1"].get<int>() * 2 + json["values"]["0"].get<int>(), 113904);
  ASSERT_EQ(json["setups"].size(), 6u);
  EXPECT_EQ(json["setups"][1]["columns"], "0,1,1");
  EXPECT_EQ(json["setups"][1]["value"], -1);
  EXPECT_EQ(json["setups"][1]["replies"].size(), 6u);
  EXPECT_EQ(json["layers"].size(), 4u);
  // What is complete is only checked.
  const auto again = RunCommand({"solve", "--rules", "duel:3x3:2", "--out", path, "--json"});
  EXPECT_EQ(again.out, run.out);
  EXPECT_THAT(again.err, HasSubstr("is complete"));
}

TEST(SolveCommand, PrintsTables) {
  const TemporaryTable file;
  const auto run =
      RunCommand({"solve", "--rules", "duel:3x3:1", "--out", file.path(), "--threads", "1"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("duel:3x3:1: a tie (0) when both play well\n"));
  EXPECT_THAT(run.out, HasSubstr("\n  0,1,0        0  +1  0 +1\n"));
}

TEST(SolveCommand, SaysWhatIsWrong) {
  const auto error = [](std::vector<std::string> args) {
    args.insert(args.begin(), "solve");
    const auto run = RunCommand(args);
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_THAT(run.out, IsEmpty());
    return run.err;
  };
  const TemporaryTable file;
  const std::string& path = file.path();
  EXPECT_THAT(error({"--out", path}), HasSubstr("'--rules' is missing"));
  EXPECT_THAT(error({"--rules", "duel:3x3:1"}), HasSubstr("'--out' is missing"));
  EXPECT_THAT(error({"--rules", "race:short:2x9", "--out", path}),
              HasSubstr("only the duel without values can be solved, not race:short:2x9"));
  EXPECT_THAT(error({"--rules", "duel:3x3:5:points", "--out", path}),
              HasSubstr("not duel:3x3:5:points"));
  EXPECT_THAT(error({"--rules", "duel:4x4:8", "--out", path}), HasSubstr("of memory"));
  EXPECT_THAT(error({"--rules", "duel:3x3:1", "--out", "/nowhere/x"}), HasSubstr("/nowhere/x"));
  std::ofstream(path) << std::string(1000, 'x');
  EXPECT_THAT(error({"--rules", "duel:3x3:1", "--out", path}), HasSubstr("not a duel table"));
}

class ProbeCommand : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    file_ = std::make_unique<TemporaryTable>();
    ASSERT_EQ(RunCommand({"solve", "--rules", "duel:3x3:2", "--out", file_->path()}).exit_code, 0);
  }
  static void TearDownTestSuite() { file_.reset(); }

  static std::unique_ptr<TemporaryTable> file_;
  const std::string& path_ = file_->path();
};
std::unique_ptr<TemporaryTable> ProbeCommand::file_;

constexpr const char* kStart = "n=0 board=- col=-;- lat=0,0 turn=A phase=place:0\n";
constexpr const char* kLastStep = "n=8 board=a1:B2,b3:A1 col=A1;- lat=2,1 turn=A phase=move\n";
constexpr const char* kLost = "n=9 board=- col=A1;A1B2 lat=0,1 turn=- phase=end\n";

TEST_F(ProbeCommand, PrintsALineAPosition) {
  const auto run = RunCommand({"probe", path_}, std::string(kStart) + kLastStep + kLost);
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.out, "0\n1\n-1\n");
  EXPECT_EQ(RunCommand({"probe", path_, "--margins"}, kLastStep).out, "2\n");
  EXPECT_EQ(RunCommand({"probe", path_}, "").out, "");
}

TEST_F(ProbeCommand, ReadsPositionsOfOtherRules) {
  const std::string late = "n=500 board=a1:B2,b3:A1 col=A1;- lat=2,1 turn=A phase=move\n";
  EXPECT_EQ(RunCommand({"probe", path_}, late).exit_code, 2);
  EXPECT_EQ(RunCommand({"probe", path_, "--rules", "duel:3x3:2:cap=1000"}, late).out, "1\n");
  EXPECT_EQ(RunCommand({"probe", path_, "--rules", "duel:3x3:1"}, kStart).out, "0\n");
  const auto wrong = RunCommand({"probe", path_, "--rules", "duel:3x3:3"}, kStart);
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("the table is for duel:3x3:2, not for duel:3x3:3"));
}

TEST_F(ProbeCommand, NamesTheWrongLine) {
  const auto run = RunCommand({"probe", path_}, std::string(kStart) + "nonsense\n" + kStart);
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(run.out, "0\n");
  EXPECT_THAT(run.err, HasSubstr("berd probe: line 2: position"));
  EXPECT_EQ(RunCommand({"probe", "/nowhere"}).exit_code, 2);
  EXPECT_EQ(RunCommand({"probe"}).exit_code, 2);
}

TEST_F(ProbeCommand, ChecksAgents) {
  const auto perfect =
      RunCommand({"probe", path_, "--agent", "solver=" + path_, "--positions", "40"});
  EXPECT_EQ(perfect.exit_code, 0) << perfect.err;
  EXPECT_THAT(perfect.out, HasSubstr("result kept in       40 of 40 (100.00 %)"));
  const auto random = RunCommand(
      {"probe", path_, "--agent", "random", "--positions", "40", "--misses", "--from", "greedy"});
  EXPECT_EQ(random.exit_code, 0) << random.err;
  EXPECT_THAT(random.out, HasSubstr(" of 40 ("));
  EXPECT_THAT(random.out, HasSubstr("n="));  // a position that was missed
  const auto wrong = RunCommand({"probe", path_, "--agent", "gready"});
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("did you mean 'greedy'"));
}

TEST_F(ProbeCommand, TheTablePlays) {
  const auto arena = [&](const std::string& rules) {
    return RunCommand({"arena", "--rules", rules, "--a", "solver=" + path_, "--b", "random",
                       "--games", "200", "--threads", "1", "--no-db", "--json"});
  };
  const auto run = arena("duel:3x3:2");
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_GT(Json::parse(run.out)["agents"][0]["win_share"].get<double>(), 0.8);
  EXPECT_THAT(arena("duel:3x3:3").err, HasSubstr("the table is for duel:3x3:2"));
  EXPECT_THAT(arena("race:short:2x2").err, HasSubstr("only duels without values are solved"));
}

}  // namespace
}  // namespace berd
