#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "search/mcts/node.h"

namespace berd::mcts {

// Constants of the PUCT rule, in the game's utility.
struct PuctConstants {
  float explore = 0;
  float fpu_reduction = 0;
  float virtual_loss = 0;
};

// What an edge promises: its value, an estimate before the first visit, less for simulations under
// way.
template <Game G>
inline float Promise(const Node<G>& node, const Edge<G>& edge, const PuctConstants& constants) {
  const std::uint32_t visits = Read(edge.visits);
  const std::uint32_t pending = Read(edge.pending);
  const float utility = visits > 0 || node.has_estimates
                            ? Read(edge.utility)
                            : Read(node.utility) - constants.fpu_reduction;
  if (pending == 0) return utility;
  return utility - constants.virtual_loss * static_cast<float>(pending) /
                       static_cast<float>(visits + pending);
}

// The edge with the largest Q + c P sqrt(N) / (1 + n) of those whose true value is not known.
// `prior(e)` is P. Edges are sorted by estimate and prior, so of those not visited the first is
// best; unless `all`, the search stops there.
template <Game G, class Prior>
std::uint32_t SelectEdge(const Node<G>& node, const PuctConstants& constants, bool all,
                         Prior&& prior) {
  const float explore = constants.explore * std::sqrt(static_cast<float>(Read(node.visits)));
  const std::uint32_t count = Read(node.edge_count);
  const Edge<G>* const edges = node.edges;
  std::uint32_t best = 0;
  float best_score = -std::numeric_limits<float>::infinity();
  for (std::uint32_t e = 0; e < count; ++e) {
    const Edge<G>& edge = edges[e];
    const std::uint32_t visits = Read(edge.visits) + Read(edge.pending);
    const float score =
        Promise(node, edge, constants) + explore * prior(e) / static_cast<float>(1 + visits);
    if (score > best_score && !Read(edge.exact)) {
      best = e;
      best_score = score;
    }
    if (visits == 0 && !all && !Read(edge.exact)) break;
  }
  return best;
}

template <Game G>
std::uint32_t SelectEdge(const Node<G>& node, const PuctConstants& constants) {
  return SelectEdge(node, constants, false,
                    [&](std::uint32_t e) { return Read(node.edges[e].weight); });
}

// The outcome with the largest weight / (visits + 1), the first of equals; of those whose true
// value is not known yet, if there are any.
template <Game G>
std::uint32_t SelectOutcome(Node<G>& node, bool parallel) {
  if (node.turns != nullptr) {
    const std::uint32_t e = node.turns->At(Take(node.begun, parallel));
    if (!Read(node.edges[e].exact)) return e;
  }
  const std::uint32_t count = node.edge_count.load(std::memory_order_acquire);
  std::uint32_t best = 0;
  float best_score = -1;
  for (std::uint32_t e = 0; e < count; ++e) {
    const Edge<G>& edge = node.edges[e];
    if (Read(edge.exact)) continue;
    const float score =
        Read(edge.weight) / static_cast<float>(Read(edge.visits) + Read(edge.pending) + 1u);
    if (score > best_score) {
      best = e;
      best_score = score;
    }
  }
  return best;
}

}  // namespace berd::mcts
