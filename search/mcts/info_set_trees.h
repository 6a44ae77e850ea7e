#pragma once

#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/core/bits.h"
#include "search/mcts/info_set_search.h"

namespace berd {

// Information-set searches side by side, one tree for each of options.threads, which share the
// simulations; the root's visits are added up (root parallelisation: Chaslot, Winands, van den
// Herik, "Parallel Monte-Carlo tree search", 2008). Equal calls give equal results, if no limit of
// time is reached. Not thread-safe; it uses threads of its own.
template <Game G, Evaluator<G> E>
class InfoSetTrees {
 public:
  using Rules = typename G::Rules;
  using Action = typename G::Action;
  using Observation = typename G::Observation;

  InfoSetTrees(const E& evaluator, const MctsOptions& options)
      : evaluator_(evaluator),
        options_(options),
        arena_(std::min(options.threads, tbb::info::default_concurrency())) {}

  // Each tree has at least one simulation. Requires: the observing seat is to decide.
  const MctsStats& Search(const Rules& rules, const Observation& seen, const MctsLimits& limits,
                          std::uint64_t seed) {
    const auto count = static_cast<std::size_t>(options_.threads);
    while (trees_.size() < count) {  // games without hidden values never come here
      trees_.push_back(std::make_unique<InfoSetMcts<G, E>>(evaluator_, options_));
    }
    if (count == 1) {
      trees_[0]->Search(rules, seen, limits, seed);
    } else {
      arena_.execute([&] {
        tbb::parallel_for(std::size_t{0}, count, [&](std::size_t i) {
          trees_[i]->Search(rules, seen, PartOf(limits, i), Mix64(seed + i));
        });
      });
    }
    stats_ = {};
    for (const auto& tree : trees_) stats_.Add(tree->stats());
    return stats_;
  }

  const MctsStats& stats() const { return stats_; }

  // ---- What the last search found: the legal actions, which are the same in all trees. Requires:
  // a search.

  std::size_t size() const { return trees_[0]->size(); }
  Action action(std::size_t i) const { return trees_[0]->action(i); }
  std::uint32_t visits(std::size_t i) const {
    std::uint32_t sum = 0;
    for (const auto& tree : trees_) sum += tree->visits(i);
    return sum;
  }
  // The mean over all visits; of what was never visited that of the first estimates.
  float UtilityOf(std::size_t i) const {
    const std::uint32_t all = visits(i);
    float mean = 0;
    for (const auto& tree : trees_) {
      const float weight = all == 0 ? 1.0f / static_cast<float>(trees_.size())
                                    : static_cast<float>(tree->visits(i)) / static_cast<float>(all);
      mean += weight * tree->UtilityOf(i);
    }
    return mean;
  }
  // The most visited, of these the most useful.
  std::size_t Best() const {
    std::size_t best = 0;
    for (std::size_t i = 1; i < size(); ++i) {
      if (visits(i) > visits(best) ||
          (visits(i) == visits(best) && UtilityOf(i) > UtilityOf(best))) {
        best = i;
      }
    }
    return best;
  }

 private:
  // The limits of tree i, so that all trees together keep to `limits`.
  MctsLimits PartOf(MctsLimits limits, std::size_t i) const {
    const auto share = [&]<class Number>(Number all) {
      const auto count = static_cast<Number>(trees_.size());
      const Number part = all / count + (static_cast<Number>(i) < all % count ? 1 : 0);
      return std::max<Number>(part, 1);
    };
    limits.simulations = share(limits.simulations);
    limits.nodes = share(limits.nodes);
    return limits;
  }

  E evaluator_;
  MctsOptions options_;
  std::vector<std::unique_ptr<InfoSetMcts<G, E>>> trees_;
  tbb::task_arena arena_;
  MctsStats stats_;
};

}  // namespace berd
