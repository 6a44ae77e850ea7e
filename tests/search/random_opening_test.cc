#include "search/random_opening.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "search/greedy_agent.h"
#include "search/play.h"
#include "tests/search/search_positions.h"

namespace berd {
namespace {

TEST(RandomOpening, IsUniformOverAfterstates) {
  using G = Duel<false>;
  const auto rules = RulesOf<G>("duel:3x3:2");
  RandomOpening<G> opening(1);
  ActionList<G::Action> path;
  std::map<std::string, int> counts;
  constexpr int kDraws = 6000;
  for (std::uint64_t draw = 0; draw < kDraws; ++draw) {
    RandomStream random(1, draw, Purpose::kTest, 0);
    auto state = G::initial(rules);
    opening.Choose(rules, state, random, path);
    for (const auto action : path) G::apply(rules, state, action);
    EXPECT_EQ(G::actor(state), Seat(1));
    ++counts[G::position(rules, state)];
  }
  // Two tokens on three columns. Five standard deviations.
  EXPECT_EQ(counts.size(), 6u);
  for (const auto& [position, count] : counts) EXPECT_NEAR(count, kDraws / 6.0, 145) << position;
}

TEST(RandomOpening, DrawsStepByStepWhereThereAreTooManyAfterstates) {
  using G = Duel<true>;
  const auto rules = RulesOf<G>("duel:4x4:8:points");
  Afterstates<G> afterstates;
  auto state = G::initial(rules);
  ASSERT_FALSE(afterstates.Enumerate(rules, state));
  RandomOpening<G> opening(1);
  ActionList<G::Action> path;
  RandomStream random(1, 0, Purpose::kTest, 0);
  opening.Choose(rules, state, random, path);
  EXPECT_EQ(path.size(), 8u);
  for (const auto action : path) G::apply(rules, state, action);
  EXPECT_EQ(G::actor(state), Seat(1));
}

// The position after so many decisions of a game, as PlayOn opens it.
template <Game G>
std::string PositionAfter(const typename G::Rules& rules, int opening_decisions, int decisions,
                          const GameSeeds& seeds) {
  RandomOpening<G> opening(opening_decisions);
  GreedyAgent<G> agent;
  const std::vector<Agent<G>*> seats(static_cast<std::size_t>(rules.seats()), &agent);
  auto state = G::initial(rules);
  std::string position;
  int begun = 0;
  auto last = Seat();
  PlayOn<G>(
      rules, state, seats, seeds,
      [&](const typename G::State& before, auto) {
        // In these games the seats take turns.
        if (G::waits(before) != Waits::kDecision) return;
        if (begun == 0 || G::actor(before) != last) ++begun;
        last = G::actor(before);
        if (begun == decisions + 1 && position.empty()) position = G::position(rules, before);
      },
      &opening);
  return position;
}

template <Game G>
void BlocksStartAlike(std::string_view text) {
  SCOPED_TRACE(std::string(text));
  const auto rules = RulesOf<G>(text);
  std::set<std::string> openings;
  std::set<std::string> going_on;
  constexpr std::uint64_t kBlocks = 20;
  for (std::uint64_t block = 0; block < kBlocks; ++block) {
    const GameSeeds first = {.seed = 4, .dice = block, .game = 2 * block};
    const GameSeeds second = {.seed = 4, .dice = block, .game = 2 * block + 1};
    const auto position = PositionAfter<G>(rules, 3, 3, first);
    EXPECT_NE(position, "");
    EXPECT_EQ(PositionAfter<G>(rules, 3, 3, second), position);
    EXPECT_EQ(PositionAfter<G>(rules, 3, 3, first), position);
    openings.insert(position);
    going_on.insert(PositionAfter<G>(rules, 3, 4, first));
    going_on.insert(PositionAfter<G>(rules, 3, 4, second));
  }
  EXPECT_GT(openings.size(), kBlocks / 2);
  EXPECT_GT(going_on.size(), openings.size());  // the agents draw their own numbers
}

TEST(RandomOpening, IsTheSameInAllGamesOfABlock) {
  BlocksStartAlike<Duel<false>>("duel:4x4:4");
  BlocksStartAlike<Duel<true>>("duel:3x3:4:hidden");
  BlocksStartAlike<Backgammon>("backgammon");
}

}  // namespace
}  // namespace berd
