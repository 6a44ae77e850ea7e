#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "engine/core/game.h"
#include "nn/features.h"
#include "search/hidden_choice.h"
#include "search/oneply.h"
#include "search/play.h"
#include "selfplay/self_play.h"

namespace berd {

// An afterstate and what it is worth: the target of one training example.
template <Game G>
struct TdExample {
  static constexpr auto kSeats = static_cast<std::size_t>(G::kFacts.max_seats);
  typename G::State state;
  std::array<float, kMostValues<G>> values;  // as search/values.h lays them out
  std::array<float, kSeats> margin;  // final score of the side less the others' mean, scaled
};

// Plays games of self-play by one-ply choice and turns them into examples. Not thread-safe.
template <Game G, Evaluator<G> E>
class TdGame {
 public:
  using Rules = typename G::Rules;
  using State = typename G::State;

  explicit TdGame(const E& evaluator) : look_(evaluator), expectation_(evaluator) {}

  // Replaces `examples` by those of game number `game`.
  RoundStats Play(const Rules& rules, std::uint64_t game, const SelfPlayOptions& options,
                  std::vector<TdExample<G>>& examples) {
    seats_ = static_cast<std::size_t>(rules.seats());
    size_ = ValuesPerState<G>(rules);
    examples.clear();
    next_values_.clear();
    cut_.clear();
    RoundStats stats;
    State state = G::initial(rules);
    std::array<std::uint32_t, kMaxSeats> chance_events{};
    std::uint32_t choices = 0;
    while (G::waits(state) != Waits::kEnd) {
      if (G::waits(state) == Waits::kChance) {
        const Seat turn = G::turn(state);
        RandomStream random(
            options.seed, game, Purpose::kChance,
            ChanceIndex(turn, chance_events[static_cast<std::size_t>(turn.index())]++));
        G::apply(rules, state, G::sample_chance(rules, state, random));
        continue;
      }
      RandomStream random(options.seed, game, Purpose::kExploration, choices++);
      ++stats.decisions;
      Decide(rules, options, random, state);
      // The best choice's value is the target of the afterstate before it.
      if (!examples.empty()) {
        next_values_.push_back(best_value_);
        cut_.push_back(explored_);
      }
      if (G::waits(state) != Waits::kEnd) examples.push_back({state, {}, {}});
      // A choice that ends the game is worth its result; there is no example to learn it.
    }
    stats.turns = G::turns(state);
    if constexpr (requires { rules.cap; }) stats.capped = stats.turns >= rules.cap ? 1 : 0;
    SetTargets(rules, state, options, examples);
    return stats;
  }

 private:
  using Values = std::array<float, kMostValues<G>>;
  using Margin = std::array<float, TdExample<G>::kSeats>;

  std::span<float> Used(Values& values) const { return std::span(values).first(size_); }

  // Chooses at a decision, keeps the value of the best choice in `best_value_`, and moves `state`
  // on to the chosen afterstate.
  void Decide(const Rules& rules, const SelfPlayOptions& options, RandomStream& random,
              State& state) {
    const Seat seat = G::actor(state);
    explored_ = random.Unit() < static_cast<float>(options.exploration);
    if (HidesValues(rules)) {
      const auto action = hidden_.Choose(rules, G::observe(rules, state, seat),
                                         options.hidden_samples, random, look_, Used(best_value_));
      G::apply(rules, state, explored_ ? G::sample_legal(rules, state, random) : action);
      return;
    }
    look_.Look(rules, state);
    std::size_t choice = look_.Best(seat);
    const auto values = look_.values(choice);
    std::copy(values.begin(), values.end(), best_value_.begin());
    if (explored_) choice = random.Below(static_cast<std::uint32_t>(look_.size()));
    state = look_.state(choice);
  }

