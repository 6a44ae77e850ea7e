#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "engine/core/afterstates.h"
#include "search/mcts/arena.h"
#include "search/mcts/node.h"
#include "search/mcts/options.h"
#include "search/values.h"

namespace berd::mcts {

// The choices of a decision, listed into buffers: afterstates with their paths, or where they are
// too many, small steps.
template <Game G>
struct Choices {
  std::vector<typename G::State> states;
  std::vector<typename G::Action> actions;
  std::vector<std::uint32_t> path_ends;  // in `actions`, by choice

  void clear() {
    states.clear();
    actions.clear();
    path_ends.clear();
  }
  std::uint32_t size() const { return static_cast<std::uint32_t>(path_ends.size()); }
};

// Lists choices and outcomes and makes edges of them. One per thread.
template <Game G>
class Expander {
 public:
  using Rules = typename G::Rules;
  using Action = typename G::Action;

  explicit Expander(const MctsOptions& options)
      : options_(options), afterstates_(options.most_afterstates) {}

  // `prior_scale`: utility over which priors change by a factor of e.
  void Begin(const Rules& rules, Arena& arena) {
    rules_ = &rules;
    values_ = ValuesPerState<G>(rules);
    prior_scale_ = options_.prior_temperature * UtilityUnit<G>(rules);
    allocator_.Attach(arena);
  }

  Allocator& allocator() { return allocator_; }

  // Appends the choices of a decision.
  void List(const Node<G>& node, bool with_states, Choices<G>& choices) {
    if (afterstates_.Enumerate(*rules_, node.state)) {
      for (std::size_t i = 0; i < afterstates_.size(); ++i) {
        afterstates_.Path(i, actions_);
        choices.actions.insert(choices.actions.end(), actions_.begin(), actions_.end());
        choices.path_ends.push_back(static_cast<std::uint32_t>(choices.actions.size()));
        if (with_states) choices.states.push_back(afterstates_[i]);
      }
      return;
    }
    G::legal(*rules_, node.state, actions_);
    for (const Action action : actions_) {
      choices.actions.push_back(action);
      choices.path_ends.push_back(static_cast<std::uint32_t>(choices.actions.size()));
      if (!with_states) continue;
      choices.states.push_back(node.state);
      G::apply(*rules_, choices.states.back(), action);
    }
  }

  // Edges of a decision for choices first .. first + count - 1, whose values these are (or none:
  // then all are alike). The node's own value becomes the best of them.
  void MakeEdges(Node<G>& node, const Choices<G>& choices, std::uint32_t first, std::uint32_t count,
                 std::span<const float> values) {
    order_.resize(count);
    std::iota(order_.begin(), order_.end(), 0u);
    node.has_estimates = !values.empty();
    if (node.has_estimates) SortByUtility(node.actor, values);
    node.edges = allocator_.Make<Edge<G>>(count);
    node.edge_values = allocator_.Make<float>(count * values_);
    CopyPaths(node, choices, first);
    ends_.clear();
    for (std::uint32_t e = 0; e < count && node.has_estimates; ++e) {
      if (G::waits(choices.states[first + order_[e]]) == Waits::kEnd) ends_.push_back(e);
    }
    if (node.has_estimates) {
      for (std::uint32_t e = 0; e < count; ++e) {
        Write(node.edges[e].utility, utilities_[order_[e]]);
        std::copy_n(values.data() + order_[e] * values_, values_, node.edge_values + e * values_);
      }
      std::copy_n(node.edge_values, values_, node.own.begin());
      Write(node.utility, Read(node.edges[0].utility));
    }
    SetPriors(node, count);
    Write(node.edge_count, count);
  }

  // The edges made last that lead to ends, where values came with them.
  std::span<const std::uint32_t> ends() const { return ends_; }

