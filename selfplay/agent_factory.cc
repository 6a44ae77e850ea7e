#include "selfplay/agent_factory.h"

#include <string>

#include "engine/core/text.h"
#include "nn/net_evaluator.h"
#include "search/epsilon_agent.h"
#include "search/greedy_agent.h"
#include "search/oneply_agent.h"
#include "search/random_agent.h"
#include "selfplay/net_search_agents.h"
#include "selfplay/network_cache.h"

namespace berd {

namespace {

template <Game G>
Result<AgentMaker<G>> PrepareNet(const AgentSpec& spec, const typename G::Rules& rules) {
  const auto network = SharedNetwork(spec.argument);
  if (!network) return Fail("agent " + Quoted(ToString(spec)), network.error());
  if (const auto fits = NetEvaluator<G>::Fits(**network, rules); !fits) {
    return Fail("agent " + Quoted(ToString(spec)), fits.error());
  }
  if (SearchesDeeper(spec)) return PrepareNetSearch<G>(spec, rules, *network);
  using NetAgent = OnePlyAgent<G, NetEvaluator<G>>;
  const auto samples = static_cast<int>(spec.Number("samples", NetAgent::kDefaultHiddenSamples));
  return [network = *network, rules, samples] {
    return std::make_unique<NetAgent>(NetEvaluator<G>(network, rules), samples);
  };
}

// The agent without the keys that every kind understands.
template <Game G>
Result<AgentMaker<G>> PreparePlain(const AgentSpec& spec, const typename G::Rules& rules) {
  if (spec.kind == "random") return [] { return std::make_unique<RandomAgent<G>>(); };
  if (spec.kind == "greedy") return [] { return std::make_unique<GreedyAgent<G>>(); };
  if (spec.kind == "net") return PrepareNet<G>(spec, rules);
  return Fail("agent " + Quoted(ToString(spec)) + ": nothing makes agents of this kind");
}

template <Game G>
Result<AgentMaker<G>> Prepare(const AgentSpec& spec, const typename G::Rules& rules) {
  auto plain = PreparePlain<G>(spec, rules);
  const double epsilon = spec.Number("eps", 0);
  if (!plain || epsilon == 0) return plain;
  return [epsilon, make = *std::move(plain)] {
    return std::make_unique<EpsilonAgent<G>>(epsilon, make());
  };
}

}  // namespace

Result<AnyAgentMaker> PrepareAnyAgent(const AgentSpec& spec, const AnyRules& game) {
  return VisitGame(game, [&]<class G>(const typename G::Rules& rules) -> Result<AnyAgentMaker> {
    auto maker = Prepare<G>(spec, rules);
    if (!maker) return tl::unexpected(std::move(maker.error()));
    return AnyAgentMaker(*std::move(maker));
  });
}

}  // namespace berd
