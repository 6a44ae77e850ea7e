#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/any_game.h"
#include "engine/core/error.h"

namespace berd {

// What follows the first word of an action: "16/5" of "m:16/5".
constexpr std::string_view ActionTail(std::string_view action) {
  const auto colon = action.find(':');
  return colon == std::string_view::npos ? action : action.substr(colon + 1);
}

// What a person who throws the dice is asked.
struct OutcomeQuestion {
  std::string prompt;
  std::string help;  // after a wrong answer
};

// A typed throw without blanks, commas and dashes, in upper case.
std::string PlainTyping(std::string_view typed);

// Words for what can be done in one position and for what is done, seen with the eyes of one
// player: whatever the view hides, the words leave out. These here do for any game; games with
// words of their own override them (words_*.cc).
class GameWords {
 public:
  virtual ~GameWords() = default;

  // ---- For the player who decides

  // What is asked: "which captives go along with 16/5? B, 2 there".
  virtual std::string Question() const { return "choose"; }
  // The action as it is shown and typed, without what it does.
  virtual std::string Label(std::string_view action) const {
    return std::string(ActionTail(action));
  }
  // What an action does: "to 21, captures B2".
  virtual std::string Effect(std::string_view /*action*/) const { return ""; }
  // Puts the actions into the order of the menu.
  virtual void Arrange(std::vector<std::string>& /*actions*/) const {}
  // The action meant by what was typed in the game's own notation; nothing if it is not in that
  // notation at all.
  virtual std::optional<Result<std::string>> Find(std::string_view /*typed*/,
                                                  std::span<const std::string> /*actions*/) const {
    return std::nullopt;
  }
  // One action is a whole turn, so a line is never several actions.
  virtual bool whole_turns() const { return false; }

  // ---- For a person who throws the dice. `outcomes` are listed by the position, none if too many.

  virtual OutcomeQuestion AskOutcome(char turn, std::span<const std::string> outcomes) const;
  // The outcome that was typed; nothing if it is none.
  virtual std::optional<std::string> ReadOutcome(std::string_view typed,
                                                 std::span<const std::string> outcomes) const;

  // ---- For everybody

  // What an action or outcome does, told of whoever does it: "plays 16/5 to 21, capturing B2".
  // Empty if the viewer learns nothing.
  virtual std::string Story(std::string_view action) const { return std::string(action); }
  // Whom the story is about if it is neither the decider nor whose turn it is.
  virtual std::optional<Seat> Subject(std::string_view /*action*/) const { return std::nullopt; }
  // How a finished game was won, "a gammon"; "" if there is nothing to say.
  virtual std::string Ending() const { return ""; }
};

}  // namespace berd
