#include "selfplay/any_agent.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "search/greedy_agent.h"
#include "search/values.h"
#include "selfplay/agent_factory.h"

namespace berd {

namespace {

template <Game G>
class AnyAgentOf final : public AnyAgent {
 public:
  using Rules = typename G::Rules;
  using State = typename G::State;
  using Action = typename G::Action;

  explicit AnyAgentOf(std::unique_ptr<Agent<G>> agent) : agent_(std::move(agent)) {}

  void NewGame() override { agent_->NewGame(); }

  std::vector<std::string> Choose(const AnyPosition& position, RandomStream& random) override {
    const auto& [rules, state] = Open(position);
    agent_->Choose(rules, G::observe(rules, state, G::actor(state)), random, path_);
    const std::span<const Action> path = path_;
    return Names(rules, state, HidesValues(rules) ? path.first(1) : path);
  }

  Ranking Rank(const AnyPosition& position, std::size_t most) override {
    const auto& [rules, state] = Open(position);
    const auto seen = G::observe(rules, state, G::actor(state));
    const bool hidden = HidesValues(rules);
    // Several paths may begin with the same action, so ask for all where only that one counts.
    const std::size_t ask = hidden ? std::numeric_limits<std::size_t>::max() : most;
    std::vector<RankedPath<Action>> ranked;
    Ranking ranking{.by = agent_->Rank(rules, seen, ask, ranked), .choices = {}};
    ranking.own = ranking.by != RankedBy::kNothing;
    if (ranking.own) {
      ranking.search = Named(rules, state, agent_->LastSearch());
    } else {
      ranking.by = novice_.Rank(rules, seen, ask, ranked);
    }
    std::vector<Action> first_actions;
    for (auto& choice : ranked) {
      std::span<const Action> actions = choice.path;
      if (hidden) {
        const Action first = choice.path[0];
        actions = actions.first(1);
        if (std::find(first_actions.begin(), first_actions.end(), first) != first_actions.end()) {
          continue;
        }
        first_actions.push_back(first);
      }
      if (ranking.choices.size() == most) break;
      const bool valued =
          ranking.search.simulations == 0 || choice.depth.visits > 0 || !choice.values.empty();
      ranking.choices.push_back({.actions = Names(rules, state, actions),
                                 .value = choice.value,
                                 .depth = choice.depth,
                                 .values = std::move(choice.values),
                                 .valued = valued});
    }
    return ranking;
  }

  std::vector<float> Expect(const AnyPosition& position) override {
    const auto& [rules, state] = Open(position);
    std::vector<float> values;
    if (G::waits(state) == Waits::kEnd) {
      values.resize(ValuesPerState<G>(rules));
      FinalValues<G>(rules, state, values);
    } else if (!agent_->Expect(rules, G::observe(rules, state, G::turn(state)), values)) {
      values.clear();
    }
    return values;
  }

 private:
  static std::pair<const Rules&, const State&> Open(const AnyPosition& position) {
    const auto& own = dynamic_cast<const PositionOf<G>&>(position);
    return {own.game_rules(), own.state()};
  }
  static std::vector<std::string> Names(const Rules& rules, State state,
                                        std::span<const Action> path) {
    std::vector<std::string> names;
    for (const Action action : path) {
      names.push_back(G::action_name(rules, state, action));
      G::apply(rules, state, action);
    }
    return names;
  }

  static SearchSummary<std::string> Named(const Rules& rules, const State& state,
                                          const SearchSummary<Action>& search) {
    return {.simulations = search.simulations,
            .depth_mean = search.depth_mean,
            .depth_most = search.depth_most,
            .nodes = search.nodes,
            .evaluations = search.evaluations,
            .plies = search.plies,
            .complete = search.complete,
            .games = search.games,
            .samples = search.samples,
            .line = Names(rules, state, search.line)};
  }

  std::unique_ptr<Agent<G>> agent_;
  GreedyAgent<G> novice_;
  ActionList<Action> path_;
};

}  // namespace

Result<std::unique_ptr<AnyAgent>> MakeAnyAgent(const AgentSpec& spec, const AnyRules& game) {
  return VisitGame(
      game, [&]<class G>(const typename G::Rules& rules) -> Result<std::unique_ptr<AnyAgent>> {
        auto agent = MakeAgent<G>(spec, rules);
        if (!agent) return tl::unexpected(std::move(agent.error()));
        return std::make_unique<AnyAgentOf<G>>(*std::move(agent));
      });
}

}  // namespace berd
