#pragma once

#include <memory>
#include <utility>
#include <variant>

#include "engine/games.h"
#include "search/agent.h"
#include "selfplay/agent_spec.h"

namespace berd {

// The maker for the game that an AnyRules holds.
template <class Rules>
struct AgentMakerOfAny;
template <class... With>
struct AgentMakerOfAny<std::variant<With...>> {
  using Type = std::variant<AgentMaker<typename With::Type>...>;
};
using AnyAgentMaker = AgentMakerOfAny<AnyRules>::Type;

// Loads what the agent needs (a network is loaded once per process, not once per caller) and checks
// that it fits the rules.
Result<AnyAgentMaker> PrepareAnyAgent(const AgentSpec& spec, const AnyRules& game);

template <Game G>
Result<AgentMaker<G>> PrepareAgent(const AgentSpec& spec, const typename G::Rules& rules) {
  auto maker = PrepareAnyAgent(spec, GameWithRules<G>{rules});
  if (!maker) return tl::unexpected(std::move(maker.error()));
  return std::get<AgentMaker<G>>(*std::move(maker));
}

// One agent. Callers with several threads use PrepareAgent and then make one in each thread.
template <Game G>
Result<std::unique_ptr<Agent<G>>> MakeAgent(const AgentSpec& spec, const typename G::Rules& rules) {
  return PrepareAgent<G>(spec, rules).map([](const AgentMaker<G>& make) { return make(); });
}

}  // namespace berd
