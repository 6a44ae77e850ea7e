#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "search/random_agent.h"

namespace berd {

// Another agent that goes wrong now and then: each time it is asked it takes, with probability
// `epsilon`, a uniformly random afterstate instead. The population of agents of one strength in
// different states of attention (the eps-ladder of the luck measurements).
template <Game G>
class EpsilonAgent final : public Agent<G> {
 public:
  using typename Agent<G>::Rules;
  using typename Agent<G>::Action;
  using typename Agent<G>::Observation;

  // Requires: 0 <= epsilon <= 1.
  EpsilonAgent(double epsilon, std::unique_ptr<Agent<G>> agent)
      : epsilon_(static_cast<float>(epsilon)), agent_(std::move(agent)) {}

  void NewGame() override { agent_->NewGame(); }

  void Choose(const Rules& rules, const Observation& seen, RandomStream& random,
              ActionList<Action>& path) override {
    if (random.Unit() < epsilon_) {
      random_.Choose(rules, seen, random, path);
    } else {
      agent_->Choose(rules, seen, random, path);
    }
  }

  // A ranking is not disturbed.
  RankedBy Rank(const Rules& rules, const Observation& seen, std::size_t most,
                std::vector<RankedPath<Action>>& ranked) override {
    return agent_->Rank(rules, seen, most, ranked);
  }
  SearchSummary<Action> LastSearch() override { return agent_->LastSearch(); }
  bool Expect(const Rules& rules, const Observation& seen, std::vector<float>& values) override {
    return agent_->Expect(rules, seen, values);
  }

 private:
  float epsilon_;
  RandomAgent<G> random_;
  std::unique_ptr<Agent<G>> agent_;
};

}  // namespace berd
