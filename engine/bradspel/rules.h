#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "engine/core/error.h"
#include "engine/core/preset.h"

namespace berd {

// Rules of Brädspel: `bradspel[:<option>+…]` with the options sprangjan=<points>, entrywall and
// cap=<turns>, in this order.
struct BradspelRules {
  static constexpr std::uint32_t kDefaultCap = 1000;
  static constexpr std::uint32_t kLargestCap = 1000000;

  int sprangjan = 6;        // points of a jan by blast: 4 or 6
  bool entry_wall = false;  // a man that enters may blast a wall too (Turn, blast a)
  std::uint32_t cap = kDefaultCap;

  int seats() const { return 2; }
  // The canonical rules string.
  std::string ToString() const;
};

// The rules of a string. The error says what is wrong with it.
Result<BradspelRules> ParseBradspelRules(std::string_view text);

inline constexpr std::array<Preset, 1> kBradspelPresets = {
    {{"bradspel", "bradspel", "Swedish tables, wins of one to six points"}}};

}  // namespace berd
