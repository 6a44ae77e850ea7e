#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <thread>
#include <vector>

#include "search/evaluator.h"
#include "search/mcts/backup.h"
#include "search/mcts/expander.h"
#include "search/mcts/node_maker.h"
#include "search/mcts/shared.h"
#include "search/oneply.h"

namespace berd::mcts {

// Runs simulations: walks down the graph, values and expands leaves, brings values up. One per
// thread; all state but the shared graph is its own.
template <Game G, Evaluator<G> E>
class Worker {
 public:
  using State = typename G::State;

  Worker(const E& evaluator, Shared<G>& shared)
      : shared_(shared),
        expander_(shared.options),
        maker_(shared, expander_.allocator()),
        backup_(shared),
        evaluator_(evaluator) {}

  // Begins a search; `number` is that of the worker.
  void Begin(std::uint64_t number) {
    Reseed(evaluator_, shared_.seed + number);
    values_ = ValuesPerState<G>(*shared_.rules);
    maker_.Begin();
    backup_.Begin();
    expander_.Begin(*shared_.rules, shared_.graph.arena());
    stats_ = {};
  }

  Node<G>* MakeNode(const State& state) { return maker_.Make(state, nullptr); }

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

  MctsStats stats() const {
    MctsStats stats = stats_;
    stats.transpositions = maker_.transpositions();
    return stats;
  }

 private:
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
        BringUp(*node, begin);
        path_.resize(begin);
        return;
      }
      // Needed soon: for a new child, and on the way up.
      __builtin_prefetch(&node->state);
      __builtin_prefetch(&node->sum);
      const std::uint32_t e = ChooseEdge(*node, index);
      __builtin_prefetch(node->edge_values + e * values_);
      if (shared_.pending) Add(node->edges[e].pending, std::uint16_t{1}, shared_.parallel);
      path_.push_back({node, e});
      node = maker_.Child(*node, e);
    }
  }

  std::uint32_t ChooseEdge(Node<G>& node, std::int64_t simulation) {
    if (node.waits == Waits::kChance) {
      if (node.sampled) maker_.DrawOutcome(node);
      return SelectOutcome(node, shared_.parallel);
    }
    if (&node == shared_.root) return shared_.chooser.Choose(simulation, shared_.constants);
    return SelectEdge(node, shared_.constants);
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
      maker_.SetOwnUtility(node);
    } else {
      expander_.MakeEdges(node, choices_, leaf.choices_begin, leaf.choices, values);
      for (const std::uint32_t e : expander_.ends()) backup_.NoteEnd(node, e);
    }
    node.stage.store(leaf.choices == 0 ? Stage::kOpen : Stage::kExpanded,
                     std::memory_order_release);
    BringUp(node, leaf.path_begin);
  }

  void BringUp(Node<G>& leaf, std::size_t begin) {
    backup_.BringUp(leaf, std::span(path_).subspan(begin));
  }

  Shared<G>& shared_;
  std::size_t values_ = 0;  // per state
  Expander<G> expander_;
  NodeMaker<G> maker_;
  Backup<G> backup_;
  E evaluator_;
  StateValues<G, E> state_values_;
  std::vector<Step<G>>
      path_;  // of the leaves queued, one after another, then of the walk under way
  std::vector<Step<G>> walk_;
  std::vector<Leaf> leaves_;
  Choices<G> choices_;   // of the leaves queued
  Choices<G> unvalued_;  // of the node at hand
  std::vector<const State*> states_;
  MctsStats stats_;
};

}  // namespace berd::mcts