#pragma once

#include <string>
#include <vector>

#include "engine/birth/birth.h"
#include "engine/core/random.h"

// Rules strings and positions of Birth that several tests use.
namespace berd {

// The canonical strings of all combinations of options.
inline std::vector<std::string> AllBirthRules() {
  std::vector<std::string> all;
  const char* const kNames[] = {"advanced", "relative", "back", "opening"};
  for (const char* const players : {"birth:2", "birth:3"}) {
    for (unsigned set = 0; set < 16; ++set) {
      std::string text = players;
      char separator = ':';
      for (unsigned i = 0; i < 4; ++i) {
        if ((set >> i & 1) == 0) continue;
        text += separator + std::string(kNames[i]);
        separator = '+';
      }
      all.push_back(text);
    }
  }
  return all;
}

// The rules of all combinations, and two on a board of its own whose circle crosses the ring.
inline std::vector<BirthRules> TestedBirthRules() {
  std::vector<BirthRules> all;
  for (const auto& text : AllBirthRules()) all.push_back(*ParseBirthRules(text));
  const BirthLayout layout{{8, 8, 1, 2, 2, 2, 2, 2, 3, 3, 3, 5, 5, 8, 8}, {1, 8, 3, 2, 5}};
  for (const char* const text : {"birth:2:advanced", "birth:3"}) {
    all.push_back(*WithLayout(*ParseBirthRules(text), layout));
  }
  return all;
}

// A random step; a greedy one half of the time if `novice`.
inline Birth::Action AnyBirthStep(const BirthRules& rules, const BirthState& state, bool novice,
                                  RandomStream& random) {
  if (Birth::waits(state) == Waits::kChance) return Birth::sample_chance(rules, state, random);
  auto best = Birth::sample_legal(rules, state, random);
  if (!novice || random.Below(2) == 0) return best;
  ActionList<Birth::Action> actions(8);
  Birth::legal(rules, state, actions);
  for (const auto action : actions) {
    if (Birth::novice_score(rules, state, action) > Birth::novice_score(rules, state, best)) {
      best = action;
    }
  }
  return best;
}

// Calls visit(state) on `number` positions of random games, chance events and ends included.
template <class Visit>
void VisitBirthPositions(const BirthRules& rules, std::uint64_t seed, long number, Visit&& visit) {
  for (std::uint64_t game = 0; number > 0; ++game) {
    RandomStream random(seed, game, Purpose::kTest, 0);
    auto state = Birth::initial(rules);
    for (; number > 0; --number) {
      visit(static_cast<const BirthState&>(state));
      if (Birth::waits(state) == Waits::kEnd) break;
      Birth::apply(rules, state, AnyBirthStep(rules, state, game % 2 == 1, random));
    }
  }
}

// Replaces every Z of a position by the counts of no dice.
inline std::string WithZeros(const std::string& text) {
  std::string result;
  for (const char c : text) result += c == 'Z' ? std::string("0.0.0.0.0.0") : std::string(1, c);
  return result;
}

}  // namespace berd
