#pragma once

#include <tbb/blocked_range.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "search/mcts/worker.h"

namespace berd {

// Monte Carlo tree search for games in which nothing is hidden (docs/decisions/0011-mcts.md). With
// one thread, equal calls on objects made alike give equal results. Not thread-safe; it uses
// threads of its own.
template <Game G, Evaluator<G> E>
class Mcts {
 public:
  using Rules = typename G::Rules;
  using State = typename G::State;
  using Action = typename G::Action;

  Mcts(const E& evaluator, const MctsOptions& options)
      : arena_(std::min(options.threads, tbb::info::default_concurrency())) {
    shared_.options = options;
    shared_.parallel = options.threads > 1;
    shared_.pending = options.threads > 1 || options.batch > 1;
    for (int i = 0; i < options.threads; ++i) {
      workers_.push_back(std::make_unique<mcts::Worker<G, E>>(evaluator, shared_));
    }
  }

  // Forgets what it knows. For a new game.
  void Clear() { shared_.root = nullptr; }

  // Searches from a state. Requires: it waits for a decision; the rules live until the last
  // question about the search, and are the same from call to call. What is random depends on
  // `seed` alone.
  const MctsStats& Search(const Rules& rules, const State& root, const MctsLimits& limits,
                          std::uint64_t seed) {
    Begin(rules, limits, seed);
    SetRoot(root);
    shared_.chooser.Begin(*shared_.root, shared_.options, limits.simulations,
                          mcts::UtilityUnit<G>(rules), seed);
    if (!limits.forced && size() == 1) {
      // Nothing to choose.
    } else if (workers_.size() == 1) {
      workers_[0]->Run();
    } else {
      arena_.execute([&] {
        const tbb::blocked_range<std::size_t> range(0, workers_.size(), 1);
        tbb::parallel_for(
            range, [&](const auto& part) { workers_[part.begin()]->Run(); },
            tbb::simple_partitioner());
      });
    }
    for (const auto& worker : workers_) AddStats(worker->stats());
    stats_.nodes = mcts::Read(shared_.nodes);
    return stats_;
  }

  const MctsStats& stats() const { return stats_; }

  const mcts::Node<G>& root() const { return *shared_.root; }
  // Whether the search found the true value of the root and ended for that.
  bool exact() const { return mcts::Read(shared_.root->exact); }

  // ---- What the last search found: choices of the root, by falling first estimate.

  std::size_t size() const { return mcts::Read(shared_.root->edge_count); }
  std::uint32_t visits(std::size_t i) const { return mcts::Read(shared_.root->edges[i].visits); }
  std::uint32_t root_visits() const { return mcts::Read(shared_.root->visits); }
  float prior(std::size_t i) const { return mcts::Read(shared_.root->edges[i].weight); }
  // What a choice is worth to the deciding seat. Without a visit: the evaluator's estimate, or with
  // leaf values that of the root.
  float UtilityOf(std::size_t i) const {
    return mcts::Promise(*shared_.root, shared_.root->edges[i], {});
  }
  // Values after a choice. Requires: visited, or sibling values.
  std::span<const float> values(std::size_t i) const {
    const std::size_t size = ValuesPerState<G>(*shared_.rules);
    return {shared_.root->edge_values + i * size, size};
  }
  void RootValues(std::span<float> values) const { shared_.root->ValueNow(*shared_.rules, values); }
  void Path(std::size_t i, ActionList<Action>& path) const {
    AppendPath(*shared_.root, static_cast<std::uint32_t>(i), path);
  }

  // PUCT: the most visited choice, of these the most useful; Gumbel: its winner.
  std::size_t Best() const { return shared_.chooser.Best(); }

  // A choice with probability proportional to visits^(1 / temperature); at 0, or where the true
  // value is known, the best one.
  std::size_t Draw(float temperature, RandomStream& random) const {
    const std::size_t best = Best();
    if (temperature <= 0 || exact()) return best;
    std::vector<double> weights(size());
    double sum = 0;
    const double most = std::max(visits(best), 1u);
    for (std::size_t i = 0; i < weights.size(); ++i) {
      // What is known to be no better is not tried.
      if (i != best && mcts::Read(shared_.root->edges[i].exact)) continue;
      weights[i] = std::pow(visits(i) / most, 1 / static_cast<double>(temperature));
      sum += weights[i];
    }
    double left = static_cast<double>(random.Unit()) * sum;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      left -= weights[i];
      if (left < 0) return i;
    }
    return best;
  }

