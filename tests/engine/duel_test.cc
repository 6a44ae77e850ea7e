// What follows a move in the duel (rules page §8), and the history behind the third occurrence.

#include "engine/berd/duel.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>

#include "engine/games.h"

namespace berd {
namespace {

std::unique_ptr<AnyPosition> At(const std::string& rules, const std::string& position) {
  auto parsed = ParsePosition(*ParseGame(rules), position);
  EXPECT_TRUE(parsed) << (parsed ? "" : parsed.error().message);
  return std::move(*parsed);
}

void Play(AnyPosition& position, std::initializer_list<const char*> actions) {
  for (const char* const action : actions) {
    const auto ok = position.Apply(action);
    ASSERT_TRUE(ok) << ok.error().message;
  }
}

TEST(PositionHistory, CountsOccurrences) {
  PositionHistory history;
  const auto key = [](std::uint64_t i) { return KeyConstant(i); };
  EXPECT_EQ(history.Add(key(1)), 1);
  EXPECT_EQ(history.Add(key(2)), 1);
  EXPECT_EQ(history.Add(key(1)), 2);
  EXPECT_EQ(history.Add(key(1)), 3);
  history.Restart();
  EXPECT_EQ(history.Add(key(1)), 1);
  EXPECT_EQ(history.size(), 1u);
}

// The 300 positions of a game with the default cap are all remembered.
TEST(PositionHistory, HoldsAWholeGameOfTheDefaultCap) {
  PositionHistory history;
  for (std::uint64_t i = 0; i < 299; ++i) EXPECT_EQ(history.Add(KeyConstant(i)), 1);
  EXPECT_EQ(history.Add(KeyConstant(0)), 2);
  // One later, the oldest is gone.
  PositionHistory longer;
  for (std::uint64_t i = 0; i < 301; ++i) EXPECT_EQ(longer.Add(KeyConstant(i)), 1);
  EXPECT_EQ(longer.Add(KeyConstant(0)), 1);
  EXPECT_EQ(longer.Add(KeyConstant(299)), 2);
  EXPECT_EQ(longer.size(), 300u);
}

TEST(PositionHistory, ClearLeavesNoTrace) {
  PositionHistory history;
  for (std::uint64_t i = 0; i < 5; ++i) history.Add(KeyConstant(i));
  history.Clear();
  EXPECT_EQ(history, PositionHistory());
}

TEST(Duel, PassesBackWhenTheOpponentCannotMove) {
  // B's only unit is blocked ahead by a Berd and may not go sideways again.
  const auto game =
      At("duel:3x3:3", "n=9 board=a1:A1,b1:A2/B2,b2:B1 col=-;- lat=0,3 turn=A phase=move");
  Play(*game, {"m:a1-a2"});
  EXPECT_EQ(game->Position(), "n=10 board=b1:A2/B2,a2:A1,b2:B1 col=-;- lat=0,3 turn=A phase=move");
}

TEST(Duel, EndsWhenNobodyCanMove) {
  // Two Berds face each other and both players have gone sideways three times.
  const auto game =
      At("duel:3x3:3", "n=20 board=a1:A2,b1:A1,a2:B3 col=-;- lat=2,3 turn=A phase=move");
  Play(*game, {"m:b1-a1"});
  EXPECT_EQ(game->Position(), "n=21 board=a1:A3,a2:B3 col=-;- lat=3,3 turn=- phase=end");
  EXPECT_EQ(game->WinShares(), (std::vector<WinShare>{{1, 2}, {1, 2}}));
}

TEST(Duel, EndsAtTheThirdOccurrence) {
  // The two stacks capture each other round and round; six plies a round.
  const auto round = {"m:a2-b2", "m:b1-a1", "m:b2-b1", "carry:1", "m:a1-b1", "m:b2-a2"};
  const auto last = {"m:b1-b2", "carry:1"};
  const auto game =
      At("duel:3x3:2", "n=21 board=b1:A1,a2:B1,b2:A1/B1 col=-;- lat=0,1 turn=B phase=move");
  Play(*game, round);
  Play(*game, last);
  EXPECT_EQ(game->Position(), "n=27 board=b1:A1,a2:B1,b2:A1/B1 col=-;- lat=0,1 turn=B phase=move");
  Play(*game, round);
  Play(*game, last);
  EXPECT_EQ(game->Position(), "n=33 board=b1:A1,a2:B1,b2:A1/B1 col=-;- lat=0,1 turn=- phase=end");
}

TEST(Duel, StopsAtTheCapBeforeAnythingElse) {
  const auto game =
      At("duel:3x3:2:cap=3", "n=2 board=a1:A2,a3:B2 col=-;- lat=0,0 turn=A phase=move");
  Play(*game, {"m:a1-a2"});
  EXPECT_EQ(game->Position(), "n=3 board=a1:A1,a2:A1,a3:B2 col=-;- lat=0,0 turn=- phase=end");
}

TEST(Duel, FinishingLastTokenEndsTheGame) {
  const auto game = At("duel:3x3:2", "n=8 board=a1:B2,b3:A1 col=A1;- lat=2,1 turn=A phase=move");
  Play(*game, {"m:b3-off"});
  EXPECT_EQ(game->Position(), "n=9 board=a1:B2 col=A2;- lat=0,1 turn=- phase=end");
  EXPECT_EQ(game->Scores(), (std::vector<std::int64_t>{2, 0}));
  EXPECT_EQ(game->WinShares(), (std::vector<WinShare>{{1, 1}, {0, 1}}));
}

}  // namespace
}  // namespace berd
