#include "search/solver/duel_check.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <mutex>
#include <set>
#include <string>

#include "search/solver/duel_moves.h"
#include "search/solver/duel_score.h"

namespace berd {

namespace {

DuelScores ScoresOf(const DuelLayerView& layer, std::uint32_t board) {
  DuelScores scores;
  for (std::size_t i = 0; i < kDuelCounters; ++i) {
    scores[i] = static_cast<std::int16_t>(
        duel_score::Score(layer.Margin(board, i), layer.Distance(board, i)));
  }
  return scores;
}

// What the check finds in a part of a layer.
struct Findings {
  DuelLayerCount count;
  std::uint64_t wrong_boards = 0;
  std::uint32_t wrong = 0;  // one of them
};

class LayerCheck {
 public:
  LayerCheck(const DuelTable& table, DuelLayer layer)
      : table_(table),
        layer_(table.layer(layer)),
        after_(table.layer(layer.swapped())),
        expander_(table.index(), table.rules()) {}

  void CheckBoard(std::uint32_t board, const DuelCells& cells, Findings& findings) {
    expander_.Load(cells);
    const DuelScores scores = ScoresOf(layer_, board);
    DuelScores expected{};
    std::uint32_t blocked = 0xffff;
    if (expander_.playing()) BackUp(expected, blocked);
    if (scores != expected) {
      ++findings.wrong_boards;
      findings.wrong = board;
    }
    for (std::size_t i = 0; i < kDuelCounters; ++i) {
      if ((blocked >> i & 1) != 0) continue;
      DuelLayerCount& count = findings.count;
      ++count.states;
      ++count.by_margin[DuelLayerCount::PlaceOf(layer_.Margin(board, i))];
      count.longest = std::max(count.longest, layer_.Distance(board, i));
    }
  }

 private:
  void BackUp(DuelScores& expected, std::uint32_t& blocked) {
    const DuelBackup backup = Backup(expander_);
    DuelExpander opponent(table_.index(), table_.rules());
    const std::uint32_t turned_rank = expander_.TurnedRank();
    backup.Result(ScoresOf(after_, turned_rank), expected, blocked);
    if (blocked == 0) return;
    // The turn passes by itself; if the opponent has no move either, the game is over.
    opponent.Load(table_.index().Unrank(after_.layer, turned_rank));
    DuelScores unused;
    std::uint32_t opponent_blocked;
    Backup(opponent).Result({}, unused, opponent_blocked);
    for (std::size_t i = 0; i < kDuelCounters; ++i) {
      const std::size_t turned = i % 4 * 4 + i / 4;
      if ((blocked >> i & 1) != 0 && (opponent_blocked >> turned & 1) != 0) expected[i] = 0;
    }
  }

  DuelBackup Backup(const DuelExpander& expander) const {
    DuelBackup backup;
    expander.ForEachMove([&](const DuelSuccessor& move) {
      if (move.kind == DuelMoveKind::kFinish) {
        const bool over = move.layer.own == 0 || move.layer.other == 0;
        backup.Finish(move.finished, [&](std::size_t counters) {
          return over ? 0 : table_.layer(move.layer).Margin(move.rank, counters);
        });
        return;
      }
      const DuelScores scores = ScoresOf(table_.layer(move.layer), move.rank);
      if (move.kind == DuelMoveKind::kForward) {
        backup.Forward(scores);
      } else {
        backup.Sideways(scores);
      }
    });
    return backup;
  }

