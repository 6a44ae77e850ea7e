#pragma once

#include <algorithm>
#include <vector>

#include "search/agent.h"
#include "search/choices.h"
#include "search/evaluator.h"
#include "search/values.h"

namespace berd {

// Values of a list of states, ends included.
template <Game G, Evaluator<G> E>
class StateValues {
 public:
  // `states` may be of any kind, few steps from `near`; those that are at an end get their exact
  // values.
  void Evaluate(const typename G::Rules& rules, const typename G::State& near,
                std::span<const typename G::State* const> states, E& evaluator) {
    size_ = ValuesPerState<G>(rules);
    values_.resize(states.size() * size_);
    open_.clear();
    open_index_.clear();
    for (std::size_t i = 0; i < states.size(); ++i) {
      if (G::waits(*states[i]) == Waits::kEnd) {
        FinalValues<G>(rules, *states[i], std::span(values_).subspan(i * size_, size_));
      } else {
        open_.push_back(states[i]);
        open_index_.push_back(i);
      }
    }
    if (open_.empty()) return;
    if (open_.size() == states.size()) {
      evaluator.Evaluate(rules, near, open_, values_);
      return;
    }
    open_values_.resize(open_.size() * size_);
    evaluator.Evaluate(rules, near, open_, open_values_);
    for (std::size_t i = 0; i < open_.size(); ++i) {
      std::copy_n(open_values_.data() + i * size_, size_, values_.data() + open_index_[i] * size_);
    }
  }

  std::span<const float> operator[](std::size_t i) const {
    return std::span(values_).subspan(i * size_, size_);
  }
  // Of `count` states from the first one on.
  std::span<const float> Of(std::size_t first, std::size_t count) const {
    return std::span(values_).subspan(first * size_, count * size_);
  }

 private:
  std::size_t size_ = 0;  // of the values of one state
  std::vector<float> values_;
  std::vector<float> open_values_;
  std::vector<const typename G::State*> open_;
  std::vector<std::size_t> open_index_;
};

// Enumerates the afterstates of a decision and values them all. Where they are too many to list it
// looks at the states after one small step instead. Not thread-safe.
template <Game G, Evaluator<G> E>
class OnePly {
 public:
  using Rules = typename G::Rules;
  using State = typename G::State;
  using Action = typename G::Action;

  explicit OnePly(const E& evaluator) : evaluator_(evaluator) {}

  // Requires: root waits for a decision; the rules live until the last question about it.
  void Look(const Rules& rules, const State& root) {
    rules_ = &rules;
    states_.clear();
    choices_.Enumerate(rules, root);
    for (std::size_t i = 0; i < choices_.size(); ++i) states_.push_back(&choices_[i]);
    values_.Evaluate(rules, root, states_, evaluator_);
  }

  // Values of one state that waits for chance.
  void Value(const Rules& rules, const State& state, std::span<float> values) {
    const State* one = &state;
    evaluator_.Evaluate(rules, state, std::span(&one, 1), values);
  }

  std::size_t size() const { return states_.size(); }
  const State& state(std::size_t i) const { return *states_[i]; }
  // Values after choice i, and what they are worth to a seat.
  std::span<const float> values(std::size_t i) const { return values_[i]; }
  float UtilityOf(std::size_t i, Seat seat) const { return Utility<G>(*rules_, values_[i], seat); }

  // The choice that is best for `seat`; the first of equals.
  std::size_t Best(Seat seat) const {
    std::size_t best = 0;
    float most = UtilityOf(0, seat);
    for (std::size_t i = 1; i < states_.size(); ++i) {
      const float utility = UtilityOf(i, seat);
      if (utility > most) {
        best = i;
        most = utility;
      }
    }
    return best;
  }

  std::size_t Worst(Seat seat) const {
    std::size_t worst = 0;
    for (std::size_t i = 1; i < states_.size(); ++i) {
      if (UtilityOf(i, seat) < UtilityOf(worst, seat)) worst = i;
    }
    return worst;
  }

  // The first action of the path to choice i.
  Action FirstAction(std::size_t i) const { return choices_.FirstAction(i); }
  void Path(std::size_t i, ActionList<Action>& path) const { choices_.Path(i, path); }

  E& evaluator() { return evaluator_; }

 private:
  E evaluator_;
  const Rules* rules_ = nullptr;
  Choices<G> choices_;
  std::vector<const State*> states_;
  StateValues<G, E> values_;
};

}  // namespace berd
