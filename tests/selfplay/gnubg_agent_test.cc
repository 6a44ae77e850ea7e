// The agent with the real GNU Backgammon. All tests are skipped where it is not installed.

#include "selfplay/gnubg_agent.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>

#include "search/greedy_agent.h"
#include "selfplay/game_player.h"

namespace berd {
namespace {

const BackgammonRules kRules;

AgentMaker<Backgammon> Gnubg(int plies) {
  auto servers = std::make_shared<GnubgServers>(GnubgOptions{.plies = plies});
  return [servers] { return std::make_unique<GnubgAgent>(servers); };
}

AgentMaker<Backgammon> Greedy() {
  return [] { return std::make_unique<GreedyAgent<Backgammon>>(); };
}

Result<ArenaResult> Match(const AgentMaker<Backgammon>& a, const AgentMaker<Backgammon>& b,
                          long games, int threads) {
  return RunArena<Backgammon>(kRules, {a, b}, {.games = games, .threads = threads});
}

TEST(GnubgAgent, SlowBeatsTheNoviceTheSameWayEveryTime) {
  if (const auto program = FindGnubg(); !program) GTEST_SKIP() << program.error().message;
  const auto result = Match(Gnubg(0), Greedy(), 100, 2);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_GT(result->agents[0].win_share, 0.6);
  EXPECT_EQ(result->capped_rate, 0);
  // Neither the number of threads nor a new process changes the games.
  const auto again = Match(Gnubg(0), Greedy(), 100, 1);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->agents[0].win_share, result->agents[0].win_share);
  EXPECT_EQ(again->agents[0].mean_score, result->agents[0].mean_score);
  EXPECT_EQ(again->turns_per_game, result->turns_per_game);
}

TEST(GnubgAgent, SlowPlaysAgainstItselfAtEveryLevel) {
  if (const auto program = FindGnubg(); !program) GTEST_SKIP() << program.error().message;
  for (const int plies : {1, 2}) {
    const auto result = Match(Gnubg(plies), Gnubg(0), 2, 1);
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_EQ(result->games, 2);
  }
}

TEST(GnubgAgent, SlowEvaluatesTheStart) {
  if (const auto program = FindGnubg(); !program) GTEST_SKIP() << program.error().message;
  GnubgServers servers({});
  BackgammonState state = Backgammon::initial(kRules);
  state.phase = tables::Phase::kRoll;
  for (const std::uint8_t turn : {std::uint8_t{0}, std::uint8_t{1}}) {
    state.turn = turn;
    const auto value = EvaluateWithGnubg(servers, state, 0);
    ASSERT_TRUE(value) << value.error().message;
    EXPECT_NEAR(value->win, 0.525, 0.02);
    EXPECT_NEAR(value->equity,
                2 * value->win - 1 + value->gammon + value->backgammon - value->lost_gammon -
                    value->lost_backgammon,
                1e-5);
  }
}

}  // namespace
}  // namespace berd
