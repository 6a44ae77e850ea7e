#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include "engine/core/game.h"

namespace berd {

// The values of a state are numbers by seat and class of a win: the probability that the seat's
// side wins in that class, values[seat * kOutcomeClasses<G> + c]. The seats of one side have equal
// entries; the sum over sides and classes is 1. Where wins are just wins these are the win shares.
template <Game G>
std::size_t ValuesPerState(const typename G::Rules& rules) {
  return static_cast<std::size_t>(rules.seats()) * kOutcomeClasses<G>;
}

template <Game G>
inline constexpr std::size_t kMostValues = std::size_t{G::kFacts.max_seats} * kOutcomeClasses<G>;

// What the seat wants most of, a linear function of the values: its win share, or where games are
// worth points its equity, points won less points lost. Linear, so that it may be taken of sums and
// means of values.
template <Game G>
float Utility(const typename G::Rules& rules, std::span<const float> values, Seat seat) {
  constexpr int kClasses = kOutcomeClasses<G>;
  const auto own = static_cast<std::size_t>(seat.index());
  if constexpr (kClasses == 1) {
    return values[own];
  } else {
    static_assert(G::kFacts.max_seats == 2, "games worth points are played by two");
    const float* mine = values.data() + own * kClasses;
    const float* other = values.data() + (1 - own) * kClasses;
    float equity = 0;
    for (int c = 0; c < kClasses; ++c) {
      equity += static_cast<float>(G::class_points(rules, c)) * (mine[c] - other[c]);
    }
    return equity;
  }
}

// The seat's win share.
template <Game G>
float WinShareOf(std::span<const float> values, Seat seat) {
  constexpr auto kClasses = static_cast<std::size_t>(kOutcomeClasses<G>);
  const auto mine = values.subspan(static_cast<std::size_t>(seat.index()) * kClasses, kClasses);
  float share = 0;
  for (const float value : mine) share += value;
  return share;
}

// Values of a finished game. Requires: ValuesPerState entries.
template <Game G>
void FinalValues(const typename G::Rules& rules, const typename G::State& state,
                 std::span<float> values) {
  constexpr auto kClasses = static_cast<std::size_t>(kOutcomeClasses<G>);
  std::array<WinShare, kMaxSeats> exact;
  const auto seats = static_cast<std::size_t>(rules.seats());
  G::win_shares(rules, state, std::span(exact).first(seats));
  std::size_t outcome_class = 0;
  if constexpr (kClasses > 1) {
    outcome_class = static_cast<std::size_t>(G::outcome_class(state));
    std::fill(values.begin(), values.end(), 0.0f);
  }
  for (std::size_t seat = 0; seat < seats; ++seat) {
    values[seat * kClasses + outcome_class] = static_cast<float>(exact[seat].value());
  }
}

}  // namespace berd
