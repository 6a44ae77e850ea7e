#include "tools/analyze/complete_view.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/text.h"
#include "tools/rules_argument.h"

namespace berd {

namespace {

constexpr std::size_t kMostColors = 16;

// One group of tokens of a colour, `A{10.?}`: where its braces are and what stands between them.
struct Braces {
  std::size_t color = 0;
  std::size_t begin = 0;  // after the opening brace
  std::size_t end = 0;    // at the closing one
};

std::vector<Braces> FindBraces(std::string_view text) {
  std::vector<Braces> found;
  for (std::size_t at = 1; at < text.size(); ++at) {
    const auto color = static_cast<std::size_t>(text[at - 1] - 'A');
    const auto end = text.find('}', at);
    if (text[at] != '{' || color >= kMostColors || end == std::string_view::npos) continue;
    found.push_back({color, at + 1, end});
  }
  return found;
}

// Values by colour that stand somewhere in the text.
using ValueList = std::vector<std::uint32_t>;

bool AllSeen(std::string_view text, const std::vector<Braces>& groups) {
  return std::all_of(groups.begin(), groups.end(), [&](const Braces& group) {
    return text.substr(group.begin, group.end - group.begin).find('?') == std::string_view::npos;
  });
}

// Puts values that nobody sees in the place of every `?` between braces.
Result<std::string> FillBraces(std::string_view text, const std::vector<Braces>& groups) {
  std::array<ValueList, kMostColors> seen;
  std::array<std::size_t, kMostColors> tokens{};
  for (const auto& group : groups) {
    for (const auto value : Split(text.substr(group.begin, group.end - group.begin), '.')) {
      ++tokens[group.color];
      if (const auto number = ParseNumber(value, 1, 10000)) seen[group.color].push_back(*number);
    }
  }
  std::array<ValueList, kMostColors> unseen;
  for (std::size_t color = 0; color < kMostColors; ++color) {
    for (std::uint32_t value = 10; value <= 10 * tokens[color]; value += 10) {
      const auto& known = seen[color];
      if (std::find(known.begin(), known.end(), value) == known.end()) {
        unseen[color].push_back(value);
      }
    }
    std::reverse(unseen[color].begin(), unseen[color].end());  // the smallest is taken first
  }
  std::string filled;
  std::size_t copied = 0;
  for (const auto& group : groups) {
    ValueList values;
    for (const auto value : Split(text.substr(group.begin, group.end - group.begin), '.')) {
      auto number = ParseNumber(value, 1, 10000);
      if (!number && value == "?" && !unseen[group.color].empty()) {
        number = unseen[group.color].back();
        unseen[group.color].pop_back();
      }
      if (!number) return Fail(Quoted(value) + " in " + Quoted(text) + " is no value of a token");
      values.push_back(*number);
    }
    std::sort(values.begin(), values.end());
    filled += text.substr(copied, group.begin - copied);
    for (std::size_t i = 0; i < values.size(); ++i) {
      filled += (i == 0 ? "" : ".") + std::to_string(values[i]);
    }
    copied = group.end;
  }
  return filled + std::string(text.substr(copied));
}

// A payer does not see the value of the token that finished; any one in the collection will do.
std::string FillPayment(const std::string& text) {
  const auto phase = text.find(" phase=pay:");
  const auto turn = text.find(" turn=");
  const auto mark = phase == std::string::npos ? phase : text.find(":?:", phase);
  if (mark == std::string::npos || turn == std::string::npos) return text;
  const auto collections = text.find(" col=");
  const auto own = text.find(std::string(1, text[turn + 6]) + "{", collections);
  if (collections == std::string::npos || own == std::string::npos) return text;
  const auto value = text.substr(own + 2, text.find_first_of(".}", own) - own - 2);
  return text.substr(0, mark + 1) + value + text.substr(mark + 2);
}

std::optional<Seat> SeatThatLooks(const AnyPosition& position) {
  if (position.waits() == Waits::kEnd) return std::nullopt;
  return position.waits() == Waits::kDecision ? position.actor() : position.turn();
}

}  // namespace

Result<std::unique_ptr<AnyPosition>> ParsePositionOrView(const AnyRules& game,
                                                         std::string_view text) {
  const auto groups = FindBraces(text);
  if (!HidesValues(game) || (AllSeen(text, groups) && text.find(":?:") == std::string_view::npos)) {
    return ParsePosition(game, text);
  }
  const auto filled = FillBraces(text, groups);
  if (!filled) return tl::unexpected(filled.error());
  auto position = ParsePosition(game, FillPayment(*filled));
  if (!position) return Fail("the view, with values for each '?'", position.error());
  const auto seat = SeatThatLooks(**position);
  if (!seat) return Fail("at the end all values are seen; " + Quoted(text) + " hides some");
  if ((*position)->View(*seat) != text) {
    return Fail("a view must show all that the player to act, " + std::string(1, Letter(*seat)) +
                ", sees; this one hides something else or is another player's");
  }
  return position;
}

}  // namespace berd
