#include "search/solver/duel_index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "engine/core/random.h"
#include "search/solver/duel_moves.h"
#include "search/solver/duel_table.h"
#include "tests/search/duel_positions.h"

namespace berd {
namespace {

using DuelGame = Duel<false>;

TEST(DuelIndex, CountsBoards) {
  // One square holds tokens of both players in two ways; two stacks stand on two of nine squares.
  EXPECT_EQ(DuelIndex::CountBoards(1, {1, 1}), 2u);
  EXPECT_EQ(DuelIndex::CountBoards(9, {1, 1}), 9u * 8u + 9u * 2u);
  EXPECT_EQ(DuelIndex::CountBoards(9, {5, 5}), 5022126u);
  EXPECT_TRUE(DuelIndex::Fits(16, 5));
  EXPECT_FALSE(DuelIndex::Fits(16, 6));
}

class DuelIndexOf : public testing::TestWithParam<std::pair<int, int>> {};

TEST_P(DuelIndexOf, NumbersEveryBoardOnce) {
  const auto [squares, tokens] = GetParam();
  const DuelIndex index(squares, tokens);
  for (int own = 0; own <= tokens; ++own) {
    for (int other = 0; other <= tokens; ++other) {
      const DuelLayer layer{own, other};
      ASSERT_EQ(index.boards(layer), DuelIndex::CountBoards(squares, layer));
      DuelCursor cursor(index, layer, 0);
      DuelCells before{};
      for (std::uint32_t rank = 0; rank < index.boards(layer); ++rank) {
        if (rank > 0) cursor.Advance();
        const DuelCells cells = index.Unrank(layer, rank);
        ASSERT_EQ(cells, cursor.cells()) << rank;
        ASSERT_EQ(index.LayerOf(cells), layer);
        ASSERT_EQ(index.Rank(cells), rank);
        ASSERT_EQ(index.Turned(index.Turned(cells)), cells);
        // Lexicographic order; squares compare one after another.
        ASSERT_TRUE(rank == 0 || before < cells);
        before = cells;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, DuelIndexOf,
                         testing::Values(std::pair(9, 1), std::pair(9, 2), std::pair(9, 3),
                                         std::pair(16, 1), std::pair(16, 2), std::pair(1, 8)));

// A state of the engine with this board, A to move.
DuelGame::State StateOf(const DuelIndex& index, const DuelRules& rules, const DuelCells& cells) {
  DuelGame::State state = DuelGame::initial(rules);
  state.phase = DuelPhase::kMove;
  for (int square = 0; square < rules.squares; ++square) {
    const auto s = static_cast<std::size_t>(square);
    const DuelCellFacts& facts = index.facts(cells[s]);
    if (facts.active == 0) continue;
    const int holder = facts.own_stack ? 0 : 1;
    state.tokens.AddActive(holder, square, facts.active);
    state.tokens.captive[s] =
        static_cast<DuelGame::Word>(facts.captives * DuelGame::Counts::One(1 - holder));
  }
  return state;
}

using Move = std::tuple<DuelMoveKind, int, int, int, std::uint32_t>;

// The moves of one board by the engine and by the expander.
void ExpectSameMoves(const DuelIndex& index, const DuelRules& rules, const DuelCells& cells) {
  const DuelGame::State state = StateOf(index, rules, cells);
  ASSERT_EQ(DuelCellsOf(index, rules, state), cells);
  std::vector<Move> expected;
  ForEachDuelMove(rules, state, [&](DuelGame::State after, const DuelLine& line) {
    const int from = duel_action::From(line[0]);
    const int to = duel_action::To(line[0]);
    const auto kind = to == duel_action::kOff             ? DuelMoveKind::kFinish
                      : duel_action::IsSideways(from, to) ? DuelMoveKind::kSideways
                                                          : DuelMoveKind::kForward;
    after.turn = 1;  // whoever is to move: the board as B sees it
    const DuelCells seen = DuelCellsOf(index, rules, after);
    const DuelLayer layer = index.LayerOf(seen);
    expected.emplace_back(kind, CollectedDifference(after), layer.own, layer.other,
                          index.Rank(seen));
  });
  std::vector<Move> found;
  DuelExpander expander(index, rules);
  expander.Load(cells);
  ASSERT_EQ(expander.TurnedRank(), index.Rank(index.Turned(cells)));
  ASSERT_EQ(expander.playing(), state.tokens.present[0] != 0 && state.tokens.present[1] != 0);
  expander.ForEachMove([&](const DuelSuccessor& move) {
    found.emplace_back(move.kind, move.finished, move.layer.own, move.layer.other, move.rank);
  });
  std::sort(expected.begin(), expected.end());
  std::sort(found.begin(), found.end());
  ASSERT_EQ(found, expected) << DuelGame::position(rules, state);
}

TEST(DuelExpander, AgreesWithTheEngineOnAllSmallBoards) {
  for (const std::string text : {"duel:3x3:2", "duel:3x3:2:color", "duel:4x4:1:color"}) {
    const DuelRules rules = DuelRulesFor(text);
    const DuelIndex index(rules.squares, rules.tokens);
    for (const DuelLayer layer : DuelLayersInOrder(rules.tokens)) {
      for (std::uint32_t rank = 0; rank < index.boards(layer); ++rank) {
        ExpectSameMoves(index, rules, index.Unrank(layer, rank));
      }
    }
  }
}

TEST(DuelExpander, AgreesWithTheEngineOnRandomBoards) {
  for (const std::string text :
       {"duel:3x3:5", "duel:3x3:6:color", "duel:4x4:4:color", "duel:4x4:5"}) {
    const DuelRules rules = DuelRulesFor(text);
    const DuelIndex index(rules.squares, rules.tokens);
    RandomStream random(1, 0, Purpose::kTest, 0);
    const auto tokens = static_cast<std::uint32_t>(rules.tokens);
    for (int i = 0; i < 3000; ++i) {
      const DuelLayer layer{static_cast<int>(1 + random.Below(tokens)),
                            static_cast<int>(1 + random.Below(tokens))};
      ExpectSameMoves(index, rules, index.Unrank(layer, random.Below(index.boards(layer))));
    }
  }
}

}  // namespace
}  // namespace berd
