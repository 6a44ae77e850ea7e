#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "search/mcts/arena.h"
#include "search/mcts/node.h"

namespace berd::mcts {

// Nodes by key: a list per bucket, to which threads add by compare-and-swap. Thread-safe but for
// Reset.
template <Game G>
class NodeTable {
 public:
  // Empties it. More nodes than expected are slower, nothing else.
  void Reset(std::size_t expected) {
    const std::size_t buckets = std::bit_ceil(std::clamp(expected, kLeast, kMost));
    if (buckets * sizeof(Bucket) > memory_.size()) {
      memory_ = LargeMemory(buckets * sizeof(Bucket));
      buckets_ = reinterpret_cast<Bucket*>(memory_.get());
    }
    mask_ = buckets - 1;
    std::uninitialized_value_construct_n(buckets_, buckets);
  }

  // Says that a question about this key will follow.
  void Prefetch(std::uint64_t key) const { __builtin_prefetch(&buckets_[key & mask_]); }

  Node<G>* Find(std::uint64_t key) const {
    return FindFrom(buckets_[key & mask_].load(std::memory_order_acquire), Link(), key);
  }

  // The node of that key: the given one, or another that was there before.
  Node<G>* Add(Node<G>* node) {
    Bucket& bucket = buckets_[node->key & mask_];
    Link head = bucket.load(std::memory_order_acquire);
    Link checked;
    while (true) {
      if (Node<G>* there = FindFrom(head, checked, node->key)) return there;
      checked = head;
      Write(node->next_in_bucket, head);
      if (bucket.compare_exchange_weak(head, Link(node, head), std::memory_order_acq_rel)) {
        return node;
      }
    }
  }

 private:
  using Link = NodeLink<Node<G>>;
  using Bucket = std::atomic<Link>;
  static constexpr std::size_t kLeast = 1024;
  static constexpr std::size_t kMost = std::size_t{1} << 22;

  // Looks at the nodes from `link` on up to `end`.
  static Node<G>* FindFrom(Link link, Link end, std::uint64_t key) {
    while (link != end && !link.empty()) {
      if (link.MayBe(key) && link.node()->key == key) return link.node();
      if (!link.has_more()) return nullptr;
      link = Read(link.node()->next_in_bucket);
    }
    return nullptr;
  }

  LargeMemory memory_;
  Bucket* buckets_ = nullptr;
  std::size_t mask_ = 0;
};

// The nodes of a search, in one of two arenas. KeepOnly copies what can be reached from a node to
// the other arena and forgets the rest. Not thread-safe; table and arena may be used by the threads
// of a search.
template <Game G>
class Graph {
 public:
  NodeTable<G>& table() { return table_; }
  Arena& arena() { return arenas_[current_]; }

  // Forgets everything.
  void Clear(std::size_t expected) {
    arena().Reset();
    table_.Reset(expected);
  }

  // Keeps what can be reached from `root` and returns its copy; pointers to other nodes die.
  // `expected` nodes will come on top. `kept` becomes the number of nodes kept.
  Node<G>* KeepOnly(Node<G>* root, std::size_t values, std::size_t expected, std::size_t& kept) {
    // While a node has been copied, its bucket pointer leads to the copy.
    arenas_[1 - current_].Reset();
    allocator_.Attach(arenas_[1 - current_]);
    copies_.clear();
    Node<G>* const new_root = Copy(root, values);
    for (std::size_t next = 0; next < copies_.size(); ++next) {
      Node<G>& node = *copies_[next];
      for (std::uint32_t e = 0; e < Read(node.edge_count); ++e) {
        Node<G>* const child = Read(node.edges[e].child);
        if (child != nullptr) Write(node.edges[e].child, Copy(child, values));
      }
    }
    current_ = 1 - current_;
    kept = copies_.size();
    table_.Reset(kept + expected);
    for (Node<G>* node : copies_) table_.Add(node);
    return new_root;
  }

 private:
  Node<G>* Copy(Node<G>* node, std::size_t values) {
    if (node->mark != 0) return Read(node->next_in_bucket).node();
    auto* const copy = allocator_.Make<Node<G>>();
    CopyFields(*node, *copy);
    const std::uint32_t count = Read(node->edge_count);
    const std::uint32_t room = node->sampled ? node->action_count : count;
    copy->edges = allocator_.Make<Edge<G>>(room);
    for (std::uint32_t e = 0; e < count; ++e) CopyEdge(node->edges[e], copy->edges[e]);
    copy->edge_values = allocator_.Make<float>(room * values);
    std::copy_n(node->edge_values, count * values, copy->edge_values);
    copy->actions = allocator_.Make<typename G::Action>(node->action_count);
    std::copy_n(node->actions, node->sampled ? count : node->action_count, copy->actions);
    if (node->path_ends != nullptr) {
      copy->path_ends = allocator_.Make<std::uint32_t>(count);
      std::copy_n(node->path_ends, count, copy->path_ends);
    }
    copies_.push_back(copy);
    node->mark = 1;
    Write(node->next_in_bucket, NodeLink<Node<G>>(copy, {}));
    return copy;
  }

  static void CopyFields(const Node<G>& from, Node<G>& to) {
    to.state = from.state;
    to.key = from.key;
    to.turns = from.turns;
    Write(to.begun, Read(from.begun));
    to.waits = from.waits;
    to.actor = from.actor;
    Write(to.stage, Read(from.stage));
    to.has_estimates = from.has_estimates;
    to.sampled = from.sampled;
    Write(to.visits, Read(from.visits));
    Write(to.utility, Read(from.utility));
    Write(to.edge_count, Read(from.edge_count));
    to.action_count = from.action_count;
    to.own = from.own;
    to.sum = from.sum;
    to.sum_weight = from.sum_weight;
    to.total_weight = from.total_weight;
    to.own_most = from.own_most;
    Write(to.exact, Read(from.exact));
    to.exact_edges = from.exact_edges;
    Write(to.best_exact, Read(from.best_exact));
  }

  static void CopyEdge(const Edge<G>& from, Edge<G>& to) {
    Write(to.child, Read(from.child));
    Write(to.visits, Read(from.visits));
    Write(to.utility, Read(from.utility));
    Write(to.weight, Read(from.weight));
    Write(to.exact, Read(from.exact));
  }

  std::array<Arena, 2> arenas_;
  std::size_t current_ = 0;
  NodeTable<G> table_;
  Allocator allocator_;
  std::vector<Node<G>*> copies_;
};

}  // namespace berd::mcts
