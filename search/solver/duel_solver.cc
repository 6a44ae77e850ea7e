#include "search/solver/duel_solver.h"

#include <tbb/task_arena.h>

#include <algorithm>
#include <string>
#include <utility>

#include "search/solver/duel_table.h"
#include "search/solver/duel_table_writer.h"
#include "search/solver/layer_solver.h"

namespace berd {

namespace {

std::string Gigabytes(std::uint64_t bytes) {
  const std::uint64_t tenths = (bytes * 10 + (std::uint64_t{1} << 30) - 1) >> 30;
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " GiB";
}

Result<void> CheckRules(const DuelRules& rules, const DuelSolveOptions& options) {
  if (rules.valued()) {
    return Fail("only the duel without values can be solved, not " + rules.ToString());
  }
  const std::uint64_t memory = DuelSolveMemory(rules);
  if (memory > options.memory || !DuelIndex::Fits(rules.squares, rules.tokens)) {
    return Fail("solving " + rules.ToString() + " needs about " + Gigabytes(memory) +
                " of memory, more than the " + Gigabytes(options.memory) + " allowed");
  }
  return {};
}

std::uint64_t AllBoards(const DuelRules& rules) {
  std::uint64_t boards = 0;
  for (const DuelLayer layer : DuelLayersInOrder(rules.tokens)) {
    boards += DuelIndex::CountBoards(rules.squares, layer);
  }
  return boards;
}

class DuelSolve {
 public:
  DuelSolve(const DuelRules& rules, const DuelSolveOptions& options, DuelTableWriter& writer)
      : rules_(rules),
        options_(options),
        writer_(writer),
        index_(rules.squares, rules.tokens),
        arena_(options.threads > 0 ? options.threads : tbb::task_arena::automatic) {
    progress_.all = AllBoards(rules);
  }

  Result<DuelSolveResult> Run() {
    for (const auto& layer : writer_.layers()) Add(layer);
    DuelSolveResult result{.stopped = false,
                           .layers_found = static_cast<int>(writer_.layers().size())};
    for (const DuelLayer layer : DuelLayersInOrder(rules_.tokens)) {
      if (Known(layer)) continue;
      const auto done = SolvePair(layer);
      if (!done) return tl::unexpected(done.error());
      if (!*done) {
        result.stopped = true;
        return result;
      }
    }
    if (auto ok = writer_.Finish(); !ok) return tl::unexpected(ok.error());
    return result;
  }

 private:
  static std::size_t At(int number) { return static_cast<std::size_t>(number); }
  bool Known(DuelLayer layer) const { return solved_[At(layer.own)][At(layer.other)].boards > 0; }
  void Add(const DuelLayerView& view) {
    solved_[At(view.layer.own)][At(view.layer.other)] = view;
    progress_.done += view.boards;
  }

  // Whether it was solved, or stopped.
  Result<bool> SolvePair(DuelLayer layer) {
    progress_.layer = layer;
    progress_.boards = index_.boards(layer) * (layer.own == layer.other ? 1u : 2u);
    const auto on_round = [&](int round, std::uint64_t changed) {
      progress_.round = round;
      progress_.changed = changed;
      if (options_.on_progress) options_.on_progress(progress_);
      return !options_.stop || !options_.stop();
    };
    const DuelLayerPair pair =
        arena_.execute([&] { return SolveDuelLayers(index_, rules_, layer, solved_, on_round); });
    if (pair.stopped) return false;
    // After a stop between the two the second alone is missing, and is solved again.
    if (auto ok = Append(layer, pair.first); !ok) return tl::unexpected(ok.error());
    if (layer.own != layer.other && !Known(layer.swapped())) {
      if (auto ok = Append(layer.swapped(), pair.second); !ok) return tl::unexpected(ok.error());
    }
    return true;
  }

  Result<void> Append(DuelLayer layer, const std::vector<DuelScores>& scores) {
    auto section = EncodeDuelLayer(layer, scores);
    if (!section) return tl::unexpected(section.error());
    if (auto ok = writer_.Append(*std::move(section)); !ok) return ok;
    Add(writer_.layers().back());
    return {};
  }

  const DuelRules& rules_;
  const DuelSolveOptions& options_;
  DuelTableWriter& writer_;
  DuelIndex index_;
  tbb::task_arena arena_;
  SolvedDuelLayers solved_{};
  DuelSolveProgress progress_;
};

}  // namespace

std::uint64_t DuelSolveMemory(const DuelRules& rules) {
  // Two vectors of scores and the codes of one of them while it is encoded; all layers as encoded.
  const std::uint64_t top = DuelIndex::CountBoards(rules.squares, {rules.tokens, rules.tokens});
  return top * (2 * sizeof(DuelScores) + 10) + AllBoards(rules) * 7;
}

Result<DuelSolveResult> SolveDuel(const DuelRules& rules, const std::string& path,
                                  const DuelSolveOptions& options) {
  if (auto ok = CheckRules(rules, options); !ok) return tl::unexpected(ok.error());
  auto writer = DuelTableWriter::Open(path, rules);
  if (!writer) return tl::unexpected(writer.error());
  return DuelSolve(rules, options, **writer).Run();
}

}  // namespace berd
