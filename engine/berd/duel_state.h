#pragma once

#include <array>
#include <cstdint>
#include <type_traits>

#include "engine/berd/board.h"
#include "engine/berd/rules.h"

namespace berd {

enum class DuelPhase : std::uint8_t { kPlace, kMove, kCarry, kEnd };

// Keys of the positions since the last move that cannot be taken back, for the rule of the third
// occurrence (rules page §8). Finishing is the only such move: tokens leave the board for good.
//
// The list is a ring of kLength positions, so a state stays small. A position is compared with the
// last kLength ones; docs/decisions/0004-duel-history.md says how far games stay from that bound.
class PositionHistory {
 public:
  static constexpr std::size_t kLength = 128;

  void Clear() { size_ = next_ = 0; }
  // Records a position; returns how often it has occurred now (1 = for the first time).
  int Add(std::uint64_t key) {
    int occurrences = 1;
    for (std::size_t i = 0; i < size_; ++i) occurrences += keys_[i] == key;
    keys_[next_] = key;
    next_ = static_cast<std::uint16_t>((next_ + 1u) % kLength);
    if (size_ < kLength) ++size_;
    return occurrences;
  }
  std::size_t size() const { return size_; }

 private:
  std::array<std::uint64_t, kLength> keys_{};
  std::uint16_t size_ = 0;
  std::uint16_t next_ = 0;
};

// The state of a duel. Squares are numbered row by row from a1: (row - 1) * W + column.
template <bool kHasValues>
struct DuelState {
  static constexpr bool kValued = kHasValues;
  using Tokens = Board<2, kValued, 16, false>;
  struct Nothing {};

  Tokens tokens;
  std::uint32_t plies = 0;
  DuelPhase phase = DuelPhase::kPlace;
  std::uint8_t turn = 0;
  std::uint8_t placed = 0;  // placing decisions the turn player has made
  std::array<std::uint8_t, 2> sideways{};
  // The move in hand during kCarry; kOff in `to` finishes.
  std::uint8_t from = 0;
  std::uint8_t to = 0;
  std::uint8_t rank = 0;
  std::uint8_t carry_rank = 0;  // valued: the captive asked now
  [[no_unique_address]] std::conditional_t<kValued, std::uint16_t, Nothing>
      carry_ranks{};  // … and those chosen so far
  PositionHistory history;
};

static_assert(sizeof(DuelState<false>) <= 1280);
static_assert(sizeof(DuelState<true>) <= 1280);

}  // namespace berd
