#include "tools/play/canvas.h"

#include <array>

namespace berd {

namespace {

enum : std::uint8_t { kNorth = 1, kEast = 2, kSouth = 4, kWest = 8 };

std::string_view FrameGlyph(std::uint8_t lines, bool unicode) {
  static constexpr std::array<std::string_view, 16> kUnicode = {
      " ", "│", "─", "└", "│", "│", "┌", "├", "─", "┘", "─", "┴", "┐", "┤", "┬", "┼"};
  if (unicode) return kUnicode[lines];
  const bool upright = (lines & (kNorth | kSouth)) != 0;
  const bool level = (lines & (kEast | kWest)) != 0;
  return upright && level ? "+" : upright ? "|" : "-";
}

// The escape code of a style; "" for none.
std::string_view Code(InkStyle style) {
  static constexpr std::array<std::string_view, 16> kSeats = {
      "1;31", "1;36", "1;32", "1;33", "1;35", "1;34", "31", "36",
      "32",   "33",   "35",   "34",   "1;91", "1;96", "92", "95"};
  switch (style) {
    case InkStyle::kPlain:
      return "";
    case InkStyle::kBold:
      return "1";
    case InkStyle::kFaint:
    case InkStyle::kEmptySquare:
      return "2";
    default:
      return kSeats[(static_cast<std::size_t>(style) -
                     static_cast<std::size_t>(InkStyle::kFirstSeat)) %
                    kSeats.size()];
  }
}

// Appends glyphs, switching the style only where it changes.
class Printer {
 public:
  explicit Printer(const DrawStyle& style) : style_(style) {}

  void Put(std::string_view glyph, InkStyle style) {
    if (glyph != " ") Switch(Code(style));
    line_ += glyph;
  }
  std::string Take() {
    Switch("");
    const auto end = line_.find_last_not_of(' ');
    line_.resize(end == std::string::npos ? 0 : end + 1);
    return std::move(line_);
  }
  std::string_view Letter(char letter, InkStyle style, std::string& buffer) const {
    if (style == InkStyle::kEmptySquare && style_.unicode) return "·";
    buffer.assign(1, letter);
    return buffer;
  }

 private:
  void Switch(std::string_view code) {
    if (!style_.color || code == code_) return;
    if (!code_.empty()) line_ += "\x1b[0m";
    if (!code.empty()) line_ += "\x1b[" + std::string(code) + "m";
    code_ = code;
  }

  DrawStyle style_;
  std::string line_;
  std::string_view code_;
};

}  // namespace

InkText& InkText::Add(std::string_view text, InkStyle style) {
  text_ += text;
  styles_.resize(text_.size(), style);
  return *this;
}

InkText& InkText::Add(const InkText& text) {
  text_ += text.text_;
  styles_.insert(styles_.end(), text.styles_.begin(), text.styles_.end());
  return *this;
}

InkText& InkText::Pad(int width) {
  if (size() < width) Add(std::string(static_cast<std::size_t>(width - size()), ' '));
  return *this;
}

std::string InkText::Render(const DrawStyle& style) const {
  Printer printer(style);
  std::string buffer;
  for (int i = 0; i < size(); ++i) {
    printer.Put(printer.Letter(text_[static_cast<std::size_t>(i)], this->style(i), buffer),
                this->style(i));
  }
  return printer.Take();
}

Canvas::Canvas(int width, int height) : width_(width), height_(height), cells_(Index(0, height)) {}

void Canvas::Text(int x, int y, const InkText& text) {
  if (y < 0 || y >= height_) return;
  for (int i = 0; i < text.size(); ++i) {
    if (x + i < 0 || x + i >= width_) continue;
    Cell& cell = At(x + i, y);
    cell.letter = text.text()[static_cast<std::size_t>(i)];
    cell.style = text.style(i);
    cell.lines = 0;
  }
}

void Canvas::HorizontalLine(int x0, int x1, int y) {
  for (int x = x0; x <= x1; ++x) {
    At(x, y).lines |= static_cast<std::uint8_t>((x > x0 ? kWest : 0) | (x < x1 ? kEast : 0));
  }
}

void Canvas::VerticalLine(int x, int y0, int y1) {
  for (int y = y0; y <= y1; ++y) {
    At(x, y).lines |= static_cast<std::uint8_t>((y > y0 ? kNorth : 0) | (y < y1 ? kSouth : 0));
  }
}

std::vector<std::string> Canvas::Render(const DrawStyle& style) const {
  std::vector<std::string> lines;
  std::string buffer;
  for (int y = 0; y < height_; ++y) {
    Printer printer(style);
    for (int x = 0; x < width_; ++x) {
      const Cell& cell = cells_[Index(x, y)];
      if (cell.lines != 0) {
        printer.Put(FrameGlyph(cell.lines, style.unicode), InkStyle::kFaint);
      } else {
        printer.Put(printer.Letter(cell.letter, cell.style, buffer), cell.style);
      }
    }
    lines.push_back(printer.Take());
  }
  return lines;
}

}  // namespace berd
