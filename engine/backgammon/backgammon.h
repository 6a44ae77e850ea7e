#pragma once

// Backgammon without the cube (docs/reference/rules-backgammon.md), the yardstick game: single
// games for 1, 2 (gammon) or 3 (backgammon) points.

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "engine/backgammon/rules.h"
#include "engine/core/dice.h"
#include "engine/core/game.h"
#include "engine/tables/men.h"
#include "engine/tables/play.h"
#include "engine/tables/state.h"

namespace berd {

// What an ended game was worth to the winner; kCap: nobody won within the allowed turns.
enum class BackgammonEnding : std::uint8_t { kNone, kSingle, kGammon, kBackgammon, kCap };

// Who won what.
struct BackgammonOutcome {
  BackgammonEnding ending = BackgammonEnding::kNone;
  Seat winner;  // meaningful unless ending is kNone or kCap
  // 1, 2 or 3; 0 while the game goes on and at the cap.
  int points() const { return ending == BackgammonEnding::kCap ? 0 : static_cast<int>(ending); }
  friend bool operator==(const BackgammonOutcome&, const BackgammonOutcome&) = default;
};

// Each side's men by its own points (24 farthest, 25 bar, 0 off).
using BackgammonState = tables::State<BackgammonEnding>;
static_assert(sizeof(BackgammonState) == 72);

// See engine/core/game.h for the meaning of the functions. One action is one whole play (see
// tables::Play); plays that lead to the same position are one action. Actions of chance: in phase
// kStart 15 * starter + index of the throw among the unequal ones with B before W, in phase kRoll
// the index in kAllRolls.
struct Backgammon {
  using Rules = BackgammonRules;
  using State = BackgammonState;
  using Action = tables::Play;
  static constexpr int kSeats = 2;

  static constexpr GameFacts kFacts = {
      .name = "backgammon",
      .min_seats = 2,
      .max_seats = 2,
      .dice = true,
      .hidden_values = false,
      .rules_version = 1,
  };

  using Observation = OpenObservation<State>;
  static constexpr bool kWholeTurns = true;  // see engine/core/afterstates.h

  static State initial(const Rules& rules);
  static Waits waits(const State& state) { return tables::WaitsOf(state); }
  static Seat turn(const State& state) { return Seat(state.turn); }
  static Seat actor(const State& state) { return Seat(state.turn); }
  static std::uint32_t turns(const State& state) { return state.turns; }
  static void legal(const Rules& rules, const State& state, ActionList<Action>& actions);
  static Action sample_legal(const Rules& rules, const State& state, RandomStream& random);
  static bool chance(const Rules& rules, const State& state, ActionList<Outcome<Action>>& outcomes);
  static Action sample_chance(const Rules& rules, const State& state, RandomStream& random);
  static void apply(const Rules& rules, State& state, Action action);
  static std::uint64_t key(const State& state) { return tables::KeyOf(state); }

  static void win_shares(const Rules&, const State& state, std::span<WinShare> shares) {
    tables::WinSharesOf(state, shares);
  }
  static void scores(const Rules& rules, const State& state, std::span<std::int64_t> scores);
  static int side(const Rules&, Seat seat) { return seat.index(); }
  static BackgammonOutcome outcome(const State& state) { return {state.ending, Seat(state.turn)}; }
  // Single, gammon, backgammon.
  static constexpr int kOutcomeClasses = 3;
  static int outcome_class(const State& state) { return std::max(outcome(state).points(), 1) - 1; }
  static int class_points(const Rules&, int outcome_class) { return outcome_class + 1; }

  static std::string position(const Rules& rules, const State& state);
  static Result<State> parse(const Rules& rules, std::string_view text);
  static std::string view(const Rules& rules, const State& state, Seat) {
    return position(rules, state);
  }
  static std::string action_name(const Rules& rules, const State& state, Action action);
  static Result<Action> parse_action(const Rules& rules, const State& state, std::string_view text);

  static Observation observe(const Rules&, const State& state, Seat seat) { return {state, seat}; }
  static State sample_hidden(const Rules&, const Observation& observation, RandomStream&) {
    return observation.state;
  }
  // Value of the position after a play to the mover, in pips: the difference of the pip counts,
  // 4 for a point held in the own home and 2 elsewhere, minus 3 for every man that can still be
  // hit; 1000 times the points at the end. (The rules page names no reference player.)
  static double novice_score(const Rules& rules, const State& state, Action action);
};

namespace backgammon {

// One step in place: from a point (25 is the bar) by a die, hitting a blot. Requires: legal.
inline void MakeStep(tables::Men& own, tables::Men& other, int from, int die) {
  --own[from];
  if (from <= die) {
    ++own[tables::kOff];
    return;
  }
  ++own[from - die];
  std::uint8_t& there = other[tables::kBar - (from - die)];
  other[tables::kBar] = static_cast<std::uint8_t>(other[tables::kBar] + there);
  there = 0;
}

// Starting points of legal single steps with a die, for one's own men at `occupied` and landing
// places `open` (no two of the other side), bits by own points.
inline tables::PointSet StepStarts(tables::PointSet occupied, tables::PointSet open, int die) {
  const tables::PointSet moving = occupied & (open << die);
  if (occupied >> 7 != 0) {
    // A man on the bar enters first.
    return tables::HasPoint(occupied, tables::kBar) ? moving & tables::PointBit(tables::kBar)
                                                    : moving;
  }
  if (occupied == 0) return 0;
  // Bearing off: exact, or the farthest man with a larger die.
  const int farthest = tables::Farthest(occupied);
  const auto off = tables::PointBit(farthest < die ? farthest : die);
  return moving | (occupied & off);
}

// What a game is worth against these men when the other side has borne off all of its own.
inline BackgammonEnding EndingOf(const tables::Men& loser) {
  if (loser[tables::kOff] > 0) return BackgammonEnding::kSingle;
  // On the bar or in the winner's home, which is 19 .. 24 for the loser.
  return AtLeast(loser, 1) >> 19 != 0 ? BackgammonEnding::kBackgammon : BackgammonEnding::kGammon;
}

// The number of pips of a throw that are played with field `step` of a play.
inline int DieOfStep(const Roll& roll, int step) { return step == 1 ? roll.low : roll.high; }

}  // namespace backgammon
}  // namespace berd
