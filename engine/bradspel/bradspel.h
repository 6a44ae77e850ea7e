#pragma once

// Brädspel, Swedish tables (docs/reference/rules-bradspel.md, below "the rules page"). Both sides
// move the same way round; a side can win by bearing off, by a pattern, or by jan: more men of the
// other side on the bar than it has room to enter.

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "engine/bradspel/rules.h"
#include "engine/core/dice.h"
#include "engine/core/game.h"
#include "engine/tables/men.h"
#include "engine/tables/play.h"
#include "engine/tables/state.h"

namespace berd {

// How a game ended; kCap: nobody won within the allowed turns. The rank of wins that breaks ties
// of a match descends, but for munk (see BradspelOutcome).
enum class BradspelEnding : std::uint8_t {
  kNone,
  kSprangjan,
  kJan,
  kKronspel,
  kDubbelkronspel,
  kTrappspel,
  kUppspel,
  kHemspel,
  kCap
};

// Who won what.
struct BradspelOutcome {
  BradspelEnding ending = BradspelEnding::kNone;
  bool munk = false;  // the loser had a man on the bar at a pattern or hemspel
  Seat winner;        // meaningful unless ending is kNone or kCap
  // 1 … 6; 0 while the game goes on and at the cap.
  int points(const BradspelRules& rules) const;
  friend bool operator==(const BradspelOutcome&, const BradspelOutcome&) = default;
};

// Men by the pips left to bear off: tongue t of the notation is 25 - t.
using BradspelState = tables::State<BradspelEnding>;
static_assert(sizeof(BradspelState) == 72);

// See engine/core/game.h for the meaning of the functions. One action is one whole play: a
// tables::Play, with bradspel::kBlastLast when it is a jan by blast; plays that lead to the same
// position and result are one action. Actions of chance: in phase kStart 0 is B and 1 is W, in
// phase kRoll the index in kAllRolls.
struct Bradspel {
  using Rules = BradspelRules;
  using State = BradspelState;
  using Action = tables::Play;
  static constexpr int kSeats = 2;

  static constexpr GameFacts kFacts = {
      .name = "bradspel",
      .min_seats = 2,
      .max_seats = 2,
      .dice = true,
      .hidden_values = false,
      .rules_version = 1,
  };

  using Observation = OpenObservation<State>;

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
  static BradspelOutcome outcome(const State& state);
  // Sprängjan, jan, then each pattern and hemspel without and with munk.
  static constexpr int kOutcomeClasses = 12;
  static int outcome_class(const State& state);
  static int class_points(const Rules& rules, int outcome_class);

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
  // Value of the position after a play to the mover, in pips: the difference of the pip counts (a
  // man on the bar needs 25), and for each man of the other side on the bar 6 more, 12 when it has
  // no room to spare; 1000 times the points at the end. (The rules page names no reference player.)
  static double novice_score(const Rules& rules, const State& state, Action action);
};

}  // namespace berd
