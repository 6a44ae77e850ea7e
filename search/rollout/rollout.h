#pragma once

#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <span>
#include <vector>

#include "search/rollout/rolled_game.h"

namespace berd {

// A mean over games and its standard error. Stratified dice make the true error smaller than this
// one, which takes games as independent.
struct MeanAndError {
  double mean = 0;
  double error = 0;
};

// Rolls out the candidates of a decision: many games each, all candidates with the same dice, in
// parallel. The result depends on the options but for the threads. One call at a time.
template <Game G, Evaluator<G> E>
class Rollout {
 public:
  using Rules = typename G::Rules;
  using State = typename G::State;
  using Values = typename RolledGame<G, E>::Values;

  // What one candidate came to, for the seat in question.
  struct Result {
    Values values{};                              // means; single entries may miss 0 .. 1 by luck
    std::array<double, kMostValues<G>> errors{};  // their standard errors
    MeanAndError utility;
    MeanAndError behind;  // how much utility less than the best candidate's, game by game
  };

  Rollout(const E& evaluator, const RolloutOptions& options)
      : options_(options),
        arena_(options.threads == 0 ? tbb::task_arena::automatic : options.threads),
        players_([evaluator, options] { return RolledGame<G, E>(evaluator, options); }) {}

  // Of the dice of the next runs, in place of that of the options.
  void Reseed(std::uint64_t seed) { options_.seed = seed; }

  // One candidate is a span of one or more states of any kind that stand for it in turn (with
  // hidden values: samples). Utilities are those of `seat`.
  void Run(const Rules& rules, std::span<const std::span<const State>> candidates, Seat seat) {
    rules_ = &rules;
    seat_ = seat;
    size_ = ValuesPerState<G>(rules);
    games_ = 0;
    results_.assign(candidates.size(), {});
    played_.assign(candidates.size(), {});
    const auto start = std::chrono::steady_clock::now();
    while (games_ < options_.games && !Settled()) {
      if (games_ > 0 && options_.time &&
          std::chrono::steady_clock::now() - start >= *options_.time) {
        break;
      }
      const int more = std::min(RolloutOptions::kBlock, options_.games - games_);
      PlayBlock(candidates, more);
      games_ += more;
      Summarise();
    }
  }

  std::span<const Result> results() const { return results_; }
  int games() const { return games_; }
  // The candidate with the highest mean utility.
  std::size_t best() const {
    std::size_t best = 0;
    for (std::size_t i = 1; i < results_.size(); ++i) {
      if (results_[i].utility.mean > results_[best].utility.mean) best = i;
    }
    return best;
  }

 private:
  void PlayBlock(std::span<const std::span<const State>> candidates, int more) {
    const auto first = static_cast<std::size_t>(games_);
    const auto count = static_cast<std::size_t>(more);
    for (auto& played : played_) played.resize(first + count);
    // Not a lambda of its own type: TBB's loop is then compiled once, not for every game.
    const std::function<void(std::size_t)> play = [&](std::size_t task) {
      const std::size_t candidate = task / count;
      const std::size_t game = first + task % count;
      const auto states = candidates[candidate];
      RolledGame<G, E>& player = players_.local();
      player.Reseed(options_.seed);
      played_[candidate][game] = player.Play(*rules_, states[game % states.size()], game);
    };
    arena_.execute([&] { tbb::parallel_for(std::size_t{0}, candidates.size() * count, play); });
  }

  // Mean and standard error of a number that each game has.
  template <class Number>
  MeanAndError Measure(Number&& number) const {
    double sum = 0;
    double squares = 0;
    const auto count = static_cast<double>(games_);
    for (std::size_t game = 0; game < static_cast<std::size_t>(games_); ++game) {
      sum += number(game);
    }
    const double mean = sum / count;
    for (std::size_t game = 0; game < static_cast<std::size_t>(games_); ++game) {
      const double off = number(game) - mean;
      squares += off * off;
    }
    return {mean, games_ > 1 ? std::sqrt(squares / (count - 1) / count) : 0};
  }

  double UtilityOf(const Values& values) const {
    std::array<float, kMostValues<G>> single{};
    for (std::size_t i = 0; i < size_; ++i) single[i] = static_cast<float>(values[i]);
    return double{Utility<G>(*rules_, single, seat_)};
  }

  void Summarise() {
    for (std::size_t c = 0; c < results_.size(); ++c) {
      const auto& played = played_[c];
      for (std::size_t i = 0; i < size_; ++i) {
        const MeanAndError value = Measure([&](std::size_t game) { return played[game][i]; });
        results_[c].values[i] = value.mean;
        results_[c].errors[i] = value.error;
      }
      results_[c].utility = Measure([&](std::size_t game) { return UtilityOf(played[game]); });
    }
    const auto& top = played_[best()];
    for (std::size_t c = 0; c < results_.size(); ++c) {
      results_[c].behind = Measure(
          [&](std::size_t game) { return UtilityOf(top[game]) - UtilityOf(played_[c][game]); });
    }
  }

  // Whether the errors are small enough. Two blocks at least, so that they mean something.
  bool Settled() const {
    if (options_.standard_error <= 0 || games_ < 2 * RolloutOptions::kBlock) return false;
    double largest = results_.size() == 1 ? results_[0].utility.error : 0;
    for (const Result& result : results_) largest = std::max(largest, result.behind.error);
    return largest <= options_.standard_error;
  }

  RolloutOptions options_;
  tbb::task_arena arena_;
  tbb::enumerable_thread_specific<RolledGame<G, E>> players_;
  const Rules* rules_ = nullptr;
  Seat seat_;
  std::size_t size_ = 0;  // of the values of one state
  int games_ = 0;
  std::vector<Result> results_;
  std::vector<std::vector<Values>> played_;  // [candidate][game]
};

}  // namespace berd
