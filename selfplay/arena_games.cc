// The arena for agent strings: the part that is compiled for every game.

#include "selfplay/agent_factory.h"
#include "selfplay/arena.h"
#include "selfplay/game_player.h"
#include "selfplay/luck_meter.h"

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
    if (!options.luck) return RunArena<G>(rules, makers, options);
    auto make_luck = PrepareLuckMeter<G>(*options.luck, rules);
    if (!make_luck) return tl::unexpected(std::move(make_luck.error()));
    return RunArena<G>(rules, makers, options, *make_luck);
  });
}

}  // namespace berd
