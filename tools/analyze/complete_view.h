#pragma once

#include <memory>
#include <string_view>

#include "engine/core/any_game.h"
#include "engine/core/error.h"
#include "engine/games.h"

namespace berd {

// The position of a string. Where values are hidden the string may be the view of the seat that
// decides or is on turn, with `?` for what it does not see: then the position is one that agrees
// with the view. What an agent makes of it depends on the view alone.
Result<std::unique_ptr<AnyPosition>> ParsePositionOrView(const AnyRules& game,
                                                         std::string_view text);

}  // namespace berd
