// The worked examples of the rules page of Birth, and the steps of a turn.

#include "engine/birth/birth.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <vector>

#include "engine/core/find_action.h"
#include "tests/engine/birth_positions.h"

namespace berd {
namespace {

DiceCounts Dice(std::initializer_list<int> values) {
  DiceCounts dice = 0;
  for (const int value : values) dice += dice_counts::One(value);
  return dice;
}

std::vector<std::int64_t> Scores(const std::string& rules, const BirthState& state) {
  const auto parsed = *ParseBirthRules(rules);
  std::vector<std::int64_t> scores(static_cast<std::size_t>(parsed.seats()));
  Birth::scores(parsed, state, scores);
  return scores;
}

using Points = std::vector<std::int64_t>;

// Plays named steps from a position; the position after them.
std::string After(const std::string& rules_text, const std::string& position,
                  std::initializer_list<const char*> actions) {
  const auto rules = *ParseBirthRules(rules_text);
  auto state = Birth::parse(rules, WithZeros(position));
  if (!state) return state.error().message;
  for (const char* const name : actions) {
    const auto action = Birth::parse_action(rules, *state, name);
    if (!action) return action.error().message;
    Birth::apply(rules, *state, *action);
  }
  return Birth::position(rules, *state);
}

// --- Dice ----------------------------------------------------------------------------------------

TEST(DiceCounts, CountDiceAndPips) {
  const DiceCounts dice = Dice({1, 2, 2, 4, 6, 6, 6});
  EXPECT_EQ(dice_counts::Total(dice), 7);
  EXPECT_EQ(dice_counts::Pips(dice), 27);
  EXPECT_EQ(dice_counts::Count(dice, 6), 3);
  EXPECT_EQ(dice_counts::ValueBits(dice), 0x101011u);
  EXPECT_EQ(dice_counts::OnlyValue(dice, 2), 0x20u);
  // The largest counts.
  EXPECT_EQ(dice_counts::Total(0xffffff), 90);
  EXPECT_EQ(dice_counts::Pips(0xffffff), 15 * 21);
}

// --- Score ---------------------------------------------------------------------------------------

TEST(BirthScore, CountsDiceTimesAreaNumber) {
  BirthState state;
  const DiceCounts counts[] = {3, 2, 1, 3, 2};
  for (std::size_t area = 0; area < 5; ++area) state.areas[area][0] = counts[area] * 0x100;
  // Absolute 41; the dice are threes and win every area: 33.
  EXPECT_EQ(Scores("birth:2", state), (Points{41 + 33, 0}));
  EXPECT_EQ(Scores("birth:2:relative", state), (Points{33, 0}));
}

TEST(BirthScore, HighestPipSumTakesTheArea) {
  BirthState state;
  state.areas[0] = {Dice({4, 6}), Dice({6, 6, 1}), Dice({6, 6})};
  EXPECT_EQ(Scores("birth:3:relative", state), (Points{0, 13, 0}));
  state.areas[0] = {Dice({6, 6, 1}), Dice({6, 6, 1}), Dice({6, 6})};
  EXPECT_EQ(Scores("birth:3:relative", state), (Points{13, 13, 0}));
  EXPECT_EQ(Scores("birth:3", state), (Points{16, 16, 2}));
}

// The rulebook's table of the advanced rules; it prints 34 dice.
TEST(BirthScore, AgreesWithTheTableOfTheRulebook) {
  BirthState state;
  state.areas[0] = {Dice({4, 4, 4}), Dice({5, 5, 5}), Dice({1, 2, 2, 2})};
  state.areas[1] = {Dice({6, 6}), Dice({4, 4, 4}), Dice({4, 4, 5})};
  state.areas[2] = {Dice({6}), Dice({5, 5, 4}), 0};
  state.areas[3] = {Dice({3, 3, 4}), Dice({1, 1}), Dice({3, 4, 4})};
  state.areas[4] = {Dice({4, 5}), Dice({6}), Dice({6})};
  EXPECT_EQ(Scores("birth:3:advanced+relative", state), (Points{19, 26, 7}));
  EXPECT_EQ(Scores("birth:3:relative", state), (Points{9, 29, 24}));
}

TEST(BirthScore, AdvancedTiesStillTiedAllScore) {
  BirthState state;
  state.areas[4] = {Dice({2, 4}), Dice({3, 3}), Dice({6})};
  EXPECT_EQ(Scores("birth:3:advanced+relative", state), (Points{6, 6, 0}));
  EXPECT_EQ(Scores("birth:3:advanced", state), (Points{22, 22, 8}));
}

TEST(BirthScore, TiesShareTheWin) {
  const auto rules = *ParseBirthRules("birth:3");
  BirthState state;
  state.phase = BirthPhase::kEnd;
  std::vector<WinShare> shares(3);
  Birth::win_shares(rules, state, shares);
  EXPECT_EQ(shares, std::vector<WinShare>(3, WinShare{1, 3}));
  state.areas[2] = {Dice({5}), Dice({5}), 0};
  Birth::win_shares(rules, state, shares);
  EXPECT_EQ(shares, (std::vector<WinShare>{{1, 2}, {1, 2}, {0, 1}}));
  state.areas[4][1] = Dice({1});
  Birth::win_shares(rules, state, shares);
  EXPECT_EQ(shares, (std::vector<WinShare>{{0, 1}, {1, 1}, {0, 1}}));
}

// --- Moves ---------------------------------------------------------------------------------------

TEST(BirthMove, JumpsOverOtherPieces) {
  const auto rules = *ParseBirthRules("birth:3");
  const auto state = Birth::initial(rules);  // pieces on 0, 1, 2
  const int kSections[] = {3, 4, 3, 4, 5, 6};
  for (int value = 1; value <= 6; ++value) {
    EXPECT_EQ(Birth::Landing(rules, state, 0, value), kSections[value - 1]) << value;
  }
}

TEST(BirthMove, OwnOldSectionIsFree) {
  const auto rules = *ParseBirthRules("birth:3");
  auto state = Birth::initial(rules);
  state.sections = {0, 5, 10};
  EXPECT_EQ(Birth::Landing(rules, state, 0, 5), 0);
  EXPECT_EQ(Birth::Landing(rules, state, 1, 5), 5);
  EXPECT_EQ(Birth::Landing(rules, state, 1, 1), 6);
}

// Pieces 0, 5, 10, A plays 5: it lands on 0 again, and breaks.
TEST(BirthMove, LandsOnTheStartAgainAndBreaks) {
  const std::string areas =
      "area=1:0.0.1.0.0.0/1.0.0.0.0.0/1.0.0.0.0.0,2:Z/Z/Z,3:Z/Z/Z,5:Z/Z/Z,8:Z/Z/Z";
  EXPECT_EQ(After("birth:3",
                  "n=3 pos=0,5,10 hand=2.2.2.2.2.0;2.2.2.2.2.0;2.2.2.2.2.0 " + areas +
                      " turn=A phase=play",
                  {"v:5"}),
            WithZeros("n=4 pos=0,5,10 hand=2.2.2.2.1.0;2.2.2.2.2.0;2.2.2.2.2.0 "
                      "area=1:0.0.1.0.1.0/1.0.0.0.0.0/1.0.0.0.0.0,2:Z/Z/Z,3:Z/Z/Z,5:Z/Z/Z,8:Z/Z/Z "
                      "turn=A phase=break"));
}

// --- Opening -------------------------------------------------------------------------------------

TEST(BirthOpening, DealsAllThenAsksEachOnce) {
  const std::string empty = " area=1:Z/Z,2:Z/Z,3:Z/Z,5:Z/Z,8:Z/Z ";
  const std::string start = "n=0 pos=0,1 hand=Z;Z" + empty + "turn=A phase=deal:A";
  const auto rules = *ParseBirthRules("birth:2:opening");
  EXPECT_EQ(Birth::position(rules, Birth::initial(rules)), WithZeros(start));
  const std::string text = "birth:2:opening";
  EXPECT_EQ(
      After(text, start, {"hand:11.0.0.0.0.0", "hand:0.11.0.0.0.0"}),
      WithZeros("n=0 pos=0,1 hand=11.0.0.0.0.0;0.11.0.0.0.0" + empty + "turn=A phase=opening:A"));
  // The hand shows the old dice until the roll.
  EXPECT_EQ(
      After(text, start, {"hand:11.0.0.0.0.0", "hand:0.11.0.0.0.0", "reroll"}),
      WithZeros("n=0 pos=0,1 hand=11.0.0.0.0.0;0.11.0.0.0.0" + empty + "turn=A phase=deal:A"));
  EXPECT_EQ(
      After(text, start, {"hand:11.0.0.0.0.0", "hand:0.11.0.0.0.0", "reroll", "hand:0.0.0.0.0.11"}),
      WithZeros("n=0 pos=0,1 hand=0.0.0.0.0.11;0.11.0.0.0.0" + empty + "turn=B phase=opening:B"));
  EXPECT_EQ(After(text, start, {"hand:11.0.0.0.0.0", "hand:0.11.0.0.0.0", "keep", "keep"}),
            WithZeros("n=0 pos=0,1 hand=11.0.0.0.0.0;0.11.0.0.0.0" + empty + "turn=A phase=play"));
  EXPECT_EQ(After(text, start,
                  {"hand:11.0.0.0.0.0", "hand:0.11.0.0.0.0", "keep", "reroll", "hand:1.2.2.2.2.2"}),
            WithZeros("n=0 pos=0,1 hand=11.0.0.0.0.0;1.2.2.2.2.2" + empty + "turn=A phase=play"));
  EXPECT_EQ(After("birth:2", start, {"hand:11.0.0.0.0.0", "hand:0.11.0.0.0.0"}),
            WithZeros("n=0 pos=0,1 hand=11.0.0.0.0.0;0.11.0.0.0.0" + empty + "turn=A phase=play"));
}

// --- Birth, Eject, Break -------------------------------------------------------------------------

// A has a 1 and B a 1 and a 2 in area 2, C a 3 there; C plays a 1 from section 4 to 5.
const char* const kBefore =
    "n=8 pos=13,14,4 hand=2.1.1.1.1.2;1.1.1.1.2.2;2.2.2.1.1.1 "
    "area=1:0.1.0.0.0.0/0.0.0.0.0.1/0.0.0.1.0.0,2:1.0.1.0.0.0/1.1.0.0.0.0/0.0.1.0.0.0,3:Z/Z/Z,"
    "5:Z/Z/Z,8:Z/Z/Z turn=C phase=play";

TEST(BirthTurn, RerollsAllDiceOfTheValueColourByColour) {
  EXPECT_EQ(After("birth:3", kBefore, {"v:1"}),
            WithZeros("n=9 pos=13,14,5 hand=2.1.1.1.1.2;1.1.1.1.2.2;1.2.2.1.1.1 "
                      "area=1:0.1.0.0.0.0/0.0.0.0.0.1/0.0.0.1.0.0,2:0.0.1.0.0.0/0.1.0.0.0.0/"
                      "0.0.1.0.0.0,3:Z/Z/Z,5:Z/Z/Z,8:Z/Z/Z turn=C phase=birth:2:1:ABC"));
  EXPECT_EQ(After("birth:3", kBefore, {"v:1", "dice:1.0.0.0.0.0"}),
            WithZeros("n=9 pos=13,14,5 hand=2.1.1.1.1.2;1.1.1.1.2.2;1.2.2.1.1.1 "
                      "area=1:0.1.0.0.0.0/0.0.0.0.0.1/0.0.0.1.0.0,2:1.0.1.0.0.0/0.1.0.0.0.0/"
                      "0.0.1.0.0.0,3:Z/Z/Z,5:Z/Z/Z,8:Z/Z/Z turn=C phase=birth:2:1:BC"));
  // No further check, whatever comes up.
  EXPECT_EQ(After("birth:3", kBefore,
                  {"v:1", "dice:1.0.0.0.0.0", "dice:0.1.0.0.0.0", "dice:0.1.0.0.0.0"}),
            WithZeros("n=9 pos=13,14,5 hand=2.1.1.1.1.2;1.1.1.1.2.2;1.2.2.1.1.1 "
                      "area=1:0.1.0.0.0.0/0.0.0.0.0.1/0.0.0.1.0.0,2:1.0.1.0.0.0/0.2.0.0.0.0/"
                      "0.1.1.0.0.0,3:Z/Z/Z,5:Z/Z/Z,8:Z/Z/Z turn=A phase=play"));
}

TEST(BirthTurn, OwnDiceGiveBirthToo) {
  EXPECT_EQ(After("birth:3",
                  "n=8 pos=13,14,4 hand=2.1.1.1.1.2;1.1.1.1.2.2;2.2.2.1.1.1 "
                  "area=1:0.1.0.0.0.0/0.0.0.0.0.1/0.0.0.1.0.0,2:0.0.2.0.0.0/0.2.0.0.0.0/"
                  "1.0.0.0.0.0,3:Z/Z/Z,5:Z/Z/Z,8:Z/Z/Z turn=C phase=play",
                  {"v:1"}),
            WithZeros("n=9 pos=13,14,5 hand=2.1.1.1.1.2;1.1.1.1.2.2;1.2.2.1.1.1 "
                      "area=1:0.1.0.0.0.0/0.0.0.0.0.1/0.0.0.1.0.0,2:0.0.2.0.0.0/0.2.0.0.0.0/Z,"
                      "3:Z/Z/Z,5:Z/Z/Z,8:Z/Z/Z turn=C phase=birth:2:1:C"));
}

TEST(BirthTurn, AdvancedEjectsTheDiceOfOthers) {
  EXPECT_EQ(After("birth:3:advanced", kBefore, {"v:1"}),
            WithZeros("n=9 pos=13,14,5 hand=2.1.1.1.1.2;1.1.1.1.2.2;1.2.2.1.1.1 "
                      "area=1:0.1.0.0.0.0/0.0.0.0.0.1/0.0.0.1.0.0,2:1.0.1.0.0.0/1.1.0.0.0.0/"
                      "1.0.1.0.0.0,3:Z/Z/Z,5:Z/Z/Z,8:Z/Z/Z turn=C phase=eject:2:1"));
  EXPECT_EQ(After("birth:3:advanced", kBefore, {"v:1", "to:3"}),
            WithZeros("n=9 pos=13,14,5 hand=2.1.1.1.1.2;1.1.1.1.2.2;1.2.2.1.1.1 "
                      "area=1:0.1.0.0.0.0/0.0.0.0.0.1/0.0.0.1.0.0,2:0.0.1.0.0.0/0.1.0.0.0.0/"
                      "1.0.1.0.0.0,3:1.0.0.0.0.0/1.0.0.0.0.0/Z,5:Z/Z/Z,8:Z/Z/Z turn=A "
                      "phase=play"));
  EXPECT_EQ(After("birth:3:advanced", kBefore, {"v:1", "to:8"}),
            "action 'to:8' is not legal here; legal: to:1 or to:3");
}

TEST(BirthTurn, AdvancedNeedsDiceOfOthers) {
  // C plays a 3 to section 7: C and A have a 3 in area 2, so A's goes. In the second position only
  // C has a 1 there.
  EXPECT_NE(After("birth:3:advanced", kBefore, {"v:3"}).find("phase=eject:2:3"), std::string::npos);
  EXPECT_NE(After("birth:3:advanced",
                  "n=8 pos=13,14,4 hand=2.1.1.1.1.2;1.1.1.1.2.2;2.2.2.1.1.1 "
                  "area=1:0.1.0.0.0.0/0.0.0.0.0.1/0.0.0.1.0.0,2:0.0.2.0.0.0/0.2.0.0.0.0/"
                  "1.0.0.0.0.0,3:Z/Z/Z,5:Z/Z/Z,8:Z/Z/Z turn=C phase=play",
                  {"v:1"})
                .find("2:0.0.2.0.0.0/0.2.0.0.0.0/2.0.0.0.0.0,3:"),
            std::string::npos);
}

TEST(BirthTurn, BreaksAfterBirthAndAfterEject) {
  // A stands on 14 and plays a 1 to the start, where B has a 1.
  const std::string before =
      "n=4 pos=14,7 hand=2.2.2.1.1.1;2.2.2.1.1.1 "
      "area=1:0.0.0.0.0.1/1.0.0.0.0.1,2:Z/Z,3:Z/Z,5:Z/Z,8:0.1.0.0.0.0/Z turn=A phase=play";
  EXPECT_EQ(After("birth:2", before, {"v:1", "dice:0.1.0.0.0.0", "dice:0.0.1.0.0.0"}),
            WithZeros("n=5 pos=0,7 hand=1.2.2.1.1.1;2.2.2.1.1.1 "
                      "area=1:0.1.0.0.0.1/0.0.1.0.0.1,2:Z/Z,3:Z/Z,5:Z/Z,8:0.1.0.0.0.0/Z "
                      "turn=A phase=break"));
  EXPECT_EQ(
      After("birth:2", before, {"v:1", "dice:0.1.0.0.0.0", "dice:0.0.1.0.0.0", "hand:8.0.0.0.0.0"}),
      WithZeros("n=5 pos=0,7 hand=8.0.0.0.0.0;2.2.2.1.1.1 "
                "area=1:0.1.0.0.0.1/0.0.1.0.0.1,2:Z/Z,3:Z/Z,5:Z/Z,8:0.1.0.0.0.0/Z "
                "turn=B phase=play"));
  EXPECT_EQ(After("birth:2:advanced", before, {"v:1", "to:8"}),
            WithZeros("n=5 pos=0,7 hand=1.2.2.1.1.1;2.2.2.1.1.1 "
                      "area=1:1.0.0.0.0.1/0.0.0.0.0.1,2:Z/Z,3:Z/Z,5:Z/Z,"
                      "8:0.1.0.0.0.0/1.0.0.0.0.0 turn=A phase=break"));
}

TEST(BirthTurn, WithoutDiceLeftThereIsNoBreak) {
  EXPECT_EQ(After("birth:2",
                  "n=21 pos=7,14 hand=Z;1.0.0.0.0.0 "
                  "area=1:Z/Z,2:0.5.6.0.0.0/0.5.5.0.0.0,3:Z/Z,5:Z/Z,8:Z/Z turn=B phase=play",
                  {"v:1"}),
            WithZeros("n=22 pos=7,0 hand=Z;Z area=1:Z/1.0.0.0.0.0,2:0.5.6.0.0.0/0.5.5.0.0.0,"
                      "3:Z/Z,5:Z/Z,8:Z/Z turn=A phase=end"));
}

// --- Chance and novice ---------------------------------------------------------------------------

TEST(BirthChance, SaysWhatWouldBeRight) {
  const auto rules = *ParseBirthRules("birth:2");
  const auto state = Birth::initial(rules);
  for (const char* const text : {"hand:1.1.1.1.1.1", "hand:11.0.0.0.0", "dice:11.0.0.0.0.0",
                                 "hand:011.0.0.0.0.0", "hand:12.0.0.0.0.0", "v:1", ""}) {
    const auto action = Birth::parse_action(rules, state, text);
    ASSERT_FALSE(action) << text;
    EXPECT_EQ(action.error().message,
              "action '" + std::string(text) +
                  "' is not legal here; legal: 'hand:' and six counts joined by '.' whose sum is "
                  "11");
  }
  EXPECT_TRUE(Birth::parse_action(rules, state, "hand:11.0.0.0.0.0"));
}

TEST(BirthNovice, TakesTheLead) {
  const auto rules = *ParseBirthRules("birth:3");
  const auto state = *Birth::parse(rules, WithZeros(kBefore));
  // C in area 2 after a 1: 2 × 2 and pips 4 (the most there, with A) + area 1: 1; B leads area 1.
  EXPECT_EQ(Birth::novice_score(rules, state, 1), (1 + 2 * 2 + 4) - (1 + 2 * 2 + 6));
  const auto opening = *ParseBirthRules("birth:2:opening");
  auto dealt = Birth::initial(opening);
  dealt.phase = BirthPhase::kOpening;
  dealt.hands[0] = Dice({1, 1, 1, 1, 1, 1, 1, 2, 3, 4, 5});
  EXPECT_LT(Birth::novice_score(opening, dealt, Birth::kKeep),
            Birth::novice_score(opening, dealt, Birth::kReroll));
  dealt.hands[0] = Dice({1, 1, 1, 1, 1, 1, 2, 3, 4, 5, 6});
  EXPECT_GT(Birth::novice_score(opening, dealt, Birth::kKeep),
            Birth::novice_score(opening, dealt, Birth::kReroll));
}

}  // namespace
}  // namespace berd
