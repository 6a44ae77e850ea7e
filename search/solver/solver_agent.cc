#include "search/solver/solver_agent.h"

#include <algorithm>
#include <cstdint>
#include <tuple>

namespace berd {

using DuelGame = Duel<false>;

void SolverAgent::AddLines(const Rules& rules, const State& before, const State& state,
                           std::vector<Action>& path) {
  ActionList<Action> actions;
  DuelGame::legal(rules, state, actions);
  for (const Action action : actions) {
    State after = state;
    DuelGame::apply(rules, after, action);
    path.push_back(action);
    if (after.phase == DuelPhase::kCarry) {
      AddLines(rules, before, after, path);
    } else {
      const int sign = before.turn == 0 ? 1 : -1;
      const int now = sign * CollectedDifference(before);
      Line line{.path = path, .margin = sign * table_->Margin(rules, after)};
      // A finish is what the mover was waiting for.
      if (after.phase == DuelPhase::kMove && sign * CollectedDifference(after) == now) {
        const int distance = table_->Distance(rules, after);
        line.delay = line.margin > now ? 1 + distance : line.margin < now ? -1 - distance : 0;
      }
      lines_.push_back(std::move(line));
    }
    path.pop_back();
  }
}

void SolverAgent::Evaluate(const Rules& rules, const State& state) {
  lines_.clear();
  std::vector<Action> path;
  AddLines(rules, state, state, path);
  std::stable_sort(lines_.begin(), lines_.end(), [](const Line& a, const Line& b) {
    return std::tuple(-a.margin, a.delay) < std::tuple(-b.margin, b.delay);
  });
}

void SolverAgent::Choose(const Rules& rules, const Observation& seen, RandomStream& random,
                         ActionList<Action>& path) {
  Evaluate(rules, seen.state);
  std::uint32_t best = 1;
  while (best < lines_.size() && lines_[best].margin == lines_[0].margin &&
         lines_[best].delay == lines_[0].delay) {
    ++best;
  }
  path.clear();
  for (const Action action : lines_[random.Below(best)].path) path.push_back(action);
}

RankedBy SolverAgent::Rank(const Rules& rules, const Observation& seen, std::size_t most,
                           std::vector<RankedPath<Action>>& ranked) {
  Evaluate(rules, seen.state);
  ranked.clear();
  for (const Line& line : lines_) {
    const double share = line.margin > 0 ? 1.0 : line.margin == 0 ? 0.5 : 0.0;
    std::vector<float> values(2, static_cast<float>(1 - share));
    values[static_cast<std::size_t>(seen.seat.index())] = static_cast<float>(share);
    ranked.push_back({.path = line.path,
                      .value = share,
                      .depth = {.margin = line.margin},
                      .values = std::move(values)});
  }
  KeepBest(ranked, most);
  return RankedBy::kWinShare;
}

}  // namespace berd
