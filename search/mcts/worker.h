#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <span>
#include <thread>
#include <vector>

#include "search/evaluator.h"
#include "search/mcts/expander.h"
#include "search/mcts/graph.h"
#include "search/mcts/node.h"
#include "search/mcts/options.h"
#include "search/mcts/root_choice.h"
#include "search/mcts/select.h"
#include "search/oneply.h"

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

// Runs simulations: walks down the graph, values and expands leaves, brings values up. One per
// thread; all state but the shared graph is its own.
template <Game G, Evaluator<G> E>
class Worker {
 public:
  using State = typename G::State;

  Worker(const E& evaluator, Shared<G>& shared)
      : shared_(shared), expander_(shared.options), evaluator_(evaluator) {}

  // Begins a search; `number` is that of the worker.
  void Begin(std::uint64_t number) {
    Reseed(evaluator_, shared_.seed + number);
    values_ = ValuesPerState<G>(*shared_.rules);
    best_utility_ = BestUtility<G>(*shared_.rules);
    expander_.Begin(*shared_.rules, shared_.graph.arena());
    stats_ = {};
  }

  // Makes the node of a state, or finds it. `own`: its value if it is known.
  Node<G>* MakeNode(const State& state, const float* own) {
    const std::uint64_t key = NodeKey<G>(state);
    NodeTable<G>& table = shared_.graph.table();
    if (shared_.options.transpositions) {
      if (Node<G>* const there = table.Find(key)) {
        ++stats_.transpositions;
        return there;
      }
    }
    auto* const node = expander_.allocator().template Make<Node<G>>();
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
    if (!shared_.options.transpositions) {
      Add<std::size_t>(shared_.nodes, 1, shared_.parallel);
      return node;
    }
    Node<G>* const added = table.Add(node);
    if (added == node) Add<std::size_t>(shared_.nodes, 1, shared_.parallel);
    return added;
  }

  // Expands the root before the first simulation. Requires: a decision, no other thread.
  void ExpandRoot(Node<G>& root) {
    path_.clear();
    if (shared_.options.leaf_values == LeafValues::kSiblings) {
      QueueExpansion(root);
      Flush();
      return;
    }
    if (Read(root.stage) == Stage::kNew) {
      leaves_.push_back({.node = &root, .path_begin = 0, .choices_begin = 0, .choices = 0});
      Flush();
    }
    ExpandUnvalued(root);
  }

  // Simulations until the search is over.
  void Run() {
    if (Read(shared_.root->exact)) return;
    for (std::int64_t index = shared_.Claim(); index >= 0; index = shared_.Claim()) {
      Simulate(index);
      if (leaves_.size() >= static_cast<std::size_t>(shared_.options.batch)) Flush();
    }
    Flush();
  }

  const MctsStats& stats() const { return stats_; }

 private:
  struct Step {
    Node<G>* node;
    std::uint32_t edge;
  };
  // A node to be valued, kBusy. Its path ends where the next one's begins. Without choices only
  // its own state is valued.
  struct Leaf {
    Node<G>* node;
    std::size_t path_begin;
    std::uint32_t choices_begin;
    std::uint32_t choices;
  };

  // Walks from the root to a leaf and queues it, or ends at once where the value is known.
  void Simulate(std::int64_t index) {
    ++stats_.simulations;
    std::size_t begin = path_.size();
    Node<G>* node = shared_.root;
    while (true) {
      const Stage stage = node->stage.load(std::memory_order_acquire);
      if (stage == Stage::kBusy) {
        // Perhaps it is one of ours.
        FlushBefore(begin);
        std::this_thread::yield();
        continue;
      }
      if (stage != Stage::kExpanded) {
        if (!Seize(*node, stage)) continue;
        if (Queue(*node, stage, begin)) return;
      }
      if (node->exact.load(std::memory_order_acquire)) {
        Note(path_.size() - begin);
        std::copy_n(node->own.begin(), values_, value_.begin());
        BringUp(*node, begin);
        path_.resize(begin);
        return;
      }
      const std::uint32_t e = node->waits == Waits::kChance ? ChooseOutcome(*node)
                              : node == shared_.root
                                  ? shared_.chooser.Choose(index, shared_.constants)
                                  : SelectEdge(*node, shared_.constants);
      if (shared_.pending) Add(node->edges[e].pending, 1u, shared_.parallel);
      path_.push_back({node, e});
      node = Child(*node, e);
    }
  }

  bool Seize(Node<G>& node, Stage stage) {
    if (!shared_.parallel) {
      Write(node.stage, Stage::kBusy);
      return true;
    }
    return node.stage.compare_exchange_strong(stage, Stage::kBusy, std::memory_order_acquire);
  }

