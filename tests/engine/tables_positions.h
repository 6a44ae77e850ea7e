#pragma once

// What the tests of the tables games share: rules by type, random games, plays by name.

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/backgammon/backgammon.h"
#include "engine/bradspel/bradspel.h"
#include "engine/core/find_action.h"
#include "engine/core/random.h"

namespace berd {

// The rules strings under test of a game, and how to read one.
template <Game G>
struct TablesGame;

template <>
struct TablesGame<Backgammon> {
  static std::vector<std::string> TestedRules() { return {"backgammon", "backgammon:cap=40"}; }
  static Result<BackgammonRules> Parse(std::string_view text) { return ParseBackgammonRules(text); }
};

template <>
struct TablesGame<Bradspel> {
  static std::vector<std::string> TestedRules() {
    return {"bradspel", "bradspel:sprangjan=4+entrywall+cap=60", "bradspel:cap=40"};
  }
  static Result<BradspelRules> Parse(std::string_view text) { return ParseBradspelRules(text); }
};

template <Game G>
typename G::Rules RulesOf(std::string_view text) {
  return *TablesGame<G>::Parse(text);
}

// The state of a position string that must be right.
template <Game G>
typename G::State At(const typename G::Rules& rules, const std::string& position) {
  auto parsed = G::parse(rules, position);
  EXPECT_TRUE(parsed) << (parsed ? "" : parsed.error().message);
  return parsed ? *parsed : G::initial(rules);
}

// The legal plays by name, with the positions they lead to.
template <Game G>
std::map<std::string, std::string> Plays(const typename G::Rules& rules,
                                         const typename G::State& state) {
  std::map<std::string, std::string> plays;
  ActionList<typename G::Action> actions;
  G::legal(rules, state, actions);
  for (const auto action : actions) {
    auto after = state;
    G::apply(rules, after, action);
    const std::string name = G::action_name(rules, state, action);
    EXPECT_TRUE(plays.emplace(name, G::position(rules, after)).second)
        << name << " twice in " << G::position(rules, state);
  }
  return plays;
}

// The play that the novice likes best (sign 1) or least (sign -1).
template <Game G>
typename G::Action BestOfNovice(const typename G::Rules& rules, const typename G::State& state,
                                double sign) {
  ActionList<typename G::Action> actions;
  G::legal(rules, state, actions);
  auto best = actions[0];
  double best_score = 0;
  for (const auto action : actions) {
    const double score = sign * G::novice_score(rules, state, action);
    if (action == actions[0] || score > best_score) {
      best = action;
      best_score = score;
    }
  }
  return best;
}

// A step of a random game. Style 0 is uniform, 1 follows the novice half of the time, 2 plays the
// worst by the novice half of the time (men stay back, longer contact).
template <Game G>
typename G::Action TablesStep(const typename G::Rules& rules, const typename G::State& state,
                              std::uint64_t style, RandomStream& random) {
  if (G::waits(state) == Waits::kChance) return G::sample_chance(rules, state, random);
  if (style == 0 || random.Below(2) == 0) return G::sample_legal(rules, state, random);
  return BestOfNovice<G>(rules, state, style == 1 ? 1 : -1);
}

// Calls visit(state) on `number` positions of random games, chance events and ends included.
template <Game G, class Visit>
void VisitTables(const typename G::Rules& rules, std::uint64_t seed, long number, Visit&& visit) {
  for (std::uint64_t game = 0; number > 0; ++game) {
    RandomStream random(seed, game, Purpose::kTest, 0);
    auto state = G::initial(rules);
    for (; number > 0; --number) {
      visit(static_cast<const typename G::State&>(state));
      if (G::waits(state) == Waits::kEnd) break;
      G::apply(rules, state, TablesStep<G>(rules, state, game % 3, random));
    }
  }
}

}  // namespace berd
