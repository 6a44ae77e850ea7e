#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/error.h"
#include "engine/core/seat.h"
#include "engine/games.h"

namespace berd {

// The game of a rules string or of a preset's name: what every `--rules` option takes. The error
// names the nearest preset or says what is wrong with the string.
Result<AnyRules> ResolveRules(std::string_view text);

// The seat of a letter, in upper or lower case.
std::optional<Seat> SeatOfLetter(std::string_view text, int seats);
// "A", or "A or B", or "a letter from A to D".
std::string SeatLetters(int seats);

}  // namespace berd
