// Search where values are hidden: only what the seat sees matters.

#include <gtest/gtest.h>

#include <set>

#include "search/constant_evaluator.h"
#include "search/mcts/mcts_agent.h"
#include "search/playout_evaluator.h"
#include "tests/search/exact_value.h"

namespace berd {
namespace {

// Values states by a function of all their tokens, hidden ones included, so that a search that
// looked at the true state would show it.
template <Game G>
class KeyEvaluator {
 public:
  void Evaluate(const typename G::Rules& rules, const typename G::State&,
                std::span<const typename G::State* const> states, std::span<float> values) const {
    const std::size_t size = ValuesPerState<G>(rules);
    for (std::size_t i = 0; i < states.size(); ++i) {
      RandomStream random(1, G::key(*states[i]) >> 8, Purpose::kTest, 0);
      float sum = 0;
      for (std::size_t v = 0; v < size; ++v) sum += values[i * size + v] = random.Unit() + 0.1f;
      for (std::size_t v = 0; v < size; ++v) values[i * size + v] /= sum;
    }
  }
};

template <Game G, class E>
std::vector<std::pair<std::uint32_t, float>> Distribution(InfoSetTrees<G, E>& search,
                                                          const typename G::Rules& rules,
                                                          const typename G::Observation& seen) {
  search.Search(rules, seen, {.simulations = 60}, 5);
  std::vector<std::pair<std::uint32_t, float>> distribution;
  for (std::size_t i = 0; i < search.size(); ++i) {
    distribution.emplace_back(search.visits(i), search.UtilityOf(i));
  }
  return distribution;
}

// Deals the hidden values of many decisions anew: the search does not notice.
template <Game G>
void ExpectBlind(const std::string& text, int threads = 1) {
  SCOPED_TRACE(text);
  const auto rules = RulesFor<G>(text);
  InfoSetTrees<G, KeyEvaluator<G>> search({}, {.threads = threads});
  RandomStream random(2, 0, Purpose::kHidden, 0);
  long number = 0;
  int dealt_anew = 0;
  VisitPositions<G>(rules, 31, 400, [&](const auto& state) {
    if (G::waits(state) != Waits::kDecision || ++number % 7 != 0) return;
    const Seat seat = G::actor(state);
    const auto before = Distribution(search, rules, G::observe(rules, state, seat));
    for (int i = 0; i < 3; ++i) {
      const auto other = G::sample_hidden(rules, G::observe(rules, state, seat), random);
      ASSERT_EQ(G::view(rules, other, seat), G::view(rules, state, seat));
      dealt_anew += G::key(other) != G::key(state) ? 1 : 0;
      ASSERT_EQ(Distribution(search, rules, G::observe(rules, other, seat)), before);
    }
  });
  EXPECT_GT(dealt_anew, 20);
}

TEST(InfoSet, DoesNotSeeHiddenValues) {
  ExpectBlind<Race<Race4Valued>>("race:short:2x3:hidden");
  ExpectBlind<Race<Race4Valued>>("race:short:3x3:hidden");
  ExpectBlind<Race<Race4Valued>>("race:short:3x3:hidden", 3);
  ExpectBlind<Duel<true>>("duel:3x3:3:hidden");
}

TEST(InfoSet, AgentsChooseAlikeFromWhatLooksAlike) {
  using G = Duel<true>;
  const auto rules = RulesFor<G>("duel:3x3:3:hidden");
  MctsAgent<G, KeyEvaluator<G>> agent({}, {.limits = {.simulations = 50}});
  RandomStream deals(3, 0, Purpose::kHidden, 0);
  ActionList<G::Action> path;
  ActionList<G::Action> again;
  std::vector<RankedPath<G::Action>> ranked;
  VisitPositions<G>(rules, 32, 60, [&](const auto& state) {
    if (G::waits(state) != Waits::kDecision) return;
    const auto seen = G::observe(rules, state, G::actor(state));
    const auto other = G::sample_hidden(rules, seen, deals);
    RandomStream random(4, 0, Purpose::kAgent, 0);
    agent.Choose(rules, seen, random, path);
    RandomStream random_again(4, 0, Purpose::kAgent, 0);
    agent.Choose(rules, G::observe(rules, other, G::actor(state)), random_again, again);
    ASSERT_EQ(path.size(), 1u);
    ASSERT_EQ(path[0], again[0]);
    agent.Rank(rules, seen, 100, ranked);
    std::uint32_t visits = 0;
    for (const auto& choice : ranked) visits += choice.depth.visits;
    ASSERT_EQ(visits, 49u);  // the first simulation expands the root
  });
}

// The search values a choice by all states that agree with what is seen: with everything in sight
// it is an ordinary search and finds the true value.
TEST(InfoSet, FindsTrueValuesWhereNothingIsHidden) {
  using G = Race<Race2>;
  const auto rules = RulesFor<G>("race:short:2x2");
  for (const auto& state : SolvableDecisions<G>(rules, 3, 100, 3000)) {
    ExactValue<G> exact(rules, 1 << 20);
    const Seat seat = G::actor(state);
    const double truth = exact.UtilityOf(exact.Of(state), seat);
    for (const LeafValues leaf_values : {LeafValues::kSiblings, LeafValues::kLeaf}) {
      InfoSetTrees<G, PlayoutEvaluator<G>> search(PlayoutEvaluator<G>(1),
                                                  {.leaf_values = leaf_values});
      search.Search(rules, G::observe(rules, state, seat), {.simulations = 30000}, 1);
      EXPECT_NEAR(static_cast<double>(search.UtilityOf(search.Best())), truth, 0.06)
          << G::position(rules, state);
    }
  }
}

TEST(InfoSet, RepeatsItselfAndKeepsLimits) {
  using G = Race<Race4Valued>;
  const auto rules = RulesFor<G>("race:short:2x3:hidden");
  const auto state = DecisionOf<G>(rules, 3, 10);
  const auto seen = G::observe(rules, state, G::actor(state));
  InfoSetTrees<G, KeyEvaluator<G>> used({}, {});
  for (int i = 0; i < 20; ++i) {
    InfoSetTrees<G, KeyEvaluator<G>> fresh({}, {});
    const MctsLimits limits{.simulations = 1 + 10 * i};
    const MctsStats first = used.Search(rules, seen, limits, 9);
    EXPECT_EQ(first, fresh.Search(rules, seen, limits, 9));
    EXPECT_EQ(first.simulations, limits.simulations);
    for (std::size_t c = 0; c < used.size(); ++c) EXPECT_EQ(used.visits(c), fresh.visits(c));
  }
  EXPECT_LE(used.Search(rules, seen, {.nodes = 20}, 9).nodes, 23u);
  EXPECT_LE(used.Search(rules, seen, {.time = std::chrono::nanoseconds(1)}, 9).simulations, 8);
}

// All threads together keep to the limits, and their visits and values are added up.
TEST(InfoSet, ThreadsShareTheSimulations) {
  using G = Race<Race4Valued>;
  const auto rules = RulesFor<G>("race:short:2x3:hidden");
  const auto state = DecisionOf<G>(rules, 3, 10);
  const auto seen = G::observe(rules, state, G::actor(state));
  for (const int threads : {2, 3, 7}) {
    InfoSetTrees<G, KeyEvaluator<G>> search({}, {.threads = threads});
    const auto stats = search.Search(rules, seen, {.simulations = 100}, 9);
    EXPECT_EQ(stats.simulations, 100);
    std::uint32_t visits = 0;
    double mean = 0;
    double most = 0;
    for (std::size_t i = 0; i < search.size(); ++i) {
      visits += search.visits(i);
      mean += static_cast<double>(search.visits(i)) * static_cast<double>(search.UtilityOf(i));
      most = std::max(most, static_cast<double>(search.UtilityOf(i)));
    }
    EXPECT_EQ(visits, 100u - static_cast<std::uint32_t>(threads));
    EXPECT_GT(mean / visits, 0);
    EXPECT_LE(mean / visits, most);
    EXPECT_GE(search.visits(search.Best()), visits / search.size());
  }
}

// The first estimates of the root are those of one-ply play over as many samples.
TEST(InfoSet, RootBeginsWithOnePlyPlay) {
  using G = Race<Race4Valued>;
  using E = KeyEvaluator<G>;
  const auto rules = RulesFor<G>("race:short:2x3:hidden");
  const auto state = DecisionOf<G>(rules, 3, 10);
  const auto seen = G::observe(rules, state, G::actor(state));
  constexpr int kSamples = 400;
  InfoSetTrees<G, E> search({}, {.hidden_samples = kSamples});
  search.Search(rules, seen, {.simulations = 1}, 5);
  OnePly<G, E> look{E{}};
  HiddenChoice<G, E> choice;
  RandomStream random(8, 0, Purpose::kTest, 0);
  std::vector<RankedPath<G::Action>> ranked;
  choice.Rank(rules, seen, kSamples, random, look, ranked);
  ASSERT_EQ(ranked.size(), search.size());
  for (std::size_t i = 0; i < search.size(); ++i) {
    EXPECT_EQ(search.action(i), ranked[i].path[0]);
    EXPECT_NEAR(static_cast<double>(search.UtilityOf(i)), ranked[i].value, 0.05);
  }
}

TEST(InfoSet, OptionsChangeTheSearch) {
  using G = Race<Race4Valued>;
  const auto rules = RulesFor<G>("race:short:2x3:hidden");
  const auto state = DecisionOf<G>(rules, 3, 10);
  const auto seen = G::observe(rules, state, G::actor(state));
  const auto distribution = [&](const MctsOptions& options) {
    InfoSetTrees<G, KeyEvaluator<G>> search({}, options);
    search.Search(rules, seen, {.simulations = 300}, 5);
    std::vector<float> utilities;
    for (std::size_t i = 0; i < search.size(); ++i) utilities.push_back(search.UtilityOf(i));
    return utilities;
  };
  const auto before = distribution({});
  EXPECT_EQ(before, distribution({}));
  EXPECT_NE(before, distribution({.leaf_values = LeafValues::kLeaf}));
  EXPECT_NE(before, distribution({.cpuct = 3}));
  EXPECT_NE(before, distribution({.prior_temperature = 1}));
  EXPECT_NE(before, distribution({.prior_uniform = 1}));
  EXPECT_NE(before, distribution({.hidden_samples = 1}));
  EXPECT_NE(before, distribution({.threads = 2}));
  EXPECT_EQ(distribution({.threads = 2}), distribution({.threads = 2}));
  EXPECT_NE(distribution({.leaf_values = LeafValues::kLeaf}),
            distribution({.leaf_values = LeafValues::kLeaf, .fpu_reduction = 0.5f}));
}

}  // namespace
}  // namespace berd
