#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "tools/command.h"

namespace berd {

// What `berd COMMAND --help` says besides the options.
struct CommandHelp {
  std::string name;       // of the subcommand
  std::string summary;    // one or two sentences
  std::string arguments;  // what comes besides options, "FILE…" or ""
  std::string example;    // one or more whole command lines
};

// The options of one subcommand: typed values that go straight into the caller's variables, whose
// present values are the defaults. All errors name the option, what was wrong, and the nearest
// option that exists. `--help` is always there. (A wall around cxxopts, whose header is slow.)
//
//   PlayOptions options;
//   OptionParser parser({.name = "play", …});
//   parser.Integer("seed", "N", "of the dice", &options.seed, 0, kMostSeed);
//   if (auto exit_code = parser.Parse(args, console)) return *exit_code;
class OptionParser {
 public:
  explicit OptionParser(CommandHelp help) : help_(std::move(help)) {}

  void Flag(std::string name, std::string help, bool* target);
  void Text(std::string name, std::string placeholder, std::string help, std::string* target);
  // May be given again and again; each value is added.
  void List(std::string name, std::string placeholder, std::string help,
            std::vector<std::string>* target);
  // One of some words.
  void Choice(std::string name, std::string help, std::vector<std::string_view> words,
              std::string* target);
  void Real(std::string name, std::string placeholder, std::string help, double* target, double low,
            double high);
  template <std::integral T>
  void Integer(const std::string& name, const std::string& placeholder, const std::string& help,
               T* target, std::type_identity_t<T> low, std::type_identity_t<T> high) {
    AddInteger(name, placeholder, help,
               {static_cast<std::int64_t>(*target), static_cast<std::int64_t>(low),
                static_cast<std::int64_t>(high)},
               [target](std::int64_t value) { *target = static_cast<T>(value); });
  }
  // What is not an option: from `least` to `most` words.
  void Arguments(std::vector<std::string>* target, std::size_t least, std::size_t most);

  // Reads args (args[0] is the subcommand's name). Nothing when the command should go on; otherwise
  // the exit code to return at once, because the help was printed or an error was.
  std::optional<int> Parse(std::span<const std::string> args, Console& console) const;

  // Prints `berd NAME: message` and a pointer to the help; returns kExitUsage.
  int Complain(Console& console, const std::string& message) const;

 private:
  struct Option {
    std::string name;
    std::string placeholder;  // "" for a flag
    std::string help;
    // Takes one value as written; returns what is wrong with it, or "".
    std::function<std::string(const std::string&)> set;
  };
  struct IntegerRange {
    std::int64_t fallback;
    std::int64_t low;
    std::int64_t high;
  };

  void AddInteger(const std::string& name, const std::string& placeholder, const std::string& help,
                  IntegerRange range, std::function<void(std::int64_t)> set);
  std::string HelpText() const;
  std::string UnknownOption(std::span<const std::string> args) const;
  std::string Assign(std::span<const std::string> args, bool& help_wanted) const;

  CommandHelp help_;
  std::vector<Option> options_;
  std::vector<std::string>* arguments_ = nullptr;
  std::size_t least_arguments_ = 0;
  std::size_t most_arguments_ = 0;
};

}  // namespace berd
