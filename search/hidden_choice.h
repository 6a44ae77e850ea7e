#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "search/agent.h"
#include "search/oneply.h"

namespace berd {

// One-ply choice in a game with hidden values: samples states that agree with what the seat sees,
// looks one ply ahead in each as if it were the true one, and takes the first action with the best
// mean (determinisation; what a later step of the turn would uncover is not waited for).
// Not thread-safe.
template <Game G, Evaluator<G> E>
class HiddenChoice {
 public:
  using Rules = typename G::Rules;
  using Action = typename G::Action;

  // The choice for the observing seat and the mean values that it promises (`values`,
  // ValuesPerState of them).
  Action Choose(const Rules& rules, const typename G::Observation& seen, int samples,
                RandomStream& random, OnePly<G, E>& look, std::span<float> values) {
    Sample(rules, seen, samples, random, look);
    const Seat seat = G::actor(seen.state);
    std::size_t best = 0;
    for (std::size_t a = 1; a < actions_.size(); ++a) {
      if (Utility<G>(rules, SumOf(a), seat) > Utility<G>(rules, SumOf(best), seat)) best = a;
    }
    const auto sum = SumOf(best);
    for (std::size_t i = 0; i < size_; ++i) values[i] = sum[i] / static_cast<float>(samples);
    return actions_[best];
  }

  // Appends every legal action with its mean utility for the observing seat.
  void Rank(const Rules& rules, const typename G::Observation& seen, int samples,
            RandomStream& random, OnePly<G, E>& look, std::vector<RankedPath<Action>>& ranked) {
    Sample(rules, seen, samples, random, look);
    const Seat seat = G::actor(seen.state);
    for (std::size_t a = 0; a < actions_.size(); ++a) {
      RankedPath<Action> choice{.path = {actions_[a]}, .depth = {.plies = 1}};
      for (const float sum : SumOf(a)) choice.values.push_back(sum / static_cast<float>(samples));
      choice.value = Utility<G>(rules, choice.values, seat);
      ranked.push_back(std::move(choice));
    }
  }

  // Afterstates valued by the last Choose or Rank.
  std::int64_t evaluations() const { return evaluations_; }

  // Mean values of the sampled states themselves, which wait for chance (`values`, as above).
  void Expect(const Rules& rules, const typename G::Observation& seen, int samples,
              RandomStream& random, OnePly<G, E>& look, std::span<float> values) {
    std::array<float, kMostValues<G>> one;
    std::fill(values.begin(), values.end(), 0.0f);
    for (int sample = 0; sample < samples; ++sample) {
      look.Value(rules, G::sample_hidden(rules, seen, random), std::span(one).first(values.size()));
      for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] += one[i] / static_cast<float>(samples);
      }
    }
  }

 private:
  static constexpr std::size_t kNone = ~std::size_t{0};

  // Sums the values after the best continuation of each legal action over the samples.
  void Sample(const Rules& rules, const typename G::Observation& seen, int samples,
              RandomStream& random, OnePly<G, E>& look) {
    const Seat seat = G::actor(seen.state);
    size_ = ValuesPerState<G>(rules);
    G::legal(rules, seen.state, actions_);
    sums_.assign(actions_.size() * size_, 0.0f);
    evaluations_ = 0;
    for (int sample = 0; sample < samples; ++sample) {
      look.Look(rules, G::sample_hidden(rules, seen, random));
      evaluations_ += static_cast<std::int64_t>(look.size());
      best_.assign(actions_.size(), kNone);
      for (std::size_t i = 0; i < look.size(); ++i) {
        const std::size_t action = IndexOf(look.FirstAction(i));
        if (best_[action] == kNone ||
            look.UtilityOf(i, seat) > look.UtilityOf(best_[action], seat)) {
          best_[action] = i;
        }
      }
      for (std::size_t a = 0; a < actions_.size(); ++a) {
        // Without an afterstate of its own (others lead to all of them) it is not needed here.
        const std::size_t choice = best_[a] == kNone ? look.Worst(seat) : best_[a];
        const auto values = look.values(choice);
        for (std::size_t i = 0; i < size_; ++i) sums_[a * size_ + i] += values[i];
      }
    }
  }

  std::size_t IndexOf(Action action) const {
    return static_cast<std::size_t>(std::lower_bound(actions_.begin(), actions_.end(), action) -
                                    actions_.begin());
  }

  std::span<const float> SumOf(std::size_t action) const {
    return std::span(sums_).subspan(action * size_, size_);
  }

  ActionList<Action> actions_;
  std::size_t size_ = 0;  // of the values of one state
  std::int64_t evaluations_ = 0;
  std::vector<float> sums_;
  std::vector<std::size_t> best_;
};

}  // namespace berd
