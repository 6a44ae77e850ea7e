#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/core/afterstates.h"
#include "engine/games.h"
#include "search/mcts/node.h"
#include "search/values.h"
#include "tests/engine/random_positions.h"

namespace berd {

// Rules of a string that must be right and need game type G.
template <Game G>
typename G::Rules RulesFor(std::string_view text) {
  return std::get<GameWithRules<G>>(*ParseGame(text)).rules;
}

// The decision that comes `skip` decisions into a random game, the first one not forced from there.
template <Game G>
typename G::State DecisionOf(const typename G::Rules& rules, std::uint64_t seed, int skip) {
  Afterstates<G> afterstates;
  for (std::uint64_t game = 0;; ++game) {
    RandomStream random(seed, game, Purpose::kTest, 0);
    auto state = G::initial(rules);
    for (int decisions = 0; G::waits(state) != Waits::kEnd;) {
      if (G::waits(state) == Waits::kDecision && ++decisions > skip &&
          afterstates.Enumerate(rules, state) && afterstates.size() > 1) {
        return state;
      }
      G::apply(rules, state, AnyStep<G>(rules, state, true, random));
    }
  }
}

// True values by plain recursion over afterstates and outcomes; states of one turn that are equal
// are looked at once.
template <Game G>
class ExactValue {
 public:
  using State = typename G::State;
  using Values = std::array<double, kMostValues<G>>;

  ExactValue(const typename G::Rules& rules, std::size_t most_states)
      : rules_(rules), most_(most_states) {}

  // Whether no more than `most_states` had to be looked at.
  bool complete() const { return known_.size() <= most_; }

  Values Of(const State& state) {
    const std::uint64_t key = mcts::NodeKey<G>(state);
    if (const auto found = known_.find(key); found != known_.end()) return found->second;
    Values values{};
    if (!complete()) return values;
    switch (G::waits(state)) {
      case Waits::kEnd: {
        std::array<float, kMostValues<G>> final_values{};
        FinalValues<G>(rules_, state, std::span(final_values).first(ValuesPerState<G>(rules_)));
        std::copy(final_values.begin(), final_values.end(), values.begin());
        break;
      }
      case Waits::kChance:
        values = OfChance(state);
        break;
      case Waits::kDecision:
        values = OfDecision(state);
        break;
    }
    known_[key] = values;
    return values;
  }

  double UtilityOf(const Values& values, Seat seat) const {
    std::array<float, kMostValues<G>> floats;
    std::transform(values.begin(), values.end(), floats.begin(),
                   [](double value) { return static_cast<float>(value); });
    return static_cast<double>(
        Utility<G>(rules_, std::span(floats).first(ValuesPerState<G>(rules_)), seat));
  }

 private:
  Values OfChance(const State& state) {
    ActionList<Outcome<typename G::Action>> outcomes;
    G::chance(rules_, state, outcomes);
    Values values{};
    double weights = 0;
    for (const auto& [action, weight] : outcomes) {
      State next = state;
      G::apply(rules_, next, action);
      const Values part = Of(next);
      for (std::size_t i = 0; i < values.size(); ++i) values[i] += weight * part[i];
      weights += weight;
    }
    for (double& value : values) value /= weights;
    return values;
  }

  Values OfDecision(const State& state) {
    afterstates_.Enumerate(rules_, state);
    std::vector<State> choices;
    for (std::size_t i = 0; i < afterstates_.size(); ++i) choices.push_back(afterstates_[i]);
    const Seat seat = G::actor(state);
    Values best{};
    for (std::size_t i = 0; i < choices.size(); ++i) {
      const Values values = Of(choices[i]);
      if (i == 0 || UtilityOf(values, seat) > UtilityOf(best, seat)) best = values;
    }
    return best;
  }

  const typename G::Rules& rules_;
  std::size_t most_;
  std::unordered_map<std::uint64_t, Values> known_;
  Afterstates<G> afterstates_{4096};
};

// Late decisions of random games that can be
// solved by looking at no more than `most` states, and at least `least`.
template <Game G>
std::vector<typename G::State> SolvableDecisions(const typename G::Rules& rules, std::size_t number,
                                                 std::size_t least, std::size_t most) {
  std::vector<typename G::State> found;
  for (std::uint64_t seed = 0; found.size() < number && seed < 200; ++seed) {
    std::vector<typename G::State> decisions;
    RandomStream random(seed, 0, Purpose::kTest, 0);
    auto state = G::initial(rules);
    while (G::waits(state) != Waits::kEnd) {
      if (G::waits(state) == Waits::kDecision) decisions.push_back(state);
      G::apply(rules, state, AnyStep<G>(rules, state, true, random));
    }
    for (std::size_t back = 1; back <= std::min<std::size_t>(decisions.size(), 12); ++back) {
      ExactValue<G> exact(rules, most);
      exact.Of(decisions[decisions.size() - back]);
      if (!exact.complete()) break;
      ExactValue<G> small(rules, least);
      small.Of(decisions[decisions.size() - back]);
      if (small.complete()) continue;
      found.push_back(decisions[decisions.size() - back]);
      break;
    }
  }
  return found;
}

}  // namespace berd
