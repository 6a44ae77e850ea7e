#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "engine/core/game.h"

namespace berd {

// Win shares from scores (rules page §6): the sides with the highest sum share the win equally, and
// every seat receives its side's share. `side(seat)` is below `sides`.
template <class Side>
void SharesOfBestSides(std::span<const std::int64_t> scores, int sides, Side&& side,
                       std::span<WinShare> shares) {
  std::array<std::int64_t, kMaxSeats> sums{};
  for (std::size_t seat = 0; seat < scores.size(); ++seat) {
    sums[static_cast<std::size_t>(side(static_cast<int>(seat)))] += scores[seat];
  }
  const auto end = sums.begin() + sides;
  const std::int64_t best = *std::max_element(sums.begin(), end);
  const auto winners = static_cast<std::uint16_t>(std::count(sums.begin(), end, best));
  for (std::size_t seat = 0; seat < scores.size(); ++seat) {
    const bool won = sums[static_cast<std::size_t>(side(static_cast<int>(seat)))] == best;
    shares[seat] = won ? WinShare{1, winners} : WinShare{0, 1};
  }
}

}  // namespace berd
