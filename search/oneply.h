#pragma once

#include <array>
#include <vector>

#include "engine/core/afterstates.h"
#include "search/agent.h"
#include "search/evaluator.h"

namespace berd {

// Win shares of a finished game as floats.
template <Game G>
void FinalShares(const typename G::Rules& rules, const typename G::State& state,
                 std::span<float> shares) {
  std::array<WinShare, kMaxSeats> exact;
  const auto seats = static_cast<std::size_t>(rules.seats());
  G::win_shares(rules, state, std::span(exact).first(seats));
  for (std::size_t seat = 0; seat < seats; ++seat) {
    shares[seat] = static_cast<float>(exact[seat].value());
  }
}

// Values of a list of states, ends included: win shares by state and seat.
template <Game G, Evaluator<G> E>
class StateValues {
 public:
  // `states` may be of any kind, few steps from `near`; those that are at an end get their exact
  // shares.
  void Evaluate(const typename G::Rules& rules, const typename G::State& near,
                std::span<const typename G::State* const> states, E& evaluator) {
    seats_ = static_cast<std::size_t>(rules.seats());
    shares_.resize(states.size() * seats_);
    open_.clear();
    open_index_.clear();
    for (std::size_t i = 0; i < states.size(); ++i) {
      if (G::waits(*states[i]) == Waits::kEnd) {
        FinalShares<G>(rules, *states[i], std::span(shares_).subspan(i * seats_, seats_));
      } else {
        open_.push_back(states[i]);
        open_index_.push_back(i);
      }
    }
    if (open_.empty()) return;
    if (open_.size() == states.size()) {
      evaluator.Evaluate(rules, near, open_, shares_);
      return;
    }
    open_shares_.resize(open_.size() * seats_);
    evaluator.Evaluate(rules, near, open_, open_shares_);
    for (std::size_t i = 0; i < open_.size(); ++i) {
      for (std::size_t seat = 0; seat < seats_; ++seat) {
        shares_[open_index_[i] * seats_ + seat] = open_shares_[i * seats_ + seat];
      }
    }
  }

  std::span<const float> operator[](std::size_t i) const {
    return std::span(shares_).subspan(i * seats_, seats_);
  }
  float Share(std::size_t i, Seat seat) const {
    return shares_[i * seats_ + static_cast<std::size_t>(seat.index())];
  }

 private:
  std::size_t seats_ = 0;
  std::vector<float> shares_;
  std::vector<float> open_shares_;
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

  // Requires: root waits for a decision.
  void Look(const Rules& rules, const State& root) {
    states_.clear();
    complete_ = afterstates_.Enumerate(rules, root);
    if (complete_) {
      for (std::size_t i = 0; i < afterstates_.size(); ++i) states_.push_back(&afterstates_[i]);
    } else {
      G::legal(rules, root, actions_);
      steps_.assign(actions_.size(), root);
      for (std::size_t i = 0; i < actions_.size(); ++i) {
        G::apply(rules, steps_[i], actions_[i]);
        states_.push_back(&steps_[i]);
      }
    }
    values_.Evaluate(rules, root, states_, evaluator_);
  }

  std::size_t size() const { return states_.size(); }
  const State& state(std::size_t i) const { return *states_[i]; }
  // Win shares of all seats after choice i, and of one seat.
  std::span<const float> values(std::size_t i) const { return values_[i]; }
  float Share(std::size_t i, Seat seat) const { return values_.Share(i, seat); }

  // The choice that is best for `seat`; the first of equals.
  std::size_t Best(Seat seat) const {
    std::size_t best = 0;
    for (std::size_t i = 1; i < states_.size(); ++i) {
      if (Share(i, seat) > Share(best, seat)) best = i;
    }
    return best;
  }

  std::size_t Worst(Seat seat) const {
    std::size_t worst = 0;
    for (std::size_t i = 1; i < states_.size(); ++i) {
      if (Share(i, seat) < Share(worst, seat)) worst = i;
    }
    return worst;
  }

  // The first action of the path to choice i.
  Action FirstAction(std::size_t i) const {
    return complete_ ? afterstates_.FirstAction(i) : actions_[i];
  }
  void Path(std::size_t i, ActionList<Action>& path) const {
    if (complete_) return afterstates_.Path(i, path);
    path.clear();
    path.push_back(actions_[i]);
  }

  E& evaluator() { return evaluator_; }

 private:
  E evaluator_;
  Afterstates<G> afterstates_;
  ActionList<Action> actions_;
  std::vector<State> steps_;
  std::vector<const State*> states_;
  StateValues<G, E> values_;
  bool complete_ = true;
};

}  // namespace berd
