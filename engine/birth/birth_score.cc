// Points (rules page of Birth, "Score"), win shares and the novice.

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "engine/birth/birth.h"

namespace berd {

namespace {

using Points = std::array<int, kMostBirthPlayers>;

// How good dice are in the contest for an area; the highest wins, 0 never does. Normal rules: the
// pip sum. Advanced rules: the number of dice, among ties the lower pip sum (at most 15 * 21 <
// 512).
//
// All areas and seats go through the same arithmetic in lanes of one loop; the last lane is idle.
Points Score(const BirthRules& rules, const BirthState& state) {
  constexpr std::size_t kLanes = 16;
  std::array<DiceCounts, kLanes> counts{};
  static_assert(sizeof(state.areas) == (kLanes - 1) * sizeof(DiceCounts));
  std::memcpy(counts.data(), &state.areas, sizeof(state.areas));
  std::array<int, kLanes> pips;
  std::array<int, kLanes> dice;
  std::array<int, kLanes> ranks;
  const int dice_weight = rules.advanced ? 512 : 0;
  const int pips_weight = rules.advanced ? -1 : 1;
  for (std::size_t i = 0; i < kLanes; ++i) {
    pips[i] = dice_counts::Pips(counts[i]);
    dice[i] = dice_counts::Total(counts[i]);
    ranks[i] = dice_weight * dice[i] + pips_weight * pips[i];
  }
  Points points{};
  const int absolute = rules.relative ? 0 : 1;
  for (std::size_t area = 0; area < kBirthAreas; ++area) {
    const std::size_t first = area * kMostBirthPlayers;
    const int best = std::max(std::max(ranks[first], ranks[first + 1]), ranks[first + 2]);
    const int number = absolute * kBirthAreaNumbers[area];
    for (std::size_t seat = 0; seat < kMostBirthPlayers; ++seat) {
      const std::size_t i = first + seat;
      // Without dice in the area all ranks are 0, and so are the pips.
      points[seat] += (ranks[i] == best ? pips[i] : 0) + number * dice[i];
    }
  }
  return points;
}

int Lead(const BirthRules& rules, const BirthState& state, int seat) {
  const Points points = Score(rules, state);
  int best = -1;
  for (int other = 0; other < rules.players; ++other) {
    if (other != seat) best = std::max(best, points[static_cast<std::size_t>(other)]);
  }
  return points[static_cast<std::size_t>(seat)] - best;
}

}  // namespace

void Birth::scores(const Rules& rules, const State& state, std::span<std::int64_t> scores) {
  const Points points = Score(rules, state);
  for (std::size_t seat = 0; seat < scores.size(); ++seat) scores[seat] = points[seat];
}

void Birth::win_shares(const Rules& rules, const State& state, std::span<WinShare> shares) {
  const Points points = Score(rules, state);
  int best = 0;
  for (const int score : points) best = std::max(best, score);  // absent seats have no points
  int winners = 0;
  for (std::size_t seat = 0; seat < points.size(); ++seat) {
    if (static_cast<int>(seat) < rules.players && points[seat] == best) ++winners;
  }
  for (std::size_t seat = 0; seat < shares.size(); ++seat) {
    shares[seat] =
        points[seat] == best ? WinShare{1, static_cast<std::uint16_t>(winners)} : WinShare{0, 1};
  }
}

double Birth::novice_score(const Rules& rules, const State& state, Action action) {
  if (state.phase == BirthPhase::kOpening) {
    constexpr double kMeanValues = 5.19;
    return action == kKeep ? std::popcount(dice_counts::ValueBits(state.hands[state.turn]))
                           : kMeanValues;
  }
  State next = state;
  if (state.phase == BirthPhase::kPlay) {
    const int value = static_cast<int>(action);
    const int section = Landing(rules, state, state.turn, value);
    const auto area = rules.area_of[static_cast<std::size_t>(section)];
    next.areas[area][state.turn] += dice_counts::One(value);
  } else {
    apply(rules, next, action);
  }
  return Lead(rules, next, state.turn);
}

}  // namespace berd
