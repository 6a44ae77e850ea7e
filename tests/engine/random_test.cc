// Philox, streams of random numbers, dice.

#include "engine/core/random.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <set>
#include <vector>

#include "engine/core/dice.h"

namespace berd {
namespace {

using Block = std::array<std::uint32_t, 4>;

// The known answers of Random123 (kat_vectors, philox4x32 with 10 rounds).
TEST(Philox, GivesTheKnownAnswers) {
  EXPECT_EQ(Philox({0, 0, 0, 0}, {0, 0}), (Block{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  constexpr std::uint32_t kOnes = 0xffffffff;
  EXPECT_EQ(Philox({kOnes, kOnes, kOnes, kOnes}, {kOnes, kOnes}),
            (Block{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(Philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Block{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(RandomStream, IsCountedPhilox) {
  RandomStream random(0x0000000200000001, 0x00abcdef01234567, Purpose::kChance, 9);
  std::vector<std::uint32_t> words;
  for (int i = 0; i < 8; ++i) words.push_back(random.Next());
  for (std::uint32_t block = 0; block < 2; ++block) {
    // Counter: block, index, low half of the game, its high 24 bits above the purpose.
    const Block expected = Philox({block, 9, 0x01234567, 0xabcdef01}, {1, 2});
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(words[4 * block + i], expected[i]);
  }
}

TEST(RandomStream, DiffersInEveryPartOfItsName) {
  std::set<std::uint32_t> first;
  for (const std::uint64_t seed : {1ull, 2ull, 1ull << 32}) {
    for (const std::uint64_t game : {0ull, 1ull, 1ull << 32, 1ull << 55}) {
      for (const Purpose purpose : {Purpose::kChance, Purpose::kAgent, Purpose::kTest}) {
        for (const std::uint32_t index : {0u, 1u, 0xffffffffu}) {
          first.insert(RandomStream(seed, game, purpose, index).Next());
        }
      }
    }
  }
  EXPECT_EQ(first.size(), 3u * 4 * 3 * 3);
}

TEST(RandomStream, CopiesGoOnAlike) {
  RandomStream random(1, 2, Purpose::kTest, 3);
  random.Next();
  RandomStream copy = random;
  for (int i = 0; i < 10; ++i) EXPECT_EQ(copy.Next(), random.Next());
}

TEST(RandomStream, BelowIsUniform) {
  for (const std::uint32_t bound : {1u, 2u, 3u, 7u, 36u, 1000u}) {
    RandomStream random(5, bound, Purpose::kTest, 0);
    const std::uint32_t draws = 200 * bound;
    std::vector<double> counts(bound);
    for (std::uint32_t i = 0; i < draws; ++i) {
      const std::uint32_t number = random.Below(bound);
      ASSERT_LT(number, bound);
      ++counts[number];
    }
    double chi_square = 0;
    for (const double count : counts) chi_square += (count - 200) * (count - 200) / 200;
    const double freedom = bound - 1.0;
    EXPECT_LE(chi_square, freedom + 6 * std::sqrt(2 * freedom) + 8) << bound;
    EXPECT_GE(chi_square, freedom - 6 * std::sqrt(2 * freedom) - 8) << bound;
  }
}

// With a bound just above 2^31 nearly half of the words must be drawn again; the plain product
// would give some numbers twice as often.
TEST(RandomStream, BelowHasNoBiasForLargeBounds) {
  constexpr std::uint32_t kBound = 0xC0000000;  // 3 · 2^30
  RandomStream random(6, 0, Purpose::kTest, 0);
  std::array<int, 3> thirds{};
  constexpr int kDraws = 30000;
  for (int i = 0; i < kDraws; ++i) ++thirds[random.Below(kBound) >> 30];
  for (const int count : thirds) EXPECT_NEAR(count, kDraws / 3.0, 500);
  // Low bits too.
  std::array<int, 3> residues{};
  for (int i = 0; i < kDraws; ++i) ++residues[random.Below(kBound) % 3];
  for (const int count : residues) EXPECT_NEAR(count, kDraws / 3.0, 500);
}

TEST(RandomStream, UnitIsInTheHalfOpenInterval) {
  RandomStream random(7, 0, Purpose::kTest, 0);
  double sum = 0;
  for (int i = 0; i < 10000; ++i) {
    const float unit = random.Unit();
    ASSERT_GE(unit, 0.0f);
    ASSERT_LT(unit, 1.0f);
    sum += unit;
  }
  EXPECT_NEAR(sum / 10000, 0.5, 0.02);
}

TEST(Dice, TableHoldsAllThrows) {
  int weight = 0;
  int index = 0;
  for (int high = 1; high <= 6; ++high) {
    for (int low = 1; low <= high; ++low, ++index) {
      const Roll roll = kAllRolls[static_cast<std::size_t>(index)];
      EXPECT_EQ(roll.high, high);
      EXPECT_EQ(roll.low, low);
      EXPECT_EQ(roll.weight, high == low ? 1 : 2);
      EXPECT_EQ(roll.is_double(), high == low);
      EXPECT_EQ(RollIndex(high, low), index);
      EXPECT_EQ(RollIndex(low, high), index);
      weight += roll.weight;
    }
  }
  EXPECT_EQ(index, kRolls);
  EXPECT_EQ(weight, 36);
}

TEST(Dice, ThrowsAreFair) {
  RandomStream random(8, 0, Purpose::kTest, 0);
  constexpr int kThrows = 36000;
  std::array<double, kRolls> counts{};
  for (int i = 0; i < kThrows; ++i) ++counts[static_cast<std::size_t>(SampleRoll(random))];
  double chi_square = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const double expected = kThrows / 36.0 * kAllRolls[i].weight;
    chi_square += (counts[i] - expected) * (counts[i] - expected) / expected;
  }
  EXPECT_LE(chi_square, 45.3);  // 20 degrees of freedom: one in a thousand
}

}  // namespace
}  // namespace berd
