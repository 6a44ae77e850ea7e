#pragma once

#include <vector>

#include "search/agent.h"
#include "search/expectiminimax/expectiminimax.h"

namespace berd {

// Takes the best afterstate of an expectiminimax search. Where values are hidden it averages over
// `hidden_samples` states that agree with what the seat sees.
template <Game G, Evaluator<G> E>
class ExpectiminimaxAgent final : public Agent<G> {
 public:
  using typename Agent<G>::Rules;
  using typename Agent<G>::Action;
  using typename Agent<G>::Observation;

  ExpectiminimaxAgent(const E& evaluator, const ExpectiminimaxOptions& options, int hidden_samples)
      : search_(evaluator, options), hidden_samples_(hidden_samples) {}

  void Choose(const Rules& rules, const Observation& seen, RandomStream& random,
              ActionList<Action>& path) override {
    Search(rules, seen, random);
    search_.Path(search_.candidates().front(), path);
  }

  // Alternatives that the filter stopped come after those that were searched more deeply.
  RankedBy Rank(const Rules& rules, const Observation& seen, std::size_t most,
                std::vector<RankedPath<Action>>& ranked) override {
    RandomStream random(0, G::key(seen.state) >> 8, Purpose::kHidden, 0);
    search_.options().value_forced = true;
    Search(rules, seen, random);
    search_.options().value_forced = false;
    ranked.clear();
    ActionList<Action> path;
    for (const auto& candidate : search_.candidates()) {
      if (ranked.size() == most) break;
      search_.Path(candidate, path);
      const auto values = std::span(candidate.values).first(ValuesPerState<G>(rules));
      ranked.push_back({.path = {path.begin(), path.end()},
                        .value = candidate.worth,
                        .depth = {.plies = candidate.depth},
                        .values = {values.begin(), values.end()}});
    }
    last_ = {.nodes = stats().nodes,
             .evaluations = stats().evaluations,
             .plies = stats().depth,
             .complete = stats().complete};
    if (HidesValues(rules)) last_.samples = hidden_samples_;
    return kRankedByUtility<G>;
  }
  SearchSummary<Action> LastSearch() override { return last_; }

  bool Expect(const Rules& rules, const Observation& seen, std::vector<float>& values) override {
    const bool hidden = HidesValues(rules);
    const int samples = hidden ? hidden_samples_ : 1;
    RandomStream random(0, G::key(seen.state) >> 8, Purpose::kHidden, 0);
    std::vector<typename G::State> states;
    for (int sample = 0; sample < samples; ++sample) {
      states.push_back(hidden ? G::sample_hidden(rules, seen, random) : seen.state);
    }
    values.resize(ValuesPerState<G>(rules));
    return search_.Value(rules, states, seen.seat, values);
  }

  // What the last search did.
  const SearchStats& stats() { return search_.stats(); }

 private:
  void Search(const Rules& rules, const Observation& seen, RandomStream& random) {
    if (HidesValues(rules)) {
      search_.SearchHidden(rules, seen, hidden_samples_, random);
    } else {
      search_.Search(rules, seen.state);
    }
  }

  Expectiminimax<G, E> search_;
  int hidden_samples_;
  SearchSummary<Action> last_;
};

}  // namespace berd
