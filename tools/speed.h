#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace berd {

// One figure of `berd bench`: what happened a second, measured on one thread unless the name says
// otherwise.
struct Speed {
  std::string name;  // as in the JSON, e.g. "random_decisions_per_s/race:short:2x9"
  double per_second = 0;
};

struct SpeedOptions {
  std::string only;      // prefix of the names to measure; empty: all
  double seconds = 1.0;  // for each figure
  std::function<void(const Speed&)> on_figure;
  // Why a figure is left out.
  std::function<void(const std::string&)> on_missing;
};

// Measures on fixed positions and seeds.
std::vector<Speed> MeasureSpeeds(const SpeedOptions& options);

// A number that depends on the behaviour of rules, afterstates and the reference players on fixed
// seeds, and on nothing else: not on the machine, the time or the number of threads.
std::uint64_t BehaviourSignature();

}  // namespace berd