  // Edges of a chance event; none yet if its outcomes will be drawn.
  void MakeOutcomes(Node<G>& node) {
    const bool listed =
        G::chance(*rules_, node.state, outcomes_) && outcomes_.size() <= options_.most_outcomes;
    const auto count = static_cast<std::uint32_t>(listed ? outcomes_.size() : 0);
    const std::uint32_t room = listed ? count : options_.most_outcomes;
    const bool siblings = options_.leaf_values == LeafValues::kSiblings;
    node.sampled = !listed;
    node.own_most = siblings ? kOwnDraws : 1;
    weights_.clear();
    node.edges = allocator_.Make<Edge<G>>(room);
    node.edge_values = allocator_.Make<float>(room * values_);
    node.actions = allocator_.Make<Action>(room);
    node.action_count = room;
    for (std::uint32_t e = 0; e < count; ++e) {
      node.actions[e] = outcomes_[e].action;
      Write(node.edges[e].weight, static_cast<float>(outcomes_[e].weight));
      node.total_weight += outcomes_[e].weight;
      weights_.push_back(outcomes_[e].weight);
    }
    if (listed) {
      node.own_most = static_cast<float>(siblings ? node.total_weight : node.total_weight / count);
      node.turns = turns_.Of(weights_);
    }
    Write(node.edge_count, count);
  }

 private:
  // What the evaluator's value of a chance event weighs beside drawn outcomes: so many draws.
  static constexpr float kOwnDraws = 4;

  static std::uint32_t BeginOf(const Choices<G>& choices, std::uint32_t choice) {
    return choice == 0 ? 0 : choices.path_ends[choice - 1];
  }

  // The actions of all edges, in the order of these.
  void CopyPaths(Node<G>& node, const Choices<G>& choices, std::uint32_t first) {
    const auto count = static_cast<std::uint32_t>(order_.size());
    node.action_count = BeginOf(choices, first + count) - BeginOf(choices, first);
    node.actions = allocator_.Make<Action>(node.action_count);
    if (node.action_count > count) node.path_ends = allocator_.Make<std::uint32_t>(count);
    Action* next = node.actions;
    for (std::uint32_t e = 0; e < count; ++e) {
      const std::uint32_t choice = first + order_[e];
      next = std::copy(choices.actions.data() + BeginOf(choices, choice),
                       choices.actions.data() + BeginOf(choices, choice + 1), next);
      if (node.path_ends != nullptr) {
        node.path_ends[e] = static_cast<std::uint32_t>(next - node.actions);
      }
    }
  }

  void SortByUtility(Seat seat, std::span<const float> values) {
    utilities_.resize(order_.size());
    for (std::size_t i = 0; i < order_.size(); ++i) {
      utilities_[i] = Utility<G>(*rules_, values.subspan(i * values_, values_), seat);
    }
    std::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
      return utilities_[a] != utilities_[b] ? utilities_[a] > utilities_[b] : a < b;
    });
  }

  void SetPriors(Node<G>& node, std::uint32_t count) {
    if (!node.has_estimates) {
      for (std::uint32_t e = 0; e < count; ++e) {
        Write(node.edges[e].weight, 1.0f / static_cast<float>(count));
      }
      return;
    }
    float sum = 0;
    const float best = Read(node.edges[0].utility);
    for (std::uint32_t e = 0; e < count; ++e) {
      const float weight = std::exp((Read(node.edges[e].utility) - best) / prior_scale_);
      Write(node.edges[e].weight, weight);
      sum += weight;
    }
    const float uniform = options_.prior_uniform / static_cast<float>(count);
    const float scale = (1 - options_.prior_uniform) / sum;
    for (std::uint32_t e = 0; e < count; ++e) {
      Write(node.edges[e].weight, Read(node.edges[e].weight) * scale + uniform);
    }
  }

  MctsOptions options_;
  const Rules* rules_ = nullptr;
  std::size_t values_ = 0;  // per state
  float prior_scale_ = 1;
  Allocator allocator_;
  Afterstates<G> afterstates_;
  ActionList<Action> actions_;
  ActionList<Outcome<Action>> outcomes_;
  OutcomeTurnsCache turns_;
  std::vector<std::uint32_t> weights_;  // of the outcomes at hand
  std::vector<std::uint32_t> order_;
  std::vector<float> utilities_;
  std::vector<std::uint32_t> ends_;
};

}  // namespace berd::mcts
