#include "selfplay/agent_factory.h"

#include <array>
#include <concepts>
#include <string>
#include <string_view>
#include <utility>

#include "engine/backgammon/backgammon.h"
#include "engine/core/text.h"
#include "search/epsilon_agent.h"
#include "search/greedy_agent.h"
#include "search/random_agent.h"
#include "search/solver/solver_agent.h"
#include "selfplay/gnubg_agent.h"
#include "selfplay/net_agents.h"

namespace berd {

namespace {

constexpr std::string_view kGnubgPrefix = "gnubg:";  // one digit of plies follows

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

template <Game G>
Result<AgentMaker<G>> PrepareSolver(const AgentSpec& spec, const typename G::Rules& rules) {
  const std::string name = "agent " + Quoted(ToString(spec));
  if constexpr (std::same_as<G, Duel<false>>) {
    const auto table = DuelTable::Open(spec.argument);
    if (!table) return Fail(name, table.error());
    if (const auto fits = (*table)->Fits(rules); !fits) return Fail(name, fits.error());
    return [table = *table] { return std::make_unique<SolverAgent>(table); };
  } else {
    return Fail(name + ": only duels without values are solved, not " + rules.ToString());
  }
}

// The agent without the keys that every kind understands.
template <Game G>
Result<AgentMaker<G>> PreparePlain(const AgentSpec& spec, const typename G::Rules& rules) {
  if (spec.kind == "random") return [] { return std::make_unique<RandomAgent<G>>(); };
  if (spec.kind == "greedy") return [] { return std::make_unique<GreedyAgent<G>>(); };
  if (spec.kind == "net" || spec.kind == "playouts") {
    auto maker = PrepareNetAgent(spec, GameWithRules<G>{rules});
    if (!maker) return tl::unexpected(std::move(maker.error()));
    return std::get<AgentMaker<G>>(*std::move(maker));
  }
  if (spec.kind.starts_with(kGnubgPrefix)) return PrepareGnubg<G>(spec, rules);
  if (spec.kind == "solver") return PrepareSolver<G>(spec, rules);
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

Result<AnyAgentMaker> PrepareNetAgent(const AgentSpec& spec, const AnyRules& game) {
  static constexpr auto kParts = []<std::size_t... kPart>(std::index_sequence<kPart...>) {
    using Prepare = Result<AnyAgentMaker> (*)(const AgentSpec&, const AnyRules&);
    return std::array<Prepare, sizeof...(kPart)>{&PrepareNetAgent<kPart>...};
  }
  (std::make_index_sequence<kNetAgentParts>());
  return kParts[game.index() % kNetAgentParts](spec, game);
}

Result<AnyAgentMaker> PrepareAnyAgent(const AgentSpec& spec, const AnyRules& game) {
  return VisitGame(game, [&]<class G>(const typename G::Rules& rules) -> Result<AnyAgentMaker> {
    auto maker = Prepare<G>(spec, rules);
    if (!maker) return tl::unexpected(std::move(maker.error()));
    return AnyAgentMaker(*std::move(maker));
  });
}

}  // namespace berd
