#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "search/hidden_choice.h"
#include "search/mcts/info_set_nodes.h"
#include "search/mcts/node.h"
#include "search/mcts/options.h"
#include "search/oneply.h"

namespace berd {

// Tree search where values are hidden: single-observer information-set search (Cowling, Powley,
// Whitehouse, "Information set Monte Carlo tree search", 2012), in small steps.
//
// A node is what the searching seat sees: the key of G::observe(state, seat).state together with
// the turn number. Every simulation draws one state that agrees with the observation
// (G::sample_hidden) and walks with it: an edge is an action, legal or not in that state, and leads
// to the node of whatever the seat sees then. Edges count how often they were legal, and the
// exploration term uses that count in place of the visits of the node. All seats choose by the
// means of the node, so the others are taken to know what the searching seat knows of them. First
// estimates and priors are those of the state that expands a node; the root's, with sibling values,
// are means over several states as in one-ply play (search/hidden_choice.h).
//
// Only what the seat sees enters, so states that look alike to it give equal searches. One thread;
// equal calls give equal results. Not thread-safe.
template <Game G, Evaluator<G> E>
class InfoSetMcts {
 public:
  using Rules = typename G::Rules;
  using State = typename G::State;
  using Action = typename G::Action;
  using Observation = typename G::Observation;

  InfoSetMcts(const E& evaluator, const MctsOptions& options)
      : options_(options), look_(evaluator) {}

  // The first simulation expands the root. Requires: the observing seat is to decide.
  const MctsStats& Search(const Rules& rules, const Observation& seen, const MctsLimits& limits,
                          std::uint64_t seed) {
    Begin(rules, seen, seed);
    const auto start = std::chrono::steady_clock::now();
    constexpr std::int64_t kAskClock = 8;
    for (std::int64_t i = 0; i < limits.simulations && nodes_.size() < limits.nodes; ++i) {
      if (limits.time != std::chrono::nanoseconds::max() && i % kAskClock == 0 &&
          std::chrono::steady_clock::now() - start >= limits.time) {
        break;
      }
      Simulate(G::sample_hidden(rules, seen, Draws(i)));
      ++stats_.simulations;
    }
    stats_.nodes = nodes_.size();
    return stats_;
  }

  const MctsStats& stats() const { return stats_; }

  // ---- What the last search found: the legal actions. Requires: at least one simulation.

  std::size_t size() const { return nodes_.root().edges.size(); }
  Action action(std::size_t i) const { return nodes_.root().edges[i].action; }
  std::uint32_t visits(std::size_t i) const { return nodes_.root().edges[i].visits; }
  float UtilityOf(std::size_t i) const { return nodes_.root().edges[i].utility; }

 private:
  using Node = mcts::InfoSetNode<G>;
  using Edge = mcts::InfoSetEdge<G>;
  // By action: a node may come twice in a walk, where the seat does not see what another one does,
  // and its edges may move meanwhile.
  struct Step {
    Node* node;
    Action action;
  };

  void Begin(const Rules& rules, const Observation& seen, std::uint64_t seed) {
    rules_ = &rules;
    seen_ = &seen;
    seat_ = seen.seat;
    seed_ = seed;
    values_ = ValuesPerState<G>(rules);
    unit_ = mcts::UtilityUnit<G>(rules);
    nodes_.Clear();
    stats_ = {};
    mcts::Reseed(look_.evaluator(), seed);
  }

  // The hidden values of simulation i.
  RandomStream& Draws(std::int64_t i) {
    draws_ = RandomStream(seed_, static_cast<std::uint64_t>(i), Purpose::kHidden, 0);
    return draws_;
  }

  std::uint64_t KeyOf(const State& state) const {
    return mcts::NodeKey<G>(G::observe(*rules_, state, seat_).state);
  }

