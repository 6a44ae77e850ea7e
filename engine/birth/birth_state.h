#pragma once

#include <array>
#include <cstdint>
#include <type_traits>

#include "engine/birth/dice_counts.h"
#include "engine/birth/rules.h"

namespace berd {

enum class BirthPhase : std::uint8_t { kDeal, kOpening, kPlay, kBirth, kEject, kBreak, kEnd };

// The state of a game of Birth. Seats beyond the number of players have no dice and no piece.
struct BirthState {
  using BySeat = std::array<DiceCounts, kMostBirthPlayers>;

  std::array<BySeat, kBirthAreas> areas{};  // by area index
  BySeat hands{};
  // Birth: dice taken out of the area that are not rolled yet, four bits a seat; else 0.
  std::uint16_t unrolled = 0;
  std::array<std::uint8_t, kMostBirthPlayers> sections{};  // where the pieces stand
  std::uint8_t placements = 0;
  BirthPhase phase = BirthPhase::kDeal;
  // Of the deal, of the opening decision, or whose turn it is; at the end the next seat.
  std::uint8_t turn = 0;
  // Birth and Eject: the area index and the value in question; else 0.
  std::uint8_t area = 0;
  std::uint8_t value = 0;

  friend bool operator==(const BirthState&, const BirthState&) = default;
};

static_assert(std::is_trivially_copyable_v<BirthState>);
static_assert(sizeof(BirthState) == 84);

}  // namespace berd