  // What to do with a node that was kNew or kOpen and is ours now: true if the simulation ends
  // here and the node waits for values; else it is expanded.
  bool Queue(Node<G>& node, Stage stage, std::size_t begin) {
    const bool decision = node.waits == Waits::kDecision;
    if (shared_.options.leaf_values == LeafValues::kSiblings && decision) {
      QueueExpansion(node, begin);
      return true;
    }
    if (stage == Stage::kNew) {
      Note(path_.size() - begin);
      leaves_.push_back(
          {.node = &node, .path_begin = begin, .choices_begin = choices_.size(), .choices = 0});
      return true;
    }
    ++stats_.expansions;
    if (decision) {
      ExpandUnvalued(node);
    } else {
      expander_.MakeOutcomes(node);
      node.stage.store(Stage::kExpanded, std::memory_order_release);
    }
    return false;
  }

  void ExpandUnvalued(Node<G>& node) {
    unvalued_.clear();
    expander_.List(node, false, unvalued_);
    expander_.MakeEdges(node, unvalued_, 0, unvalued_.size(), {});
    node.stage.store(Stage::kExpanded, std::memory_order_release);
  }

  void QueueExpansion(Node<G>& node, std::size_t begin = 0) {
    Note(path_.size() - begin);
    ++stats_.expansions;
    const std::uint32_t first = choices_.size();
    expander_.List(node, true, choices_);
    leaves_.push_back({.node = &node,
                       .path_begin = begin,
                       .choices_begin = first,
                       .choices = choices_.size() - first});
  }

  void Note(std::size_t depth) {
    stats_.depth_sum += static_cast<std::int64_t>(depth);
    stats_.depth_most = std::max(stats_.depth_most, static_cast<std::int64_t>(depth));
  }

  // Values all queued leaves while a walk is under way: its steps so far stay.
  void FlushBefore(std::size_t& begin) {
    if (leaves_.empty()) return;
    walk_.assign(path_.begin() + static_cast<std::ptrdiff_t>(begin), path_.end());
    path_.resize(begin);
    Flush();
    path_ = walk_;
    begin = 0;
  }

  // Values the queued leaves and ends their simulations.
  void Flush() {
    if (leaves_.empty()) return;
    states_.clear();
    for (const Leaf& leaf : leaves_) {
      if (leaf.choices == 0) states_.push_back(&leaf.node->state);
      for (std::uint32_t c = 0; c < leaf.choices; ++c) {
        states_.push_back(&choices_.states[leaf.choices_begin + c]);
      }
    }
    state_values_.Evaluate(*shared_.rules, leaves_[0].node->state, states_, evaluator_);
    stats_.evaluations += static_cast<std::int64_t>(states_.size());
    std::size_t first = 0;
    for (std::size_t i = leaves_.size(); i-- > 0;) {
      const Leaf& leaf = leaves_[i];
      const std::size_t count = std::max<std::size_t>(leaf.choices, 1);
      first = states_.size() - count;
      Finish(leaf, state_values_.Of(first, count));
      states_.resize(first);
      path_.resize(leaf.path_begin);
    }
    leaves_.clear();
    choices_.clear();
  }

  void Finish(const Leaf& leaf, std::span<const float> values) {
    Node<G>& node = *leaf.node;
    if (leaf.choices == 0) {
      std::copy_n(values.begin(), values_, node.own.begin());
      SetOwnUtility(node);
    } else {
      expander_.MakeEdges(node, choices_, leaf.choices_begin, leaf.choices, values);
    }
    std::copy_n(node.own.begin(), values_, value_.begin());
    node.stage.store(leaf.choices == 0 ? Stage::kOpen : Stage::kExpanded,
                     std::memory_order_release);
    BringUp(node, leaf.path_begin);
  }

  void SetOwnUtility(Node<G>& node) {
    if (node.waits != Waits::kDecision) return;
    Write(node.utility, Utility<G>(*shared_.rules, std::span(node.own).first(values_), node.actor));
  }

  // Brings `value_` from a leaf up the steps from `begin` to the end of the path.
  void BringUp(Node<G>& leaf, std::size_t begin) {
    Add(leaf.visits, 1u, shared_.parallel);
    bool exact = Read(leaf.exact);
    for (std::size_t i = path_.size(); i-- > begin;) {
      exact = Update(*path_[i].node, path_[i].edge, exact);
    }
    if (exact) Write(shared_.stop, true);
  }

