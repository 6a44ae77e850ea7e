#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "search/expectiminimax/expansion.h"
#include "search/expectiminimax/options.h"
#include "search/oneply.h"

namespace berd {

// How chance nodes are cut off (Ballard, "The *-minimax search procedure for trees containing
// chance nodes", 1983): not at all, when bounds of the outcomes not yet searched suffice (Star1),
// or also after a first look at one reply to each outcome (Star2).
enum class StarMode : std::uint8_t { kPlain, kStar1, kStar2 };

// Expectiminimax of one number with alpha-beta bounds, for audits of the search that plays: two
// sides whose utilities have a constant sum, no filter, no cache. All modes find the same values.
// Not thread-safe.
template <Game G, Evaluator<G> E>
class StarSearch {
 public:
  using Rules = typename G::Rules;
  using State = typename G::State;

  StarSearch(const E& evaluator, StarMode mode, int chance_samples = 36, std::uint64_t seed = 0)
      : evaluator_(evaluator), mode_(mode), sampling_{chance_samples, seed} {}

  // Utility of `state` for `seat`, `depth` plies further (PlyTree::Value says what a ply is).
  // Requires: two sides; depth 0 .. kMostPlies - 1.
  double Value(const Rules& rules, const State& state, int depth, Seat seat) {
    rules_ = &rules;
    seat_ = seat;
    size_ = ValuesPerState<G>(rules);
    stats_ = {};
    low_ = 0;
    high_ = 1;
    if constexpr (kOutcomeClasses < G >> 1) {
      for (int c = 0; c < kOutcomeClasses<G>; ++c) {
        high_ = std::max<double>(high_, G::class_points(rules, c));
      }
      low_ = -high_;
    }
    // What evaluators return may miss the bounds by a rounding error.
    low_ -= kSlack;
    high_ += kSlack;
    return Search(state, depth, low_, high_);
  }

  // Of the last call; only nodes and evaluations are counted.
  const SearchStats& stats() const { return stats_; }

 private:
  static constexpr double kSlack = 1e-5;

  struct Level {
    Expansion<G> chance;
    std::vector<State> after;   // by outcome
    std::vector<double> probe;  // what the best looking reply is worth, at least or at most …
    std::vector<bool> exact;    // … or exactly
    // The decision that is being looked at.
    std::vector<State> replies;
    std::vector<const State*> pointers;
    StateValues<G, E> values;
    std::vector<std::uint32_t> order;
  };

  bool Maximises(const State& state) const {
    return G::side(*rules_, G::actor(state)) == G::side(*rules_, seat_);
  }

  // Exact if within (alpha, beta), else a bound on the same side.
  double Search(const State& state, int depth, double alpha, double beta) {
    switch (G::waits(state)) {
      case Waits::kEnd:
        return Leaf(state);
      case Waits::kDecision:
        return depth == 0 ? Leaf(state) : Decide(state, depth, alpha, beta);
      case Waits::kChance:
        break;
    }
    Level& level = levels_[static_cast<std::size_t>(depth)];
    if (depth == 0 || !level.chance.List(*rules_, state, sampling_)) return Leaf(state);
    return Expect(state, level, depth, {alpha, beta});
  }

  double Leaf(const State& state) {
    const State* one = &state;
    leaf_.Evaluate(*rules_, state, std::span(&one, 1), evaluator_);
    stats_.evaluations += G::waits(state) == Waits::kEnd ? 0 : 1;
    return Utility<G>(*rules_, leaf_[0], seat_);
  }

  struct Window {
    double alpha, beta;
  };

  // The mean over the outcomes of a chance event; (alpha, beta) is the window of the mean.
  double Expect(const State& state, Level& level, int depth, Window window) {
    const auto& outcomes = level.chance.outcomes();
    const std::size_t count = outcomes.size();
    level.after.assign(count, state);
    double total = 0;
    for (std::size_t i = 0; i < count; ++i) {
      G::apply(*rules_, level.after[i], outcomes[i].action);
      total += outcomes[i].weight;
    }
    stats_.nodes += count;
    // What the outcomes are worth at least and at most, weighted.
    double least = low_ * total;
    double most = high_ * total;
    level.probe.assign(count, kNoProbe);
    level.exact.assign(count, false);
    // At the last ply a reply comes with all its siblings: nothing to gain.
    for (std::size_t i = 0; i < count && mode_ == StarMode::kStar2 && depth > 1; ++i) {
      const double weight = outcomes[i].weight;
      if (!Probe(
              level, i, depth,
              {(window.alpha * total - most) / weight, (window.beta * total - least) / weight})) {
        continue;
      }
      const auto [low, high] = BoundsOf(level, i);
      least += weight * (low - low_);
      most += weight * (high - high_);
      if (most <= window.alpha * total) return most / total;
      if (least >= window.beta * total) return least / total;
    }
    for (std::size_t i = 0; i < count; ++i) {
      const double weight = outcomes[i].weight;
      const auto [low, high] = BoundsOf(level, i);
      least -= weight * low;
      most -= weight * high;
      double alpha = low_;
      double beta = high_;
      if (mode_ != StarMode::kPlain) {
        alpha = std::max(low_, (window.alpha * total - most) / weight);
        beta = std::min(high_, (window.beta * total - least) / weight);
      }
      first_reply_ = level.exact[i] ? level.probe[i] : kNoProbe;
      const double value = After(level.after[i], depth, alpha, beta);
      least += weight * value;
      most += weight * value;
      if (mode_ == StarMode::kPlain) continue;
      if (value >= beta && beta < high_) return least / total;
      if (value <= alpha && alpha > low_) return most / total;
    }
    return least / total;
  }

