#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/any_game.h"
#include "engine/core/error.h"
#include "tools/play/game_words.h"

namespace berd {

// One thing that can be chosen.
struct MenuItem {
  std::string key;  // the number to type
  std::string action;
  std::string label;   // the action as shown, "" if the key says it
  std::string effect;  // what it does, "" if the action says it all
};

// The legal actions of a decision, as a player sees and types them. Counts, columns, corners and
// the like are chosen by themselves ("2" takes two captives along); cash prices are not listed one
// by one.
class Menu {
 public:
  // Requires: the position waits for a decision.
  explicit Menu(const AnyPosition& position);

  const std::string& question() const { return question_; }
  const std::vector<MenuItem>& items() const { return items_; }
  const std::vector<std::string>& actions() const { return actions_; }
  // A line is one action, never several.
  bool whole_turns() const { return words_->whole_turns(); }

  // The menu in lines of at most `width` columns; at most `most` items, all if it is 0.
  std::vector<std::string> Lines(int width, std::size_t most) const;

  // The action meant by what was typed: a number of the menu, an action string, or the unambiguous
  // beginning of one, with or without its first word ("16/5" for "m:16/5", "cash 20" for
  // "price:20"); or one in the game's own notation. The error says what could have been meant.
  Result<std::string> Find(std::string_view typed) const;

 private:
  void AddItems();

  std::unique_ptr<GameWords> words_;
  std::string question_;
  std::vector<std::string> actions_;
  std::vector<MenuItem> items_;
  std::string cash_line_;  // how to name a cash price
};

}  // namespace berd
