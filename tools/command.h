#pragma once

#include <iosfwd>
#include <span>
#include <string>
#include <string_view>

namespace berd {

// Exit codes of the `berd` command.
inline constexpr int kExitOk = 0;
inline constexpr int kExitFailed = 1;  // the work was done and the answer is no (a failed check)
inline constexpr int kExitUsage = 2;   // bad input: options, files, strings

// Where a subcommand reads and writes: results to `out`, words for people to `err`. Tests pass
// string streams.
struct Console {
  std::istream& in;
  std::ostream& out;
  std::ostream& err;
  bool interactive = false;  // a person sits at a terminal: progress may redraw its line
  bool color = false;        // `out` understands colours (and NO_COLOR is not set)
  bool unicode = false;      // `out` shows UTF-8: boards are drawn with box characters
};

// A subcommand: parses its own options (args[0] is its name) and returns an exit code.
struct Command {
  std::string_view name;
  std::string_view summary;  // one line for `berd --help`
  int (*run)(std::span<const std::string> args, Console& console);
};

// One function per file tools/<name>_command.cc.
int RunAnalyzeCommand(std::span<const std::string> args, Console& console);
int RunArenaCommand(std::span<const std::string> args, Console& console);
int RunBenchCommand(std::span<const std::string> args, Console& console);
int RunConformCommand(std::span<const std::string> args, Console& console);
int RunInfoCommand(std::span<const std::string> args, Console& console);
int RunPlayCommand(std::span<const std::string> args, Console& console);
int RunProbeCommand(std::span<const std::string> args, Console& console);
int RunSolveCommand(std::span<const std::string> args, Console& console);
int RunTrainCommand(std::span<const std::string> args, Console& console);

// All subcommands, in the order of `berd --help`.
std::span<const Command> Commands();

// The whole `berd` command: finds the subcommand of args[0] and runs it; answers --help, --version
// and `help COMMAND` itself. `args` do not contain the program's name.
int RunBerd(std::span<const std::string> args, Console& console);

}  // namespace berd
