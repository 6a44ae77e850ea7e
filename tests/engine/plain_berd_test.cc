// The plain implementation against the conformance vectors, so that it may judge the engine.

#include "tests/engine/plain_berd.h"

#include <gtest/gtest.h>

#include "tests/engine/vector_lines.h"

namespace berd {
namespace {

void Replay(const VectorLine& line) {
  plain::Game game(line.rules);
  for (const VectorStep& step : line.steps) {
    ASSERT_EQ(game.Position(), step.position) << line.rules;
    const auto parsed = plain::Game::FromPosition(line.rules, step.position);
    ASSERT_EQ(parsed.Position(), step.position) << line.rules;
    ASSERT_EQ(game.Legal(), step.legal) << line.rules << "\n" << step.position;
    ASSERT_EQ(parsed.Legal(), step.legal) << line.rules << "\n" << step.position;
    game.Apply(step.action);
  }
  EXPECT_EQ(game.Position(), line.end) << line.rules;
  EXPECT_EQ(game.IsEnd(), !line.truncated) << line.rules;
  if (line.truncated) return;
  EXPECT_EQ(game.Scores(), line.scores) << line.rules << "\n" << line.end;
  EXPECT_EQ(game.WinShares(), line.win_shares) << line.rules << "\n" << line.end;
}

TEST(PlainBerd, PassesTheConformanceVectors) {
  int games = 0;
  int positions = 0;
  for (const VectorLine& line : ReadBerdVectors()) {
    if (line.views.empty()) {
      Replay(line);
      ++games;
      continue;
    }
    const auto game = plain::Game::FromPosition(line.rules, line.position);
    ASSERT_EQ(game.Position(), line.position) << line.rules;
    for (std::size_t seat = 0; seat < line.views.size(); ++seat) {
      EXPECT_EQ(game.View(static_cast<int>(seat)), line.views[seat]) << line.position;
    }
    ++positions;
  }
  EXPECT_GE(games, 109);
  EXPECT_GE(positions, 276);
}

}  // namespace
}  // namespace berd
