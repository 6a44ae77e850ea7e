#pragma once

#include <memory>

#include "engine/backgammon/backgammon.h"
#include "search/agent.h"
#include "selfplay/gnubg_process.h"
#include "selfplay/gnubg_protocol.h"

namespace berd {

// GNU Backgammon as a player. Agents made alike share the processes: a thread that plays both seats
// needs only one. Choose throws AgentFailure when gnubg cannot be asked or answers nonsense.
class GnubgAgent final : public Agent<Backgammon> {
 public:
  explicit GnubgAgent(std::shared_ptr<GnubgServers> servers) : servers_(std::move(servers)) {}

  void Choose(const Rules& rules, const Observation& seen, RandomStream& random,
              ActionList<Action>& path) override;

 private:
  std::shared_ptr<GnubgServers> servers_;
};

// What gnubg thinks of a position before the throw of the side on turn.
Result<gnubg::Evaluation> EvaluateWithGnubg(GnubgServers& servers, const BackgammonState& state,
                                            int plies);

}  // namespace berd
