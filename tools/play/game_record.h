#pragma once

#include <cstdint>
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
};

// The record as one line of JSON. Requires: the actions are legal one after another.
std::string EncodeRecord(const GameRecord& record);

// Writes the record to a file of its own, complete or not at all.
Result<void> SaveRecord(const GameRecord& record, const std::string& path);

// The `number`-th game of a file, from 1, replayed and compared with what the file says of it.
Result<GameRecord> LoadRecord(const std::string& path, std::size_t number);

}  // namespace berd
