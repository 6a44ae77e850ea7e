#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "search/mcts/shared.h"
#include "search/values.h"

namespace berd::mcts {

// One step of a walk.
template <Game G>
struct Step {
  Node<G>* node;
  std::uint32_t edge;
};

// Brings values from leaves up to the root. One per thread.
template <Game G>
class Backup {
 public:
  explicit Backup(Shared<G>& shared) : shared_(shared) {}

  // Begins a search.
  void Begin() {
    values_ = ValuesPerState<G>(*shared_.rules);
    best_utility_ = BestUtility<G>(*shared_.rules);
  }

  // Brings the own value of a leaf up the steps that led there.
  void BringUp(Node<G>& leaf, std::span<const Step<G>> steps) {
    std::copy_n(leaf.own.begin(), values_, value_.begin());
    Add(leaf.visits, 1u, shared_.parallel);
    bool exact = Read(leaf.exact);
    for (std::size_t i = steps.size(); i-- > 0;)
      exact = Update(*steps[i].node, steps[i].edge, exact);
    if (exact) Write(shared_.stop, true);
  }

  // Edges of a decision that was just expanded lead to ends: their values are the true ones. Where
  // that says what the node is worth nothing needs to be searched. Requires: the node is ours.
  void NoteEnd(Node<G>& node, std::uint32_t e) { NoteExact(node, e); }

 private:
  // An edge saw `value_`; it becomes the node's value. True if that is the true one.
  bool Update(Node<G>& node, std::uint32_t e, bool exact) {
    const auto value = std::span(value_).first(values_);
    Edge<G>& edge = node.edges[e];
    float* const before = node.edge_values + e * values_;
    const NodeLock<G> lock(node, shared_.parallel);
    // What is known stays, though this simulation may have passed the child before it was known.
    const bool known = Read(edge.exact);
    if (known) std::copy_n(before, values_, value.begin());
    const std::uint32_t visits = Read(edge.visits);
    const bool decision = node.waits == Waits::kDecision;
    if (!decision || !known) {
      const double old_weight = visits == 0 ? 0.0 : decision ? visits : Weight(edge);
      const double new_weight = decision ? visits + 1.0 : Weight(edge);
      for (std::size_t i = 0; i < values_; ++i) {
        node.sum[i] += new_weight * static_cast<double>(value[i]);
        if (visits > 0) node.sum[i] -= old_weight * static_cast<double>(before[i]);
        before[i] = value[i];
      }
      node.sum_weight += new_weight - old_weight;
    }
    Write(edge.visits, visits + 1);
    Add(node.visits, 1u, shared_.parallel);
    if (decision) Write(edge.utility, Utility<G>(*shared_.rules, value, node.actor));
    if (exact) NoteExact(node, e);
    node.ValueNow(*shared_.rules, value);
    if (decision) Write(node.utility, Utility<G>(*shared_.rules, value, node.actor));
    if (shared_.pending) Add(edge.pending, std::uint16_t{0xffff}, shared_.parallel);
    return Read(node.exact);
  }

  // The value of an edge is the true one. So is the node's when it can get no better or all edges
  // are known: then it takes the best, not the mean over its visits.
  void NoteExact(Node<G>& node, std::uint32_t e) {
    Edge<G>& edge = node.edges[e];
    if (Read(node.exact) || Read(edge.exact)) return;
    Write(edge.exact, true);
    ++node.exact_edges;
    const bool all = !node.sampled && node.exact_edges == Read(node.edge_count);
    if (node.waits == Waits::kChance) {
      if (!all) return;
      node.ValueNow(*shared_.rules, std::span(node.own).first(values_));
    } else {
      TakeOut(node, e);
      std::uint32_t best = Read(node.best_exact);
      if (best == Node<G>::kNoEdge || Read(edge.utility) > Read(node.edges[best].utility)) best = e;
      Write(node.best_exact, best);
      if (!all && Read(node.edges[best].utility) < best_utility_ - kRounding) return;
      std::copy_n(node.edge_values + best * values_, values_, node.own.begin());
    }
    node.exact.store(true, std::memory_order_release);
  }

  // Visits to an edge whose true value is known no longer count for the mean of the others.
  void TakeOut(Node<G>& node, std::uint32_t e) {
    const double visits = Read(node.edges[e].visits);
    if (visits == 0) return;
    for (std::size_t i = 0; i < values_; ++i) {
      node.sum[i] -= visits * static_cast<double>(node.edge_values[e * values_ + i]);
    }
    node.sum_weight -= visits;
  }

  static double Weight(const Edge<G>& edge) { return static_cast<double>(Read(edge.weight)); }

  static constexpr float kRounding = 1e-6f;

  Shared<G>& shared_;
  std::size_t values_ = 0;  // per state
  float best_utility_ = 1;
  std::array<float, kMostValues<G>> value_;
};

}  // namespace berd::mcts
