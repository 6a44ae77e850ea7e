// Positions of Birth that contradict the rules page are refused with the reason.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "engine/birth/birth.h"
#include "tests/engine/birth_positions.h"

namespace berd {
namespace {

// Positions with some fields changed.
struct Fields {
  std::string n = "2";
  std::string pos = "3,4";
  std::string hand = "2.2.2.2.2.0;2.2.2.2.2.0";
  std::string area = "1:0.0.1.0.0.0/0.0.1.0.0.0,2:Z/Z,3:Z/Z,5:Z/Z,8:Z/Z";
  std::string turn = "A";
  std::string phase = "play";

  std::string Text() const {
    return WithZeros("n=" + n + " pos=" + pos + " hand=" + hand + " area=" + area +
                     " turn=" + turn + " phase=" + phase);
  }
};

const char* const kNoDice = "1:Z/Z,2:Z/Z,3:Z/Z,5:Z/Z,8:Z/Z";
const char* const kFullHands = "2.2.2.2.2.1;2.2.2.2.2.1";

Fields AtStart(const std::string& hand, const std::string& turn, const std::string& phase) {
  return {.n = "0", .pos = "0,1", .hand = hand, .area = kNoDice, .turn = turn, .phase = phase};
}

void ExpectAccepted(const std::string& rules_text, const Fields& fields) {
  const auto rules = *ParseBirthRules(rules_text);
  const auto state = Birth::parse(rules, fields.Text());
  ASSERT_TRUE(state) << state.error().message;
  EXPECT_EQ(Birth::position(rules, *state), fields.Text());
}

void ExpectRefused(const std::string& rules_text, const std::string& position,
                   const std::string& reason) {
  const auto state = Birth::parse(*ParseBirthRules(rules_text), position);
  ASSERT_FALSE(state) << position;
  EXPECT_THAT(state.error().message, ::testing::StartsWith("position: ")) << position;
  EXPECT_THAT(state.error().message, ::testing::HasSubstr(reason)) << position;
}

TEST(BirthParse, AcceptsWhatAGameCanPrint) {
  ExpectAccepted("birth:2", {});
  ExpectAccepted("birth:2", AtStart("Z;Z", "A", "deal:A"));
  ExpectAccepted("birth:2", AtStart("2.2.2.2.2.1;Z", "B", "deal:B"));
  ExpectAccepted("birth:2:opening", AtStart(kFullHands, "A", "deal:A"));
  ExpectAccepted("birth:2:opening", AtStart(kFullHands, "B", "opening:B"));
  ExpectAccepted("birth:2", {.area = kNoDice, .turn = "B", .phase = "birth:1:3:AB"});
  ExpectAccepted(
      "birth:2",
      {.area = "1:1.0.0.0.0.0/Z,2:Z/Z,3:Z/Z,5:Z/Z,8:Z/Z", .turn = "B", .phase = "birth:1:3:B"});
  ExpectAccepted("birth:2:advanced", {.turn = "B", .phase = "eject:1:3"});
  ExpectAccepted("birth:2", {.pos = "3,0", .turn = "B", .phase = "break"});
}

TEST(BirthParse, RefusesFieldsWithTheReason) {
  const struct {
    std::string position;
    const char* reason;
  } kTable[] = {
      {"", "field 'n=' expected, not ''"},
      {"n=0", "field 'pos=' expected at the end"},
      {"n=0  pos=0,1", "field 'pos=' expected, not ''"},
      {Fields{}.Text() + " x=1", "text after the last field: 'x=1'"},
      {Fields{.n = "02"}.Text(), "n='02' is not a number of placements from 0 to 22"},
      {Fields{.n = "23"}.Text(), "n='23' is not a number of placements from 0 to 22"},
      {Fields{.pos = "3"}.Text(), "pos='3' must be 2 sections joined by ','"},
      {Fields{.pos = "3,15"}.Text(), "pos: '15' is not a section from 0 to 14"},
      {Fields{.pos = "3,3"}.Text(), "pos: two pieces on section 3"},
      {Fields{.n = "1", .pos = "3,4"}.Text(),
       "pos: the piece of player B has not moved, so it stands on 1, not 4"},
      {Fields{.hand = "Z"}.Text(),
       "hand: '0.0.0.0.0.0' must be the counts of 2 players joined by ';'"},
      {Fields{.hand = "2.2.2.2.2;Z"}.Text(),
       "hand: '2.2.2.2.2' must be six counts from 0 to 11 joined by '.'"},
      {Fields{.hand = "2.2.2.2.02.0;Z"}.Text(), "must be six counts from 0 to 11 joined by '.'"},
      {Fields{.hand = "12.0.0.0.0.0;Z"}.Text(), "must be six counts from 0 to 11 joined by '.'"},
      {Fields{.area = "1:Z/Z"}.Text(), "area: five areas joined by ',' expected"},
      {Fields{.area = "1:Z/Z,2:Z/Z,3:Z/Z,8:Z/Z,5:Z/Z"}.Text(), "must start with '5:'"},
      {Fields{.area = "1:Z/Z,2:Z,3:Z/Z,5:Z/Z,8:Z/Z"}.Text(),
       "area 2: '0.0.0.0.0.0' must be the counts of 2 players joined by '/'"},
      {Fields{.turn = "C"}.Text(), "turn: player 'C' is not a letter from A to B"},
      {Fields{.phase = "plya"}.Text(), "unknown phase 'plya'; did you mean 'play'?"},
      {Fields{.phase = "play:A"}.Text(), "phase 'play:A' must have 1 parts joined by ':'"},
      {Fields{.phase = "birth:1:3"}.Text(), "must have 4 parts joined by ':'"},
      {Fields{.phase = "deal:C"}.Text(), "phase: player 'C' is not a letter from A to B"},
      {Fields{.phase = "deal:B"}.Text(), "turn is that of phase 'deal:B'"},
      {Fields{.phase = "birth:4:3:A"}.Text(), "'4' is not an area; areas are 1, 2, 3, 5 and 8"},
      {Fields{.phase = "birth:1:7:A"}.Text(), "'7' is not a value from 1 to 6"},
  };
  for (const auto& [position, reason] : kTable) ExpectRefused("birth:2", position, reason);
}

TEST(BirthParse, RefusesDiceAndPhasesThatDisagree) {
  const struct {
    const char* rules;
    Fields fields;
    const char* reason;
  } kTable[] = {
      {"birth:2", {.hand = "2.2.2.2.1.0;2.2.2.2.2.0"}, "player A has 9 dice in hand, not 10"},
      {"birth:2", {.area = kNoDice}, "player A has 0 dice in the areas, not 1"},
      {"birth:2", AtStart("Z;2.2.2.2.2.1", "A", "deal:A"), "player B has 11 dice in hand, not 0"},
      {"birth:2", AtStart(kFullHands, "A", "deal:A"),
       "player A is dealt its first dice, so its hand is empty"},
      {"birth:2", AtStart(kFullHands, "A", "opening:A"),
       "phase opening: the rules have no 'opening'"},
      {"birth:2:opening", {.phase = "opening:A"}, "n must be 0 before the first turn"},
      {"birth:2", {.turn = "B"}, "after 2 placements turn must be A"},
      {"birth:2", {.phase = "end"}, "phase end: not all hands are empty"},
      {"birth:2",
       {.n = "22", .hand = "Z;Z", .area = "1:11.0.0.0.0.0/11.0.0.0.0.0,2:Z/Z,3:Z/Z,5:Z/Z,8:Z/Z"},
       "all hands are empty, so the phase must be end"},
      {"birth:2", AtStart(kFullHands, "B", "break"), "no die has been placed"},
      {"birth:2", {.phase = "break"}, "after 2 placements turn must be B"},
      {"birth:2",
       {.turn = "B", .phase = "break"},
       "phase break: the piece of player B is not on section 0"},
      {"birth:2",
       {.n = "22",
        .pos = "3,0",
        .hand = "Z;Z",
        .area = "1:11.0.0.0.0.0/11.0.0.0.0.0,2:Z/Z,3:Z/Z,5:Z/Z,8:Z/Z",
        .turn = "B",
        .phase = "break"},
       "phase break: player B has no dice in hand"},
      {"birth:2",
       {.turn = "B", .phase = "eject:1:3"},
       "phase eject: the normal rules have birth instead"},
      {"birth:2:advanced",
       {.area = kNoDice, .turn = "B", .phase = "birth:1:3:AB"},
       "phase birth: the advanced rules have eject instead"},
      {"birth:2:advanced",
       {.turn = "B", .phase = "eject:2:3"},
       "the piece of player B stands in another area"},
      {"birth:2:advanced",
       {.turn = "B", .phase = "eject:1:4"},
       "dice of that value of player B and of another player must lie in the area"},
      {"birth:2",
       {.area = kNoDice, .turn = "B", .phase = "birth:1:3:BA"},
       "the letters 'BA' must ascend"},
      {"birth:2",
       {.area = kNoDice, .turn = "B", .phase = "birth:1:3:"},
       "letters of players still to roll expected"},
      {"birth:2", {.turn = "B", .phase = "birth:1:3:B"}, "player B has no dice left to roll"},
      {"birth:2",
       {.area = "1:Z/0.0.1.0.0.0,2:Z/Z,3:Z/Z,5:Z/Z,8:Z/Z", .turn = "B", .phase = "birth:1:3:A"},
       "dice of value 3 of player B must be out of the area until they are rolled"},
      {"birth:2",
       {.area = "1:Z/1.0.0.0.0.0,2:Z/Z,3:Z/Z,5:Z/Z,8:Z/Z", .turn = "B", .phase = "birth:1:3:A"},
       "player B has a die to roll, that just placed"},
      {"birth:2",
       {.n = "1",
        .pos = "3,1",
        .hand = "2.2.2.2.2.0;2.2.2.2.2.1",
        .area = kNoDice,
        .phase = "birth:1:3:A"},
       "phase birth: a single die is not rerolled"},
  };
  for (const auto& [rules, fields, reason] : kTable) ExpectRefused(rules, fields.Text(), reason);
}

// Positions with one or two characters changed: refused, or positions that print the same and can
// be played to the end.
void ExpectMutationsAreSound(long mutations) {
  RandomStream random(7, 0, Purpose::kTest, 0);
  const std::string kCharacters = "0123456789.,;:/=ABC playbirthejct";
  long accepted = 0;
  for (const auto& rules : TestedBirthRules()) {
    VisitBirthPositions(rules, 8, mutations, [&](const BirthState& original) {
      std::string text = Birth::position(rules, original);
      for (auto changes = 1 + random.Below(2); changes > 0; --changes) {
        const auto at = random.Below(static_cast<std::uint32_t>(text.size()));
        text[at] = kCharacters[random.Below(static_cast<std::uint32_t>(kCharacters.size()))];
      }
      auto state = Birth::parse(rules, text);
      if (!state) return;
      ++accepted;
      ASSERT_EQ(Birth::position(rules, *state), text);
      while (Birth::waits(*state) != Waits::kEnd) {
        Birth::apply(rules, *state, AnyBirthStep(rules, *state, false, random));
      }
      ASSERT_EQ(static_cast<int>(state->placements), rules.placements());
    });
  }
  EXPECT_GT(accepted, 20);
}

TEST(BirthParse, MutatedPositionsAreRefusedOrSound) { ExpectMutationsAreSound(400); }
TEST(BirthParse, SlowMutatedPositionsAreRefusedOrSound) { ExpectMutationsAreSound(20000); }

}  // namespace
}  // namespace berd
