#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <ostream>

#include "tools/command.h"
#include "tools/option_parser.h"
#include "tools/speed.h"

namespace berd {

int RunBenchCommand(std::span<const std::string> args, Console& console) {
  SpeedOptions options;
  bool json = false;
  OptionParser parser({
      .name = "bench",
      .summary = "Measures the speed of rules, search, networks and self-play on this machine, and "
                 "prints a signature that changes only when behaviour changes.",
      .arguments = "",
      .example = "berd bench\n  berd bench --only random_decisions_per_s --seconds 3 --json",
  });
  parser.Text("only", "PREFIX", "measures only figures whose names begin so", &options.only);
  parser.Real("seconds", "S", "time for each figure", &options.seconds, 0.01, 3600);
  parser.Flag("json", "prints one object on the last line", &json);
  if (auto exit_code = parser.Parse(args, console)) return *exit_code;

  options.on_figure = [&](const Speed& speed) {
    (json ? console.err : console.out)
        << fmt::format("{:<64} {:>14.0f}\n", speed.name, speed.per_second) << std::flush;
  };
  bool missing = false;
  options.on_missing = [&](const std::string& what) {
    console.err << "berd bench: " << what << "\n";
    missing = true;
  };
  const std::uint64_t signature = BehaviourSignature();
  const auto speeds = MeasureSpeeds(options);
  if (speeds.empty() && !missing) {
    return parser.Complain(console, "no figure's name begins with '" + options.only + "'");
  }
  if (!json) {
    console.out << fmt::format("signature {}\n", signature);
    return kExitOk;
  }
  nlohmann::ordered_json metrics;
  for (const auto& speed : speeds) metrics[speed.name] = speed.per_second;
  console.out << nlohmann::ordered_json{{"signature", signature}, {"metrics", metrics}}.dump()
              << "\n";
  return kExitOk;
}

}  // namespace berd
