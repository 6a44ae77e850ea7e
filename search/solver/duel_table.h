#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/berd/duel.h"
#include "engine/berd/rules.h"
#include "engine/core/error.h"
#include "search/solver/duel_index.h"
#include "search/solver/duel_layer.h"

namespace berd {

// The beginning of a table file, 128 bytes that say for which rules it was made. Sections follow,
// one a layer. docs/reference/duel-table.md has the layout.
std::string DuelTableHeader(const DuelRules& rules);
inline constexpr std::size_t kDuelTableHeaderBytes = 128;
// The rules of a header; the error says that this is no table, or of a newer program.
Result<DuelRules> ParseDuelTableHeader(std::string_view bytes);

// Layers in the order in which they are solved and written: fewer tokens first.
std::vector<DuelLayer> DuelLayersInOrder(int tokens);

// A solved duel, mapped from its file: what every position is worth when both players play well.
// Values are those of a position that comes up for the first time in a game without a cap (the
// decision 0009 says when a real game differs). Thread-safe.
class DuelTable {
 public:
  using State = Duel<false>::State;

  // Maps the file and checks all checksums.
  static Result<std::shared_ptr<const DuelTable>> Open(const std::string& path);
  ~DuelTable();
  DuelTable(const DuelTable&) = delete;
  DuelTable& operator=(const DuelTable&) = delete;

  // The rules of the file; a table also knows the duels with fewer tokens on the same board.
  const DuelRules& rules() const { return rules_; }
  const DuelIndex& index() const { return index_; }
  std::size_t bytes() const { return bytes_.size(); }
  // Requires: both numbers are from 1 to the tokens of the rules.
  const DuelLayerView& layer(DuelLayer layer) const {
    return layers_[At(layer.own)][At(layer.other)];
  }
  // The error says which rules the table is for.
  Result<void> Fits(const DuelRules& rules) const;

  // The final difference of scores, A's less B's, when both play well from here on. Any phase.
  // Requires: Fits(rules) and the state is one of `rules`.
  int Margin(const DuelRules& rules, const State& state) const;
  // The plies within which the player who will gain tokens from here on (by Margin) can force the
  // next finish on the way; 0 if nobody will. Requires: the phase is kMove.
  int Distance(const DuelRules& rules, const State& state) const;

 private:
  struct Place {
    const DuelLayerView* layer;
    std::uint32_t board;
    std::size_t counters;
  };

  DuelTable(std::string_view bytes, const DuelRules& rules);
  static std::size_t At(int number) { return static_cast<std::size_t>(number); }
  Result<void> ReadLayers(const std::string& path);
  Place Find(const DuelRules& rules, const State& state) const;

  std::string_view bytes_;  // the mapping
  DuelRules rules_;
  DuelIndex index_;
  std::vector<std::vector<DuelLayerView>> layers_;
};

// The board of a state as its mover sees it.
DuelCells DuelCellsOf(const DuelIndex& index, const DuelRules& rules,
                      const Duel<false>::State& state);

// Tokens that A has collected less those that B has.
inline int CollectedDifference(const Duel<false>::State& state) {
  using Counts = Duel<false>::Counts;
  return Counts::Total(state.tokens.collected[0]) - Counts::Total(state.tokens.collected[1]);
}

}  // namespace berd
