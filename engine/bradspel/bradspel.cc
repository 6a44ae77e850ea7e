#include "engine/bradspel/bradspel.h"

#include <cassert>

#include "engine/bradspel/steps.h"

namespace berd {

using bradspel::kBar;
using bradspel::kOff;
using bradspel::Men;

int BradspelOutcome::points(const BradspelRules& rules) const {
  switch (ending) {
    case BradspelEnding::kNone:
    case BradspelEnding::kCap:
      return 0;
    case BradspelEnding::kSprangjan:
      return rules.sprangjan;
    case BradspelEnding::kJan:
      return 4;
    case BradspelEnding::kHemspel:
      return munk ? 2 : 1;
    default:
      return munk ? 3 : 2;  // a pattern
  }
}

BradspelState Bradspel::initial(const Rules&) {
  State state;
  for (Men& men : state.men) men[24] = tables::kMen;
  return state;
}

bool Bradspel::chance(const Rules&, const State& state, ActionList<Outcome<Action>>& outcomes) {
  outcomes.clear();
  if (state.phase == tables::Phase::kStart) {
    outcomes.push_back({0, 1});
    outcomes.push_back({1, 1});
  } else if (state.phase == tables::Phase::kRoll) {
    tables::ListRolls(outcomes);
  }
  return true;
}

tables::Play Bradspel::sample_chance(const Rules&, const State& state, RandomStream& random) {
  if (state.phase == tables::Phase::kStart) return random.Below(2);
  return static_cast<Action>(SampleRoll(random));
}

void Bradspel::apply(const Rules& rules, State& state, Action action) {
  if (state.phase == tables::Phase::kStart) {
    state.turn = action == 0 ? 1 : 0;  // B first, as strings sort
    state.phase = tables::Phase::kRoll;
    return;
  }
  if (state.phase == tables::Phase::kRoll) {
    state.roll = static_cast<std::uint8_t>(action);
    state.phase = tables::Phase::kPlay;
    return;
  }
  assert(state.phase == tables::Phase::kPlay);
  const Roll& roll = kAllRolls[state.roll];
  Men& own = state.men[state.turn];
  Men& other = state.men[1 - state.turn];
  const int most = roll.is_double() ? tables::kMostSteps : 2;
  for (int step = 0; step < most; ++step) {
    const int from = tables::StepFrom(action, step);
    if (from != 0) bradspel::MakeStep(own, other, from, bradspel::DieOfStep(roll, step));
  }
  // A pass makes no test.
  if (action != tables::kPass) {
    state.ending = bradspel::TestEnd(own, other, (action & bradspel::kBlastLast) != 0);
  }
  tables::EndTurn(state, rules.cap);
}

BradspelOutcome Bradspel::outcome(const State& state) {
  const bool munk = state.ending >= BradspelEnding::kKronspel &&
                    state.ending <= BradspelEnding::kHemspel && state.men[1 - state.turn][kBar] > 0;
  return {state.ending, munk, Seat(state.turn)};
}

int Bradspel::outcome_class(const State& state) {
  const auto ending = static_cast<int>(state.ending);
  if (state.ending == BradspelEnding::kCap) return 0;
  if (state.ending < BradspelEnding::kKronspel) return ending - 1;
  return 2 * (ending - 2) + (outcome(state).munk ? 1 : 0);
}

int Bradspel::class_points(const Rules& rules, int outcome_class) {
  const int ending = outcome_class < 2 ? outcome_class + 1 : outcome_class / 2 + 2;
  return BradspelOutcome{static_cast<BradspelEnding>(ending),
                         outcome_class >= 2 && outcome_class % 2 == 1, Seat(0)}
      .points(rules);
}

void Bradspel::scores(const Rules& rules, const State& state, std::span<std::int64_t> scores) {
  scores[0] = scores[1] = 0;
  scores[state.turn] = outcome(state).points(rules);
}

double Bradspel::novice_score(const Rules& rules, const State& state, Action action) {
  if (state.phase != tables::Phase::kPlay) return 0;
  State after = state;
  apply(rules, after, action);
  if (after.phase == tables::Phase::kEnd) return 1000 * outcome(after).points(rules);
  const Men& own = after.men[state.turn];
  const Men& other = after.men[1 - state.turn];
  const int each = other[kBar] == bradspel::Room(other) ? 12 : 6;
  return tables::Pips(other) - tables::Pips(own) + each * other[kBar];
}

}  // namespace berd
