// Several threads in one graph. Run under ThreadSanitizer too (preset tsan).

#include <gtest/gtest.h>

#include "search/constant_evaluator.h"
#include "search/mcts/search.h"
#include "search/playout_evaluator.h"
#include "tests/search/exact_value.h"

namespace berd {
namespace {

// Whether counts fit together everywhere, with no simulation left under way.
template <Game G>
void ExpectConsistent(const mcts::Node<G>& node, int depth) {
  std::uint32_t edge_visits = 0;
  for (std::uint32_t e = 0; e < mcts::Read(node.edge_count); ++e) {
    const auto& edge = node.edges[e];
    EXPECT_EQ(mcts::Read(edge.pending), 0u);
    edge_visits += mcts::Read(edge.visits);
    if (mcts::Read(edge.visits) == 0 || depth == 0) continue;
    const auto* child = mcts::Read(edge.child);
    ASSERT_NE(child, nullptr);
    EXPECT_GE(mcts::Read(child->visits), mcts::Read(edge.visits));
    ExpectConsistent(*child, depth - 1);
  }
  if (!mcts::Read(node.exact)) {
    EXPECT_LE(edge_visits, mcts::Read(node.visits));
    EXPECT_GE(edge_visits + 1, mcts::Read(node.visits));
  }
}

template <Game G>
void SearchWithThreads(const typename G::Rules& rules, const typename G::State& state,
                       const MctsOptions& options) {
  Mcts<G, PlayoutEvaluator<G>> search(PlayoutEvaluator<G>(1), options);
  for (const std::int64_t simulations : {50, 1500, 1500}) {
    const MctsStats& stats = search.Search(rules, state, {.simulations = simulations}, 1);
    if (!search.exact()) {
      EXPECT_EQ(stats.simulations, simulations);
    }
    std::array<float, kMostValues<G>> values;
    search.RootValues(std::span(values).first(ValuesPerState<G>(rules)));
    for (const float value : std::span(values).first(ValuesPerState<G>(rules))) {
      EXPECT_GE(value, -1e-5f);
      EXPECT_LE(value, 1.0f + 1e-5f);
    }
    ExpectConsistent(search.root(), 4);
  }
}

TEST(MctsParallel, CountsFitTogether) {
  const auto race = RulesFor<Race<Race2>>("race:short:2x4");
  const auto birth = RulesFor<Birth>("birth:2");
  for (const LeafValues leaf_values : {LeafValues::kSiblings, LeafValues::kLeaf}) {
    for (const int batch : {1, 6}) {
      for (const bool transpositions : {true, false}) {
        const MctsOptions options{.leaf_values = leaf_values,
                                  .threads = 3,
                                  .batch = batch,
                                  .transpositions = transpositions};
        SearchWithThreads<Race<Race2>>(race, DecisionOf<Race<Race2>>(race, 1, 12), options);
        SearchWithThreads<Birth>(birth, DecisionOf<Birth>(birth, 1, 4), options);
      }
    }
  }
}

TEST(MctsParallel, FindsTrueValues) {
  const auto rules = RulesFor<Backgammon>("backgammon");
  const auto state =
      Backgammon::parse(rules, "n=50 w=5:1,3:1/0/13 b=6:1,2:1/0/13 turn=W phase=play:21");
  ASSERT_TRUE(state);
  ExactValue<Backgammon> exact(rules, 1 << 20);
  const double truth = exact.UtilityOf(exact.Of(*state), Seat(0));
  for (const int batch : {1, 4}) {
    Mcts<Backgammon, ConstantEvaluator<Backgammon>> search({}, {.threads = 3, .batch = batch});
    search.Search(rules, *state, {.simulations = 20000}, 1);
    EXPECT_NEAR(static_cast<double>(search.UtilityOf(search.Best())), truth, 0.02);
  }
}

TEST(MctsParallel, KeepsTheGraphBetweenSearches) {
  const auto rules = RulesFor<Race<Race2>>("race:short:2x4");
  Mcts<Race<Race2>, PlayoutEvaluator<Race<Race2>>> search(PlayoutEvaluator<Race<Race2>>(1),
                                                          {.threads = 2});
  auto state = DecisionOf<Race<Race2>>(rules, 1, 10);
  RandomStream random(1, 0, Purpose::kTest, 0);
  std::size_t kept = 0;
  while (Race<Race2>::waits(state) != Waits::kEnd) {
    if (Race<Race2>::waits(state) == Waits::kChance) {
      Race<Race2>::apply(rules, state, Race<Race2>::sample_chance(rules, state, random));
      continue;
    }
    search.Search(rules, state, {.simulations = 400}, 1);
    kept += search.stats().kept_nodes;
    ActionList<Race<Race2>::Action> path;
    search.Path(search.Best(), path);
    for (const auto action : path) Race<Race2>::apply(rules, state, action);
  }
  EXPECT_GT(kept, 50u);
}

}  // namespace
}  // namespace berd
