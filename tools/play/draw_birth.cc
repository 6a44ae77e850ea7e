// Birth: the ring of sections with the pieces, in it the table of the areas, below it the hands.
// Section 0 is the tall cell at the left; from there the ring goes clockwise, over the top.

#include <algorithm>
#include <array>

#include "engine/birth/birth.h"
#include "tools/play/draw_parts.h"
#include "tools/play/words_birth.h"

namespace berd {

namespace {

constexpr int kPitch = 13;  // columns of a cell with its left line
constexpr int kCells = 6;   // of the top row and of the bottom row
constexpr int kRight = kCells * kPitch;
constexpr int kInside = 9;  // lines between the two rows
constexpr int kUpper = 2;   // the line below the top row
constexpr int kLower = kUpper + kInside + 1;
constexpr int kBottom = kLower + 2;
constexpr int kMiddle = kUpper + 1 + kInside / 2;  // the line between the two cells at the right
constexpr int kTableX = kPitch + 2;
constexpr int kNameWidth = 9;

// Red, blue and yellow as on the real board.
InkStyle ColorOf(int seat) { return SeatStyle(seat == 2 ? 'D' : Letter(Seat(seat))); }

class BirthDrawing {
 public:
  BirthDrawing(const PositionOf<Birth>& position, const TableInfo& table)
      : rules_(position.game_rules()), state_(position.state()), table_(table) {
    BirthRules relative = rules_;
    relative.relative = true;
    for (std::size_t area = 0; area < kBirthAreas; ++area) {
      BirthState alone = state_;
      alone.areas = {};
      alone.areas[area] = state_.areas[area];
      Birth::scores(relative, alone, Seats(relative_[area]));
    }
    Birth::scores(rules_, state_, Seats(scores_));
  }

  Drawing Draw() {
    DrawFrame();
    for (int section = 0; section < kBirthSections; ++section) DrawSection(section);
    DrawTable();
    for (int seat = 0; seat < rules_.players; ++seat) drawing_.below.push_back(Hand(seat));
    return std::move(drawing_);
  }

 private:
  using Points = std::array<std::int64_t, kMostBirthPlayers>;

  std::span<std::int64_t> Seats(Points& points) const {
    return std::span(points).first(static_cast<std::size_t>(rules_.players));
  }
  static std::size_t Index(int i) { return static_cast<std::size_t>(i); }

  void Text(int x, int y, const InkText& text) { drawing_.canvas.Text(x, y, text); }

  void DrawFrame() {
    Canvas& canvas = drawing_.canvas;
    for (const int y : {0, kUpper, kLower, kBottom}) canvas.HorizontalLine(0, kRight, y);
    canvas.HorizontalLine(kRight - kPitch, kRight, kMiddle);
    for (int cell = 0; cell <= kCells; ++cell) {
      canvas.VerticalLine(cell * kPitch, 0, kUpper);
      canvas.VerticalLine(cell * kPitch, kLower, kBottom);
    }
    for (const int cell : {0, 1, kCells - 1, kCells}) {
      canvas.VerticalLine(cell * kPitch, kUpper, kLower);
    }
  }

  // Left line and top line of the cell of a section.
  struct Corner {
    int x;
    int y;
  };
  static Corner CornerOf(int section) {
    if (section == 0) return {0, kUpper};
    if (section <= kCells) return {(section - 1) * kPitch, 0};
    if (section <= kCells + 2) {
      return {kRight - kPitch, section == kCells + 1 ? kUpper : kMiddle};
    }
    return {(kBirthSections - 1 - section) * kPitch, kLower};
  }

