#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace berd {

// Boards of the duel without values, numbered without gaps. A board is seen by the player to move:
// `own` tokens are the mover's, `other` tokens the opponent's, and the mover goes from low squares
// to high ones. (If B is to move, the board is turned by 180 degrees and the colours change places;
// the rules do not notice.) The boards with given numbers of own and other tokens on them form a
// layer; the rank of a board is its place among those of its layer in lexicographic order, square 0
// first. docs/decisions/0009-duel-solver.md says what this is for.

// What stands on one square: 0 is empty, other numbers are explained by DuelIndex::facts.
using DuelCell = std::uint8_t;
inline constexpr int kMaxDuelSquares = 16;
using DuelCells = std::array<DuelCell, kMaxDuelSquares>;  // squares off the board are 0

struct DuelCellFacts {
  bool own_stack = false;  // the holder is the mover
  bool other_stack = false;
  std::uint8_t active = 0;
  std::uint8_t captives = 0;
  std::uint8_t own = 0;  // tokens of the mover, active or captive
  std::uint8_t other = 0;
  DuelCell swapped = 0;  // the same with the colours changed
};

// Numbers of tokens on the board.
struct DuelLayer {
  int own = 0;
  int other = 0;
  DuelLayer swapped() const { return {other, own}; }
  int total() const { return own + other; }
  friend bool operator==(const DuelLayer&, const DuelLayer&) = default;
};

// The tables of the numbering for boards of `squares` squares and at most `tokens` tokens of each
// player. Immutable, so thread-safe.
class DuelIndex {
 public:
  // Requires: Fits(squares, tokens).
  DuelIndex(int squares, int tokens);
  // Every layer has fewer than 2^32 boards.
  static bool Fits(int squares, int tokens);
  // Boards of a layer of any size.
  static std::uint64_t CountBoards(int squares, DuelLayer layer);

  int squares() const { return squares_; }
  int tokens() const { return tokens_; }
  std::uint32_t boards(DuelLayer layer) const { return Ways(squares_, layer.own, layer.other); }

  const DuelCellFacts& facts(DuelCell cell) const { return facts_[cell]; }
  // Requires: active >= 1, or both 0 for the empty square.
  DuelCell CellOf(bool own_stack, int active, int captives) const {
    return active == 0 ? DuelCell{0}
                       : static_cast<DuelCell>(
                             1 + ((own_stack ? 0 : tokens_) + active - 1) * side_ + captives);
  }

  DuelLayer LayerOf(const DuelCells& cells) const;
  std::uint32_t Rank(const DuelCells& cells) const;
  DuelCells Unrank(DuelLayer layer, std::uint32_t rank) const;

  // The rank of a board is the sum of a term a square: Term(s, tokens left, cell) for square s,
  // where `own` and `other` count the tokens on square s and the later ones.
  std::uint32_t Term(int square, int own, int other, DuelCell cell) const {
    return terms_[At(square, own, other, cell)];
  }
  // The same for the rank of the turned and swapped board: `own` and `other` count the tokens on
  // square s and the earlier ones of the board as it is.
  std::uint32_t TurnedTerm(int square, int own, int other, DuelCell cell) const {
    return turned_terms_[At(square, own, other, cell)];
  }
  DuelCells Turned(const DuelCells& cells) const;

  // The least cell above `cell` that needs no more than these tokens, 0 if there is none.
  DuelCell NextFitting(int own, int other, DuelCell cell) const {
    return next_fitting_[At(0, own, other, cell)];
  }
  // The least cell that holds exactly these tokens.
  DuelCell LeastHolding(int own, int other) const {
    return own > 0 ? CellOf(true, own, other) : CellOf(false, other, 0);
  }

 private:
  std::uint32_t Ways(int squares, int own, int other) const {
    const int place = (squares * side_ + own) * side_ + other;
    return static_cast<std::uint32_t>(ways_[static_cast<std::size_t>(place)]);
  }
  std::size_t At(int square, int own, int other, DuelCell cell) const {
    const int place = ((square * side_ + own) * side_ + other) * cells_ + cell;
    return static_cast<std::size_t>(place);
  }

  int squares_;
  int tokens_;
  int side_;   // tokens_ + 1
  int cells_;  // kinds of cells
  std::vector<DuelCellFacts> facts_;
  std::vector<std::uint64_t> ways_;  // boards of k squares by tokens
  std::vector<std::uint32_t> terms_;
  std::vector<std::uint32_t> turned_terms_;
  std::vector<DuelCell> next_fitting_;
};

// Walks through the boards of a layer in the order of their ranks.
class DuelCursor {
 public:
  DuelCursor(const DuelIndex& index, DuelLayer layer, std::uint32_t rank);
  const DuelCells& cells() const { return cells_; }
  // Requires: the board is not the last one of the layer.
  void Advance();

 private:
  void FillFrom(int square);

  const DuelIndex& index_;
  DuelCells cells_;
  // Tokens on square s and the later ones.
  std::array<int, kMaxDuelSquares + 1> own_{};
  std::array<int, kMaxDuelSquares + 1> other_{};
};

}  // namespace berd
