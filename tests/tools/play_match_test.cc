// Matches of Brädspel at the terminal, and letters and dice of the other games.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/tools/run_command.h"

namespace berd {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

CommandRun Play(std::vector<std::string> args, const std::string& input) {
  args.insert(args.begin(), "play");
  return RunCommand(args, input);
}

std::vector<std::string> LinesWith(const std::string& text, std::string_view part) {
  std::vector<std::string> lines;
  for (auto& line : LinesOf(text)) {
    if (line.find(part) != std::string::npos) lines.push_back(std::move(line));
  }
  return lines;
}

std::string Times(int count, const std::string& line) {
  std::string text;
  for (int i = 0; i < count; ++i) text += line + "\n";
  return text;
}

class PlayMatch : public testing::Test {
 protected:
  PlayMatch() { std::filesystem::remove(path_); }
  ~PlayMatch() override { std::filesystem::remove(path_); }

  std::string path_ =
      (std::filesystem::temp_directory_path() /
       ("berd_match_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()) +
        ".jsonl"))
          .string();
};

TEST_F(PlayMatch, PlaysAllGamesAndTellsTheScore) {
  const auto run = Play({"--rules", "bradspel", "--seats", "greedy,random", "--match", "3",
                         "--seed", "1", "--save", path_},
                        "");
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(LinesWith(run.out, "The game is over").size(), 3u);
  EXPECT_THAT(run.out, HasSubstr("Game 1 of 3.\n"));
  EXPECT_THAT(run.out, HasSubstr("lost the last game and begins"));
  EXPECT_EQ(LinesWith(run.out, "The match is over").size(), 1u);
  EXPECT_EQ(RunCommand({"conform", path_}).out, "3 passed, 0 failed\n");
}

TEST_F(PlayMatch, TheLoserBeginsTheNextGame) {
  const auto run =
      Play({"--rules", "bradspel", "--seats", "greedy,random", "--match", "3", "--seed", "1"}, "");
  std::string winner;
  for (const auto& line : LinesOf(run.out)) {
    if (line.starts_with("The game is over: ")) winner = line.substr(18, 1);
    if (line.find("lost the last game and begins") == std::string::npos) continue;
    EXPECT_THAT(line, HasSubstr(std::string("; ") + (winner == "W" ? "B" : "W") + " lost"));
  }
}

TEST_F(PlayMatch, CanBeLeftAndGoneOnWith) {
  // Games of six turns that nobody wins; the person plays three of them.
  const std::vector<std::string> begin = {"--rules", "bradspel:cap=6", "--match", "3", "--seed",
                                          "1",       "--save",         path_};
  const auto left = Play(begin, Times(3, "1") + "\n1\nquit\n");
  EXPECT_THAT(left.out, HasSubstr("The match is left after 1 of 3 games: W 0, B 0.\n"));
  EXPECT_EQ(RunCommand({"conform", path_}).out, "2 passed, 0 failed\n");
  const auto whole =
      Play({"--load", path_, "--save", path_}, Times(2, "1") + "\n" + Times(3, "1") + "\n");
  EXPECT_THAT(whole.out, HasSubstr("Game 2 of 3, the match stands W 0, B 0.\n"));
  EXPECT_THAT(whole.out, HasSubstr("The match is over: W 0, B 0. Points and wins are equal"));
  EXPECT_EQ(RunCommand({"conform", path_}).out, "3 passed, 0 failed\n");
  const auto over = Play({"--load", path_}, "");
  EXPECT_EQ(over.out, "The match is over: W 0, B 0. Points and wins are equal: it is drawn.\n");
  // One of its games alone.
  const auto one = Play({"--load", path_, "--number", "2"}, "quit\n");
  EXPECT_THAT(one.out, Not(HasSubstr("match")));
}

TEST_F(PlayMatch, RefusesOtherGamesAndEvenNumbers) {
  const auto error = [](std::vector<std::string> args) {
    const auto run = Play(std::move(args), "");
    EXPECT_EQ(run.exit_code, 2);
    return run.err;
  };
  EXPECT_THAT(error({"--rules", "backgammon", "--match", "3"}),
              HasSubstr("--match: only Bradspel is played in matches"));
  EXPECT_THAT(error({"--match", "3"}), HasSubstr("race:short:2x9 are those of another game"));
  EXPECT_THAT(error({"--rules", "bradspel", "--match", "4"}),
              HasSubstr("a match has an odd number of games, such as 5, not 4"));
}

TEST(PlayOtherGames, SeatsGoByTheirLetters) {
  const auto run = Play({"--rules", "backgammon", "--seat", "w", "--seed", "1"}, "quit\n");
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("W (O) you"));
  EXPECT_THAT(Play({"--rules", "backgammon", "--seat", "C"}, "").err,
              HasSubstr("'C' is not W or B"));
}

TEST(PlayOtherGames, TakesDiceByHand) {
  const auto backgammon = Play({"--rules", "backgammon", "--dice", "manual", "--seed", "1"},
                               "33\n3 5\n4-2\nposition\nquit\n");
  EXPECT_THAT(backgammon.out, HasSubstr("Type the die of W and then that of B"));
  EXPECT_THAT(backgammon.out, HasSubstr("B begins with 53"));
  EXPECT_THAT(backgammon.out, HasSubstr("W rolls 42"));
  const auto birth = Play({"--rules", "birth:2", "--dice", "manual", "--seed", "1"},
                          "123\n11 22 33 44 55 6\n0.0.0.0.0.11\nposition\nquit\n");
  EXPECT_THAT(birth.out, HasSubstr("11 dice of A> 123\nType 11 dice, each from 1 to 6"));
  EXPECT_THAT(birth.out, HasSubstr("hand=2.2.2.2.2.1;0.0.0.0.0.11"));
}

TEST(PlayOtherGames, ExplainsWhatAPlayCouldBe) {
  const auto run = Play({"--rules", "backgammon", "--dice", "manual", "--seed", "1"},
                        "W31\n24/23\n8/5 8/4\n6/5 8/5\nquit\n");
  EXPECT_THAT(run.out, HasSubstr("'24/23' could be 24/23"));
  EXPECT_THAT(run.out, HasSubstr("'8/5 8/4' is not a legal play; `moves` lists them"));
  EXPECT_THAT(run.out, HasSubstr("plays 8/5 6/5, making the 5 point"));
}

}  // namespace
}  // namespace berd
