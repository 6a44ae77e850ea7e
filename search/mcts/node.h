#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <span>
#include <thread>
#include <type_traits>

#include "engine/core/game.h"
#include "search/mcts/node_link.h"
#include "search/mcts/outcome_turns.h"
#include "search/values.h"

namespace berd::mcts {

// How far a node is. kBusy: some thread values or expands it, others wait or do other things.
// kOpen: its own value is known, its edges are not listed.
enum class Stage : std::uint8_t { kNew, kBusy, kOpen, kExpanded };

// Adds to a counter that other threads change too, or, with one thread, without a locked
// instruction.
template <class T>
void Add(std::atomic<T>& counter, T change, bool parallel) {
  if (parallel) {
    counter.fetch_add(change, std::memory_order_relaxed);
  } else {
    counter.store(static_cast<T>(counter.load(std::memory_order_relaxed) + change),
                  std::memory_order_relaxed);
  }
}

// The next number of a counter.
template <class T>
T Take(std::atomic<T>& counter, bool parallel) {
  if (parallel) return counter.fetch_add(1, std::memory_order_relaxed);
  const T number = counter.load(std::memory_order_relaxed);
  counter.store(number + 1, std::memory_order_relaxed);
  return number;
}

template <class T>
T Read(const std::atomic<T>& number) {
  return number.load(std::memory_order_relaxed);
}

template <class T>
void Write(std::atomic<T>& number, T value) {
  number.store(value, std::memory_order_relaxed);
}

template <Game G>
struct Node;

// From a decision to an afterstate, or from a chance event to an outcome. Counts and utility are
// read without a lock and written under the node's lock; `pending` is changed without. Small, since
// choosing an edge reads many of them.
template <Game G>
struct Edge {
  std::atomic<Node<G>*> child = nullptr;  // null until the first visit
  std::atomic<std::uint32_t> visits = 0;
  // Decisions: of the value last seen, for the seat that decides.
  std::atomic<float> utility = 0;
  // Decisions: the prior. Chance: the outcome's weight.
  std::atomic<float> weight = 0;
  std::atomic<std::uint16_t> pending = 0;  // simulations under way, kMostPending at most
  std::atomic<bool> exact = false;         // the value last seen is the true one
};

// Simulations that may be under way at once.
inline constexpr int kMostPending = 0xffff;

// A state in the graph. Lives in an arena. What a walk down reads comes first, in one cache line.
template <Game G>
struct alignas(64) Node {
  using Values = std::array<double, kMostValues<G>>;
  static constexpr std::uint32_t kNoEdge = 0xffffffff;

  std::uint64_t key = 0;
  std::atomic<NodeLink<Node>> next_in_bucket;  // or, once copied to another arena, the copy
  Edge<G>* edges = nullptr;
  // Chance: the edges in the order of visits, or null.
  const OutcomeTurns* turns = nullptr;
  float* edge_values = nullptr;  // the value last seen, ValuesPerState an edge; under the lock
  std::atomic<std::uint32_t> visits = 0;
  std::atomic<std::uint32_t> begun = 0;  // chance: outcomes chosen so far
  std::atomic<std::uint32_t> edge_count = 0;
  std::atomic<float> utility = 0;  // of a decision, of its value now
  Waits waits = Waits::kEnd;
  Seat actor;  // of a decision
  std::atomic<Stage> stage = Stage::kNew;
  std::atomic<bool> locked = false;
  std::atomic<bool> exact = false;  // `own` is the true value; nothing changes any more
  bool has_estimates = false;       // edges have the evaluator's values
  bool sampled = false;             // outcomes are drawn
  std::uint8_t mark = 0;            // of the copy to another arena

  // Under the lock. Decisions: sum of edge values by visits, and the sum of these visits, over the
  // edges that are not exact. Chance: sum over the outcomes seen by weight, and the sum of these
  // weights.
  Values sum{};
  double sum_weight = 0;
  // Chance: what the node's own value weighs beside the outcomes seen is the weight not seen, or
  // if that is less `own_most`. Drawn outcomes have no total weight: there it is `own_most`.
  double total_weight = 0;
  float own_most = 0;
  std::uint32_t exact_edges = 0;
  // Decisions: of the edges whose true value is known the best for the actor.
  std::atomic<std::uint32_t> best_exact = kNoEdge;
  // The node's own value, from the evaluator or an end. Written while kBusy, and when the true
  // value is found.
  std::array<float, kMostValues<G>> own;

