#pragma once

#include "engine/core/afterstates.h"
#include "search/agent.h"

namespace berd {

// Uniform over the distinct afterstates of the decision; where there are too many to list, uniform
// over the legal actions of the small step.
template <Game G>
class RandomAgent final : public Agent<G> {
 public:
  using typename Agent<G>::Rules;
  using typename Agent<G>::Action;
  using typename Agent<G>::Observation;

  void Choose(const Rules& rules, const Observation& seen, RandomStream& random,
              ActionList<Action>& path) override {
    if (afterstates_.Enumerate(rules, seen.state)) {
      afterstates_.Path(random.Below(static_cast<std::uint32_t>(afterstates_.size())), path);
      return;
    }
    path.clear();
    path.push_back(G::sample_legal(rules, seen.state, random));
  }

 private:
  Afterstates<G> afterstates_;
};

}  // namespace berd
