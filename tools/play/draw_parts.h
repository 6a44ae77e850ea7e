#pragma once

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

// The table of players, `width` columns wide at most: a headline, a line for each, a line with what
// is going on.
std::vector<InkText> PlayerPanel(const AnyPosition& position, const PositionView& view,
                                 const TableInfo& table, int width);

// "23: A over B C" for each of the squares, flowing in lines of `width` columns after a headline.
std::vector<InkText> SquareList(const std::string& headline,
                                const std::vector<const PlaceView*>& places, int width);

// The drawing functions by game. `position` answers questions about the rules only.
Drawing DrawRace(const RaceRules& rules, const AnyPosition& position, const PositionView& view,
                 const TableInfo& table);
Drawing DrawDuel(const DuelRules& rules, const AnyPosition& position, const PositionView& view,
                 const TableInfo& table);

}  // namespace berd
