#include <limits>
#include <nlohmann/json.hpp>
#include <ostream>

#include "tools/conform.h"
#include "tools/option_parser.h"

namespace berd {

int RunConformCommand(std::span<const std::string> args, Console& console) {
  std::vector<std::string> files;
  bool json = false;
  OptionParser parser({.name = "conform",
                       .summary = "Replays recorded games and views, and checks every position, "
                                  "legal set, score and win share.",
                       .arguments = "FILE…",
                       .example = "berd conform tests/vectors/berd/*.jsonl"});
  parser.Flag("json", "print one JSON object instead of the closing line", &json);
  parser.Arguments(&files, 1, std::numeric_limits<std::size_t>::max());
  if (const auto exit_code = parser.Parse(args, console)) return *exit_code;

  ConformCount total;
  auto failures = nlohmann::json::array();
  bool readable = true;
  for (const auto& path : files) {
    std::vector<ConformDifference> differences;
    const auto count = ConformFile(path, differences);
    for (const auto& [line, text] : differences) {
      (json ? console.err : console.out) << path << ":" << line << ": " << text << "\n";
      failures.push_back({{"file", path}, {"line", line}, {"difference", text}});
    }
    if (!count) {
      console.err << "berd conform: " << count.error().message << "\n";
      readable = false;
      continue;
    }
    total.passed += count->passed;
    total.failed += count->failed;
  }
  if (json) {
    console.out << nlohmann::json{{"passed", total.passed},
                                  {"failed", total.failed},
                                  {"failures", std::move(failures)}}
                       .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)
                << "\n";
  } else {
    console.out << total.passed << " passed, " << total.failed << " failed\n";
  }
  if (!readable) return kExitUsage;
  return total.failed == 0 ? kExitOk : kExitFailed;
}

}  // namespace berd
