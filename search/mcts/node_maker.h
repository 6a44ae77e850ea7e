#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>

#include "engine/core/random.h"
#include "search/mcts/arena.h"
#include "search/mcts/shared.h"
#include "search/values.h"

namespace berd::mcts {

// Makes the nodes that edges lead to, and draws the outcomes that are not listed. One per thread.
template <Game G>
class NodeMaker {
 public:
  using State = typename G::State;

  // `allocator` is that of the thread.
  NodeMaker(Shared<G>& shared, Allocator& allocator) : shared_(shared), allocator_(allocator) {}

  // Begins a search.
  void Begin() {
    values_ = ValuesPerState<G>(*shared_.rules);
    transpositions_ = 0;
  }

  // Edges followed for the first time that led to a node already there, in this search.
  std::int64_t transpositions() const { return transpositions_; }

  // Makes the node of a state, or finds it. `own`: its value if it is known.
  Node<G>* Make(const State& state, const float* own) {
    const std::uint64_t key = NodeKey<G>(state);
    NodeTable<G>& table = shared_.graph.table();
    const bool transpositions = shared_.options.transpositions;
    // The table is large: it is asked once the new node, which is needed most of the time, is done.
    if (transpositions) table.Prefetch(key);
    auto* const node = allocator_.Make<Node<G>>();
    // The next one will be written behind it.
    for (int line = 0; line < 4; ++line) {
      __builtin_prefetch(reinterpret_cast<std::byte*>(node + 1) + 64 * line, 1);
    }
    node->state = state;
    node->key = key;
    node->waits = G::waits(state);
    if (node->waits == Waits::kDecision) node->actor = G::actor(state);
    if (node->waits == Waits::kEnd) {
      FinalValues<G>(*shared_.rules, state, std::span(node->own).first(values_));
      Write(node->exact, true);
      Write(node->stage, Stage::kExpanded);
    } else if (own != nullptr) {
      std::copy_n(own, values_, node->own.begin());
      SetOwnUtility(*node);
      Write(node->stage, Stage::kOpen);
    }
    if (transpositions) {
      if (Node<G>* const there = table.Add(node); there != node) {
        ++transpositions_;
        allocator_.TakeBack(node);
        return there;
      }
    }
    Add<std::size_t>(shared_.nodes, 1, shared_.parallel);
    return node;
  }

  void SetOwnUtility(Node<G>& node) const {
    if (node.waits != Waits::kDecision) return;
    Write(node.utility, Utility<G>(*shared_.rules, std::span(node.own).first(values_), node.actor));
  }

  // The node that an edge leads to.
  Node<G>* Child(Node<G>& node, std::uint32_t e) {
    Edge<G>& edge = node.edges[e];
    Node<G>* child = edge.child.load(std::memory_order_acquire);
    if (child != nullptr) return child;
    State state = node.state;
    for (const auto action : node.Path(e)) G::apply(*shared_.rules, state, action);
    std::array<float, kMostValues<G>> own;
    if (node.has_estimates) {
      const NodeLock<G> lock(node, shared_.parallel);
      std::copy_n(node.edge_values + e * values_, values_, own.begin());
    }
    child = Make(state, node.has_estimates ? own.data() : nullptr);
    if (shared_.options.transpositions || !shared_.parallel) {
      edge.child.store(child, std::memory_order_release);
      return child;
    }
    Node<G>* expected = nullptr;
    return edge.child.compare_exchange_strong(expected, child, std::memory_order_acq_rel)
               ? child
               : expected;
  }

  // Draws one more outcome where the visits allow it. The draw belongs to node and number, not to
  // the thread.
  void DrawOutcome(Node<G>& node) {
    const NodeLock<G> lock(node, shared_.parallel);
    const std::uint32_t count = Read(node.edge_count);
    const auto visits = static_cast<float>(Read(node.visits));
    const auto allowed =
        static_cast<std::uint32_t>(std::ceil(shared_.options.widening * std::sqrt(visits)));
    if (count > 0 && count >= std::min(allowed, node.action_count)) return;
    RandomStream random(shared_.seed, node.key >> 8, Purpose::kChance,
                        static_cast<std::uint32_t>(node.total_weight));
    node.total_weight += 1;
    const auto action = G::sample_chance(*shared_.rules, node.state, random);
    for (std::uint32_t e = 0; e < count; ++e) {
      if (node.actions[e] != action) continue;
      Edge<G>& edge = node.edges[e];
      Write(edge.weight, Read(edge.weight) + 1);
      if (Read(edge.visits) == 0) return;
      for (std::size_t i = 0; i < values_; ++i) {
        node.sum[i] += static_cast<double>(node.edge_values[e * values_ + i]);
      }
      node.sum_weight += 1;
      return;
    }
    node.actions[count] = action;
    Write(node.edges[count].weight, 1.0f);
    node.edge_count.store(count + 1, std::memory_order_release);
  }

 private:
  Shared<G>& shared_;
  Allocator& allocator_;
  std::size_t values_ = 0;  // per state
  std::int64_t transpositions_ = 0;
};

}  // namespace berd::mcts
