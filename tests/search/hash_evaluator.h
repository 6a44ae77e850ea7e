#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "engine/core/bits.h"
#include "search/values.h"

namespace berd {

// Values that look random but follow from the state's key alone: positive, and equal within a side.
template <Game G>
struct HashEvaluator {
  using Rules = typename G::Rules;
  using State = typename G::State;

  void Evaluate(const Rules& rules, const State&, std::span<const State* const> states,
                std::span<float> values) const {
    constexpr auto kClasses = static_cast<std::size_t>(kOutcomeClasses<G>);
    const auto seats = static_cast<std::size_t>(rules.seats());
    for (const State* state : states) {
      float sum = 0;
      std::array<bool, kMaxSeats> counted{};
      for (std::size_t seat = 0; seat < seats; ++seat) {
        const int side = G::side(rules, Seat(static_cast<int>(seat)));
        for (std::size_t c = 0; c < kClasses; ++c) {
          const std::uint64_t hash =
              Mix64(G::key(*state) + 31 * static_cast<std::uint64_t>(side) + 1000 * c + 77);
          values[seat * kClasses + c] = static_cast<float>(hash >> 40) + 1.0f;
          if (!counted[static_cast<std::size_t>(side)]) sum += values[seat * kClasses + c];
        }
        counted[static_cast<std::size_t>(side)] = true;
      }
      for (std::size_t i = 0; i < seats * kClasses; ++i) values[i] /= sum;
      values = values.subspan(seats * kClasses);
    }
  }
};

}  // namespace berd
