#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "engine/core/find_action.h"
#include "engine/games.h"

// What must hold for every position that a parser lets in.
namespace berd::fuzz {

// Like assert, in every build.
inline void Require(bool condition, const char* what, const std::string& where) {
  if (condition) return;
  std::fprintf(stderr, "%s: %s\n", what, where.c_str());
  std::abort();
}

inline void RequireGoodError(const Error& error) {
  Require(!error.message.empty(), "error without a message", "");
  Require(error.message.find('\n') == std::string::npos, "message of two lines", error.message);
}

// A trade with small steps and much cash has millions of prices: right, but slow under a sanitizer.
inline bool TooManyPrices(const RaceRules& rules) {
  return rules.trade && static_cast<std::uint64_t>(rules.cash) *
                                static_cast<std::uint64_t>(rules.players) / rules.step >
                            5000;
}
template <class Rules>
bool TooManyPrices(const Rules&) {
  return false;
}

// The position prints as it was written or as it says it should be, can be parsed again, and lets
// whoever is to decide do something; so do the next `steps` positions of a random game. Parsing
// includes that no token and no cash is lost.
template <Game G>
void PlayOn(const typename G::Rules& rules, typename G::State state, int steps,
            std::uint64_t seed) {
  ActionList<typename G::Action> actions;
  RandomStream random(seed, 0, Purpose::kTest, 0);
  for (; steps > 0; --steps) {
    const std::string position = G::position(rules, state);
    const auto parsed = G::parse(rules, position);
    Require(parsed.has_value(), "a position is refused that was printed", position);
    Require(G::key(*parsed) == G::key(state), "the key differs after parsing", position);
    for (int seat = 0; seat < rules.seats(); ++seat) {
      const auto seen = G::observe(rules, state, Seat(seat));
      const auto sample = G::sample_hidden(rules, seen, random);
      Require(G::view(rules, sample, Seat(seat)) == G::view(rules, state, Seat(seat)),
              "a sampled state looks different", position);
    }
    if (G::waits(state) == Waits::kEnd) return;
    if (G::waits(state) == Waits::kChance) {
      G::apply(rules, state, G::sample_chance(rules, state, random));
      continue;
    }
    G::legal(rules, state, actions);
    Require(!actions.empty(), "nothing is legal", position);
    const auto action = actions[random.Below(static_cast<std::uint32_t>(actions.size()))];
    const std::string name = G::action_name(rules, state, action);
    const auto found = G::parse_action(rules, state, name);
    Require(found && *found == action, "an action is not found by its name", name);
    G::apply(rules, state, action);
  }
}

// The text before and after the first line break.
inline std::string_view TakeLine(std::string_view& text) {
  const auto end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line;
}

}  // namespace berd::fuzz
