#include "tools/play/position_view.h"

#include "engine/core/text.h"

namespace berd {

namespace {

std::vector<StackView> ReadStacks(std::string_view text) {
  std::vector<StackView> stacks;
  for (const auto part : Split(text, '|')) {
    const auto slash = part.find('/');
    StackView stack;
    stack.active = ReadGroup(part.substr(0, slash));
    if (slash != std::string_view::npos) stack.captives = ReadGroup(part.substr(slash + 1));
    stacks.push_back(std::move(stack));
  }
  return stacks;
}

}  // namespace

std::string_view PositionView::Field(std::string_view key) const {
  for (const auto& [name, value] : fields) {
    if (name == key) return value;
  }
  return "";
}

std::string_view PositionView::FieldOfSeat(std::string_view key, char separator, int seat) const {
  const auto parts = Split(Field(key), separator);
  return static_cast<std::size_t>(seat) < parts.size() ? parts[static_cast<std::size_t>(seat)] : "";
}

std::string_view PositionView::Phase() const {
  const auto phase = Field("phase");
  return phase.substr(0, phase.find(':'));
}

std::string_view PositionView::PhaseDetail() const {
  const auto phase = Field("phase");
  const auto colon = phase.find(':');
  return colon == std::string_view::npos ? "" : phase.substr(colon + 1);
}

const PlaceView* PositionView::At(std::string_view square) const {
  for (const auto& place : board) {
    if (place.square == square) return &place;
  }
  return nullptr;
}

const StackView* PositionView::StackOf(std::string_view square, char seat) const {
  const auto* place = At(square);
  if (place == nullptr) return nullptr;
  for (const auto& stack : place->stacks) {
    if (FindColor(stack.active, seat) != nullptr) return &stack;
  }
  return nullptr;
}

PositionView ReadPosition(std::string_view text) {
  PositionView view;
  for (const auto field : Split(text, ' ')) {
    const auto equals = field.find('=');
    if (equals == std::string_view::npos) continue;
    view.fields.emplace_back(field.substr(0, equals), field.substr(equals + 1));
  }
  const auto board = view.Field("board");
  if (board.empty() || board == "-") return view;
  for (const auto entry : Split(board, ',')) {
    const auto colon = entry.find(':');
    if (colon == std::string_view::npos) continue;
    view.board.push_back(
        {std::string(entry.substr(0, colon)), ReadStacks(entry.substr(colon + 1))});
  }
  return view;
}

GroupView ReadGroup(std::string_view text) {
  GroupView group;
  if (text == "-") return group;
  while (!text.empty()) {
    TokensView tokens{.color = text[0], .count = 0, .values = {}};
    text.remove_prefix(1);
    if (Consume(text, "{")) {
      const auto end = text.find('}');
      for (const auto value : Split(text.substr(0, end), '.')) tokens.values.emplace_back(value);
      tokens.count = static_cast<int>(tokens.values.size());
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    } else {
      while (!text.empty() && text[0] >= '0' && text[0] <= '9') {
        tokens.count = 10 * tokens.count + (text[0] - '0');
        text.remove_prefix(1);
      }
    }
    group.push_back(std::move(tokens));
  }
  return group;
}

int CountTokens(const GroupView& group) {
  int count = 0;
  for (const auto& tokens : group) count += tokens.count;
  return count;
}

const TokensView* FindColor(const GroupView& group, char color) {
  for (const auto& tokens : group) {
    if (tokens.color == color) return &tokens;
  }
  return nullptr;
}

std::string CountText(const TokensView& tokens) {
  std::string text(1, tokens.color);
  return tokens.count == 1 ? text : text + std::to_string(tokens.count);
}

std::string TokensText(const TokensView& tokens) {
  if (tokens.values.empty()) return CountText(tokens);
  if (tokens.values[0] == "?") return CountText(tokens) + "?";
  std::string text(1, tokens.color);
  for (std::size_t i = 0; i < tokens.values.size(); ++i) {
    text += (i == 0 ? "" : ",") + tokens.values[i];
  }
  return text;
}

std::string GroupText(const GroupView& group) {
  std::string text;
  for (const auto& tokens : group) text += (text.empty() ? "" : " ") + TokensText(tokens);
  return text.empty() ? "-" : text;
}

std::string StackText(const StackView& stack) {
  std::string text = GroupText(stack.active);
  return stack.captives.empty() ? text : text + " over " + GroupText(stack.captives);
}

}  // namespace berd
