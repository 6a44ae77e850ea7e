#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/game.h"
#include "engine/core/text.h"

namespace berd {

// Names of all legal actions, or at a chance event of all outcomes, sorted by bytes and each with
// its action. Empty at the end and where chance has too many outcomes to list.
template <Game G>
std::vector<std::pair<std::string, typename G::Action>> NamedActions(
    const typename G::Rules& rules, const typename G::State& state) {
  std::vector<std::pair<std::string, typename G::Action>> named;
  const auto add = [&](typename G::Action action) {
    named.emplace_back(G::action_name(rules, state, action), action);
  };
  if (G::waits(state) == Waits::kDecision) {
    ActionList<typename G::Action> actions;
    G::legal(rules, state, actions);
    for (const auto action : actions) add(action);
  } else if (G::waits(state) == Waits::kChance) {
    ActionList<Outcome<typename G::Action>> outcomes;
    if (G::chance(rules, state, outcomes)) {
      for (const auto& outcome : outcomes) add(outcome.action);
    }
  }
  std::sort(named.begin(), named.end());
  return named;
}

// The legal action or outcome of that name. The error lists what would have been legal.
template <Game G>
Result<typename G::Action> FindAction(const typename G::Rules& rules,
                                      const typename G::State& state, std::string_view text) {
  const auto named = NamedActions<G>(rules, state);
  const auto found =
      std::lower_bound(named.begin(), named.end(), text,
                       [](const auto& entry, std::string_view name) { return entry.first < name; });
  if (found != named.end() && found->first == text) return found->second;
  if (named.empty()) return Fail("action " + Quoted(text) + ": the game is over");
  constexpr std::size_t kListed = 12;
  std::vector<std::string_view> names;
  for (const auto& entry : named) {
    if (names.size() < kListed) names.push_back(entry.first);
  }
  std::string message = "action " + Quoted(text) + " is not legal here; legal: ";
  message += JoinAlternatives(names);
  if (named.size() > kListed) {
    message += " and " + std::to_string(named.size() - kListed) + " more";
  }
  return Fail(message);
}

}  // namespace berd
