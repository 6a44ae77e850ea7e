#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <span>
#include <vector>

#include "search/expectiminimax/expansion.h"
#include "search/oneply.h"
#include "search/values.h"

namespace berd {

// What an evaluator says where everybody takes what it values highest, and the luck of chance
// events by it. The value of an outcome is W(s, d), the values of the best choice after outcome d
// in state s (where no decision follows, of the state itself); its luck is
//
//   L(s, d) = W(s, d) - sum over outcomes e of P(e) W(s, e).
//
// W depends on state and outcome only and the mean has the exact weights, so the expectation of L
// is 0 whatever the evaluator says: results less their luck are unbiased (as in gnubg; the method
// is David Montgomery's, "Variance reduction", 2000). Values are vectors (search/values.h), the
// luck of all entries.
//
// To get the luck of one event: LookAtChance(rules, state), then LuckOf(Find(outcome)).
//
// Where values are hidden everybody takes what it values highest of what it thinks it can have: the
// choices are those of a guess that follows from what the deciding seat sees (Expansion).
//
// Spans and references are good until the next call that is not const. Keeps its buffers. Not
// thread-safe.
template <Game G, Evaluator<G> E>
class BestPlay {
 public:
  using Rules = typename G::Rules;
  using State = typename G::State;
  using Action = typename G::Action;
  using Values = std::array<double, kMostValues<G>>;  // the first ValuesPerState count

  explicit BestPlay(const E& evaluator) : evaluator_(evaluator) {}

  // ---- Single states

  // The values of a state of any kind.
  std::span<const float> Value(const Rules& rules, const State& state) {
    Evaluate(rules, state, std::span(&state, 1));
    return values_[0];
  }

  // What the deciding seat makes of it. Requires: the state waits for a decision.
  const State& Decide(const Rules& rules, const State& state) {
    expansion_.Expand(rules, state, {0, 0}, choices_);
    const auto states = expansion_.states();
    if (states.size() == 1) return expansion_.true_states()[0];
    Evaluate(rules, state, states);
    return expansion_.true_states()[BestOf(rules, expansion_.groups()[0])];
  }

  // ---- Chance events. Requires: the state waits for chance.

  // Lists the outcomes without valuing them; false where there are too many.
  bool List(const Rules& rules, const State& state) {
    return expansion_.List(rules, state, {0, 0});
  }
  const ActionList<Outcome<Action>>& outcomes() const { return expansion_.outcomes(); }

  // Values all outcomes in one batch; false where there are too many to list. Then there is no
  // luck to be told: it counts as 0, which is unbiased too.
  bool LookAtChance(const Rules& rules, const State& state) {
    if (!expansion_.Expand(rules, state, {0, 0}, choices_)) return false;
    Evaluate(rules, state, expansion_.states());
    size_ = ValuesPerState<G>(rules);
    mean_ = {};
    best_.clear();
    for (const auto& group : expansion_.groups()) best_.push_back(BestOf(rules, group));
    values_at_ = best_;
    if (HidesValues(rules)) ValueTrueStates(rules, state);
    for (std::size_t g = 0; g < best_.size(); ++g) {
      const double weight = double(expansion_.groups()[g].weight) / expansion_.total_weight();
      const auto values = values_[values_at_[g]];
      for (std::size_t i = 0; i < size_; ++i) mean_[i] += weight * double{values[i]};
    }
    return true;
  }

  // ---- After LookAtChance; `i` is the place of an outcome in outcomes().

  std::size_t Find(Action outcome) const {
    std::size_t i = 0;
    while (i + 1 < outcomes().size() && outcomes()[i].action != outcome) ++i;
    assert(outcomes()[i].action == outcome);
    return i;
  }
  // The best choice after the outcome, or where nobody decides what the outcome leads to.
  const State& StateAfter(std::size_t i) const { return expansion_.true_states()[best_[i]]; }
  bool DecidedAfter(std::size_t i) const { return expansion_.groups()[i].decision; }
  std::span<const float> ValuesAfter(std::size_t i) const { return values_[values_at_[i]]; }
  // The mean of ValuesAfter over the outcomes.
  const Values& mean() const { return mean_; }
  Values LuckOf(std::size_t i) const {
    Values luck{};
    const auto values = ValuesAfter(i);
    for (std::size_t v = 0; v < size_; ++v) luck[v] = double{values[v]} - mean_[v];
    return luck;
  }

 private:
  using Group = typename Expansion<G>::Group;

  void Evaluate(const Rules& rules, const State& near, std::span<const State> states) {
    pointers_.clear();
    for (const State& state : states) pointers_.push_back(&state);
    values_.Evaluate(rules, near, pointers_, evaluator_);
  }

  // Values of the best choices, which were valued as the seats that take them see them.
  void ValueTrueStates(const Rules& rules, const State& near) {
    pointers_.clear();
    for (std::size_t g = 0; g < best_.size(); ++g) {
      pointers_.push_back(&StateAfter(g));
      values_at_[g] = g;
    }
    values_.Evaluate(rules, near, pointers_, evaluator_);
  }

  // The best state of a group, by the values at hand; the first of equals.
  std::size_t BestOf(const Rules& rules, const Group& group) const {
    if (group.count == 1) return group.first;
    std::size_t best = group.first;
    float most = Utility<G>(rules, values_[best], group.actor);
    for (std::size_t i = group.first + 1; i < group.first + group.count; ++i) {
      const float utility = Utility<G>(rules, values_[i], group.actor);
      if (utility > most) {
        best = i;
        most = utility;
      }
    }
    return best;
  }

  E evaluator_;
  Choices<G> choices_;
  Expansion<G> expansion_;
  StateValues<G, E> values_;
  std::vector<const State*> pointers_;
  std::vector<std::size_t> best_;       // by outcome: place among the states
  std::vector<std::size_t> values_at_;  // by outcome: place of its values among values_
  Values mean_{};
  std::size_t size_ = 0;  // of the values of one state
};

}  // namespace berd
