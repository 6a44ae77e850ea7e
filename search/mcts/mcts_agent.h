#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "search/agent.h"
#include "search/mcts/info_set_trees.h"
#include "search/mcts/search.h"

namespace berd {

// Plays what a tree search finds best; where values are hidden, an information-set search. What it
// knows of the position after its move it keeps for its next one, within a game.
template <Game G, Evaluator<G> E>
class MctsAgent final : public Agent<G> {
 public:
  using typename Agent<G>::Rules;
  using typename Agent<G>::Action;
  using typename Agent<G>::Observation;

  MctsAgent(const E& evaluator, const MctsAgentOptions& options)
      : options_(options),
        evaluator_(evaluator),
        search_(evaluator, options.search),
        hidden_(evaluator, options.search) {
    options_.limits.forced = false;
  }

  void NewGame() override { search_.Clear(); }

  void Choose(const Rules& rules, const Observation& seen, RandomStream& random,
              ActionList<Action>& path) override {
    const std::uint64_t seed = random.Next64();
    path.clear();
    if constexpr (kMayHide) {
      if (HidesValues(rules)) {
        hidden_.Search(rules, seen, options_.limits, seed);
        path.push_back(hidden_.action(hidden_.Best()));
        return;
      }
    }
    search_.Search(rules, seen.state, options_.limits, seed);
    search_.Path(search_.Draw(options_.temperature, random), path);
  }

  // What it would play first, then by visits, those with equal visits by value. Begins anew, so
  // that what is found depends on the position alone.
  RankedBy Rank(const Rules& rules, const Observation& seen, std::size_t most,
                std::vector<RankedPath<Action>>& ranked) override {
    ranked.clear();
    constexpr std::uint64_t kSeed = 0;
    if (HidesValues(rules)) {
      RankHidden(rules, seen, kSeed, ranked);
    } else {
      RankOpen(rules, seen.state, kSeed, ranked);
    }
    std::stable_sort(
        ranked.begin() + (ranked.empty() ? 0 : 1), ranked.end(), [](const auto& a, const auto& b) {
          return std::pair(a.depth.visits, a.value) > std::pair(b.depth.visits, b.value);
        });
    if (ranked.size() > most) ranked.resize(most);
    return kRankedByUtility<G>;
  }
  SearchSummary<Action> LastSearch() override { return last_; }

  // The evaluator's mean: over as many playouts as a search has simulations, over the values that
  // the seat does not see, else of one evaluation.
  bool Expect(const Rules& rules, const Observation& seen, std::vector<float>& values) override {
    const bool hidden = HidesValues(rules);
    std::int64_t draws = hidden ? kHiddenDraws : 1;
    if (options_.search.leaf_values == LeafValues::kLeaf) draws = options_.limits.simulations;
    RandomStream random(0, G::key(seen.state) >> 8, Purpose::kHidden, 0);
    E evaluator = evaluator_;  // as if it were new
    values.assign(ValuesPerState<G>(rules), 0.0f);
    std::vector<float> one(values.size());
    for (std::int64_t draw = 0; draw < draws; ++draw) {
      const auto state = hidden ? G::sample_hidden(rules, seen, random) : seen.state;
      const auto* pointer = &state;
      evaluator.Evaluate(rules, state, std::span(&pointer, 1), one);
      for (std::size_t i = 0; i < one.size(); ++i) values[i] += one[i] / static_cast<float>(draws);
    }
    return true;
  }

  // What the last search did, where nothing is hidden.
  const MctsStats& stats() const { return search_.stats(); }

 private:
  static constexpr std::int64_t kHiddenDraws = 64;
  static constexpr bool kMayHide = G::kFacts.hidden_values;
  // Stands for the search that a game never needs: half of the time that it takes to compile.
  struct NoSearch {
    NoSearch(const E& /*evaluator*/, const MctsOptions& /*options*/) {}
  };
  using HiddenSearch = std::conditional_t<kMayHide, InfoSetTrees<G, E>, NoSearch>;

  void RankHidden([[maybe_unused]] const Rules& rules, [[maybe_unused]] const Observation& seen,
                  [[maybe_unused]] std::uint64_t seed,
                  [[maybe_unused]] std::vector<RankedPath<Action>>& ranked) {
    if constexpr (kMayHide) {
      hidden_.Search(rules, seen, options_.limits, seed);
      for (std::size_t i = 0; i < hidden_.size(); ++i) {
        ranked.push_back({.path = {hidden_.action(i)},
                          .value = hidden_.UtilityOf(i),
                          .depth = {.visits = hidden_.visits(i)}});
      }
      Summarise(hidden_.stats());
      last_.samples = static_cast<int>(hidden_.stats().simulations);
      std::swap(ranked[0], ranked[hidden_.Best()]);
    }
  }

  void RankOpen(const Rules& rules, const typename G::State& state, std::uint64_t seed,
                std::vector<RankedPath<Action>>& ranked) {
    MctsLimits limits = options_.limits;
    limits.forced = true;  // its value is asked for
    search_.Clear();
    search_.Search(rules, state, limits, seed);
    ActionList<Action> path;
    for (std::size_t i = 0; i < search_.size(); ++i) {
      path.clear();
      search_.Path(i, path);
      RankedPath<Action> choice{.path = {path.begin(), path.end()},
                                .value = search_.UtilityOf(i),
                                .depth = {.visits = search_.visits(i)}};
      if (search_.visits(i) > 0 || options_.search.leaf_values == LeafValues::kSiblings) {
        const auto values = search_.values(i);
        choice.values.assign(values.begin(), values.end());
      }
      ranked.push_back(std::move(choice));
    }
    Summarise(search_.stats());
    search_.PrincipalVariation(path);
    last_.line.assign(path.begin(), path.end());
    std::swap(ranked[0], ranked[search_.Best()]);
  }

  void Summarise(const MctsStats& stats) {
    last_ = {.simulations = stats.simulations,
             .depth_mean = stats.depth_mean(),
             .depth_most = stats.depth_most,
             .nodes = stats.nodes,
             .evaluations = static_cast<std::uint64_t>(stats.evaluations)};
  }

  MctsAgentOptions options_;
  E evaluator_;
  Mcts<G, E> search_;
  HiddenSearch hidden_;
  SearchSummary<Action> last_;
};

}  // namespace berd
