#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/play/canvas.h"
#include "tools/play/draw_board.h"
#include "tools/play/position_view.h"

namespace berd {

// A position on its way to paper. Drawing functions of the games (draw_race.cc, draw_duel.cc) fill
// the canvas and list what found no room in it.
struct Drawing {
  Canvas canvas;
  std::vector<InkText> below;
};

// The two lines of a stack in a cell, and whether they leave something out.
struct CellText {
  InkText top;     // active tokens, '#' behind them if the stack is protected
  InkText bottom;  // captives
  bool complete = true;
};

// The stacks of one square in cells of `width` columns. `guarded` is a colour that the square
// protects, or 0. On a corner nothing is marked as protected.
CellText FitCell(const PlaceView& place, int width, char guarded, bool corner);

// Whether a stack on a path square cannot be captured.
bool IsProtected(const StackView& stack, char guarded);

InkText InkTokens(const TokensView& tokens);
InkText InkGroup(const GroupView& group);
InkText InkStack(const StackView& stack);

// The table of players, a headline, a line for each, and one with what is going on. Where `width`
// columns are too few it leaves columns out, the collections first.
struct PlayerPanel {
  std::vector<InkText> lines;
  bool has_collections = true;
};
PlayerPanel MakePanel(const AnyPosition& position, const PositionView& view, const TableInfo& table,
                      int width);

// The collections that a panel left out, flowing in lines of `width` columns.
std::vector<InkText> CollectionList(const PositionView& view, int seats, int width);

// Entries one after the other in lines of `width` columns, after a headline; nothing if there are
// none.
std::vector<InkText> Flow(const std::string& headline, const std::vector<InkText>& entries,
                          int width);
// "23: A over B C" for each of the squares.
std::vector<InkText> SquareList(const std::vector<const PlaceView*>& places, int width);

// The drawing functions by game.
Drawing DrawRace(const AnyPosition& position, std::optional<Seat> viewer, const TableInfo& table);
Drawing DrawDuel(const AnyPosition& position, std::optional<Seat> viewer, const TableInfo& table);
Drawing DrawTables(const AnyPosition& position, std::optional<Seat> viewer, const TableInfo& table);
Drawing DrawBirth(const AnyPosition& position, std::optional<Seat> viewer, const TableInfo& table);

}  // namespace berd
