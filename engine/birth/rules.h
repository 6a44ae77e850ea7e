#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "engine/core/error.h"
#include "engine/core/preset.h"

namespace berd {

inline constexpr int kBirthSections = 15;
inline constexpr int kBirthAreas = 5;
inline constexpr int kBirthDice = 11;  // of a player
inline constexpr int kMostBirthPlayers = 3;

// The numbers of the five areas, ascending. An area's place in this list is its index.
inline constexpr std::array<std::uint8_t, kBirthAreas> kBirthAreaNumbers = {1, 2, 3, 5, 8};

// A board as people write it (rules page, "Board"): the area number of every section clockwise, and
// the areas in the order of their circle, which need not follow the ring.
struct BirthLayout {
  std::array<int, kBirthSections> sections;
  std::array<int, kBirthAreas> circle;
  friend bool operator==(const BirthLayout&, const BirthLayout&) = default;
};

inline constexpr BirthLayout kBirthFront = {{1, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 5, 5, 8},
                                            {1, 2, 3, 5, 8}};
inline constexpr BirthLayout kBirthBack = {{1, 1, 1, 5, 5, 5, 2, 2, 2, 8, 8, 8, 3, 3, 3},
                                           {1, 5, 2, 8, 3}};

// The rules of a game. Made by ParseBirthRules or WithLayout only, which keep the tables in step
// with the layout. A plain value; thread-compatible.
struct BirthRules {
  int players = 2;
  bool advanced = false;  // Eject instead of Birth; areas go to the most dice
  bool relative = false;  // only the relative score counts
  bool back = false;      // the reverse side of the board
  bool opening = false;   // each player may reroll its opening hand once
  bool custom = false;    // the layout is neither side of the board
  BirthLayout layout = kBirthFront;

  // By area index: of the section, and the two neighbours in the circle, the lower first.
  std::array<std::uint8_t, kBirthSections> area_of{};
  std::array<std::array<std::uint8_t, 2>, kBirthAreas> neighbours{};

  int seats() const { return players; }
  int placements() const { return kBirthDice * players; }  // of a whole game
  // The rules string. With a custom layout, which the string cannot hold, it ends in
  // `layout=custom`; ParseBirthRules refuses that and says why.
  std::string ToString() const;
  friend bool operator==(const BirthRules&, const BirthRules&) = default;
};

// The rules of a canonical string `birth:<P>[:<option>+…]`.
Result<BirthRules> ParseBirthRules(std::string_view text);

inline constexpr std::array<Preset, 3> kBirthPresets = {{
    {"birth", "birth:2", "dice placed on a ring of areas, two players"},
    {"birth-3", "birth:3", "the same for three"},
    {"birth-advanced", "birth:2:advanced", "dice are ejected, areas go to the most dice"},
}};

// The same rules on another board. Refuses, with the reason, a layout in which the sections of some
// area are not one contiguous arc of the ring or the circle does not hold every area once; and
// rules that already name the reverse side or have a custom layout.
Result<BirthRules> WithLayout(const BirthRules& rules, const BirthLayout& layout);

}  // namespace berd
