// The race: a ring of squares, numbered clockwise from corner 0 at the top left.

#include <algorithm>

#include "engine/berd/rules.h"
#include "tools/play/draw_parts.h"

namespace berd {

namespace {

// Columns left and right of the ring, for the numbers of the squares there: "31a".
constexpr int kMargin = 3;
constexpr int kWidest = 7;
constexpr int kCellHeight = 2;
constexpr int kNarrowestPanel = 45;  // with less room the table of players stands below

class RaceDrawing {
 public:
  RaceDrawing(const RaceRules& rules, const PositionView& view)
      : rules_(rules),
        view_(view),
        side_(rules.between_corners + 2),
        cell_(std::min(kWidest, (kDrawWidth - 2 * kMargin - 1) / side_ - 1)),
        pitch_(cell_ + 1),
        last_row_(kCellHeight * (side_ - 2) + kCellHeight + 2) {}

  Drawing Draw(const AnyPosition& position, const TableInfo& table) {
    const int inner_width = (side_ - 2) * pitch_ - 3;
    const int inner_height = kCellHeight * (side_ - 2);
    const bool inside = inner_width >= kNarrowestPanel && position.seats() + 2 <= inner_height;
    const auto panel = MakePanel(position, view_, table, inside ? inner_width : kDrawWidth);
    Drawing drawing{.canvas = Canvas(kDrawWidth, last_row_ + kCellHeight + 2), .below = {}};
    DrawFrame(drawing.canvas);
    for (int square = 0; square < rules_.squares; ++square) DrawSquare(drawing.canvas, square);
    if (inside) {
      int y = kCellHeight + 2 + (inner_height - static_cast<int>(panel.lines.size())) / 2;
      for (const auto& line : panel.lines) drawing.canvas.Text(ColumnX(1) + 2, y++, line);
    } else {
      drawing.below = panel.lines;
    }
    if (!panel.has_collections) {
      for (auto& line : CollectionList(view_, position.seats(), kDrawWidth)) {
        drawing.below.push_back(std::move(line));
      }
    }
    for (auto& line : SquareList(crowded_, kDrawWidth)) drawing.below.push_back(std::move(line));
    return drawing;
  }

 private:
  struct Cell {
    int column;
    int row;
  };

  // Where the square is in the ring, in cells.
  Cell CellOf(int square) const {
    const int step = side_ - 1;
    const int along = square % step;
    switch (square / step) {
      case 0:
        return {along, 0};
      case 1:
        return {step, along};
      case 2:
        return {step - along, step};
      default:
        return {0, step - along};
    }
  }
  int ColumnX(int column) const { return kMargin + column * pitch_; }  // its left line
  // First text line of a row of cells: the first and last rows are framed, those between are not.
  int RowY(int row) const {
    if (row == 0) return 1;
    return row == side_ - 1 ? last_row_ + 1 : kCellHeight + 2 + kCellHeight * (row - 1);
  }

  void DrawFrame(Canvas& canvas) const {
    const int right = ColumnX(side_);
    const int bottom = last_row_ + kCellHeight + 1;
    for (const int y : {0, kCellHeight + 1, last_row_, bottom}) {
      canvas.HorizontalLine(ColumnX(0), right, y);
    }
    for (int column = 0; column <= side_; ++column) {
      canvas.VerticalLine(ColumnX(column), 0, kCellHeight + 1);
      canvas.VerticalLine(ColumnX(column), last_row_, bottom);
    }
    for (const int column : {0, 1, side_ - 1, side_}) {
      canvas.VerticalLine(ColumnX(column), 0, bottom);
    }
  }

  // The colour whose square this is, or 0.
  char Guarded(int square) const {
    for (int seat = 0; seat < rules_.players; ++seat) {
      if (Has(rules_.own_color[static_cast<std::size_t>(seat)], square)) return Letter(Seat(seat));
    }
    return 0;
  }

  InkText Label(int square) const {
    InkText label(std::to_string(square));
    const char guarded = Guarded(square);
    if (guarded != 0) {
      label.Add(std::string(1, static_cast<char>(guarded - 'A' + 'a')), SeatStyle(guarded));
    }
    if (!Has(rules_.corner_set, square)) return label;
    // Whose home it is, "8 (BF)" or "8(BF)", where there is room for that.
    InkText owners;
    for (int seat = 0; seat < rules_.players; ++seat) {
      const auto home = view_.FieldOfSeat("home", ',', seat);
      if (home != std::to_string(square / (side_ - 1))) continue;
      owners.Add(std::string(1, Letter(Seat(seat))), SeatStyle(Letter(Seat(seat))));
    }
    if (owners.size() == 0 || label.size() + owners.size() + 2 > cell_) return label;
    if (label.size() + owners.size() + 3 <= cell_) label.Add(" ");
    label.Add("(").Add(owners).Add(")");
    return label;
  }

  void DrawSquare(Canvas& canvas, int square) {
    const auto [column, row] = CellOf(square);
    const int x = ColumnX(column);
    const int y = RowY(row);
    const bool corner = Has(rules_.corner_set, square);
    DrawLabel(canvas, square, column, row);
    const auto* place = view_.At(std::to_string(square));
    if (place == nullptr) {
      canvas.Text(x + 1 + cell_ / 2, y, InkText(".", InkStyle::kEmptySquare));
      return;
    }
    const auto text = FitCell(*place, cell_, Guarded(square), corner);
    canvas.Text(x + 1 + (cell_ - text.top.size()) / 2, y, text.top);
    canvas.Text(x + 1 + (cell_ - text.bottom.size()) / 2, y + 1, text.bottom);
    if (!text.complete) crowded_.push_back(place);
  }

  // Numbers stand outside: in the top and bottom lines, and beside the ring.
  void DrawLabel(Canvas& canvas, int square, int column, int row) const {
    const InkText label = Label(square);
    if (row == 0 || row == side_ - 1) {
      const int y = row == 0 ? 0 : last_row_ + kCellHeight + 1;
      canvas.Text(ColumnX(column) + 1 + (cell_ - label.size()) / 2, y, label);
    } else if (column == 0) {
      canvas.Text(kMargin - label.size(), RowY(row), label);
    } else {
      canvas.Text(ColumnX(side_) + 1, RowY(row), label);
    }
  }

  const RaceRules& rules_;
  const PositionView& view_;
  int side_;  // cells along one side
  int cell_;  // columns inside a cell
  int pitch_;
  int last_row_;  // the line above the last row of cells
  std::vector<const PlaceView*> crowded_;
};

}  // namespace

Drawing DrawRace(const AnyPosition& position, std::optional<Seat> viewer, const TableInfo& table) {
  const auto rules = ParseRules(position.rules());
  const auto view = ReadPosition(SeenPosition(position, viewer));
  return RaceDrawing(std::get<RaceRules>(*rules), view).Draw(position, table);
}

}  // namespace berd
