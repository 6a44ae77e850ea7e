#include "selfplay/any_agent.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "search/greedy_agent.h"
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
    return Names(rules, state, Hidden(rules) ? path.first(1) : path);
  }

  Ranking Rank(const AnyPosition& position, std::size_t most) override {
    const auto& [rules, state] = Open(position);
    const auto seen = G::observe(rules, state, G::actor(state));
    const bool hidden = Hidden(rules);
    // Several paths may begin with the same action, so ask for all where only that one counts.
    const std::size_t ask = hidden ? std::numeric_limits<std::size_t>::max() : most;
    std::vector<RankedPath<Action>> ranked;
    Ranking ranking{.by = agent_->Rank(rules, seen, ask, ranked), .choices = {}};
    if (ranking.by == RankedBy::kNothing) ranking.by = novice_.Rank(rules, seen, ask, ranked);
    std::vector<Action> first_actions;
    for (const auto& [path, value, visits] : ranked) {
      std::span<const Action> actions = path;
      if (hidden) {
        actions = actions.first(1);
        if (std::find(first_actions.begin(), first_actions.end(), path[0]) != first_actions.end()) {
          continue;
        }
        first_actions.push_back(path[0]);
      }
      if (ranking.choices.size() == most) break;
      ranking.choices.push_back({Names(rules, state, actions), value, visits});
    }
    return ranking;
  }

 private:
  static std::pair<const Rules&, const State&> Open(const AnyPosition& position) {
    const auto& own = dynamic_cast<const PositionOf<G>&>(position);
    return {own.game_rules(), own.state()};
  }
  static bool Hidden(const Rules& rules) {
    if constexpr (requires { rules.hidden(); }) return rules.hidden();
    return false;
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
