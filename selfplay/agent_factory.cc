#include "selfplay/agent_factory.h"

#include <concepts>
#include <string>
#include <string_view>

#include "engine/backgammon/backgammon.h"
#include "engine/core/text.h"
#include "nn/net_evaluator.h"
#include "search/epsilon_agent.h"
#include "search/greedy_agent.h"
#include "search/oneply_agent.h"
#include "search/random_agent.h"
#include "selfplay/gnubg_agent.h"
#include "selfplay/network_cache.h"

namespace berd {

namespace {

constexpr std::string_view kGnubgPrefix = "gnubg:";  // one digit of plies follows

template <Game G>
Result<AgentMaker<G>> PrepareNet(const AgentSpec& spec, const typename G::Rules& rules) {
  const auto network = SharedNetwork(spec.argument);
  if (!network) return Fail("agent " + Quoted(ToString(spec)), network.error());
  if (const auto fits = NetEvaluator<G>::Fits(**network, rules); !fits) {
    return Fail("agent " + Quoted(ToString(spec)), fits.error());
  }
  using NetAgent = OnePlyAgent<G, NetEvaluator<G>>;
  const auto samples = static_cast<int>(spec.Number("samples", NetAgent::kDefaultHiddenSamples));
  return [network = *network, rules, samples] {
    return std::make_unique<NetAgent>(NetEvaluator<G>(network, rules), samples);
  };
}

template <Game G>
Result<AgentMaker<G>> PrepareGnubg(const AgentSpec& spec, const typename G::Rules& rules) {
  const std::string place = "agent " + Quoted(ToString(spec));
  if constexpr (std::same_as<G, Backgammon>) {
    const int plies = spec.kind[kGnubgPrefix.size()] - '0';
    auto servers = std::make_shared<GnubgServers>(GnubgOptions{.plies = plies});
    if (const auto ok = servers->Prepare(); !ok) return Fail(place, ok.error());
    return [servers] { return std::make_unique<GnubgAgent>(servers); };
  } else {
    return Fail(place + ": gnubg plays backgammon only, not " + rules.ToString());
  }
}

// The agent without the keys that every kind understands.
template <Game G>
Result<AgentMaker<G>> PreparePlain(const AgentSpec& spec, const typename G::Rules& rules) {
  if (spec.kind == "random") return [] { return std::make_unique<RandomAgent<G>>(); };
  if (spec.kind == "greedy") return [] { return std::make_unique<GreedyAgent<G>>(); };
  if (spec.kind == "net") return PrepareNet<G>(spec, rules);
  if (spec.kind.starts_with(kGnubgPrefix)) return PrepareGnubg<G>(spec, rules);
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
