#pragma once

#include <algorithm>
#include <span>

#include "engine/core/game.h"
#include "search/values.h"

namespace berd {

// Knows nothing: every side wins as likely as any other, by the first kind of win. For tests and to
// measure searches alone.
template <Game G>
class ConstantEvaluator {
 public:
  void Evaluate(const typename G::Rules& rules, const typename G::State&,
                std::span<const typename G::State* const> states, std::span<float> values) const {
    int sides = 0;
    for (int seat = 0; seat < rules.seats(); ++seat) {
      sides = std::max(sides, G::side(rules, Seat(seat)) + 1);
    }
    const std::size_t seats = states.size() * static_cast<std::size_t>(rules.seats());
    std::fill(values.begin(), values.end(), 0.0f);
    for (std::size_t i = 0; i < seats; ++i) {
      values[i * kOutcomeClasses<G>] = 1.0f / static_cast<float>(sides);
    }
  }
};

}  // namespace berd
