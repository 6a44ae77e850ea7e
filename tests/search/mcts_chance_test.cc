// Chance nodes: which outcomes are taken, what their mean is.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <set>
#include <vector>

#include "search/constant_evaluator.h"
#include "search/mcts/search.h"
#include "search/playout_evaluator.h"
#include "tests/search/exact_value.h"

namespace berd {
namespace {

using mcts::Read;

// Calls visit(node) once for every node that can be reached.
template <Game G>
void VisitNodes(const mcts::Node<G>& root, const std::function<void(const mcts::Node<G>&)>& visit) {
  std::set<const mcts::Node<G>*> seen{&root};
  std::vector<const mcts::Node<G>*> pending{&root};
  while (!pending.empty()) {
    const mcts::Node<G>& node = *pending.back();
    pending.pop_back();
    visit(node);
    for (std::uint32_t e = 0; e < Read(node.edge_count); ++e) {
      const mcts::Node<G>* child = Read(node.edges[e].child);
      if (child != nullptr && seen.insert(child).second) pending.push_back(child);
    }
  }
}

TEST(MctsChance, TakesOutcomesInProportion) {
  const auto rules = RulesFor<Backgammon>("backgammon");
  const auto state = DecisionOf<Backgammon>(rules, 1, 6);
  MctsOptions options;
  options.cpuct = 0.1f;
  options.leaf_values = LeafValues::kLeaf;
  Mcts<Backgammon, PlayoutEvaluator<Backgammon>> search(PlayoutEvaluator<Backgammon>(1), options);
  search.Search(rules, state, {.simulations = 20000}, 1);
  int looked_at = 0;
  VisitNodes<Backgammon>(search.root(), [&](const auto& node) {
    if (node.waits != Waits::kChance || Read(node.edge_count) == 0) return;
    std::uint32_t all = 0;
    for (std::uint32_t e = 0; e < kRolls; ++e) all += Read(node.edges[e].visits);
    if (all < 36 || node.exact_edges > 0) return;
    ++looked_at;
    // Highest averages: no outcome is behind its share by a visit, nor far ahead.
    for (std::uint32_t e = 0; e < kRolls; ++e) {
      const double share = static_cast<double>(all) * kAllRolls[e].weight / 36;
      EXPECT_GT(Read(node.edges[e].visits), share - 1.0);
      EXPECT_LT(Read(node.edges[e].visits), share + 2.0);
    }
    // After every 36 visits it is exactly the distribution.
    if (all % 36 == 0) {
      for (std::uint32_t e = 0; e < kRolls; ++e) {
        EXPECT_EQ(Read(node.edges[e].visits), all / 36 * kAllRolls[e].weight);
      }
    }
  });
  EXPECT_GT(looked_at, 10);
}

// The value of a node told anew from its edges. Requires: it is not exact and has edges.
std::array<double, 6> ValueFromEdges(const mcts::Node<Backgammon>& node, LeafValues leaf_values) {
  const auto rules = RulesFor<Backgammon>("backgammon");
  const bool chance = node.waits == Waits::kChance;
  std::array<double, 6> sum{};
  double weights = 0;
  const auto counts = [&](const auto& edge) {
    return Read(edge.visits) > 0 && (chance || !Read(edge.exact));
  };
  for (std::uint32_t e = 0; e < Read(node.edge_count); ++e) {
    const auto& edge = node.edges[e];
    if (!counts(edge)) continue;
    const double weight = chance ? kAllRolls[node.actions[e]].weight : Read(edge.visits);
    weights += weight;
    for (std::size_t i = 0; i < 6; ++i) sum[i] += weight * double{node.edge_values[e * 6 + i]};
  }
  // The node's own value: one visit of a decision; of a chance event what was not seen.
  double own = 1;
  if (chance) {
    own = leaf_values == LeafValues::kSiblings ? 36 - weights : std::min(36.0 / 21, 36 - weights);
  }
  std::array<double, 6> value{};
  std::array<float, 6> rounded;
  for (std::size_t i = 0; i < 6; ++i) {
    value[i] = (sum[i] + own * double{node.own[i]}) / (weights + own);
    rounded[i] = static_cast<float>(value[i]);
  }
  // What is known counts if it is better.
  const std::uint32_t known = Read(node.best_exact);
  if (!chance && known != mcts::Node<Backgammon>::kNoEdge &&
      Read(node.edges[known].utility) > Utility<Backgammon>(rules, rounded, node.actor)) {
    std::copy_n(node.edge_values + known * 6, 6, value.begin());
  }
  return value;
}

TEST(MctsChance, ValuesAreMeansOfEdges) {
  const auto rules = RulesFor<Backgammon>("backgammon");
  const auto state = DecisionOf<Backgammon>(rules, 2, 6);
  const auto late =
      Backgammon::parse(rules, "n=50 w=6:1,4:1,3:1/0/12 b=6:1,5:1,1:1/0/12 turn=W phase=play:21");
  ASSERT_TRUE(late);
  for (const LeafValues leaf_values : {LeafValues::kLeaf, LeafValues::kSiblings}) {
    MctsOptions options;
    options.leaf_values = leaf_values;
    Mcts<Backgammon, PlayoutEvaluator<Backgammon>> search(PlayoutEvaluator<Backgammon>(1), options);
    int complete = 0;
    int some_exact = 0;
    for (const auto& root : {state, *late}) {
      search.Search(rules, root, {.simulations = 5000}, 1);
      VisitNodes<Backgammon>(search.root(), [&](const auto& node) {
        if (Read(node.exact) || Read(node.edge_count) == 0) return;
        if (node.waits == Waits::kDecision) {
          some_exact += node.exact_edges > 0 ? 1 : 0;
        } else {
          bool all_seen = true;
          for (std::uint32_t e = 0; e < kRolls; ++e) {
            all_seen = all_seen && Read(node.edges[e].visits) > 0;
          }
          complete += all_seen ? 1 : 0;
        }
        const auto expected = ValueFromEdges(node, leaf_values);
        std::array<float, 6> values;
        node.ValueNow(rules, values);
        for (std::size_t i = 0; i < 6; ++i) {
          ASSERT_NEAR(static_cast<double>(values[i]), expected[i], 1e-5);
        }
      });
    }
    EXPECT_GT(complete, 3);
    EXPECT_GT(some_exact, 3);
  }
}

TEST(MctsChance, MeasuresByTheCheapestGame) {
  EXPECT_EQ(mcts::UtilityUnit<Backgammon>(RulesFor<Backgammon>("backgammon")), 2.0f);
  EXPECT_EQ(mcts::UtilityUnit<Bradspel>(RulesFor<Bradspel>("bradspel")), 2.0f);
  EXPECT_EQ(mcts::UtilityUnit<Birth>(RulesFor<Birth>("birth:2")), 1.0f);
}

TEST(MctsChance, DrawsWhatCannotBeListed) {
  const auto rules = RulesFor<Birth>("birth:2");
  const auto state = DecisionOf<Birth>(rules, 3, 4);
  MctsOptions options;
  options.widening = 1.5f;
  options.most_outcomes = 40;
  Mcts<Birth, ConstantEvaluator<Birth>> search({}, options);
  search.Search(rules, state, {.simulations = 20000}, 1);
  int drawn = 0;
  VisitNodes<Birth>(search.root(), [&](const auto& node) {
    if (!node.sampled) return;
    ++drawn;
    const std::uint32_t count = Read(node.edge_count);
    const auto allowed = static_cast<std::uint32_t>(
        std::ceil(1.5f * std::sqrt(static_cast<float>(Read(node.visits)))));
    EXPECT_LE(count, std::max(1u, std::min(allowed, 40u)));
    double weights = 0;
    for (std::uint32_t e = 0; e < count; ++e) {
      weights += static_cast<double>(Read(node.edges[e].weight));
      for (std::uint32_t other = 0; other < e; ++other) {
        EXPECT_NE(node.actions[e], node.actions[other]);
      }
    }
    EXPECT_EQ(weights, node.total_weight);  // as often as they were drawn
  });
  EXPECT_GT(drawn, 10);
}

TEST(MctsChance, DrawnOutcomesGiveNearlyTheSameValue) {
  const auto rules = RulesFor<Backgammon>("backgammon");
  const auto state =
      Backgammon::parse(rules, "n=50 w=5:1,3:1/0/13 b=6:2/0/13 turn=W phase=play:21");
  ASSERT_TRUE(state);
  const auto equity = [&](std::uint32_t most_outcomes) {
    MctsOptions options;
    options.most_outcomes = most_outcomes;
    options.widening = 100;
    Mcts<Backgammon, ConstantEvaluator<Backgammon>> search({}, options);
    search.Search(rules, *state, {.simulations = 20000}, 5);
    return search.UtilityOf(search.Best());
  };
  EXPECT_NEAR(equity(64), equity(20), 0.2);
}

}  // namespace
}  // namespace berd
