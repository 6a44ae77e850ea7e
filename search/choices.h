#pragma once

#include <cstddef>
#include <vector>

#include "engine/core/afterstates.h"

namespace berd {

// What a seat can do at a decision: its afterstates, or where these are too many to list the states
// after one small step. Keeps its buffers. Not thread-safe.
template <Game G>
class Choices {
 public:
  using Rules = typename G::Rules;
  using State = typename G::State;
  using Action = typename G::Action;

  // Requires: root waits for a decision.
  void Enumerate(const Rules& rules, const State& root) {
    complete_ = afterstates_.Enumerate(rules, root);
    if (complete_) return;
    G::legal(rules, root, actions_);
    steps_.assign(actions_.size(), root);
    for (std::size_t i = 0; i < actions_.size(); ++i) G::apply(rules, steps_[i], actions_[i]);
  }

  std::size_t size() const { return complete_ ? afterstates_.size() : steps_.size(); }
  const State& operator[](std::size_t i) const { return complete_ ? afterstates_[i] : steps_[i]; }

  // The first action of the path to choice i, and all of it.
  Action FirstAction(std::size_t i) const {
    return complete_ ? afterstates_.FirstAction(i) : actions_[i];
  }
  void Path(std::size_t i, ActionList<Action>& path) const {
    if (complete_) return afterstates_.Path(i, path);
    path.clear();
    path.push_back(actions_[i]);
  }

 private:
  Afterstates<G> afterstates_;
  ActionList<Action> actions_;
  std::vector<State> steps_;
  bool complete_ = true;
};

}  // namespace berd
