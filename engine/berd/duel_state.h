#pragma once

#include <array>
#include <cstdint>
#include <type_traits>

#include "engine/berd/board.h"
#include "engine/berd/rules.h"

namespace berd {

enum class DuelPhase : std::uint8_t { kPlace, kMove, kCarry, kEnd };

// What has been on the board since the last finish, for the rule of the third occurrence (rules
// page §8). A finish takes tokens off the board for good, so nothing before it can come again.
//
// Positions are kept as 32-bit fingerprints in a ring of kLength. That is the whole history in a
// game with the default cap of 300 plies; with a larger cap a position is compared with the last
// 300. Three equal positions are needed to end a game, so a chance coincidence of two fingerprints
// alone changes nothing. docs/decisions/0004-duel-history.md has the numbers.
class PositionHistory {
 public:
  static constexpr std::size_t kLength = 300;

  // Forgets everything; leaves no trace in the bytes.
  void Clear() { *this = {}; }
  // The same in less time, for games: old fingerprints stay in the bytes but mean nothing.
  void Restart() { size_ = next_ = 0; }
  // Records a position; returns how often it has occurred now (1 = for the first time).
  int Add(std::uint64_t key) {
    const auto print = static_cast<std::uint32_t>(key >> 32);
    std::uint32_t occurrences = 1;
    for (std::size_t i = 0; i < size_; ++i) occurrences += prints_[i] == print ? 1 : 0;
    prints_[next_] = print;
    next_ = static_cast<std::uint16_t>(next_ + 1u == kLength ? 0 : next_ + 1);
    if (size_ < kLength) ++size_;
    return static_cast<int>(occurrences);
  }
  std::size_t size() const { return size_; }
  // Byte by byte, stale fingerprints included.
  friend bool operator==(const PositionHistory&, const PositionHistory&) = default;

 private:
  std::array<std::uint32_t, kLength> prints_{};
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

static_assert(sizeof(DuelState<false>) <= 1344);
static_assert(sizeof(DuelState<true>) <= 1344);

}  // namespace berd
