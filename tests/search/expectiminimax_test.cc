#include "search/expectiminimax/expectiminimax.h"

#include <gtest/gtest.h>

#include <chrono>
#include <limits>

#include "search/expectiminimax/expectiminimax_agent.h"
#include "search/hidden_choice.h"
#include "search/play.h"
#include "tests/search/hash_evaluator.h"
#include "tests/search/search_positions.h"

namespace berd {
namespace {

using Small = Race<Race2>;
using Three = Race<Race4>;

template <Game G>
using Search = Expectiminimax<G, HashEvaluator<G>>;

template <Game G>
auto Made(const ExpectiminimaxOptions& options) {
  return Search<G>({}, options);
}

// What a search says and did, for comparisons.
struct Report {
  std::vector<std::pair<std::size_t, float>> order;
  std::uint64_t nodes, evaluations, hits;
  int depth;
  bool complete;
  friend bool operator==(const Report&, const Report&) = default;
};

template <Game G>
Report ReportOf(Search<G>& search) {
  Report report{{},
                search.stats().nodes,
                search.stats().evaluations,
                search.stats().cache_hits,
                search.stats().depth,
                search.stats().complete};
  for (const auto& candidate : search.candidates()) {
    report.order.emplace_back(candidate.index, candidate.worth);
  }
  return report;
}

template <Game G>
Report Searched(const typename G::Rules& rules, const typename G::State& state,
                const ExpectiminimaxOptions& options) {
  auto search = Made<G>(options);
  search.Search(rules, state);
  return ReportOf<G>(search);
}

TEST(Expectiminimax, SameSearchSameCounts) {
  const auto rules = RulesOf<Backgammon>("backgammon");
  const auto positions = LateDecisions<Backgammon>(rules, 6, 2);
  auto search = Made<Backgammon>({.plies = 3});
  for (const auto& state : positions) {
    search.Search(rules, state);
    const Report first = ReportOf<Backgammon>(search);
    search.Search(rules, state);
    EXPECT_EQ(first, ReportOf<Backgammon>(search));
    EXPECT_EQ(first, Searched<Backgammon>(rules, state, {.plies = 3}));
    EXPECT_EQ(first.depth, first.order.size() == 1 ? 0 : 3);
  }
}

template <Game G>
void CacheChangesNothing(std::string_view text, int plies) {
  const auto rules = RulesOf<G>(text);
  std::uint64_t hits = 0;
  for (const auto& state : LateDecisions<G>(rules, 6, 1)) {
    const ExpectiminimaxOptions with{.plies = plies, .filter = {.count = 3, .margin = 1}};
    auto without = with;
    without.cache_entries = 0;
    auto tiny = with;
    tiny.cache_entries = 4;
    const Report a = Searched<G>(rules, state, with);
    const Report b = Searched<G>(rules, state, without);
    const Report c = Searched<G>(rules, state, tiny);
    EXPECT_EQ(a.order, b.order) << text;
    EXPECT_EQ(a.order, c.order) << text;
    EXPECT_EQ(b.hits, 0u);
    EXPECT_LE(a.nodes, b.nodes);
    if (a.hits > 0) {
      EXPECT_LT(a.nodes, b.nodes);
    }
    hits += a.hits;
  }
  EXPECT_GT(hits, 0u) << text;
}

// Values, order and counts, whoever searched which candidate.
template <Game G>
void ExpectSameForThreads(std::string_view text, int plies) {
  SCOPED_TRACE(std::string(text));
  const auto rules = RulesOf<G>(text);
  Expectiminimax<G, HashEvaluator<G>> one({}, {.plies = plies, .value_forced = true});
  for (const int threads : {2, 5}) {
    Expectiminimax<G, HashEvaluator<G>> many(
        {}, {.plies = plies, .value_forced = true, .threads = threads});
    for (const auto& state : LateDecisions<G>(rules, 6)) {
      one.Search(rules, state);
      many.Search(rules, state);
      ASSERT_EQ(many.candidates().size(), one.candidates().size());
      for (std::size_t i = 0; i < one.candidates().size(); ++i) {
        EXPECT_EQ(many.candidates()[i].index, one.candidates()[i].index);
        EXPECT_EQ(many.candidates()[i].depth, one.candidates()[i].depth);
        EXPECT_EQ(many.candidates()[i].values, one.candidates()[i].values);
      }
      EXPECT_EQ(many.stats().nodes, one.stats().nodes);
      EXPECT_EQ(many.stats().evaluations, one.stats().evaluations);
      EXPECT_EQ(many.stats().cache_hits, one.stats().cache_hits);
    }
  }
}

TEST(Expectiminimax, SameResultForAnyNumberOfThreads) {
  ExpectSameForThreads<Race<Race2>>("race:short:2x3", 3);
  ExpectSameForThreads<Backgammon>("backgammon", 2);
  ExpectSameForThreads<Duel<false>>("duel:3x3:3", 4);
}

// In duels nothing comes twice within four plies below one candidate.
TEST(Expectiminimax, CacheChangesCountsOnly) {
  CacheChangesNothing<Small>("race:short:2x3", 3);
  CacheChangesNothing<Three>("race:n=2:3x2", 3);
  CacheChangesNothing<Backgammon>("backgammon", 3);
}

TEST(Expectiminimax, ForcedMoveIsNotEvaluated) {
  const auto rules = RulesOf<Small>("race:short:2x2");
  int forced = 0;
  for (const auto& state : LateDecisions<Small>(rules, 40)) {
    const Report report = Searched<Small>(rules, state, {.plies = 2});
    if (report.order.size() > 1) continue;
    ++forced;
    EXPECT_EQ(report.evaluations, 0u);
    EXPECT_EQ(report.nodes, 1u);
    EXPECT_TRUE(report.complete);
    EXPECT_GT(Searched<Small>(rules, state, {.plies = 2, .value_forced = true}).depth, 0);
  }
  EXPECT_GT(forced, 0);
}

TEST(Expectiminimax, FilterLimitsWhatIsLookedAt) {
  const auto rules = RulesOf<Backgammon>("backgammon");
  Backgammon::State state;
  for (const auto& decision : LateDecisions<Backgammon>(rules, 60, 18)) {
    state = decision;
    if (Searched<Backgammon>(rules, state, {.plies = 1}).order.size() > 12) break;
  }
  std::uint64_t before = 0;
  for (const int count : {1, 2, 4, 8, 0}) {
    auto search = Made<Backgammon>({.plies = 2, .filter = {.count = count, .margin = 100}});
    search.Search(rules, state);
    EXPECT_GT(search.stats().nodes, before) << count;
    before = search.stats().nodes;
    int deep = 0;
    for (const auto& candidate : search.candidates()) deep += candidate.depth == 2 ? 1 : 0;
    const int all = static_cast<int>(search.candidates().size());
    EXPECT_EQ(deep, count == 0 ? all : std::min(count, all));
  }
  const Report wide = Searched<Backgammon>(rules, state, {.filter = {.count = 8, .margin = 100}});
  const Report narrow =
      Searched<Backgammon>(rules, state, {.filter = {.count = 8, .margin = 1e-6}});
  EXPECT_LT(narrow.nodes, wide.nodes);
}

TEST(Expectiminimax, EveryPlyHasItsFilter) {
  const auto rules = RulesOf<Small>("race:short:2x3");
  const auto state = LateDecisions<Small>(rules, 1, 12).front();
  const auto nodes = [&](int plies, std::vector<MoveFilter> deeper) {
    return Searched<Small>(rules, state,
                           {.plies = plies,
                            .filter = {.count = 2, .margin = 100},
                            .deeper_filters = std::move(deeper)})
        .nodes;
  };
  const MoveFilter one{.count = 1};
  const MoveFilter two{.count = 2, .margin = 100};
  EXPECT_EQ(nodes(2, {one}), nodes(2, {}));  // the last ply has none
  EXPECT_LT(nodes(3, {one}), nodes(3, {}));
  EXPECT_EQ(nodes(3, {two}), nodes(3, {}));
  EXPECT_EQ(nodes(3, {one, two}), nodes(3, {one}));
  EXPECT_LT(nodes(4, {one}), nodes(4, {one, two}));
  EXPECT_LT(nodes(4, {one, two}), nodes(4, {two, two}));
  EXPECT_EQ(nodes(4, {two}), nodes(4, {two, two}));
}

TEST(Expectiminimax, ParanoidDiffersWithThreeSidesOnly) {
  const ExpectiminimaxOptions plain{.plies = 3, .filter = {.count = 3, .margin = 1}};
  auto paranoid = plain;
  paranoid.paranoid = true;
  const auto two = RulesOf<Small>("race:short:2x3");
  for (const auto& state : LateDecisions<Small>(two, 5)) {
    const Report a = Searched<Small>(two, state, plain);
    const Report b = Searched<Small>(two, state, paranoid);
    EXPECT_EQ(a.nodes, b.nodes);
    ASSERT_EQ(a.order.size(), b.order.size());
    for (std::size_t i = 0; i < a.order.size(); ++i) {
      EXPECT_NEAR(a.order[i].second, b.order[i].second, 1e-5);
    }
  }
  const auto three = RulesOf<Three>("race:n=2:3x2");
  int differ = 0;
  for (const auto& state : LateDecisions<Three>(three, 5, 4)) {
    if (Searched<Three>(three, state, plain).order != Searched<Three>(three, state, paranoid).order)
      ++differ;
  }
  EXPECT_GT(differ, 0);
}

TEST(Expectiminimax, NodeLimitStopsAtTheSamePlace) {
  const auto rules = RulesOf<Backgammon>("backgammon");
  const auto state = LateDecisions<Backgammon>(rules, 1, 18).front();
  ExpectiminimaxOptions options{.plies = 3, .filter = {.count = 4, .margin = 1}};
  const Report whole = Searched<Backgammon>(rules, state, options);
  int before = 0;
  for (int i = 1; i <= 20; ++i) {
    options.most_nodes = whole.nodes * static_cast<std::uint64_t>(i) / 20;
    const Report report = Searched<Backgammon>(rules, state, options);
    EXPECT_EQ(report, Searched<Backgammon>(rules, state, options));
    EXPECT_GE(report.depth, before);
    EXPECT_LE(report.nodes, whole.nodes);
    EXPECT_LT(report.nodes, options.most_nodes + 2000) << "at most a node's states beyond";
    before = report.depth;
    // The best comes from the deepest iteration of which anything was done.
    auto search = Made<Backgammon>(options);
    search.Search(rules, state);
    EXPECT_EQ(search.candidates().front().depth, report.depth);
    EXPECT_EQ(search.candidates().size(), whole.order.size());
  }
  options.most_nodes = whole.nodes + 1;
  EXPECT_EQ(Searched<Backgammon>(rules, state, options), whole);
  options.most_nodes = 1;
  EXPECT_EQ(Searched<Backgammon>(rules, state, options).depth, 1);
  EXPECT_FALSE(Searched<Backgammon>(rules, state, options).complete);
}

TEST(Expectiminimax, WithoutTimeThereIsOnePly) {
  const auto rules = RulesOf<Small>("race:short:2x3");
  const auto state = LateDecisions<Small>(rules, 1, 6).front();
  const Report report =
      Searched<Small>(rules, state, {.plies = 3, .time = std::chrono::nanoseconds(0)});
  EXPECT_EQ(report.depth, 1);
  EXPECT_FALSE(report.complete);
  EXPECT_EQ(report.order, Searched<Small>(rules, state, {.plies = 1}).order);
}

TEST(Expectiminimax, TimeCountsFromTheStartOfEverySearch) {
  const auto rules = RulesOf<Small>("race:short:2x3");
  const auto state = LateDecisions<Small>(rules, 1, 6).front();
  const Report whole = Searched<Small>(rules, state, {.plies = 2});
  EXPECT_EQ(Searched<Small>(rules, state, {.plies = 2, .time = std::chrono::hours(1)}), whole);
  auto search = Made<Small>({.plies = 3, .time = std::chrono::nanoseconds(1)});
  for (int i = 0; i < 3; ++i) {
    search.Search(rules, state);
    EXPECT_EQ(search.stats().depth, 1);
    search.options().time = std::chrono::hours(1);
    search.Search(rules, state);
    EXPECT_EQ(search.stats().depth, 3);
    search.options().time = std::chrono::nanoseconds(1);
  }
}

TEST(Expectiminimax, SamplesChanceThatCannotBeListed) {
  const auto rules = RulesOf<Birth>("birth:3:opening");
  // The first opening decision: a new hand of eleven dice is too much to list.
  RandomStream random(3, 0, Purpose::kTest, 0);
  auto state = Birth::initial(rules);
  while (Birth::waits(state) == Waits::kChance) {
    Birth::apply(rules, state, Birth::sample_chance(rules, state, random));
  }
  const Report none = Searched<Birth>(rules, state, {.chance_samples = 0});
  const Report few = Searched<Birth>(rules, state, {.chance_samples = 5});
  const Report many = Searched<Birth>(rules, state, {.chance_samples = 50});
  EXPECT_LT(none.nodes, few.nodes);
  EXPECT_LT(few.nodes, many.nodes);
  EXPECT_NE(few.order, many.order);
  EXPECT_EQ(few, Searched<Birth>(rules, state, {.chance_samples = 5}));
  EXPECT_NE(few.order, Searched<Birth>(rules, state, {.chance_samples = 5, .seed = 1}).order);
}

TEST(Expectiminimax, HiddenValuesAtOnePlyAreTheOnePlyChoice) {
  using Valued = Race<Race4Valued>;
  const auto rules = RulesOf<Valued>("race:short:3x3:hidden");
  auto one = Made<Valued>({.plies = 1});
  auto two = Made<Valued>({.plies = 2, .filter = {.count = 3, .margin = 1}});
  OnePly<Valued, HashEvaluator<Valued>> look({});
  HiddenChoice<Valued, HashEvaluator<Valued>> hidden;
  ActionList<Valued::Action> path;
  std::array<float, kMostValues<Valued>> values;
  int differ = 0;
  for (const auto& state : LateDecisions<Valued>(rules, 12)) {
    const auto seen = Valued::observe(rules, state, Valued::actor(state));
    const auto stream = [] { return RandomStream(5, 0, Purpose::kAgent, 0); };
    auto random = stream();
    const auto expected = hidden.Choose(rules, seen, 4, random, look, values);
    random = stream();
    one.SearchHidden(rules, seen, 4, random);
    one.Path(one.candidates().front(), path);
    ASSERT_EQ(path.size(), 1u);
    EXPECT_EQ(path[0], expected);
    random = stream();
    two.SearchHidden(rules, seen, 4, random);
    const Report first = ReportOf<Valued>(two);
    random = stream();
    two.SearchHidden(rules, seen, 4, random);
    EXPECT_EQ(first, ReportOf<Valued>(two));
    two.Path(two.candidates().front(), path);
    ASSERT_EQ(path.size(), 1u);
    if (path[0] != expected) ++differ;
  }
  EXPECT_GT(differ, 0);
}

// Equal samples that share the outcomes are worth what one is that follows them all, and cost about
// as much: no more than some outcomes twice.
TEST(Expectiminimax, SamplesShareTheOutcomes) {
  const auto rules = RulesOf<Small>("race:short:2x3");
  int compared = 0;
  for (const auto& decision : LateDecisions<Small>(rules, 8, 4)) {
    Afterstates<Small> afterstates;
    ASSERT_TRUE(afterstates.Enumerate(rules, decision));
    const auto& state = afterstates[0];
    if (Small::waits(state) != Waits::kChance) continue;
    for (const int depth : {0, 1, 2}) {
      const ExpectiminimaxOptions options{.plies = 3, .filter = {.count = 2, .margin = 1}};
      PlyTree<Small, HashEvaluator<Small>> tree({}, options);
      std::array<float, kMostValues<Small>> whole;
      tree.Begin(rules, Small::actor(decision));
      ASSERT_TRUE(tree.Value(state, depth, whole));
      const std::uint64_t nodes = tree.stats().nodes;
      for (const std::size_t samples : {1u, 2u, 5u, 21u, 30u, 50u}) {
        tree.Begin(rules, Small::actor(decision));
        std::array<float, kMostValues<Small>> sum{};
        float weight = 0;
        for (std::size_t sample = 0; sample < samples; ++sample) {
          ASSERT_TRUE(tree.AddSample(state, depth, sample, samples, sum, weight));
        }
        EXPECT_NEAR(weight, 1, 1e-5) << samples;
        for (std::size_t i = 0; i < ValuesPerState<Small>(rules); ++i) {
          EXPECT_NEAR(sum[i], whole[i], 1e-5) << depth << " " << samples;
        }
        EXPECT_LE(tree.stats().nodes, samples <= 21 ? nodes : 3 * nodes);
        ++compared;
      }
    }
  }
  EXPECT_GE(compared, 18 * 3);
}

// Plays whole games: every state of every kind is met.
template <Game G>
void PlaysToTheEnd(std::string_view text, const ExpectiminimaxOptions& options) {
  SCOPED_TRACE(std::string(text));
  const auto rules = RulesOf<G>(text);
  ExpectiminimaxAgent<G, HashEvaluator<G>> agent({}, options, 2);
  const std::vector<Agent<G>*> seats(static_cast<std::size_t>(rules.seats()), &agent);
  for (std::uint64_t game = 0; game < 2; ++game) {
    auto state = G::initial(rules);
    EXPECT_GT(PlayOn<G>(rules, state, seats, {.seed = 1, .dice = game, .game = game}), 0);
    EXPECT_EQ(G::waits(state), Waits::kEnd);
  }
}

TEST(ExpectiminimaxAgent, PlaysEveryGame) {
  const ExpectiminimaxOptions options{
      .plies = 3, .filter = {.count = 2, .margin = 1}, .most_nodes = 3000};
  PlaysToTheEnd<Small>("race:short:2x2", options);
  PlaysToTheEnd<Three>("race:short:4x2:team=2", options);
  PlaysToTheEnd<Three>("race:short:3x2:trade", options);
  PlaysToTheEnd<Race<Race4Valued>>("race:short:3x2:hidden", options);
  PlaysToTheEnd<Duel<false>>("duel:3x3:3", options);
  PlaysToTheEnd<Duel<true>>("duel:3x3:3:hidden", options);
  PlaysToTheEnd<Backgammon>("backgammon", options);
  PlaysToTheEnd<Bradspel>("bradspel", options);
  PlaysToTheEnd<Birth>("birth:3:advanced+opening", options);
}

TEST(ExpectiminimaxAgent, RanksWhatItChooses) {
  const auto rules = RulesOf<Backgammon>("backgammon");
  ExpectiminimaxAgent<Backgammon, HashEvaluator<Backgammon>> agent({}, {.plies = 2}, 1);
  ActionList<Backgammon::Action> path;
  std::vector<RankedPath<Backgammon::Action>> ranked;
  for (const auto& state : LateDecisions<Backgammon>(rules, 10)) {
    const auto seen = Backgammon::observe(rules, state, Backgammon::actor(state));
    RandomStream random(1, 0, Purpose::kAgent, 0);
    agent.Choose(rules, seen, random, path);
    EXPECT_EQ(agent.Rank(rules, seen, 3, ranked), RankedBy::kEquity);
    ASSERT_FALSE(ranked.empty());
    EXPECT_LE(ranked.size(), 3u);
    EXPECT_EQ(ranked[0].path, std::vector(path.begin(), path.end()));
    EXPECT_NE(ranked[0].value, 0);
  }
}

TEST(ValueCache, FindsWhatItStoredAndForgets) {
  ValueCache<2> cache(64);
  const std::array<float, 2> values{0.25f, 0.75f};
  for (std::uint64_t i = 1; i <= 600; ++i) {
    const std::uint64_t key = Mix64(i);
    EXPECT_TRUE(cache.Find(key, 1).empty());
    cache.Store(key, 1, values);
    ASSERT_FALSE(cache.Find(key, 1).empty());
    EXPECT_EQ(cache.Find(key, 1)[1], 0.75f);
    EXPECT_TRUE(cache.Find(key, 2).empty());
    cache.Clear();
    EXPECT_TRUE(cache.Find(key, 1).empty());
  }
}

TEST(ValueCache, KeepsDeeperEntriesAndUsesAllWays) {
  ValueCache<1> cache(4);
  const std::array<float, 1> value{1};
  cache.Store(Mix64(1), 3, value);
  for (std::uint64_t i = 2; i < 100; ++i) cache.Store(Mix64(i), 1, value);
  EXPECT_FALSE(cache.Find(Mix64(1), 3).empty());
  int kept = 0;
  for (std::uint64_t i = 2; i < 100; ++i) kept += cache.Find(Mix64(i), 1).empty() ? 0 : 1;
  EXPECT_EQ(kept, 3);
}

}  // namespace
}  // namespace berd
