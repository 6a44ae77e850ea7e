#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace berd {

// How a character is shown. Seats have a colour each: SeatStyle('A') …
enum class InkStyle : std::uint8_t { kPlain, kBold, kFaint, kEmptySquare, kFirstSeat };
constexpr InkStyle SeatStyle(char seat) {
  return static_cast<InkStyle>(static_cast<int>(InkStyle::kFirstSeat) + (seat - 'A'));
}

// What the output can show.
struct DrawStyle {
  bool color = false;
  bool unicode = false;
};

// One line of ASCII text, each character with a style.
class InkText {
 public:
  InkText() = default;
  explicit InkText(std::string_view text, InkStyle style = InkStyle::kPlain) { Add(text, style); }

  InkText& Add(std::string_view text, InkStyle style = InkStyle::kPlain);
  InkText& Add(const InkText& text);
  // Fills up with blanks to `width`.
  InkText& Pad(int width);
  int size() const { return static_cast<int>(text_.size()); }
  const std::string& text() const { return text_; }
  InkStyle style(int i) const { return styles_[static_cast<std::size_t>(i)]; }
  std::string Render(const DrawStyle& style) const;

 private:
  std::string text_;
  std::vector<InkStyle> styles_;
};

// A rectangle of characters with frame lines, drawn first and printed when done.
class Canvas {
 public:
  Canvas(int width, int height);

  int width() const { return width_; }
  int height() const { return height_; }
  void Text(int x, int y, const InkText& text);
  // Lines join where they meet. Both ends belong to the line.
  void HorizontalLine(int x0, int x1, int y);
  void VerticalLine(int x, int y0, int y1);
  // Lines of text without trailing blanks.
  std::vector<std::string> Render(const DrawStyle& style) const;

 private:
  struct Cell {
    char letter = ' ';
    InkStyle style = InkStyle::kPlain;
    std::uint8_t lines = 0;  // towards north 1, east 2, south 4, west 8
  };
  std::size_t Index(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) +
           static_cast<std::size_t>(x);
  }
  Cell& At(int x, int y) { return cells_[Index(x, y)]; }

  int width_;
  int height_;
  std::vector<Cell> cells_;
};

}  // namespace berd
