// The search finds true values.

#include <gtest/gtest.h>

#include "search/constant_evaluator.h"
#include "search/mcts/search.h"
#include "search/playout_evaluator.h"
#include "tests/search/exact_value.h"

namespace berd {
namespace {

template <Game G, class E>
void ExpectSolved(const typename G::Rules& rules, const typename G::State& state,
                  const E& evaluator, const MctsOptions& options) {
  SCOPED_TRACE(G::position(rules, state));
  ExactValue<G> exact(rules, 1 << 20);
  const auto truth = exact.Of(state);
  const Seat seat = G::actor(state);
  Mcts<G, E> search(evaluator, options);
  search.Search(rules, state, {.simulations = 100'000}, 1);
  // A choice far behind may never be looked at long enough for a proof; then it counts a little.
  const double tolerance = search.exact() ? 1e-4 : 0.03;
  std::array<float, kMostValues<G>> values;
  search.RootValues(std::span(values).first(ValuesPerState<G>(rules)));
  EXPECT_NEAR(Utility<G>(rules, std::span(values).first(ValuesPerState<G>(rules)), seat),
              exact.UtilityOf(truth, seat), tolerance);
  // The choice that it would make is a best one.
  auto after = state;
  ActionList<typename G::Action> path;
  search.Path(search.Best(), path);
  for (const auto action : path) G::apply(rules, after, action);
  EXPECT_NEAR(exact.UtilityOf(exact.Of(after), seat), exact.UtilityOf(truth, seat), 1e-4);
}

template <Game G>
void ExpectSolvedEveryWay(const typename G::Rules& rules, const typename G::State& state) {
  MctsOptions options;
  ExpectSolved<G>(rules, state, ConstantEvaluator<G>{}, options);
  options.leaf_values = LeafValues::kLeaf;
  ExpectSolved<G>(rules, state, ConstantEvaluator<G>{}, options);
  ExpectSolved<G>(rules, state, PlayoutEvaluator<G>(1), options);
  options.batch = 4;
  ExpectSolved<G>(rules, state, PlayoutEvaluator<G>(2), options);
  options.transpositions = false;
  ExpectSolved<G>(rules, state, PlayoutEvaluator<G>(3), options);
}

TEST(MctsValues, SolvesBearOffs) {
  const auto rules = RulesFor<Backgammon>("backgammon");
  for (const std::string position : {"n=50 w=5:1,3:1/0/13 b=6:1,2:1/0/13 turn=W phase=play:21",
                                     "n=50 w=4:1,1:1/0/13 b=3:2/0/13 turn=W phase=play:31",
                                     "n=51 w=2:2/0/13 b=6:1,4:1/0/13 turn=B phase=play:11"}) {
    const auto state = Backgammon::parse(rules, position);
    ASSERT_TRUE(state) << state.error().message;
    ExpectSolvedEveryWay<Backgammon>(rules, *state);
  }
}

TEST(MctsValues, SolvesRaceEndings) {
  const auto rules = RulesFor<Race<Race2>>("race:short:2x2");
  const auto states = SolvableDecisions<Race<Race2>>(rules, 3, 100, 4000);
  ASSERT_EQ(states.size(), 3u);
  for (const auto& state : states) ExpectSolvedEveryWay<Race<Race2>>(rules, state);
}

TEST(MctsValues, SolvesDuels) {
  for (const std::string text : {"duel:3x3:1", "duel:3x3:2"}) {
    const auto rules = RulesFor<Duel<false>>(text);
    const auto states = SolvableDecisions<Duel<false>>(rules, 3, 60, 3000);
    ASSERT_EQ(states.size(), 3u);
    for (const auto& state : states) ExpectSolvedEveryWay<Duel<false>>(rules, state);
  }
}

TEST(MctsValues, SolvesEndingsOfTeamsAndOfThree) {
  for (const std::string text : {"race:short:3x2", "race:short:4x1:team=2"}) {
    const auto rules = RulesFor<Race<Race4>>(text);
    const auto states = SolvableDecisions<Race<Race4>>(rules, 2, 60, 3000);
    ASSERT_EQ(states.size(), 2u);
    for (const auto& state : states) {
      ExpectSolved<Race<Race4>>(rules, state, ConstantEvaluator<Race<Race4>>{}, {});
    }
  }
}

// Where the end is too far to be seen the mean comes near the truth.
TEST(MctsValues, ConvergesWithoutProof) {
  const auto rules = RulesFor<Race<Race2>>("race:short:2x2");
  for (const auto& state : SolvableDecisions<Race<Race2>>(rules, 2, 3000, 40000)) {
    ExactValue<Race<Race2>> exact(rules, 40000);
    const Seat seat = Race<Race2>::actor(state);
    const double truth = exact.UtilityOf(exact.Of(state), seat);
    Mcts<Race<Race2>, PlayoutEvaluator<Race<Race2>>> search(PlayoutEvaluator<Race<Race2>>(1),
                                                            {.leaf_values = LeafValues::kLeaf});
    double before = 1;
    for (const std::int64_t simulations : {300, 30000}) {
      search.Clear();
      search.Search(rules, state, {.simulations = simulations}, 1);
      std::array<float, 2> values;
      search.RootValues(values);
      const double error = std::abs(static_cast<double>(values[seat.index()]) - truth);
      EXPECT_LT(error, simulations == 300 ? 0.4 : 0.1);
      EXPECT_LT(error, before + 0.02);
      before = error;
    }
  }
}

}  // namespace
}  // namespace berd
