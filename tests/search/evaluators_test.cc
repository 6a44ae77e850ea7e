#include <gtest/gtest.h>

#include "search/constant_evaluator.h"
#include "search/playout_evaluator.h"
#include "tests/search/exact_value.h"

namespace berd {
namespace {

TEST(Evaluators, ConstantsAndPlayoutsAreDistributions) {
  ForTestedRules([]<class G>(const typename G::Rules& rules) {
    const auto state = DecisionOf<G>(rules, 1, 3);
    const std::array<const typename G::State*, 2> states = {&state, &state};
    std::vector<float> values(2 * ValuesPerState<G>(rules));
    const auto expect_distribution = [&] {
      for (std::size_t s = 0; s < 2; ++s) {
        const auto own =
            std::span(values).subspan(s * ValuesPerState<G>(rules), ValuesPerState<G>(rules));
        std::array<float, kMaxSeats> by_side{};
        for (int seat = 0; seat < rules.seats(); ++seat) {
          by_side[static_cast<std::size_t>(G::side(rules, Seat(seat)))] =
              WinShareOf<G>(own, Seat(seat));
        }
        float sum = 0;
        for (const float share : by_side) sum += share;
        EXPECT_NEAR(sum, 1, 1e-5);
      }
    };
    ConstantEvaluator<G>{}.Evaluate(rules, state, states, values);
    expect_distribution();
    PlayoutEvaluator<G> playouts(1);
    playouts.Evaluate(rules, state, states, values);
    expect_distribution();
    const std::vector<float> first = values;
    playouts.Reseed(1);
    playouts.Evaluate(rules, state, states, values);
    EXPECT_EQ(values, first);
  });
}

}  // namespace
}  // namespace berd
