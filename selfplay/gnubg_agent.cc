#include "selfplay/gnubg_agent.h"

namespace berd {

void GnubgAgent::Choose(const Rules& rules, const Observation& seen, RandomStream& /*random*/,
                        ActionList<Action>& path) {
  Backgammon::legal(rules, seen.state, path);
  if (path.size() == 1) return;  // nothing to ask
  const auto answer = servers_->Ask(gnubg::BoardLine(seen.state));
  if (!answer) throw AgentFailure(answer.error().message);
  const auto play = gnubg::ParseMove(rules, seen.state, *answer);
  if (!play) throw AgentFailure(play.error().message);
  path.clear();
  path.push_back(*play);
}

Result<gnubg::Evaluation> EvaluateWithGnubg(GnubgServers& servers, const BackgammonState& state,
                                            int plies) {
  const auto answer = servers.Ask(gnubg::EvaluationRequest(state, plies));
  if (!answer) return tl::unexpected(answer.error());
  return gnubg::ParseEvaluation(*answer);
}

}  // namespace berd
