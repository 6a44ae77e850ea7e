#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

namespace berd {

// Numbers of tokens by colour, four bits a colour, in one machine word: colour c in bits 4c..4c+3.
// Room for the colours of `kSeats` players (2, 4, 8 or 16) with at most 15 tokens each. Words of
// disjoint groups of tokens add up by plain addition.
template <int kSeats>
struct PackedCounts {
  using Word = std::conditional_t<
      kSeats == 2, std::uint8_t,
      std::conditional_t<kSeats == 4, std::uint16_t,
                         std::conditional_t<kSeats == 8, std::uint32_t, std::uint64_t>>>;

  // One token of the colour.
  static constexpr Word One(int color) { return static_cast<Word>(Word{1} << (4 * color)); }
  static constexpr int Count(Word word, int color) {
    return static_cast<int>((word >> (4 * color)) & 15);
  }
  // All bits of the colour.
  static constexpr Word Field(int color) { return static_cast<Word>(Word{15} << (4 * color)); }
  // All bits of the colours in a set of seats.
  static constexpr Word Fields(std::uint32_t seats) {
    Word word = 0;
    for (; seats != 0; seats &= seats - 1) word |= Field(std::countr_zero(seats));
    return word;
  }
  static constexpr int Total(Word word) {
    std::uint64_t pairs = word;
    pairs = (pairs & 0x0f0f0f0f0f0f0f0fULL) + ((pairs >> 4) & 0x0f0f0f0f0f0f0f0fULL);
    return static_cast<int>((pairs * 0x0101010101010101ULL) >> 56);
  }
  // Calls visit(color, count) for each colour present, ascending.
  template <class Visit>
  static constexpr void ForEach(Word word, Visit&& visit) {
    while (word != 0) {
      const int color = std::countr_zero(word) / 4;
      visit(color, Count(word, color));
      word = static_cast<Word>(word & ~Field(color));
    }
  }
};

}  // namespace berd
