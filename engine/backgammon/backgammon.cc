#include "engine/backgammon/backgammon.h"

#include <cassert>

namespace berd {
namespace {

using tables::kBar;
using tables::kOff;
using tables::Men;

// The throws of the opening in the order of their strings: index in kAllRolls.
constexpr std::array<std::uint8_t, 15> kOpeningRolls = [] {
  std::array<std::uint8_t, 15> rolls{};
  std::size_t next = 0;
  for (std::size_t roll = 0; roll < kRolls; ++roll) {
    if (!kAllRolls[roll].is_double()) rolls[next++] = static_cast<std::uint8_t>(roll);
  }
  return rolls;
}();

void MakePlay(BackgammonState& state, tables::Play play) {
  const Roll& roll = kAllRolls[state.roll];
  Men& own = state.men[state.turn];
  Men& other = state.men[1 - state.turn];
  const int most = roll.is_double() ? tables::kMostSteps : 2;
  for (int step = 0; step < most; ++step) {
    const int from = tables::StepFrom(play, step);
    if (from != 0) backgammon::MakeStep(own, other, from, backgammon::DieOfStep(roll, step));
  }
}

}  // namespace

BackgammonState Backgammon::initial(const Rules&) {
  State state;
  for (Men& men : state.men) {
    men[24] = 2;
    men[13] = 5;
    men[8] = 3;
    men[6] = 5;
  }
  return state;
}

bool Backgammon::chance(const Rules&, const State& state, ActionList<Outcome<Action>>& outcomes) {
  outcomes.clear();
  if (state.phase == tables::Phase::kStart) {
    for (Action action = 0; action < 2 * kOpeningRolls.size(); ++action) {
      outcomes.push_back({action, 1});
    }
  } else if (state.phase == tables::Phase::kRoll) {
    tables::ListRolls(outcomes);
  }
  return true;
}

tables::Play Backgammon::sample_chance(const Rules&, const State& state, RandomStream& random) {
  if (state.phase == tables::Phase::kStart) return random.Below(2 * kOpeningRolls.size());
  return static_cast<Action>(SampleRoll(random));
}

void Backgammon::apply(const Rules& rules, State& state, Action action) {
  switch (state.phase) {
    case tables::Phase::kStart:
      state.turn = action < kOpeningRolls.size() ? 1 : 0;  // B first, as strings sort
      state.roll = kOpeningRolls[action % kOpeningRolls.size()];
      state.phase = tables::Phase::kPlay;
      return;
    case tables::Phase::kRoll:
      state.roll = static_cast<std::uint8_t>(action);
      state.phase = tables::Phase::kPlay;
      return;
    case tables::Phase::kPlay:
      break;
    case tables::Phase::kEnd:
      assert(false);
      return;
  }
  MakePlay(state, action);
  if (state.men[state.turn][kOff] == tables::kMen) {
    state.ending = backgammon::EndingOf(state.men[1 - state.turn]);
  }
  tables::EndTurn(state, rules.cap);
}

void Backgammon::scores(const Rules&, const State& state, std::span<std::int64_t> scores) {
  scores[0] = scores[1] = 0;
  scores[state.turn] = outcome(state).points();
}

double Backgammon::novice_score(const Rules& rules, const State& state, Action action) {
  if (state.phase != tables::Phase::kPlay) return 0;
  State after = state;
  apply(rules, after, action);
  if (after.phase == tables::Phase::kEnd) return 1000 * outcome(after).points();
  const Men& own = after.men[state.turn];
  const Men& other = after.men[1 - state.turn];
  double score = tables::Pips(other) - tables::Pips(own);
  const tables::PointSet there = AtLeast(other, 1) & ~tables::PointBit(kOff);
  const int behind = there == 0 ? 0 : tables::Farthest(there);
  for (int point = 1; point <= tables::kPoints; ++point) {
    if (own[point] >= 2) score += point <= 6 ? 4 : 2;
    // A man can be hit by those of the other side that still have to pass it.
    if (own[point] == 1 && behind > kBar - point) score -= 3;
  }
  return score;
}

}  // namespace berd
