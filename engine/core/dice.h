#pragma once

#include <array>
#include <cstdint>

#include "engine/core/random.h"

namespace berd {

// An unordered throw of two dice: high >= low. Weight out of 36.
struct Roll {
  std::uint8_t high;
  std::uint8_t low;
  std::uint8_t weight;
  constexpr bool is_double() const { return high == low; }
};

inline constexpr int kRolls = 21;

// The 21 throws in ascending order of their strings: 11, 21, 22, 31, … 66.
inline constexpr std::array<Roll, kRolls> kAllRolls = [] {
  std::array<Roll, kRolls> rolls{};
  std::size_t next = 0;
  for (std::uint8_t high = 1; high <= 6; ++high) {
    for (std::uint8_t low = 1; low <= high; ++low) {
      rolls[next++] = {high, low, static_cast<std::uint8_t>(high == low ? 1 : 2)};
    }
  }
  return rolls;
}();

// Index in kAllRolls of the throw with these faces, in any order.
constexpr int RollIndex(int a, int b) {
  const int high = a > b ? a : b;
  const int low = a > b ? b : a;
  return high * (high - 1) / 2 + low - 1;
}

// A fair throw; uses one draw.
inline int SampleRoll(RandomStream& random) {
  const std::uint32_t face_pair = random.Below(36);
  return RollIndex(static_cast<int>(face_pair / 6) + 1, static_cast<int>(face_pair % 6) + 1);
}

}  // namespace berd
