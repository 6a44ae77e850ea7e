#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "search/expectiminimax/expansion.h"
#include "search/oneply.h"
#include "search/play.h"
#include "search/rollout/options.h"
#include "search/rollout/outcome_order.h"

namespace berd {

// Plays single games of a rollout: everybody takes what the evaluator values highest. The luck of
// each chance event is the value of the best choice after the outcome less its mean over all
// outcomes; it is taken off the result. Its expectation is 0 whatever the evaluator says, so the
// result stays unbiased (as in gnubg; the method is David Montgomery's, "Variance reduction",
// 2000). Where chance cannot be listed nothing is taken off. Not thread-safe; copies are
// independent.
template <Game G, Evaluator<G> E>
class RolledGame {
 public:
  using Rules = typename G::Rules;
  using State = typename G::State;
  using Values = std::array<double, kMostValues<G>>;

  RolledGame(const E& evaluator, const RolloutOptions& options)
      : evaluator_(evaluator), options_(options), order_(options.seed) {}

  // The values of game number `game` from a state of any kind. Chance follows from seed, number,
  // and how often chance came in turns of the same seat: games of one number have the same dice.
  Values Play(const Rules& rules, const State& start, std::uint64_t game) {
    rules_ = &rules;
    size_ = ValuesPerState<G>(rules);
    result_ = {};
    state_ = start;
    events_ = 0;
    events_of_seat_.fill(0);
    for (int decisions = 0;;) {
      if (G::waits(state_) == Waits::kEnd ||
          (options_.truncate > 0 && decisions >= options_.truncate)) {
        Evaluate(state_, std::span(&state_, 1));
        Add(values_[0], 1);
        return result_;
      }
      if (G::waits(state_) == Waits::kDecision) {
        TakeBest();
        ++decisions;
      } else if (Chance(game)) {
        ++decisions;
      }
    }
  }

 private:
  using Group = typename Expansion<G>::Group;

  void Add(std::span<const float> values, double weight) {
    for (std::size_t i = 0; i < size_; ++i) result_[i] += weight * double{values[i]};
  }

  void Evaluate(const State& near, std::span<const State> states) {
    pointers_.clear();
    for (const State& state : states) pointers_.push_back(&state);
    values_.Evaluate(*rules_, near, pointers_, evaluator_);
  }

  // The best state of a group, by the values at hand.
  std::size_t BestOf(const Group& group) const {
    if (group.count == 1) return group.first;
    std::size_t best = group.first;
    float most = Utility<G>(*rules_, values_[best], group.actor);
    for (std::size_t i = group.first + 1; i < group.first + group.count; ++i) {
      const float utility = Utility<G>(*rules_, values_[i], group.actor);
      if (utility > most) {
        best = i;
        most = utility;
      }
    }
    return best;
  }

  void TakeBest() {
    expansion_.Expand(*rules_, state_, {0, 0}, choices_);
    const auto states = expansion_.states();
    if (states.size() > 1) Evaluate(state_, states);
    state_ = states.size() > 1 ? states[BestOf(expansion_.groups()[0])] : states[0];
  }

  // Draws an outcome and takes off its luck; true if the decision after it was made too.
  bool Chance(std::uint64_t game) {
    const Seat turn = G::turn(state_);
    RandomStream random(
        options_.seed, game, Purpose::kRollout,
        (1u << 28) + ChanceIndex(turn, events_of_seat_[static_cast<std::size_t>(turn.index())]++));
    if (!expansion_.List(*rules_, state_, {0, 0})) {
      ++events_;
      G::apply(*rules_, state_, G::sample_chance(*rules_, state_, random));
      return false;
    }
    const std::size_t outcome = Draw(game, random);
    if (!options_.cancel_luck) {
      G::apply(*rules_, state_, expansion_.outcomes()[outcome].action);
      return false;
    }
    expansion_.Expand(*rules_, state_, {0, 0}, choices_);
    Evaluate(state_, expansion_.states());
    const auto groups = expansion_.groups();
    std::size_t taken = 0;
    for (std::size_t i = 0; i < groups.size(); ++i) {
      const std::size_t best = BestOf(groups[i]);
      Add(values_[best], double(groups[i].weight) / expansion_.total_weight());
      if (i == outcome) taken = best;
    }
    Add(values_[taken], -1);
    state_ = expansion_.states()[taken];
    return groups[outcome].decision;
  }

  // Which of the listed outcomes comes in this game.
  std::size_t Draw(std::uint64_t game, RandomStream& random) {
    const auto& outcomes = expansion_.outcomes();
    std::uint32_t total = 0;
    for (const auto& outcome : outcomes) total += outcome.weight;
    std::uint32_t drawn = random.Below(total);
    const int event = events_++;
    if (event == 0) first_cases_ = total;
    if (options_.stratify && event < OutcomeOrder::kEvents &&
        std::max(total, first_cases_) <= OutcomeOrder::kMostCases) {
      drawn = order_.Case(event, game, total, first_cases_);
    }
    std::size_t outcome = 0;
    while (drawn >= outcomes[outcome].weight) drawn -= outcomes[outcome++].weight;
    return outcome;
  }

  E evaluator_;
  RolloutOptions options_;
  OutcomeOrder order_;
  Choices<G> choices_;
  Expansion<G> expansion_;
  StateValues<G, E> values_;
  std::vector<const State*> pointers_;
  const Rules* rules_ = nullptr;
  std::size_t size_ = 0;  // of the values of one state
  // Of the game at hand.
  State state_;
  Values result_{};
  int events_ = 0;  // of chance
  std::array<std::uint32_t, kMaxSeats> events_of_seat_{};
  std::uint32_t first_cases_ = 1;
};

}  // namespace berd
