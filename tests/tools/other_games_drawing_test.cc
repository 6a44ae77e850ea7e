// Boards and words of backgammon, Brädspel and Birth.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/backgammon/backgammon.h"
#include "engine/birth/birth.h"
#include "engine/bradspel/bradspel.h"
#include "tests/tools/run_command.h"
#include "tools/play/game_face.h"
#include "tools/play/menu.h"
#include "tools/play/narrator.h"

namespace berd {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

template <class G>
PositionOf<G> At(const typename G::Rules& rules, std::string_view text) {
  const auto state = G::parse(rules, text);
  EXPECT_TRUE(state) << (state ? "" : state.error().message);
  return {rules, state.value_or(G::initial(rules))};
}
PositionOf<Backgammon> BackgammonAt(std::string_view text) { return At<Backgammon>({}, text); }
PositionOf<Bradspel> BradspelAt(std::string_view text) { return At<Bradspel>({}, text); }
PositionOf<Birth> BirthAt(std::string_view rules, std::string_view text) {
  return At<Birth>(*ParseBirthRules(rules), text);
}

std::string Draw(const AnyPosition& position, std::optional<Seat> near = {},
                 const DrawStyle& style = {}) {
  const TableInfo table{.game = *ParseGame("race:short:2x9"),
                        .labels = {"you", "greedy", "a net of a long name.net"},
                        .near = near};
  std::string drawn = "\n";
  for (const auto& line : DrawBoard(position, {}, table, style)) drawn += line + "\n";
  return drawn;
}

std::string Lines(const Menu& menu) {
  std::string text = "\n" + menu.question() + "\n";
  for (const auto& line : menu.Lines(80, 0)) text += line + "\n";
  return text;
}

// What is told of actions one after another.
template <class G>
std::vector<std::string> Told(PositionOf<G> position, const std::vector<std::string>& actions) {
  Narrator narrator({});
  for (const auto& action : actions) {
    const auto before = position.Clone();
    const auto ok = position.Apply(action);
    EXPECT_TRUE(ok) << (ok ? "" : ok.error().message);
    narrator.Tell(*before, action, position);
  }
  return narrator.Take();
}

TEST(DrawTables, ShowsBackgammonFromBothSides) {
  const auto position =
      BackgammonAt("n=8 w=13:6,8:3,6:4/1/1 b=24:2,13:3,8:3,6:5/0/2 turn=W phase=play:31");
  EXPECT_EQ(Draw(position, Seat(0)), R"(
+13--14--15--16--17--18--+-----+19--20--21--22--23--24--+
| O   .   .   .   X   .  |     | X   .   .   .   .   .  |   B (X) greedy
| O               X      |     | X                      |    pips 141
| O               X      |     | X                      |    off  2
| O                      |     | X                      |
| 6                      |     | X                      |
|                        | bar |                        |    dice 3 1
|                        |  O  |                        |
|                        |     | O                      |  >W (O) you
| X               O      |     | O                      |    pips 151 bar 1
| X               O      |     | O                   X  |    off  1
| X   .   .   .   O   .  |     | O   .   .   .   .   X  |
+12--11--10---9---8---7--+-----+-6---5---4---3---2---1--+
)");
  EXPECT_EQ(Draw(position, Seat(1)), R"(
+13--14--15--16--17--18--+-----+19--20--21--22--23--24--+
| X   .   .   .   O   .  |     | O   .   .   .   .   X  |  >W (O) you
| X               O      |     | O                   X  |    pips 151 bar 1
| X               O      |     | O                      |    off  1
|                        |     | O                      |
|                        |  O  |                        |
|                        | bar |                        |    dice 3 1
| 6                      |     | X                      |
| O                      |     | X                      |   B (X) greedy
| O               X      |     | X                      |    pips 141
| O               X      |     | X                      |    off  2
| O   .   .   .   X   .  |     | X   .   .   .   .   .  |
+12--11--10---9---8---7--+-----+-6---5---4---3---2---1--+
)");
}

TEST(DrawTables, ShowsBradspel) {
  EXPECT_EQ(
      Draw(BradspelAt("n=9 w=1:12,3:1,8:1,15:1/0/0 b=1:11,2:1,4:1,17:1/1/0 turn=B phase=roll")),
      R"(
+12--11--10---9---8---7--+-----+-6---5---4---3---2---1--+
| .   .   .   .   O   .  |     | .   X   .   O   .   O  |   B (X) greedy
|                        |     |                     O  |    pips 341 bar 1
|                        |     |                     O  |
|                        |     |                     O  |
|                        |  X  |                    12  |
|                        | bar |                        |
|11                      |     |                        |
| X                      |     |                        |   W (O) you
| X                      |     |                        |    pips 337
| X                      |     |                        |
| X   X   O   X   .   .  |     | .   .   .   .   .   .  |
+13--14--15--16--17--18--+-----+19--20--21--22--23--24--+
)");
}

TEST(DrawTables, HasColours) {
  const auto drawn =
      Draw(BackgammonAt("n=0 w=24:2,13:5,8:3,6:5/0/0 b=24:2,13:5,8:3,6:5/0/0 turn=? phase=open"),
           Seat(0), {.color = true});
  EXPECT_THAT(drawn, HasSubstr("\x1b[1;33mO"));
  EXPECT_THAT(drawn, HasSubstr("\x1b[1;36mX"));
}

TEST(TablesMenu, NamesPlaysAndWhatTheyDo) {
  const Menu menu(
      BackgammonAt("n=8 w=13:6,8:3,6:4/1/1 b=24:2,13:3,8:3,6:5/0/2 turn=W phase=play:31"));
  EXPECT_EQ(Lines(menu), R"(
your move with 3 1
  1  bar/24 13/10
  2  bar/24 8/5
  3  bar/24 6/3
  4  bar/22 8/7
  5  bar/22 6/5
  6  bar/22/21
)");
  EXPECT_EQ(menu.Find("6/5, bar/22"), "bar/22,6/5");
  EXPECT_TRUE(menu.whole_turns());
}

TEST(TablesMenu, TellsHowAGameIsWon) {
  const Menu menu(BradspelAt("n=60 w=19:1/0/14 b=1:14,9:1/0/0 turn=W phase=play:62"));
  EXPECT_EQ(Lines(menu), R"(
your move with 6 2
  1  19/21*/off  hits on 21, bears off 1, wins hemspel with munk
  2  19/off  bears off 1, wins hemspel
)");
}

TEST(TablesStory, TellsTheOpeningAndLostDice) {
  EXPECT_THAT(Told(PositionOf<Backgammon>({}, Backgammon::initial({})),
                   {"open:B31", "6/5,8/5", "roll:66", "13/7,13/7,24/18,24/18"}),
              ElementsAre("B begins with 31, plays 8/5 6/5, making the 5 point.",
                          "W rolls 66, plays 24/18(2) 13/7(2), making the 7 and 18 points."));
  EXPECT_THAT(Told(PositionOf<Bradspel>({}, Bradspel::initial({})), {"start:W", "roll:66", "1/7"}),
              ElementsAre("W begins, rolls 66, plays 1/7, and cannot play 3 more."));
}

TEST(DrawBirth, ShowsRingAreasAndHands) {
  EXPECT_EQ(
      Draw(BirthAt("birth:3",
                   "n=16 pos=14,10,9 hand=0.3.2.0.0.0;1.1.1.1.1.1;2.2.1.1.0.0 "
                   "area=1:1.0.0.0.0.0/0.0.0.0.0.0/0.0.0.0.0.1,2:1.0.0.0.2.0/0.0.1.0.0.1/"
                   "0.0.1.0.0.0,3:0.0.0.0.0.0/0.0.1.0.0.1/1.0.0.0.0.0,5:0.0.0.1.0.0/0.0.0.0.0.0/"
                   "0.0.0.0.0.1,8:0.1.0.0.0.0/0.0.1.0.0.0/0.0.0.0.0.0 turn=A phase=birth:8:1:C")),
      R"(
+-1----------+-2----------+-3----------+-4----------+-5----------+-6----------+
| area 1     | area 1     | area 1     | area 1     | area 2     | area 2     |
+-0----------+------------+------------+------------+------------+-7----------+
|            | area     A you        B greedy     C a net of     |            |
|            | 1        1 =1         .            6 =6*          | area 2     |
| start      | 2        155 =11*     36 =9        3 =3           |            |
|            | 3        .            36 =9*       1 =1           |            |
| area 1     | 5        4 =4         .            6 =6*          +-8----------+
|            | 8        2 =2         3 =3*        .              |            |
|            | absolute 20           18           11             | area 2     |
|            | relative 11           12           12             |            |
|            | score    31           30           23             |            |
+------------+------------+------------+------------+------------+------------+
| area 8  A  | area 5     | area 5     | area 3     | area 3  B  | area 3  C  |
+-14---------+-13---------+-12---------+-11---------+-10---------+-9----------+
>A you              hand  2 2 2 3 3
 B greedy           hand  1 2 3 4 5 6
 C a net of a long  hand  1 1 2 2 3 4
)");
}

TEST(BirthMenu, SaysWhereTheDieGoes) {
  const Menu menu(BirthAt("birth:2",
                          "n=2 pos=9,14 hand=1.0.0.0.1.8;1.0.0.0.0.9 "
                          "area=1:0.0.0.0.0.1/0.0.0.0.0.0,2:0.0.0.0.0.0/0.0.0.0.0.0,"
                          "3:0.0.0.0.0.0/0.0.0.0.0.0,5:0.0.0.0.0.0/0.0.0.0.0.0,"
                          "8:0.0.0.0.0.0/0.0.0.0.0.1 turn=A phase=play"));
  EXPECT_EQ(Lines(menu), R"(
which value do you play?
  1  to section 10, area 3
  5  to section 4, area 1, a jump
6  to section 0, area 1; Birth, 2 dice rolled again; Break, your hand is rolled
       again
)");
  EXPECT_EQ(menu.Find("6"), "v:6");
  EXPECT_EQ(menu.Find("v:1"), "v:1");
  EXPECT_FALSE(menu.Find("2"));
}

// Every line of random games fits, also with many men on a point and all dice in an area.
template <class G>
void ExpectEightyColumns(const typename G::Rules& rules) {
  PositionOf<G> position(rules, G::initial(rules));
  RandomStream random(1, 0, Purpose::kTest, 0);
  for (int step = 0; step < 600; ++step) {
    if (position.waits() == Waits::kEnd) position = {rules, G::initial(rules)};
    if (position.waits() == Waits::kChance) {
      position.ApplyChance(random);
    } else {
      if (step % 7 == 0) {
        for (const auto& line : LinesOf(Lines(Menu(position)))) ASSERT_LE(Columns(line), 80u);
      }
      const auto actions = position.Actions();
      ASSERT_TRUE(
          position.Apply(actions[random.Below(static_cast<std::uint32_t>(actions.size()))]));
    }
    if (step % 5 != 0) continue;
    for (const auto& line : LinesOf(Draw(position, Seat(step % 2), {.unicode = true}))) {
      ASSERT_LE(Columns(line), 80u) << position.Position() << "\n" << line;
    }
  }
}

TEST(DrawOtherGames, FitInEightyColumns) {
  ExpectEightyColumns<Backgammon>({});
  ExpectEightyColumns<Bradspel>({});
  ExpectEightyColumns<Birth>(*ParseBirthRules("birth:2"));
  ExpectEightyColumns<Birth>(*ParseBirthRules("birth:3:advanced+relative+back+opening"));
}

}  // namespace
}  // namespace berd
