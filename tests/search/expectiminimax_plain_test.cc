// Every game against the plain recursive search.

#include <gtest/gtest.h>

#include "search/expectiminimax/expectiminimax.h"
#include "tests/search/hash_evaluator.h"
#include "tests/search/plain_expectimax.h"
#include "tests/search/search_positions.h"

namespace berd {
namespace {

// Compares the worth of every candidate of the last iteration. Returns how many positions had trees
// small enough for the plain search.
template <Game G>
int Compare(const typename G::Rules& rules, const std::vector<typename G::State>& positions,
            const ExpectiminimaxOptions& options) {
  using Plain = PlainExpectimax<G, HashEvaluator<G>>;
  Expectiminimax<G, HashEvaluator<G>> search({}, options);
  int compared = 0;
  for (const auto& state : positions) {
    const Seat seat = G::actor(state);
    Plain plain(rules, {}, options, seat, 6000);
    Afterstates<G> afterstates(1024);
    if (!afterstates.Enumerate(rules, state)) continue;
    std::vector<double> expected;
    for (std::size_t i = 0; i < afterstates.size(); ++i) {
      const auto values = plain.Value(afterstates[i], options.plies - 1);
      if (!values) break;
      expected.push_back(plain.Worth(*values, seat));
    }
    if (expected.size() < afterstates.size()) continue;
    search.Search(rules, state);
    EXPECT_TRUE(search.stats().complete);
    double best = -1e9;
    for (const auto& candidate : search.candidates()) {
      if (candidate.depth != options.plies) continue;
      EXPECT_NEAR(candidate.worth, expected[candidate.index], 1e-5) << G::position(rules, state);
      best = std::max(best, expected[candidate.index]);
    }
    EXPECT_NEAR(search.candidates().front().worth, best, 1e-5);
    ++compared;
  }
  return compared;
}

template <Game G>
void CompareAll(std::string_view text, int most_plies = 3) {
  SCOPED_TRACE(std::string(text));
  const auto rules = RulesOf<G>(text);
  const auto positions = LateDecisions<G>(rules, 10);
  for (int plies = 1; plies <= most_plies; ++plies) {
    for (const int count : {0, 3}) {
      for (const bool paranoid : {false, true}) {
        ExpectiminimaxOptions options;
        options.plies = plies;
        options.filter = {.count = count, .margin = 0.2};
        options.paranoid = paranoid;
        options.chance_samples = 0;
        options.value_forced = true;
        EXPECT_GE(Compare<G>(rules, positions, options), 1) << plies << " " << count;
        options.deeper_filters = {{.count = 2, .margin = 0.3}, {.count = 0}};
        EXPECT_GE(Compare<G>(rules, positions, options), 1) << plies << " " << count;
      }
    }
  }
}

TEST(ExpectiminimaxPlain, Race) { CompareAll<Race<Race2>>("race:short:2x2"); }
TEST(ExpectiminimaxPlain, RaceOfThree) { CompareAll<Race<Race4>>("race:n=1:3x3"); }
TEST(ExpectiminimaxPlain, Teams) { CompareAll<Race<Race4>>("race:n=1:4x1:team=2"); }
TEST(ExpectiminimaxPlain, Trade) { CompareAll<Race<Race4>>("race:n=1:3x1:trade=1/2/1"); }
TEST(ExpectiminimaxPlain, Duel) { CompareAll<Duel<false>>("duel:3x3:2", 4); }
TEST(ExpectiminimaxPlain, Backgammon) { CompareAll<Backgammon>("backgammon"); }
TEST(ExpectiminimaxPlain, BackgammonNearTheCap) { CompareAll<Backgammon>("backgammon:cap=60", 2); }
TEST(ExpectiminimaxPlain, Bradspel) { CompareAll<Bradspel>("bradspel"); }
TEST(ExpectiminimaxPlain, Birth) { CompareAll<Birth>("birth:2"); }

}  // namespace
}  // namespace berd
