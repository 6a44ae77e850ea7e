#pragma once

#include <memory>
#include <optional>

#include "engine/core/any_game.h"
#include "tools/play/game_words.h"

namespace berd {

// Words of the race and the duel.
std::unique_ptr<GameWords> BerdWords(const AnyPosition& position, std::optional<Seat> viewer);

}  // namespace berd
