#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "engine/core/game.h"

namespace berd::mcts {

// An action at a node of what a seat sees.
template <Game G>
struct InfoSetEdge {
  typename G::Action action{};
  std::uint32_t visits = 0;
  std::uint32_t available = 0;     // simulations in which it was legal
  float utility = 0;               // decisions: mean for the seat that decides, or first estimate
  float prior = -1;                // decisions: P, negative until it is set; chance: weight
  std::uint32_t values_begin = 0;  // of the mean of the values seen, in the node's list
};

// What a seat sees of a state that waits for a decision or for chance.
template <Game G>
struct InfoSetNode {
  std::vector<InfoSetEdge<G>> edges;  // by ascending action
  std::vector<float> values;
  float utility = 0;  // decisions: mean for the seat that decides
  std::uint32_t visits = 0;
  Seat actor;
  bool expanded = false;
  bool has_estimates = false;
  bool listed = false;  // all outcomes are edges
  bool decision = false;

  // As new, but keeps its memory.
  void Reset() {
    edges.clear();
    values.clear();
    utility = 0;
    visits = 0;
    expanded = has_estimates = listed = decision = false;
  }
};

// The index of an action's edge, or the number of edges.
template <Game G>
std::size_t FindEdge(const InfoSetNode<G>& node, typename G::Action action) {
  const auto at = std::lower_bound(
      node.edges.begin(), node.edges.end(), action,
      [](const InfoSetEdge<G>& edge, typename G::Action wanted) { return edge.action < wanted; });
  if (at == node.edges.end() || at->action != action) return node.edges.size();
  return static_cast<std::size_t>(at - node.edges.begin());
}

// Adds the edge of a new action, with room for `values` numbers; returns its index.
template <Game G>
std::size_t InsertEdge(InfoSetNode<G>& node, typename G::Action action, std::size_t values) {
  const auto at = std::lower_bound(
      node.edges.begin(), node.edges.end(), action,
      [](const InfoSetEdge<G>& edge, typename G::Action wanted) { return edge.action < wanted; });
  InfoSetEdge<G> edge;
  edge.action = action;
  edge.values_begin = static_cast<std::uint32_t>(node.values.size());
  node.values.resize(node.values.size() + values, 0.0f);
  const auto index = static_cast<std::size_t>(at - node.edges.begin());
  node.edges.insert(at, edge);
  return index;
}

// Priors from estimates: a softmax mixed with the uniform distribution.
template <Game G>
void SetPriors(InfoSetNode<G>& node, float temperature, float uniform) {
  float best = node.edges[0].utility;
  for (const auto& edge : node.edges) best = std::max(best, edge.utility);
  float sum = 0;
  for (auto& edge : node.edges) {
    edge.prior = std::exp((edge.utility - best) / temperature);
    sum += edge.prior;
  }
  for (auto& edge : node.edges) {
    edge.prior = (1 - uniform) * edge.prior / sum + uniform / static_cast<float>(node.edges.size());
  }
}

// The mean of the outcomes seen, by weight. Requires: one was seen.
template <Game G>
void MeanByWeight(const InfoSetNode<G>& node, std::span<float> mean) {
  std::fill(mean.begin(), mean.end(), 0.0f);
  float weights = 0;
  for (const auto& edge : node.edges) {
    if (edge.visits == 0) continue;
    weights += edge.prior;
    for (std::size_t i = 0; i < mean.size(); ++i) {
      mean[i] += edge.prior * node.values[edge.values_begin + i];
    }
  }
  for (float& value : mean) value /= weights;
}

// Nodes by key. They are used again after Clear, with the memory that they have.
template <Game G>
class InfoSetNodes {
 public:
  void Clear() {
    size_ = 0;
    std::fill(slots_.begin(), slots_.end(), Slot{});
  }

  // The node of this key, made if there is none.
  InfoSetNode<G>& At(std::uint64_t key) {
    if (2 * (size_ + 1) > slots_.size()) Grow();
    Slot& slot = Find(key);
    if (slot.node == kNone) {
      slot = {key, static_cast<std::uint32_t>(size_)};
      if (size_ == nodes_.size()) nodes_.emplace_back();
      nodes_[size_++].Reset();
    }
    return nodes_[slot.node];
  }

  std::size_t size() const { return size_; }
  // The first one made since Clear.
  const InfoSetNode<G>& root() const { return nodes_.front(); }

 private:
  static constexpr std::uint32_t kNone = 0xffffffff;
  struct Slot {
    std::uint64_t key = 0;
    std::uint32_t node = kNone;
  };

  Slot& Find(std::uint64_t key) {
    std::size_t at = key & (slots_.size() - 1);
    while (slots_[at].node != kNone && slots_[at].key != key) at = (at + 1) & (slots_.size() - 1);
    return slots_[at];
  }

  void Grow() {
    std::vector<Slot> old(std::max<std::size_t>(1024, 2 * slots_.size()));
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.node != kNone) Find(slot.key) = slot;
    }
  }

  std::deque<InfoSetNode<G>> nodes_;  // addresses stay
  std::size_t size_ = 0;
  std::vector<Slot> slots_;  // open addressing, a power of two
};

}  // namespace berd::mcts
