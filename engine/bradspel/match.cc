#include "engine/bradspel/match.h"

#include <cassert>

namespace berd {

int RankOf(const BradspelOutcome& outcome) {
  switch (outcome.ending) {
    case BradspelEnding::kSprangjan:
      return 0;
    case BradspelEnding::kJan:
      return 1;
    case BradspelEnding::kHemspel:
      return outcome.munk ? 4 : 5;
    default:
      return outcome.munk ? 2 : 3;
  }
}

BradspelMatch::BradspelMatch(int games, const BradspelRules& rules) : rules_(rules), games_(games) {
  assert(games % 2 == 1);
}

void BradspelMatch::Add(const BradspelOutcome& outcome) {
  assert(!over() && outcome.ending != BradspelEnding::kNone);
  ++played_;
  starter_.reset();
  if (outcome.ending == BradspelEnding::kCap) return;
  points_[Index(outcome.winner)] += outcome.points(rules_);
  ++wins_[Index(outcome.winner)][static_cast<std::size_t>(RankOf(outcome))];
  starter_ = Seat(1 - outcome.winner.index());
}

std::optional<int> BradspelMatch::DecidingRank() const {
  if (points_[0] != points_[1]) return std::nullopt;
  // The first place at which two lists of wins, the best first, differ belongs to the best rank of
  // which one side has more.
  for (std::size_t rank = 0; rank < kBradspelRanks.size(); ++rank) {
    if (wins_[0][rank] != wins_[1][rank]) return static_cast<int>(rank);
  }
  return std::nullopt;
}

std::optional<Seat> BradspelMatch::Leader() const {
  if (points_[0] != points_[1]) return Seat(points_[0] > points_[1] ? 0 : 1);
  const auto rank = DecidingRank();
  if (!rank) return std::nullopt;
  return Seat(wins(Seat(0), *rank) > wins(Seat(1), *rank) ? 0 : 1);
}

}  // namespace berd
