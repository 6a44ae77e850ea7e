// The root: sequential halving, Gumbel and Dirichlet noise.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "search/constant_evaluator.h"
#include "search/mcts/search.h"
#include "search/playout_evaluator.h"
#include "tests/search/exact_value.h"

namespace berd {
namespace {

using ::testing::ElementsAre;
using ::testing::UnorderedElementsAreArray;

std::vector<std::uint32_t> Sequence(std::int64_t considered, std::int64_t simulations) {
  std::vector<std::uint32_t> sequence;
  mcts::HalvingSequence(considered, simulations, sequence);
  return sequence;
}

// How often each of the first choices is visited if the first ones always win.
std::vector<int> VisitsBySequence(std::int64_t considered, std::int64_t simulations) {
  std::vector<int> visits(static_cast<std::size_t>(considered));
  for (const std::uint32_t wanted : Sequence(considered, simulations)) {
    for (int& count : visits) {
      if (count == static_cast<int>(wanted)) {
        ++count;
        break;
      }
    }
  }
  return visits;
}

TEST(Halving, FollowsTheSchedule) {
  EXPECT_THAT(Sequence(4, 8), ElementsAre(0, 0, 0, 0, 1, 1, 2, 2));
  EXPECT_THAT(Sequence(2, 5), ElementsAre(0, 0, 1, 1, 2));
  EXPECT_THAT(Sequence(1, 3), ElementsAre(0, 1, 2));
  EXPECT_THAT(Sequence(4, 2), ElementsAre(0, 0));
  // Figure 1 of the paper: 16 actions, 200 simulations, four phases of 50: 3 visits each for 16,
  // then 6 more for 8, 12 more for 4, and what is left for 2.
  EXPECT_THAT(VisitsBySequence(16, 200),
              ElementsAre(49, 49, 21, 21, 9, 9, 9, 9, 3, 3, 3, 3, 3, 3, 3, 3));
}

using Small = Race<Race2>;

Small::State Wide(const RaceRules& rules, std::size_t least) {
  Afterstates<Small> afterstates;
  for (int skip = 4;; ++skip) {
    const auto state = DecisionOf<Small>(rules, 4, skip);
    afterstates.Enumerate(rules, state);
    if (afterstates.size() >= least) return state;
  }
}

TEST(GumbelRoot, VisitsAsTheScheduleSays) {
  const auto rules = RulesFor<Small>("race:short:2x6");
  const auto state = Wide(rules, 16);
  for (const int threads : {1, 2}) {
    for (const int batch : {1, 4}) {
      MctsOptions options{
          .threads = threads, .batch = batch, .root = RootChoice::kGumbel, .gumbel_considered = 8};
      Mcts<Small, PlayoutEvaluator<Small>> search(PlayoutEvaluator<Small>(1), options);
      search.Search(rules, state, {.simulations = 100}, 1);
      std::vector<int> visits;
      for (std::size_t c = 0; c < search.size(); ++c) {
        if (search.visits(c) > 0) visits.push_back(static_cast<int>(search.visits(c)));
      }
      if (threads == 1 && batch == 1) {
        EXPECT_THAT(visits, UnorderedElementsAreArray(VisitsBySequence(8, 100)));
      }
      EXPECT_EQ(search.visits(search.Best()), *std::max_element(visits.begin(), visits.end()));
    }
  }
}

TEST(GumbelRoot, WithoutNoiseConsidersTheBestEstimates) {
  const auto rules = RulesFor<Small>("race:short:2x6");
  MctsOptions options{.root = RootChoice::kGumbel, .gumbel_considered = 4, .gumbel_scale = 0};
  Mcts<Small, PlayoutEvaluator<Small>> search(PlayoutEvaluator<Small>(1), options);
  search.Search(rules, Wide(rules, 16), {.simulations = 64}, 1);
  for (std::size_t c = 0; c < search.size(); ++c) EXPECT_EQ(search.visits(c) > 0, c < 4);
}

TEST(GumbelRoot, NoiseFollowsThePrior) {
  // With no simulations the winner is a draw from the prior: the Gumbel-max trick.
  const auto rules = RulesFor<Small>("race:short:2x6");
  const auto state = Wide(rules, 8);
  MctsOptions options{.prior_temperature = 0.5f, .reuse = false, .root = RootChoice::kGumbel};
  Mcts<Small, PlayoutEvaluator<Small>> search(PlayoutEvaluator<Small>(1), options);
  std::vector<int> wins(100);
  std::vector<double> priors(100);
  constexpr int kDraws = 3000;
  for (std::uint64_t seed = 0; seed < kDraws; ++seed) {
    search.Search(rules, state, {.simulations = 0}, seed);
    ++wins[search.Best()];
    for (std::size_t c = 0; c < search.size(); ++c) {
      priors[c] += static_cast<double>(search.prior(c));
    }
  }
  for (std::size_t c = 0; c < search.size(); ++c) EXPECT_NEAR(wins[c], priors[c], 120);
}

TEST(RootNoise, GammaHasItsMeanAndVariance) {
  for (const double shape : {0.03, 0.3, 1.0, 4.0}) {
    RandomStream random(1, 0, Purpose::kTest, 0);
    constexpr int kDraws = 100000;
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < kDraws; ++i) {
      const double draw = mcts::DrawGamma(shape, random);
      sum += draw;
      squares += draw * draw;
    }
    const double mean = sum / kDraws;
    EXPECT_NEAR(mean, shape, 0.03 * std::max(shape, 0.3));
    EXPECT_NEAR(squares / kDraws - mean * mean, shape, 0.08 * std::max(shape, 0.3));
  }
}

TEST(RootNoise, SpreadsVisits) {
  const auto rules = RulesFor<Small>("race:short:2x6");
  const auto state = Wide(rules, 16);
  const auto visited = [&](float noise) {
    Mcts<Small, ConstantEvaluator<Small>> search({}, {.noise = noise, .noise_alpha = 0.03f});
    std::size_t most = 0;
    search.Search(rules, state, {.simulations = 400}, 7);
    for (std::size_t c = 0; c < search.size(); ++c)
      most = std::max<std::size_t>(most, search.visits(c));
    return most;
  };
  EXPECT_GT(visited(0.9f), visited(0) + 50);
}

}  // namespace
}  // namespace berd
