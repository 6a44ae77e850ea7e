#include "tools/play/draw_board.h"

#include "engine/core/text.h"
#include "tools/play/draw_parts.h"
#include "tools/play/game_face.h"

namespace berd {

std::string SeenPosition(const AnyPosition& position, std::optional<Seat> viewer) {
  return viewer ? position.View(*viewer) : position.Position();
}

std::vector<std::string> Wrapped(const std::string& text, int width, int indent) {
  std::vector<std::string> lines;
  std::string line;
  for (const auto word : Split(text, ' ')) {
    if (!line.empty() && line.size() + 1 + word.size() > static_cast<std::size_t>(width)) {
      lines.push_back(std::move(line));
      line = std::string(static_cast<std::size_t>(indent), ' ') + std::string(word);
    } else {
      line += (line.empty() ? "" : " ") + std::string(word);
    }
  }
  lines.push_back(std::move(line));
  return lines;
}

std::vector<std::string> DrawBoard(const AnyPosition& position, std::optional<Seat> viewer,
                                   const TableInfo& table, const DrawStyle& style) {
  const Drawing drawing = FaceOf(position.rules()).draw(position, viewer, table);
  auto lines = drawing.canvas.Render(style);
  for (const auto& line : drawing.below) lines.push_back(line.Render(style));
  if (!table.note.empty()) lines.push_back(table.note);
  return lines;
}

}  // namespace berd
