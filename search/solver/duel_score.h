#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "engine/berd/duel.h"
#include "search/solver/duel_moves.h"

namespace berd {

// What a state is worth to its mover: the margin, which is the difference of tokens that will be
// collected from now on, mover less opponent, and the distance, the plies within which the one with
// a positive margin can force the next finish that secures it (0 if the margin is 0). One integer
// orders both, `kScale · margin − distance` for a positive margin and its negative for the
// opponent.
namespace duel_score {

inline constexpr int kScale = 1024;
inline constexpr std::int16_t kNone = std::numeric_limits<std::int16_t>::max();

constexpr int Margin(int score) {
  return score >= 0 ? (score + kScale - 1) / kScale : -((kScale - 1 - score) / kScale);
}
constexpr int Distance(int score) {
  return score >= 0 ? kScale * Margin(score) - score : score - kScale * Margin(score);
}
constexpr int Score(int margin, int distance) {
  return kScale * margin - (margin > 0 ? distance : margin < 0 ? -distance : 0);
}
// The same one ply earlier.
constexpr std::int16_t Before(int score) {
  return static_cast<std::int16_t>(score - (score > 0) + (score < 0));
}

}  // namespace duel_score

// Sideways counters: 4 · (the mover's) + (the opponent's).
inline constexpr int kDuelCounters = 16;
static_assert(Duel<false>::kMostSideways == 3);

// Scores of one board for all counters.
using DuelScores = std::array<std::int16_t, kDuelCounters>;

// The least scores that moves leave to the opponent, collected move by move.
class DuelBackup {
 public:
  DuelBackup() {
    forward_.fill(duel_score::kNone);
    sideways_.fill(duel_score::kNone);
  }
  void Forward(const DuelScores& after) { Minimize(forward_, after); }
  void Sideways(const DuelScores& after) { Minimize(sideways_, after); }
  // `margin_after(c)` is the opponent's margin after the finish with counters c.
  template <class MarginAfter>
  void Finish(int finished, MarginAfter&& margin_after) {
    for (std::size_t counter = 0; counter < 4; ++counter) {
      const int score = duel_score::kScale * (margin_after(4 * counter) - finished);
      auto& least = forward_[4 * counter];
      if (score < least) least = static_cast<std::int16_t>(score);
    }
  }
  // The mover's scores. Where it has no move the turn passes by itself, and `turned` has the scores
  // of the same board for the opponent; `blocked` collects those counters.
  void Result(const DuelScores& turned, DuelScores& result, std::uint32_t& blocked) const {
    blocked = 0;
    for (std::size_t own = 0; own < 4; ++own) {
      for (std::size_t other = 0; other < 4; ++other) {
        std::int16_t least = forward_[4 * other];
        if (own < 3 && sideways_[4 * other + own + 1] < least) {
          least = sideways_[4 * other + own + 1];
        }
        const std::size_t counters = 4 * own + other;
        if (least == duel_score::kNone) {
          blocked |= 1u << counters;
          result[counters] = static_cast<std::int16_t>(-turned[4 * other + own]);
        } else {
          result[counters] = duel_score::Before(-least);
        }
      }
    }
  }

 private:
  static void Minimize(DuelScores& least, const DuelScores& scores) {
    for (std::size_t i = 0; i < kDuelCounters; ++i) {
      least[i] = scores[i] < least[i] ? scores[i] : least[i];
    }
  }

  // By counters as the opponent sees them: 4 · opponent's + mover's new one. A forward move leaves
  // 0 for the mover, so only every fourth entry counts there.
  DuelScores forward_;
  DuelScores sideways_;
};

}  // namespace berd
