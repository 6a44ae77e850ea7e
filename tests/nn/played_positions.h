#pragma once

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/afterstates.h"
#include "engine/games.h"
#include "tests/engine/random_positions.h"

namespace berd {

// All presets, then boards, numbers and combinations of flags at their bounds.
inline constexpr std::array<std::string_view, 47> kFeatureRules = {
    "race:short:4x9",
    "race:long:4x9",
    "race:short:4x9:color",
    "race:short:4x9:points",
    "race:short:4x9:hidden",
    "duel:3x3:5",
    "duel:4x4:6",
    "duel:3x3:5:color",
    "duel:3x3:5:points",
    "duel:3x3:5:hidden",
    "race:short:4x9:team=2",
    "race:short:4x9:trade",
    "race:short:4x9:points+trade",
    "race:short:4x9:goal=20",
    "race:short:2x1",
    "race:short:2x9",
    "race:short:2x4:cap=1",
    "race:n=1:2x4",
    "race:n=15:2x11",
    "race:short:3x5",
    "race:n=15:16x11",
    "race:n=1:16x2",
    "race:n=8:4x3:color",
    "race:short:2x11:points",
    "race:n=15:16x11:points",
    "race:n=15:16x11:hidden",
    "race:n=6:15x2:team=5",
    "race:n=3:16x3:points+team=4+trade",
    "race:short:4x3:trade=1/0/1",
    "race:short:4x3:color+points+team=2+trade=0/100/20",
    "race:n=3:6x11:team=3+goal=110",
    "race:short:2x3:setup=rolled",
    "race:n=3:16x2:setup=rolled",
    "race:short:4x4:color+hidden+team=2+setup=rolled",
    "duel:3x3:1:color",
    "duel:4x4:8",
    "duel:4x4:6:points",
    "duel:4x4:7:color+hidden",
    "backgammon",
    "backgammon:cap=40",
    "bradspel",
    "bradspel:sprangjan=4+entrywall+cap=60",
    "birth:2",
    "birth:3",
    "birth:3:advanced",
    "birth:2:advanced+relative+back+opening",
    "birth:3:relative+opening",
};

// Calls visit.template operator()<G>(rules) for all of them.
template <class Visit>
void ForFeatureRules(Visit&& visit) {
  for (const auto text : kFeatureRules) {
    SCOPED_TRACE(std::string(text));
    const auto game = ParseGame(text);
    ASSERT_TRUE(game) << game.error().message;
    VisitGame(*game, visit);
    if (::testing::Test::HasFatalFailure()) return;
  }
}

// Calls visit(parent, children) for `number` decisions of random games, with up to `most` of the
// states that the deciding seat can reach: afterstates, or where these are too many to list the
// states after one small step.
template <Game G, class Visit>
void VisitDecisions(const typename G::Rules& rules, std::uint64_t seed, long number,
                    std::size_t most, Visit&& visit) {
  using State = typename G::State;
  Afterstates<G> afterstates(4096);
  ActionList<typename G::Action> actions;
  std::vector<State> children;
  for (std::uint64_t game = 0; number > 0; ++game) {
    RandomStream random(seed, game, Purpose::kTest, 0);
    State state = G::initial(rules);
    while (number > 0 && G::waits(state) != Waits::kEnd) {
      if (G::waits(state) == Waits::kDecision) {
        children.clear();
        if (afterstates.Enumerate(rules, state)) {
          const std::size_t step = 1 + afterstates.size() / most;
          for (std::size_t i = 0; i < afterstates.size(); i += step) {
            children.push_back(afterstates[i]);
          }
        } else {
          G::legal(rules, state, actions);
          const std::size_t step = 1 + actions.size() / most;
          for (std::size_t i = 0; i < actions.size(); i += step) {
            children.push_back(state);
            G::apply(rules, children.back(), actions[i]);
          }
        }
        --number;
        visit(static_cast<const State&>(state), static_cast<const std::vector<State>&>(children));
      }
      G::apply(rules, state, AnyStep<G>(rules, state, game % 2 == 1, random));
    }
  }
}

}  // namespace berd
