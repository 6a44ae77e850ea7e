// Brädspel: plays against the plain generator, the worked positions of the rules page, strings.

#include "engine/bradspel/bradspel.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/bradspel/steps.h"
#include "tests/engine/plain_tables.h"
#include "tests/engine/tables_positions.h"

namespace berd {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StartsWith;
using ::testing::UnorderedElementsAre;

const BradspelRules kRules;

// ---- Against the plain generator ----------------------------------------------------------------

// What has been met, to prove that the test has seen it.
using Met = std::map<std::string, long>;

void Note(const std::string& name, const std::string& after, Met& met) {
  for (const char* const mark : {"*", "!", "bar", "off"}) {
    if (name.find(mark) != std::string::npos) ++met[mark];
  }
  if (name == "pass") ++met["pass"];
  if (name.find(',') == std::string::npos) ++met["one step"];
  const auto end = after.find("end:");
  if (end != std::string::npos) ++met[after.substr(end)];
}

void ExpectPlainPlays(const BradspelRules& rules, const BradspelState& state, Met& met) {
  const std::string position = Bradspel::position(rules, state);
  const auto plays = Plays<Bradspel>(rules, state);
  const plain::TablesOptions options{.cap = static_cast<long>(rules.cap),
                                     .entry_wall = rules.entry_wall};
  ASSERT_EQ(plays, plain::BradspelPlays(position, options)) << rules.ToString() << " " << position;
  for (const auto& [name, after] : plays) Note(name, after, met);
}

void CompareOnGames(std::uint64_t seed, long positions) {
  Met met;
  for (const auto& text : TablesGame<Bradspel>::TestedRules()) {
    const auto rules = RulesOf<Bradspel>(text);
    VisitTables<Bradspel>(rules, seed, positions, [&](const BradspelState& state) {
      if (Bradspel::waits(state) != Waits::kDecision || ::testing::Test::HasFatalFailure()) return;
      ExpectPlainPlays(rules, state, met);
    });
  }
  for (const char* const thing : {"*", "bar", "off", "pass", "one step", "end:cap", "end:jan"}) {
    EXPECT_GT(met[thing], 20) << thing;
  }
}

// Men thrown onto the board: walls, full bars, men at home and near the patterns.
BradspelState ThrownPosition(RandomStream& random) {
  using tables::kMen;
  BradspelState state;
  for (std::size_t seat = 0; seat < 2; ++seat) {
    auto& own = state.men[seat];
    const auto& other = state.men[1 - seat];
    const std::uint32_t style = random.Below(6);
    // Style 0: near home or off; 1: on the last five; 2: pairs; 3: some on the bar; else anywhere.
    const std::uint32_t off = style == 0 ? random.Below(15) : 0;
    own[tables::kOff] = static_cast<std::uint8_t>(off);
    for (std::uint32_t man = off; man < kMen; ++man) {
      while (true) {
        int point = static_cast<int>(random.Below(24)) + 1;
        if (style == 0 && random.Below(12) > 0) point = static_cast<int>(random.Below(6)) + 1;
        if (style == 1 && man > 1) point = static_cast<int>(man % 5) + 1;
        if (style == 2) point = static_cast<int>(man / 2 % 7 + random.Below(2)) + 1;
        if (style == 3 && random.Below(3) == 0) point = tables::kBar;
        if (style == 4 && random.Below(2) == 0) point = 24;
        if (point < tables::kBar && other[bradspel::Op(point)] > 0) {
          if (style != 1 && style != 2) continue;
          point = tables::kBar;
        }
        if (point >= 14 && point <= 23 && own[point] > 0) continue;
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
    const auto rules = RulesOf<Bradspel>(TablesGame<Bradspel>::TestedRules()[i % 2]);
    ASSERT_NO_FATAL_FAILURE(ExpectPlainPlays(rules, ThrownPosition(random), met));
  }
  for (const char* const thing :
       {"*", "!", "bar", "off", "pass", "one step", "end:jan", "end:sprangjan"}) {
    EXPECT_GT(met[thing], 20) << thing;
  }
  EXPECT_GT(met["end:kronspel"] + met["end:kronspel+munk"], 3);
}

TEST(BradspelPlays, AreThoseOfThePlainGeneratorInGames) { CompareOnGames(1, 2500); }
TEST(BradspelPlays, AreThoseOfThePlainGeneratorAnywhere) { CompareOnThrown(2, 4000); }
TEST(BradspelPlays, SlowAreThoseOfThePlainGeneratorInGames) { CompareOnGames(3, 60000); }
TEST(BradspelPlays, SlowAreThoseOfThePlainGeneratorAnywhere) { CompareOnThrown(4, 60000); }

// ---- The worked positions of the rules page, W to move ------------------------------------------

// The plays by name → "<W's men> <phase>" of a position given by the men of both sides.
std::map<std::string, std::string> Results(const std::string& white, const std::string& black,
                                           const std::string& dice) {
  const auto state =
      At<Bradspel>(kRules, "n=9 w=" + white + " b=" + black + " turn=W phase=play:" + dice);
  auto plays = Plays<Bradspel>(kRules, state);
  EXPECT_EQ(plays, plain::BradspelPlays(Bradspel::position(kRules, state)));
  return plays;
}

// The men of W after each play.
std::multiset<std::string> WhiteAfter(const std::string& white, const std::string& black,
                                      const std::string& dice) {
  std::multiset<std::string> sides;
  for (const auto& [name, after] : Results(white, black, dice)) {
    const auto at = after.find("w=") + 2;
    sides.insert(after.substr(at, after.find(' ', at) - at));
  }
  return sides;
}

std::set<std::string> NamesOf(const std::string& white, const std::string& black,
                              const std::string& dice) {
  std::set<std::string> names;
  for (const auto& [name, after] : Results(white, black, dice)) names.insert(name);
  return names;
}

// The endings among the plays, by their strings.
std::multiset<std::string> EndingsOf(const std::string& white, const std::string& black,
                                     const std::string& dice) {
  std::multiset<std::string> endings;
  for (const auto& [name, after] : Results(white, black, dice)) {
    const auto at = after.find("end:");
    if (at != std::string::npos) endings.insert(after.substr(at + 4));
  }
  return endings;
}

TEST(BradspelWorked, Position1) {
  EXPECT_THAT(WhiteAfter("1:15/0/0", "1:15/0/0", "66"), ElementsAre("1:14,7:1/0/0"));
  EXPECT_THAT(WhiteAfter("1:15/0/0", "1:15/0/0", "44"), ElementsAre("1:13,5:1,9:1/0/0"));
}

TEST(BradspelWorked, Position2) {
  EXPECT_THAT(WhiteAfter("1:1,24:14/0/0", "10:1,11:1,17:2,21:2/0/9", "53"),
              ElementsAre("6:1,24:14/0/0"));
}

TEST(BradspelWorked, Position3) {
  const std::string white = "1:3,4:1,14:4,15:4/3/0";
  const std::string black = "1:4,12:2,15:1,17:2,18:2,19:2,20:2/0/0";
  EXPECT_THAT(NamesOf(white, black, "62"), ElementsAre("bar/2,bar/6!"));
  EXPECT_THAT(NamesOf(white, black, "53"), ElementsAre("bar/3*,bar/5!"));
  EXPECT_THAT(NamesOf(white, black, "65"), ElementsAre("bar/6!"));
  EXPECT_THAT(NamesOf(white, black, "21"), ElementsAre("bar/2"));
  EXPECT_THAT(Results(white, black, "53").begin()->second, HasSubstr("/1/0 b=1:4,12:2,18:2,"));
}

TEST(BradspelWorked, Position4) {
  const std::string wall = "1:3,18:2,19:2,20:2,21:2,22:2,23:2/0/0";
  EXPECT_THAT(NamesOf("5:1,24:14/0/0", wall, "21"), ElementsAre("5/7!"));
  EXPECT_THAT(
      WhiteAfter("5:1,14:1,24:13/0/0", wall, "21"),
      UnorderedElementsAre("5:1,17:1,24:13/0/0", "6:1,16:1,24:13/0/0", "7:1,15:1,24:13/0/0"));
  const std::string five = "1:5,18:2,19:2,20:2,21:2,22:2/0/0";
  EXPECT_THAT(NamesOf("5:1,24:14/0/0", five, "21"), ElementsAre("pass"));
  EXPECT_THAT(WhiteAfter("5:1,24:14/0/0", five, "61"), ElementsAre("12:1,24:14/0/0"));
}

TEST(BradspelWorked, Position5) {
  const std::string wall = "1:3,12:2,13:2,14:2,15:2,16:2,17:2/0/0";
  EXPECT_THAT(NamesOf("14:7,15:7/1/0", wall, "51"), ElementsAre("pass"));
  EXPECT_THAT(NamesOf("14:7,15:6/2/0", wall, "51"), ElementsAre("bar/5!"));
}

TEST(BradspelWorked, Position6) {
  const std::string wall = "13:2,14:2,15:2,16:2,17:2,18:2,24:3/0/0";
  for (int roll = 0; roll < kRolls; ++roll) {
    const Roll& dice = kAllRolls[static_cast<std::size_t>(roll)];
    EXPECT_THAT(NamesOf("-/1/14", wall, std::to_string(10 * dice.high + dice.low)),
                ElementsAre("pass"));
  }
}

TEST(BradspelWorked, Position7) {
  EXPECT_THAT(WhiteAfter("21:2,22:2,23:2/0/9", "1:15/0/0", "32"),
              UnorderedElementsAre("22:2,23:3,24:1/0/9", "21:1,22:1,23:2,24:2/0/9"));
  EXPECT_THAT(WhiteAfter("22:1,24:2/0/12", "1:15/0/0", "52"), ElementsAre("24:1/0/14"));
  EXPECT_THAT(WhiteAfter("19:1,21:3,24:2/0/9", "1:15/0/0", "53"), ElementsAre("21:2,24:4/0/9"));
  EXPECT_THAT(NamesOf("20:1,21:3/0/11", "1:13,12:2/0/0", "44"), ElementsAre("pass"));
}

TEST(BradspelWorked, Position8) {
  const auto plays = Results("15:2,20:1,21:3,22:3,23:3,24:3/0/0", "1:15/0/0", "55");
  ASSERT_EQ(plays.count("15/20,15/20"), 1u);
  EXPECT_THAT(plays.at("15/20,15/20"), HasSubstr("turn=W phase=end:kronspel"));
}

TEST(BradspelWorked, Position9) {
  EXPECT_THAT(EndingsOf("19:1/0/14", "1:14,9:1/0/0", "62"),
              UnorderedElementsAre("hemspel", "hemspel+munk"));
  EXPECT_THAT(NamesOf("19:1/0/14", "1:14,9:1/0/0", "62"),
              UnorderedElementsAre("19/off", "19/21*,21/off"));
}

TEST(BradspelWorked, Position10) {
  const std::string white = "12:12,18:3/0/0";
  const std::string black = "1:2,2:1,3:1,8:1,12:7/3/0";
  EXPECT_THAT(NamesOf(white, black, "21"), SizeIs(5));
  EXPECT_THAT(EndingsOf(white, black, "21"), UnorderedElementsAre("jan", "jan"));
}

TEST(BradspelWorked, Position11) {
  const std::string white = "1:2,3:1,6:1,19:5,20:4/2/0";
  const std::string black = "1:2,2:1,3:1,4:1,12:2,14:2,16:3,17:3/0/0";
  EXPECT_THAT(EndingsOf(white, black, "41"), ElementsAre("sprangjan"));
  for (const char* const dice : {"54", "42"}) {
    EXPECT_THAT(NamesOf(white, black, dice), SizeIs(2));
    EXPECT_THAT(EndingsOf(white, black, dice), ElementsAre("sprangjan", "sprangjan"));
  }
  for (const char* const dice : {"21", "62", "22"}) {
    EXPECT_THAT(NamesOf(white, black, dice), ElementsAre("bar/2!"));
    EXPECT_THAT(EndingsOf(white, black, dice), IsEmpty());
  }
  EXPECT_THAT(NamesOf(white, black, "63"), ElementsAre("pass"));
}

TEST(BradspelWorked, Position12) {
  EXPECT_THAT(NamesOf("1:5,14:9/1/0", "1:15/0/0", "11"), ElementsAre("pass"));
  EXPECT_THAT(NamesOf("14:14/1/0", "1:15/0/0", "11"), SizeIs(7));
}

// ---- Results and strings ------------------------------------------------------------------------

TEST(Bradspel, PointsAreThoseOfTheRulesPage) {
  const auto points = [](BradspelEnding ending, bool munk, const char* rules = "bradspel") {
    return BradspelOutcome{ending, munk, Seat(0)}.points(RulesOf<Bradspel>(rules));
  };
  EXPECT_EQ(points(BradspelEnding::kSprangjan, false), 6);
  EXPECT_EQ(points(BradspelEnding::kSprangjan, false, "bradspel:sprangjan=4"), 4);
  EXPECT_EQ(points(BradspelEnding::kJan, false), 4);
  EXPECT_EQ(points(BradspelEnding::kUppspel, true), 3);
  EXPECT_EQ(points(BradspelEnding::kTrappspel, false), 2);
  EXPECT_EQ(points(BradspelEnding::kHemspel, true), 2);
  EXPECT_EQ(points(BradspelEnding::kHemspel, false), 1);
  EXPECT_EQ(points(BradspelEnding::kCap, false), 0);
}

TEST(Bradspel, Patterns) {
  const auto ending = [](const std::string& white, const std::string& black) {
    const auto endings = EndingsOf(white, black, "21");
    return endings.empty() ? "" : *endings.begin();
  };
  EXPECT_EQ(ending("23:1,24:14/0/0", "1:15/0/0"), "uppspel");
  EXPECT_EQ(ending("21:1,22:2,23:5,24:7/0/0", "1:14/1/0"), "trappspel+munk");
  EXPECT_EQ(ending("22:6,23:5,24:4/0/0", "1:15/0/0"), "dubbelkronspel");
}

TEST(BradspelRules, RoundTripAndRefuse) {
  EXPECT_EQ(ParseBradspelRules("bradspel:sprangjan=6+cap=1000")->ToString(), "bradspel");
  EXPECT_TRUE(ParseBradspelRules("bradspel:entrywall")->entry_wall);
  const std::pair<const char*, const char*> kTable[] = {
      {"brädspel", "must begin with 'bradspel'"},
      {"bradspel:sprangjan=5", "must be written 'sprangjan=4' or 'sprangjan=6'"},
      {"bradspel:sprangjan", "must be written 'sprangjan=4' or 'sprangjan=6'"},
      {"bradspel:entrywal", "did you mean 'entrywall'?"},
      {"bradspel:entrywall=1", "takes no value"},
      {"bradspel:cap=5+entrywall", "out of order"},
      {"bradspel:entrywall+entrywall", "twice"},
      {"bradspel:cap=0", "a number from 1 to"},
      {"bradspel:cap=01", "a number from 1 to"},
  };
  for (const auto& [text, reason] : kTable) {
    const auto rules = ParseBradspelRules(text);
    ASSERT_FALSE(rules) << text;
    EXPECT_THAT(rules.error().message, StartsWith("rules '"));
    EXPECT_THAT(rules.error().message, HasSubstr(reason));
  }
}

TEST(BradspelParse, RefusesWithTheReason) {
  const std::pair<const char*, const char*> kTable[] = {
      {"n=0 w=1:15/0/0 b=1:15/0/0 turn=?", "field 'phase=' expected at the end"},
      {"n=0 w=1:15/0/0 b=1:15/0/0 turn=W phase=start", "turn is ? in phase start"},
      {"n=1 w=1:15/0/0 b=1:15/0/0 turn=? phase=start", "only before the first turn"},
      {"n=1 w=1:14/0/0 b=1:15/0/0 turn=W phase=roll", "w: there are 14 men, not 15"},
      {"n=1 w=1:13,5:2/0/0 b=1:15/0/0 turn=W phase=roll",
       "tongue 5 of W holds two men; 2 to 11 hold one each"},
      {"n=1 w=1:14,13:1/0/0 b=1:15/0/0 turn=W phase=roll",
       "tongue 13 of W (1 of B) holds men of both sides"},
      {"n=1 w=5:1,1:14/0/0 b=1:15/0/0 turn=W phase=roll",
       "not written canonically; right is 'n=1 w=1:14,5:1/0/0"},
      {"n=1 w=1:15/0/0 b=1:15/0/0 turn=W phase=play", "unknown phase 'play'"},
      {"n=1 w=1:15/0/0 b=1:15/0/0 turn=W phase=play:12", "the larger first"},
      {"n=1000 w=1:15/0/0 b=1:15/0/0 turn=W phase=roll", "the cap is reached"},
      {"n=9 w=1:15/0/0 b=1:15/0/0 turn=? phase=end:cap", "needs n=1000 (the cap)"},
      {"n=1000 w=1:15/0/0 b=1:15/0/0 turn=B phase=end:cap", "turn is ? at end:cap"},
      {"n=9 w=1:15/0/0 b=1:15/0/0 turn=W phase=end:spel", "unknown ending 'spel'; it is sprangjan"},
      {"n=9 w=1:15/0/0 b=1:15/0/0 turn=W phase=end:jan", "W has not won in this position"},
      {"n=9 w=-/0/15 b=1:15/0/0 turn=W phase=end:jan", "the ending is hemspel, not jan"},
      {"n=9 w=-/0/15 b=1:15/0/0 turn=B phase=roll", "W has borne off all men"},
      {"n=9 w=-/0/15 b=1:14/1/0 turn=W phase=end:hemspel",
       "not written canonically; right is 'n=9 w=-/0/15 b=1:14/1/0 turn=W phase=end:hemspel+munk'"},
      {"n=0 w=-/0/15 b=1:15/0/0 turn=W phase=end:hemspel", "before its first turn"},
  };
  for (const auto& [position, reason] : kTable) {
    const auto parsed = Bradspel::parse(kRules, position);
    ASSERT_FALSE(parsed) << position;
    EXPECT_THAT(parsed.error().message, HasSubstr(reason)) << position;
    EXPECT_THAT(parsed.error().message, StartsWith("position"));
  }
}

}  // namespace
}  // namespace berd
