// The duel: a grid, row 1 at the bottom, the table of players beside it.

#include "engine/berd/rules.h"
#include "tools/play/draw_parts.h"

namespace berd {

namespace {

constexpr int kMargin = 2;  // for the numbers of the rows
constexpr int kCell = 9;
constexpr int kCellHeight = 2;
constexpr int kGap = 3;

char Guarded(const DuelRules& rules, int square) {
  for (int seat = 0; seat < 2; ++seat) {
    if (Has(rules.own_color[static_cast<std::size_t>(seat)], square)) return Letter(Seat(seat));
  }
  return 0;
}

void DrawSquare(const DuelRules& rules, const PositionView& view, int square, Canvas& canvas,
                std::vector<const PlaceView*>& crowded) {
  const int column = square % rules.width;
  const int row = square / rules.width;
  const int x = kMargin + column * (kCell + 1);
  const int y = (rules.width - 1 - row) * (kCellHeight + 1);
  const char guarded = Guarded(rules, square);
  if (guarded != 0) {
    const std::string owner(1, static_cast<char>(guarded - 'A' + 'a'));
    canvas.Text(x + 1 + kCell / 2, y, InkText(owner, SeatStyle(guarded)));
  }
  const std::string name =
      std::string(1, static_cast<char>('a' + column)) + std::to_string(row + 1);
  const auto* place = view.At(name);
  if (place == nullptr) {
    canvas.Text(x + 1 + kCell / 2, y + 1, InkText(".", InkStyle::kEmptySquare));
    return;
  }
  const auto text = FitCell(*place, kCell, guarded, false);
  canvas.Text(x + 1 + (kCell - text.top.size()) / 2, y + 1, text.top);
  canvas.Text(x + 1 + (kCell - text.bottom.size()) / 2, y + 2, text.bottom);
  if (!text.complete) crowded.push_back(place);
}

}  // namespace

Drawing DrawDuel(const AnyPosition& position, std::optional<Seat> viewer, const TableInfo& table) {
  const auto parsed = ParseRules(position.rules());
  const auto& rules = std::get<DuelRules>(*parsed);
  const auto view = ReadPosition(SeenPosition(position, viewer));
  const int board_width = rules.width * (kCell + 1);
  const int bottom = rules.width * (kCellHeight + 1);
  Drawing drawing{.canvas = Canvas(kDrawWidth, bottom + 2), .below = {}};
  Canvas& canvas = drawing.canvas;
  for (int i = 0; i <= rules.width; ++i) {
    canvas.HorizontalLine(kMargin, kMargin + board_width, i * (kCellHeight + 1));
    canvas.VerticalLine(kMargin + i * (kCell + 1), 0, bottom);
  }
  for (int i = 0; i < rules.width; ++i) {
    const int y = (rules.width - 1 - i) * (kCellHeight + 1) + 1;
    canvas.Text(0, y, InkText(std::to_string(i + 1)));
    canvas.Text(kMargin + i * (kCell + 1) + 1 + kCell / 2, bottom + 1,
                InkText(std::string(1, static_cast<char>('a' + i))));
  }
  std::vector<const PlaceView*> crowded;
  for (int square = 0; square < rules.squares; ++square) {
    DrawSquare(rules, view, square, canvas, crowded);
  }
  const int x = kMargin + board_width + kGap;
  auto panel = MakePanel(position, view, table, kDrawWidth - x);
  panel.lines.emplace_back("A moves up, B moves down");
  int y = 1;
  for (const auto& line : panel.lines) canvas.Text(x, y++, line);
  if (!panel.has_collections) drawing.below = CollectionList(view, 2, kDrawWidth);
  for (auto& line : SquareList(crowded, kDrawWidth)) drawing.below.push_back(std::move(line));
  return drawing;
}

}  // namespace berd
