#pragma once

#include <cstdint>
#include <string>

#include "engine/core/error.h"
#include "nn/file_system.h"
#include "nn/network.h"

namespace berd {

// Everything that a training run needs to go on as if it had never stopped, taken between two
// rounds. Random numbers need no state: their streams are counted by game and round.
struct Checkpoint {
  std::string config;  // the resolved config
  std::string config_hash;
  std::int64_t round = 0;  // rounds played and committed; the next one to play
  std::int64_t games = 0;
  std::int64_t decisions = 0;
  std::int64_t examples_trained = 0;
  double seconds = 0;  // of work so far
  Network network;     // plays the next round; has learned from all rounds but the last
  std::string optimizer;
  std::string window;  // SelfPlay::EncodeWindow
};

// One file, replaced as a whole (docs/reference/record-file.md): whoever is killed while writing
// leaves the old one.
Result<void> SaveCheckpoint(const Checkpoint& checkpoint, const std::string& path,
                            FileSystem& files = RealFileSystem());
Result<Checkpoint> LoadCheckpoint(const std::string& path);

}  // namespace berd