  // The actions of all edges, one path after another; paths end at path_ends[edge], or where that
  // is null have one action each.
  std::uint32_t action_count = 0;
  typename G::Action* actions = nullptr;
  std::uint32_t* path_ends = nullptr;
  typename G::State state;

  std::span<const typename G::Action> Path(std::uint32_t e) const {
    if (path_ends == nullptr) return {actions + e, 1};
    const std::uint32_t begin = e == 0 ? 0 : path_ends[e - 1];
    return {actions + begin, path_ends[e] - begin};
  }

  double OwnWeight() const {
    if (waits == Waits::kDecision) return 1;
    return sampled ? double{own_most} : std::min(double{own_most}, total_weight - sum_weight);
  }

  // The value now, from its edges. A decision is worth the mean over its visits to edges whose true
  // value is not known, or what is known if that is better. Requires: the lock, or no other thread.
  void ValueNow(const typename G::Rules& rules, std::span<float> values) const {
    if (Read(exact)) {
      std::copy_n(own.begin(), values.size(), values.begin());
      return;
    }
    const double own_weight = OwnWeight();
    const double scale = 1 / (sum_weight + own_weight);
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = static_cast<float>((sum[i] + own_weight * static_cast<double>(own[i])) * scale);
    }
    if (const std::uint32_t best = Read(best_exact);
        best != kNoEdge && Read(edges[best].utility) >= Utility<G>(rules, values, actor)) {
      std::copy_n(edge_values + best * values.size(), values.size(), values.begin());
    }
  }
};

// Holds a node's lock; with one thread there is nothing to lock.
template <Game G>
class NodeLock {
 public:
  NodeLock(Node<G>& node, bool parallel) : node_(parallel ? &node : nullptr) {
    if (node_ == nullptr) return;
    while (node_->locked.exchange(true, std::memory_order_acquire)) std::this_thread::yield();
  }
  ~NodeLock() {
    if (node_ != nullptr) node_->locked.store(false, std::memory_order_release);
  }
  NodeLock(const NodeLock&) = delete;
  NodeLock& operator=(const NodeLock&) = delete;

 private:
  Node<G>* node_;
};

// The number of a state in a graph: equal states of different turns are different nodes, so that no
// path comes back to where it was.
template <Game G>
std::uint64_t NodeKey(const typename G::State& state) {
  std::uint64_t key = G::key(state) + 0x9e3779b97f4a7c15u * (std::uint64_t{G::turns(state)} + 1);
  key ^= key >> 32;
  key *= 0xd6e8feb86659fd93u;
  return key ^ key >> 32;
}

// A unit of utility for constants that are given in win shares: where games are worth points, what
// lies between winning and losing the cheapest game.
template <Game G>
float UtilityUnit(const typename G::Rules& rules) {
  if constexpr (kOutcomeClasses < G >> 1) {
    int least = G::class_points(rules, 0);
    for (int c = 1; c < kOutcomeClasses<G>; ++c) least = std::min(least, G::class_points(rules, c));
    return 2.0f * static_cast<float>(least);
  } else {
    return 1.0f;
  }
}

// Evaluators that draw begin every search alike.
template <class E>
void Reseed([[maybe_unused]] E& evaluator, [[maybe_unused]] std::uint64_t seed) {
  if constexpr (requires { evaluator.Reseed(seed); }) evaluator.Reseed(seed);
}

// The most that a seat can get.
template <Game G>
float BestUtility(const typename G::Rules& rules) {
  float best = 1;
  if constexpr (kOutcomeClasses < G >> 1) {
    for (int c = 0; c < kOutcomeClasses<G>; ++c) {
      best = std::max(best, static_cast<float>(G::class_points(rules, c)));
    }
  }
  return best;
}

}  // namespace berd::mcts
