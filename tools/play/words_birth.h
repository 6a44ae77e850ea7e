#pragma once

#include <memory>
#include <optional>
#include <string>

#include "engine/birth/dice_counts.h"
#include "engine/core/any_game.h"
#include "tools/play/game_words.h"

namespace berd {

std::unique_ptr<GameWords> BirthWords(const AnyPosition& position, std::optional<Seat> viewer);

// The values of dice with `gap` between two, "1 1 4"; "-" for none.
std::string DiceText(DiceCounts dice, std::string_view gap);

}  // namespace berd
