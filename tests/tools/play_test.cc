#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "engine/core/random.h"
#include "engine/core/text.h"
#include "test_paths.h"
#include "tests/tools/run_command.h"
#include "tools/play/menu.h"
#include "tools/rules_argument.h"

namespace berd {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& name)
      : path_(std::filesystem::temp_directory_path() /
              ("berd_play_" +
               std::string(testing::UnitTest::GetInstance()->current_test_info()->name()) + name)) {
    std::filesystem::remove(path_);
  }
  ~TemporaryFile() { std::filesystem::remove(path_); }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

CommandRun Play(std::vector<std::string> args, const std::string& input) {
  args.insert(args.begin(), "play");
  return RunCommand(args, input);
}

// Only what is said, without the drawn boards.
std::string Said(const std::string& out) {
  std::string said = "\n";
  for (const auto& line : LinesOf(out)) {
    const bool drawn = line.find("|") != std::string::npos || line.find("+--") != std::string::npos;
    if (!drawn) said += line + "\n";
  }
  return said;
}

std::string ReadFile(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Numbers to type, some of them wrong, and now and then a line that decides what numbers cannot.
std::string RandomTyping(std::uint32_t game, int lines) {
  RandomStream random(2, game, Purpose::kTest, 0);
  std::string input;
  for (int i = 0; i < lines; ++i) {
    const auto pick = random.Below(12);
    if (pick < 10) input += std::to_string(1 + pick % 5);
    if (pick == 10) input += "cash 0";
    input += "\n";
  }
  return input;
}

TEST(Play, WholeGameOfTheRace) {
  const auto run =
      Play({"--rules", "race:n=1:2x1", "--seed", "3", "--dice", "manual"}, "12\n0/1\n1\n5 6\n1\n");
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.out, R"(race:n=1:2x1, seed 3. Type `help` for what can be typed.
dice of A> 12
A rolls 21.
   +-0 (A)-+---1---+---2---+
   |   A   |   .   |   .   |
   |       |       |       |
   +-------+-------+-------+
  7|   .   |       |   .   |3
   |       |       |       |
   +-------+-------+-------+
   |   .   |   .   |   B   |
   |       |       |       |
   +---6---+---5---+-4 (B)-+
player    home board to go held score collected
>A you       0     1     8    0     0 -
 B greedy    4     1     8    0     0 -
turn 0   dice 2 1
A: your move with 2 1
  1  0/1  to 1
  2  0/2  to corner 2
A> 0/1
A plays 0/1 to 1.
   +-0 (A)-+---1---+---2---+
   |   .   |   A   |   .   |
   |       |       |       |
   +-------+-------+-------+
  7|   .   |       |   .   |3
   |       |       |       |
   +-------+-------+-------+
   |   .   |   .   |   B   |
   |       |       |       |
   +---6---+---5---+-4 (B)-+
player    home board to go held score collected
>A you       0     1     7    0     0 -
 B greedy    4     1     8    0     0 -
turn 0   dice 2
A: your move with 2
  1  1/2  to 3
A> 1
A plays 1/2 to 3.
dice of B> 5 6
B rolls 65, plays 4/5 to 1, finishes from 1/6.
   +-0 (A)-+---1---+---2---+
   |   .   |   .   |   .   |
   |       |       |       |
   +-------+-------+-------+
  7|   .   |       |   A   |3
   |       |       |       |
   +-------+-------+-------+
   |   .   |   .   |   .   |
   |       |       |       |
   +---6---+---5---+-4 (B)-+
player    home board to go held score collected
 A you       0     1     5    0     0 -
>B greedy    4     0     0    0     1 B
turn 1
A: what do you give to B?
  1  3/A  the own token A on 3
A> 1
A pays B the own token A on 3.
   +-0 (A)-+---1---+---2---+
   |   .   |   .   |   .   |
   |       |       |       |
   +-------+-------+-------+
  7|   .   |       |   .   |3
   |       |       |       |
   +-------+-------+-------+
   |   .   |   .   |   .   |
   |       |       |       |
   +---6---+---5---+-4 (B)-+
player    home board to go held score collected
 A you       0     0     0    0     0 -
 B greedy    4     0     0    0     2 A B
turn 1
Scores: A 0, B 2.
The game is over: B wins.
over> 
End of input.
)");
}

