#include "search/expectiminimax/star.h"

#include <gtest/gtest.h>

#include <iostream>

#include "search/expectiminimax/ply_tree.h"
#include "tests/search/hash_evaluator.h"
#include "tests/search/search_positions.h"

namespace berd {
namespace {

struct Nodes {
  std::uint64_t plain = 0, star1 = 0, star2 = 0;
};

// All three modes and the search that plays, on the afterstates of late positions.
template <Game G>
Nodes Compare(std::string_view text, int depth, std::size_t number, std::size_t before = 0) {
  SCOPED_TRACE(std::string(text));
  const auto rules = RulesOf<G>(text);
  using E = HashEvaluator<G>;
  StarSearch<G, E> plain({}, StarMode::kPlain);
  StarSearch<G, E> star1({}, StarMode::kStar1);
  StarSearch<G, E> star2({}, StarMode::kStar2);
  PlyTree<G, E> tree({}, {.filter = {.count = 0}, .cache_entries = 0});
  Nodes nodes;
  for (const auto& decision : LateDecisions<G>(rules, number, before)) {
    Afterstates<G> afterstates;
    if (!afterstates.Enumerate(rules, decision)) continue;
    const auto& state = afterstates[afterstates.size() - 1];
    for (int seat = 0; seat < 2; ++seat) {
      const double value = plain.Value(rules, state, depth, Seat(seat));
      EXPECT_NEAR(star1.Value(rules, state, depth, Seat(seat)), value, 1e-9);
      EXPECT_NEAR(star2.Value(rules, state, depth, Seat(seat)), value, 1e-9);
      std::array<float, kMostValues<G>> values;
      tree.Begin(rules, Seat(seat));
      EXPECT_TRUE(tree.Value(state, depth, values));
      const float utility =
          Utility<G>(rules, std::span(values).first(ValuesPerState<G>(rules)), Seat(seat));
      EXPECT_NEAR(utility, value, 2e-5);
      EXPECT_EQ(tree.stats().nodes, plain.stats().nodes);
      nodes.plain += plain.stats().nodes;
      nodes.star1 += star1.stats().nodes;
      nodes.star2 += star2.stats().nodes;
    }
  }
  EXPECT_GT(nodes.plain, 0u);
  EXPECT_LE(nodes.star1, nodes.plain);
  std::cout << text << " depth " << depth << ": plain " << nodes.plain << ", Star1 " << nodes.star1
            << ", Star2 " << nodes.star2 << '\n';
  return nodes;
}

TEST(Star, FindsTheValueOfThePlainSearch) {
  Compare<Race<Race2>>("race:short:2x2", 1, 10);
  Compare<Race<Race2>>("race:n=1:2x2", 2, 10);
  Compare<Duel<false>>("duel:3x3:2", 3, 10);
  Compare<Bradspel>("bradspel", 1, 10);
  Compare<Birth>("birth:2", 1, 10);
}

TEST(Star, CutsOff) {
  const Nodes race = Compare<Race<Race2>>("race:n=1:2x2", 3, 4);
  EXPECT_LT(race.star1, race.plain);
  const Nodes backgammon = Compare<Backgammon>("backgammon", 2, 2);
  EXPECT_LT(backgammon.star1, backgammon.plain);
  EXPECT_LT(backgammon.star2, backgammon.plain);
}

}  // namespace
}  // namespace berd
