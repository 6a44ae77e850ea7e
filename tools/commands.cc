#include <array>
#include <iomanip>
#include <ostream>
#include <vector>

#include "engine/core/text.h"
#include "tools/command.h"

namespace berd {

namespace {

constexpr std::array kCommands = {
    Command{"play", "play a game at the terminal, against the computer or each other",
            RunPlayCommand},
    Command{"analyze", "say what a position, a roll or a play is worth", RunAnalyzeCommand},
    Command{"train", "train a network by self-play", RunTrainCommand},
    Command{"arena", "measure agents against each other, with intervals", RunArenaCommand},
    Command{"solve", "solve a duel completely and write its table", RunSolveCommand},
    Command{"probe", "look positions up in the table of a solved duel", RunProbeCommand},
    Command{"info", "list the variants, or say what a rules string means", RunInfoCommand},
    Command{"conform", "replay recorded games and check every step", RunConformCommand},
    Command{"bench", "measure the speed of this program on this machine", RunBenchCommand},
};

void PrintHelp(std::ostream& out) {
  out << "berd " BERD_VERSION " - an AI research and self-play toolkit for the board game Berd\n\n"
      << "Usage:\n  berd COMMAND [options]\n\nCommands:\n";
  for (const Command& command : Commands()) {
    out << "  " << std::left << std::setw(9) << command.name << command.summary << "\n";
  }
  out << "  help     show the options of a command: `berd help play`\n\n"
      << "Example:\n  berd play --rules race:short:2x4 --seat A --opponent greedy\n";
}

int Unknown(const std::string& name, Console& console) {
  std::vector<std::string_view> names = {"help"};
  for (const Command& command : Commands()) names.push_back(command.name);
  const std::string_view what = name.starts_with('-') ? "option " : "command ";
  console.err << "berd: unknown " << what << Quoted(name) << DidYouMean(name, names)
              << "\n`berd --help` lists the commands.\n";
  return kExitUsage;
}

}  // namespace

std::span<const Command> Commands() { return kCommands; }

int RunBerd(std::span<const std::string> args, Console& console) {
  if (args.empty()) {
    PrintHelp(console.err);
    return kExitUsage;
  }
  const std::string& first = args[0];
  if (first == "--version") {
    console.out << "berd " BERD_VERSION "\n";
    return kExitOk;
  }
  if (first == "--help" || first == "-h" || (first == "help" && args.size() == 1)) {
    PrintHelp(console.out);
    return kExitOk;
  }
  const bool help = first == "help";
  const std::string& name = help ? args[1] : first;
  for (const Command& command : Commands()) {
    if (command.name != name) continue;
    if (!help) return command.run(args, console);
    const std::array<std::string, 2> ask = {name, "--help"};
    return command.run(ask, console);
  }
  return Unknown(name, console);
}

}  // namespace berd
