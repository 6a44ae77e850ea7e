#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "engine/core/action_list.h"
#include "engine/core/bits.h"
#include "engine/core/game.h"
#include "engine/core/random.h"

// Dice as counts by value, and throws of several dice as chance events of such counts. Pure
// functions; thread-safe.
namespace berd {

// How many dice show each value 1 .. 6: four bits a value, value 1 in the lowest. Counts up to 15
// fit. Words of the same dice added to another place are added as integers.
using DiceCounts = std::uint32_t;

namespace dice_counts {

inline constexpr int kValues = 6;
inline constexpr int kMostDice = 11;  // that are thrown at once

constexpr int Shift(int value) { return 4 * (value - 1); }
constexpr DiceCounts One(int value) { return DiceCounts{1} << Shift(value); }
constexpr int Count(DiceCounts dice, int value) {
  return static_cast<int>(dice >> Shift(value) & 15);
}
// Only the dice of that value.
constexpr DiceCounts OnlyValue(DiceCounts dice, int value) {
  return dice & DiceCounts{15} << Shift(value);
}

// The values that occur: bit Shift(value) each.
constexpr DiceCounts ValueBits(DiceCounts dice) {
  return (dice | dice >> 1 | dice >> 2 | dice >> 3) & 0x111111;
}
constexpr int ValueOfBit(int bit) { return bit / 4 + 1; }

// Number of dice and sum of pips: every second count spread to bytes, summed by a multiplication
// whose third byte collects the products. No byte overflows: 15 * (2 + 4 + 6) = 180.
constexpr int Total(DiceCounts dice) {
  const std::uint32_t pairs = (dice & 0x0f0f0f) + (dice >> 4 & 0x0f0f0f);
  return static_cast<int>(pairs * 0x010101 >> 16 & 0xff);
}
constexpr int Pips(DiceCounts dice) {
  const std::uint32_t odd = (dice & 0x0f0f0f) * 0x010305 >> 16 & 0xff;
  const std::uint32_t even = (dice >> 4 & 0x0f0f0f) * 0x020406 >> 16 & 0xff;
  return static_cast<int>(odd + even);
}

// 6^dice; 6^11 = 362,797,056 fits 32 bits, so do all sums of weights.
inline constexpr std::array<std::uint32_t, kMostDice + 1> kPowersOfSix = [] {
  std::array<std::uint32_t, kMostDice + 1> powers{1};
  for (std::size_t i = 1; i < powers.size(); ++i) powers[i] = 6 * powers[i - 1];
  return powers;
}();
static_assert(kPowersOfSix[kMostDice] == 362797056);

// Number of different outcomes of a throw: multisets of values, C(dice + 5, 5); 4,368 for 11.
constexpr int Outcomes(int dice) {
  return (dice + 1) * (dice + 2) * (dice + 3) * (dice + 4) * (dice + 5) / 120;
}
static_assert(Outcomes(2) == 21 && Outcomes(kMostDice) == 4368);

// Counts of three dice, by their faces as digits to the base 6.
inline constexpr std::array<DiceCounts, 216> kTriples = [] {
  std::array<DiceCounts, 216> triples{};
  for (std::size_t i = 0; i < triples.size(); ++i) {
    triples[i] = One(static_cast<int>(i % 6) + 1) + One(static_cast<int>(i / 6 % 6) + 1) +
                 One(static_cast<int>(i / 36) + 1);
  }
  return triples;
}();

// A fair throw of 1 .. 11 dice: one of the 6^dice sequences of faces, its digits to the base 6 read
// off in triples. The digits in front of the number are zeros and count as ones too many.
inline DiceCounts Throw(int dice, RandomStream& random) {
  constexpr int kDigits = 12;
  const std::uint32_t faces = random.Below(kPowersOfSix[static_cast<std::size_t>(dice)]);
  return kTriples[faces % 216] + kTriples[faces / 216 % 216] + kTriples[faces / 46656 % 216] +
         kTriples[faces / 10077696] - static_cast<DiceCounts>(kDigits - dice);
}

// Number of sequences of faces with these counts, the multinomial coefficient.
constexpr std::uint32_t Weight(DiceCounts dice) {
  std::uint32_t weight = 1;
  std::uint32_t placed = 0;
  for (int value = 1; value <= kValues; ++value) {
    // Times C(placed + count, count); every intermediate product is an exact multiple.
    for (std::uint32_t i = 1; i <= static_cast<std::uint32_t>(Count(dice, value)); ++i) {
      weight = static_cast<std::uint32_t>(std::uint64_t{weight} * ++placed / i);
    }
  }
  return weight;
}

// Adds all outcomes of a throw with their weights out of 6^dice, ascending.
inline void ListOutcomes(int dice, ActionList<Outcome<DiceCounts>>& outcomes, int value = kValues,
                         DiceCounts higher = 0) {
  if (value == 1) {
    const DiceCounts counts = higher + static_cast<DiceCounts>(dice);
    outcomes.push_back({counts, Weight(counts)});
    return;
  }
  for (int count = 0; count <= dice; ++count) {
    ListOutcomes(dice - count, outcomes, value - 1,
                 higher + static_cast<DiceCounts>(count) * One(value));
  }
}

}  // namespace dice_counts
}  // namespace berd
