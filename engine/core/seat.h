#pragma once

#include <compare>
#include <cstdint>

namespace berd {

inline constexpr int kMaxSeats = 16;

// A small non-negative number that must not be mixed with others of its kind. `Tag` is an empty
// struct that names the type. One byte, trivially copyable.
template <class Tag>
class StrongByte {
 public:
  constexpr StrongByte() = default;
  constexpr explicit StrongByte(int value) : value_(static_cast<std::uint8_t>(value)) {}
  // The number as an array index.
  constexpr int index() const { return value_; }
  friend constexpr auto operator<=>(StrongByte, StrongByte) = default;

 private:
  std::uint8_t value_ = 0;
};

// A player's place at the table, 0 .. players - 1. Seat 0 is written A, seat 1 B, …
using Seat = StrongByte<struct SeatTag>;
// A place on a board, 0 .. squares - 1; what the numbers mean is the game's business.
using Square = StrongByte<struct SquareTag>;
// The face of a six-sided die, 1 .. 6.
using Die = StrongByte<struct DieTag>;

static_assert(sizeof(Seat) == 1 && sizeof(Square) == 1 && sizeof(Die) == 1);

constexpr char Letter(Seat seat) { return static_cast<char>('A' + seat.index()); }

}  // namespace berd
