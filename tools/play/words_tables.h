#pragma once

#include <memory>
#include <optional>

#include "engine/core/any_game.h"
#include "tools/play/game_words.h"

namespace berd {

// Words of backgammon and Brädspel.
std::unique_ptr<GameWords> TablesWords(const AnyPosition& position, std::optional<Seat> viewer);

}  // namespace berd
