#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/core/afterstates.h"
#include "engine/games.h"

namespace berd {

// The rules of a rules string. Requires: they are rules of G.
template <Game G>
typename G::Rules RulesOf(std::string_view text) {
  return std::get<GameWithRules<G>>(*ParseGame(text)).rules;
}

// Decisions near the ends of random games, where trees are small: of each game the one `before`
// decisions before the last, and every sixth one before that, as long as fewer than `end` follow.
template <Game G>
std::vector<typename G::State> LateDecisions(const typename G::Rules& rules, std::size_t number,
                                             std::size_t before = 0, std::size_t end = 20) {
  std::vector<typename G::State> found;
  for (std::uint64_t game = 0; found.size() < number; ++game) {
    RandomStream random(11, game, Purpose::kTest, 0);
    std::vector<typename G::State> decisions;
    auto state = G::initial(rules);
    while (G::waits(state) != Waits::kEnd) {
      if (G::waits(state) == Waits::kChance) {
        G::apply(rules, state, G::sample_chance(rules, state, random));
        continue;
      }
      decisions.push_back(state);
      G::apply(rules, state, G::sample_legal(rules, state, random));
    }
    for (std::size_t back = before; back < std::min(decisions.size(), end); back += 6) {
      if (found.size() < number) found.push_back(decisions[decisions.size() - 1 - back]);
    }
  }
  return found;
}

}  // namespace berd
