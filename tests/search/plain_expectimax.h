#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "engine/core/afterstates.h"
#include "search/expectiminimax/options.h"
#include "search/values.h"

namespace berd {

// Expectiminimax as one would write it on a blackboard: vectors everywhere, no buffers, no cache,
// no batches. Gives up (nullopt) beyond a number of states.
template <Game G, class E>
class PlainExpectimax {
 public:
  using Rules = typename G::Rules;
  using State = typename G::State;
  using Values = std::vector<double>;

  PlainExpectimax(const Rules& rules, const E& evaluator, const ExpectiminimaxOptions& options,
                  Seat searcher, long most_states)
      : rules_(rules),
        evaluator_(evaluator),
        options_(options),
        searcher_(searcher),
        states_left_(most_states) {}

  std::optional<Values> Value(const State& state, int depth) {
    if (G::waits(state) == Waits::kEnd || depth == 0) return Static(state);
    if (G::waits(state) == Waits::kDecision) return Best(state, depth);
    ActionList<Outcome<typename G::Action>> outcomes;
    if (!G::chance(rules_, state, outcomes)) return Static(state);
    double total = 0;
    for (const auto& outcome : outcomes) total += outcome.weight;
    Values mean(ValuesPerState<G>(rules_), 0.0);
    for (const auto& outcome : outcomes) {
      State next = state;
      G::apply(rules_, next, outcome.action);
      const bool decision = G::waits(next) == Waits::kDecision;
      const auto values = decision ? Best(next, depth) : Value(next, depth - 1);
      if (!values) return std::nullopt;
      for (std::size_t i = 0; i < mean.size(); ++i)
        mean[i] += outcome.weight / total * (*values)[i];
    }
    return mean;
  }

  double Worth(const Values& values, Seat actor) const {
    const std::vector<float> copy(values.begin(), values.end());
    if (options_.paranoid && G::side(rules_, actor) != G::side(rules_, searcher_)) {
      return -Utility<G>(rules_, copy, searcher_);
    }
    return Utility<G>(rules_, copy, actor);
  }

 private:
  Values Static(const State& state) {
    std::vector<float> values(ValuesPerState<G>(rules_));
    if (G::waits(state) == Waits::kEnd) {
      FinalValues<G>(rules_, state, values);
    } else {
      const State* one = &state;
      evaluator_.Evaluate(rules_, state, std::span(&one, 1), values);
    }
    return {values.begin(), values.end()};
  }

  std::optional<Values> Best(const State& state, int depth) {
    const Seat actor = G::actor(state);
    Afterstates<G> afterstates(1024);
    if (!afterstates.Enumerate(rules_, state)) return std::nullopt;
    std::vector<std::pair<double, std::size_t>> order;  // falling worth, then index
    for (std::size_t i = 0; i < afterstates.size(); ++i) {
      order.emplace_back(-Worth(Static(afterstates[i]), actor), i);
    }
    states_left_ -= static_cast<long>(order.size());
    if (states_left_ < 0) return std::nullopt;
    const MoveFilter& filter = options_.FilterAt(options_.plies - depth);
    if (depth > 1 && filter.count > 0) {
      std::sort(order.begin(), order.end());
      const double most = order.front().first + filter.margin;
      std::erase_if(order, [&](const auto& entry) { return entry.first > most; });
      if (order.size() > static_cast<std::size_t>(filter.count)) {
        order.resize(static_cast<std::size_t>(filter.count));
      }
    }
    std::optional<Values> best;
    for (const auto& entry : order) {
      const auto values = Value(afterstates[entry.second], depth - 1);
      if (!values) return std::nullopt;
      if (!best || Worth(*values, actor) > Worth(*best, actor)) best = values;
    }
    return best;
  }

  const Rules& rules_;
  E evaluator_;
  ExpectiminimaxOptions options_;
  Seat searcher_;
  long states_left_;
};

}  // namespace berd
