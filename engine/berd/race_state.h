#pragma once

#include <array>
#include <cstdint>
#include <type_traits>

#include "engine/berd/board.h"
#include "engine/berd/rules.h"

namespace berd {

enum class RacePhase : std::uint8_t {
  kOrder,   // chance draws the next rank (setup=rolled)
  kCorner,  // the next ranked player chooses its home
  kTrade,   // the turn player chooses a captive to redeem, or ends the window
  kPrice,   // … and the price
  kAnswer,  // the counterpart accepts or declines
  kRoll,    // chance throws the dice
  kMove,    // the turn player makes a sub-move
  kCarry,   // … and says how many captives go along
  kPay,     // another player pays for a finished token
  kEnd,
};

// The dice still to play: at most two faces, each with the number of dice left; high > low.
// A missing face is 0 with 0 dice.
struct DiceLeft {
  std::uint8_t high = 0;
  std::uint8_t low = 0;
  std::uint8_t high_left = 0;
  std::uint8_t low_left = 0;

  bool none() const { return (high_left | low_left) == 0; }
  void Use(int die) {
    if (die == high) {
      if (--high_left == 0) {
        high = low;
        high_left = low_left;
        low = low_left = 0;
      }
    } else {
      if (--low_left == 0) low = 0;
    }
  }
  std::uint32_t bits() const {
    return high | static_cast<std::uint32_t>(low) << 8 |
           static_cast<std::uint32_t>(high_left) << 16 | static_cast<std::uint32_t>(low_left) << 24;
  }
};

inline constexpr std::uint8_t kNoHome = 255;

// What the open steps of a turn need to remember. Fields of other phases are 0, so that equal
// positions are equal bytes.
struct RacePending {
  // kMove's choice, kept during kCarry.
  std::uint8_t from = 0;
  std::uint8_t die = 0;
  std::uint8_t rank = 0;
  std::uint8_t finish = 0;
  // kCarry: the class asked now, and the unvalued counts chosen so far.
  std::uint8_t carry_color = 0;
  std::uint8_t carry_rank = 0;
  // kPay: the value of the finished token (0 unvalued) and who still has to pay.
  std::uint8_t paid_value = 0;
  // kTrade, kPrice, kAnswer: offers made (this one included).
  std::uint8_t offers = 0;
  std::uint16_t payers = 0;
  std::uint8_t offer_square = 0;
  std::uint8_t offer_color = 0;
  std::uint8_t offer_rank = 0;
  std::uint8_t counterpart = 0;
  std::uint32_t price = 0;  // kAnswer: the price action
  std::uint64_t carry_taken = 0;

  friend bool operator==(const RacePending&, const RacePending&) = default;
};

// A layout says how many seats fit and whether tokens have values; games that need less use a
// smaller one.
template <int kSeatsMost, bool kHasValues>
struct RaceLayout {
  static constexpr int kSeats = kSeatsMost;
  static constexpr bool kValued = kHasValues;
};

// The state of a race: rules page §3-§7. Copy like bytes.
template <class Layout>
struct RaceState {
  static constexpr auto kSeats = static_cast<std::size_t>(Layout::kSeats);
  static constexpr bool kValued = Layout::kValued;
  using Tokens = Board<Layout::kSeats, kValued, 64, true>;
  struct Nothing {};

  Tokens tokens;
  std::uint32_t turns = 0;  // completed
  RacePhase phase = RacePhase::kRoll;
  std::uint8_t turn = 0;    // whose turn it is
  std::uint8_t actor = 0;   // who decides
  std::uint8_t ranked = 0;  // kOrder, kCorner: how many are ranked, how many have a home
  DiceLeft dice;
  RacePending pending;
  std::array<std::uint8_t, kSeats> home{};   // corner, or kNoHome
  std::array<std::uint8_t, kSeats> order{};  // setup=rolled: seats by rank, best first
  std::array<std::uint32_t, kSeats> cash{};
  [[no_unique_address]] std::conditional_t<kValued, std::array<std::uint16_t, kSeats>, Nothing>
      carry_ranks{};  // kCarry: ranks chosen so far, by colour
};

using Race2 = RaceLayout<2, false>;
using Race4 = RaceLayout<4, false>;
using Race16 = RaceLayout<16, false>;
using Race4Valued = RaceLayout<4, true>;
using Race16Valued = RaceLayout<16, true>;

static_assert(sizeof(RaceState<Race2>) <= 256);
static_assert(sizeof(RaceState<Race4>) <= 512);
static_assert(sizeof(RaceState<Race16>) <= 2112);
static_assert(sizeof(RaceState<Race4Valued>) <= 576);
static_assert(sizeof(RaceState<Race16Valued>) <= 2560);

}  // namespace berd
