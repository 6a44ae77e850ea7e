#pragma once

// The state of a tables game and what does not depend on which game it is: who begins, the throws,
// the end of a turn, key and win shares. All functions are thread-safe.

#include <array>
#include <cstdint>
#include <span>

#include "engine/core/action_list.h"
#include "engine/core/dice.h"
#include "engine/core/game.h"
#include "engine/tables/men.h"

namespace berd::tables {

// kStart: chance decides who begins. kRoll: chance throws. kPlay: the side on turn plays.
enum class Phase : std::uint8_t { kStart, kRoll, kPlay, kEnd };

// W is seat 0, B seat 1; men by the pips left to bear off (see men.h). `Ending` is an enum with
// kNone (the game goes on) and kCap (nobody won within the allowed turns) among its values.
template <class Ending>
struct State {
  std::array<Men, 2> men{};
  std::uint32_t turns = 0;  // completed turns
  Phase phase = Phase::kStart;
  std::uint8_t turn = 0;  // seat on turn; the winner at the end; 0 at the start and the cap
  std::uint8_t roll = 0;  // index in kAllRolls in phase kPlay, else 0
  Ending ending = Ending::kNone;

  friend bool operator==(const State&, const State&) = default;
};

template <class Ending>
Waits WaitsOf(const State<Ending>& state) {
  if (state.phase == Phase::kPlay) return Waits::kDecision;
  return state.phase == Phase::kEnd ? Waits::kEnd : Waits::kChance;
}

// The 21 throws by their index in kAllRolls.
template <class Action>
void ListRolls(ActionList<Outcome<Action>>& outcomes) {
  for (Action roll = 0; roll < kRolls; ++roll) outcomes.push_back({roll, kAllRolls[roll].weight});
}

// After the play of a turn, once `ending` says whether it won.
template <class Ending>
void EndTurn(State<Ending>& state, std::uint32_t cap) {
  ++state.turns;
  state.roll = 0;
  if (state.ending != Ending::kNone) {
    state.phase = Phase::kEnd;
  } else if (state.turns >= cap) {
    state.phase = Phase::kEnd;
    state.ending = Ending::kCap;
    state.turn = 0;
  } else {
    state.phase = Phase::kRoll;
    state.turn ^= 1;
  }
}

// Of everything but the turn counter.
template <class Ending>
std::uint64_t KeyOf(const State<Ending>& state) {
  return HashMen(state.men, static_cast<std::uint64_t>(state.phase) |
                                static_cast<std::uint64_t>(state.turn) << 8 |
                                static_cast<std::uint64_t>(state.roll) << 16 |
                                static_cast<std::uint64_t>(state.ending) << 24);
}

// Requires: the game is over.
template <class Ending>
void WinSharesOf(const State<Ending>& state, std::span<WinShare> shares) {
  if (state.ending == Ending::kCap) {
    shares[0] = shares[1] = {1, 2};
    return;
  }
  shares[state.turn] = {1, 1};
  shares[1 - state.turn] = {0, 1};
}

}  // namespace berd::tables
