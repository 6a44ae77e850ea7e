#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace berd {

// How leaves are valued (docs/decisions/0011-mcts.md).
enum class LeafValues : std::uint8_t {
  kSiblings,  // all afterstates of a decision at once: networks
  kLeaf,      // each new node alone: playouts, constants
};

enum class RootChoice : std::uint8_t { kPuct, kGumbel };

// Utilities are measured in win shares; where games are worth points, in the difference between
// winning and losing the cheapest game.
struct MctsOptions {
  LeafValues leaf_values = LeafValues::kSiblings;
  float cpuct = 0.5f;
  // Of the softmax that makes priors of sibling utilities.
  float prior_temperature = 0.1f;
  // Share of the uniform distribution in priors: so that no choice is out of reach for ever.
  float prior_uniform = 0.05f;
  // kLeaf: an edge not visited yet counts as the node's value less this.
  float fpu_reduction = 0.0f;
  // What a simulation under way takes from the utility of its edge, as if it had come back with
  // that much less.
  float virtual_loss = 0.5f;

  int threads = 1;
  int batch = 1;  // leaves valued together by a thread

  // States looked at in one enumeration of afterstates; decisions with more go in small steps.
  std::size_t most_afterstates = 4096;
  // Longer lists of outcomes are drawn from, never more different ones than this …
  std::uint32_t most_outcomes = 64;
  // … and at most widening * sqrt(visits of the node), rounded up.
  float widening = 2.0f;
  bool transpositions = true;
  // Keep what the last search knows of the new root.
  bool reuse = true;
  // Hidden values: states that the root's first estimates are means over.
  int hidden_samples = 8;

  RootChoice root = RootChoice::kPuct;
  // Gumbel: decisions considered at first, scale of the noise (0 for the strongest play), and how
  // much utilities count against the prior (Danihelka et al. 2022: c_visit and c_scale).
  int gumbel_considered = 16;
  float gumbel_scale = 1.0f;
  float gumbel_visits = 50.0f;
  float gumbel_value_scale = 1.0f;
  // PUCT: share and concentration of Dirichlet noise in the root's priors.
  float noise = 0.0f;
  float noise_alpha = 0.3f;
};

// A search ends at the first of these.
struct MctsLimits {
  std::int64_t simulations = std::numeric_limits<std::int64_t>::max();
  std::size_t nodes = std::numeric_limits<std::size_t>::max();  // kept ones included
  std::chrono::nanoseconds time = std::chrono::nanoseconds::max();
  bool forced = true;  // search where there is only one choice, for its value
};

// How an agent searches (search/mcts/mcts_agent.h).
struct MctsAgentOptions {
  MctsOptions search = {};
  MctsLimits limits = {.simulations = 800};
  float temperature = 0;  // of the choice by visits; 0 takes the best
};

// What a search did.
struct MctsStats {
  std::int64_t simulations = 0;
  std::size_t nodes = 0;       // in the graph at the end
  std::size_t kept_nodes = 0;  // of them from the search before
  std::int64_t evaluations = 0;
  std::int64_t expansions = 0;
  std::int64_t transpositions = 0;  // edges that led to a node already there
  std::int64_t depth_sum = 0;       // edges from the root to where simulations ended
  std::int64_t depth_most = 0;
  double depth_mean() const {
    return simulations == 0 ? 0.0
                            : static_cast<double>(depth_sum) / static_cast<double>(simulations);
  }
  friend bool operator==(const MctsStats&, const MctsStats&) = default;

  // Adds the work of another tree.
  void Add(const MctsStats& part) {
    simulations += part.simulations;
    nodes += part.nodes;
    kept_nodes += part.kept_nodes;
    evaluations += part.evaluations;
    expansions += part.expansions;
    transpositions += part.transpositions;
    depth_sum += part.depth_sum;
    depth_most = std::max(depth_most, part.depth_most);
  }
};

}  // namespace berd
