#pragma once

// The tables games a second time, written for clarity from the rules pages: all sequences of
// steps, duties computed over the whole tree, positions as they are written. Tests compare the
// engine with it.

#include <cstdint>
#include <map>
#include <string>

namespace berd::plain {

struct TablesOptions {
  long cap = 1000;
  bool entry_wall = false;  // Brädspel
};

// The legal plays of a position in phase play: smallest name → position string after the play.
std::map<std::string, std::string> BackgammonPlays(const std::string& position,
                                                   const TablesOptions& options = {});
std::map<std::string, std::string> BradspelPlays(const std::string& position,
                                                 const TablesOptions& options = {});

}  // namespace berd::plain