  // What NetworkOutput::kMargin stands for, by seat.
  Margin Margins(const Rules& rules, const State& end) const {
    std::array<std::int64_t, kMaxSeats> scores{};
    G::scores(rules, end, std::span(scores).first(seats_));
    std::array<double, kMaxSeats> by_side{};
    std::size_t sides = 0;
    const auto side_of = [&](std::size_t seat) {
      return static_cast<std::size_t>(G::side(rules, Seat(static_cast<int>(seat))));
    };
    for (std::size_t i = 0; i < seats_; ++i) {
      by_side[side_of(i)] += static_cast<double>(scores[i]);
      sides = std::max(sides, side_of(i) + 1);
    }
    Margin margin{};
    for (std::size_t i = 0; i < seats_; ++i) {
      double others = 0;
      for (std::size_t side = 0; side < sides; ++side) {
        if (side != side_of(i)) others += by_side[side];
      }
      margin[i] =
          static_cast<float>((by_side[side_of(i)] - others / static_cast<double>(sides - 1)) /
                             Features<G>::MarginScale(rules));
    }
    return margin;
  }

  void SetTargets(const Rules& rules, const State& end, const SelfPlayOptions& options,
                  std::vector<TdExample<G>>& examples) {
    Values target{};
    FinalValues<G>(rules, end, Used(target));
    const Margin margin = Margins(rules, end);
    const auto lambda = static_cast<float>(options.lambda);
    for (std::size_t t = examples.size(); t-- > 0;) {
      if (t < next_values_.size()) {
        // The return of the next decision, replaced where that decision was an exploring one.
        for (std::size_t i = 0; i < size_; ++i) {
          target[i] =
              cut_[t] ? next_values_[t][i] : (1 - lambda) * next_values_[t][i] + lambda * target[i];
        }
      }
      if (!options.exact_dice || !Expect(rules, examples[t].state, examples[t].values)) {
        examples[t].values = target;
      }
      examples[t].margin = margin;
    }
  }

  // The exact expectation of the best choice's value over the chance event that `state` waits for;
  // at a decision, the best choice's value. False if there are too many outcomes to list.
  bool Expect(const Rules& rules, const State& state, Values& mean) {
    mean.fill(0);
    if (G::waits(state) == Waits::kDecision) {
      AddBest(rules, state, 1, mean);
      return true;
    }
    if (!G::chance(rules, state, outcomes_)) return false;
    std::uint32_t total = 0;
    for (const auto& outcome : outcomes_) total += outcome.weight;
    for (const auto& outcome : outcomes_) {
      const float weight = static_cast<float>(outcome.weight) / static_cast<float>(total);
      State next = state;
      G::apply(rules, next, outcome.action);
      if (G::waits(next) == Waits::kDecision) {
        AddBest(rules, next, weight, mean);
      } else {
        AddValue(rules, next, weight, mean);
      }
    }
    return true;
  }

  void AddBest(const Rules& rules, const State& state, float weight, Values& sum) {
    expectation_.Look(rules, state);
    const auto values = expectation_.values(expectation_.Best(G::actor(state)));
    for (std::size_t i = 0; i < size_; ++i) sum[i] += weight * values[i];
  }

  // Value of a state after chance that again waits for chance, or is an end.
  void AddValue(const Rules& rules, const State& state, float weight, Values& sum) {
    Values values{};
    if (G::waits(state) == Waits::kEnd) {
      FinalValues<G>(rules, state, Used(values));
    } else {
      const State* one = &state;
      expectation_.evaluator().Evaluate(rules, state, std::span(&one, 1), Used(values));
    }
    for (std::size_t i = 0; i < size_; ++i) sum[i] += weight * values[i];
  }

  std::size_t seats_ = 0;
  std::size_t size_ = 0;  // of the values of one state
  OnePly<G, E> look_;
  OnePly<G, E> expectation_;
  HiddenChoice<G, E> hidden_;
  Values best_value_{};
  bool explored_ = false;
  std::vector<Values> next_values_;  // by example: value of the best choice at the next decision
  std::vector<bool> cut_;            // … and whether that decision explored
  ActionList<Outcome<typename G::Action>> outcomes_;
};

}  // namespace berd
