#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "engine/berd/rules.h"
#include "engine/core/error.h"
#include "search/solver/duel_index.h"

namespace berd {

struct DuelSolveProgress {
  DuelLayer layer;            // the pair that is being solved
  std::uint64_t boards = 0;   // in that pair
  int round = 0;              // rounds over it so far
  std::uint64_t changed = 0;  // boards changed in this round
  std::uint64_t done = 0;     // boards of the layers solved before
  std::uint64_t all = 0;      // boards of all layers
};

struct DuelSolveOptions {
  int threads = 0;  // 0: all cores
  std::uint64_t memory = std::uint64_t{16} << 30;
  std::function<void(const DuelSolveProgress&)> on_progress = {};  // after each round; may be empty
  std::function<bool()> stop = {};  // asked after each round; may be empty
};

struct DuelSolveResult {
  bool stopped = false;  // the finished layers are kept
  int layers_found = 0;  // solved by an earlier run
};

// Bytes of memory that solving needs at most, about.
std::uint64_t DuelSolveMemory(const DuelRules& rules);

// Solves a duel without values completely and writes the table to `path`. Finished layers are
// collected in `path`.part, where a later call goes on; at the end the file gets its name. Errors:
// rules with values, more memory needed than allowed, a file that cannot be written.
Result<DuelSolveResult> SolveDuel(const DuelRules& rules, const std::string& path,
                                  const DuelSolveOptions& options);

}  // namespace berd
