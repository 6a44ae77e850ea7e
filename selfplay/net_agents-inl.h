#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <variant>

#include "engine/core/text.h"
#include "nn/net_evaluator.h"
#include "search/expectiminimax/expectiminimax_agent.h"
#include "search/mcts/mcts_agent.h"
#include "search/oneply_agent.h"
#include "search/playout_evaluator.h"
#include "search/rollout/rollout_agent.h"
#include "selfplay/net_agents.h"
#include "selfplay/network_cache.h"

namespace berd {

// The most time of a search, if there is a limit.
inline std::optional<std::chrono::nanoseconds> TimeOf(const AgentSpec& spec) {
  if (!spec.Has("seconds")) return std::nullopt;
  const std::chrono::duration<double> seconds(spec.Number("seconds", 0));
  return std::chrono::duration_cast<std::chrono::nanoseconds>(seconds);
}

// Options of a tree search from the keys of an agent string.
inline MctsAgentOptions MctsOptionsOf(const AgentSpec& spec) {
  MctsAgentOptions options;
  MctsOptions& search = options.search;
  MctsLimits& limits = options.limits;
  if (const auto time = TimeOf(spec)) {
    limits.time = *time;
    limits.simulations = MctsLimits().simulations;  // unless their number is given, too
  }
  if (spec.Has("mcts")) limits.simulations = static_cast<std::int64_t>(spec.Number("mcts", 0));
  if (spec.Has("nodes")) limits.nodes = static_cast<std::size_t>(spec.Number("nodes", 0));
  search.cpuct = static_cast<float>(spec.Number("cpuct", static_cast<double>(search.cpuct)));
  search.prior_temperature =
      static_cast<float>(spec.Number("prior", static_cast<double>(search.prior_temperature)));
  search.threads = static_cast<int>(spec.Number("threads", search.threads));
  search.hidden_samples = static_cast<int>(spec.Number("samples", search.hidden_samples));
  search.batch = static_cast<int>(spec.Number("batch", search.batch));
  if (spec.Has("gumbel")) {
    search.root = RootChoice::kGumbel;
    search.gumbel_considered = static_cast<int>(spec.Number("gumbel", search.gumbel_considered));
    search.gumbel_scale = 0;  // no noise: play, not training
  }
  return options;
}

inline RolloutOptions RolloutOptionsOf(const AgentSpec& spec) {
  RolloutOptions options;
  options.games = static_cast<int>(spec.Number("rollout", 0));
  options.truncate = static_cast<int>(spec.Number("truncate", 0));
  options.standard_error = spec.Number("se", 0);
  options.cancel_luck = !spec.Has("raw");
  options.threads = static_cast<int>(spec.Number("threads", options.threads));
  options.time = TimeOf(spec);
  if (const auto filters = spec.Filters("filter"); !filters.empty()) options.filter = filters[0];
  return options;
}

inline ExpectiminimaxOptions PliesOptionsOf(const AgentSpec& spec) {
  ExpectiminimaxOptions options;
  options.plies = static_cast<int>(spec.Number("plies", 1));
  if (const auto filters = spec.Filters("filter"); !filters.empty()) {
    options.filter = filters[0];
    options.deeper_filters.assign(filters.begin() + 1, filters.end());
  }
  options.paranoid = spec.Has("paranoid");
  options.most_nodes = static_cast<std::uint64_t>(spec.Number("nodes", 0));
  options.threads = static_cast<int>(spec.Number("threads", options.threads));
  options.time = TimeOf(spec);
  return options;
}

// Guesses of hidden values averaged over by plies and rollouts, if the agent string does not say
// how many. They share the dice, so more than one-ply play has cost little.
constexpr int kHiddenSamplesOfSearches = 24;

// What a tree search asks for values: a network or playouts in one type, so that the search, which
// is much code, is compiled once for both.
template <Game G>
class LeafEvaluator {
 public:
  explicit LeafEvaluator(NetEvaluator<G> network) : evaluator_(std::move(network)) {}
  explicit LeafEvaluator(PlayoutEvaluator<G> playouts) : evaluator_(std::move(playouts)) {}

  void Reseed(std::uint64_t seed) {
    if (auto* playouts = std::get_if<PlayoutEvaluator<G>>(&evaluator_)) playouts->Reseed(seed);
  }
  void Evaluate(const typename G::Rules& rules, const typename G::State& near,
                std::span<const typename G::State* const> states, std::span<float> values) {
    std::visit([&](auto& evaluator) { evaluator.Evaluate(rules, near, states, values); },
               evaluator_);
  }

