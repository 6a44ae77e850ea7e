#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "search/choices.h"

namespace berd {

// The next ply below a state: the outcomes of the chance event it waits for, if any, and after each
// of them all that the seat deciding there can do. The states of all outcomes lie in one list. An
// outcome that leads to an end or to more chance is a group of its own with that one state.
//
// Where values are hidden, a seat that decides does not see the state. Its choices are listed
// twice, in the same order: what they lead to (`true_states`), and what it takes them to lead to
// (`states`), from a guess that agrees with what it sees. The guess follows from what the seat sees
// alone, so whatever is done by the values of `states` is the same in all states that look alike to
// it. Without hidden values both lists are one.
//
// Keeps its buffers. Not thread-safe.
template <Game G>
class Expansion {
 public:
  using Rules = typename G::Rules;
  using State = typename G::State;

  // What one outcome leads to: states first .. first + count - 1.
  struct Group {
    std::size_t first;
    std::size_t count;
    std::uint32_t weight;  // its probability is weight / total_weight()
    bool decision;         // whether a seat chooses one of them …
    Seat actor;            // … and which one
  };
  // How a chance event with too many outcomes to list is drawn from; samples = 0: not at all.
  struct Sampling {
    int samples;
    std::uint64_t seed;
  };
  // Which outcomes are followed: all of them, dealt out in turn to `of` parts, or if there are
  // fewer outcomes to as many parts as there are; then several indices have the same part.
  struct Part {
    std::size_t index = 0;
    std::size_t of = 1;
  };

  // False where chance cannot be listed and is not to be sampled. Requires: `state` is no end.
  bool Expand(const Rules& rules, const State& state, const Sampling& sampling, Choices<G>& choices,
              const Part& part = {}) {
    hides_values_ = HidesValues(rules);
    groups_.clear();
    count_ = 0;
    total_weight_ = 0;
    share_ = 0;
    nodes_ = 0;
    if (G::waits(state) == Waits::kDecision) {
      total_weight_ = 1;
      share_ = 1;
      AddGroup(rules, state, 1, sampling.seed, choices);
      return true;
    }
    if (!List(rules, state, sampling)) return false;
    const std::size_t parts = std::min(part.of, outcomes_.size());
    std::uint32_t followed = 0;
    for (std::size_t i = 0; i < outcomes_.size(); ++i) {
      const auto& outcome = outcomes_[i];
      total_weight_ += outcome.weight;
      if (i % parts != part.index % parts) continue;
      followed += outcome.weight;
      ++nodes_;
      State next = state;
      G::apply(rules, next, outcome.action);
      AddGroup(rules, next, outcome.weight, sampling.seed, choices);
    }
    share_ = static_cast<float>(followed) / static_cast<float>(total_weight_);
    return true;
  }

  // Lists or draws the outcomes of a chance event (also for callers that go through them one by
  // one). Drawn numbers follow from the state's key: equal states are sampled alike.
  bool List(const Rules& rules, const State& state, const Sampling& sampling) {
    if (G::chance(rules, state, outcomes_)) return true;
    if (sampling.samples == 0) return false;
    RandomStream random(sampling.seed, G::key(state) >> 8, Purpose::kPlies, 0);
    outcomes_.clear();
    for (int i = 0; i < sampling.samples; ++i) {
      outcomes_.push_back({G::sample_chance(rules, state, random), 1});
    }
    return true;
  }
  const ActionList<Outcome<typename G::Action>>& outcomes() const { return outcomes_; }

  std::span<const Group> groups() const { return groups_; }
  // States made: outcomes, and what seats can do after them.
  std::size_t nodes() const { return nodes_; }
  // Of all outcomes.
  std::uint32_t total_weight() const { return total_weight_; }
  // The probability of those followed; 0 if the state was not expanded.
  float share() const { return share_; }
  // What choices lead to, for the seat that decides.
  std::span<const State> states() const { return std::span(states_).first(count_); }
  // What they lead to.
  std::span<const State> true_states() const {
    return hides_values_ ? std::span<const State>(true_states_).first(count_) : states();
  }

 private:
  void AddGroup(const Rules& rules, const State& state, std::uint32_t weight, std::uint64_t seed,
                Choices<G>& choices) {
    Group group{count_, 1, weight, G::waits(state) == Waits::kDecision, Seat()};
    if (group.decision && kWholeTurns<G>) {
      group.actor = G::actor(state);
      group.count = AddWholeTurns(rules, state);
    } else if (group.decision) {
      group.actor = G::actor(state);
      choices.Enumerate(rules, state);
      group.count = choices.size();
      nodes_ += group.count;
      Reserve(group.count);
      for (std::size_t i = 0; i < group.count; ++i) states_[count_ + i] = choices[i];
      if (hides_values_) AddGuess(rules, state, group, seed, choices);
    } else {
      Reserve(1);
      states_[count_] = state;
      if (hides_values_) true_states_[count_] = state;
    }
    count_ += group.count;
    groups_.push_back(group);
  }

  // The choices of a decision as the seat takes them to be. Where it learns something on the way
  // there might be more of them in a guess; then it sees them as they are.
  void AddGuess(const Rules& rules, const State& state, const Group& group, std::uint64_t seed,
                Choices<G>& choices) {
    State* const states = states_.data() + count_;
    std::copy_n(states, group.count, true_states_.begin() + static_cast<std::ptrdiff_t>(count_));
    const auto seen = G::observe(rules, state, group.actor);
    RandomStream random(seed, G::key(seen.state) >> 8, Purpose::kHidden, kGuessIndex);
    choices.Enumerate(rules, G::sample_hidden(rules, seen, random));
    if (choices.size() != group.count) return;
    for (std::size_t i = 0; i < group.count; ++i) states[i] = choices[i];
  }

  // What the choices would list, without going through them.
  std::size_t AddWholeTurns(const Rules& rules, const State& state) {
    G::legal(rules, state, actions_);
    nodes_ += actions_.size();
    Reserve(actions_.size());
    State* next = states_.data() + count_;
    for (const auto action : actions_) {
      *next = state;
      G::apply(rules, *next++, action);
    }
    return actions_.size();
  }

  void Reserve(std::size_t more) {
    if (states_.size() < count_ + more) states_.resize(2 * (count_ + more));
    if (hides_values_ && true_states_.size() < states_.size()) true_states_.resize(states_.size());
  }

  static constexpr std::uint32_t kGuessIndex = 2;  // of the random stream

  ActionList<Outcome<typename G::Action>> outcomes_;
  ActionList<typename G::Action> actions_;
  std::vector<Group> groups_;
  std::vector<State> states_;       // the first count_ are in use
  std::vector<State> true_states_;  // likewise, where values are hidden
  bool hides_values_ = false;
  std::size_t count_ = 0;
  std::size_t nodes_ = 0;
  std::uint32_t total_weight_ = 0;
  float share_ = 0;
};

}  // namespace berd