  const DuelTable& table_;
  const DuelLayerView& layer_;
  const DuelLayerView& after_;
  DuelExpander expander_;
};

Findings CheckLayer(const DuelTable& table, DuelLayer layer) {
  const std::uint32_t boards = table.index().boards(layer);
  Findings all;
  all.count.layer = layer;
  all.count.boards = boards;
  std::mutex mutex;
  const auto check = [&](const tbb::blocked_range<std::uint32_t>& range) {
    LayerCheck layer_check(table, layer);
    Findings findings;
    DuelCursor cursor(table.index(), layer, range.begin());
    for (std::uint32_t board = range.begin(); board != range.end(); ++board) {
      if (board != range.begin()) cursor.Advance();
      layer_check.CheckBoard(board, cursor.cells(), findings);
    }
    const std::lock_guard lock(mutex);
    all.count.states += findings.count.states;
    all.count.longest = std::max(all.count.longest, findings.count.longest);
    for (std::size_t i = 0; i < all.count.by_margin.size(); ++i) {
      all.count.by_margin[i] += findings.count.by_margin[i];
    }
    all.wrong_boards += findings.wrong_boards;
    if (findings.wrong_boards > 0) all.wrong = findings.wrong;
  };
  tbb::parallel_for(tbb::blocked_range<std::uint32_t>(0, boards, 4096), check);
  return all;
}

// Score differences (A less B) that `off_a` tokens of A and `off_b` of B off the board allow. Who
// has collected anything has collected a token of its own.
std::set<int> PossibleDifferences(int off_a, int off_b) {
  std::set<int> differences;
  for (int a = 0; a <= off_a; ++a) {    // A's tokens in A's collection
    for (int b = 0; b <= off_b; ++b) {  // B's tokens in B's collection
      if ((off_b > b && a == 0) || (off_a > a && b == 0)) continue;
      differences.insert((a + off_b - b) - (b + off_a - a));
    }
  }
  return differences;
}

void AppendSetups(int columns_left, int tokens_left, DuelSetup& setup,
                  std::vector<DuelSetup>& setups) {
  if (columns_left == 1) {
    setups.push_back(setup);
    setups.back().columns.push_back(tokens_left);
    return;
  }
  for (int number = 0; number <= tokens_left; ++number) {
    setup.columns.push_back(number);
    AppendSetups(columns_left - 1, tokens_left - number, setup, setups);
    setup.columns.pop_back();
  }
}

// Plays the placing decisions of one player.
void PlaceTokens(const DuelRules& rules, const DuelSetup& setup, Duel<false>::State& state) {
  for (std::size_t column = 0; column + 1 < setup.columns.size(); ++column) {
    Duel<false>::apply(rules, state, static_cast<Duel<false>::Action>(setup.columns[column]));
  }
}

}  // namespace

Result<std::vector<DuelLayerCount>> CheckDuelTable(const DuelTable& table, int threads) {
  std::vector<DuelLayerCount> counts;
  tbb::task_arena arena(threads > 0 ? threads : tbb::task_arena::automatic);
  for (const DuelLayer layer : DuelLayersInOrder(table.rules().tokens)) {
    const Findings findings = arena.execute([&] { return CheckLayer(table, layer); });
    if (findings.wrong_boards > 0) {
      return Fail("the table is wrong: " + std::to_string(findings.wrong_boards) +
                  " boards of layer " + std::to_string(layer.own) + "+" +
                  std::to_string(layer.other) +
                  " do not follow from their successors, one of them number " +
                  std::to_string(findings.wrong));
    }
    counts.push_back(findings.count);
  }
  return counts;
}

DuelValueCounts CountDuelValues(int tokens, const std::vector<DuelLayerCount>& layers) {
  DuelValueCounts values;
  for (const DuelLayerCount& count : layers) {
    for (const bool a_moves : {true, false}) {
      const int a_tokens = a_moves ? count.layer.own : count.layer.other;
      const int b_tokens = count.layer.total() - a_tokens;
      for (const int difference : PossibleDifferences(tokens - a_tokens, tokens - b_tokens)) {
        for (int margin = -kMostDuelMargin; margin <= kMostDuelMargin; ++margin) {
          const auto states = count.by_margin[DuelLayerCount::PlaceOf(margin)];
          const int result = difference + (a_moves ? margin : -margin);
          (result > 0 ? values.wins : result < 0 ? values.losses : values.ties) += states;
        }
      }
    }
  }
  return values;
}

int LongestForcedPlay(const std::vector<DuelLayerCount>& layers) {
  std::array<std::array<int, kMaxDuelSquares + 1>, kMaxDuelSquares + 1> longest{};
  int most = 0;
  for (const DuelLayerCount& count : layers) {  // fewer tokens first
    const auto own = static_cast<std::size_t>(count.layer.own);
    const auto other = static_cast<std::size_t>(count.layer.other);
    int after = 0;
    // The mover finishes a token of its own and any captives, or the opponent does.
    for (std::size_t i = 0; i <= own; ++i) {
      for (std::size_t j = 0; j <= other; ++j) {
        if (i + j < own + other) after = std::max({after, longest[i][j], longest[j][i]});
      }
    }
    longest[own][other] = count.longest + after;
    most = std::max(most, longest[own][other]);
  }
  return most;
}

DuelSetupValues EvaluateDuelSetups(const DuelTable& table, const DuelRules& rules) {
  DuelSetupValues values;
  DuelSetup setup;
  AppendSetups(rules.width, rules.tokens, setup, values.setups);
  for (const DuelSetup& a : values.setups) {
    std::vector<int> margins;
    for (const DuelSetup& b : values.setups) {
      auto state = Duel<false>::initial(rules);
      PlaceTokens(rules, a, state);
      PlaceTokens(rules, b, state);
      margins.push_back(table.Margin(rules, state));
    }
    values.best.push_back(*std::min_element(margins.begin(), margins.end()));
    values.margins.push_back(std::move(margins));
  }
  values.game = *std::max_element(values.best.begin(), values.best.end());
  return values;
}

}  // namespace berd
