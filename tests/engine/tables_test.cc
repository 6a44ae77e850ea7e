// The parts that the tables games share, and the bit tricks of Brädspel.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "engine/bradspel/steps.h"
#include "engine/core/random.h"
#include "engine/tables/men.h"
#include "engine/tables/notation.h"
#include "engine/tables/play.h"

namespace berd::tables {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<Play> List(const PlayRows& rows) {
  ActionList<Play> plays;
  rows.List(plays);
  return {plays.begin(), plays.end()};
}

TEST(PlayRows, ListsEveryPlayOfEveryRow) {
  PlayRows rows;
  rows.Restart(1);
  EXPECT_THAT(List(rows), ElementsAre(kPass));
  rows.Add(StepOf(6, 0), PointBit(3) | PointBit(8));
  rows.Add(StepOf(7, 0), 0);
  rows.Add(StepOf(8, 0), PointBit(25));
  EXPECT_EQ(rows.size(), 3u);
  EXPECT_THAT(List(rows), ElementsAre(StepOf(6, 0) | StepOf(3, 1), StepOf(6, 0) | StepOf(8, 1),
                                      StepOf(8, 0) | StepOf(25, 1)));
  rows.Restart(0);
  EXPECT_EQ(rows.size(), 0u);
}

TEST(PlayRows, SamplesFromAllRows) {
  PlayRows rows;
  rows.Restart(1);
  for (int from = 1; from <= 5; ++from) rows.Add(StepOf(from, 0), PointBit(from) | PointBit(25));
  RandomStream random(1, 0, Purpose::kTest, 0);
  const auto plays = List(rows);
  std::vector<int> seen(plays.size());
  for (int i = 0; i < 1000; ++i) {
    const auto at = std::find(plays.begin(), plays.end(), rows.Sample(random));
    ASSERT_NE(at, plays.end());
    ++seen[static_cast<std::size_t>(at - plays.begin())];
  }
  EXPECT_THAT(seen, ::testing::Each(::testing::Gt(50)));
}

TEST(Play, PacksStartingPoints) {
  const Play play = StepOf(25, 0) | StepOf(13, 1) | StepOf(1, 3);
  EXPECT_EQ(StepFrom(play, 0), 25);
  EXPECT_EQ(StepFrom(play, 1), 13);
  EXPECT_EQ(StepFrom(play, 2), 0);
  EXPECT_EQ(StepFrom(play, 3), 1);
}

TEST(Men, AtLeastCountsByPoint) {
  Men men;
  men[kOff] = 2;
  men[7] = 1;
  men[24] = 15;
  men[kBar] = 3;
  EXPECT_EQ(AtLeast(men, 1), PointBit(kOff) | PointBit(7) | PointBit(24) | PointBit(kBar));
  EXPECT_EQ(AtLeast(men, 3), PointBit(24) | PointBit(kBar));
  EXPECT_EQ(Pips(men), 7 + 15 * 24 + 75);
}

TEST(TablesNotation, NumbersBothWays) {
  const auto side = ParseSide("13:5,6:9/1/0", Numbering::kDescending);
  ASSERT_TRUE(side);
  EXPECT_EQ(SideText(*side, Numbering::kDescending), "13:5,6:9/1/0");
  EXPECT_EQ(SideText(*side, Numbering::kAscending), "12:5,19:9/1/0");
  EXPECT_EQ(StepText(kBar, 20, Numbering::kAscending), "bar/5");
  EXPECT_EQ(StepText(3, kOff, Numbering::kDescending), "3/off");
  EXPECT_THAT(ParseSide("13:5,6/1/9", Numbering::kDescending).error().message,
              HasSubstr("'6' must be <point>:<count>"));
}

// Every set of 24 bands that matters: random ones, dense enough for runs.
TEST(BradspelSteps, WallsAreRunsOfSix) {
  RandomStream random(2, 0, Purpose::kTest, 0);
  for (int i = 0; i < 20000; ++i) {
    const PointSet bands = (random.Next() | random.Next() | random.Next()) & kAllPoints;
    PointSet walls = 0;
    for (int point = 1, run = 0; point <= kPoints; ++point) {
      run = HasPoint(bands, point) ? run + 1 : 0;
      for (int back = 0; run >= 6 && back < 6; ++back) walls |= PointBit(point - back);
    }
    ASSERT_EQ(bradspel::Walls(bands), walls) << bands;
  }
}

TEST(BradspelSteps, OpIsThePointAcross) {
  for (int point = 1; point <= kPoints; ++point) {
    EXPECT_EQ(bradspel::Op(PointBit(point)), PointBit(bradspel::Op(point)));
    EXPECT_EQ(bradspel::Op(bradspel::Op(point)), point);
  }
}

}  // namespace
}  // namespace berd::tables
