#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/core/any_game.h"
#include "engine/core/error.h"

namespace berd {

// The names of the actions that a text means, one after another: action strings, or what people
// type at the table (`16/5 21/3`, `8/5(2)`), separated by blanks or commas. All of them must belong
// to one turn of the deciding seat. With `single` it must be one action. The error names the
// nearest legal one. Requires: the position waits for a decision.
Result<std::vector<std::string>> ReadPlayed(const AnyPosition& start, std::string_view text,
                                            bool single);

// The name of the outcome that a text means: an outcome string, or what people type (`31`). The
// error says what would be right. Requires: the position waits for chance.
Result<std::string> ReadOutcome(const AnyPosition& position, std::string_view text);

}  // namespace berd
