#pragma once

// Position strings of the tables games, `n=… w=… b=… turn=… phase=…`. All functions are
// thread-safe.

#include <string>
#include <string_view>

#include "engine/core/text.h"
#include "engine/tables/notation.h"
#include "engine/tables/state.h"

namespace berd::tables {

// How a game writes its positions.
struct PositionStyle {
  Numbering numbering;
  std::string_view start;  // the word for Phase::kStart
};

// `ending` is the text of the state's ending; not used before the end.
template <class Ending>
std::string PositionText(const State<Ending>& state, const PositionStyle& style,
                         const std::string& ending) {
  const bool nobody = state.phase == Phase::kStart || state.ending == Ending::kCap;
  std::string text = SidesText(state.turns, state.men, style.numbering) +
                     " turn=" + (nobody ? '?' : kSideLetters[state.turn]) + " phase=";
  switch (state.phase) {
    case Phase::kStart:
      return text.append(style.start);
    case Phase::kRoll:
      return text + "roll";
    case Phase::kPlay:
      return text + "play:" + RollText(state.roll);
    case Phase::kEnd:
      break;
  }
  return text + "end:" + ending;
}

// Turn and phase of a state that has its men and turns. `parse_ending(text)` gives the Ending of a
// text, or says which there are.
template <class G, class ParseEnding>
Result<void> ParsePhase(const typename G::Rules& rules, const PositionFields& fields,
                        const PositionStyle& style, typename G::State& state,
                        ParseEnding&& parse_ending) {
  using Ending = decltype(state.ending);
  std::string_view phase = fields.phase;
  const std::string start(style.start);
  const bool ended = Consume(phase, "end:");
  if (ended) {
    const auto ending = parse_ending(phase);
    if (!ending) return tl::unexpected(ending.error());
    state.phase = Phase::kEnd;
    state.ending = *ending;
    if (state.turns == 0) return Fail("a game cannot end before its first turn");
    if (state.ending == Ending::kCap) {
      if (state.turns != rules.cap) {
        return Fail("phase=end:cap needs n=" + std::to_string(rules.cap) + " (the cap)");
      }
      if (fields.turn != "?") return Fail("turn is ? at end:cap, not " + Quoted(fields.turn));
      return {};
    }
  }
  if (phase == style.start) {
    if (fields.turn != "?") {
      return Fail("turn is ? in phase " + start + ", not " + Quoted(fields.turn));
    }
    if (state.turns != 0 || state.men != G::initial(rules).men) {
      return Fail("phase " + start +
                  " is only before the first turn, with n=0 and all men at their start");
    }
    return {};
  }
  const auto turn = ParseTurn(fields.turn);
  if (!turn) return tl::unexpected(turn.error());
  state.turn = *turn;
  if (ended) return {};
  if (phase == "roll") {
    state.phase = Phase::kRoll;
  } else if (Consume(phase, "play:")) {
    const auto roll = ParseRoll(phase);
    if (!roll) return tl::unexpected(roll.error());
    state.phase = Phase::kPlay;
    state.roll = static_cast<std::uint8_t>(*roll);
  } else {
    return Fail("unknown phase " + Quoted(fields.phase) + "; it is " + start +
                ", roll, play:<dice> or end:<ending>");
  }
  if (state.turns == rules.cap) return Fail("the cap is reached, so the phase must be end");
  return {};
}

// Accepts exactly what G::position prints. `check(state)` says what contradicts the rules of G.
template <class G, class ParseEnding, class Check>
Result<typename G::State> ParsePosition(const typename G::Rules& rules, std::string_view text,
                                        const PositionStyle& style, ParseEnding&& parse_ending,
                                        Check&& check) {
  const auto fields = SplitPosition(text);
  if (!fields) return Fail("position", fields.error());
  const auto turns = ParseTurns(fields->turns, rules.cap);
  if (!turns) return Fail("position", turns.error());
  const auto men = ParseSides(*fields, style.numbering);
  if (!men) return Fail("position", men.error());
  typename G::State state;
  state.turns = *turns;
  state.men = *men;
  auto ok = ParsePhase<G>(rules, *fields, style, state, parse_ending);
  if (ok) ok = check(state);
  if (!ok) return Fail("position", ok.error());
  const std::string canonical = G::position(rules, state);
  if (canonical != text) {
    return Fail("position " + Quoted(text) + " is not written canonically; right is '" + canonical +
                "'");
  }
  return state;
}

}  // namespace berd::tables
