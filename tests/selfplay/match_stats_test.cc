#include "selfplay/match_stats.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "engine/core/random.h"

namespace berd {
namespace {

RunningMean MeanOf(const std::vector<double>& values) {
  RunningMean mean;
  for (const double value : values) mean.Add(value);
  return mean;
}

// Distribution function of Student's t by Simpson's rule.
double StudentCdf(double x, double degrees) {
  const double log_scale = std::lgamma((degrees + 1) / 2) - std::lgamma(degrees / 2) -
                           0.5 * std::log(degrees * 3.14159265358979323846);
  const auto density = [&](double t) {
    return std::exp(log_scale - (degrees + 1) / 2 * std::log1p(t * t / degrees));
  };
  constexpr int kSteps = 20000;
  const double h = x / kSteps;
  double sum = density(0) + density(x);
  for (int i = 1; i < kSteps; ++i) sum += density(i * h) * (i % 2 == 1 ? 4 : 2);
  return 0.5 + sum * h / 3;
}

TEST(RunningMean, MatchesHandComputedNumbers) {
  const auto mean = MeanOf({1, 0.5, 0, 0.5});
  EXPECT_EQ(mean.count(), 4);
  EXPECT_DOUBLE_EQ(mean.mean(), 0.5);
  EXPECT_DOUBLE_EQ(mean.variance(), 0.5 / 3);
  EXPECT_EQ(MeanOf({}).variance(), 0);
  EXPECT_EQ(MeanOf({0.3}).variance(), 0);
}

TEST(StudentQuantile, LeavesTwoAndAHalfPercentAbove) {
  for (std::int64_t degrees = 1; degrees <= 40; ++degrees) {
    EXPECT_NEAR(StudentCdf(StudentQuantile(degrees), static_cast<double>(degrees)), 0.975, 2e-7)
        << degrees;
  }
  EXPECT_NEAR(StudentQuantile(100), 1.983972, 1e-6);
  EXPECT_NEAR(StudentQuantile(1000000), 1.959966, 1e-6);
}

TEST(ShareInterval, MatchesHandComputedNumbers) {
  // Mean 0.5, standard error sqrt(0.5 / 3 / 4), t(3) = 3.182446: half-width 0.6496, cut at 0 and 1.
  EXPECT_EQ(ShareInterval(MeanOf({1, 0.5, 0, 0.5})), (Interval{0, 1}));
  // Mean 0.6, variance 0.01 (5 values .5, .5, .6, .7, .7), t(4) = 2.776445.
  const auto interval = ShareInterval(MeanOf({0.5, 0.5, 0.6, 0.7, 0.7}));
  EXPECT_NEAR(interval.low, 0.6 - 2.776445 * 0.1 / std::sqrt(5), 1e-9);
  EXPECT_NEAR(interval.high, 0.6 + 2.776445 * 0.1 / std::sqrt(5), 1e-9);
}

TEST(ShareInterval, KnowsNothingFromOneBlock) {
  EXPECT_EQ(ShareInterval(MeanOf({0.5})), (Interval{0, 1}));
}

TEST(ShareInterval, IsNotEmptyWhenAllBlocksAreEqual) {
  RunningMean all_won;
  for (int i = 0; i < 100; ++i) all_won.Add(1);
  const auto interval = ShareInterval(all_won);
  EXPECT_NEAR(interval.low, std::pow(0.025, 0.01), 1e-12);  // about .964
  EXPECT_EQ(interval.high, 1);
  RunningMean split;
  for (int i = 0; i < 100; ++i) split.Add(0.5);
  EXPECT_LT(ShareInterval(split).low, 0.5);
  EXPECT_GT(ShareInterval(split).high, 0.5);
}

// Blocks of two games with the same dice: wins are correlated.
double DrawBlock(RandomStream& random, double share) {
  const bool first = random.Unit() < share;
  const bool second = random.Unit() < 0.3 ? first : random.Unit() < share;
  return (first + second) / 2.0;
}

TEST(ShareInterval, CoversTheTruthInNinetyFivePercent) {
  for (const double share : {0.5, 0.76, 0.93}) {
    for (const int blocks : {20, 100, 1000}) {
      constexpr int kRuns = 4000;
      int covered = 0;
      for (std::uint32_t run = 0; run < kRuns; ++run) {
        RandomStream random(static_cast<std::uint64_t>(blocks), run, Purpose::kTest,
                            static_cast<std::uint32_t>(1000 * share));
        RunningMean mean;
        for (int i = 0; i < blocks; ++i) mean.Add(DrawBlock(random, share));
        const auto interval = ShareInterval(mean);
        covered += interval.low <= share && share <= interval.high;
      }
      // Three standard errors of the simulation are 0.01. Where few games are lost, a normal
      // interval is known to be off by a few percent.
      const bool many_lost = blocks * (1 - share) >= 50;
      EXPECT_GE(covered, (many_lost ? 0.938 : 0.92) * kRuns) << share << " " << blocks;
      if (many_lost) {
        EXPECT_LE(covered, 0.962 * kRuns) << share << " " << blocks;
      }
    }
  }
}

TEST(Elo, MatchesHandComputedNumbers) {
  EXPECT_DOUBLE_EQ(EloOf(0.5, 1, 2), 0);
  EXPECT_NEAR(EloOf(0.76, 1, 2), 400 * std::log10(0.76 / 0.24), 1e-9);
  EXPECT_NEAR(EloOf(10.0 / 11, 1, 2), 400, 1e-9);
  // One against three: even is 1/4, and 0.6 is 400 log10(0.6 · 3 / 0.4).
  EXPECT_NEAR(EloOf(0.25, 1, 4), 0, 1e-9);
  EXPECT_NEAR(EloOf(0.6, 1, 4), 400 * std::log10(4.5), 1e-9);
}

TEST(Elo, IsOppositeForTwoAgents) {
  for (const double share : {0.1, 0.25, 0.6, 0.97}) {
    EXPECT_NEAR(EloOf(share, 1, 4), -EloOf((1 - share) / 3, 3, 4), 1e-9);
  }
}

TEST(Elo, IsUnboundedWhenAllOrNothingIsWon) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(EloOf(1, 1, 2), kInfinity);
  EXPECT_EQ(EloOf(0, 1, 2), -kInfinity);
  EXPECT_EQ(EloOf(1.0 / 3, 3, 4), kInfinity);
  EXPECT_TRUE(std::isnan(EloOf(0.25, 4, 4)));
}

TEST(Elo, ShareIsTheInverse) {
  for (const double elo : {-400.0, -5.0, 0.0, 30.0, 700.0}) {
    EXPECT_NEAR(EloOf(ShareOfElo(elo, 1, 2), 1, 2), elo, 1e-6);
    EXPECT_NEAR(EloOf(ShareOfElo(elo, 3, 5), 3, 5), elo, 1e-6);
  }
}

}  // namespace
}  // namespace berd
