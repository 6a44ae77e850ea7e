#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "tools/command.h"

namespace berd {

struct CommandRun {
  int exit_code = 0;
  std::string out;
  std::string err;
};

// Runs the whole `berd` command with text for standard input.
inline CommandRun RunCommand(const std::vector<std::string>& args, const std::string& input = "",
                             bool unicode = false) {
  std::istringstream in(input);
  std::ostringstream out;
  std::ostringstream err;
  Console console{.in = in, .out = out, .err = err, .unicode = unicode};
  const int exit_code = RunBerd(args, console);
  return {exit_code, out.str(), err.str()};
}

// Columns of a line of UTF-8 text without wide or combining characters.
inline std::size_t Columns(const std::string& line) {
  std::size_t columns = 0;
  for (const char c : line) columns += (static_cast<unsigned char>(c) & 0xc0) != 0x80 ? 1 : 0;
  return columns;
}

inline std::vector<std::string> LinesOf(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

}  // namespace berd
