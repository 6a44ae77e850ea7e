#pragma once

#include <string_view>

#include "engine/core/error.h"
#include "selfplay/match_stats.h"

namespace berd {

// Is the first agent at least `elo1` better than the others (H1), or at most `elo0` (H0)?
struct SprtOptions {
  double elo0 = 0;
  double elo1 = 5;
  double alpha = 0.05;  // most probability of taking H1 when the difference is elo0 or less
  double beta = 0.05;   // most probability of taking H0 when the difference is elo1 or more
};

// "0,5" or "0,5,0.05,0.05": elo0, elo1 and, if wanted, alpha and beta.
Result<SprtOptions> ParseSprt(std::string_view text);

enum class SprtDecision : unsigned char { kNone, kH0, kH1 };

// A sequential test on block means x in [0, 1], looked at after every block. With s0 and s1 the win
// shares of elo0 and elo1, two gamblers start with 1 each:
//   the first bets that the mean is above s0: wealth times 1 + bet (x - s0);
//   the second bets that it is below s1:      wealth times 1 - bet (x - s1).
// If the mean is at most s0 the first one's wealth is a supermartingale, so by Ville's inequality
// it ever reaches 1/alpha with probability alpha at most; likewise the second one's, 1/beta, beta.
// The first to get there decides. So the error rates hold for blocks of any law, without supposing
// a bell shape or a known variance (Waudby-Smith and Ramdas, "Estimating means of bounded random
// variables by betting", 2024).
//
// The bet is (s1 - s0) / variance, estimated from the blocks before. Then, to second order, the
// logarithm of the first wealth is n (s1 - s0) (mean - (s0 + s1) / 2) / variance, the
// log-likelihood ratio of the generalised SPRT used for chess engines, and of the second its
// negative: for small differences this is that test and needs the same number of games.
class Sprt {
 public:
  // The agent plays `own` of the `sides` sides.
  Sprt(const SprtOptions& options, int own, int sides);

  // Adds the mean win share of the agent in the next block. Blocks after a decision are ignored.
  void Add(double block_mean);

  SprtDecision decision() const { return decision_; }
  // Logarithms of the two wealths, and the bounds that decide.
  double evidence_h0() const { return evidence_h0_; }
  double evidence_h1() const { return evidence_h1_; }
  double bound_h0() const { return bound_h0_; }
  double bound_h1() const { return bound_h1_; }
  const SprtOptions& options() const { return options_; }

 private:
  double Variance() const;

  SprtOptions options_;
  double share0_;
  double share1_;
  double bound_h0_;
  double bound_h1_;
  double evidence_h0_ = 0;
  double evidence_h1_ = 0;
  RunningMean blocks_;
  SprtDecision decision_ = SprtDecision::kNone;
};

}  // namespace berd
