#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "engine/berd/rules.h"
#include "engine/core/bits.h"
#include "search/solver/duel_index.h"

namespace berd {

enum class DuelMoveKind : std::uint8_t { kForward, kSideways, kFinish };

// A whole move of the mover, carried captives included, and the board after it as the opponent,
// now the mover, sees it.
struct DuelSuccessor {
  DuelMoveKind kind;
  int finished;  // tokens that reach the mover's collection
  DuelLayer layer;
  std::uint32_t rank;
};

// Finds the moves on one board after another without moving anything: a move changes two squares,
// so the rank after it differs in the terms from one of them to the other. The sideways counters
// are the caller's business; every sideways move is listed. Not thread-safe; the index and the
// rules must outlive it.
class DuelExpander {
 public:
  // Requires: unvalued rules that agree with the index in squares.
  DuelExpander(const DuelIndex& index, const DuelRules& rules)
      : index_(index),
        width_(rules.width),
        squares_(rules.squares),
        left_column_(rules.left_column),
        right_column_(rules.right_column),
        protected_(rules.own_color[1]) {}

  // Sets the board.
  void Load(const DuelCells& cells);
  // Both players have active tokens; otherwise the game is over.
  bool playing() const { return own_stacks_ != 0 && other_stacks_ != 0; }
  // Rank of the same board with the opponent to move.
  std::uint32_t TurnedRank() const { return sums_[static_cast<std::size_t>(squares_)]; }

  template <class Visit>
  void ForEachMove(Visit&& visit) const {
    const SquareSet open = ~(blocked_ | (other_stacks_ & protected_));
    ForEachMember(own_stacks_, [&](int from) {
      const DuelCellFacts& facts = Facts(from);
      const bool all_go = facts.active == 1;
      for (int along = all_go ? facts.captives : 0; along <= facts.captives; ++along) {
        const DuelCell rest =
            all_go ? DuelCell{0} : index_.CellOf(true, facts.active - 1, facts.captives - along);
        if (const int ahead = from + width_; ahead >= squares_) {
          visit(Finish(from, rest, along));
        } else if (Has(open, ahead)) {
          visit(Step(DuelMoveKind::kForward, from, ahead, rest, along));
        }
        if (!Has(left_column_, from) && Has(open, from - 1)) {
          visit(Step(DuelMoveKind::kSideways, from, from - 1, rest, along));
        }
        if (!Has(right_column_, from) && Has(open, from + 1)) {
          visit(Step(DuelMoveKind::kSideways, from, from + 1, rest, along));
        }
      }
    });
  }

 private:
  const DuelCellFacts& Facts(int square) const {
    return index_.facts(cells_[static_cast<std::size_t>(square)]);
  }
  // What stands on `square` after a unit of one token and captives has landed there.
  DuelCell Landed(int square, int along) const {
    const DuelCellFacts& facts = Facts(square);
    if (!facts.other_stack) return index_.CellOf(true, facts.active + 1, facts.captives + along);
    return index_.CellOf(true, facts.captives + 1, facts.active + along);
  }
  DuelSuccessor Step(DuelMoveKind kind, int from, int to, DuelCell rest, int along) const;
  DuelSuccessor Finish(int from, DuelCell rest, int along) const;

  const DuelIndex& index_;
  int width_;
  int squares_;
  SquareSet left_column_;
  SquareSet right_column_;
  SquareSet protected_;  // squares of the opponent's colour

  DuelCells cells_{};
  SquareSet own_stacks_ = 0;
  SquareSet other_stacks_ = 0;
  SquareSet blocked_ = 0;  // Berds of the opponent
  // Tokens on square s and the earlier ones; sum of the turned terms of the squares before s.
  std::array<int, kMaxDuelSquares> own_{};
  std::array<int, kMaxDuelSquares> other_{};
  std::array<std::uint32_t, kMaxDuelSquares + 1> sums_{};
};

inline void DuelExpander::Load(const DuelCells& cells) {
  cells_ = cells;
  own_stacks_ = other_stacks_ = blocked_ = 0;
  int own = 0;
  int other = 0;
  std::uint32_t sum = 0;
  for (int square = 0; square < squares_; ++square) {
    const auto s = static_cast<std::size_t>(square);
    const DuelCell cell = cells[s];
    const DuelCellFacts& facts = index_.facts(cell);
    own += facts.own;
    other += facts.other;
    own_[s] = own;
    other_[s] = other;
    own_stacks_ |= SquareSet{facts.own_stack} << square;
    other_stacks_ |= SquareSet{facts.other_stack} << square;
    blocked_ |= SquareSet{facts.other_stack && facts.active >= 2} << square;
    sums_[s] = sum;
    sum += index_.TurnedTerm(square, own, other, cell);
  }
  sums_[static_cast<std::size_t>(squares_)] = sum;
}

inline DuelSuccessor DuelExpander::Step(DuelMoveKind kind, int from, int to, DuelCell rest,
                                        int along) const {
  const int low = from < to ? from : to;
  const int high = from < to ? to : from;
  // Between the two squares the tokens of the unit are counted or no longer.
  const int own = from < to ? -1 : 1;
  const int other = from < to ? -along : along;
  const DuelCell landed = Landed(to, along);
  const auto last = static_cast<std::size_t>(squares_ - 1);
  std::uint32_t rank = TurnedRank() - sums_[static_cast<std::size_t>(high) + 1] +
                       sums_[static_cast<std::size_t>(low)];
  for (int square = low; square < high; ++square) {
    const auto s = static_cast<std::size_t>(square);
    const DuelCell cell = square > low ? cells_[s] : from < to ? rest : landed;
    rank += index_.TurnedTerm(square, own_[s] + own, other_[s] + other, cell);
  }
  const auto h = static_cast<std::size_t>(high);
  rank += index_.TurnedTerm(high, own_[h], other_[h], from < to ? landed : rest);
  return {kind, 0, {other_[last], own_[last]}, rank};
}

inline DuelSuccessor DuelExpander::Finish(int from, DuelCell rest, int along) const {
  const auto last = static_cast<std::size_t>(squares_ - 1);
  std::uint32_t rank = sums_[static_cast<std::size_t>(from)];
  for (int square = from; square < squares_; ++square) {
    const auto s = static_cast<std::size_t>(square);
    rank += index_.TurnedTerm(square, own_[s] - 1, other_[s] - along,
                              square == from ? rest : cells_[s]);
  }
  return {DuelMoveKind::kFinish, 1 + along, {other_[last] - along, own_[last] - 1}, rank};
}

}  // namespace berd
