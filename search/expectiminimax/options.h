#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace berd {

// Which candidates of a decision are looked at more deeply: the best `count` by a shallower
// evaluation, as far as they are within `margin` (in units of utility: win shares or points) of the
// best.
struct MoveFilter {
  int count = 8;  // 0: all of them, whatever the margin
  double margin = 0.16;

  bool all() const { return count == 0; }
};

struct ExpectiminimaxOptions {
  int plies = 2;  // 1 .. kMostPlies
  MoveFilter filter = {};
  // Of the decisions 1, 2, … plies below the root; the last one, or without any `filter`, is for
  // all below, too.
  std::vector<MoveFilter> deeper_filters = {};
  // All other sides minimise the utility of the searching seat, instead of maximising their own.
  bool paranoid = false;
  // Outcomes drawn where a chance event has too many to list; 0: such states are not expanded.
  int chance_samples = 36;
  std::uint64_t seed = 0;  // of those draws
  // Also search where there is just one candidate: for analysis.
  bool value_forced = false;
  // Limits. The search ends at the first node beyond them and keeps what it has.
  std::uint64_t most_nodes = 0;  // 0: none
  std::optional<std::chrono::nanoseconds> time = {};
  std::size_t cache_entries = std::size_t{1} << 15;  // of a thread; 0: no cache
  // The candidates of the root are searched side by side, with the same result for any number. A
  // limit of nodes, which says where one thread stops, is for one thread.
  int threads = 1;

  static constexpr int kMostPlies = 8;

  // The filter of the decisions `ply` plies below the root.
  const MoveFilter& FilterAt(int ply) const {
    if (ply == 0 || deeper_filters.empty()) return filter;
    return deeper_filters[std::min(static_cast<std::size_t>(ply), deeper_filters.size()) - 1];
  }
};

// What a search did.
struct SearchStats {
  std::uint64_t nodes = 0;         // states made: outcomes of chance and afterstates
  std::uint64_t evaluations = 0;   // states given to the evaluator
  std::uint64_t calls = 0;         // of the evaluator
  std::uint64_t cache_probes = 0;  // questions to the cache
  std::uint64_t cache_hits = 0;
  int depth = 0;          // plies of the deepest iteration that counts
  bool complete = false;  // that iteration, and so the search, was completed

  // Adds the work of another thread.
  void Add(const SearchStats& part) {
    nodes += part.nodes;
    evaluations += part.evaluations;
    calls += part.calls;
    cache_probes += part.cache_probes;
    cache_hits += part.cache_hits;
  }
};

}  // namespace berd
