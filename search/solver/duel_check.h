#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "engine/core/error.h"
#include "search/solver/duel_table.h"

namespace berd {

inline constexpr int kMostDuelMargin = kMaxDuelSquares;  // tokens of both players, at most 2 · 8

// How many states of a layer have which margin, from −kMostDuelMargin for the mover. A state is a
// board with both counters on which both players are active and the mover has a move.
struct DuelLayerCount {
  DuelLayer layer;
  std::uint32_t boards = 0;
  std::uint64_t states = 0;
  int longest = 0;  // distance
  std::array<std::uint64_t, 2 * kMostDuelMargin + 1> by_margin{};

  // The place of a margin, -kMostDuelMargin .. kMostDuelMargin, in by_margin.
  static std::size_t PlaceOf(int margin) {
    const int place = margin + kMostDuelMargin;
    return static_cast<std::size_t>(place);
  }
};

// Proves the table: every state's margin and distance follow from those of its successors, and a
// board on which the game is over has margin 0. That is a proof, not only a check, because
// distances fall along the moves that secure a margin, so no margin rests on itself in a circle.
// The error says how many boards fail and names one.
Result<std::vector<DuelLayerCount>> CheckDuelTable(const DuelTable& table, int threads);

// Positions of a duel by their value for A, score differences counted as different positions: those
// with the player to move, board, counters and a difference that the tokens off the board allow.
struct DuelValueCounts {
  std::uint64_t wins = 0;
  std::uint64_t ties = 0;
  std::uint64_t losses = 0;
  std::uint64_t states() const { return wins + ties + losses; }
};
DuelValueCounts CountDuelValues(int tokens, const std::vector<DuelLayerCount>& layers);

// Plies after which no state of the table can still lack a finish that it can force, along any
// chain of layers: a game with at least so many plies left before the cap has the table's value.
int LongestForcedPlay(const std::vector<DuelLayerCount>& layers);

// The values of all ways to place the tokens: margins (A less B) by A's and B's numbers by column.
struct DuelSetup {
  std::vector<int> columns;
};
struct DuelSetupValues {
  std::vector<DuelSetup> setups;          // of either player, in the order of the placing decisions
  std::vector<std::vector<int>> margins;  // [A's setup][B's setup]
  std::vector<int> best;                  // of A's setup when B places well
  int game = 0;                           // when both place well
};
DuelSetupValues EvaluateDuelSetups(const DuelTable& table, const DuelRules& rules);

}  // namespace berd
