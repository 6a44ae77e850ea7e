#include <algorithm>
#include <charconv>

#include "engine/berd/rules.h"
#include "engine/core/text.h"
#include "tools/play/draw_parts.h"
#include "tools/rules_argument.h"

namespace berd {

namespace {

int ToInt(std::string_view text) {
  int value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

// What the panel says about one player.
struct PlayerSums {
  int on_board = 0;
  int held = 0;  // captives in own stacks
  int to_go = 0;
  bool home_known = true;
};

PlayerSums SumsOf(const PositionView& view, const RaceRules* race, int seat) {
  PlayerSums sums;
  const char letter = Letter(Seat(seat));
  const auto home = view.FieldOfSeat("home", ',', seat);
  sums.home_known = !home.empty() && home != "?";
  for (const auto& place : view.board) {
    for (const auto& stack : place.stacks) {
      const auto* own = FindColor(stack.active, letter);
      if (own == nullptr) continue;
      sums.on_board += own->count;
      sums.held += CountTokens(stack.captives);
      if (race != nullptr && sums.home_known) {
        sums.to_go += own->count * race->Distance(ToInt(place.square), ToInt(home));
      }
    }
  }
  return sums;
}

// The player's score, or "?" while the viewer does not see all of it.
std::string ScoreText(const AnyPosition& position, const PositionView& view, int seat) {
  if (view.FieldOfSeat("col", ';', seat).find('?') != std::string_view::npos) return "?";
  return std::to_string(position.Scores()[static_cast<std::size_t>(seat)]);
}

struct Column {
  std::string title;
  std::vector<InkText> cells;  // by seat
  bool right = true;
};

std::vector<Column> Columns(const AnyPosition& position, const PositionView& view,
                            const TableInfo& table, const RaceRules* race) {
  Column player{.title = "player", .cells = {}, .right = false};
  Column home{.title = "home", .cells = {}};
  Column team{.title = "team", .cells = {}};
  Column board{.title = "board", .cells = {}};
  Column to_go{.title = "to go", .cells = {}};
  Column held{.title = "held", .cells = {}};
  Column sideways{.title = "sideways", .cells = {}};
  Column cash{.title = "cash", .cells = {}};
  Column score{.title = "score", .cells = {}};
  Column collection{.title = "collected", .cells = {}, .right = false};
  const auto turn = view.Field("turn");
  for (int seat = 0; seat < position.seats(); ++seat) {
    const std::string letter(1, Letter(Seat(seat)));
    const auto sums = SumsOf(view, race, seat);
    const auto corner = view.FieldOfSeat("home", ',', seat);
    player.cells.push_back(InkText(turn == letter ? ">" : " ", InkStyle::kBold)
                               .Add(letter, SeatStyle(letter[0]))
                               .Add(" " + table.labels[static_cast<std::size_t>(seat)]));
    home.cells.emplace_back(race != nullptr && sums.home_known
                                ? std::to_string(race->corner_square(ToInt(corner)))
                                : "?");
    team.cells.emplace_back(std::to_string(SideOf(table.game, Seat(seat)) + 1));
    board.cells.emplace_back(std::to_string(sums.on_board));
    to_go.cells.emplace_back(std::to_string(sums.to_go));
    held.cells.emplace_back(std::to_string(sums.held));
    sideways.cells.emplace_back(std::string(view.FieldOfSeat("lat", ',', seat)));
    cash.cells.emplace_back(std::string(view.FieldOfSeat("cash", ',', seat)));
    score.cells.emplace_back(ScoreText(position, view, seat), InkStyle::kBold);
    collection.cells.push_back(InkGroup(ReadGroup(view.FieldOfSeat("col", ';', seat))));
  }
  std::vector<Column> columns = {player};
  if (race != nullptr) columns.push_back(home);
  if (race != nullptr && race->teams > 0) columns.push_back(team);
  columns.push_back(board);
  if (race != nullptr) columns.push_back(to_go);
  columns.push_back(held);
  if (race == nullptr) columns.push_back(sideways);
  if (!view.Field("cash").empty()) columns.push_back(cash);
  columns.push_back(score);
  columns.push_back(collection);
  return columns;
}

int Width(const Column& column) {
  auto width = static_cast<int>(column.title.size());
  for (const auto& cell : column.cells) width = std::max(width, cell.size());
  return width;
}

// The columns side by side.
std::vector<InkText> Table(const std::vector<Column>& columns, std::size_t seats) {
  std::vector<InkText> lines(seats + 1);
  for (const auto& column : columns) {
    const int wide = Width(column);
    for (std::size_t row = 0; row <= seats; ++row) {
      InkText& line = lines[row];
      if (line.size() > 0) line.Add(" ");
      const InkText text =
          row == 0 ? InkText(column.title, InkStyle::kFaint) : column.cells[row - 1];
      InkText padded;
      if (column.right) padded.Pad(wide - text.size());
      line.Add(padded.Add(text).Pad(wide));
    }
  }
  return lines;
}

std::string CutTo(std::string text, int width) {
  if (static_cast<int>(text.size()) > width) {
    text.resize(static_cast<std::size_t>(std::max(width - 2, 1)));
    text += "..";
  }
  return text;
}

}  // namespace

PlayerPanel MakePanel(const AnyPosition& position, const PositionView& view, const TableInfo& table,
                      int width) {
  const auto rules = ParseRules(position.rules());
  const auto* race = rules ? std::get_if<RaceRules>(&*rules) : nullptr;
  TableInfo shortened{.game = table.game, .labels = {}};
  for (const auto& label : table.labels) shortened.labels.push_back(CutTo(label, 12));
  auto columns = Columns(position, view, shortened, race);
  const auto total = [&] {
    int sum = -1;
    for (const auto& column : columns) sum += Width(column) + 1;
    return sum;
  };
  PlayerPanel panel;
  if (total() > width) {
    columns.pop_back();
    panel.has_collections = false;
  }
  while (total() > width && columns.size() > 2) columns.erase(columns.end() - 2);
  panel.lines = Table(columns, static_cast<std::size_t>(position.seats()));
  std::string status = "turn " + std::string(view.Field("n"));
  if (view.Phase() == "move" && race != nullptr) {
    status += "   dice";
    for (const char die : view.PhaseDetail()) status += std::string(" ") + die;
  }
  panel.lines.emplace_back(status);
  return panel;
}

std::vector<InkText> CollectionList(const PositionView& view, int seats, int width) {
  std::vector<InkText> entries;
  for (int seat = 0; seat < seats; ++seat) {
    const auto group = ReadGroup(view.FieldOfSeat("col", ';', seat));
    if (group.empty()) continue;
    const char letter = Letter(Seat(seat));
    entries.push_back(
        InkText(std::string(1, letter), SeatStyle(letter)).Add(": ").Add(InkGroup(group)));
  }
  return Flow("Collected:", entries, width);
}

}  // namespace berd
