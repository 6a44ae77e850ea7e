// Points (rules page of Birth, "Score"), win shares and the novice.

#include <algorithm>
#include <array>

#include "engine/birth/birth.h"

namespace berd {

namespace {

using Points = std::array<int, kMostBirthPlayers>;

// How good the dice are in the contest for an area; the highest wins, 0 never does. Normal: the pip
// sum. Advanced: the number of dice, among ties the lower pip sum (at most 6 * 90 < 1024).
int Rank(const BirthRules& rules, DiceCounts dice) {
  if (!rules.advanced) return dice_counts::Pips(dice);
  return dice == 0 ? 0 : dice_counts::Total(dice) * 1024 - dice_counts::Pips(dice);
}

Points Score(const BirthRules& rules, const BirthState& state) {
  Points points{};
  for (std::size_t area = 0; area < kBirthAreas; ++area) {
    const auto& dice = state.areas[area];
    Points ranks;
    for (std::size_t seat = 0; seat < ranks.size(); ++seat) ranks[seat] = Rank(rules, dice[seat]);
    const int best = std::max({ranks[0], ranks[1], ranks[2], 1});
    for (std::size_t seat = 0; seat < ranks.size(); ++seat) {
      if (ranks[seat] == best) points[seat] += dice_counts::Pips(dice[seat]);
      if (!rules.relative) {
        points[seat] += kBirthAreaNumbers[area] * dice_counts::Total(dice[seat]);
      }
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
  const auto players = points.begin() + rules.players;
  const int best = *std::max_element(points.begin(), players);
  const auto winners = static_cast<std::uint16_t>(std::count(points.begin(), players, best));
  for (std::size_t seat = 0; seat < shares.size(); ++seat) {
    shares[seat] = points[seat] == best ? WinShare{1, winners} : WinShare{0, 1};
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
