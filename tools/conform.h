#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/core/error.h"

namespace berd {

// Replays one line of a conformance vector file (rules page §10): a recorded game, whose every
// position, legal set, result and score must come out, or a position with its views. `difference`
// becomes the first difference, with the rules string and the step, or "". An error means that the
// line is not a vector at all.
Result<void> ConformLine(std::string_view line, std::string& difference);

struct ConformCount {
  long passed = 0;
  long failed = 0;
};

// Where a game of a file differs.
struct ConformDifference {
  long line = 0;
  std::string text;
};

// Replays a whole file; the differences are added to the list. An error means that the file could
// not be read, is damaged, or holds no vectors; it names the file and the line.
Result<ConformCount> ConformFile(const std::string& path,
                                 std::vector<ConformDifference>& differences);

}  // namespace berd