  // A further chance event is a ply of its own, a decision belongs to the ply of the outcome.
  double After(const State& state, int depth, double alpha, double beta) {
    const bool chance = G::waits(state) == Waits::kChance;
    return Search(state, chance ? depth - 1 : depth, alpha, beta);
  }

  // Star2's first look: one reply bounds a decision from one side. `room` is how far its bounds may
  // move from what is assumed before the chance event is cut off.
  bool Probe(Level& level, std::size_t i, int depth, Window room) {
    const State& state = level.after[i];
    if (G::waits(state) != Waits::kDecision) return false;
    List(state, level);
    const State reply = level.replies[level.order.front()];
    const double alpha = Maximises(state) ? low_ : std::max(low_, high_ + room.alpha);
    const double beta = Maximises(state) ? std::min(high_, low_ + room.beta) : high_;
    const double value = Search(reply, depth - 1, alpha, beta);
    level.probe[i] = value;
    level.exact[i] = value > alpha && value < beta;
    return true;
  }
  static constexpr double kNoProbe = -1e9;

  std::array<double, 2> BoundsOf(const Level& level, std::size_t i) const {
    if (level.probe[i] == kNoProbe) return {low_, high_};
    return Maximises(level.after[i]) ? std::array{level.probe[i], high_}
                                     : std::array{low_, level.probe[i]};
  }

  // The replies to a decision, valued by the evaluator, and their order, best for the actor first.
  void List(const State& state, Level& level) {
    choices_.Enumerate(*rules_, state);
    level.replies.clear();
    for (std::size_t i = 0; i < choices_.size(); ++i) level.replies.push_back(choices_[i]);
    level.pointers.clear();
    for (const State& reply : level.replies) level.pointers.push_back(&reply);
    stats_.nodes += level.replies.size();
    stats_.evaluations += level.replies.size();
    level.values.Evaluate(*rules_, state, level.pointers, evaluator_);
    level.order.resize(level.replies.size());
    for (std::size_t i = 0; i < level.order.size(); ++i) {
      level.order[i] = static_cast<std::uint32_t>(i);
    }
    const Seat actor = G::actor(state);
    std::stable_sort(level.order.begin(), level.order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return Utility<G>(*rules_, level.values[a], actor) >
             Utility<G>(*rules_, level.values[b], actor);
    });
  }

  double Decide(const State& state, int depth, double alpha, double beta) {
    Level& level = levels_[static_cast<std::size_t>(depth)];
    double known = std::exchange(first_reply_, kNoProbe);
    List(state, level);
    const bool maximise = Maximises(state);
    double best = maximise ? kNoProbe : -kNoProbe;
    for (const std::uint32_t reply : level.order) {
      double value = std::exchange(known, kNoProbe);
      if (depth == 1) {
        value = double{Utility<G>(*rules_, level.values[reply], seat_)};
      } else if (value == kNoProbe) {
        value = Search(level.replies[reply], depth - 1, alpha, beta);
      }
      best = maximise ? std::max(best, value) : std::min(best, value);
      if (mode_ == StarMode::kPlain) continue;
      (maximise ? alpha : beta) = maximise ? std::max(alpha, best) : std::min(beta, best);
      if (alpha >= beta) break;
    }
    return best;
  }

  E evaluator_;
  StarMode mode_;
  typename Expansion<G>::Sampling sampling_;
  Choices<G> choices_;
  std::array<Level, static_cast<std::size_t>(ExpectiminimaxOptions::kMostPlies)> levels_;
  StateValues<G, E> leaf_;
  const Rules* rules_ = nullptr;
  Seat seat_;
  std::size_t size_ = 0;
  // The value of the first reply to the decision that is searched next, where it is known.
  double first_reply_ = kNoProbe;
  double low_ = 0;  // bounds of the utility
  double high_ = 1;
  SearchStats stats_;
};

}  // namespace berd
