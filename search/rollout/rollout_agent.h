#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "search/agent.h"
#include "search/expectiminimax/expectiminimax.h"
#include "search/rollout/rollout.h"

namespace berd {

// Takes the candidate that does best in a rollout; candidates are those that the filter leaves of
// the one-ply choice. With hidden values every candidate is rolled out from `hidden_samples` states
// that agree with what the seat sees, in which every seat chooses by its own sight. The dice of a
// choice are drawn from the agent's random numbers.
template <Game G, Evaluator<G> E>
class RolloutAgent final : public Agent<G> {
 public:
  using typename Agent<G>::Rules;
  using typename Agent<G>::Action;
  using typename Agent<G>::Observation;

  RolloutAgent(const E& evaluator, const RolloutOptions& options, int hidden_samples)
      : look_(evaluator, {.plies = 1, .cache_entries = 0}),
        rollout_(evaluator, options),
        filter_(options.filter),
        hidden_samples_(hidden_samples) {}

  void Choose(const Rules& rules, const Observation& seen, RandomStream& random,
              ActionList<Action>& path) override {
    List(rules, seen, random);
    rollout_.Reseed(random.Next64());
    if (kept_.size() > 1) rollout_.Run(rules, kept_, G::actor(seen.state));
    look_.Path(look_.candidates()[kept_.size() > 1 ? rollout_.best() : 0], path);
  }

  // Alternatives that the filter stopped come last, with the evaluator's utility.
  RankedBy Rank(const Rules& rules, const Observation& seen, std::size_t most,
                std::vector<RankedPath<Action>>& ranked) override {
    RandomStream random(0, G::key(seen.state) >> 8, Purpose::kHidden, 0);
    look_.options().value_forced = true;
    List(rules, seen, random);
    look_.options().value_forced = false;
    rollout_.Reseed(random.Next64());
    rollout_.Run(rules, kept_, G::actor(seen.state));
    ranked.clear();
    ActionList<Action> path;
    for (std::size_t i = 0; i < look_.candidates().size(); ++i) {
      const auto& candidate = look_.candidates()[i];
      look_.Path(candidate, path);
      const std::size_t size = ValuesPerState<G>(rules);
      RankedPath<Action> choice{
          .path = {path.begin(), path.end()},
          .value = candidate.worth,
          .depth = {.plies = 1},
          .values = {candidate.values.data(), candidate.values.data() + size}};
      if (i < kept_.size()) {
        const auto& result = rollout_.results()[i];
        choice.value = result.utility.mean;
        choice.depth = {.games = rollout_.games(),
                        .standard_error = result.utility.error,
                        .error_of_gap = result.behind.error};
        for (std::size_t v = 0; v < size; ++v) {
          choice.values[v] = static_cast<float>(result.values[v]);
        }
      }
      ranked.push_back(std::move(choice));
    }
    last_ = {.plies = 1, .games = rollout_.games()};
    if (HidesValues(rules)) last_.samples = hidden_samples_;
    std::stable_sort(ranked.begin(), ranked.begin() + static_cast<std::ptrdiff_t>(kept_.size()),
                     [](const auto& a, const auto& b) { return a.value > b.value; });
    if (ranked.size() > most) ranked.resize(most);
    return kRankedByUtility<G>;
  }
  SearchSummary<Action> LastSearch() override { return last_; }

  // Rolls it out.
  bool Expect(const Rules& rules, const Observation& seen, std::vector<float>& values) override {
    RandomStream random(0, G::key(seen.state) >> 8, Purpose::kHidden, 0);
    std::vector<typename G::State> states;
    if (HidesValues(rules)) {
      for (int sample = 0; sample < hidden_samples_; ++sample) {
        states.push_back(G::sample_hidden(rules, seen, random));
      }
    } else {
      states.push_back(seen.state);
    }
    rollout_.Reseed(random.Next64());
    const std::span<const typename G::State> one = states;
    rollout_.Run(rules, std::span(&one, 1), seen.seat);
    const auto& means = rollout_.results()[0].values;
    values.clear();
    for (std::size_t i = 0; i < ValuesPerState<G>(rules); ++i) {
      values.push_back(static_cast<float>(means[i]));
    }
    return true;
  }

 private:
  // The one-ply choice, and the states of the candidates to roll out.
  void List(const Rules& rules, const Observation& seen, RandomStream& random) {
    if (HidesValues(rules)) {
      look_.SearchHidden(rules, seen, hidden_samples_, random);
    } else {
      look_.Search(rules, seen.state);
    }
    worth_.clear();
    for (const auto& candidate : look_.candidates()) worth_.push_back(candidate.worth);
    FilterByWorth(worth_, filter_, order_);
    kept_.clear();
    for (std::size_t i = 0; i < order_.size(); ++i) {
      kept_.push_back(look_.StatesOf(look_.candidates()[i]));
    }
  }

  Expectiminimax<G, E> look_;
  Rollout<G, E> rollout_;
  MoveFilter filter_;
  int hidden_samples_;
  std::vector<float> worth_;
  std::vector<std::uint32_t> order_;
  std::vector<std::span<const typename G::State>> kept_;
  SearchSummary<Action> last_;
};

}  // namespace berd
