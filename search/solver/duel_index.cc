#include "search/solver/duel_index.h"

#include <cassert>
#include <limits>

namespace berd {

namespace {

// Where CountWays has the boards of k squares.
std::size_t WaysAt(int side, int k, int own, int other) {
  const int place = (k * side + own) * side + other;
  return static_cast<std::size_t>(place);
}

// ways[WaysAt(side, k, own, other)]: boards of k squares. A square holds each pair of numbers
// in two ways (whose stack it is), in one way if there are no tokens of one player.
std::vector<std::uint64_t> CountWays(int squares, int side) {
  const auto at = [side](int k, int own, int other) { return WaysAt(side, k, own, other); };
  std::vector<std::uint64_t> ways(at(squares, side - 1, side - 1) + 1);
  ways[0] = 1;
  for (int k = 1; k <= squares; ++k) {
    for (int own = 0; own < side; ++own) {
      for (int other = 0; other < side; ++other) {
        std::uint64_t sum = 0;
        for (int i = 0; i <= own; ++i) {
          for (int j = 0; j <= other; ++j) {
            sum += (i > 0 && j > 0 ? 2u : 1u) * ways[at(k - 1, own - i, other - j)];
          }
        }
        ways[at(k, own, other)] = sum;
      }
    }
  }
  return ways;
}

}  // namespace

std::uint64_t DuelIndex::CountBoards(int squares, DuelLayer layer) {
  const int side = (layer.own > layer.other ? layer.own : layer.other) + 1;
  return CountWays(squares, side)[WaysAt(side, squares, layer.own, layer.other)];
}

bool DuelIndex::Fits(int squares, int tokens) {
  return CountBoards(squares, {tokens, tokens}) <= std::numeric_limits<std::uint32_t>::max();
}

DuelIndex::DuelIndex(int squares, int tokens)
    : squares_(squares),
      tokens_(tokens),
      side_(tokens + 1),
      cells_(1 + 2 * tokens * (tokens + 1)),
      facts_(static_cast<std::size_t>(cells_)),
      ways_(CountWays(squares, tokens + 1)) {
  assert(Fits(squares, tokens));
  for (const bool own : {true, false}) {
    for (int active = 1; active <= tokens; ++active) {
      for (int captives = 0; captives <= tokens; ++captives) {
        auto& facts = facts_[CellOf(own, active, captives)];
        facts.own_stack = own;
        facts.other_stack = !own;
        facts.active = static_cast<std::uint8_t>(active);
        facts.captives = static_cast<std::uint8_t>(captives);
        facts.own = own ? facts.active : facts.captives;
        facts.other = own ? facts.captives : facts.active;
        facts.swapped = CellOf(!own, active, captives);
      }
    }
  }
  const std::size_t size = At(squares, 0, 0, 0);
  terms_.resize(size);
  turned_terms_.resize(size);
  next_fitting_.resize(At(1, 0, 0, 0));
  for (int own = 0; own < side_; ++own) {
    for (int other = 0; other < side_; ++other) {
      DuelCell next = 0;
      for (int cell = cells_ - 1; cell >= 0; --cell) {
        const auto id = static_cast<DuelCell>(cell);
        next_fitting_[At(0, own, other, id)] = next;
        if (facts_[id].own <= own && facts_[id].other <= other) next = id;
      }
      for (int square = 0; square < squares; ++square) {
        std::uint32_t before = 0;
        for (int cell = 0; cell < cells_; ++cell) {
          const auto id = static_cast<DuelCell>(cell);
          const DuelCellFacts& facts = facts_[id];
          if (facts.own > own || facts.other > other) continue;
          terms_[At(square, own, other, id)] = before;
          turned_terms_[At(squares - 1 - square, other, own, facts.swapped)] = before;
          before += Ways(squares - 1 - square, own - facts.own, other - facts.other);
        }
      }
    }
  }
}

DuelLayer DuelIndex::LayerOf(const DuelCells& cells) const {
  DuelLayer layer;
  for (const DuelCell cell : cells) {
    layer.own += facts_[cell].own;
    layer.other += facts_[cell].other;
  }
  return layer;
}

std::uint32_t DuelIndex::Rank(const DuelCells& cells) const {
  DuelLayer left = LayerOf(cells);
  std::uint32_t rank = 0;
  for (int square = 0; square < squares_; ++square) {
    const DuelCell cell = cells[static_cast<std::size_t>(square)];
    rank += Term(square, left.own, left.other, cell);
    left.own -= facts_[cell].own;
    left.other -= facts_[cell].other;
  }
  return rank;
}

DuelCells DuelIndex::Unrank(DuelLayer layer, std::uint32_t rank) const {
  DuelCells cells{};
  DuelLayer left = layer;
  for (int square = 0; square + 1 < squares_; ++square) {
    DuelCell cell = 0;
    for (DuelCell next = cell;;) {
      next = NextFitting(left.own, left.other, next);
      if (next == 0 || Term(square, left.own, left.other, next) > rank) break;
      cell = next;
    }
    rank -= Term(square, left.own, left.other, cell);
    cells[static_cast<std::size_t>(square)] = cell;
    left.own -= facts_[cell].own;
    left.other -= facts_[cell].other;
  }
  // The last square holds what is left, in one way or in two.
  const DuelCell least = LeastHolding(left.own, left.other);
  cells[static_cast<std::size_t>(squares_ - 1)] =
      rank == 0 ? least : CellOf(false, left.other, left.own);
  return cells;
}

DuelCells DuelIndex::Turned(const DuelCells& cells) const {
  DuelCells turned{};
  for (int square = 0; square < squares_; ++square) {
    turned[static_cast<std::size_t>(squares_ - 1 - square)] =
        facts_[cells[static_cast<std::size_t>(square)]].swapped;
  }
  return turned;
}

DuelCursor::DuelCursor(const DuelIndex& index, DuelLayer layer, std::uint32_t rank)
    : index_(index), cells_(index.Unrank(layer, rank)) {
  for (int square = index.squares() - 1; square >= 0; --square) {
    const auto s = static_cast<std::size_t>(square);
    own_[s] = own_[s + 1] + index.facts(cells_[s]).own;
    other_[s] = other_[s + 1] + index.facts(cells_[s]).other;
  }
}

void DuelCursor::Advance() {
  const int last = index_.squares() - 1;
  // The last square: the other holder, if it was the lesser one.
  {
    DuelCell& cell = cells_[static_cast<std::size_t>(last)];
    const DuelCellFacts& facts = index_.facts(cell);
    if (facts.own_stack && facts.other > 0) {
      cell = index_.CellOf(false, facts.other, facts.own);
      return;
    }
  }
  for (int square = last - 1;; --square) {
    assert(square >= 0 && "the last board has no successor");
    const auto s = static_cast<std::size_t>(square);
    const DuelCell next = index_.NextFitting(own_[s], other_[s], cells_[s]);
    if (next == 0) continue;
    cells_[s] = next;
    FillFrom(square + 1);
    return;
  }
}

// The least continuation: empty squares, and everything that is left on the last one.
void DuelCursor::FillFrom(int square) {
  const auto first = static_cast<std::size_t>(square);
  const auto last = static_cast<std::size_t>(index_.squares() - 1);
  const DuelCellFacts& before = index_.facts(cells_[first - 1]);
  const int own = own_[first - 1] - before.own;
  const int other = other_[first - 1] - before.other;
  for (std::size_t s = first; s <= last; ++s) {
    cells_[s] = 0;
    own_[s] = own;
    other_[s] = other;
  }
  cells_[last] = index_.LeastHolding(own, other);
}

}  // namespace berd
