#pragma once

#include "search/agent.h"

namespace berd {

// The reference novice of a game's rules page: in each small step the action with the highest
// novice score, ties at random.
template <Game G>
class GreedyAgent final : public Agent<G> {
 public:
  using typename Agent<G>::Rules;
  using typename Agent<G>::Action;
  using typename Agent<G>::Observation;

  void Choose(const Rules& rules, const Observation& seen, RandomStream& random,
              ActionList<Action>& path) override {
    G::legal(rules, seen.state, actions_);
    best_.clear();
    double best_score = 0;
    for (const Action action : actions_) {
      const double score = G::novice_score(rules, seen.state, action);
      if (best_.empty() || score > best_score) {
        best_.clear();
        best_score = score;
      }
      if (score == best_score) best_.push_back(action);
    }
    path.clear();
    path.push_back(best_[random.Below(static_cast<std::uint32_t>(best_.size()))]);
  }

  RankedBy Rank(const Rules& rules, const Observation& seen, std::size_t most,
                std::vector<RankedPath<Action>>& ranked) override {
    G::legal(rules, seen.state, actions_);
    ranked.clear();
    for (const Action action : actions_) {
      ranked.push_back({.path = {action}, .value = G::novice_score(rules, seen.state, action)});
    }
    KeepBest(ranked, most);
    return RankedBy::kNoviceScore;
  }

 private:
  ActionList<Action> actions_;
  ActionList<Action> best_;
};

}  // namespace berd
