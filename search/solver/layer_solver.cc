#include "search/solver/layer_solver.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <atomic>
#include <span>

namespace berd {

namespace {

constexpr std::uint32_t kGrain = 4096;

// Backs up the scores of all boards of a layer from those of its successors; returns how many
// boards changed.
std::uint64_t BackUpLayer(const DuelIndex& index, const DuelRules& rules, DuelLayer layer,
                          const SolvedDuelLayers& solved, std::span<const DuelScores> after,
                          std::span<DuelScores> scores) {
  std::atomic<std::uint64_t> changed = 0;
  const auto back_up = [&](const tbb::blocked_range<std::uint32_t>& range) {
    DuelCursor cursor(index, layer, range.begin());
    DuelExpander expander(index, rules);
    std::uint64_t changed_here = 0;
    for (std::uint32_t board = range.begin(); board != range.end(); ++board) {
      if (board != range.begin()) cursor.Advance();
      expander.Load(cursor.cells());
      if (!expander.playing()) continue;  // 0 for ever
      DuelBackup backup;
      expander.ForEachMove([&](const DuelSuccessor& move) {
        if (move.kind == DuelMoveKind::kForward) {
          backup.Forward(after[move.rank]);
        } else if (move.kind == DuelMoveKind::kSideways) {
          backup.Sideways(after[move.rank]);
        } else if (move.layer.own == 0 || move.layer.other == 0) {
          backup.Finish(move.finished, [](std::size_t) { return 0; });
        } else {
          const auto& margins = solved[static_cast<std::size_t>(move.layer.own)]
                                      [static_cast<std::size_t>(move.layer.other)]
                                          .margins[move.rank];
          backup.Finish(move.finished, [&](std::size_t counters) { return margins[counters]; });
        }
      });
      DuelScores result;
      std::uint32_t blocked;
      backup.Result(after[expander.TurnedRank()], result, blocked);
      if (result == scores[board]) continue;
      scores[board] = result;
      ++changed_here;
    }
    changed += changed_here;
  };
  tbb::parallel_for(tbb::blocked_range<std::uint32_t>(0, index.boards(layer), kGrain), back_up);
  return changed;
}

}  // namespace

// If the numbers are equal, the two vectors hold the same layer after even and odd numbers of
// rounds, so that no round reads what it writes.
DuelLayerPair SolveDuelLayers(const DuelIndex& index, const DuelRules& rules, DuelLayer layer,
                              const SolvedDuelLayers& solved, const OnDuelRound& on_round) {
  DuelLayerPair pair;
  pair.first.resize(index.boards(layer));
  pair.second.resize(index.boards(layer));
  for (std::uint64_t changed = 1; changed != 0;) {
    const bool odd = pair.rounds % 2 != 0;
    changed = odd ? BackUpLayer(index, rules, layer.swapped(), solved, pair.first, pair.second)
                  : BackUpLayer(index, rules, layer, solved, pair.second, pair.first);
    // The very first round may change nothing while the second would.
    if (pair.rounds == 0) changed = 1;
    ++pair.rounds;
    if (!on_round(pair.rounds, changed) && changed != 0) {
      pair.stopped = true;
      break;
    }
  }
  return pair;
}

}  // namespace berd
