#pragma once

#include <array>
#include <vector>

#include "search/agent.h"
#include "search/hidden_choice.h"
#include "search/oneply.h"

namespace berd {

// Takes the afterstate that the evaluator values highest for the player on turn. Where values are
// hidden it averages over `hidden_samples` states that agree with what the seat sees.
template <Game G, Evaluator<G> E>
class OnePlyAgent final : public Agent<G> {
 public:
  using typename Agent<G>::Rules;
  using typename Agent<G>::Action;
  using typename Agent<G>::Observation;

  static constexpr int kDefaultHiddenSamples = 8;

  explicit OnePlyAgent(const E& evaluator, int hidden_samples = kDefaultHiddenSamples)
      : look_(evaluator), hidden_samples_(hidden_samples) {}

  void Choose(const Rules& rules, const Observation& seen, RandomStream& random,
              ActionList<Action>& path) override {
    if (HidesValues(rules)) {
      std::array<float, kMostValues<G>> values;
      const Action action = hidden_.Choose(rules, seen, hidden_samples_, random, look_,
                                           std::span(values).first(ValuesPerState<G>(rules)));
      path.clear();
      path.push_back(action);
      return;
    }
    look_.Look(rules, seen.state);
    look_.Path(look_.Best(G::actor(seen.state)), path);
  }

  RankedBy Rank(const Rules& rules, const Observation& seen, std::size_t most,
                std::vector<RankedPath<Action>>& ranked) override {
    ranked.clear();
    ActionList<Action> path;
    const Seat seat = G::actor(seen.state);
    if (HidesValues(rules)) {
      RandomStream random(0, G::key(seen.state) >> 8, Purpose::kHidden, 0);
      hidden_.Rank(rules, seen, hidden_samples_, random, look_, ranked);
    } else {
      look_.Look(rules, seen.state);
      for (std::size_t i = 0; i < look_.size(); ++i) {
        look_.Path(i, path);
        const auto values = look_.values(i);
        ranked.push_back({.path = {path.begin(), path.end()},
                          .value = look_.UtilityOf(i, seat),
                          .depth = {.plies = 1},
                          .values = {values.begin(), values.end()}});
      }
    }
    last_ = {.nodes = ranked.size(), .evaluations = ranked.size(), .plies = 1};
    if (HidesValues(rules)) last_.samples = hidden_samples_;
    KeepBest(ranked, most);
    return kRankedByUtility<G>;
  }
  SearchSummary<Action> LastSearch() override { return last_; }

  bool Expect(const Rules& rules, const Observation& seen, std::vector<float>& values) override {
    values.resize(ValuesPerState<G>(rules));
    if (HidesValues(rules)) {
      RandomStream random(0, G::key(seen.state) >> 8, Purpose::kHidden, 0);
      hidden_.Expect(rules, seen, hidden_samples_, random, look_, values);
    } else {
      look_.Value(rules, seen.state, values);
    }
    return true;
  }

 private:
  OnePly<G, E> look_;
  HiddenChoice<G, E> hidden_;
  int hidden_samples_;
  SearchSummary<Action> last_;
};

}  // namespace berd
