#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

namespace berd {

// Fails if counts are implausible for draws with these weights: chi-square beyond six standard
// deviations and a constant (seeds are fixed, so a test that passes stays so).
inline void ExpectPlausible(const std::vector<long>& counts, const std::vector<double>& weights) {
  const auto total = static_cast<double>(std::accumulate(counts.begin(), counts.end(), 0L));
  const double weight = std::accumulate(weights.begin(), weights.end(), 0.0);
  double chi_square = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const double expected = total * weights[i] / weight;
    const double error = static_cast<double>(counts[i]) - expected;
    chi_square += error * error / expected;
  }
  const double freedom = static_cast<double>(counts.size()) - 1;
  EXPECT_LE(chi_square, freedom + 6 * std::sqrt(2 * freedom) + 8);
}

}  // namespace berd
