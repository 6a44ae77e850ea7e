#include "search/mcts/mcts_agent.h"

#include <gtest/gtest.h>

#include "search/constant_evaluator.h"
#include "search/epsilon_agent.h"
#include "search/play.h"
#include "search/playout_evaluator.h"
#include "search/random_agent.h"
#include "tests/search/exact_value.h"

namespace berd {
namespace {

template <Game G>
MctsAgent<G, PlayoutEvaluator<G>> MakeAgent(std::int64_t simulations) {
  return {PlayoutEvaluator<G>(0),
          {.search = {.leaf_values = LeafValues::kLeaf}, .limits = {.simulations = simulations}}};
}

template <Game G>
void ExpectPlaysToTheEnd(std::string_view text) {
  SCOPED_TRACE(std::string(text));
  const auto rules = RulesFor<G>(text);
  auto agent = MakeAgent<G>(3);
  RandomAgent<G> random;
  std::vector<Agent<G>*> seats(static_cast<std::size_t>(rules.seats()), &random);
  seats[0] = &agent;
  auto state = G::initial(rules);
  PlayOn<G>(rules, state, seats, GameSeeds{1, 2, 3});
  EXPECT_EQ(G::waits(state), Waits::kEnd);
}

TEST(MctsAgent, PlaysGamesOfAllKindsToTheEnd) {
  ExpectPlaysToTheEnd<Race<Race2>>("race:short:2x9");
  ExpectPlaysToTheEnd<Race<Race4Valued>>("race:short:4x3:hidden");
  ExpectPlaysToTheEnd<Race<Race4Valued>>("race:short:4x3:color+points+team=2+trade=0/100/20");
  ExpectPlaysToTheEnd<Duel<true>>("duel:3x3:5:hidden");
  ExpectPlaysToTheEnd<Bradspel>("bradspel");
  ExpectPlaysToTheEnd<Birth>("birth:3:advanced");
}

TEST(MctsAgent, BeatsRandomPlay) {
  using G = Race<Race2>;
  const auto rules = RulesFor<G>("race:short:2x3");
  auto agent = MakeAgent<G>(60);
  RandomAgent<G> random;
  double won = 0;
  for (std::uint64_t game = 0; game < 60; ++game) {
    std::array<Agent<G>*, 2> seats = {&agent, &random};
    if (game % 2 == 1) std::swap(seats[0], seats[1]);
    auto state = G::initial(rules);
    PlayOn<G>(rules, state, seats, GameSeeds{1, game / 2, game});
    std::array<WinShare, 2> shares;
    G::win_shares(rules, state, shares);
    won += shares[game % 2].value();
  }
  EXPECT_GT(won, 40);
}

TEST(MctsAgent, GamesDoNotDependOnEarlierOnes) {
  using G = Race<Race2>;
  const auto rules = RulesFor<G>("race:short:2x3");
  const auto play = [&](Agent<G>& agent, std::uint64_t game) {
    std::array<Agent<G>*, 2> seats = {&agent, &agent};
    auto state = G::initial(rules);
    std::vector<G::Action> actions;
    PlayOn<G>(rules, state, seats, GameSeeds{1, game, game},
              [&](const auto&, auto action) { actions.push_back(action); });
    return actions;
  };
  auto used = MakeAgent<G>(40);
  for (std::uint64_t game = 0; game < 6; ++game) {
    auto fresh = MakeAgent<G>(40);
    EXPECT_EQ(play(used, game), play(fresh, game));
  }
}

// An agent that decided once in a game holds a graph in which the next game may find its position.
TEST(MctsAgent, NewGameForgetsTheLastOne) {
  using G = Race<Race2>;
  const auto rules = RulesFor<G>("race:short:2x3");
  auto agent = MakeAgent<G>(200);
  const auto first = DecisionOf<G>(rules, 1, 3);
  ActionList<G::Action> path;
  const auto choose = [&](const G::State& state) {
    RandomStream random(1, 0, Purpose::kAgent, 0);
    agent.Choose(rules, G::observe(rules, state, G::actor(state)), random, path);
    return agent.stats().kept_nodes;
  };
  EXPECT_EQ(choose(first), 0u);
  EXPECT_GT(choose(first), 0u);
  agent.NewGame();
  EXPECT_EQ(choose(first), 0u);
  // Through the wrapper and the loop that plays games too.
  const MctsAgentOptions options{.search = {.leaf_values = LeafValues::kLeaf},
                                 .limits = {.simulations = 20}};
  EpsilonAgent<G> careless(
      0, std::make_unique<MctsAgent<G, PlayoutEvaluator<G>>>(PlayoutEvaluator<G>(0), options));
  const auto play = [&](Agent<G>& player) {
    std::array<Agent<G>*, 2> seats = {&player, &player};
    auto state = first;
    std::vector<G::Action> actions;
    PlayOn<G>(rules, state, seats, GameSeeds{1, 1, 1},
              [&](const auto&, auto action) { actions.push_back(action); });
    return actions;
  };
  const auto once = play(careless);
  EXPECT_EQ(play(careless), once);
}

// Counts how often it hears of a new game.
class Listener final : public Agent<Race<Race2>> {
 public:
  int games = 0;
  void NewGame() override { ++games; }
  void Choose(const Rules& rules, const Observation& seen, RandomStream& random,
              ActionList<Action>& path) override {
    random_.Choose(rules, seen, random, path);
  }

 private:
  RandomAgent<Race<Race2>> random_;
};

TEST(PlayOn, TellsAgentsOfEveryNewGame) {
  using G = Race<Race2>;
  const auto rules = RulesFor<G>("race:short:2x1");
  Listener first;
  Listener second;
  const std::array<Agent<G>*, 2> seats = {&first, &second};
  for (std::uint64_t game = 0; game < 3; ++game) {
    auto state = G::initial(rules);
    PlayOn<G>(rules, state, seats, GameSeeds{1, game, game});
  }
  EXPECT_EQ(first.games, 3);
  EXPECT_EQ(second.games, 3);
}

TEST(MctsAgent, RanksByVisits) {
  using G = Race<Race2>;
  const auto rules = RulesFor<G>("race:short:2x4");
  const auto state = DecisionOf<G>(rules, 2, 12);
  auto agent = MakeAgent<G>(200);
  std::vector<RankedPath<G::Action>> ranked;
  EXPECT_EQ(agent.Rank(rules, G::observe(rules, state, G::actor(state)), 100, ranked),
            RankedBy::kWinShare);
  ASSERT_GT(ranked.size(), 1u);
  std::uint32_t visits = 0;
  for (std::size_t i = 0; i < ranked.size(); ++i) {
    visits += ranked[i].depth.visits;
    if (i > 1) {
      EXPECT_LE(ranked[i].depth.visits, ranked[i - 1].depth.visits);
    }
    auto after = state;
    for (const auto action : ranked[i].path) G::apply(rules, after, action);
  }
  EXPECT_EQ(visits, 200u);
  // The first of them is what it plays.
  ActionList<G::Action> path;
  RandomStream random(1, 0, Purpose::kAgent, 0);
  auto player = MakeAgent<G>(200);
  player.Choose(rules, G::observe(rules, state, G::actor(state)), random, path);
  EXPECT_FALSE(path.empty());
  EXPECT_EQ(agent.Rank(rules, G::observe(rules, state, G::actor(state)), 1, ranked),
            RankedBy::kWinShare);
  EXPECT_EQ(ranked.size(), 1u);
}

}  // namespace
}  // namespace berd
