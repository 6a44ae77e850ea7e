#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/core/any_game.h"
#include "engine/games.h"
#include "tools/play/canvas.h"

namespace berd {

inline constexpr int kDrawWidth = 80;

// Who sits at the table, for drawing and telling.
struct TableInfo {
  AnyRules game;
  std::vector<std::string> labels;  // by seat: "you", "greedy", …
  std::optional<Seat> near = {};    // who sits at the near side of the board; nobody: seat A
  std::string note = {};            // a line below the board
};

// The position as `viewer` sees it (nobody: in full): the board with towers, and who has what.
// Lines of at most kDrawWidth columns.
std::vector<std::string> DrawBoard(const AnyPosition& position, std::optional<Seat> viewer,
                                   const TableInfo& table, const DrawStyle& style);

// The string that DrawBoard shows, the view or in full.
std::string SeenPosition(const AnyPosition& position, std::optional<Seat> viewer);

// Words separated by blanks in lines of at most `width` columns, the second and later ones
// indented.
std::vector<std::string> Wrapped(const std::string& text, int width, int indent = 0);

}  // namespace berd
