#include "tools/rules_argument.h"

#include <cctype>

#include "engine/core/text.h"

namespace berd {

Result<AnyRules> ResolveRules(std::string_view text) {
  std::vector<std::string_view> names;
  for (const auto& preset : Presets()) {
    if (preset.name == text) return ParseGame(preset.rules);
    names.push_back(preset.name);
  }
  // A game alone, without options, where that is a rules string.
  if (auto game = ParseGame(text)) return game;
  if (text.find(':') != std::string_view::npos) return ParseGame(text);
  const auto nearest = DidYouMean(text, names);
  return Fail("rules " + Quoted(text) + ": no preset has this name" +
              (nearest.empty() ? "; `berd info` lists them" : nearest) +
              " A rules string looks like 'race:short:4x9'");
}

std::optional<Seat> SeatOfLetter(std::string_view text, int seats) {
  if (text.size() != 1) return std::nullopt;
  const int index = std::toupper(static_cast<unsigned char>(text[0])) - 'A';
  if (index < 0 || index >= seats) return std::nullopt;
  return Seat(index);
}

std::string SeatLetters(int seats) {
  if (seats == 2) return "A or B";
  return std::string("a letter from A to ") + Letter(Seat(seats - 1));
}

}  // namespace berd