 private:
  std::variant<NetEvaluator<G>, PlayoutEvaluator<G>> evaluator_;
};

// Keys of a tree search that the search for hidden values does not know.
template <class Rules>
Result<void> CheckTreeKeys(const AgentSpec& spec, const Rules& rules) {
  const bool grows_tree = spec.Has("mcts") || spec.kind == "playouts";
  if (!grows_tree || !HidesValues(rules)) return {};
  for (const std::string_view key : {"gumbel", "batch"}) {
    if (!spec.Has(key)) continue;
    return Fail("agent " + Quoted(ToString(spec)) + ": '" + std::string(key) +
                "' does not go with hidden values (" + rules.ToString() +
                "), whose tree search has single leaves and PUCT at the root");
  }
  return {};
}

template <Game G>
AgentMaker<G> PreparePlayouts(const AgentSpec& spec) {
  MctsAgentOptions options = MctsOptionsOf(spec);
  options.search.leaf_values = LeafValues::kLeaf;
  return [options] {
    using E = LeafEvaluator<G>;
    return std::make_unique<MctsAgent<G, E>>(E(PlayoutEvaluator<G>(0)), options);
  };
}

template <Game G>
Result<AgentMaker<G>> PrepareNet(const AgentSpec& spec, const typename G::Rules& rules) {
  using E = NetEvaluator<G>;
  const auto shared = SharedNetwork(spec.argument);
  if (!shared) return Fail("agent " + Quoted(ToString(spec)), shared.error());
  if (const auto fits = E::Fits(**shared, rules); !fits) {
    return Fail("agent " + Quoted(ToString(spec)), fits.error());
  }
  const std::shared_ptr<const Network>& network = *shared;
  const bool looks_further = spec.Has("rollout") || spec.Number("plies", 1) > 1;
  const int usual =
      looks_further ? kHiddenSamplesOfSearches : OnePlyAgent<G, E>::kDefaultHiddenSamples;
  const auto samples = static_cast<int>(spec.Number("samples", usual));
  if (spec.Has("mcts")) {
    return [network, rules, options = MctsOptionsOf(spec)] {
      using Leaf = LeafEvaluator<G>;
      return std::make_unique<MctsAgent<G, Leaf>>(Leaf(E(network, rules)), options);
    };
  }
  if (spec.Has("rollout")) {
    return [network, rules, options = RolloutOptionsOf(spec), samples] {
      return std::make_unique<RolloutAgent<G, E>>(E(network, rules), options, samples);
    };
  }
  if (spec.Number("plies", 1) > 1) {
    return [network, rules, options = PliesOptionsOf(spec), samples] {
      return std::make_unique<ExpectiminimaxAgent<G, E>>(E(network, rules), options, samples);
    };
  }
  return [network, rules, samples] {
    return std::make_unique<OnePlyAgent<G, E>>(E(network, rules), samples);
  };
}

// The place of a game among those of AnyRules.
template <class G, class Rules>
struct PlaceOfGame;
template <class G, class... With>
struct PlaceOfGame<G, std::variant<With...>> {
  static constexpr std::size_t value = [] {
    std::size_t place = 0;
    bool found = false;
    ((found = found || std::is_same_v<G, typename With::Type>, place += found ? 0 : 1), ...);
    return place;
  }();
};

template <std::size_t kPart>
Result<AnyAgentMaker> PrepareNetAgent(const AgentSpec& spec, const AnyRules& game) {
  return VisitGame(game, [&]<class G>(const typename G::Rules& rules) -> Result<AnyAgentMaker> {
    if constexpr (PlaceOfGame<G, AnyRules>::value % kNetAgentParts == kPart) {
      if (auto ok = CheckTreeKeys(spec, rules); !ok) return tl::unexpected(std::move(ok.error()));
      if (spec.kind == "playouts") return AnyAgentMaker(PreparePlayouts<G>(spec));
      auto maker = PrepareNet<G>(spec, rules);
      if (!maker) return tl::unexpected(std::move(maker.error()));
      return AnyAgentMaker(*std::move(maker));
    } else {
      return Fail("agent " + Quoted(ToString(spec)) + ": the game belongs to another part");
    }
  });
}

}  // namespace berd
