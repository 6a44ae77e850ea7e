// Rules strings: canonical form, refusals with their reasons, presets, initial positions.

#include "engine/berd/rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "engine/games.h"
#include "tests/engine/rules_list.h"

namespace berd {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(Rules, CanonicalFormLeavesDefaultsOut) {
  const std::pair<const char*, const char*> kTable[] = {
      {"race:n=7:4x9", "race:short:4x9"},
      {"race:n=11:4x9", "race:long:4x9"},
      {"race:n=8:4x9", "race:n=8:4x9"},
      {"race:short:4x9:setup=fixed", "race:short:4x9"},
      {"race:short:4x9:setup=fixed+cap=2000", "race:short:4x9"},
      {"race:short:4x9:color+setup=fixed+cap=5", "race:short:4x9:color+cap=5"},
      {"race:short:4x9:cap=2000", "race:short:4x9"},
      {"race:short:4x9:cap=300", "race:short:4x9:cap=300"},
      {"race:short:4x9:trade=10/50/5", "race:short:4x9:trade"},
      {"race:short:4x9:trade=10/50/6", "race:short:4x9:trade=10/50/6"},
      {"race:short:4x9:points+trade=0/200/10", "race:short:4x9:points+trade"},
      {"race:short:4x9:points+trade=0/50/5", "race:short:4x9:points+trade=0/50/5"},
      {"race:n=7:2x1:setup=rolled+cap=1000000", "race:short:2x1:setup=rolled+cap=1000000"},
      {"duel:3x3:5:cap=300", "duel:3x3:5"},
      {"duel:4x4:6:color+cap=2000", "duel:4x4:6:color+cap=2000"},
      {"race:short:4x3:color+points+team=2+trade=0/100/20+setup=fixed",
       "race:short:4x3:color+points+team=2+trade=0/100/20"},
  };
  for (const auto& [written, canonical] : kTable) {
    const auto game = ParseGame(written);
    ASSERT_TRUE(game) << game.error().message;
    EXPECT_EQ(CanonicalRules(*game), canonical);
  }
  for (const auto text : TestedRules()) {
    const auto game = ParseGame(text);
    ASSERT_TRUE(game) << game.error().message;
    EXPECT_EQ(CanonicalRules(*game), text);
  }
}

TEST(Rules, RefusesWithTheReason) {
  const std::pair<const char*, const char*> kTable[] = {
      // Combinations.
      {"race:short:4x9:hidden+trade", "'hidden' with 'trade'"},
      {"race:short:4x9:hidden+goal=20", "'hidden' with 'goal'"},
      {"race:short:4x9:trade+goal=20", "'trade' with 'goal'"},
      {"race:short:4x9:points+hidden", "'points' and 'hidden' exclude each other"},
      {"race:short:4x9:hidden+points", "'points' and 'hidden' exclude each other"},
      {"race:short:4x9:points+goal=20", "'points' with 'goal'"},
      {"race:short:5x9:color", "at most 4 players, not 5"},
      {"race:n=6:4x9:color", "n of at least 7, not 6"},
      {"race:n=1:2x9:color", "n of at least 7, not 1"},
      {"duel:3x3:5:points+hidden", "'points' and 'hidden' exclude each other"},
      // Teams.
      {"race:short:4x9:team=1", "teams from 2 to 3 that divides the 4 players"},
      {"race:short:4x9:team=3", "teams from 2 to 3 that divides the 4 players"},
      {"race:short:4x9:team=4", "teams from 2 to 3 that divides the 4 players"},
      {"race:short:4x9:team=0", "teams from 2 to 3"},
      {"race:short:2x9:team=2", "team=2 needs a number of teams"},
      {"race:short:16x9:team=16", "teams from 2 to 15"},
      {"race:short:4x9:team", "needs a value, as in 'team=2'"},
      {"race:short:4x9:team=", "is not a number from"},
      {"race:short:4x9:team=02", "without leading zeros"},
      // Goal.
      {"race:short:4x9:goal", "needs a value, as in 'goal=20'"},
      {"race:short:4x9:goal=0", "multiple of 10 from 10 to 90"},
      {"race:short:4x9:goal=15", "multiple of 10 from 10 to 90"},
      {"race:short:4x9:goal=100", "multiple of 10 from 10 to 90"},
      {"race:short:4x9:goal=020", "multiple of 10 from 10 to 90"},
      // Trade.
      {"race:short:4x9:trade=0/50/5", "the price must be 1 to 100000 without points"},
      {"race:short:4x9:points+trade=10/50/5", "with points the price must be 0"},
      {"race:short:4x9:trade=10/50/0", "'0' is not a number from 1 to 100000"},
      {"race:short:4x9:trade=10/100001/5", "'100001' is not a number from 0 to 100000"},
      {"race:short:4x9:trade=100001/50/5", "'100001' is not a number from 0 to 100000"},
      {"race:short:4x9:trade=10/50/100001", "'100001' is not a number from 1 to 100000"},
      {"race:short:4x9:trade=10/50", "trade=<price>/<cash>/<step>"},
      {"race:short:4x9:trade=", "trade=<price>/<cash>/<step>"},
      {"race:short:4x9:trade=10/050/5", "without leading zeros"},
      {"race:short:4x9:trade=10/-5/5", "is not a number"},
      // Setup and cap.
      {"race:short:4x9:setup", "'setup=fixed' or 'setup=rolled'"},
      {"race:short:4x9:setup=thrown", "'setup=fixed' or 'setup=rolled'"},
      {"race:short:4x9:cap", "needs a value, as in 'cap=2000'"},
      {"race:short:4x9:cap=0", "not a number from 1 to 1000000"},
      {"race:short:4x9:cap=1000001", "not a number from 1 to 1000000"},
      {"race:short:4x9:cap=0100", "without leading zeros"},
      {"duel:3x3:5:cap=0", "not a number from 1 to 1000000"},
      {"duel:3x3:5:cap", "needs a value, as in 'cap=300'"},
      // Flags that are not of this game, unknown, twice, out of order, with values.
      {"duel:3x3:5:team=2", "'team' is not allowed in a duel"},
      {"duel:3x3:5:trade", "'trade' is not allowed in a duel"},
      {"duel:3x3:5:goal=20", "'goal' is not allowed in a duel"},
      {"duel:3x3:5:setup=rolled", "'setup' is not allowed in a duel"},
      {"race:short:4x9:colour", "unknown flag 'colour'; did you mean 'color'?"},
      {"race:short:4x9:colr", "did you mean 'color'?"},
      {"race:short:4x9:color+color", "'color' is given twice"},
      {"race:short:4x9:cap=5+cap=5", "'cap' is given twice"},
      {"race:short:4x9:points+color", "'color' must stand before 'points'"},
      {"race:short:4x9:cap=9+setup=rolled", "'setup' must stand before 'cap'"},
      {"race:short:4x9:trade+team=2", "'team' must stand before 'trade'"},
      {"duel:3x3:5:cap=10+color", "'color' must stand before 'cap'"},
      {"race:short:4x9:color=1", "'color' takes no value"},
      {"race:short:4x9:points=", "'points' takes no value"},
      {"duel:3x3:5:hidden=yes", "'hidden' takes no value"},
      {"race:short:4x9:", "empty flag list after the last colon"},
      {"duel:3x3:5:", "empty flag list after the last colon"},
      {"race:short:4x9:color+", "unknown flag ''"},
      {"race:short:4x9:+color", "unknown flag ''"},
      // Boards and numbers.
      {"race:n=0:4x9", "n must be a number from 1 to 15"},
      {"race:n=16:4x9", "n must be a number from 1 to 15"},
      {"race:n=07:4x9", "n must be a number from 1 to 15"},
      {"race:n=:4x9", "n must be a number from 1 to 15"},
      {"race:tiny:4x9", "unknown board 'tiny'"},
      {"race:short:1x9", "players must be 2 to 16, not '1'"},
      {"race:short:17x9", "players must be 2 to 16, not '17'"},
      {"race:short:04x9", "players must be 2 to 16, not '04'"},
      {"race:short:4x0", "tokens must be 1 to 11, not '0'"},
      {"race:short:4x12", "tokens must be 1 to 11, not '12'"},
      {"race:short:4x", "tokens must be 1 to 11, not ''"},
      {"race:short:4", "players and tokens are written <P>x<N>"},
      {"race:short:4x9x1", "players and tokens are written <P>x<N>"},
      {"race:short", "a race is written race:<board>:<players>x<tokens>"},
      {"race", "a race is written race:<board>"},
      {"race:short:4x9:color:cap=5", "a race is written"},
      {"duel:5x5:5", "the size of a duel is '3x3' or '4x4', not '5x5'"},
      {"duel:3x4:5", "the size of a duel is '3x3' or '4x4', not '3x4'"},
      {"duel:3x3:0", "in a duel must be 1 to 8, not '0'"},
      {"duel:3x3:9", "in a duel must be 1 to 8, not '9'"},
      {"duel:3x3:05", "in a duel must be 1 to 8, not '05'"},
      {"duel:3x3", "a duel is written duel:<size>:<tokens>"},
      // Other games.
      {"", "unknown game ''"},
      {"rase:short:4x9", "unknown game 'rase'; did you mean 'race'?"},
      {"RACE:short:4x9", "unknown game 'RACE'"},
      {" race:short:4x9", "unknown game ' race'"},
      {"race:short:4x9 ", "tokens must be 1 to 11, not '9 '"},
  };
  for (const auto& [text, reason] : kTable) {
    const auto game = ParseGame(text);
    ASSERT_FALSE(game) << text;
    EXPECT_THAT(game.error().message, HasSubstr(reason)) << text;
    EXPECT_THAT(game.error().message, HasSubstr("rules '" + std::string(text) + "'")) << text;
  }
}

TEST(Rules, AllowsEveryCombinationThatIsNotRefused) {
  int allowed = 0;
  for (const char* const values : {"", "points", "hidden", "goal"}) {
    for (int flags = 0; flags < 32; ++flags) {
      std::string text;
      const auto add = [&](bool wanted, const std::string& flag) {
        if (wanted && !flag.empty()) text += (text.empty() ? ":" : "+") + flag;
      };
      const std::string value = values;
      const bool trade = (flags & 4) != 0;
      add((flags & 1) != 0, "color");
      add(value != "goal", value);
      add((flags & 2) != 0, "team=2");
      add(trade, "trade");
      add(value == "goal", "goal=30");
      add((flags & 8) != 0, "setup=rolled");
      add((flags & 16) != 0, "cap=77");
      const auto game = ParseGame("race:short:4x3" + text);
      const bool refused = trade && (value == "hidden" || value == "goal");
      EXPECT_EQ(game.has_value(), !refused) << text;
      if (!game) continue;
      EXPECT_EQ(CanonicalRules(*game), "race:short:4x3" + text);
      ++allowed;
    }
  }
  EXPECT_EQ(allowed, 96);
}

TEST(Rules, PresetsAreTheThirteenVariants) {
  EXPECT_EQ(BerdPresets().size(), 13u);
  for (const auto& preset : BerdPresets()) {
    const auto game = ParseGame(preset.rules);
    ASSERT_TRUE(game) << game.error().message;
    EXPECT_EQ(CanonicalRules(*game), preset.rules);
    EXPECT_FALSE(preset.name.empty());
    EXPECT_FALSE(preset.summary.empty());
  }
}

TEST(Rules, InitialPositions) {
  const std::pair<const char*, const char*> kTable[] = {
      {"race:short:2x2", "n=0 home=0,2 board=0:A2,16:B2 col=-;- turn=A phase=roll"},
      {"race:short:4x9",
       "n=0 home=0,1,2,3 board=0:A9,8:B9,16:C9,24:D9 col=-;-;-;- turn=A phase=roll"},
      {"race:long:4x9",
       "n=0 home=0,1,2,3 board=0:A9,12:B9,24:C9,36:D9 col=-;-;-;- turn=A phase=roll"},
      {"race:short:4x9:color",
       "n=0 home=0,1,2,3 board=0:A9,8:B9,16:C9,24:D9 col=-;-;-;- turn=A phase=roll"},
      {"race:short:4x9:points",
       "n=0 home=0,1,2,3 board=0:A{10.20.30.40.50.60.70.80.90},8:B{10.20.30.40.50.60.70.80.90},"
       "16:C{10.20.30.40.50.60.70.80.90},24:D{10.20.30.40.50.60.70.80.90} col=-;-;-;- turn=A "
       "phase=roll"},
      {"race:short:4x9:hidden",
       "n=0 home=0,1,2,3 board=0:A{10.20.30.40.50.60.70.80.90},8:B{10.20.30.40.50.60.70.80.90},"
       "16:C{10.20.30.40.50.60.70.80.90},24:D{10.20.30.40.50.60.70.80.90} col=-;-;-;- turn=A "
       "phase=roll"},
      {"race:short:4x9:team=2",
       "n=0 home=0,1,2,3 board=0:A9,8:B9,16:C9,24:D9 col=-;-;-;- turn=A phase=roll"},
      {"race:short:4x9:trade",
       "n=0 home=0,1,2,3 board=0:A9,8:B9,16:C9,24:D9 col=-;-;-;- cash=50,50,50,50 turn=A "
       "phase=roll"},
      {"race:short:4x9:points+trade",
       "n=0 home=0,1,2,3 board=0:A{10.20.30.40.50.60.70.80.90},8:B{10.20.30.40.50.60.70.80.90},"
       "16:C{10.20.30.40.50.60.70.80.90},24:D{10.20.30.40.50.60.70.80.90} col=-;-;-;- "
       "cash=200,200,200,200 turn=A phase=roll"},
      {"race:short:4x9:goal=20",
       "n=0 home=0,1,2,3 board=0:A{10.20.30.40.50.60.70.80.90},8:B{10.20.30.40.50.60.70.80.90},"
       "16:C{10.20.30.40.50.60.70.80.90},24:D{10.20.30.40.50.60.70.80.90} col=-;-;-;- turn=A "
       "phase=roll"},
      {"race:short:3x1", "n=0 home=0,1,2 board=0:A1,8:B1,16:C1 col=-;-;- turn=A phase=roll"},
      {"race:n=1:6x1",
       "n=0 home=0,1,2,3,0,1 board=0:A1|E1,2:B1|F1,4:C1,6:D1 col=-;-;-;-;-;- turn=A phase=roll"},
      {"race:n=15:2x1:setup=rolled", "n=0 home=?,? board=- col=-;- turn=? phase=order:-"},
      {"duel:3x3:5", "n=0 board=- col=-;- lat=0,0 turn=A phase=place:0"},
      {"duel:4x4:6", "n=0 board=- col=-;- lat=0,0 turn=A phase=place:0"},
      {"duel:3x3:5:color", "n=0 board=- col=-;- lat=0,0 turn=A phase=place:0"},
      {"duel:3x3:5:points", "n=0 board=- col=-;- lat=0,0 turn=A phase=place:0"},
      {"duel:3x3:5:hidden", "n=0 board=- col=-;- lat=0,0 turn=A phase=place:0"},
  };
  for (const auto& [rules, position] : kTable) {
    EXPECT_EQ(InitialPosition(*ParseGame(rules))->Position(), position) << rules;
  }
}

TEST(Rules, ColourSquaresLieAtEqualDistances) {
  // rules page §3: on the side from corner s, colour c has offset o[(c - s) mod 4].
  const auto rules = std::get<RaceRules>(*ParseRules("race:short:4x3:color"));
  const auto squares = [](std::initializer_list<int> list) {
    SquareSet set = 0;
    for (const int square : list) set |= SetOf(square);
    return set;
  };
  EXPECT_EQ(rules.own_color[0], squares({0 + 1, 8 + 7, 16 + 5, 24 + 3}));
  EXPECT_EQ(rules.own_color[1], squares({0 + 3, 8 + 1, 16 + 7, 24 + 5}));
  EXPECT_EQ(rules.own_color[2], squares({0 + 5, 8 + 3, 16 + 1, 24 + 7}));
  EXPECT_EQ(rules.own_color[3], squares({0 + 7, 8 + 5, 16 + 3, 24 + 1}));
  // With two players the second has the colour of the third, so both have the same distances.
  const auto two = std::get<RaceRules>(*ParseRules("race:long:2x3:color"));
  EXPECT_EQ(two.own_color[0], squares({0 + 2, 12 + 11, 24 + 8, 36 + 5}));
  EXPECT_EQ(two.own_color[1], squares({0 + 8, 12 + 5, 24 + 2, 36 + 11}));
}

TEST(Games, SmallestLayoutIsChosen) {
  const std::pair<const char*, std::size_t> kTable[] = {
      {"race:short:2x9", 0},        {"race:short:3x9", 1},        {"race:short:4x9", 1},
      {"race:short:5x9", 2},        {"race:short:2x9:points", 3}, {"race:short:4x9:goal=10", 3},
      {"race:short:5x9:hidden", 4}, {"duel:3x3:5:color", 5},      {"duel:3x3:5:points", 6},
  };
  for (const auto& [rules, index] : kTable) EXPECT_EQ(ParseGame(rules)->index(), index) << rules;
}

}  // namespace
}  // namespace berd
