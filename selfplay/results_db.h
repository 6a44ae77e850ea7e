#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/error.h"
#include "selfplay/arena.h"

namespace berd {

// What the results file keeps of one arena run, besides its result.
struct ArenaRecord {
  struct Agent {
    std::string agent;      // the agent string
    std::string file_hash;  // of its network, "" without one
  };

  std::string time;  // UTC, 2026-01-31T12:00:00Z
  std::string program_version;
  std::string rules;          // canonical
  std::string options;        // the resolved options, a JSON object
  std::vector<Agent> agents;  // as many as in the result
  ArenaResult result;
};

// The present time in the form of ArenaRecord.
std::string UtcNow();

// XXH3 of a file, 16 hexadecimal digits.
Result<std::string> HashFile(const std::string& path);

// Identifies what was asked for: rules, agents with the content of their files, and options. Runs
// with equal hashes played the same games (of one program version).
std::string ConfigHash(const ArenaRecord& record);

// Adds a run to an SQLite file, which is made if it is missing, and its directory too; returns the
// run's number. Tables: docs/how-to/measure-strength.md. Several processes may write one file: a
// writer waits up to ten seconds for the others. All or nothing: after an error the file is as it
// was.
Result<std::int64_t> AddToResults(const std::string& path, const ArenaRecord& record);

// Version of the tables, kept in the file's user_version. Files of a later version are refused.
inline constexpr int kResultsVersion = 3;

}  // namespace berd
