#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/core/error.h"

namespace berd {

// A game on file: one JSON line as in the conformance vectors (rules page §10) with some fields of
// its own. A finished game on file passes `berd conform`.
struct GameRecord {
  std::string rules;
  std::vector<std::string> actions;  // outcomes of chance included
  std::vector<std::string> seats;    // "human" or an agent string, by seat; may be empty
  std::uint64_t seed = 0;
  std::string name;
  std::string date;  // YYYY-MM-DD
  int match = 0;     // games of the match that it belongs to; 0: of none
};

// The record as one line of JSON. Requires: the actions are legal one after another.
std::string EncodeRecord(const GameRecord& record);

// Writes the records, a line each, to a file of their own, complete or not at all.
Result<void> SaveRecords(std::span<const GameRecord> records, const std::string& path);

// The `number`-th game of a file, from 1, replayed and compared with what the file says of it.
Result<GameRecord> LoadRecord(const std::string& path, std::size_t number);
// All games of a file, at least one.
Result<std::vector<GameRecord>> LoadRecords(const std::string& path);

}  // namespace berd
