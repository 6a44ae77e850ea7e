// The arena for agent strings: the part that is compiled for every game.

#include "selfplay/agent_factory.h"
#include "selfplay/arena.h"
#include "selfplay/game_player.h"

namespace berd {

Result<ArenaResult> RunArena(const AnyRules& game, std::span<const AgentSpec> agents,
                             const ArenaOptions& options) {
  return VisitGame(game, [&]<class G>(const typename G::Rules& rules) -> Result<ArenaResult> {
    std::vector<AgentMaker<G>> makers;
    for (const AgentSpec& agent : agents) {
      auto maker = PrepareAgent<G>(agent, rules);
      if (!maker) return tl::unexpected(std::move(maker.error()));
      makers.push_back(*std::move(maker));
    }
    return RunArena<G>(rules, makers, options);
  });
}

}  // namespace berd
