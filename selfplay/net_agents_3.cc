#include "selfplay/net_agents-inl.h"

namespace berd {

template Result<AnyAgentMaker> PrepareNetAgent<3>(const AgentSpec& spec, const AnyRules& game);

}  // namespace berd
