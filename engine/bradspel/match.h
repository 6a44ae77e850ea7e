#pragma once

// A match of Brädspel (rules page, "End"): an odd number of games, all of which are played and
// their points added.

#include <array>
#include <optional>
#include <string_view>

#include "engine/bradspel/bradspel.h"

namespace berd {

// The ranks of wins that break a tie, the best first.
inline constexpr std::array<std::string_view, 6> kBradspelRanks = {
    "sprangjan", "jan", "pattern with munk", "pattern", "hemspel with munk", "hemspel"};
// The place in kBradspelRanks. Requires: somebody won.
int RankOf(const BradspelOutcome& outcome);

// The games of a match so far. A plain value; thread-compatible.
class BradspelMatch {
 public:
  // Requires: games is odd.
  BradspelMatch(int games, const BradspelRules& rules);

  // Notes the next game. A game that nobody won within the allowed turns counts as played, without
  // points. Requires: !over() and the game has ended.
  void Add(const BradspelOutcome& outcome);

  int games() const { return games_; }
  int played() const { return played_; }
  bool over() const { return played_ == games_; }
  int points(Seat seat) const { return points_[Index(seat)]; }
  // Wins of a rank.
  int wins(Seat seat, int rank) const { return wins_[Index(seat)][static_cast<std::size_t>(rank)]; }

  // The loser of the last game, who begins the next; nobody: it is drawn by lot, in the first game
  // and after one without a winner.
  std::optional<Seat> starter() const { return starter_; }

  // Who is ahead: by points, then by the best win, the second best and so on; nobody if all that is
  // equal. At the end the winner; nobody: the match is drawn.
  std::optional<Seat> Leader() const;
  // The rank by which the leader is ahead at equal points, because it has more wins of it; nothing
  // if points decide or nobody leads.
  std::optional<int> DecidingRank() const;

 private:
  static std::size_t Index(Seat seat) { return static_cast<std::size_t>(seat.index()); }

  BradspelRules rules_;
  int games_;
  int played_ = 0;
  std::array<int, 2> points_{};
  std::array<std::array<int, kBradspelRanks.size()>, 2> wins_{};
  std::optional<Seat> starter_;
};

}  // namespace berd
