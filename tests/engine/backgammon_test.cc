// Backgammon: plays against the plain generator, worked positions, strings and position IDs.

#include "engine/backgammon/backgammon.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "engine/backgammon/position_id.h"
#include "tests/engine/plain_tables.h"
#include "tests/engine/tables_positions.h"

namespace berd {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

const BackgammonRules kRules;

std::vector<std::string> Names(const std::string& position) {
  std::vector<std::string> names;
  for (const auto& [name, after] : Plays<Backgammon>(kRules, At<Backgammon>(kRules, position))) {
    names.push_back(name);
  }
  return names;
}

// ---- Against the plain generator ----------------------------------------------------------------

// What has been met, to prove that the test has seen it.
struct Met {
  long positions = 0, contact = 0, bar = 0, bearing_off = 0, doubles = 0, one_die = 0, pass = 0;
};

void ExpectPlainPlays(const BackgammonState& state, Met& met) {
  const std::string position = Backgammon::position(kRules, state);
  const auto plays = Plays<Backgammon>(kRules, state);
  ASSERT_EQ(plays, plain::BackgammonPlays(position)) << position;
  ++met.positions;
  const Roll& roll = kAllRolls[state.roll];
  met.bar += state.men[state.turn][tables::kBar] > 0 ? 1 : 0;
  met.doubles += roll.is_double() ? 1 : 0;
  const auto& [name, after] = *plays.begin();
  met.contact += name.find('*') != std::string::npos ? 1 : 0;
  met.bearing_off += name.find("off") != std::string::npos ? 1 : 0;
  met.one_die += !roll.is_double() && name.find(',') == std::string::npos ? 1 : 0;
  met.pass += name == "pass" ? 1 : 0;
}

void ExpectMet(const Met& met) {
  EXPECT_GT(met.contact, met.positions / 100);
  EXPECT_GT(met.bar, met.positions / 100);
  EXPECT_GT(met.bearing_off, met.positions / 100);
  EXPECT_GT(met.doubles, met.positions / 10);
  EXPECT_GT(met.one_die, met.positions / 500);
  EXPECT_GT(met.pass, met.positions / 500);
}

void CompareOnGames(std::uint64_t seed, long positions) {
  Met met;
  VisitTables<Backgammon>(kRules, seed, positions, [&](const BackgammonState& state) {
    if (Backgammon::waits(state) != Waits::kDecision || ::testing::Test::HasFatalFailure()) return;
    ExpectPlainPlays(state, met);
  });
  ExpectMet(met);
}

// Men thrown onto the board anywhere, in the home more often when `home`.
BackgammonState ThrownPosition(RandomStream& random) {
  BackgammonState state;
  const std::uint32_t spread = random.Below(4);
  for (std::size_t seat = 0; seat < 2; ++seat) {
    auto& own = state.men[seat];
    const auto& other = state.men[1 - seat];
    const std::uint32_t most = random.Below(15) + 1;
    for (std::uint32_t man = 0; man < tables::kMen; ++man) {
      if (man >= most) {
        ++own[tables::kOff];
        continue;
      }
      while (true) {
        const bool near = spread == 0 || (spread == 1 && random.Below(8) > 0);
        const int point = static_cast<int>(random.Below(near ? 6 : 25)) + 1;
        if (point != tables::kBar && other[tables::kBar - point] > 0) continue;
        ++own[point];
        break;
      }
    }
  }
  state.turns = 9;
  state.phase = tables::Phase::kPlay;
  state.turn = static_cast<std::uint8_t>(random.Below(2));
  state.roll = static_cast<std::uint8_t>(random.Below(kRolls));
  return state;
}

void CompareOnThrown(std::uint64_t seed, std::uint64_t positions) {
  Met met;
  for (std::uint64_t i = 0; i < positions; ++i) {
    RandomStream random(seed, i, Purpose::kTest, 0);
    ASSERT_NO_FATAL_FAILURE(ExpectPlainPlays(ThrownPosition(random), met));
  }
  ExpectMet(met);
}

TEST(BackgammonPlays, AreThoseOfThePlainGeneratorInGames) { CompareOnGames(1, 3000); }
TEST(BackgammonPlays, AreThoseOfThePlainGeneratorAnywhere) { CompareOnThrown(2, 2000); }
TEST(BackgammonPlays, SlowAreThoseOfThePlainGeneratorInGames) { CompareOnGames(3, 160000); }
TEST(BackgammonPlays, SlowAreThoseOfThePlainGeneratorAnywhere) { CompareOnThrown(4, 60000); }

// ---- Worked positions ---------------------------------------------------------------------------

TEST(Backgammon, BothDiceEvenIfOneBearsOffTheLastMan) {
  EXPECT_THAT(Names("n=60 w=4:1/0/14 b=24:1/0/14 turn=W phase=play:51"), ElementsAre("4/3,3/off"));
  EXPECT_THAT(Names("n=60 w=1:1/0/14 b=23:1/0/14 turn=W phase=play:51"), ElementsAre("1/off"));
}

TEST(Backgammon, TheLargerDieIfOnlyOne) {
  // Either die can be played, but both end on a closed point.
  EXPECT_THAT(Names("n=60 w=9:1/0/14 b=24:2,23:2/0/11 turn=W phase=play:62"), ElementsAre("9/3"));
  EXPECT_THAT(Names("n=60 w=9:1/0/14 b=24:2,22:2/0/11 turn=W phase=play:62"), ElementsAre("9/7"));
}

TEST(Backgammon, OneManEitherWayIsOnePlayUnlessAHitDiffers) {
  EXPECT_THAT(Names("n=60 w=20:1/0/14 b=24:1/0/14 turn=W phase=play:53"),
              ElementsAre("20/15,15/12"));
  EXPECT_THAT(Names("n=60 w=20:1/0/14 b=8:1/0/14 turn=W phase=play:53"),
              ElementsAre("20/15,15/12", "20/17*,17/12"));
}

TEST(Backgammon, EntersBeforeAnythingElse) {
  EXPECT_THAT(Names("n=9 w=6:13/2/0 b=6:13,4:2/0/0 turn=W phase=play:64"), ElementsAre("pass"));
  EXPECT_THAT(Names("n=9 w=6:13/2/0 b=6:13,5:2/0/0 turn=W phase=play:64"), ElementsAre("bar/21"));
  EXPECT_THAT(Names("n=9 w=5:14/1/0 b=6:14,5:1/0/0 turn=W phase=play:65"),
              ElementsAre("bar/20*,20/14"));
}

BackgammonOutcome OutcomeAfter(const std::string& position, const std::string& play) {
  auto state = At<Backgammon>(kRules, position);
  const auto action = Backgammon::parse_action(kRules, state, play);
  EXPECT_TRUE(action) << (action ? "" : action.error().message);
  Backgammon::apply(kRules, state, *action);
  return Backgammon::outcome(state);
}

TEST(Backgammon, SingleGammonBackgammon) {
  const auto after = [](const std::string& black) {
    return OutcomeAfter("n=60 w=1:1/0/14 b=" + black + " turn=W phase=play:21", "1/off");
  };
  EXPECT_EQ(after("6:14/0/1").ending, BackgammonEnding::kSingle);
  EXPECT_EQ(after("18:15/0/0").ending, BackgammonEnding::kGammon);
  EXPECT_EQ(after("19:1,18:14/0/0").ending, BackgammonEnding::kBackgammon);
  EXPECT_EQ(after("18:14/1/0").ending, BackgammonEnding::kBackgammon);
  EXPECT_EQ(after("18:14/1/0").points(), 3);
  EXPECT_EQ(after("18:14/1/0").winner, Seat(0));
}

TEST(Backgammon, StopsAtTheCap) {
  const auto rules = RulesOf<Backgammon>("backgammon:cap=7");
  auto state = At<Backgammon>(rules, "n=6 w=6:15/0/0 b=6:15/0/0 turn=W phase=play:66");
  Backgammon::apply(rules, state, 0x6u << 15);
  EXPECT_EQ(Backgammon::outcome(state).points(), 0);
  EXPECT_THAT(Backgammon::position(rules, state), HasSubstr("turn=? phase=end:cap"));
}

TEST(Backgammon, NoviceLikesHitsAndPoints) {
  const auto state = At<Backgammon>(
      kRules, "n=0 w=24:2,13:5,8:3,6:5/0/0 b=24:2,13:5,8:3,6:5/0/0 turn=W phase=play:31");
  ActionList<Backgammon::Action> actions;
  Backgammon::legal(kRules, state, actions);
  const auto best = *std::max_element(actions.begin(), actions.end(), [&](auto one, auto other) {
    return Backgammon::novice_score(kRules, state, one) <
           Backgammon::novice_score(kRules, state, other);
  });
  EXPECT_EQ(Backgammon::action_name(kRules, state, best), "6/5,8/5");
}

// ---- Strings ------------------------------------------------------------------------------------

TEST(BackgammonRules, RoundTripAndRefuse) {
  EXPECT_EQ(ParseBackgammonRules("backgammon:cap=1000")->ToString(), "backgammon");
  EXPECT_EQ(ParseBackgammonRules("backgammon:cap=3")->cap, 3u);
  const std::pair<const char*, const char*> kTable[] = {
      {"gammon", "must begin with 'backgammon'"},
      {"backgammonx", "text after 'backgammon': 'x'"},
      {"backgammon:", "unknown option ''"},
      {"backgammon:cup=3", "did you mean 'cap'?"},
      {"backgammon:cap", "must be written 'cap=<number>'"},
      {"backgammon:cap=0", "a number from 1 to"},
      {"backgammon:cap=07", "a number from 1 to"},
      {"backgammon:cap=7+cap=8", "twice"},
  };
  for (const auto& [text, reason] : kTable) {
    const auto rules = ParseBackgammonRules(text);
    ASSERT_FALSE(rules) << text;
    EXPECT_THAT(rules.error().message, StartsWith("rules '"));
    EXPECT_THAT(rules.error().message, HasSubstr(reason));
  }
}

TEST(BackgammonParse, RefusesWithTheReason) {
  const std::pair<const char*, const char*> kTable[] = {
      {"", "field 'n=' expected"},
      {"n=1 w=6:15/0/0", "field 'b=' expected at the end"},
      {"n=1 w=6:15/0/0 b=6:15/0/0 turn=W phase=roll x", "text after the last field: 'x'"},
      {"n=01 w=6:15/0/0 b=6:15/0/0 turn=W phase=roll", "n='01' is not a number from 0 to 1000"},
      {"n=1 w=6:15/0 b=6:15/0/0 turn=W phase=roll", "w: '6:15/0' must be <point:count,...>"},
      {"n=1 w=6:14/0/0 b=6:15/0/0 turn=W phase=roll", "w: there are 14 men, not 15"},
      {"n=1 w=6:15/0/0 b=25:15/0/0 turn=W phase=roll", "b: '25:15' must be <point>:<count>"},
      {"n=1 w=6:7,6:8/0/0 b=6:15/0/0 turn=W phase=roll", "point 6 is there twice"},
      {"n=1 w=6:14/16/0 b=6:15/0/0 turn=W phase=roll", "bar '16' is not a number"},
      {"n=1 w=6:15/0/0 b=19:15/0/0 turn=W phase=roll", "point 6 of W (19 of B) holds men of both"},
      {"n=1 w=5:5,6:10/0/0 b=6:15/0/0 turn=W phase=roll",
       "not written canonically; right is 'n=1 w=6:10,5:5/0/0"},
      {"n=1 w=6:15/0/0 b=6:15/0/0 turn=A phase=roll", "turn 'A' must be W or B"},
      {"n=1 w=6:15/0/0 b=6:15/0/0 turn=W phase=rolls", "unknown phase 'rolls'"},
      {"n=1 w=6:15/0/0 b=6:15/0/0 turn=W phase=play:35", "the larger first"},
      {"n=1 w=6:15/0/0 b=6:15/0/0 turn=? phase=open", "only before the first turn"},
      {"n=0 w=24:2,13:5,8:3,6:5/0/0 b=24:2,13:5,8:3,6:5/0/0 turn=W phase=open", "turn is ?"},
      {"n=1000 w=6:15/0/0 b=6:15/0/0 turn=W phase=roll", "the cap is reached"},
      {"n=1000 w=6:15/0/0 b=6:15/0/0 turn=W phase=end:cap", "turn is ? at end:cap"},
      {"n=9 w=6:15/0/0 b=6:15/0/0 turn=? phase=end:cap", "needs n=1000 (the cap)"},
      {"n=9 w=6:15/0/0 b=6:15/0/0 turn=W phase=end:single", "needs 15 men of W off"},
      {"n=9 w=6:15/0/0 b=6:15/0/0 turn=W phase=end:double", "unknown ending 'double'"},
      {"n=9 w=-/0/15 b=6:15/0/0 turn=W phase=end:single", "the ending is gammon, not single"},
      {"n=9 w=-/0/15 b=6:15/0/0 turn=B phase=roll", "W has borne off all men"},
      {"n=0 w=-/0/15 b=6:15/0/0 turn=W phase=end:gammon", "before its first turn"},
  };
  for (const auto& [position, reason] : kTable) {
    const auto parsed = Backgammon::parse(kRules, position);
    ASSERT_FALSE(parsed) << position;
    EXPECT_THAT(parsed.error().message, HasSubstr(reason)) << position;
    EXPECT_THAT(parsed.error().message, StartsWith("position"));
  }
}

// ---- Position IDs -------------------------------------------------------------------------------

TEST(PositionId, KnownPositions) {
  auto state = Backgammon::initial(kRules);
  EXPECT_EQ(PositionId(state), "4HPwATDgc/ABMA");
  // After 8/5 6/5: the side that has moved comes first.
  state = At<Backgammon>(
      kRules, "n=1 w=24:2,13:5,8:2,6:4,5:2/0/0 b=24:2,13:5,8:3,6:5/0/0 turn=B phase=roll");
  EXPECT_EQ(PositionId(state), "sGfwATDgc/ABMA");
  state.turn = 0;
  EXPECT_EQ(PositionId(state), "4HPwATCwZ/ABMA");
}

TEST(PositionId, RoundTrips) {
  VisitTables<Backgammon>(kRules, 5, 5000, [](const BackgammonState& state) {
    if (state.phase != tables::Phase::kRoll) return;
    auto parsed = ParsePositionId(kRules, PositionId(state), Seat(state.turn));
    ASSERT_TRUE(parsed) << parsed.error().message;
    parsed->turns = state.turns;
    ASSERT_EQ(*parsed, state);
  });
}

TEST(PositionId, RefusesWithTheReason) {
  const std::pair<const char*, const char*> kTable[] = {
      {"4HPwATDgc/ABM", "must have 14 characters, not 13"},
      {"4HPwATDgc/ABM!", "character 14 '!' is not one of"},
      {"/////////////w", "more than 15 men"},
      {"4HPwATDgc/ABMB", "after the last bar"},
      {"4HPwATDg8/ABMA", "more than 15 men"},
      {"AAAAAAAAAAAAAA", "borne off all men"},
  };
  for (const auto& [id, reason] : kTable) {
    const auto parsed = ParsePositionId(kRules, id, Seat(0));
    ASSERT_FALSE(parsed) << id;
    EXPECT_THAT(parsed.error().message, HasSubstr(reason)) << id;
    EXPECT_THAT(parsed.error().message, StartsWith("position ID '"));
  }
}

}  // namespace
}  // namespace berd
