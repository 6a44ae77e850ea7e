// Backgammon and Brädspel: twelve points above, twelve below, the near player bearing off at the
// bottom right. Points are numbered as the near player counts them.

#include <algorithm>

#include "tools/play/draw_parts.h"
#include "tools/play/tables_view.h"

namespace berd {

namespace {

using tables::kBar;
using tables::kOff;

constexpr int kPitch = 4;  // columns of a point
constexpr int kDepth = 5;  // men shown one by one
constexpr int kHalf = 6;   // points left of the bar, and right of it
constexpr int kBarLeft = kHalf * kPitch + 1;
constexpr int kBarRight = kBarLeft + 6;
constexpr int kRight = kBarRight + kHalf * kPitch + 1;
constexpr int kTop = 0;
constexpr int kMiddle = kDepth + 1;
constexpr int kBottom = 2 * kMiddle;
constexpr int kPanel = kRight + 3;

char Man(int seat) { return seat == 0 ? 'O' : 'X'; }
InkStyle ManStyle(int seat) { return SeatStyle(seat == 0 ? 'D' : 'B'); }

class TablesDrawing {
 public:
  TablesDrawing(const TablesView& view, const TableInfo& table, int near)
      : view_(view), table_(table), near_(near) {}

  Drawing Draw() {
    DrawFrame();
    for (int point = 1; point <= tables::kPoints; ++point) DrawPoint(point);
    for (int seat = 0; seat < 2; ++seat) DrawBar(seat);
    DrawPanel(1 - near_, kTop + 1);
    DrawPanel(near_, kBottom - 4);
    DrawMiddle();
    return std::move(drawing_);
  }

 private:
  // The column of a point of the near player, 0 at the left.
  static int Column(int point) { return point > 12 ? point - 13 : 12 - point; }
  static int CenterX(int column) { return 2 + kPitch * column + (column < kHalf ? 0 : 7); }
  static bool Above(int point) { return point > 12; }

  void Text(int x, int y, const std::string& text, InkStyle style = InkStyle::kPlain) {
    drawing_.canvas.Text(x, y, InkText(text, style));
  }

  void DrawFrame() {
    Canvas& canvas = drawing_.canvas;
    for (const int y : {kTop, kBottom}) canvas.HorizontalLine(0, kRight, y);
    for (const int x : {0, kBarLeft, kBarRight, kRight}) canvas.VerticalLine(x, kTop, kBottom);
    for (int point = 1; point <= tables::kPoints; ++point) {
      const auto name = view_.PointName(point);
      const int x = CenterX(Column(point)) - static_cast<int>(name.size()) + 1;
      Text(x, Above(point) ? kTop : kBottom, name);
    }
    Text(kBarLeft + 2, kMiddle, "bar", InkStyle::kFaint);
  }

  // `count` men in a column that grows from row `y` by `step`. What finds no room is a number in
  // the last place.
  void DrawPile(int x, int y, int step, int seat, int count) {
    const int shown = std::min(count, kDepth);
    for (int i = 0; i < shown; ++i) {
      const bool number = count > kDepth && i == kDepth - 1;
      const std::string text = number ? std::to_string(count) : std::string(1, Man(seat));
      Text(x - static_cast<int>(text.size()) + 1, y + step * i, text, ManStyle(seat));
    }
  }

  void DrawPoint(int point) {
    const int x = CenterX(Column(point));
    const int y = Above(point) ? kTop + 1 : kBottom - 1;
    const int step = Above(point) ? 1 : -1;
    const int own = view_.men[Index(near_)][point];
    const int other = view_.men[Index(1 - near_)][view_.Across(point)];
    if (own + other == 0) Text(x, y, ".", InkStyle::kEmptySquare);
    DrawPile(x, y, step, own > 0 ? near_ : 1 - near_, own + other);
  }

  // Men on the bar stand in the half of their player, from the middle outwards.
  void DrawBar(int seat) {
    const bool below = seat == near_;
    DrawPile(kBarLeft + 3, kMiddle + (below ? 1 : -1), below ? 1 : -1, seat,
             view_.men[Index(seat)][kBar]);
  }

  void DrawPanel(int seat, int y) {
    const auto& men = view_.men[Index(seat)];
    const bool turn = !view_.over && view_.turn == seat && view_.dice.has_value();
    InkText name(turn ? ">" : " ", InkStyle::kBold);
    const std::string label = table_.labels[Index(seat)].substr(0, 11);
    name.Add(std::string(1, tables::kSideLetters[Index(seat)]), ManStyle(seat));
    name.Add(" (").Add(std::string(1, Man(seat)), ManStyle(seat)).Add(") " + label);
    drawing_.canvas.Text(kPanel, y, name);
    Text(kPanel + 2, y + 1, "pips " + std::to_string(Pips(men)));
    if (men[kOff] > 0) Text(kPanel + 2, y + 2, "off  " + std::to_string(men[kOff]));
    if (men[kBar] > 0) Text(kPanel + 11, y + 1, "bar " + std::to_string(men[kBar]));
  }

  void DrawMiddle() {
    if (view_.dice) {
      const std::string dice =
          "dice " + std::to_string(view_.dice->high) + " " + std::to_string(view_.dice->low);
      Text(kPanel + 2, kMiddle, dice, InkStyle::kBold);
    }
  }

  static std::size_t Index(int seat) { return static_cast<std::size_t>(seat); }

  const TablesView& view_;
  const TableInfo& table_;
  int near_;
  Drawing drawing_{.canvas = Canvas(kDrawWidth, kBottom + 1), .below = {}};
};

}  // namespace

Drawing DrawTables(const AnyPosition& position, std::optional<Seat> viewer,
                   const TableInfo& table) {
  const auto view = ReadTables(position);
  const int near = viewer ? viewer->index() : table.near ? table.near->index() : 0;
  return TablesDrawing(view, table, near).Draw();
}

}  // namespace berd
