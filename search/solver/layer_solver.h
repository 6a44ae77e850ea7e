#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "engine/berd/rules.h"
#include "search/solver/duel_index.h"
#include "search/solver/duel_layer.h"
#include "search/solver/duel_score.h"

namespace berd {

// The solved layers by own and other tokens; layers in which a player has no tokens are not stored,
// for there the game is over.
using SolvedDuelLayers =
    std::array<std::array<DuelLayerView, kMaxDuelSquares + 1>, kMaxDuelSquares + 1>;

// Called after each round over a layer pair; returns whether to go on.
using OnDuelRound = std::function<bool(int round, std::uint64_t changed)>;

// A layer and, when it has unequal numbers, the one with the numbers exchanged: a move without a
// finish leads from one to the other.
struct DuelLayerPair {
  std::vector<DuelScores> first;   // of `layer`
  std::vector<DuelScores> second;  // of `layer.swapped()`, the same scores if that is `layer`
  int rounds = 0;                  // until nothing changed
  bool stopped = false;
};

// Solves a pair by value iteration: the scores start at 0, "no further finish", and are backed up
// from successors until nothing changes. All layers with fewer tokens must be solved. Runs in
// parallel in the caller's TBB arena.
DuelLayerPair SolveDuelLayers(const DuelIndex& index, const DuelRules& rules, DuelLayer layer,
                              const SolvedDuelLayers& solved, const OnDuelRound& on_round);

}  // namespace berd
