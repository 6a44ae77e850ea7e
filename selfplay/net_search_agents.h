#pragma once

#include <cstdint>
#include <memory>

#include "nn/net_evaluator.h"
#include "search/expectiminimax/expectiminimax_agent.h"
#include "search/oneply_agent.h"
#include "search/rollout/rollout_agent.h"
#include "selfplay/agent_factory.h"

namespace berd {

// Whether a `net` agent looks further than one ply.
inline bool SearchesDeeper(const AgentSpec& spec) {
  return spec.Number("plies", 1) > 1 || spec.Has("rollout");
}

// The makers of such agents. Requires: the network fits; SearchesDeeper.
template <Game G>
AgentMaker<G> PrepareNetSearch(const AgentSpec& spec, const typename G::Rules& rules,
                               std::shared_ptr<const Network> network) {
  using E = NetEvaluator<G>;
  const auto samples =
      static_cast<int>(spec.Number("samples", OnePlyAgent<G, E>::kDefaultHiddenSamples));
  if (spec.Has("rollout")) {
    RolloutOptions options;
    options.games = static_cast<int>(spec.Number("rollout", 0));
    options.truncate = static_cast<int>(spec.Number("truncate", 0));
    options.standard_error = spec.Number("se", 0);
    options.filter = spec.Filter("filter", options.filter);
    return [network = std::move(network), rules, options, samples] {
      return std::make_unique<RolloutAgent<G, E>>(E(network, rules), options, samples);
    };
  }
  ExpectiminimaxOptions options;
  options.plies = static_cast<int>(spec.Number("plies", 1));
  options.filter = spec.Filter("filter", options.filter);
  options.paranoid = spec.Has("paranoid");
  options.most_nodes = static_cast<std::uint64_t>(spec.Number("nodes", 0));
  return [network = std::move(network), rules, options, samples] {
    return std::make_unique<ExpectiminimaxAgent<G, E>>(E(network, rules), options, samples);
  };
}

}  // namespace berd