TEST(Play, TakesMovesInEveryForm) {
  const auto run = Play({"--rules", "race:short:2x3", "--seed", "7", "--dice", "manual"},
                        "62\nm:0/6\n0/\nundo\n0/2 2/6\n61\n");
  EXPECT_EQ(Said(run.out), R"(
race:short:2x3, seed 7. Type `help` for what can be typed.
dice of A> 62
A rolls 62.
A: your move with 6 2
  1  0/2  to 2
  2  0/6  to 6
A> m:0/6
A plays 0/6 to 6.
A: your move with 2
  1  0/2  to 2
  2  6/2  to corner 8
A> 0/
A plays 0/2 to 2.
dice of B> undo
Taken back.
A: your move with 2
  1  0/2  to 2
  2  6/2  to corner 8
A> 0/2 2/6
The turn is over; not played: 2/6
A plays 0/2 to 2.
dice of B> 61
B rolls 61, plays 16/1 to 17, then 17/6 to 23.
dice of A> 
End of input.
The game was not saved.
)");
}

TEST(Play, AnswersBadInputAndAsksAgain) {
  const auto run = Play({"--rules", "race:short:2x3", "--seed", "1", "--dice", "manual"},
                        "77\nhello\n3\nhint\n31\n9\nm:0/7\nxyzzy\n\nhalp\n0\n0/\nsave\n"
                        "save /no/such/folder/x\nboard extra\n");
  EXPECT_EQ(run.exit_code, 0);
  for (const auto* text :
       {"Type two numbers from 1 to 6", "There is nothing to choose now.", "there is no choice '9'",
        "'m:0/7' is not a legal choice here; did you mean '0/1'?",
        "'xyzzy' is not a legal choice here", "Type a number, a move, or `help`.",
        "Did you mean `help`?", "'0/' could be m:0/1 or m:0/3", "Save where?",
        "Not saved: /no/such/folder/x: cannot be written: No such file", "End of input."}) {
    EXPECT_THAT(run.out, HasSubstr(text));
  }
}

TEST(Play, HintsRankTheChoices) {
  const auto run =
      Play({"--rules", "race:short:2x3", "--seed", "1", "--dice", "manual"}, "31\n0/1\nhint\n");
  EXPECT_THAT(run.out, HasSubstr("Best by greedy, with its score:\n      3.02  1/3\n"
                                 "      0.00  0/3\n"));
}

TEST(Play, UndoGoesBackToTheLastOwnDecision) {
  const auto run = Play({"--rules", "race:short:3x3", "--seed", "5"},
                        "position\n1\n1\nposition\nundo\nundo\nposition\nundo\n");
  const auto lines = LinesOf(run.out);
  std::vector<std::string> positions;
  for (const auto& line : lines) {
    if (line.starts_with("n=")) positions.push_back(line);
  }
  ASSERT_EQ(positions.size(), 3u);
  EXPECT_EQ(positions[0], positions[2]);
  EXPECT_NE(positions[0], positions[1]);
  EXPECT_THAT(run.out, HasSubstr("There is nothing to take back."));
}

TEST(Play, TakingBackKeepsTheDice) {
  const auto once = Play({"--rules", "race:short:2x3", "--seed", "5"}, "1\n1\n");
  const auto twice = Play({"--rules", "race:short:2x3", "--seed", "5"}, "1\n1\nundo\n1\n");
  const auto last_rolls = [](const std::string& out) { return out.substr(out.rfind("B rolls")); };
  EXPECT_EQ(last_rolls(once.out), last_rolls(twice.out));
}

TEST(Play, SavedGamesConformAndCanBeContinued) {
  const TemporaryFile file(".jsonl");
  const TemporaryFile again("_again.jsonl");
  auto run = Play({"--rules", "race:short:2x3", "--seed", "5", "--name", "first"},
                  "1\n1\n1\nsave " + file.path() + "\nposition\nquit\n");
  EXPECT_EQ(RunCommand({"conform", file.path()}).exit_code, 0);
  const auto record = ReadFile(file.path());
  EXPECT_THAT(record, HasSubstr(R"("agents":["human","greedy"])"));
  EXPECT_THAT(record, HasSubstr(R"("seed":5)"));
  EXPECT_THAT(record, HasSubstr(R"("name":"first")"));
  EXPECT_THAT(record, HasSubstr(R"("truncated":true)"));
  const auto position = [](const std::string& out) {
    const auto at = out.rfind("n=");
    return out.substr(at, out.find('\n', at) - at);
  };
  const auto loaded =
      Play({"--load", file.path(), "--save", again.path()}, "position\n" + RandomTyping(1, 3000));
  EXPECT_EQ(position(run.out), position(loaded.out.substr(0, loaded.out.find("phase=") + 20)));
  EXPECT_THAT(loaded.out, HasSubstr("The game is over"));
  EXPECT_THAT(RunCommand({"conform", again.path()}).out, HasSubstr("1 passed, 0 failed"));
  EXPECT_THAT(ReadFile(again.path()), HasSubstr(R"("win":)"));
  // A finished game can be looked at, and taken back.
  const auto over = Play({"--load", again.path()}, "undo\nquit\n");
  EXPECT_THAT(over.out, HasSubstr("over> undo\nTaken back.\n"));
}

