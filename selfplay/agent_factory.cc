#include "selfplay/agent_factory.h"

#include <concepts>
#include <string>
#include <string_view>

#include "engine/backgammon/backgammon.h"
#include "engine/core/text.h"
#include "nn/net_evaluator.h"
#include "search/epsilon_agent.h"
#include "search/greedy_agent.h"
#include "search/mcts/mcts_agent.h"
#include "search/oneply_agent.h"
#include "search/playout_evaluator.h"
#include "search/random_agent.h"
#include "selfplay/gnubg_agent.h"
#include "selfplay/network_cache.h"

namespace berd {

namespace {

constexpr std::string_view kGnubgPrefix = "gnubg:";  // one digit of plies follows

// Options of a tree search from the keys of an agent string.
MctsAgentOptions MctsOptionsOf(const AgentSpec& spec) {
  MctsAgentOptions options;
  MctsOptions& search = options.search;
  options.limits.simulations = static_cast<std::int64_t>(
      spec.Number("mcts", static_cast<double>(options.limits.simulations)));
  search.cpuct = static_cast<float>(spec.Number("cpuct", static_cast<double>(search.cpuct)));
  search.threads = static_cast<int>(spec.Number("threads", search.threads));
  search.batch = static_cast<int>(spec.Number("batch", search.batch));
  if (spec.Has("gumbel")) {
    search.root = RootChoice::kGumbel;
    search.gumbel_considered = static_cast<int>(spec.Number("gumbel", 0));
    search.gumbel_scale = 0;  // no noise: play, not training
  }
  return options;
}

template <Game G>
Result<AgentMaker<G>> PreparePlayouts(const AgentSpec& spec) {
  MctsAgentOptions options = MctsOptionsOf(spec);
  options.search.leaf_values = LeafValues::kLeaf;
  return [options] {
    return std::make_unique<MctsAgent<G, PlayoutEvaluator<G>>>(PlayoutEvaluator<G>(0), options);
  };
}

template <Game G>
Result<AgentMaker<G>> PrepareNet(const AgentSpec& spec, const typename G::Rules& rules) {
  const auto network = SharedNetwork(spec.argument);
  if (!network) return Fail("agent " + Quoted(ToString(spec)), network.error());
  if (const auto fits = NetEvaluator<G>::Fits(**network, rules); !fits) {
    return Fail("agent " + Quoted(ToString(spec)), fits.error());
  }
  if (spec.Has("mcts")) {
    return [network = *network, rules, options = MctsOptionsOf(spec)] {
      return std::make_unique<MctsAgent<G, NetEvaluator<G>>>(NetEvaluator<G>(network, rules),
                                                             options);
    };
  }
  for (const std::string_view key : {"gumbel", "cpuct", "threads", "batch"}) {
    if (spec.Has(key)) {
      return Fail("agent " + Quoted(ToString(spec)) + ": '" + std::string(key) +
                  "' needs 'mcts=SIMULATIONS'");
    }
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
  if (spec.kind == "playouts") return PreparePlayouts<G>(spec);
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
