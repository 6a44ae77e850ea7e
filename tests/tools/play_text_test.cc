#include "tools/play/play_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "engine/backgammon/backgammon.h"
#include "engine/bradspel/bradspel.h"
#include "engine/core/any_game.h"

namespace berd {
namespace {

using ::testing::HasSubstr;
using Names = std::vector<std::string>;

constexpr auto kBackgammon = tables::Numbering::kDescending;
constexpr auto kBradspel = tables::Numbering::kAscending;

std::string Label(std::string_view action) { return PlayLabel(action, kBackgammon); }

// The action meant, or the error, or "no play".
std::string Match(std::string_view typed, const Names& actions,
                  tables::Numbering numbering = kBackgammon) {
  const auto found = MatchPlay(typed, actions, numbering);
  if (!found) return "no play";
  return *found ? **found : found->error().message;
}

TEST(PlayText, LabelsAreShortAndInOrder) {
  EXPECT_EQ(Label("6/5,8/5"), "8/5 6/5");
  EXPECT_EQ(Label("24/18,18/16*"), "24/18/16*");
  EXPECT_EQ(Label("6/5,6/5,8/7,8/7"), "8/7(2) 6/5(2)");
  EXPECT_EQ(Label("13/10,bar/22*"), "bar/22* 13/10");
  EXPECT_EQ(Label("4/off,6/off"), "6/off 4/off");
  EXPECT_EQ(Label("13/7,13/7,7/1,7/1"), "13/7/1(2)");
  EXPECT_EQ(Label("13/8,13/8,8/3,8/3*"), "13/8/3*(2)");
  EXPECT_EQ(Label("pass"), "pass");
  EXPECT_EQ(PlayLabel("12/15!,bar/5,23/off", kBradspel), "bar/5 12/15! 23/off");
}

TEST(PlayText, FindsAPlayInAnyOrderAndWriting) {
  const Names actions = {"13/10,13/8", "13/10,8/3", "13/5", "6/3,8/3", "6/5,8/5"};
  for (const auto* const typed :
       {"8/5 6/5", "8/5,6/5", "6/5 8/5", "6/5,8/5", "8-5 6-5", "8/5, 6/5"}) {
    EXPECT_EQ(Match(typed, actions), "6/5,8/5") << typed;
  }
  EXPECT_EQ(Match("13/10 8/3", actions), "13/10,8/3");
  EXPECT_EQ(Match("13/10/5 8/5", actions), "'13/10/5 8/5' is not a legal play; `moves` lists them");
}

TEST(PlayText, JoinsStepsOfOneMan) {
  const Names actions = {"13/11,11/7", "13/11,6/2", "13/7,13/11"};
  EXPECT_EQ(Match("13/7", actions), "13/11,11/7");
  EXPECT_EQ(Match("13/11/7", actions), "13/11,11/7");
  EXPECT_EQ(Match("13/9/7", actions), "13/11,11/7");  // the other way round is the same play
  const Names doubles = {"13/11,13/11,6/4,6/4", "13/11,11/9,13/11,11/9"};
  EXPECT_EQ(Match("13/11(2) 6/4(2)", doubles), "13/11,13/11,6/4,6/4");
  EXPECT_EQ(Match("13/9(2)", doubles), "13/11,11/9,13/11,11/9");
}

TEST(PlayText, KnowsTheBarAndBearingOff) {
  const Names actions = {"6/5,bar/22*", "bar/22*,24/23"};
  EXPECT_EQ(Match("bar/22 6/5", actions), "6/5,bar/22*");
  EXPECT_EQ(Match("BAR/22* 6/5", actions), "6/5,bar/22*");
  EXPECT_EQ(Match("25/22 24/23", actions), "bar/22*,24/23");
  EXPECT_EQ(Match("6/off 5/off", Names{"5/off,6/off", "6/1,6/off"}), "5/off,6/off");
  EXPECT_EQ(Match("6/0 5/0", Names{"5/off,6/off", "6/1,6/off"}), "5/off,6/off");
  EXPECT_EQ(Match("bar/5! 12/14", Names{"bar/2,bar/5!", "bar/5!,12/14"}, kBradspel),
            "bar/5!,12/14");
}

TEST(PlayText, SomeStepsWillDoIfTheyLeaveNoChoice) {
  const Names actions = {"13/10,13/8", "13/10,8/3", "6/3,8/3"};
  EXPECT_EQ(Match("6/3", actions), "6/3,8/3");
  EXPECT_EQ(Match("13/10", actions), "'13/10' could be 13/10 13/8 or 13/10 8/3");
}

TEST(PlayText, HitsOnTheWayMakeADifference) {
  // 6-2 from 24 with a blot on 18 only.
  const Names actions = {"24/18*,18/16", "24/22,22/16"};
  EXPECT_EQ(Match("24/18/16", actions), "24/18*,18/16");
  EXPECT_EQ(Match("24/22/16", actions), "24/22,22/16");
  EXPECT_EQ(Match("24/18*/16", actions), "24/18*,18/16");
  EXPECT_EQ(Match("24/16", actions), "'24/16' could be 24/18*/16 or 24/22/16");
  EXPECT_THAT(Match("24/22*/16", actions), HasSubstr("not a legal play"));
}

TEST(PlayText, OtherThingsAreNoPlays) {
  const Names actions = {"6/5,8/5"};
  for (const auto* const typed : {"", "pass", "8", "8/", "/5", "8/26", "8/bar", "off/3", "8/5(5)",
                                  "8/5(x)", "8/5(", "8/off/3", "hint", "8//5"}) {
    EXPECT_EQ(Match(typed, actions), "no play") << typed;
  }
}

template <class G>
void ExpectEveryPlayIsFound(const typename G::Rules& rules, tables::Numbering numbering) {
  PositionOf<G> position(rules, G::initial(rules));
  RandomStream random(1, 0, Purpose::kTest, 0);
  for (int step = 0; step < 600; ++step) {
    if (position.waits() == Waits::kEnd) position = {rules, G::initial(rules)};
    if (position.waits() == Waits::kChance) {
      position.ApplyChance(random);
      continue;
    }
    const auto actions = position.Actions();
    std::set<std::string> labels;
    for (const auto& action : actions) {
      if (action == "pass") continue;
      EXPECT_EQ(Match(action, actions, numbering), action) << position.Position();
      const auto label = PlayLabel(action, numbering);
      if (labels.insert(label).second) {
        EXPECT_EQ(Match(label, actions, numbering), action) << position.Position();
      }
    }
    ASSERT_TRUE(position.Apply(actions[random.Below(static_cast<std::uint32_t>(actions.size()))]));
  }
}

TEST(PlayText, FindsEveryPlayByNameAndLabel) {
  ExpectEveryPlayIsFound<Backgammon>({}, kBackgammon);
  ExpectEveryPlayIsFound<Bradspel>({}, kBradspel);
}

}  // namespace
}  // namespace berd