TEST(Play, DoesNotOverwriteOtherFiles) {
  const TemporaryFile file(".txt");
  std::ofstream(file.path()) << "precious\n";
  const auto run = Play({"--rules", "duel", "--seed", "5"}, "save " + file.path() + "\nquit\n");
  EXPECT_THAT(run.out, HasSubstr("exists; `save -f"));
  EXPECT_EQ(ReadFile(file.path()), "precious\n");
  Play({"--rules", "duel", "--seed", "5"}, "save -f " + file.path() + "\nquit\n");
  EXPECT_THAT(ReadFile(file.path()), HasSubstr("duel:3x3:5"));
}

// Whatever is typed: games of every preset come to an end or to the end of the input, no line is
// too long, and the record conforms.
TEST(Play, GamesOfEveryPresetConform) {
  std::vector<std::string> all = {"race:short:3x2:setup=rolled", "race:n=2:16x2:points",
                                  "race:short:4x2:color+points+team=2+trade"};
  for (const auto& preset : Presets()) all.emplace_back(preset.rules);
  for (const auto& rules : all) {
    const TemporaryFile file(".jsonl");
    const auto run = Play({"--rules", rules, "--seats", "human,random,greedy,human", "--seed", "4",
                           "--save", file.path()},
                          RandomTyping(2, 2500));
    if (run.exit_code != 0) {  // the game has fewer seats
      EXPECT_THAT(run.err, HasSubstr("--seats names 4 players"));
      EXPECT_EQ(
          Play({"--rules", rules, "--seed", "4", "--save", file.path()}, RandomTyping(2, 2500))
              .exit_code,
          0);
    }
    EXPECT_EQ(RunCommand({"conform", file.path()}).out, "1 passed, 0 failed\n") << rules;
    for (const auto& line : LinesOf(run.out)) {
      ASSERT_LE(Columns(line), 80u) << rules << "\n" << line;
    }
  }
}

TEST(Play, WatchesComputers) {
  const auto run =
      Play({"--rules", "race:short:3x2", "--seats", "greedy,random", "--seed", "4"}, "");
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_THAT(run.out, HasSubstr("The game is over"));
  EXPECT_EQ(run.out,
            Play({"--rules", "race:short:3x2", "--seats", "greedy,random", "--seed", "4"}, "").out);
}

TEST(Play, ShowsAnOpponentByItsFile) {
  const std::string net = BERD_SOURCE_DIR "/configs/nets/bradspel.net";
  const auto run = Play(
      {"--rules", "bradspel", "--seed", "4", "--opponent", "net=" + net + ",plies=2,filter=2/0.1"},
      "");
  EXPECT_THAT(run.out, HasSubstr("(X) bradspel\n"));
}

TEST(Play, EndsPolitelyWithTheInput) {
  const auto run = Play({"--rules", "trade", "--seed", "4"}, "");
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_THAT(run.out, HasSubstr("A> \nEnd of input.\n"));
}

TEST(Play, RefusesBadOptionsAndFiles) {
  const TemporaryFile file(".jsonl");
  const auto error = [](std::vector<std::string> args) {
    const auto run = Play(std::move(args), "");
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_EQ(run.out, "");
    return run.err;
  };
  EXPECT_THAT(error({"--rules", "shrot"}), HasSubstr("did you mean 'short'?"));
  EXPECT_THAT(error({"--seat", "C", "--rules", "duel"}), HasSubstr("'C' is not A or B"));
  EXPECT_THAT(error({"--opponent", "gredy"}), HasSubstr("did you mean 'greedy'?"));
  EXPECT_THAT(error({"--seats", "human,greedy", "--seat", "A"}), HasSubstr("leave out --seat"));
  EXPECT_THAT(error({"--opponent", "net=/no/such.net"}), HasSubstr("/no/such.net"));
  EXPECT_THAT(error({"--opponent", "/no/such.net"}), HasSubstr("/no/such.net"));
  EXPECT_THAT(error({"--hint", "human"}), HasSubstr("--hint"));
  EXPECT_THAT(error({"--load", "/no/such/file"}), HasSubstr("/no/such/file: cannot be opened"));
  const auto load = [&](const std::string& text) {
    std::ofstream(file.path()) << text;
    return error({"--load", file.path()});
  };
  EXPECT_THAT(load(""), HasSubstr("holds no games"));
  EXPECT_THAT(load("{\"rules\""), HasSubstr(":1: not a recorded game"));
  EXPECT_THAT(load("{\"rules\": \"duel:3x3:5\", \"pos\": \"\", \"views\": {}}"),
              HasSubstr("has no steps"));
  EXPECT_THAT(load("{\"rules\": \"duel:3x3:5\", \"steps\": [{\"pos\": \"x\", \"act\": \"y\"}]}"),
              HasSubstr("step 0: the position should be"));
  EXPECT_THAT(load("{\"rules\": \"duel:3x3:99\", \"steps\": []}"), HasSubstr("duel:3x3:99"));
  std::ofstream(file.path()) << "{\"rules\": \"duel:3x3:5\", \"steps\": []}\n";
  EXPECT_THAT(error({"--load", file.path(), "--number", "2"}), HasSubstr("there is no game 2"));
  EXPECT_THAT(error({"--load", file.path(), "--rules", "short"}),
              HasSubstr("has the rules duel:3x3:5, not race:short:4x9"));
}

