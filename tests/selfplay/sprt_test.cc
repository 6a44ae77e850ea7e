#include "selfplay/sprt.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "engine/core/random.h"

namespace berd {
namespace {

using ::testing::HasSubstr;

TEST(ParseSprt, ReadsTwoOrFourNumbers) {
  const auto two = ParseSprt("0,5");
  ASSERT_TRUE(two);
  EXPECT_EQ(two->elo0, 0);
  EXPECT_EQ(two->elo1, 5);
  EXPECT_EQ(two->alpha, 0.05);
  const auto four = ParseSprt("-2.5,10,0.01,0.1");
  ASSERT_TRUE(four);
  EXPECT_EQ(four->elo0, -2.5);
  EXPECT_EQ(four->alpha, 0.01);
  EXPECT_EQ(four->beta, 0.1);
}

TEST(ParseSprt, SaysWhatIsWrong) {
  const auto complaint = [](std::string_view text) {
    const auto options = ParseSprt(text);
    return options ? "fine" : options.error().message;
  };
  EXPECT_THAT(complaint("5"), HasSubstr("two or four numbers"));
  EXPECT_THAT(complaint("0,5,0.05"), HasSubstr("two or four numbers"));
  EXPECT_THAT(complaint("0,x"), HasSubstr("'x' is no number"));
  EXPECT_THAT(complaint("5,5"), HasSubstr("ELO0 must be less than ELO1"));
  EXPECT_THAT(complaint("0,5,0,0.05"), HasSubstr("ALPHA and BETA"));
  EXPECT_THAT(complaint("0,9999"), HasSubstr("between -2000 and 2000"));
  EXPECT_THAT(complaint("nan,5"), HasSubstr("no number"));
}

TEST(Sprt, MultipliesHandComputedWealth) {
  // Two sides, 0 against 200 Elo: s0 = .5, s1 = .759747. The first bet uses the largest variance,
  // m (1 - m) with m = .629873: (s1 - s0) / .233133 = 1.114160.
  Sprt sprt({.elo0 = 0, .elo1 = 200}, 1, 2);
  EXPECT_NEAR(sprt.bound_h1(), std::log(20), 1e-12);
  sprt.Add(1);
  EXPECT_NEAR(sprt.evidence_h1(), std::log(1 + 1.114160 * 0.5), 1e-5);
  EXPECT_NEAR(sprt.evidence_h0(), std::log(1 - 1.114160 * 0.240253), 1e-5);
  EXPECT_EQ(sprt.decision(), SprtDecision::kNone);
}

TEST(Sprt, StopsAtTheFirstDecision) {
  Sprt sprt({.elo0 = 0, .elo1 = 200}, 1, 2);
  int blocks = 0;
  while (sprt.decision() == SprtDecision::kNone) {
    sprt.Add(1);
    ++blocks;
  }
  EXPECT_EQ(sprt.decision(), SprtDecision::kH1);
  EXPECT_LT(blocks, 20);
  const double evidence = sprt.evidence_h1();
  sprt.Add(0);
  EXPECT_EQ(sprt.evidence_h1(), evidence);
}

struct Hypotheses {
  double elo0;
  double elo1;
  int sides;
  double correlation;  // of games in a block
};

struct Errors {
  double rate;    // wrong decisions
  double blocks;  // mean number
};

// Plays tests on simulated blocks in which the agent's strength is `elo`.
Errors Simulate(const Hypotheses& hypotheses, double elo, SprtDecision wrong, std::uint32_t runs) {
  const double share = ShareOfElo(elo, 1, hypotheses.sides);
  double errors = 0;
  double blocks = 0;
  for (std::uint32_t run = 0; run < runs; ++run) {
    RandomStream random(1, run, Purpose::kTest, static_cast<std::uint32_t>(hypotheses.elo1));
    Sprt sprt({.elo0 = hypotheses.elo0, .elo1 = hypotheses.elo1}, 1, hypotheses.sides);
    while (sprt.decision() == SprtDecision::kNone) {
      double wins = 0;
      bool first = false;
      for (int game = 0; game < hypotheses.sides; ++game) {
        bool won = static_cast<double>(random.Next()) * 0x1p-32 < share;
        if (game == 0) first = won;
        if (game > 0 && random.Unit() < hypotheses.correlation) won = first;
        wins += won;
      }
      sprt.Add(wins / hypotheses.sides);
      ++blocks;
    }
    errors += sprt.decision() == wrong;
  }
  return {errors / runs, blocks / runs};
}

// Rates below the nominal 0.05 plus three standard errors of the simulation.
void ExpectNominalErrors(const Hypotheses& hypotheses, std::uint32_t runs) {
  const double most = 0.05 + 3 * std::sqrt(0.05 * 0.95 / runs);
  const auto h0 = Simulate(hypotheses, hypotheses.elo0, SprtDecision::kH1, runs);
  const auto h1 = Simulate(hypotheses, hypotheses.elo1, SprtDecision::kH0, runs);
  EXPECT_LE(h0.rate, most) << hypotheses.elo0 << "," << hypotheses.elo1;
  EXPECT_LE(h1.rate, most) << hypotheses.elo0 << "," << hypotheses.elo1;
}

TEST(Sprt, KeepsItsErrorRates) {
  for (const Hypotheses& hypotheses :
       {Hypotheses{0, 40, 2, 0}, Hypotheses{0, 60, 2, 0.5}, Hypotheses{0, 300, 2, 0},
        Hypotheses{300, 400, 2, 0}, Hypotheses{0, 60, 4, 0}, Hypotheses{200, 300, 4, 0.3}}) {
    ExpectNominalErrors(hypotheses, 1000);
  }
}

// Nearly everything is won: a normal approximation with the estimated variance fails here.
TEST(Sprt, KeepsItsErrorRatesNearTheBorder) {
  ExpectNominalErrors({600, 800, 2, 0}, 1000);
  ExpectNominalErrors({0, 100, 16, 0}, 500);
}

TEST(Sprt, KeepsItsErrorRatesSlow) {
  ExpectNominalErrors({0, 5, 2, 0}, 2000);
  ExpectNominalErrors({0, 10, 2, 0.3}, 4000);
}

// Wald's test with the known variance needs about 2 · 2.65 σ² / δ² blocks.
TEST(Sprt, NeedsNoMoreBlocksThanWaldsTest) {
  const Hypotheses hypotheses{0, 30, 2, 0};
  const double gap = ShareOfElo(30, 1, 2) - 0.5;
  const double wald = 2 * 0.9 * std::log(19) * 0.125 / (gap * gap);
  EXPECT_LT(Simulate(hypotheses, 0, SprtDecision::kH1, 500).blocks, 1.2 * wald);
  EXPECT_LT(Simulate(hypotheses, 30, SprtDecision::kH0, 500).blocks, 1.2 * wald);
}

}  // namespace
}  // namespace berd
