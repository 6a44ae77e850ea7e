#include "selfplay/match_stats.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <limits>

namespace berd {

double StudentQuantile(std::int64_t degrees) {
  assert(degrees >= 1);
  constexpr std::array<double, 30> kTable = {
      12.706205, 4.302653, 3.182446, 2.776445, 2.570582, 2.446912, 2.364624, 2.306004,
      2.262157,  2.228139, 2.200985, 2.178813, 2.160369, 2.144787, 2.131450, 2.119905,
      2.109816,  2.100922, 2.093024, 2.085963, 2.079614, 2.073873, 2.068658, 2.063899,
      2.059539,  2.055529, 2.051831, 2.048407, 2.045230, 2.042272};
  if (degrees <= static_cast<std::int64_t>(kTable.size())) {
    return kTable[static_cast<std::size_t>(degrees - 1)];
  }
  // Expansion about the normal quantile (Abramowitz and Stegun 26.7.5).
  constexpr double z = 1.959963984540054;
  constexpr double z3 = z * z * z;
  constexpr double z5 = z3 * z * z;
  constexpr double z7 = z5 * z * z;
  const auto v = static_cast<double>(degrees);
  return z + (z3 + z) / (4 * v) + (5 * z5 + 16 * z3 + 3 * z) / (96 * v * v) +
         (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / (384 * v * v * v);
}

Interval ShareInterval(const RunningMean& blocks) {
  const double mean = blocks.mean();
  if (blocks.count() < 2) return {0, 1};
  const auto n = static_cast<double>(blocks.count());
  const double error = std::sqrt(blocks.variance() / n);
  // Sums of equal numbers may differ in the last bits.
  if (error < 1e-12) {
    // A block that differs has at most this probability (two-sided 95 %), and may lie anywhere.
    const double other = 1 - std::pow(0.025, 1 / n);
    return {mean * (1 - other), mean + (1 - mean) * other};
  }
  const double half = StudentQuantile(blocks.count() - 1) * error;
  return {std::max(0.0, mean - half), std::min(1.0, mean + half)};
}

Interval MeanInterval(const RunningMean& blocks) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (blocks.count() < 2) return {-kInfinity, kInfinity};
  const double half = StudentQuantile(blocks.count() - 1) *
                      std::sqrt(blocks.variance() / static_cast<double>(blocks.count()));
  return {blocks.mean() - half, blocks.mean() + half};
}

double EloOf(double share, int own, int sides) {
  if (own >= sides) return std::numeric_limits<double>::quiet_NaN();
  const double others = 1 - own * share;
  if (share <= 0) return -std::numeric_limits<double>::infinity();
  if (others <= 1e-12) return std::numeric_limits<double>::infinity();
  return 400 * std::log10(share * (sides - own) / others);
}

double ShareOfElo(double elo, int own, int sides) {
  const double ratio = std::pow(10, elo / 400);
  return ratio / (sides - own + own * ratio);
}

}  // namespace berd