  void Simulate(State state) {
    path_.clear();
    while (true) {
      const Waits waits = G::waits(state);
      if (waits == Waits::kEnd) {
        FinalValues<G>(*rules_, state, Value());
        break;
      }
      Node& node = nodes_.At(KeyOf(state));
      if (!node.expanded) {
        Expand(node, state);
        // One outcome is as good as another, a decision was valued.
        if (waits == Waits::kDecision) break;
      } else if (waits == Waits::kDecision) {
        G::legal(*rules_, state, legal_);
        AddEdges(node);
      }
      const std::size_t e = waits == Waits::kDecision ? Select(node) : SelectOutcome(node, state);
      path_.push_back({&node, node.edges[e].action});
      G::apply(*rules_, state, node.edges[e].action);
    }
    stats_.depth_sum += static_cast<std::int64_t>(path_.size());
    stats_.depth_most = std::max(stats_.depth_most, static_cast<std::int64_t>(path_.size()));
    for (std::size_t i = path_.size(); i-- > 0;) Update(*path_[i].node, path_[i].action);
  }

  std::span<float> Value() { return std::span(value_).first(values_); }

  // Lists the edges of a node. `value_` becomes what a decision is worth.
  void Expand(Node& node, const State& state) {
    node.expanded = true;
    ++stats_.expansions;
    if (G::waits(state) == Waits::kChance) return ListOutcomes(node, state);
    node.decision = true;
    node.actor = G::actor(state);
    G::legal(*rules_, state, legal_);
    AddEdges(node);
    if (options_.leaf_values == LeafValues::kLeaf) {
      const State* const alone = &state;
      state_value_.Evaluate(*rules_, state, std::span(&alone, 1), look_.evaluator());
      std::copy_n(state_value_[0].begin(), values_, value_.begin());
      node.utility = Utility<G>(*rules_, Value(), node.actor);
      ++stats_.evaluations;
      return;
    }
    if (path_.empty()) {
      EstimateRoot(node);
    } else {
      EstimateEdges(node, state);
    }
    mcts::SetPriors(node, options_.prior_temperature * unit_, options_.prior_uniform);
  }

  // First estimates by one-ply play. Its actions ascend like edges.
  void EstimateRoot(Node& node) {
    ranked_.clear();
    choice_.Rank(*rules_, *seen_, options_.hidden_samples, draws_, look_, ranked_);
    stats_.evaluations += choice_.evaluations();
    std::size_t best = 0;
    for (std::size_t e = 0; e < node.edges.size(); ++e) {
      node.edges[e].utility = static_cast<float>(ranked_[e].value);
      if (ranked_[e].value > ranked_[best].value) best = e;
    }
    node.has_estimates = true;
    node.utility = static_cast<float>(ranked_[best].value);
    std::copy_n(ranked_[best].values.begin(), values_, value_.begin());
  }

  // First estimates by the best afterstate that each action leads to in this state; an action that
  // leads to none of its own is not needed here and counts as the worst.
  void EstimateEdges(Node& node, const State& state) {
    look_.Look(*rules_, state);
    stats_.evaluations += static_cast<std::int64_t>(look_.size());
    const float worst = look_.UtilityOf(look_.Worst(node.actor), node.actor);
    const std::size_t best = look_.Best(node.actor);
    for (Edge& edge : node.edges) edge.utility = worst;
    for (std::size_t i = 0; i < look_.size(); ++i) {
      Edge& edge = node.edges[mcts::FindEdge(node, look_.FirstAction(i))];
      edge.utility = std::max(edge.utility, look_.UtilityOf(i, node.actor));
    }
    node.has_estimates = true;
    node.utility = look_.UtilityOf(best, node.actor);
    std::copy_n(look_.values(best).begin(), values_, value_.begin());
  }

  // Edges for legal actions that were not legal when the node was made.
  void AddEdges(Node& node) {
    const std::size_t before = node.edges.size();
    for (const Action action : legal_) {
      if (mcts::FindEdge(node, action) < node.edges.size()) continue;
      mcts::InsertEdge(node, action, values_);
    }
    if (node.edges.size() == before) return;
    // New ones are as good as the node, and as likely as any.
    for (Edge& edge : node.edges) {
      if (edge.prior >= 0) continue;
      edge.prior = 1.0f / static_cast<float>(node.edges.size());
      edge.utility = node.utility;
    }
  }

