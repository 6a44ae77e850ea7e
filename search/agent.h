#pragma once

#include <string>

#include "engine/core/game.h"

namespace berd {

// A player of a game. One virtual call a decision. An agent keeps buffers between calls and is not
// thread-safe: every thread uses its own.
template <Game G>
class Agent {
 public:
  using Rules = typename G::Rules;
  using Action = typename G::Action;
  using Observation = typename G::Observation;

  virtual ~Agent() = default;

  // Replaces `path` by one or more actions that the observing seat, which must be the actor, takes
  // one after another in the same turn. The caller applies them all, or only the first: then it
  // asks again. (In games with hidden values callers apply only the first, since what a move
  // uncovers may change the rest.) All randomness comes from `random`, so equal calls on agents
  // made alike choose alike.
  virtual void Choose(const Rules& rules, const Observation& seen, RandomStream& random,
                      ActionList<Action>& path) = 0;
};

}  // namespace berd
