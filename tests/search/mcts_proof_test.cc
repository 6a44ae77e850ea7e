// What the tree search does with values that it knows for certain.

#include <gtest/gtest.h>

#include <vector>

#include "search/constant_evaluator.h"
#include "search/mcts/search.h"
#include "tests/search/exact_value.h"
#include "tests/search/hash_evaluator.h"

namespace berd {
namespace {

TEST(OutcomeTurns, FollowTheQuotients) {
  mcts::OutcomeTurnsCache cache;
  RandomStream random(1, 0, Purpose::kTest, 0);
  for (int list = 0; list < 40; ++list) {
    std::vector<std::uint32_t> weights(1 + random.Below(20));
    for (auto& weight : weights) weight = 1 + random.Below(9);
    const auto* turns = cache.Of(weights);
    ASSERT_NE(turns, nullptr);
    EXPECT_EQ(turns, cache.Of(weights));
    std::vector<std::uint32_t> visits(weights.size(), 0);
    for (std::uint32_t visit = 0; visit < 400; ++visit) {
      std::size_t best = 0;
      for (std::size_t i = 1; i < weights.size(); ++i) {
        if (weights[i] * (visits[best] + 1) > weights[best] * (visits[i] + 1)) best = i;
      }
      ASSERT_EQ(turns->At(visit), best);
      ++visits[best];
    }
  }
}

TEST(OutcomeTurns, LeaveOutLongLists) {
  mcts::OutcomeTurnsCache cache;
  EXPECT_EQ(cache.Of(std::vector<std::uint32_t>(257, 1)), nullptr);
  EXPECT_EQ(cache.Of(std::vector<std::uint32_t>{1, 5000}), nullptr);
  const auto* scaled = cache.Of(std::vector<std::uint32_t>{1000, 5000});
  ASSERT_NE(scaled, nullptr);
  EXPECT_EQ(scaled->order.size(), 6u);
}

// A node is worth at least what is proven for its actor, edges that are proven get no more visits,
// and the root is played by what is known.
template <Game G>
void ExpectKnownCounts(const mcts::Node<G>& node, const typename G::Rules& rules, int depth,
                       int& proven) {
  if (depth == 0 || mcts::Read(node.exact)) return;
  for (std::uint32_t e = 0; e < mcts::Read(node.edge_count); ++e) {
    const auto& edge = node.edges[e];
    const auto* child = mcts::Read(edge.child);
    if (mcts::Read(edge.exact) && node.waits == Waits::kDecision) {
      ++proven;
      EXPECT_GE(mcts::Read(node.utility), mcts::Read(edge.utility) - 1e-5f);
    }
    if (child != nullptr) ExpectKnownCounts<G>(*child, rules, depth - 1, proven);
  }
}

TEST(MctsProof, NodesAreWorthWhatIsProven) {
  using G = Duel<false>;
  const auto rules = RulesFor<G>("duel:3x3:3");
  int proven = 0;
  for (int skip = 4; skip < 60; skip += 1) {
    const auto state = DecisionOf<G>(rules, 5, skip);
    Mcts<G, HashEvaluator<G>> search({}, {});
    search.Search(rules, state, {.simulations = 3000}, 1);
    ExpectKnownCounts<G>(search.root(), rules, 9, proven);
  }
  EXPECT_GT(proven, 50);
}

TEST(MctsProof, WinsInOneMoveNeedNoSimulation) {
  using G = Race<Race2>;
  const auto rules = RulesFor<G>("race:short:2x2");
  int wins = 0;
  for (std::uint64_t game = 0; game < 2000; ++game) {
    // The last decision of a random game.
    RandomStream random(game, 0, Purpose::kTest, 0);
    auto state = G::initial(rules);
    auto last = state;
    while (G::waits(state) != Waits::kEnd) {
      if (G::waits(state) == Waits::kDecision) last = state;
      G::apply(rules, state, AnyStep<G>(rules, state, true, random));
    }
    const auto seat = static_cast<std::size_t>(G::actor(last).index());
    std::array<WinShare, 2> shares;
    G::win_shares(rules, state, shares);
    if (shares[seat].value() < 1) continue;
    ++wins;
    Mcts<G, HashEvaluator<G>> search({}, {});
    EXPECT_EQ(search.Search(rules, last, {.simulations = 100}, 1).simulations, 0);
    EXPECT_TRUE(search.exact());
    ActionList<G::Action> path;
    search.Path(search.Best(), path);
    for (const auto action : path) G::apply(rules, last, action);
    ASSERT_EQ(G::waits(last), Waits::kEnd);
    G::win_shares(rules, last, shares);
    EXPECT_EQ(shares[seat].value(), 1);
  }
  EXPECT_GT(wins, 50);
}

// Once all choices but one are known to lose the search stays with that one.
TEST(MctsProof, LosingMovesGetNoMoreVisits) {
  using G = Duel<false>;
  const auto rules = RulesFor<G>("duel:3x3:2");
  int frozen = 0;
  for (int skip = 4; skip < 40; skip += 3) {
    const auto state = DecisionOf<G>(rules, 6, skip);
    Mcts<G, HashEvaluator<G>> search({}, {});
    search.Search(rules, state, {.simulations = 300}, 1);
    if (search.exact()) continue;
    std::vector<std::uint32_t> before;
    for (std::size_t i = 0; i < search.size(); ++i) {
      before.push_back(mcts::Read(search.root().edges[i].exact) ? search.visits(i) : ~0u);
    }
    search.Search(rules, state, {.simulations = 300}, 1);
    for (std::size_t i = 0; i < search.size(); ++i) {
      if (before[i] == ~0u) continue;
      EXPECT_EQ(search.visits(i), before[i]);
      ++frozen;
    }
  }
  EXPECT_GT(frozen, 0);
}

}  // namespace
}  // namespace berd