  void ListOutcomes(Node& node, const State& state) {
    if (!G::chance(*rules_, state, outcomes_)) return;  // then they are drawn
    for (const auto& outcome : outcomes_) {
      Edge& edge = node.edges[mcts::InsertEdge(node, outcome.action, values_)];
      edge.prior = static_cast<float>(outcome.weight);
    }
    node.listed = true;
  }

  // PUCT among the actions that are legal now.
  std::size_t Select(Node& node) {
    const float explore = options_.cpuct * unit_;
    const float unknown = node.utility - options_.fpu_reduction * unit_;
    std::size_t best = 0;
    float best_score = -std::numeric_limits<float>::infinity();
    std::size_t e = 0;
    for (const Action action : legal_) {
      while (node.edges[e].action != action) ++e;
      Edge& edge = node.edges[e];
      ++edge.available;
      const bool known = edge.visits > 0 || node.has_estimates;
      const float score = (known ? edge.utility : unknown) +
                          explore * edge.prior * std::sqrt(static_cast<float>(edge.available)) /
                              (1.0f + static_cast<float>(edge.visits));
      if (score <= best_score) continue;
      best = e;
      best_score = score;
    }
    return best;
  }

  // The outcome with the largest weight / (visits + 1), or where they are not listed a new draw,
  // which weighs as much as it was drawn.
  std::size_t SelectOutcome(Node& node, const State& state) {
    if (!node.listed) {
      const Action drawn = G::sample_chance(*rules_, state, draws_);
      std::size_t e = mcts::FindEdge(node, drawn);
      if (e == node.edges.size()) e = mcts::InsertEdge(node, drawn, values_);
      Edge& edge = node.edges[e];
      edge.prior = std::max(edge.prior, 0.0f) + 1;
      return e;
    }
    std::size_t best = 0;
    for (std::size_t e = 1; e < node.edges.size(); ++e) {
      const auto score = [&](std::size_t i) {
        return node.edges[i].prior / static_cast<float>(node.edges[i].visits + 1);
      };
      if (score(e) > score(best)) best = e;
    }
    return best;
  }

  // An edge saw `value_`. A decision hands it on; a chance event hands on the mean of its outcomes
  // by weight, so that the luck of one throw does not count as merit.
  void Update(Node& node, Action action) {
    Edge& edge = node.edges[mcts::FindEdge(node, action)];
    ++edge.visits;
    float* const mean = node.values.data() + edge.values_begin;
    const float part = 1.0f / static_cast<float>(edge.visits);
    for (std::size_t i = 0; i < values_; ++i) mean[i] += part * (value_[i] - mean[i]);
    const std::span<const float> means(mean, values_);
    if (node.decision) {
      edge.utility = Utility<G>(*rules_, means, node.actor);
      node.utility += (Utility<G>(*rules_, Value(), node.actor) - node.utility) /
                      static_cast<float>(++node.visits + 1);
      return;
    }
    mcts::MeanByWeight(node, Value());
  }

  MctsOptions options_;
  const Rules* rules_ = nullptr;
  const Observation* seen_ = nullptr;
  Seat seat_;
  std::uint64_t seed_ = 0;
  std::size_t values_ = 0;  // per state
  float unit_ = 1;
  mcts::InfoSetNodes<G> nodes_;
  OnePly<G, E> look_;
  HiddenChoice<G, E> choice_;
  std::vector<RankedPath<Action>> ranked_;
  StateValues<G, E> state_value_;
  RandomStream draws_{0, 0, Purpose::kHidden, 0};
  ActionList<Action> legal_;
  ActionList<Outcome<Action>> outcomes_;
  std::vector<Step> path_;
  std::array<float, kMostValues<G>> value_;
  MctsStats stats_;
};

}  // namespace berd
