#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

#include "search/mcts/graph.h"
#include "search/mcts/node.h"
#include "search/mcts/options.h"
#include "search/mcts/root_choice.h"
#include "search/mcts/select.h"

namespace berd::mcts {

// What the threads of a search have in common.
template <Game G>
struct Shared {
  const typename G::Rules* rules = nullptr;
  MctsOptions options;
  MctsLimits limits;
  PuctConstants constants;
  std::chrono::steady_clock::time_point deadline;
  std::uint64_t seed = 0;
  Graph<G> graph;
  Node<G>* root = nullptr;
  RootChooser<G> chooser;
  std::atomic<std::int64_t> claimed = 0;  // simulations begun
  std::atomic<std::size_t> nodes = 0;
  std::atomic<bool> stop = false;
  bool parallel = false;  // more than one thread
  bool pending = false;   // there are simulations under way while others begin

  // The number of the next simulation, or -1 when the search is over.
  std::int64_t Claim() {
    constexpr std::int64_t kAskClock = 8;
    if (Read(stop)) return -1;
    const std::int64_t index =
        parallel ? claimed.fetch_add(1, std::memory_order_relaxed) : Read(claimed);
    if (!parallel) Write(claimed, index + 1);
    if (index >= limits.simulations || Read(nodes) >= limits.nodes ||
        (limits.time != std::chrono::nanoseconds::max() && index % kAskClock == 0 &&
         std::chrono::steady_clock::now() >= deadline)) {
      Write(stop, true);
      return -1;
    }
    return index;
  }
};

}  // namespace berd::mcts
