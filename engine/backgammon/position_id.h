#pragma once

// The 14-character position IDs of GNU Backgammon: 10 bytes in Base64, and in them, lowest bit
// first, for every point a 1 for each man and a 0: the side that is not on turn, its points 1 to
// 24 and the bar, then the side on turn. They tell neither whose turn it is nor the dice.

#include <string>
#include <string_view>

#include "engine/backgammon/backgammon.h"
#include "engine/core/error.h"

namespace berd {

// The ID of a position as the side on turn sees it (at the opening and the cap: W).
std::string PositionId(const BackgammonState& state);

// The position of an ID with `on_turn` to throw the dice, n=0 and all missing men borne off.
Result<BackgammonState> ParsePositionId(const BackgammonRules& rules, std::string_view id,
                                        Seat on_turn);

}  // namespace berd
