#include "selfplay/net_agents-inl.h"

namespace berd {

template Result<AnyAgentMaker> PrepareNetAgent<2>(const AgentSpec& spec, const AnyRules& game);

}  // namespace berd
