#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/any_game.h"

namespace berd {

// Tells one listener what happens, a sentence for each player: "B rolls 53, plays 16/5 to 21, then
// 16/3 to 19, capturing A." The listener is a seat, who is told what its view shows, or everybody.
class Narrator {
 public:
  explicit Narrator(std::optional<Seat> listener) : listener_(listener) {}

  // Notes that `action` led from `before` to `after`. Requires: before is not at an end.
  void Tell(const AnyPosition& before, std::string_view action, const AnyPosition& after);

  // What happened since the last call, a line for each turn.
  std::vector<std::string> Take();

  std::optional<Seat> listener() const { return listener_; }

 private:
  void Add(char subject, const std::string& phrase);
  void EndSentence();
  void EndTurn();

  std::optional<Seat> listener_;
  std::vector<std::string> told_;
  bool new_line_ = true;
  std::string sentence_;
  char subject_ = 0;
};

}  // namespace berd
