#pragma once

#include <cstdint>

namespace berd {

struct Interval {
  double low = 0;
  double high = 0;
  friend bool operator==(const Interval&, const Interval&) = default;
};

// Mean and variance of numbers added one by one (Welford's method). The arena adds block means:
// games of a block share their dice, so blocks, not games, are independent.
class RunningMean {
 public:
  void Add(double value) {
    ++count_;
    const double delta = value - mean_;
    mean_ += delta / static_cast<double>(count_);
    squares_ += delta * (value - mean_);
  }
  std::int64_t count() const { return count_; }
  double mean() const { return mean_; }
  // Sample variance; 0 for fewer than two numbers.
  double variance() const { return count_ < 2 ? 0 : squares_ / static_cast<double>(count_ - 1); }

 private:
  std::int64_t count_ = 0;
  double mean_ = 0;
  double squares_ = 0;  // sum of squared distances from the mean
};

// The 97.5 % quantile of Student's t distribution. Requires: degrees >= 1.
double StudentQuantile(std::int64_t degrees);

// 95 % interval for the expectation of a number in [0, 1].
// - Two or more blocks that differ: mean ± t · sd/√n, cut at 0 and 1. With few blocks it is as wide
//   as t says, but t supposes a bell shape: below about 20 blocks take it as a rough guide.
// - All blocks equal (say, all games won): the values that a binomial test would not reject,
// because
//   a spread of zero says nothing about the spread.
// - One block: [0, 1].
Interval ShareInterval(const RunningMean& blocks);

// 95 % interval for the expectation of any number, mean ± t · sd/√n, with the same caution. Without
// bounds to the numbers, fewer than two blocks say nothing: infinite.
Interval MeanInterval(const RunningMean& blocks);

// How the seats of one kind of agent stand against the other seats, in Elo: `own` of `sides` sides
// are played by the agent, and each wins `share` on average. Choosing the winner in proportion to
// strength 10^(elo/400) (Bradley-Terry, Luce) gives
//
//   elo = 400 log10( share (sides - own) / (1 - own share) ),
//
// which is 400 log10(p/(1-p)) for two sides and 400 log10(p (N-1)/(1-p)) for one against the field;
// two agents always get opposite numbers. ±infinity when nothing or everything is won, NaN when
// there are no other seats.
double EloOf(double share, int own, int sides);
// The share that goes with an Elo difference: the inverse.
double ShareOfElo(double elo, int own, int sides);

}  // namespace berd
