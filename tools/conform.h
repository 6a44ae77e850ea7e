#pragma once

#include <string>
#include <string_view>

#include "engine/core/error.h"

namespace berd {

// Replays one line of a conformance vector file (rules page §10): a recorded game, whose every
// position, legal set, result and score must come out, or a position with its views. The error says
// at which step what differs.
Result<void> ConformLine(std::string_view line);

struct ConformCount {
  long passed = 0;
  long failed = 0;
};

// Replays a whole file. Differences are added to `report`, a line each; an error means that the
// file could not be read or is not of this format.
Result<ConformCount> ConformFile(const std::string& path, std::string& report);

}  // namespace berd
