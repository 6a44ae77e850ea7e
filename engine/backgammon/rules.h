#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "engine/core/error.h"
#include "engine/core/preset.h"

namespace berd {

// Rules of the cubeless game: `backgammon[:cap=<turns>]`.
struct BackgammonRules {
  static constexpr std::uint32_t kDefaultCap = 1000;
  static constexpr std::uint32_t kLargestCap = 1000000;

  std::uint32_t cap = kDefaultCap;  // turns after which a game without a winner stops

  int seats() const { return 2; }
  // The canonical rules string.
  std::string ToString() const;
};

// The rules of a string. The error says what is wrong with it.
Result<BackgammonRules> ParseBackgammonRules(std::string_view text);

inline constexpr std::array<Preset, 1> kBackgammonPresets = {
    {{"backgammon", "backgammon", "without the cube, for one, two or three points"}}};

}  // namespace berd
