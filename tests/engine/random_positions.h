#pragma once

#include <string>

#include "engine/core/action_list.h"
#include "engine/core/game.h"
#include "engine/games.h"
#include "tests/engine/rules_list.h"

namespace berd {

// A step for games that should show much: every second game is uniform over the legal actions, the
// others follow the reference novice half of the time (more captures, payments and long stacks).
template <Game G>
typename G::Action AnyStep(const typename G::Rules& rules, const typename G::State& state,
                           bool novice, RandomStream& random) {
  if (G::waits(state) == Waits::kChance) return G::sample_chance(rules, state, random);
  if (!novice || random.Below(2) == 0) return G::sample_legal(rules, state, random);
  ActionList<typename G::Action> actions;
  G::legal(rules, state, actions);
  // Offers and answers of the novice would end every trade.
  if (actions.size() > 50) return actions[random.Below(50)];
  auto best = actions[random.Below(static_cast<std::uint32_t>(actions.size()))];
  for (const auto action : actions) {
    if (G::novice_score(rules, state, action) > G::novice_score(rules, state, best)) best = action;
  }
  return best;
}

// Calls visit(state) on `number` positions of random games, chance events and ends included.
template <Game G, class Visit>
void VisitPositions(const typename G::Rules& rules, std::uint64_t seed, long number,
                    Visit&& visit) {
  for (std::uint64_t game = 0; number > 0; ++game) {
    RandomStream random(seed, game, Purpose::kTest, 0);
    auto state = G::initial(rules);
    for (; number > 0; --number) {
      visit(static_cast<const typename G::State&>(state));
      if (G::waits(state) == Waits::kEnd) break;
      G::apply(rules, state, AnyStep<G>(rules, state, game % 2 == 1, random));
    }
  }
}

// Calls visit.template operator()<G>(rules) for all tested rules strings. The message of a failed
// expectation names the rules.
template <class Visit>
void ForTestedRules(Visit&& visit) {
  for (const auto text : TestedRules()) {
    SCOPED_TRACE(std::string(text));
    const auto game = ParseGame(text);
    ASSERT_TRUE(game) << game.error().message;
    VisitGame(*game, visit);
    if (::testing::Test::HasFatalFailure()) return;
  }
}

// "n=3 …" without the counter, which is not part of the key.
inline std::string WithoutCounter(const std::string& position) {
  return position.substr(position.find(' ') + 1);
}

}  // namespace berd
