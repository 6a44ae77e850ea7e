#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/core/error.h"

namespace berd {

// A number that moves in a straight line from the start of a run to its end.
struct Schedule {
  double start = 0;
  double end = 0;
  // `progress` from 0 to 1.
  double At(double progress) const { return start + (end - start) * progress; }
};

// One training run, as a TOML file says it (docs/reference/train-config.md). All defaults are here.
struct TrainConfig {
  // [run]
  std::string rules;   // rules string or preset
  std::string output;  // folder of the run; default runs/<name of the config file>
  std::int64_t seed = 1;
  std::int64_t threads = 0;  // 0: all cores

  // [network]
  std::int64_t width = 64;
  std::vector<std::int64_t> hidden;
  bool max_pool = false;

  // [selfplay]
  std::int64_t games = 100000;  // of the whole run
  std::int64_t round = 1000;    // games played with the same network
  Schedule lambda{0.9, 0.6};
  Schedule exploration{0.05, 0.01};
  std::int64_t hidden_samples = 4;
  bool exact_dice = false;

  // [learning]
  std::int64_t batch = 1024;  // examples
  Schedule learning_rate{2e-3, 1e-4};
  std::int64_t window = 4;  // rounds in the replay window
  double reuse = 1.0;       // examples drawn a round, as a multiple of the new ones
  double weight_decay = 0.0;
  double margin_weight = 0.1;

  // [checkpoint]
  double seconds = 60;

  // [evaluation]
  std::string opponent = "greedy";  // agent string; empty: none
  std::int64_t evaluation_games = 4000;
};

// Reads a config; `overrides` are assignments like "selfplay.games=1000".
Result<TrainConfig> LoadTrainConfig(const std::string& path,
                                    std::span<const std::string> overrides);
Result<TrainConfig> ParseTrainConfig(std::string_view text, const std::string& name,
                                     std::span<const std::string> overrides);

// The config with every key written out, as TOML; and the XXH3-64 hash of that text without the
// keys that do not change the result (output, threads, checkpoint), in hexadecimal.
std::string ResolvedToml(const TrainConfig& config);
std::string ConfigHash(const TrainConfig& config);

}  // namespace berd
