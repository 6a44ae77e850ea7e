#include "selfplay/gnubg_protocol.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/engine/tables_positions.h"

namespace berd {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

const BackgammonRules kRules;

BackgammonState State(const std::string& position) { return At<Backgammon>(kRules, position); }

constexpr char kStart31[] =
    "n=1 w=24:2,13:5,8:3,6:5/0/0 b=24:2,13:5,8:3,6:5/0/0 turn=W phase=play:31";

// Our name of the play that a move stands for, or the error.
std::string Read(const std::string& position, const std::string& move) {
  const BackgammonState state = State(position);
  const auto play = gnubg::ParseMove(kRules, state, move);
  return play ? Backgammon::action_name(kRules, state, *play) : play.error().message;
}

TEST(GnubgBoardLine, ShowsTheBoardAsTheMoverSeesIt) {
  EXPECT_EQ(gnubg::BoardLine(State(kStart31)),
            "board:me:opp:0:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:3:1:3:1:"
            "1:1:1:0:1:-1:0:25:0:0:0:0:0:0:0:1");
}

TEST(GnubgBoardLine, HasBarsTraysAndNoDiceBeforeTheThrow) {
  const std::string white = "w=6:3,2:1/2/9";
  const std::string black = "b=20:2,1:4/1/8";
  const std::string right =
      "board:me:opp:0:0:0:-1:0:1:0:0:-2:3:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:-4:2:1:0:0:0:0:"
      "1:1:1:0:1:-1:0:25:9:8:0:0:0:0:0:1";
  EXPECT_EQ(gnubg::BoardLine(State("n=7 " + white + " " + black + " turn=W phase=roll")), right);
  // The same for B.
  EXPECT_EQ(gnubg::BoardLine(State("n=7 w=20:2,1:4/1/8 b=6:3,2:1/2/9 turn=B phase=roll")), right);
}

TEST(GnubgMove, ReadsStepsInAnyOrder) {
  EXPECT_EQ(Read(kStart31, "8/5 6/5"), "6/5,8/5");
  EXPECT_EQ(Read(kStart31, "6/5 8/5 "), "6/5,8/5");
  EXPECT_EQ(Read(kStart31, " 13/10  24/23"), "13/10,24/23");
}

TEST(GnubgMove, ReadsOneManMovedTwice) {
  const std::string name = Read(kStart31, "13/10 10/9");
  EXPECT_EQ(name, "13/10,10/9");
  EXPECT_EQ(Read(kStart31, "13/9"), name);
  EXPECT_EQ(Read(kStart31, "13/10/9"), name);
  EXPECT_EQ(Read(kStart31, "13/12 12/9"), name);
}

TEST(GnubgMove, ReadsRepetitionsAndChains) {
  const std::string position =
      "n=1 w=24:2,13:5,8:3,6:5/0/0 b=24:2,13:5,8:3,6:5/0/0 turn=W phase=play:11";
  const std::string name = Read(position, "8/7 8/7 6/5 6/5");
  EXPECT_THAT(name, HasSubstr("6/5"));
  EXPECT_EQ(Read(position, "8/7(2) 6/5(2)"), name);
  EXPECT_EQ(Read(position, "6/5(2) 8/7(2)"), name);
  EXPECT_EQ(Read(position, "24/23/22/21/20"), Read(position, "24/20"));
  EXPECT_EQ(Read(position, "24/22(2)"), Read(position, "24/23/22 24/23/22"));
}

// Two blots on the way of a man from 13: on 10 and on 9.
constexpr char kBlots[] = "n=1 w=13:1,1:14/0/0 b=16:1,15:1,1:13/0/0 turn=W phase=play:31";

TEST(GnubgMove, HitsOnlyWhatIsNamed) {
  EXPECT_EQ(Read(kBlots, "13/10* 10/9*"), "13/10*,10/9*");
  EXPECT_EQ(Read(kBlots, "13/10*/9*"), "13/10*,10/9*");
  EXPECT_EQ(Read(kBlots, "13/12 12/9*"), "13/12,12/9*");
  EXPECT_EQ(Read(kBlots, "13/9*"), "13/12,12/9*");
  EXPECT_EQ(Read(kBlots, "13/10/9"), "13/10*,10/9*");  // a missing mark does no harm
  EXPECT_THAT(Read(kBlots, "13/12* 12/9*"), HasSubstr("nothing to hit for '13/12*'"));
}

TEST(GnubgMove, ReadsBarAndOff) {
  const std::string entering = "n=1 w=6:3,1:10/2/0 b=1:15/0/0 turn=W phase=play:32";
  EXPECT_EQ(Read(entering, "25/22 25/23"), "bar/22,bar/23");
  EXPECT_EQ(Read(entering, "bar/22 bar/23"), "bar/22,bar/23");
  EXPECT_EQ(Read(entering, "Bar/23 BAR/22"), "bar/22,bar/23");
  const std::string bearing = "n=1 w=5:2,4:2/0/11 b=1:15/0/0 turn=W phase=play:66";
  const std::string all = Read(bearing, "5/0 5/0 4/0 4/0");
  EXPECT_THAT(all, HasSubstr("5/off"));
  EXPECT_EQ(Read(bearing, "5/off(2) 4/off(2)"), all);
}

TEST(GnubgMove, TakesNothingForThePassOnly) {
  const std::string closed = "n=1 w=1:14/1/0 b=6:2,5:2,4:2,3:2,2:2,1:5/0/0 turn=W phase=play:31";
  EXPECT_EQ(Read(closed, ""), "pass");
  EXPECT_EQ(Read(closed, "  "), "pass");
  EXPECT_THAT(Read(kStart31, ""), HasSubstr("not legal"));
  EXPECT_THAT(Read(closed, "bar/22"), HasSubstr("not legal"));
}

TEST(GnubgMove, RefusesWhatIsNotLegal) {
  EXPECT_THAT(Read(kStart31, "8/5"),
              AllOf(HasSubstr("'8/5'"), HasSubstr("not legal"), HasSubstr("phase=play:31")));
  for (const std::string move : {"7/4 6/5", "13/8", "24/20 24/20", "24/20(4)", "6/3 13/12*"}) {
    EXPECT_THAT(Read(kStart31, move),
                ::testing::AnyOf(HasSubstr("not legal"), HasSubstr("nothing to hit")))
        << move;
  }
}

TEST(GnubgMove, SaysWhatItCannotRead) {
  for (const std::string move :
       {"8", "8/", "/5", "8/5(", "8/5()", "8/5(0)", "8/5(5)", "5/8", "8/8", "8*/5", "26/22", "-1/5",
        "8/5x", "8//5", "Error: syntax error", "\x01"}) {
    EXPECT_THAT(Read(kStart31, move), HasSubstr("cannot read")) << move;
  }
}

// Every play of many random positions, written as gnubg does, is found again.
TEST(GnubgMove, FindsEveryPlayByItsSteps) {
  ActionList<tables::Play> plays;
  VisitTables<Backgammon>(kRules, 11, 3000, [&](const BackgammonState& state) {
    if (state.phase != tables::Phase::kPlay) return;
    Backgammon::legal(kRules, state, plays);
    for (const tables::Play play : plays) {
      std::string move = Backgammon::action_name(kRules, state, play);
      if (move == "pass") move.clear();
      for (char& c : move) {
        if (c == ',') c = ' ';
      }
      const auto found = gnubg::ParseMove(kRules, state, move);
      ASSERT_TRUE(found) << found.error().message;
      EXPECT_EQ(*found, play) << move;
    }
  });
}

TEST(GnubgEvaluation, AsksWithoutDice) {
  EXPECT_EQ(gnubg::EvaluationRequest(State(kStart31), 2),
            "evaluation fibsboard "
            "board:me:opp:0:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:0:0:0:0:"
            "1:1:1:0:1:-1:0:25:0:0:0:0:0:0:0:1 PLIES 2");
}

TEST(GnubgEvaluation, ReadsSixNumbers) {
  const auto value =
      gnubg::ParseEvaluation("0.521483 0.153909 0.007563 0.129867 0.007548 -0.067024");
  ASSERT_TRUE(value);
  EXPECT_DOUBLE_EQ(value->win, 0.521483);
  EXPECT_DOUBLE_EQ(value->gammon, 0.153909);
  EXPECT_DOUBLE_EQ(value->backgammon, 0.007563);
  EXPECT_DOUBLE_EQ(value->lost_gammon, 0.129867);
  EXPECT_DOUBLE_EQ(value->lost_backgammon, 0.007548);
  EXPECT_DOUBLE_EQ(value->equity, -0.067024);
}

TEST(GnubgEvaluation, RefusesAnythingElse) {
  for (const std::string answer :
       {"", "0.5 0.1 0 0.1 0", "0.5 0.1 0 0.1 0 0.1 7", "0.5 0.1 0 0.1 0 4", "1.5 0.1 0 0.1 0 0",
        "nan 0 0 0 0 0", "Error: syntax error", "0.5 0.1 0 0.1x 0 0"}) {
    EXPECT_FALSE(gnubg::ParseEvaluation(answer)) << answer;
  }
}

}  // namespace
}  // namespace berd
