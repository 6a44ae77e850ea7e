#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "engine/birth/birth_state.h"
#include "engine/birth/rules.h"
#include "engine/core/game.h"

namespace berd {

// Birth (docs: the rules page of Birth) as a Game; see engine/core/game.h for the meaning of the
// functions. Hands are open, so nothing is hidden.
//
// An action is, by phase:
//   play           the value of the die, 1 .. 6
//   eject          the index of the area where the dice go
//   opening        kKeep or kReroll
//   chance events  the DiceCounts of the throw
struct Birth {
  using Rules = BirthRules;
  using State = BirthState;
  using Action = std::uint32_t;
  using Observation = OpenObservation<State>;

  static constexpr GameFacts kFacts = {
      .name = "birth",
      .min_seats = 2,
      .max_seats = kMostBirthPlayers,
      .dice = true,
      .hidden_values = false,
      .rules_version = 1,
  };

  static constexpr Action kKeep = 0;
  static constexpr Action kReroll = 1;

  // Chance events with more outcomes are not listed by `chance`: throws of up to five dice are
  // (weights sum to 6^5 = 7,776), those of six have 462 outcomes, those of eleven 4,368.
  static constexpr int kMostListed = 252;

  static State initial(const Rules& rules);
  static Waits waits(const State& state) {
    switch (state.phase) {
      case BirthPhase::kOpening:
      case BirthPhase::kPlay:
      case BirthPhase::kEject:
        return Waits::kDecision;
      case BirthPhase::kEnd:
        return Waits::kEnd;
      default:
        return Waits::kChance;
    }
  }
  static Seat turn(const State& state) { return Seat(state.turn); }
  static Seat actor(const State& state) { return Seat(state.turn); }
  // `v:` counts as a placement at once, but its turn is complete only after Birth, Eject and Break.
  static std::uint32_t turns(const State& state) {
    const bool inside = state.phase == BirthPhase::kBirth || state.phase == BirthPhase::kEject ||
                        state.phase == BirthPhase::kBreak;
    return state.placements - (inside ? 1u : 0u);
  }
  static void legal(const Rules& rules, const State& state, ActionList<Action>& actions);
  static Action sample_legal(const Rules& rules, const State& state, RandomStream& random);
  static bool chance(const Rules& rules, const State& state, ActionList<Outcome<Action>>& outcomes);
  static Action sample_chance(const Rules& rules, const State& state, RandomStream& random);
  static void apply(const Rules& rules, State& state, Action action);
  static std::uint64_t key(const State& state);

  static void win_shares(const Rules& rules, const State& state, std::span<WinShare> shares);
  // The final score of the dice that lie in the areas now; any counts up to 15 a value.
  static void scores(const Rules& rules, const State& state, std::span<std::int64_t> scores);
  static int side(const Rules&, Seat seat) { return seat.index(); }

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
  // The rules page names no novice. This one is greedy: in play and Eject the lead in points (own
  // score less the best other one) right after the step, before any reroll; in the opening the
  // number of different values in hand, for a reroll its mean, 6 - 6 (5/6)^11 = 5.19.
  static double novice_score(const Rules& rules, const State& state, Action action);

  // Dice that the chance event at hand throws, 1 .. 11. Requires: waits for chance.
  static int DiceToThrow(const State& state);
  // Where the piece of `seat` lands with this value (rules page, "Play" 2).
  static int Landing(const Rules& rules, const State& state, int seat, int value);
};

}  // namespace berd
