#include "tools/option_parser.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cxxopts.hpp>
#include <limits>
#include <ostream>

#include "engine/core/text.h"

namespace berd {

namespace {

template <class T>
std::optional<T> ParseWhole(const std::string& text) {
  T value{};
  const char* end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, value);
  if (text.empty() || error != std::errc{} || at != end) return std::nullopt;
  return value;
}

std::string Shown(double value) {
  char text[32];
  const auto [end, error] = std::to_chars(text, text + sizeof text, value);
  return error == std::errc{} ? std::string(text, end) : "?";
}

cxxopts::Options Declared(const std::string& name, const std::string& summary) {
  cxxopts::Options options("berd " + name, summary);
  options.set_width(100);
  return options;
}

}  // namespace

void OptionParser::Flag(std::string name, std::string help, bool* target) {
  options_.push_back({std::move(name), "", std::move(help), [target](const std::string& value) {
                        *target = value != "false";
                        return std::string();
                      }});
}

void OptionParser::Text(std::string name, std::string placeholder, std::string help,
                        std::string* target) {
  if (!target->empty()) help += " (default " + *target + ")";
  options_.push_back({std::move(name), std::move(placeholder), std::move(help),
                      [target](const std::string& value) {
                        *target = value;
                        return std::string();
                      }});
}

void OptionParser::List(std::string name, std::string placeholder, std::string help,
                        std::vector<std::string>* target) {
  options_.push_back({std::move(name), std::move(placeholder), std::move(help),
                      [target](const std::string& value) {
                        target->push_back(value);
                        return std::string();
                      }});
}

void OptionParser::Choice(std::string name, std::string help, std::vector<std::string_view> words,
                          std::string* target) {
  help += ": " + JoinAlternatives(words) + " (default " + *target + ")";
  options_.push_back({std::move(name), "WORD", std::move(help),
                      [target, words = std::move(words)](const std::string& value) {
                        if (std::find(words.begin(), words.end(), value) == words.end()) {
                          return "must be " + JoinAlternatives(words) + ", not " + Quoted(value);
                        }
                        *target = value;
                        return std::string();
                      }});
}

void OptionParser::Real(std::string name, std::string placeholder, std::string help, double* target,
                        double low, double high) {
  help += " (default " + Shown(*target) + ")";
  options_.push_back({std::move(name), std::move(placeholder), std::move(help),
                      [target, low, high](const std::string& value) {
                        const auto number = ParseWhole<double>(value);
                        if (!number || !(*number >= low && *number <= high)) {
                          return "must be a number from " + Shown(low) + " to " + Shown(high) +
                                 ", not " + Quoted(value);
                        }
                        *target = *number;
                        return std::string();
                      }});
}

void OptionParser::AddInteger(const std::string& name, const std::string& placeholder,
                              const std::string& help, IntegerRange range,
                              std::function<void(std::int64_t)> set) {
  options_.push_back({name, placeholder, help + " (default " + std::to_string(range.fallback) + ")",
                      [range, set = std::move(set)](const std::string& value) {
                        const auto number = ParseWhole<std::int64_t>(value);
                        if (!number || *number < range.low || *number > range.high) {
                          const std::string bounds =
                              range.high == std::numeric_limits<std::int64_t>::max()
                                  ? "of " + std::to_string(range.low) + " or more"
                                  : "from " + std::to_string(range.low) + " to " +
                                        std::to_string(range.high);
                          return "must be a whole number " + bounds + ", not " + Quoted(value);
                        }
                        set(*number);
                        return std::string();
                      }});
}

void OptionParser::Arguments(std::vector<std::string>* target, std::size_t least,
                             std::size_t most) {
  arguments_ = target;
  least_arguments_ = least;
  most_arguments_ = most;
}

std::string OptionParser::HelpText() const {
  auto options = Declared(help_.name, help_.summary);
  options.custom_help(help_.arguments.empty() ? "[options]" : "[options] " + help_.arguments);
  for (const Option& option : options_) {
    if (option.placeholder.empty()) {
      options.add_options()(option.name, option.help);
    } else {
      options.add_options()(option.name, option.help, cxxopts::value<std::string>(),
                            option.placeholder);
    }
  }
  options.add_options()("h,help", "this text");
  std::string example = "  " + help_.example;
  for (std::size_t at = 0; (at = example.find('\n', at)) != std::string::npos; at += 3) {
    example.insert(at + 1, "  ");
  }
  return options.help() + "\nExample:\n" + example + "\n";
}

std::string OptionParser::UnknownOption(std::span<const std::string> args) const {
  std::vector<std::string_view> names = {"help"};
  for (const Option& option : options_) names.emplace_back(option.name);
  for (std::size_t i = 1; i < args.size(); ++i) {
    std::string_view word = args[i];
    if (word == "--") break;
    if (!word.starts_with('-') || word == "-h") continue;
    word.remove_prefix(word.starts_with("--") ? 2 : 1);
    word = word.substr(0, word.find('='));
    if (args[i].starts_with("--") && std::find(names.begin(), names.end(), word) != names.end()) {
      continue;
    }
    const auto nearest = Nearest(word, names);
    return "unknown option " + Quoted(args[i].substr(0, args[i].find('='))) +
           (nearest.empty() ? "" : "; did you mean '--" + std::string(nearest) + "'?");
  }
  return "unknown option";
}

std::string OptionParser::Assign(std::span<const std::string> args, bool& help_wanted) const {
  auto options = Declared(help_.name, help_.summary);
  options.add_options()("h,help", "");
  for (const Option& option : options_) {
    if (option.placeholder.empty()) {
      options.add_options()(option.name, "");
    } else {
      options.add_options()(option.name, "", cxxopts::value<std::string>());
    }
  }
  std::vector<const char*> words;
  for (const auto& word : args) words.push_back(word.c_str());
  const auto result = options.parse(static_cast<int>(words.size()), words.data());
  help_wanted = result.count("help") > 0;
  if (help_wanted) return "";
  for (const auto& given : result.arguments()) {
    const auto option = std::find_if(options_.begin(), options_.end(),
                                     [&](const Option& o) { return o.name == given.key(); });
    if (option == options_.end()) continue;
    if (const auto wrong = option->set(given.value()); !wrong.empty()) {
      return "--" + option->name + " " + wrong;
    }
  }
  const auto& rest = result.unmatched();
  if (rest.size() > most_arguments_) {
    return "unexpected argument " + Quoted(rest[most_arguments_]);
  }
  if (rest.size() < least_arguments_) return help_.arguments + " is missing";
  if (arguments_ != nullptr) *arguments_ = rest;
  return "";
}

std::optional<int> OptionParser::Parse(std::span<const std::string> args, Console& console) const {
  std::string wrong;
  bool help_wanted = false;
  try {
    wrong = Assign(args, help_wanted);
  } catch (const cxxopts::exceptions::no_such_option&) {
    wrong = UnknownOption(args);
  } catch (const cxxopts::exceptions::invalid_option_syntax&) {
    wrong = UnknownOption(args);
  } catch (const cxxopts::exceptions::missing_argument&) {
    wrong = "option " + Quoted(args.back()) + " needs a value";
  } catch (const cxxopts::exceptions::exception& error) {
    wrong = error.what();
  }
  if (help_wanted) {
    console.out << HelpText();
    return kExitOk;
  }
  if (!wrong.empty()) return Complain(console, wrong);
  return std::nullopt;
}

int OptionParser::Complain(Console& console, const std::string& message) const {
  console.err << "berd " << help_.name << ": " << message << "\n"
              << "`berd " << help_.name << " --help` lists the options.\n";
  return kExitUsage;
}

}  // namespace berd