  void DrawSection(int section) {
    const auto [x, y] = CornerOf(section);
    // Cells of the side columns are four or nine lines high, the others one.
    const int inside = section == 0 ? y + 1 + kInside / 2 : y == 0 || y == kLower ? y + 1 : y + 2;
    // The number stands outside where there is a line for it, as in the bottom row below.
    Text(x + 2, y == kLower ? kBottom : y, InkText(std::to_string(section)));
    const int area = kBirthAreaNumbers[rules_.area_of[Index(section)]];
    Text(x + 2, inside, InkText("area " + std::to_string(area), InkStyle::kFaint));
    if (section == 0) Text(x + 2, inside - 2, InkText("start", InkStyle::kFaint));
    for (int seat = 0; seat < rules_.players; ++seat) {
      if (state_.sections[Index(seat)] != section) continue;
      Text(x + 10, inside, InkText(std::string(1, Letter(Seat(seat))), ColorOf(seat)));
    }
  }

  int ColumnX(int seat) const {
    const int width = kRight - kPitch - kTableX - kNameWidth;
    return kTableX + kNameWidth + seat * (width / rules_.players);
  }

  void Row(int y, const std::string& name, const Points& points, InkStyle style) {
    Text(kTableX, y, InkText(name, InkStyle::kFaint));
    for (int seat = 0; seat < rules_.players; ++seat) {
      Text(ColumnX(seat), y, InkText(std::to_string(points[Index(seat)]), style));
    }
  }

  void DrawTable() {
    int y = kUpper + 1;
    Text(kTableX, y, InkText("area", InkStyle::kFaint));
    for (int seat = 0; seat < rules_.players; ++seat) {
      const int width = ColumnX(1) - ColumnX(0) - 5;
      InkText name(std::string(1, Letter(Seat(seat))), ColorOf(seat));
      name.Add(" " + table_.labels[Index(seat)].substr(0, Index(width)));
      Text(ColumnX(seat), y, name);
    }
    Points relative{};
    for (std::size_t area = 0; area < kBirthAreas; ++area) {
      ++y;
      Text(kTableX, y, InkText(std::to_string(kBirthAreaNumbers[area])));
      for (int seat = 0; seat < rules_.players; ++seat) {
        Text(ColumnX(seat), y, AreaDice(area, seat));
        relative[Index(seat)] += relative_[area][Index(seat)];
      }
    }
    ++y;
    if (!rules_.relative) {
      Points absolute = scores_;
      for (std::size_t seat = 0; seat < absolute.size(); ++seat) absolute[seat] -= relative[seat];
      Row(y, "absolute", absolute, InkStyle::kPlain);
    }
    Row(y + 1, "relative", relative, InkStyle::kPlain);
    Row(y + 2, "score", scores_, InkStyle::kBold);
  }

  // "33345 =18*": the values, their sum, a star where the player scores it.
  InkText AreaDice(std::size_t area, int seat) const {
    const DiceCounts dice = state_.areas[area][Index(seat)];
    if (dice == 0) return InkText(".", InkStyle::kEmptySquare);
    const std::string sum = " =" + std::to_string(dice_counts::Pips(dice));
    InkText text(DiceText(dice, ""), ColorOf(seat));
    if (text.size() + static_cast<int>(sum.size()) + 2 <= ColumnX(1) - ColumnX(0)) text.Add(sum);
    if (relative_[area][Index(seat)] > 0) text.Add("*", InkStyle::kBold);
    return text;
  }

  InkText Hand(int seat) const {
    InkText line(state_.phase != BirthPhase::kEnd && state_.turn == seat ? ">" : " ",
                 InkStyle::kBold);
    line.Add(std::string(1, Letter(Seat(seat))), ColorOf(seat));
    line.Add(" " + table_.labels[Index(seat)].substr(0, 16)).Pad(20);
    return line.Add("hand  ").Add(DiceText(state_.hands[Index(seat)], " "), ColorOf(seat));
  }

  const BirthRules& rules_;
  const BirthState& state_;
  const TableInfo& table_;
  std::array<Points, kBirthAreas> relative_{};
  Points scores_{};
  Drawing drawing_{.canvas = Canvas(kDrawWidth, kBottom + 1), .below = {}};
};

}  // namespace

Drawing DrawBirth(const AnyPosition& position, std::optional<Seat> /*viewer*/,
                  const TableInfo& table) {
  return BirthDrawing(dynamic_cast<const PositionOf<Birth>&>(position), table).Draw();
}

}  // namespace berd
