#pragma once

#include <cstdint>

#include "engine/core/afterstates.h"
#include "engine/core/game.h"

namespace berd {

// Openings of so many uniformly random decisions, so that agents which always play alike do not
// play one game again and again. A decision is all that a seat decides until chance comes, another
// seat decides, or a turn or the game ends: placing all its tokens in a duel is one. It is drawn
// from the distinct afterstates; where these are too many to list, step by step. The true state is
// looked at, also where values are hidden. Not thread-safe.
template <Game G>
class RandomOpening {
 public:
  using Rules = typename G::Rules;
  using State = typename G::State;
  using Action = typename G::Action;

  // `decisions` >= 0: of all seats together.
  explicit RandomOpening(int decisions)
      : decisions_(decisions), afterstates_(decisions > 0 ? Afterstates<G>::kDefaultMost : 0) {}

  int decisions() const { return decisions_; }

  // Replaces `path` by the actions of a random decision. Requires: the state waits for one.
  void Choose(const Rules& rules, const State& state, RandomStream& random,
              ActionList<Action>& path) {
    if (afterstates_.Enumerate(rules, state)) {
      afterstates_.Path(random.Below(static_cast<std::uint32_t>(afterstates_.size())), path);
      return;
    }
    path.clear();
    State now = state;
    do {
      const Action action = G::sample_legal(rules, now, random);
      G::apply(rules, now, action);
      path.push_back(action);
    } while (G::waits(now) == Waits::kDecision && G::turns(now) == G::turns(state) &&
             G::actor(now) == G::actor(state));
  }

 private:
  int decisions_;
  Afterstates<G> afterstates_;
};

}  // namespace berd
