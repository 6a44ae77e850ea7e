#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "engine/core/action_list.h"
#include "engine/core/error.h"
#include "engine/core/random.h"
#include "engine/core/seat.h"

namespace berd {

// What a state waits for.
enum class Waits : std::uint8_t { kChance, kDecision, kEnd };

// One outcome of a chance event; its probability is weight / (sum of all weights).
template <class Action>
struct Outcome {
  Action action;
  std::uint32_t weight;
};

// A share of one win as an exact fraction in lowest terms.
struct WinShare {
  std::uint16_t numerator = 0;
  std::uint16_t denominator = 1;
  constexpr double value() const { return static_cast<double>(numerator) / denominator; }
  friend constexpr bool operator==(WinShare, WinShare) = default;
};

// Static facts of a game, printed by `berd info` and read by tests and bindings.
struct GameFacts {
  std::string_view name;  // first word of the rules string
  int min_seats;
  int max_seats;
  bool dice;           // has chance events after the start
  bool hidden_values;  // some rules of it hide information
  int rules_version;   // raised when the meaning of a rules string changes
};

// What a seat knows where nothing is hidden.
template <class State>
struct OpenObservation {
  State state;
  Seat seat;
};

// A game is a type with static functions; it is never instantiated. `Rules` is made once from a
// rules string; `State` is a value that can be copied like bytes; an `Action` is an integer that
// means something in one state. All functions are thread-safe (they have no shared state).
//
//   turn(state)          whose turn it is: the seat that throws the dice or moves. At the end any.
//   actor(state)         who decides; requires Waits::kDecision. Differs from turn where others
//                        answer or pay.
//   turns(state)         number of completed turns (or plies); the boundary of a turn for searches.
//   legal(…)             replaces the list by the legal actions, ascending, each once.
//   chance(…)            replaces the list by the outcomes, ascending; false if there are too many
//                        to list (then only sample_chance). Weights are positive.
//   sample_chance(…)     draws one outcome with its exact probability.
//   sample_legal(…)      draws one legal action uniformly; same distribution as via `legal`,
//   faster. apply(…)             makes an action in place. Requires: legal (or a possible outcome).
//   key(state)           64-bit key of everything but the turn counter and the history; equal
//   states
//                        have equal keys, different ones differ except with probability 2^-64.
//   win_shares, scores   one entry per seat; requires Waits::kEnd (scores: any time).
//   side(rules, seat)    seats of one side win and lose together.
//   position / parse     the position string, and back; parse accepts exactly what position prints.
//   action_name          the string of a legal action; parse_action finds the legal action of that
//                        name or says what would have been legal.
//   view                 the position string as the seat sees it.
//   observe              what the seat knows: a struct with `state`, the state as it may be
//   searched
//                        without looking at what is hidden, and whatever else the game needs;
//                        sample_hidden draws a state consistent with it.
//   novice_score         value of a small step for the reference novice; ties are drawn.
//
// A game whose wins differ in worth (docs/decisions/0008) also has
//
//   kOutcomeClasses      number of kinds of win
//   outcome_class(state) which kind ended the game, 0 .. kOutcomeClasses - 1; for an end that
//                        nobody won any. Requires Waits::kEnd.
//   class_points(rules, c)   points of such a win to the winner; the loser loses as many
template <class G>
concept Game = std::is_trivially_copyable_v<typename G::State> &&
    std::integral<typename G::Action> && std::copyable<typename G::Rules> &&
    requires(const typename G::Rules& rules, const typename G::State& state,
             typename G::State& mutable_state, typename G::Action action,
             ActionList<typename G::Action>& actions,
             ActionList<Outcome<typename G::Action>>& outcomes, RandomStream& random, Seat seat,
             std::span<WinShare> shares, std::span<std::int64_t> scores, std::string_view text,
             const typename G::Observation& observation) {
  { G::kFacts } -> std::convertible_to<GameFacts>;
  { rules.seats() } -> std::same_as<int>;
  { rules.ToString() } -> std::same_as<std::string>;
  { G::initial(rules) } -> std::same_as<typename G::State>;
  { G::waits(state) } -> std::same_as<Waits>;
  { G::turn(state) } -> std::same_as<Seat>;
  { G::actor(state) } -> std::same_as<Seat>;
  { G::turns(state) } -> std::same_as<std::uint32_t>;
  { G::legal(rules, state, actions) } -> std::same_as<void>;
  { G::sample_legal(rules, state, random) } -> std::same_as<typename G::Action>;
  { G::chance(rules, state, outcomes) } -> std::same_as<bool>;
  { G::sample_chance(rules, state, random) } -> std::same_as<typename G::Action>;
  { G::apply(rules, mutable_state, action) } -> std::same_as<void>;
  { G::key(state) } -> std::same_as<std::uint64_t>;
  { G::win_shares(rules, state, shares) } -> std::same_as<void>;
  { G::scores(rules, state, scores) } -> std::same_as<void>;
  { G::side(rules, seat) } -> std::same_as<int>;
  { G::position(rules, state) } -> std::same_as<std::string>;
  { G::parse(rules, text) } -> std::same_as<Result<typename G::State>>;
  { G::action_name(rules, state, action) } -> std::same_as<std::string>;
  { G::parse_action(rules, state, text) } -> std::same_as<Result<typename G::Action>>;
  { G::view(rules, state, seat) } -> std::same_as<std::string>;
  { G::observe(rules, state, seat) } -> std::same_as<typename G::Observation>;
  { G::sample_hidden(rules, observation, random) } -> std::same_as<typename G::State>;
  { G::novice_score(rules, state, action) } -> std::same_as<double>;
};

// Kinds of win that differ in worth; 1 for a game that is just won.
template <class G>
inline constexpr int kOutcomeClasses = 1;
template <class G>
requires requires { G::kOutcomeClasses; }
inline constexpr int kOutcomeClasses<G> = G::kOutcomeClasses;

// Whether seats do not see everything under these rules.
template <class Rules>
bool HidesValues(const Rules& rules) {
  if constexpr (requires { rules.hidden(); }) {
    return rules.hidden();
  } else {
    return false;
  }
}

}  // namespace berd
