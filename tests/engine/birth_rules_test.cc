// Rules strings and layouts of Birth.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "engine/birth/rules.h"
#include "tests/engine/birth_positions.h"

namespace berd {
namespace {

using ::testing::HasSubstr;

TEST(BirthRules, AllOptionsRoundTrip) {
  const auto all = AllBirthRules();
  EXPECT_EQ(all.size(), 32u);
  for (const auto& text : all) {
    const auto rules = ParseBirthRules(text);
    ASSERT_TRUE(rules) << rules.error().message;
    EXPECT_EQ(rules->ToString(), text);
    EXPECT_EQ(rules->seats(), text[6] - '0');
    EXPECT_EQ(rules->placements(), 11 * rules->seats());
    EXPECT_EQ(rules->layout, rules->back ? kBirthBack : kBirthFront);
  }
  const auto rules = ParseBirthRules("birth:3:advanced+relative+back+opening");
  EXPECT_TRUE(rules->advanced && rules->relative && rules->back && rules->opening);
}

TEST(BirthRules, RefusesStringsWithTheReason) {
  const struct {
    const char* text;
    const char* reason;
  } kTable[] = {
      {"", "rules '': unknown game ''"},
      {"brith:2", "unknown game 'brith'; did you mean 'birth'? (a rules string looks like"},
      {"birth", "the number of players is missing; 'birth:2' or 'birth:3'"},
      {"birth:", "'' is not a number of players; right is 2 or 3"},
      {"birth:1", "'1' is not a number of players; right is 2 or 3"},
      {"birth:4", "'4' is not a number of players; right is 2 or 3"},
      {"birth:02", "'02' is not a number of players; right is 2 or 3"},
      {"birth:2:", "empty option list after the last colon; leave it out"},
      {"birth:2:back:opening", "'opening' after the options; options are joined by '+'"},
      {"birth:2:back+", "an option is missing"},
      {"birth:2:advnced", "unknown option 'advnced'; did you mean 'advanced'? (options: advanced"},
      {"birth:2:x", "unknown option 'x' (options: advanced, relative, back or opening)"},
      {"birth:2:back+back", "option 'back' is given twice"},
      {"birth:2:back+relative",
       "option 'relative' must stand before 'back'; the order is advanced, relative, back, "
       "opening"},
      {"birth:2:cap=5", "there is no 'cap': a game has exactly 11 placements a player"},
      {"birth:2:cap", "there is no 'cap'"},
      {"birth:2:layout=custom", "a custom layout cannot be given in a rules string"},
  };
  for (const auto& [text, reason] : kTable) {
    const auto rules = ParseBirthRules(text);
    ASSERT_FALSE(rules) << text;
    EXPECT_THAT(rules.error().message, HasSubstr(reason)) << text;
  }
}

TEST(BirthLayout, HasTheNeighboursOfTheCircle) {
  // Area indices: 0 is area 1, 1 area 2, 2 area 3, 3 area 5, 4 area 8.
  using Pair = std::array<std::uint8_t, 2>;
  const auto front = *ParseBirthRules("birth:2");
  EXPECT_EQ(front.neighbours,
            (std::array<Pair, 5>{Pair{1, 4}, Pair{0, 2}, Pair{1, 3}, Pair{2, 4}, Pair{0, 3}}));
  const auto back = *ParseBirthRules("birth:2:back");
  EXPECT_EQ(back.neighbours,
            (std::array<Pair, 5>{Pair{2, 3}, Pair{3, 4}, Pair{0, 4}, Pair{0, 1}, Pair{1, 2}}));
  EXPECT_EQ(back.area_of[3], 3);
  EXPECT_EQ(back.area_of[9], 4);
}

TEST(BirthLayout, AcceptsArcsAndAnyCircle) {
  const auto rules = *ParseBirthRules("birth:3:advanced");
  // Area 8 runs over the start; the circle does not follow the ring.
  const BirthLayout layout{{8, 8, 1, 2, 2, 2, 2, 2, 3, 3, 3, 5, 5, 8, 8}, {1, 8, 3, 2, 5}};
  const auto custom = WithLayout(rules, layout);
  ASSERT_TRUE(custom) << custom.error().message;
  EXPECT_EQ(custom->layout, layout);
  EXPECT_EQ(custom->area_of[14], 4);
  EXPECT_EQ(custom->area_of[0], 4);
  EXPECT_EQ(custom->neighbours[0], (std::array<std::uint8_t, 2>{3, 4}));
  EXPECT_EQ(custom->ToString(), "birth:3:advanced+layout=custom");
  EXPECT_FALSE(WithLayout(*custom, kBirthFront));
  // The two sides of the board have names.
  EXPECT_EQ(*WithLayout(rules, kBirthFront), rules);
  EXPECT_EQ(*WithLayout(rules, kBirthBack), *ParseBirthRules("birth:3:advanced+back"));
}

TEST(BirthLayout, RefusesOthersWithTheReason) {
  const std::array<int, 15> front = kBirthFront.sections;
  const struct {
    BirthLayout layout;
    const char* reason;
  } kTable[] = {
      {{{1, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 5, 4, 8}, {1, 2, 3, 5, 8}},
       "layout: section 13: 4 is not an area; areas are 1, 2, 3, 5 and 8"},
      {{{1, 1, 1, 1, 1, 2, 2, 1, 2, 3, 3, 3, 5, 5, 8}, {1, 2, 3, 5, 8}},
       "layout: area 1 has 2 separate arcs; its sections must be contiguous"},
      {{{1, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 5, 5, 5}, {1, 2, 3, 5, 8}},
       "layout: area 8 has no section; every area needs one"},
      {{{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, {1, 2, 3, 5, 8}},
       "layout: area 2 has no section"},
      {{front, {1, 2, 3, 5, 7}}, "layout: circle: 7 is not an area"},
      {{front, {1, 2, 3, 5, 1}},
       "layout: circle: area 1 occurs twice; each of 1, 2, 3, 5 and 8 must occur once"},
  };
  for (const auto& [layout, reason] : kTable) {
    const auto rules = WithLayout(*ParseBirthRules("birth:2"), layout);
    ASSERT_FALSE(rules) << reason;
    EXPECT_THAT(rules.error().message, HasSubstr(reason));
  }
  const auto back = WithLayout(*ParseBirthRules("birth:2:back"), kBirthFront);
  ASSERT_FALSE(back);
  EXPECT_THAT(back.error().message, HasSubstr("the rules 'birth:2:back' already name a board"));
}

}  // namespace
}  // namespace berd
