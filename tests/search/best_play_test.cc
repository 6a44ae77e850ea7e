#include "search/best_play.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string_view>
#include <vector>

#include "search/oneply_agent.h"
#include "search/play.h"
#include "tests/search/exact_value.h"
#include "tests/search/hash_evaluator.h"
#include "tests/search/search_positions.h"

namespace berd {
namespace {

template <Game G>
using Values = typename BestPlay<G, HashEvaluator<G>>::Values;

// The values of the best choice after an outcome, by the search of one ply; where values are hidden
// of the choice that looks best to the seat that decides (Expansion, which has its own test).
template <Game G>
Values<G> BestAfter(const typename G::Rules& rules, const typename G::State& state,
                    typename G::Action outcome, OnePly<G, HashEvaluator<G>>& look) {
  auto next = state;
  G::apply(rules, next, outcome);
  Values<G> values{};
  const auto put = [&](std::span<const float> from) {
    std::copy(from.begin(), from.end(), values.begin());
  };
  if (G::waits(next) == Waits::kDecision && HidesValues(rules)) {
    const Seat actor = G::actor(next);
    Expansion<G> expansion;
    Choices<G> choices;
    expansion.Expand(rules, next, {0, 0}, choices);
    StateValues<G, HashEvaluator<G>> all;
    std::vector<const typename G::State*> pointers;
    for (const auto& believed : expansion.states()) pointers.push_back(&believed);
    all.Evaluate(rules, next, pointers, look.evaluator());
    std::size_t best = 0;
    for (std::size_t i = 1; i < pointers.size(); ++i) {
      if (Utility<G>(rules, all[i], actor) > Utility<G>(rules, all[best], actor)) best = i;
    }
    next = expansion.true_states()[best];
  } else if (G::waits(next) == Waits::kDecision) {
    look.Look(rules, next);
    put(look.values(look.Best(G::actor(next))));
    return values;
  }
  StateValues<G, HashEvaluator<G>> single;
  const auto* pointer = &next;
  single.Evaluate(rules, next, std::span(&pointer, 1), look.evaluator());
  put(single[0]);
  return values;
}

struct Seen {
  int events = 0;
  int lucky = 0;   // events with luck
  int others = 0;  // outcomes with no decision of the thrower behind them
};

// Looks at the first chance events of random games.
template <Game G>
Seen LooksRight(std::string_view text, int games, int most_events) {
  SCOPED_TRACE(std::string(text));
  const auto rules = RulesOf<G>(text);
  const std::size_t size = ValuesPerState<G>(rules);
  BestPlay<G, HashEvaluator<G>> best_play({});
  OnePly<G, HashEvaluator<G>> look({});
  Seen seen;
  for (int game = 0; game < games; ++game) {
    RandomStream random(5, static_cast<std::uint64_t>(game), Purpose::kTest, 0);
    auto state = G::initial(rules);
    int events = 0;
    while (G::waits(state) != Waits::kEnd && events < most_events) {
      if (G::waits(state) == Waits::kDecision) {
        G::apply(rules, state, G::sample_legal(rules, state, random));
        continue;
      }
      const auto outcome = G::sample_chance(rules, state, random);
      ++events;
      if (best_play.LookAtChance(rules, state)) {
        ++seen.events;
        const auto& outcomes = best_play.outcomes();
        std::vector<Values<G>> expected;
        Values<G> mean{};
        Values<G> luck_mean{};
        double total = 0;
        for (std::size_t o = 0; o < outcomes.size(); ++o) {
          expected.push_back(BestAfter<G>(rules, state, outcomes[o].action, look));
          const auto luck = best_play.LuckOf(o);
          for (std::size_t i = 0; i < size; ++i) {
            mean[i] += outcomes[o].weight * expected[o][i];
            luck_mean[i] += outcomes[o].weight * luck[i];
          }
          total += outcomes[o].weight;
          auto next = state;
          G::apply(rules, next, outcomes[o].action);
          seen.others += G::waits(next) != Waits::kDecision || G::actor(next) != G::turn(state);
        }
        const std::size_t taken = best_play.Find(outcome);
        EXPECT_EQ(outcomes[taken].action, outcome);
        const auto luck = best_play.LuckOf(taken);
        bool any = false;
        for (std::size_t i = 0; i < size; ++i) {
          EXPECT_NEAR(luck_mean[i] / total, 0, 1e-14);
          EXPECT_NEAR(best_play.mean()[i], mean[i] / total, 1e-12);
          EXPECT_NEAR(luck[i], expected[taken][i] - mean[i] / total, 1e-12);
          any |= std::abs(luck[i]) > 1e-3;
        }
        seen.lucky += any;
      }
      G::apply(rules, state, outcome);
    }
  }
  return seen;
}

TEST(BestPlay, TellsLuckOfMeanZero) {
  const auto expect = [](const Seen& seen, bool others = false) {
    EXPECT_GT(seen.events, 20);
    EXPECT_GT(2 * seen.lucky, seen.events);
    if (others) {
      EXPECT_GT(seen.others, 0);
    }
  };
  expect(LooksRight<Race<Race2>>("race:short:2x4", 2, 30));
  expect(LooksRight<Race<Race4>>("race:short:4x2:team=2", 2, 30));
  expect(LooksRight<Race<Race4>>("race:short:3x2:trade+setup=rolled", 3, 60), true);
  expect(LooksRight<Race<Race4Valued>>("race:short:3x2:hidden", 2, 30));
  expect(LooksRight<Backgammon>("backgammon", 2, 15));
  expect(LooksRight<Bradspel>("bradspel", 2, 15), true);
  expect(LooksRight<Birth>("birth:2", 10, 10));
  expect(LooksRight<Birth>("birth:3:advanced+opening", 40, 10));
}

// True values.
template <Game G>
struct ExactEvaluator {
  ExactValue<G>* exact;
  void Evaluate(const typename G::Rules& rules, const typename G::State&,
                std::span<const typename G::State* const> states, std::span<float> values) const {
    const std::size_t size = ValuesPerState<G>(rules);
    for (std::size_t s = 0; s < states.size(); ++s) {
      const auto exact_values = exact->Of(*states[s]);
      for (std::size_t i = 0; i < size; ++i) {
        values[s * size + i] = static_cast<float>(exact_values[i]);
      }
    }
  }
};

TEST(BestPlay, TellsAllOfAPerfectlyPlayedGame) {
  // With true values and without errors the result is the value of the start plus the luck.
  using G = Race<Race2>;
  const auto rules = RulesOf<G>("race:n=1:2x1:cap=12");
  ExactValue<G> exact(rules, 1000000);
  const ExactEvaluator<G> evaluator{&exact};
  const double start = exact.Of(G::initial(rules))[0];
  ASSERT_TRUE(exact.complete());
  BestPlay<G, ExactEvaluator<G>> best_play(evaluator);
  OnePlyAgent<G, ExactEvaluator<G>> agent(evaluator);
  const std::vector<Agent<G>*> seats(2, &agent);
  std::array<int, 3> results{};
  for (std::uint64_t game = 0; game < 40; ++game) {
    auto state = G::initial(rules);
    double luck = 0;
    PlayOn<G>(rules, state, seats, {.seed = 1, .dice = game, .game = game},
              [&](const auto& before, auto action) {
                if (G::waits(before) != Waits::kChance) return;
                ASSERT_TRUE(best_play.LookAtChance(rules, before));
                luck += best_play.LuckOf(best_play.Find(action))[0];
              });
    std::array<float, 2> result;
    FinalValues<G>(rules, state, result);
    EXPECT_NEAR(double{result[0]}, start + luck, 1e-5);
    ++results[static_cast<std::size_t>(2 * result[0])];
  }
  EXPECT_GT(results[0], 0);
  EXPECT_GT(results[2], 0);
}

}  // namespace
}  // namespace berd
