#include "selfplay/luck_meter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "search/greedy_agent.h"
#include "selfplay/arena.h"
#include "selfplay/game_player.h"
#include "test_paths.h"
#include "tests/nn/network_with_biases.h"

namespace berd {
namespace {

using ::testing::HasSubstr;

constexpr const char* kRaceNet = BERD_SOURCE_DIR "/configs/nets/race_short_2x9.net";

// The file of a small network with random weights, which knows nothing of the game.
template <Game G>
std::string RandomNet(const std::string& name) {
  auto path = testing::TempDir() + "luck_" + name + ".net";
  EXPECT_TRUE(
      SaveNetwork(NetworkWithBiases<G>({.width = 8, .max_pool = false, .hidden = {8}}, 3), path));
  return path;
}

ArenaResult Play(std::string_view rules, const std::vector<std::string>& agents,
                 const ArenaOptions& options) {
  std::vector<AgentSpec> specs;
  specs.reserve(agents.size());
  for (const auto& agent : agents) specs.push_back(*ParseAgentSpec(agent));
  auto result = RunArena(*ParseGame(rules), specs, options);
  EXPECT_TRUE(result) << result.error().message;
  return *result;
}

// Whether luck is 0 on average, over games of greedy agents.
template <Game G>
void HasMeanZero(std::string_view text, int games) {
  SCOPED_TRACE(std::string(text));
  const auto rules = std::get<GameWithRules<G>>(*ParseGame(text)).rules;
  const auto make_luck = *PrepareLuckMeter<G>(RandomNet<G>(std::string(G::kFacts.name)), rules);
  std::vector<std::unique_ptr<Agent<G>>> players;
  std::vector<int> player_on_seat;
  for (int seat = 0; seat < rules.seats(); ++seat) {
    players.push_back(std::make_unique<GreedyAgent<G>>());
    player_on_seat.push_back(seat);
  }
  GamePlayerOf<G> player(rules, std::move(players), 0, make_luck());
  RunningMean share;
  RunningMean equity;
  for (int game = 0; game < games; ++game) {
    const auto number = static_cast<std::uint64_t>(game);
    const auto outcome = player.Play({.seed = 2, .dice = number, .game = number}, player_on_seat);
    share.Add(outcome.share_luck[0]);
    equity.Add(outcome.equity_luck[0]);
    double sum = 0;
    std::array<bool, kMaxSeats> counted{};
    for (std::size_t seat = 0; seat < player_on_seat.size(); ++seat) {
      const auto side = static_cast<std::size_t>(G::side(rules, Seat(static_cast<int>(seat))));
      if (!counted[side]) sum += outcome.share_luck[seat];
      counted[side] = true;
    }
    EXPECT_NEAR(sum, 0, 1e-5);
  }
  const auto error = [&](const RunningMean& mean) { return std::sqrt(mean.variance() / games); };
  EXPECT_GT(error(share), 1e-5);
  EXPECT_NEAR(share.mean(), 0, 4.5 * error(share));
  if (kOutcomeClasses < G >> 1) {
    EXPECT_GT(error(equity), 1e-5);
    EXPECT_NEAR(equity.mean(), 0, 4.5 * error(equity));
  } else {
    EXPECT_EQ(error(equity), 0);
  }
}

TEST(LuckMeter, AddsNothingOnAverage) {
  HasMeanZero<Race<Race2>>("race:short:2x3", 400);
  HasMeanZero<Race<Race4>>("race:short:4x2:team=2", 200);
  HasMeanZero<Race<Race4>>("race:short:3x2:trade", 200);
  HasMeanZero<Race<Race4Valued>>("race:short:3x2:hidden", 100);
  HasMeanZero<Backgammon>("backgammon", 60);
  HasMeanZero<Bradspel>("bradspel", 60);
  HasMeanZero<Birth>("birth:2", 20);
}

TEST(ArenaLuck, LeavesTheRawResultsAlone) {
  const auto net = RandomNet<Backgammon>("backgammon");
  const std::vector<std::string> agents{"greedy", "random"};
  const auto raw = Play("backgammon", agents, {.games = 40});
  const auto both = Play("backgammon", agents, {.games = 40, .luck = net});
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_FALSE(raw.agents[i].win_share_adjusted);
    EXPECT_EQ(both.agents[i].win_share, raw.agents[i].win_share);
    EXPECT_EQ(both.agents[i].ci95, raw.agents[i].ci95);
    EXPECT_EQ(both.agents[i].equity, raw.agents[i].equity);
  }
  const AgentResult& a = both.agents[0];
  const AgentResult& b = both.agents[1];
  EXPECT_NE(a.win_share_adjusted->mean, a.win_share);
  EXPECT_NEAR(a.win_share_adjusted->mean + b.win_share_adjusted->mean, 1, 1e-5);
  EXPECT_NEAR(a.equity_adjusted->mean, -b.equity_adjusted->mean, 1e-5);
  EXPECT_FALSE(
      Play("race:short:2x2", agents, {.games = 4, .luck = kRaceNet}).agents[0].equity_adjusted);
}

TEST(ArenaLuck, IsTheSameForAnyNumberOfThreads) {
  struct Case {
    std::string rules;
    std::string net;
  };
  for (const auto& [rules, net] :
       {Case{"race:short:2x4", RandomNet<Race<Race2>>("race")},
        Case{"race:short:3x2:hidden", RandomNet<Race<Race4Valued>>("valued")},
        Case{"bradspel", RandomNet<Bradspel>("bradspel")}}) {
    const std::vector<std::string> agents{"greedy", "greedy,eps=0.2"};
    const auto one = Play(rules, agents, {.games = 30, .threads = 1, .luck = net});
    for (const int threads : {2, 4}) {
      const auto more = Play(rules, agents, {.games = 30, .threads = threads, .luck = net});
      for (std::size_t i = 0; i < 2; ++i) {
        const auto& expected = *one.agents[i].win_share_adjusted;
        EXPECT_EQ(more.agents[i].win_share_adjusted->mean, expected.mean) << rules;
        EXPECT_EQ(more.agents[i].win_share_adjusted->ci95, expected.ci95) << rules;
        EXPECT_EQ(more.agents[i].win_share_adjusted->variance_ratio, expected.variance_ratio);
      }
    }
  }
}

// Returns how many times larger the raw variance is.
double VarianceRatio(const std::vector<std::string>& agents, long games) {
  const auto result = Play("race:short:2x9", agents, {.games = games, .luck = kRaceNet});
  const auto& agent = result.agents[0];
  const LuckAdjusted& adjusted = *agent.win_share_adjusted;
  std::cout << "raw " << agent.win_share << ", adjusted " << adjusted.mean << ", variance 1 in "
            << adjusted.variance_ratio << '\n';
  const double raw_half = (agent.ci95.high - agent.ci95.low) / 2;
  const double half = (adjusted.ci95.high - adjusted.ci95.low) / 2;
  EXPECT_NEAR(half * half * adjusted.variance_ratio, raw_half * raw_half, 1e-9);
  EXPECT_NEAR(adjusted.mean, agent.win_share, 2 * raw_half);
  EXPECT_NEAR(agent.elo_adjusted, EloOf(adjusted.mean, 1, 2), 1e-9);
  EXPECT_LT(agent.elo_ci95_adjusted.low, agent.elo_adjusted);
  return adjusted.variance_ratio;
}

TEST(ArenaLuck, TakesVarianceOff) {
  const std::string net = std::string("net=") + kRaceNet;
  EXPECT_GT(VarianceRatio({net, net + ",eps=0.1"}, 100), 1.5);
}

TEST(ArenaLuck, TakesVarianceOffSlow) {
  const std::string net = std::string("net=") + kRaceNet;
  EXPECT_GT(VarianceRatio({net, net + ",eps=0.1"}, 1000), 2.5);
  // What remains are the novices' errors, of which the network knows better.
  EXPECT_GT(VarianceRatio({"greedy", "greedy"}, 1000), 1.2);
}

TEST(ArenaLuck, RefusesWhatHasNoLuckToTell) {
  const auto greedy = *ParseAgentSpec("greedy");
  const auto complaint = [&](std::string_view rules, const ArenaOptions& options) {
    const auto result = RunArena(*ParseGame(rules), std::vector{greedy, greedy}, options);
    EXPECT_FALSE(result);
    return result ? "" : result.error().message;
  };
  ArenaOptions options{.luck = kRaceNet};
  EXPECT_THAT(complaint("duel:3x3:5", options), HasSubstr("duel:3x3:5 has no dice"));
  EXPECT_THAT(complaint("backgammon", options), HasSubstr("needs 'backgammon"));
  options.luck = "/no/such.net";
  EXPECT_THAT(complaint("race:short:2x9", options), HasSubstr("/no/such.net: cannot open"));
  options.luck = kRaceNet;
  options.sprt = SprtOptions{};
  EXPECT_THAT(complaint("race:short:2x9", options), HasSubstr("scores between 0 and 1"));
  options.sprt.reset();
  options.match = 3;
  options.luck = BERD_SOURCE_DIR "/configs/nets/bradspel.net";
  EXPECT_THAT(complaint("bradspel", options), HasSubstr("single games"));
}

}  // namespace
}  // namespace berd