TEST(Play, AgentListsKeepTheirKeys) {
  const TemporaryFile file(".jsonl");
  Play({"--rules", "race:short:3x2", "--opponent", "greedy,eps=0.5,random", "--seed", "4", "--save",
        file.path()},
       "");
  EXPECT_THAT(ReadFile(file.path()), HasSubstr(R"("agents":["human","greedy,eps=0.5","random"])"));
}

Menu MenuOf(std::string_view rules, std::string_view text) {
  const auto game = ResolveRules(rules);
  return Menu(**ParsePosition(*game, text));
}

std::string Lines(const Menu& menu) {
  std::string text = "\n" + menu.question() + "\n";
  for (const auto& line : menu.Lines(80, 0)) text += line + "\n";
  return text;
}

TEST(Menu, AsksForPaymentsCarriesAndTrades) {
  EXPECT_EQ(Lines(MenuOf("race:short:4x3:points+trade",
                         "n=28 home=0,1,2,3 board=3:D{20},5:C{20},8:B{30}|D{30},9:D{10},"
                         "14:B{20}/A{10},16:C{30},18:C{10},24:A{20},25:B{10} col=A{30};-;-;- "
                         "cash=550,0,180,70 turn=A phase=pay:-:30:BCD")),
            R"(
what do you give to A?
  1  14/A10  the captive A10 on 14
  2  25/B10  the own token B10 on 25
  3  8/B30  the own token B30 on 8
)");
  EXPECT_EQ(Lines(MenuOf("race:short:4x3:points+trade",
                         "n=16 home=0,1,2,3 board=0:C{20},8:A{10},16:C{10},17:D{10},"
                         "18:A{20.30}/B{20},20:B{10},21:C{30},28:B{30},29:D{20},30:D{30} "
                         "col=-;-;-;- cash=200,380,20,200 turn=A phase=carry:5:18/1@20:-")),
            R"(
how many captives B20 go along with 18/1@20?
  0  leave behind
  1  take 1 captive along
)");
  EXPECT_EQ(Lines(MenuOf("race:short:4x3:trade",
                         "n=12 home=0,1,2,3 board=2:A1/D1,7:A2,8:B1,14:D1,20:C1,21:B2,22:C1,23:C1,"
                         "28:D1 col=-;-;-;- cash=50,50,50,50 turn=A phase=trade:0")),
            R"(
offer a trade before you roll?
  1  2/D>D  let D buy D on 2 free
  2  none  no offer, roll the dice
)");
}

TEST(Menu, GroupsCashPrices) {
  const auto menu =
      MenuOf("race:short:4x3:trade",
             "n=12 home=0,1,2,3 board=2:A1/D1,7:A2,8:B1,14:D1,20:C1,21:B2,22:C1,23:C1,"
             "28:D1 col=-;-;-;- cash=50,50,50,50 turn=A phase=price:1:2/D>D");
  EXPECT_EQ(Lines(menu), R"(
what is D to give to A for D?
     cash 0 to 50 in steps of 5: type for example 'cash 25'
)");
  EXPECT_EQ(menu.Find("cash 25"), "price:25");
  EXPECT_EQ(menu.Find("25"), "price:25");
  EXPECT_FALSE(menu.Find("cash 26"));
}

TEST(Menu, FindsByCountAndByColumn) {
  const auto counts = MenuOf("duel:3x3:5", "n=0 board=- col=-;- lat=0,0 turn=A phase=place:0");
  EXPECT_EQ(counts.Find("0"), "place:0");
  EXPECT_EQ(counts.Find("5"), "place:5");
  EXPECT_FALSE(counts.Find("6"));
  const auto columns =
      MenuOf("duel:3x3:5:points", "n=0 board=- col=-;- lat=0,0 turn=A phase=place:0");
  EXPECT_EQ(columns.Find("B"), "place:b");
  EXPECT_EQ(columns.Find("2"), "place:b");
  EXPECT_EQ(columns.Find("place:c"), "place:c");
}

}  // namespace
}  // namespace berd
