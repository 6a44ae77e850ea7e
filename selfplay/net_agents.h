#pragma once

#include <cstddef>

#include "engine/core/error.h"
#include "engine/games.h"
#include "selfplay/agent_factory.h"
#include "selfplay/agent_spec.h"

namespace berd {

// Agents that look ahead: `net` with any search, and `playouts`. Their code is large for each game,
// so the games are dealt out over a few files that are compiled side by side: the game at place i
// of AnyRules is in part i % kNetAgentParts. A new game needs nothing here.
inline constexpr std::size_t kNetAgentParts = 5;

// Defined in net_agents-inl.h, instantiated for part k in net_agents_<k>.cc. Requires: the game
// belongs to the part.
template <std::size_t kPart>
Result<AnyAgentMaker> PrepareNetAgent(const AgentSpec& spec, const AnyRules& game);

// The same for any game.
Result<AnyAgentMaker> PrepareNetAgent(const AgentSpec& spec, const AnyRules& game);

}  // namespace berd
