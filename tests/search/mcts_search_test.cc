// Limits, repeatability, reuse, and what each option changes.

#include <gtest/gtest.h>

#include "search/constant_evaluator.h"
#include "search/mcts/search.h"
#include "search/playout_evaluator.h"
#include "tests/search/exact_value.h"

namespace berd {
namespace {

using Small = Race<Race2>;
using PlayoutSearch = Mcts<Small, PlayoutEvaluator<Small>>;

const RaceRules& SmallRules() {
  static const RaceRules kRules = RulesFor<Small>("race:short:2x4");
  return kRules;
}

// A decision with many choices in the middle of a game.
Small::State Middle() {
  for (int skip = 10;; ++skip) {
    const auto state = DecisionOf<Small>(SmallRules(), 4, skip);
    Afterstates<Small> afterstates;
    afterstates.Enumerate(SmallRules(), state);
    if (afterstates.size() >= 6) return state;
  }
}

std::vector<std::uint32_t> VisitsOf(const PlayoutSearch& search) {
  std::vector<std::uint32_t> visits(search.size());
  for (std::size_t i = 0; i < visits.size(); ++i) visits[i] = search.visits(i);
  return visits;
}

PlayoutSearch MakeSearch(const MctsOptions& options) {
  return PlayoutSearch(PlayoutEvaluator<Small>(1), options);
}

std::uint32_t Sum(const std::vector<std::uint32_t>& numbers) {
  std::uint32_t sum = 0;
  for (const std::uint32_t number : numbers) sum += number;
  return sum;
}

TEST(MctsSearch, StopsAtTheNumberOfSimulations) {
  auto search = MakeSearch({.reuse = false});
  for (const std::int64_t simulations : {0, 1, 2, 7, 100, 1000}) {
    const MctsStats& stats = search.Search(SmallRules(), Middle(), {.simulations = simulations}, 1);
    EXPECT_EQ(stats.simulations, simulations);
    EXPECT_EQ(Sum(VisitsOf(search)), simulations);
    EXPECT_EQ(search.root_visits(), simulations + 1);
  }
}

TEST(MctsSearch, StopsAtTheNumberOfNodes) {
  auto search = MakeSearch({.reuse = false});
  for (const std::size_t nodes : {2u, 50u, 500u}) {
    const MctsStats& stats = search.Search(SmallRules(), Middle(), {.nodes = nodes}, 1);
    EXPECT_GE(stats.nodes, nodes);
    EXPECT_LE(stats.nodes, nodes + 3);  // a simulation ends where it is
  }
}

TEST(MctsSearch, StopsWhenTheTimeIsOver) {
  auto search = MakeSearch({});
  EXPECT_EQ(
      search.Search(SmallRules(), Middle(), {.time = std::chrono::nanoseconds(0)}, 1).simulations,
      0);
  EXPECT_GT(
      search.Search(SmallRules(), Middle(), {.time = std::chrono::milliseconds(20)}, 1).simulations,
      0);
}

TEST(MctsSearch, CountsWhatItDoes) {
  auto search = MakeSearch({.reuse = false});
  const MctsStats& stats = search.Search(SmallRules(), Middle(), {.simulations = 2000}, 1);
  EXPECT_GT(stats.expansions, 1000);
  EXPECT_GT(stats.evaluations, stats.simulations);
  EXPECT_GT(stats.transpositions, 0);
  EXPECT_GT(stats.depth_mean(), 2);
  EXPECT_GT(stats.depth_most, static_cast<std::int64_t>(stats.depth_mean()));
  EXPECT_EQ(stats.kept_nodes, 0u);
}

TEST(MctsSearch, RepeatsItselfForEveryLimit) {
  for (const LeafValues leaf_values : {LeafValues::kSiblings, LeafValues::kLeaf}) {
    const MctsOptions options{.leaf_values = leaf_values, .reuse = false};
    auto used = MakeSearch(options);
    for (int i = 0; i < 20; ++i) {
      const MctsLimits limits{.simulations = 1 + i * i * 5};
      auto fresh = MakeSearch(options);
      const MctsStats first = used.Search(SmallRules(), Middle(), limits, 3);
      const MctsStats second = fresh.Search(SmallRules(), Middle(), limits, 3);
      EXPECT_EQ(first, second);
      EXPECT_EQ(VisitsOf(used), VisitsOf(fresh));
      for (std::size_t c = 0; c < used.size(); ++c) {
        EXPECT_EQ(used.UtilityOf(c), fresh.UtilityOf(c));
      }
    }
  }
}

// The first decision in the graph after the most visited choice and throw.
const mcts::Node<Small>* NextDecision(const PlayoutSearch& search) {
  const auto* node = &search.root();
  do {
    std::uint32_t best = 0;
    for (std::uint32_t e = 1; e < mcts::Read(node->edge_count); ++e) {
      if (mcts::Read(node->edges[e].visits) > mcts::Read(node->edges[best].visits)) best = e;
    }
    node = mcts::Read(node->edges[best].child);
  } while (node->waits != Waits::kDecision);
  return node;
}

TEST(MctsSearch, KeepsWhatItKnowsOfTheNextRoot) {
  for (const LeafValues leaf_values : {LeafValues::kSiblings, LeafValues::kLeaf}) {
    auto search = MakeSearch({.leaf_values = leaf_values});
    search.Search(SmallRules(), Middle(), {.simulations = 5000}, 1);
    // Twice, so that the second copy is made from a copied graph.
    for (int move = 0; move < 2; ++move) {
      const auto* next = NextDecision(search);
      const Small::State state = next->state;
      const std::uint32_t visits = mcts::Read(next->visits);
      std::vector<std::uint32_t> edge_visits;
      std::vector<float> edge_utilities;
      for (std::uint32_t e = 0; e < mcts::Read(next->edge_count); ++e) {
        edge_visits.push_back(mcts::Read(next->edges[e].visits));
        edge_utilities.push_back(mcts::Read(next->edges[e].utility));
      }
      ASSERT_GT(visits, 10u);
      const std::size_t nodes_before = search.stats().nodes;
      search.Search(SmallRules(), state, {.simulations = 0}, 1);
      EXPECT_EQ(search.root_visits(), visits);
      EXPECT_EQ(VisitsOf(search), edge_visits);
      for (std::size_t c = 0; c < search.size(); ++c) {
        EXPECT_EQ(mcts::Read(search.root().edges[c].utility), edge_utilities[c]);
      }
      EXPECT_GT(search.stats().kept_nodes, 10u);
      EXPECT_LT(search.stats().kept_nodes, nodes_before);
      const MctsStats& stats = search.Search(SmallRules(), state, {.simulations = 500}, 1);
      EXPECT_EQ(stats.simulations, 500);
      EXPECT_EQ(search.root_visits(), visits + 500);
      for (std::size_t c = 0; c < search.size(); ++c) {
        EXPECT_GE(search.visits(c), edge_visits[c]);
      }
    }
  }
}

TEST(MctsSearch, DoesNotTakeAnEarlierTurnForTheNextRoot) {
  auto search = MakeSearch({});
  const auto middle = Middle();
  search.Search(SmallRules(), middle, {.simulations = 100}, 1);
  search.Search(SmallRules(), NextDecision(search)->state, {.simulations = 100}, 1);
  EXPECT_GT(search.stats().kept_nodes, 0u);
  search.Search(SmallRules(), middle, {.simulations = 100}, 1);
  EXPECT_EQ(search.stats().kept_nodes, 0u);
}

TEST(MctsSearch, SkipsForcedDecisionsWhenAsked) {
  Small::State state = Middle();
  Afterstates<Small> afterstates;
  for (std::uint64_t seed = 0; afterstates.size() != 1; ++seed) {
    RandomStream random(seed, 0, Purpose::kTest, 0);
    state = Middle();
    while (Small::waits(state) != Waits::kEnd &&
           !(Small::waits(state) == Waits::kDecision &&
             afterstates.Enumerate(SmallRules(), state) && afterstates.size() == 1)) {
      Small::apply(SmallRules(), state, AnyStep<Small>(SmallRules(), state, true, random));
    }
  }
  auto search = MakeSearch({});
  EXPECT_EQ(search.Search(SmallRules(), state, {.simulations = 10, .forced = false}, 1).simulations,
            0);
  EXPECT_EQ(search.size(), 1u);
  EXPECT_EQ(search.Best(), 0u);
}

struct OptionChange {
  const char* name;
  MctsOptions options;
};

TEST(MctsSearch, EveryOptionChangesTheSearch) {
  const MctsLimits limits{.simulations = 600};
  auto plain = MakeSearch({});
  const MctsStats before = plain.Search(SmallRules(), Middle(), limits, 1);
  const auto visits_before = VisitsOf(plain);
  for (const auto& [name, options] :
       std::vector<OptionChange>{{"leaf values", {.leaf_values = LeafValues::kLeaf}},
                                 {"cpuct", {.cpuct = 2}},
                                 {"prior temperature", {.prior_temperature = 1}},
                                 {"uniform share", {.prior_uniform = 0.8f}},
                                 {"batch", {.batch = 8}},
                                 {"afterstates", {.most_afterstates = 4}},
                                 {"outcomes", {.most_outcomes = 8}},
                                 {"Gumbel", {.root = RootChoice::kGumbel}},
                                 {"noise", {.noise = 0.9f}}}) {
    auto search = MakeSearch(options);
    const MctsStats after = search.Search(SmallRules(), Middle(), limits, 1);
    EXPECT_TRUE(after.nodes != before.nodes || VisitsOf(search) != visits_before) << name;
    EXPECT_EQ(after.simulations, limits.simulations) << name;
  }
  auto no_transpositions = MakeSearch({.transpositions = false});
  EXPECT_EQ(no_transpositions.Search(SmallRules(), Middle(), limits, 1).transpositions, 0);
}

TEST(MctsSearch, OptionsOfOptionsChangeTheSearch) {
  const MctsLimits limits{.simulations = 600};
  const auto visits = [&](const MctsOptions& options) {
    auto search = MakeSearch(options);
    search.Search(SmallRules(), Middle(), limits, 1);
    return VisitsOf(search);
  };
  const LeafValues leaf = LeafValues::kLeaf;
  EXPECT_NE(visits({.leaf_values = leaf}), visits({.leaf_values = leaf, .fpu_reduction = 0.5f}));
  EXPECT_NE(visits({.virtual_loss = 0, .batch = 8}), visits({.virtual_loss = 2, .batch = 8}));
  EXPECT_NE(visits({.most_outcomes = 8, .widening = 0.5f}),
            visits({.most_outcomes = 8, .widening = 4}));
  EXPECT_NE(visits({.noise = 0.5f, .noise_alpha = 0.03f}),
            visits({.noise = 0.5f, .noise_alpha = 3}));
  // With flat priors, so that noise and values both matter.
  MctsOptions gumbel{.prior_temperature = 100, .root = RootChoice::kGumbel};
  gumbel.gumbel_considered = 8;
  gumbel.gumbel_value_scale = 0.02f;
  const auto before = visits(gumbel);
  const auto changed = [&](auto&& change) {
    MctsOptions options = gumbel;
    change(options);
    return visits(options);
  };
  EXPECT_NE(before, changed([](MctsOptions& options) { options.gumbel_considered = 4; }));
  EXPECT_NE(before, changed([](MctsOptions& options) { options.gumbel_scale = 0; }));
  EXPECT_NE(before, changed([](MctsOptions& options) { options.gumbel_value_scale = 10; }));
  EXPECT_NE(before, changed([](MctsOptions& options) { options.gumbel_visits = 50000; }));
}

TEST(MctsSearch, DrawsByTemperature) {
  auto search = MakeSearch({.cpuct = 2});
  search.Search(SmallRules(), Middle(), {.simulations = 300}, 1);
  RandomStream random(1, 0, Purpose::kTest, 0);
  EXPECT_EQ(search.Draw(0, random), search.Best());
  std::vector<int> drawn(search.size());
  constexpr int kDraws = 20000;
  for (int i = 0; i < kDraws; ++i) ++drawn[search.Draw(1, random)];
  for (std::size_t c = 0; c < search.size(); ++c) {
    EXPECT_NEAR(drawn[c], kDraws * search.visits(c) / 300.0, 500);
  }
  int best = 0;
  for (int i = 0; i < 1000; ++i) best += search.Draw(0.05f, random) == search.Best() ? 1 : 0;
  EXPECT_GT(best, 500);
}

TEST(MctsSearch, PrincipalVariationCanBePlayed) {
  auto search = MakeSearch({});
  auto state = Middle();
  search.Search(SmallRules(), state, {.simulations = 2000}, 1);
  ActionList<Small::Action> line;
  search.PrincipalVariation(line);
  EXPECT_GT(line.size(), 4u);
  for (const auto action : line) {
    ActionList<Small::Action> legal;
    if (Small::waits(state) == Waits::kDecision) {
      Small::legal(SmallRules(), state, legal);
      EXPECT_NE(std::find(legal.begin(), legal.end(), action), legal.end());
    }
    Small::apply(SmallRules(), state, action);
  }
}

}  // namespace
}  // namespace berd
