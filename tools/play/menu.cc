#include "tools/play/menu.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

#include "engine/core/text.h"
#include "tools/play/draw_board.h"
#include "tools/play/game_face.h"

namespace berd {

namespace {

std::string Lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

bool IsNumber(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// The number after "price:" if the action is a cash price.
std::optional<std::uint32_t> CashPrice(std::string_view action) {
  if (!Consume(action, "price:")) return std::nullopt;
  return ParseNumber(action, 0, 100000000);
}

// Actions whose own number is the key: counts of a carry or placement, corners, the value of a die,
// areas.
bool IsCount(std::string_view action) {
  static constexpr std::array<std::string_view, 5> kWords = {"carry", "place", "corner", "v", "to"};
  const auto word = action.substr(0, action.find(':'));
  return std::find(kWords.begin(), kWords.end(), word) != kWords.end() &&
         IsNumber(ActionTail(action));
}

}  // namespace

Menu::Menu(const AnyPosition& position)
    : words_(WordsFor(position, position.actor())),
      question_(words_->Question()),
      actions_(position.Actions()) {
  AddItems();
}

void Menu::AddItems() {
  words_->Arrange(actions_);
  std::vector<std::uint32_t> cash;
  for (const auto& action : actions_) {
    if (const auto price = CashPrice(action)) {
      cash.push_back(*price);
      continue;
    }
    if (IsCount(action)) {
      items_.push_back({std::string(ActionTail(action)), action, "", words_->Effect(action)});
    } else {
      items_.push_back({std::to_string(items_.size() + 1), action, words_->Label(action),
                        words_->Effect(action)});
    }
  }
  if (std::all_of(actions_.begin(), actions_.end(), IsCount)) {
    std::sort(items_.begin(), items_.end(), [](const MenuItem& a, const MenuItem& b) {
      return a.key.size() != b.key.size() ? a.key.size() < b.key.size() : a.key < b.key;
    });
  }
  if (cash.empty()) return;
  std::sort(cash.begin(), cash.end());
  cash_line_ = "cash " + std::to_string(cash.front());
  if (cash.size() > 1) {
    cash_line_ += " to " + std::to_string(cash.back()) + " in steps of " +
                  std::to_string(cash[1] - cash[0]) + ": type for example 'cash " +
                  std::to_string(cash[cash.size() / 2]) + "'";
  } else {
    cash_line_ += ": type 'cash " + std::to_string(cash.front()) + "'";
  }
}

std::vector<std::string> Menu::Lines(int width, std::size_t most) const {
  std::vector<std::string> entries;
  std::size_t widest = 0;
  for (const auto& item : items_) {
    if (most > 0 && entries.size() == most) break;
    std::string entry(item.key.size() < 3 ? 3 - item.key.size() : 0, ' ');
    entry += item.key + "  " + item.label;
    if (!item.effect.empty()) entry += (item.label.empty() ? "" : "  ") + item.effect;
    widest = std::max(widest, entry.size());
    entries.push_back(std::move(entry));
  }
  std::vector<std::string> lines;
  // Two columns when there are many and they are narrow.
  const bool two = entries.size() > 6 && 2 * widest + 2 <= static_cast<std::size_t>(width);
  const std::size_t rows = two ? (entries.size() + 1) / 2 : entries.size();
  for (std::size_t row = 0; row < rows; ++row) {
    std::string line = entries[row];
    if (two && row + rows < entries.size()) {
      line += std::string(widest + 2 - line.size(), ' ') + entries[row + rows];
    }
    for (auto& part :
         static_cast<int>(line.size()) > width ? Wrapped(line, width, 7) : std::vector{line}) {
      lines.push_back(std::move(part));
    }
  }
  if (entries.size() < items_.size()) {
    lines.push_back("     ... and " + std::to_string(items_.size() - entries.size()) +
                    " more; `moves` lists all");
  }
  if (!cash_line_.empty()) lines.push_back("     " + cash_line_);
  return lines;
}

Result<std::string> Menu::Find(std::string_view typed) const {
  std::string word = Lower(typed);
  for (const auto& item : items_) {
    if (item.key == word) return item.action;
  }
  const auto named = std::find(actions_.begin(), actions_.end(), typed);
  if (named != actions_.end()) return *named;
  if (auto found = words_->Find(typed, actions_)) return *std::move(found);
  if (word.starts_with("cash ") && !cash_line_.empty()) word = "price:" + word.substr(5);
  std::vector<std::string_view> meant;
  for (const auto& action : actions_) {
    const std::string name = Lower(action);
    if (name == word || ActionTail(name) == word) return action;
    if (name.starts_with(word) || ActionTail(name).starts_with(word)) meant.push_back(action);
  }
  if (meant.size() == 1 && !IsNumber(word)) return std::string(meant[0]);
  if (meant.size() > 1 && !IsNumber(word)) {
    const auto shown = std::span(meant).first(std::min<std::size_t>(meant.size(), 8));
    return Fail(Quoted(typed) + " could be " + JoinAlternatives(shown) +
                (shown.size() < meant.size() ? " and others" : ""));
  }
  std::vector<std::string_view> known;
  for (const auto& action : actions_) known.push_back(ActionTail(action));
  const auto nearest = Nearest(ActionTail(typed), known);
  if (!cash_line_.empty()) return Fail("there is no choice " + Quoted(typed) + "; " + cash_line_);
  if (IsNumber(word)) return Fail("there is no choice " + Quoted(typed) + "; `moves` lists them");
  return Fail(Quoted(typed) + " is not a legal choice here" +
              (nearest.empty() ? "; `moves` lists them"
                               : "; did you mean '" + std::string(nearest) + "'?"));
}

}  // namespace berd
