#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "search/expectiminimax/options.h"

namespace berd {

struct RolloutOptions {
  int games = 1296;  // of each candidate, at most
  int truncate = 0;  // decisions after which a game is worth its evaluation; 0: played to the end
  // Stops when the difference of every candidate to the best one is known to this standard error
  // (of one candidate: when its utility is); 0: all games are played.
  double standard_error = 0;
  // No block of games begins after so much time; the first one always does.
  std::optional<std::chrono::nanoseconds> time = {};
  bool cancel_luck = true;
  bool stratify = true;  // the first two chance events
  std::uint64_t seed = 0;
  int threads = 1;  // 0: as many as there are
  // Which candidates are rolled out, by the evaluator.
  MoveFilter filter = {};

  // Games between two looks at the errors: once through all throws of two dice.
  static constexpr int kBlock = 36;
};

}  // namespace berd
