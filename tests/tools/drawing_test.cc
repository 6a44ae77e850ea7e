#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tools/run_command.h"
#include "tools/play/draw_board.h"
#include "tools/rules_argument.h"

namespace berd {
namespace {

TableInfo TableOf(const AnyRules& game) {
  TableInfo table{.game = game, .labels = {"you"}};
  table.labels.resize(static_cast<std::size_t>(SeatsOf(game)), "a net of a long name.net");
  return table;
}

std::string Draw(std::string_view rules, std::string_view text, std::optional<Seat> viewer = {},
                 const DrawStyle& style = {}) {
  const auto game = ResolveRules(rules);
  const auto position = ParsePosition(*game, text);
  if (!position) return position.error().message;
  std::string drawn = "\n";
  TableInfo table = TableOf(*game);
  std::fill(table.labels.begin() + 1, table.labels.end(), "greedy");
  for (const auto& line : DrawBoard(**position, viewer, table, style)) drawn += line + "\n";
  return drawn;
}

TEST(DrawBoard, ShowsTowersAndProtection) {
  EXPECT_EQ(Draw("race:n=1:2x5:setup=rolled",
                 "n=3 home=0,2 board=0:A1|B1/A1,3:A2/B1,7:B1 col=A1;B2 turn=B phase=move:52"),
            R"(
   +-0 (A)-+---1---+---2---+
   |  A B  |   .   |   .   |
   |   A   |       |       |
   +-------+-------+-------+
  7|   B   |       |  A2#  |3
   |       |       |   B   |
   +-------+-------+-------+
   |   .   |   .   |   .   |
   |       |       |       |
   +---6---+---5---+-4 (B)-+
player    home board to go held score collected
 A you       0     3    18    1     1 A
>B greedy    4     2     9    1     2 B2
turn 3   dice 5 2
In full:  0: A | B over A
)");
}

TEST(DrawBoard, DrawsADuelWithValuesAndColours) {
  EXPECT_EQ(Draw("duel:3x3:5:color+points",
                 "n=9 board=b1:A{10},c1:A{20.30}/B{50},b2:B{10.20.30} col=A{40.50};B{40} lat=1,0 "
                 "turn=B phase=move",
                 {}, {.color = false, .unicode = true}),
            R"(
  ┌─────────┬────b────┬─────────┐
3 │    ·    │    ·    │    ·    │  player    board held sideways score collected
  │         │         │         │   A you        3    1        1    90 A40,50
  ├─────────┼─────────┼─────────┤  >B greedy     3    0        0    40 B40
2 │    ·    │   B3#   │    ·    │  turn 9
  │         │         │         │  A moves up, B moves down
  ├─────────┼────a────┼─────────┤
1 │    ·    │  A10#   │ A20,30# │
  │         │         │   B50   │
  └─────────┴─────────┴─────────┘
       a         b         c
In full:  b2: B10,20,30
)");
}

TEST(DrawBoard, HidesWhatTheViewHides) {
  const auto drawn =
      Draw("duel:3x3:3:hidden",
           "n=9 board=b1:A{10},c1:A{20}/B{30},b2:B{10.20} col=A{30};- lat=1,0 turn=B phase=move",
           Seat(1));
  EXPECT_THAT(drawn, testing::HasSubstr("|   A?    |   A?    |"));
  EXPECT_THAT(drawn, testing::HasSubstr("|   B?    |"));
  EXPECT_THAT(drawn, testing::HasSubstr("B10,20#"));
  EXPECT_THAT(drawn, testing::HasSubstr("? A?"));  // the score of A, and its collection
}

TEST(DrawBoard, ColoursWhenAsked) {
  const auto drawn = Draw("duel:3x3:1", "n=0 board=a1:A1 col=-;- lat=0,0 turn=B phase=place:0", {},
                          {.color = true, .unicode = false});
  EXPECT_THAT(drawn, testing::HasSubstr("\x1b[1;31mA"));
  EXPECT_THAT(drawn, testing::HasSubstr("\x1b[0m"));
}

// Every line of random positions fits, however crowded the board.
TEST(DrawBoard, FitsInEightyColumns) {
  std::vector<std::string> all = {"race:n=15:16x11",
                                  "race:n=15:16x11:points",
                                  "race:n=1:16x11:points",
                                  "race:n=11:9x9:goal=20",
                                  "race:n=15:4x11:color+points+team=2+trade",
                                  "race:n=7:8x11:hidden",
                                  "race:n=4:16x11:trade",
                                  "duel:4x4:8:color+hidden"};
  for (const auto& preset : Presets()) all.emplace_back(preset.rules);
  for (const auto& rules : all) {
    const auto game = ResolveRules(rules);
    ASSERT_TRUE(game) << rules;
    const auto position = InitialPosition(*game);
    const TableInfo table = TableOf(*game);
    RandomStream random(1, 0, Purpose::kTest, 0);
    for (int step = 0; step < 1500 && position->waits() != Waits::kEnd; ++step) {
      if (position->waits() == Waits::kChance) {
        position->ApplyChance(random);
      } else {
        const auto actions = position->Actions();
        ASSERT_TRUE(
            position->Apply(actions[random.Below(static_cast<std::uint32_t>(actions.size()))]));
      }
      if (step % 10 != 0) continue;
      std::optional<Seat> viewer;
      if (step % 20 == 0) viewer = Seat(0);
      for (const auto& line : DrawBoard(*position, viewer, table, {.unicode = true})) {
        ASSERT_LE(Columns(line), 80u) << rules << "\n" << position->Position() << "\n" << line;
      }
    }
  }
}

}  // namespace
}  // namespace berd
