#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "search/best_play.h"
#include "search/play.h"
#include "search/rollout/options.h"
#include "search/rollout/outcome_order.h"

namespace berd {

// Plays single games of a rollout: everybody takes what the evaluator values highest. The luck of
// each chance event (search/best_play.h) is taken off the result, which stays unbiased whatever the
// evaluator says. Where chance cannot be listed nothing is taken off. Keeps its buffers. Not
// thread-safe.
template <Game G, Evaluator<G> E>
class RolledGame {
 public:
  using Rules = typename G::Rules;
  using State = typename G::State;
  using Values = std::array<double, kMostValues<G>>;

  RolledGame(const E& evaluator, const RolloutOptions& options)
      : options_(options), order_(options.seed), best_play_(evaluator) {}

  // As if it were new, made with this seed.
  void Reseed(std::uint64_t seed) {
    if (seed == options_.seed) return;
    options_.seed = seed;
    order_ = OutcomeOrder(seed);
  }

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
        Add(best_play_.Value(rules, state_));
        return result_;
      }
      if (G::waits(state_) == Waits::kDecision) {
        state_ = best_play_.Decide(rules, state_);
        ++decisions;
      } else if (Chance(game)) {
        ++decisions;
      }
    }
  }

 private:
  void Add(std::span<const float> values) {
    for (std::size_t i = 0; i < size_; ++i) result_[i] += double{values[i]};
  }

  // Draws an outcome and takes off its luck; true if the decision after it was made too.
  bool Chance(std::uint64_t game) {
    const Seat turn = G::turn(state_);
    RandomStream random(
        options_.seed, game, Purpose::kRollout,
        (1u << 28) + ChanceIndex(turn, events_of_seat_[static_cast<std::size_t>(turn.index())]++));
    if (!best_play_.List(*rules_, state_)) {
      ++events_;
      G::apply(*rules_, state_, G::sample_chance(*rules_, state_, random));
      return false;
    }
    const std::size_t outcome = Draw(game, random);
    if (!options_.cancel_luck) {
      G::apply(*rules_, state_, best_play_.outcomes()[outcome].action);
      return false;
    }
    best_play_.LookAtChance(*rules_, state_);
    const auto luck = best_play_.LuckOf(outcome);
    for (std::size_t i = 0; i < size_; ++i) result_[i] -= luck[i];
    state_ = best_play_.StateAfter(outcome);
    return best_play_.DecidedAfter(outcome);
  }

  // Which of the listed outcomes comes in this game.
  std::size_t Draw(std::uint64_t game, RandomStream& random) {
    const auto& outcomes = best_play_.outcomes();
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

  RolloutOptions options_;
  OutcomeOrder order_;
  BestPlay<G, E> best_play_;
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
