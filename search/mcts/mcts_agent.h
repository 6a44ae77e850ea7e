#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "search/agent.h"
#include "search/mcts/info_set_search.h"
#include "search/mcts/search.h"

namespace berd {

struct MctsAgentOptions {
  MctsOptions search;
  MctsLimits limits{.simulations = 800};
  float temperature = 0;  // of the choice by visits; 0 takes the best
};

// Plays what a tree search finds best; where values are hidden, an information-set search. What it
// knows of the position after its move it keeps for its next one, within a game.
template <Game G, Evaluator<G> E>
class MctsAgent final : public Agent<G> {
 public:
  using typename Agent<G>::Rules;
  using typename Agent<G>::Action;
  using typename Agent<G>::Observation;

  MctsAgent(const E& evaluator, const MctsAgentOptions& options)
      : options_(options),
        search_(evaluator, options.search),
        info_set_search_(evaluator, options.search) {
    options_.limits.forced = false;
  }

  void Choose(const Rules& rules, const Observation& seen, RandomStream& random,
              ActionList<Action>& path) override {
    const std::uint64_t seed = std::uint64_t{random.Next()} << 32 | random.Next();
    path.clear();
    if (HidesValues(rules)) {
      info_set_search_.Search(rules, seen, options_.limits, seed);
      path.push_back(info_set_search_.action(info_set_search_.Best()));
      return;
    }
    search_.Search(rules, seen.state, options_.limits, seed);
    search_.Path(search_.Draw(options_.temperature, random), path);
  }

  // By visits, those with equal visits by value.
  RankedBy Rank(const Rules& rules, const Observation& seen, std::size_t most,
                std::vector<RankedPath<Action>>& ranked) override {
    ranked.clear();
    constexpr std::uint64_t kSeed = 0;
    if (HidesValues(rules)) {
      info_set_search_.Search(rules, seen, options_.limits, kSeed);
      for (std::size_t i = 0; i < info_set_search_.size(); ++i) {
        ranked.push_back({.path = {info_set_search_.action(i)},
                          .value = info_set_search_.UtilityOf(i),
                          .visits = info_set_search_.visits(i)});
      }
    } else {
      RankOpen(rules, seen.state, kSeed, ranked);
    }
    std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) {
      return std::pair(a.visits, a.value) > std::pair(b.visits, b.value);
    });
    if (ranked.size() > most) ranked.resize(most);
    return kRankedByUtility<G>;
  }

 private:
  void RankOpen(const Rules& rules, const typename G::State& state, std::uint64_t seed,
                std::vector<RankedPath<Action>>& ranked) {
    MctsLimits limits = options_.limits;
    limits.forced = true;  // its value is asked for
    search_.Search(rules, state, limits, seed);
    ActionList<Action> path;
    for (std::size_t i = 0; i < search_.size(); ++i) {
      path.clear();
      search_.Path(i, path);
      ranked.push_back({.path = {path.begin(), path.end()},
                        .value = search_.UtilityOf(i),
                        .visits = search_.visits(i)});
    }
  }

  MctsAgentOptions options_;
  Mcts<G, E> search_;
  InfoSetMcts<G, E> info_set_search_;
};

}  // namespace berd
