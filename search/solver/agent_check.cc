#include "search/solver/agent_check.h"

#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <array>
#include <cassert>
#include <span>

#include "search/play.h"

namespace berd {

namespace {

using DuelGame = Duel<false>;
using State = DuelGame::State;

// What a final difference of scores is to a seat: 1 won, 0 tied, -1 lost.
int ResultFor(int seat, int margin) {
  const int sign = (margin > 0) - (margin < 0);
  return seat == 0 ? sign : -sign;
}

// Whether the seat has more to decide before it is done: where it places, or carries.
bool GoesOn(const State& state, int seat) {
  return state.phase == DuelPhase::kCarry ||
         (state.phase == DuelPhase::kPlace && DuelGame::actor(state).index() == seat);
}

bool BeginsTurn(const State& state) {
  return state.phase == DuelPhase::kMove || state.phase == DuelPhase::kPlace;
}

// The worst result, for the seat that moves, that a turn from `state` can lead to.
int WorstResult(const DuelTable& table, const DuelRules& rules, const State& state, int seat) {
  ActionList<DuelGame::Action> actions;
  DuelGame::legal(rules, state, actions);
  int worst = 1;
  for (const auto action : actions) {
    State after = state;
    DuelGame::apply(rules, after, action);
    const int result = GoesOn(after, seat) ? WorstResult(table, rules, after, seat)
                                           : ResultFor(seat, table.Margin(rules, after));
    worst = std::min(worst, result);
  }
  return worst;
}

// The state after the agent's turn.
State AfterTurn(const DuelRules& rules, State state, Agent<DuelGame>& agent, RandomStream& random) {
  const Seat seat = DuelGame::actor(state);
  ActionList<DuelGame::Action> path;
  do {
    agent.Choose(rules, DuelGame::observe(rules, state, seat), random, path);
    for (const auto action : path) DuelGame::apply(rules, state, action);
  } while (GoesOn(state, seat.index()));
  return state;
}

}  // namespace

std::vector<State> DrawDuelPositions(const DuelRules& rules, const AgentMaker<DuelGame>& player,
                                     const AgentCheckOptions& options) {
  const auto first = player();
  const auto second = player();
  const std::array<Agent<DuelGame>*, 2> agents = {first.get(), second.get()};
  // Forced play in the largest duel solved takes two thirds of the default cap.
  const std::uint32_t most_turns = rules.cap / 3;
  std::vector<State> positions;
  std::vector<State> met;
  for (std::uint64_t game = 0; positions.size() < options.positions; ++game) {
    met.clear();
    State state = DuelGame::initial(rules);
    PlayOn<DuelGame>(rules, state, agents, {.seed = options.seed, .dice = game, .game = game},
                     [&](const State& before, DuelGame::Action) {
                       if (BeginsTurn(before) && DuelGame::turns(before) <= most_turns) {
                         met.push_back(before);
                       }
                     });
    RandomStream random(options.seed, game, Purpose::kExploration, 0);
    const State& drawn = met[random.Below(static_cast<std::uint32_t>(met.size()))];
    auto fresh = DuelGame::parse(rules, DuelGame::position(rules, drawn));
    assert(fresh.has_value());
    positions.push_back(*fresh);
  }
  return positions;
}

AgentCheckResult CheckAgent(const DuelTable& table, const DuelRules& rules,
                            const std::vector<State>& positions, const AgentMaker<DuelGame>& agent,
                            const AgentCheckOptions& options) {
  std::vector<std::uint8_t> kept(positions.size());
  tbb::enumerable_thread_specific<std::unique_ptr<Agent<DuelGame>>> agents(agent);
  tbb::task_arena arena(options.threads);
  arena.execute([&] {
    tbb::parallel_for(std::size_t{0}, positions.size(), [&](std::size_t i) {
      const int seat = DuelGame::actor(positions[i]).index();
      Agent<DuelGame>& asked = *agents.local();
      asked.NewGame();
      RandomStream random(options.seed, i, Purpose::kAgent, 0);
      const State after = AfterTurn(rules, positions[i], asked, random);
      kept[i] = ResultFor(seat, table.Margin(rules, after)) ==
                        ResultFor(seat, table.Margin(rules, positions[i]))
                    ? 1
                    : 0;
    });
  });
  AgentCheckResult result;
  const auto count = [](AgentCheckResult::Count& where, bool was_kept) {
    ++where.positions;
    where.kept += was_kept ? 1 : 0;
  };
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const bool was_kept = kept[i] != 0;
    count(result.all, was_kept);
    if (!was_kept) result.misses.push_back(DuelGame::position(rules, positions[i]));
    const int seat = DuelGame::actor(positions[i]).index();
    const int worth = ResultFor(seat, table.Margin(rules, positions[i]));
    if (WorstResult(table, rules, positions[i], seat) == worth) continue;
    count(result.critical, was_kept);
    count(worth > 0 ? result.won : result.tied, was_kept);
  }
  return result;
}

}  // namespace berd