  // An edge saw `value_`; it becomes the node's value. True if that is the true one.
  bool Update(Node<G>& node, std::uint32_t e, bool exact) {
    const auto value = std::span(value_).first(values_);
    Edge<G>& edge = node.edges[e];
    float* const before = node.edge_values + e * values_;
    const NodeLock<G> lock(node, shared_.parallel);
    // What is known stays, though this simulation may have passed the child before it was known.
    if (Read(edge.exact)) std::copy_n(before, values_, value.begin());
    const std::uint32_t visits = Read(edge.visits);
    const bool decision = node.waits == Waits::kDecision;
    const double old_weight = visits == 0 ? 0.0 : decision ? visits : Weight(edge);
    const double new_weight = decision ? visits + 1.0 : Weight(edge);
    for (std::size_t i = 0; i < values_; ++i) {
      node.sum[i] += new_weight * static_cast<double>(value[i]);
      if (visits > 0) node.sum[i] -= old_weight * static_cast<double>(before[i]);
      before[i] = value[i];
    }
    node.sum_weight += new_weight - old_weight;
    Write(edge.visits, visits + 1);
    Add(node.visits, 1u, shared_.parallel);
    if (decision) Write(edge.utility, Utility<G>(*shared_.rules, value, node.actor));
    if (exact) NoteExact(node, e);
    node.ValueNow(value);
    if (decision) Write(node.utility, Utility<G>(*shared_.rules, value, node.actor));
    if (shared_.pending) Add(edge.pending, static_cast<std::uint32_t>(-1), shared_.parallel);
    return Read(node.exact);
  }

  // The value of an edge is the true one. So is the node's when it can get no better or all edges
  // are known: then it takes the best, not the mean over its visits.
  void NoteExact(Node<G>& node, std::uint32_t e) {
    if (Read(node.exact) || Read(node.edges[e].exact)) return;
    Write(node.edges[e].exact, true);
    ++node.exact_edges;
    const bool all = !node.sampled && node.exact_edges == Read(node.edge_count);
    if (node.waits == Waits::kChance) {
      if (!all) return;
      node.ValueNow(std::span(node.own).first(values_));
    } else {
      std::uint32_t best = e;
      if (Read(node.edges[e].utility) < best_utility_ - kRounding) {
        if (!all) return;
        for (std::uint32_t other = 0; other < Read(node.edge_count); ++other) {
          if (Read(node.edges[other].utility) > Read(node.edges[best].utility)) best = other;
        }
      }
      std::copy_n(node.edge_values + best * values_, values_, node.own.begin());
    }
    node.exact.store(true, std::memory_order_release);
  }

  static double Weight(const Edge<G>& edge) { return static_cast<double>(Read(edge.weight)); }

  std::uint32_t ChooseOutcome(Node<G>& node) {
    if (node.sampled) DrawOutcome(node);
    return SelectOutcome(node);
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
    node.edges[count].first_action = count;
    node.edges[count].path_length = 1;
    Write(node.edges[count].weight, 1.0f);
    node.edge_count.store(count + 1, std::memory_order_release);
  }

  // The node that an edge leads to.
  Node<G>* Child(Node<G>& node, std::uint32_t e) {
    Edge<G>& edge = node.edges[e];
    Node<G>* child = edge.child.load(std::memory_order_acquire);
    if (child != nullptr) return child;
    State state = node.state;
    for (std::uint32_t i = 0; i < edge.path_length; ++i) {
      G::apply(*shared_.rules, state, node.actions[edge.first_action + i]);
    }
    std::array<float, kMostValues<G>> own;
    if (node.has_estimates) {
      const NodeLock<G> lock(node, shared_.parallel);
      std::copy_n(node.edge_values + e * values_, values_, own.begin());
    }
    child = MakeNode(state, node.has_estimates ? own.data() : nullptr);
    if (shared_.options.transpositions || !shared_.parallel) {
      edge.child.store(child, std::memory_order_release);
      return child;
    }
    Node<G>* expected = nullptr;
    return edge.child.compare_exchange_strong(expected, child, std::memory_order_acq_rel)
               ? child
               : expected;
  }

  static constexpr float kRounding = 1e-6f;

  Shared<G>& shared_;
  std::size_t values_ = 0;  // per state
  float best_utility_ = 1;
  Expander<G> expander_;
  E evaluator_;
  StateValues<G, E> state_values_;
  std::vector<Step> path_;  // of the leaves queued, one after another, then of the walk under way
  std::vector<Step> walk_;
  std::vector<Leaf> leaves_;
  Choices<G> choices_;   // of the leaves queued
  Choices<G> unvalued_;  // of the node at hand
  std::vector<const State*> states_;
  std::array<float, kMostValues<G>> value_;
  MctsStats stats_;
};

}  // namespace berd::mcts
