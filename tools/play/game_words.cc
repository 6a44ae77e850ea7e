#include "tools/play/game_words.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace berd {

std::string PlainTyping(std::string_view typed) {
  std::string plain;
  for (const char c : typed) {
    if (c != ' ' && c != ',' && c != '-') {
      plain += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    }
  }
  return plain;
}

OutcomeQuestion GameWords::AskOutcome(char turn, std::span<const std::string> outcomes) const {
  if (!outcomes.empty() && outcomes[0].starts_with("order:")) {
    return {"next in the order", "Type the letter of a player who is not ranked yet."};
  }
  return {std::string("dice of ") + turn,
          "Type two numbers from 1 to 6, as 53; Enter lets the program roll."};
}

std::optional<std::string> GameWords::ReadOutcome(std::string_view typed,
                                                  std::span<const std::string> outcomes) const {
  std::string plain = PlainTyping(typed);
  // The larger die comes first.
  if (plain.size() == 2 && plain[0] < plain[1]) std::swap(plain[0], plain[1]);
  const auto found = std::find_if(outcomes.begin(), outcomes.end(), [&](const auto& outcome) {
    return outcome == typed || ActionTail(outcome) == plain;
  });
  if (found == outcomes.end()) return std::nullopt;
  return *found;
}

}  // namespace berd
