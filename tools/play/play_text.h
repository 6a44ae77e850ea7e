#pragma once

// Plays of the tables games as people write them. The engine names a play by one sequence of steps,
// `bar/22,13/10*`; people write `13/10 bar/22`, `13/7/5`, `8/5(2)` or `24/16`. Pure functions.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/error.h"
#include "engine/tables/notation.h"

namespace berd {

// Places of a play besides the numbered points.
inline constexpr int kPlayBar = 30;
inline constexpr int kPlayOff = 31;

// One man from here to there. `mark` is '*' for a hit, '!' for a blast, else 0.
struct PlayStep {
  int from = 0;
  int to = 0;
  char mark = 0;
};

// The steps of a play in any of the ways to write it; nothing if it is not written as a play.
std::optional<std::vector<PlayStep>> ReadPlay(std::string_view text);

// Short and in the usual order, the rearmost man first: "24/18/16* 8/5(2)"; "pass" as it is.
std::string PlayLabel(std::string_view action, tables::Numbering numbering);

// Whether `a` stands before `b` in a list of plays: the one that moves the rearmost men first.
bool PlayBefore(std::string_view a, std::string_view b, tables::Numbering numbering);

// The one of the legal actions that the text means: the steps in any order, with or without marks
// and stops on the way, or only some of them if that leaves no choice. Nothing if the text is not
// written as a play.
std::optional<Result<std::string>> MatchPlay(std::string_view typed,
                                             std::span<const std::string> actions,
                                             tables::Numbering numbering);

}  // namespace berd
