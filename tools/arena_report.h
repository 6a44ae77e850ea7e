#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "selfplay/arena.h"

namespace berd {

// What an arena run was about, in the words of its options.
struct ArenaHeading {
  std::string rules;                // canonical
  std::vector<std::string> agents;  // agent strings in the order given
  bool teams = false;               // sides are teams
  std::string luck;                 // the network that tells the luck, "" without
};

// The table for people, several lines.
std::string ArenaTable(const ArenaHeading& heading, const ArenaResult& result);

// The object that `berd arena --json` prints (docs/how-to/measure-strength.md).
nlohmann::ordered_json ArenaJson(const ArenaHeading& heading, const ArenaResult& result);

// One line about a run that goes on: "1200 of 4000 games, …".
std::string ProgressLine(const ArenaProgress& progress);

}  // namespace berd
