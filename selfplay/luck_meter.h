#pragma once

#include <array>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <variant>

#include "engine/games.h"
#include "search/best_play.h"
#include "search/values.h"

namespace berd {

// Adds up the luck of the chance events of one game (search/best_play.h). It is the referee's: it
// looks at the true state. One virtual call a chance event. Not thread-safe.
template <Game G>
class LuckMeter {
 public:
  using Rules = typename G::Rules;
  using State = typename G::State;
  using Action = typename G::Action;

  virtual ~LuckMeter() = default;
  virtual void Begin() = 0;
  // `state` waited for chance and `outcome` came. Events that cannot be listed add nothing.
  virtual void Add(const Rules& rules, const State& state, Action outcome) = 0;
  // The sums since Begin, by seat: what to take off win shares and, where wins are worth points,
  // off points won less points lost. Requires: an entry per seat.
  virtual void Sum(const Rules& rules, std::span<double> share, std::span<double> equity) const = 0;
};

template <Game G, Evaluator<G> E>
class LuckMeterOf final : public LuckMeter<G> {
 public:
  using typename LuckMeter<G>::Rules;
  using typename LuckMeter<G>::State;
  using typename LuckMeter<G>::Action;

  explicit LuckMeterOf(const E& evaluator) : best_play_(evaluator) {}

  void Begin() override { sum_ = {}; }

  void Add(const Rules& rules, const State& state, Action outcome) override {
    if (!best_play_.LookAtChance(rules, state)) return;
    const auto luck = best_play_.LuckOf(best_play_.Find(outcome));
    for (std::size_t i = 0; i < sum_.size(); ++i) sum_[i] += luck[i];
  }

  void Sum(const Rules& rules, std::span<double> share, std::span<double> equity) const override {
    std::array<float, kMostValues<G>> values;
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(sum_[i]);
    for (int seat = 0; seat < rules.seats(); ++seat) {
      const auto at = static_cast<std::size_t>(seat);
      share[at] = double{WinShareOf<G>(values, Seat(seat))};
      if constexpr (kOutcomeClasses < G >> 1) {
        equity[at] = double{Utility<G>(rules, values, Seat(seat))};
      }
    }
  }

 private:
  BestPlay<G, E> best_play_;
  typename BestPlay<G, E>::Values sum_{};
};

// Makes one more meter; every thread needs its own. Thread-safe.
template <Game G>
using LuckMeterMaker = std::function<std::unique_ptr<LuckMeter<G>>()>;

template <class Rules>
struct LuckMeterMakerOfAny;
template <class... With>
struct LuckMeterMakerOfAny<std::variant<With...>> {
  using Type = std::variant<LuckMeterMaker<typename With::Type>...>;
};
using AnyLuckMeterMaker = LuckMeterMakerOfAny<AnyRules>::Type;

// Meters by the network of a file. Errors: no such network, one for other games, or rules without
// chance.
Result<AnyLuckMeterMaker> PrepareAnyLuckMeter(const std::string& file, const AnyRules& game);

template <Game G>
Result<LuckMeterMaker<G>> PrepareLuckMeter(const std::string& file,
                                           const typename G::Rules& rules) {
  auto maker = PrepareAnyLuckMeter(file, GameWithRules<G>{rules});
  if (!maker) return tl::unexpected(std::move(maker.error()));
  return std::get<LuckMeterMaker<G>>(*std::move(maker));
}

}  // namespace berd