  // The line of best choices and most visited outcomes, chance events included, as far as visits
  // go.
  void PrincipalVariation(ActionList<Action>& line) const {
    line.clear();
    const mcts::Node<G>* node = shared_.root;
    std::uint32_t e = size() == 0 ? 0 : static_cast<std::uint32_t>(Best());
    while (node != nullptr && mcts::Read(node->edge_count) > 0 &&
           (mcts::Read(node->edges[e].visits) > 0 || mcts::Read(node->edges[e].exact))) {
      AppendPath(*node, e, line);
      node = mcts::Read(node->edges[e].child);
      if (node != nullptr) e = MostVisited(*node);
    }
  }

 private:
  static void AppendPath(const mcts::Node<G>& node, std::uint32_t e, ActionList<Action>& path) {
    for (const Action action : node.Path(e)) path.push_back(action);
  }

  // Where the true value is known, the choice that has it.
  static std::uint32_t MostVisited(const mcts::Node<G>& node) {
    std::uint32_t best = mcts::Read(node.best_exact);
    if (mcts::Read(node.exact) && best != mcts::Node<G>::kNoEdge) return best;
    best = 0;
    for (std::uint32_t e = 1; e < mcts::Read(node.edge_count); ++e) {
      if (mcts::Read(node.edges[e].visits) > mcts::Read(node.edges[best].visits)) best = e;
    }
    return best;
  }

  void Begin(const Rules& rules, const MctsLimits& limits, std::uint64_t seed) {
    const MctsOptions& options = shared_.options;
    const float unit = mcts::UtilityUnit<G>(rules);
    shared_.rules = &rules;
    shared_.limits = limits;
    shared_.seed = seed;
    shared_.constants = {.explore = options.cpuct * unit,
                         .fpu_reduction = options.fpu_reduction * unit,
                         .virtual_loss = options.virtual_loss * unit};
    shared_.claimed = 0;
    shared_.stop = false;
    stats_ = {};
    if (limits.time != std::chrono::nanoseconds::max()) {
      shared_.deadline = std::chrono::steady_clock::now() + limits.time;
    }
  }

  // Finds the root among what the last search knows, or begins anew.
  void SetRoot(const State& state) {
    const auto expected = static_cast<std::size_t>(
        std::min<std::int64_t>(shared_.limits.simulations, kExpectedNodes / 2) * 2);
    mcts::Node<G>* known = nullptr;
    // Never from a later turn: moves were taken back.
    if (shared_.root != nullptr && shared_.options.reuse && shared_.options.transpositions &&
        G::turns(shared_.root->state) <= G::turns(state)) {
      known = shared_.graph.table().Find(mcts::NodeKey<G>(state));
      if (known != nullptr && (mcts::Read(known->stage) != mcts::Stage::kExpanded ||
                               known->waits != Waits::kDecision)) {
        known = nullptr;
      }
    }
    shared_.nodes = 0;
    if (known == nullptr) {
      shared_.graph.Clear(expected);
      BeginWorkers();
      shared_.root = workers_[0]->MakeNode(state);
      workers_[0]->ExpandRoot(*shared_.root);
      return;
    }
    shared_.root = shared_.graph.KeepOnly(known, ValuesPerState<G>(*shared_.rules), expected,
                                          stats_.kept_nodes);
    shared_.root->state = state;  // its history is the true one
    shared_.nodes = stats_.kept_nodes;
    BeginWorkers();
  }

  void BeginWorkers() {
    for (std::size_t i = 0; i < workers_.size(); ++i) workers_[i]->Begin(i);
  }

  void AddStats(const MctsStats& part) {
    stats_.simulations += part.simulations;
    stats_.evaluations += part.evaluations;
    stats_.expansions += part.expansions;
    stats_.transpositions += part.transpositions;
    stats_.depth_sum += part.depth_sum;
    stats_.depth_most = std::max(stats_.depth_most, part.depth_most);
  }

  static constexpr std::int64_t kExpectedNodes = 1 << 18;

  mcts::Shared<G> shared_;
  std::vector<std::unique_ptr<mcts::Worker<G, E>>> workers_;
  tbb::task_arena arena_;
  MctsStats stats_;
};

}  // namespace berd
