#include "selfplay/sprt.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string>
#include <vector>

#include "engine/core/text.h"

namespace berd {

Result<SprtOptions> ParseSprt(std::string_view text) {
  const auto wrong = [&](const std::string& why) {
    return Fail("sequential test " + Quoted(text) + ": " + why +
                "; write ELO0,ELO1 or ELO0,ELO1,ALPHA,BETA, for example 0,5");
  };
  const auto parts = Split(text, ',');
  if (parts.size() != 2 && parts.size() != 4) return wrong("needs two or four numbers");
  SprtOptions options;
  const std::array<double*, 4> fields = {&options.elo0, &options.elo1, &options.alpha,
                                         &options.beta};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const char* const end = parts[i].data() + parts[i].size();
    const auto [stop, error] = std::from_chars(parts[i].data(), end, *fields[i]);
    if (error != std::errc{} || stop != end || !std::isfinite(*fields[i])) {
      return wrong(Quoted(parts[i]) + " is no number");
    }
  }
  if (std::abs(options.elo0) > 2000 || std::abs(options.elo1) > 2000) {
    return wrong("Elo differences lie between -2000 and 2000");
  }
  if (!(options.elo0 < options.elo1)) return wrong("ELO0 must be less than ELO1");
  for (const double rate : {options.alpha, options.beta}) {
    if (!(rate > 0 && rate < 0.5)) return wrong("ALPHA and BETA lie between 0 and 0.5");
  }
  return options;
}

Sprt::Sprt(const SprtOptions& options, int own, int sides)
    : options_(options),
      share0_(ShareOfElo(options.elo0, own, sides)),
      share1_(ShareOfElo(options.elo1, own, sides)),
      bound_h0_(-std::log(options.beta)),
      bound_h1_(-std::log(options.alpha)) {}

// Of the blocks so far, with the largest possible variance counted in like a few blocks, so that
// the first bets are careful.
double Sprt::Variance() const {
  constexpr double kPriorBlocks = 8;
  const double middle = (share0_ + share1_) / 2;
  const double largest = middle * (1 - middle);
  const double free = blocks_.count() > 0 ? static_cast<double>(blocks_.count() - 1) : 0;
  return (blocks_.variance() * free + largest * kPriorBlocks) / (free + kPriorBlocks);
}

void Sprt::Add(double block_mean) {
  if (decision_ != SprtDecision::kNone) return;
  // No bet risks more than this part of the wealth.
  constexpr double kMostRisk = 0.75;
  const double bet = (share1_ - share0_) / Variance();
  const double bet_above = std::min(bet, kMostRisk / share0_);
  const double bet_below = std::min(bet, kMostRisk / (1 - share1_));
  evidence_h1_ += std::log1p(bet_above * (block_mean - share0_));
  evidence_h0_ += std::log1p(-bet_below * (block_mean - share1_));
  blocks_.Add(block_mean);
  const double over_h1 = evidence_h1_ - bound_h1_;
  const double over_h0 = evidence_h0_ - bound_h0_;
  if (over_h1 < 0 && over_h0 < 0) return;
  decision_ = over_h1 > over_h0 ? SprtDecision::kH1 : SprtDecision::kH0;
}

}  // namespace berd
