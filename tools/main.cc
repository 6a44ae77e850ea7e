// The `berd` command: the world outside the process, turned into a Console.

#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "tools/command.h"

namespace {

std::string_view Environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

bool LocaleIsUtf8() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const auto value = Environment(name);
    if (value.empty()) continue;
    return value.find("UTF-8") != std::string_view::npos ||
           value.find("utf8") != std::string_view::npos;
  }
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  const bool terminal_out = isatty(STDOUT_FILENO) != 0;
  berd::Console console{
      .in = std::cin,
      .out = std::cout,
      .err = std::cerr,
      .interactive = terminal_out && isatty(STDIN_FILENO) != 0,
      .color = terminal_out && Environment("NO_COLOR").empty() && Environment("TERM") != "dumb",
      .unicode = LocaleIsUtf8()};
  const std::vector<std::string> args(argv + 1, argv + argc);
  const int exit_code = berd::RunBerd(args, console);
  std::cout.flush();
  if (!std::cout) {
    std::cerr << "berd: writing to standard output failed\n";
    return exit_code == berd::kExitOk ? berd::kExitFailed : exit_code;
  }
  return exit_code;
}
