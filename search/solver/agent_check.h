#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "search/agent.h"
#include "search/solver/duel_table.h"

namespace berd {

struct AgentCheckOptions {
  std::size_t positions = 2000;
  std::uint64_t seed = 1;
  int threads = 1;
};

// How often an agent keeps what a position is worth: what it won, tied or lost before its turn it
// still wins, ties or loses after it.
struct AgentCheckResult {
  struct Count {
    std::size_t positions = 0;
    std::size_t kept = 0;
  };
  Count all;
  // Positions in which some choice gives something away, and of these the won and the tied ones.
  Count critical;
  Count won;
  Count tied;
  std::vector<std::string> misses;  // positions, in the order in which they were drawn
};

// Decisions of duels between two agents of one kind, one of each game, drawn from its first turns:
// as many as can be played before a cap may change what the table says. Each is a position that
// comes up for the first time, as read from its string. Requires: the table fits the rules.
std::vector<Duel<false>::State> DrawDuelPositions(const DuelRules& rules,
                                                  const AgentMaker<Duel<false>>& player,
                                                  const AgentCheckOptions& options);

// Asks an agent for a turn in each of the positions, as at the start of a game. The result does not
// depend on the number of threads.
AgentCheckResult CheckAgent(const DuelTable& table, const DuelRules& rules,
                            const std::vector<Duel<false>::State>& positions,
                            const AgentMaker<Duel<false>>& agent, const AgentCheckOptions& options);

}  // namespace berd
