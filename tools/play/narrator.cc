#include "tools/play/narrator.h"

#include <algorithm>
#include <utility>

#include "engine/core/text.h"
#include "tools/play/game_face.h"
#include "tools/play/position_view.h"

namespace berd {

namespace {

// The dice that were still to be played before this step and lapsed after it: of a race turn that
// ended. "" if none did.
std::string LapsedDice(const AnyPosition& before, std::string_view action,
                       const AnyPosition& after) {
  if (after.turns() == before.turns()) return "";
  const auto view = ReadPosition(before.Position());
  const auto phase = view.Phase();
  if (phase == "roll") {
    Consume(action, "roll:");
    return std::string(action);
  }
  std::string dice(Split(view.PhaseDetail(), ':')[0]);
  if (phase == "carry" || phase == "pay") return dice == "-" ? "" : dice;
  if (phase != "move") return "";
  const auto slash = action.find('/');
  if (slash == std::string_view::npos) return "";
  const auto used = dice.find(action[slash + 1]);
  if (used != std::string::npos) dice.erase(used, 1);
  return dice;
}

// The duel player that was to move but could not, so that the turn came back; 0 if none.
char Passed(const AnyPosition& before, const AnyPosition& after) {
  if (after.turns() == before.turns() || after.waits() != Waits::kDecision) return 0;
  if (after.turn() != before.turn() || ReadPosition(after.Position()).Field("lat").empty())
    return 0;
  return before.turn() == Seat(0) ? 'B' : 'A';
}

}  // namespace

void Narrator::EndSentence() {
  if (sentence_.empty()) return;
  if (std::exchange(new_line_, false) || told_.empty()) told_.emplace_back();
  told_.back() += (told_.back().empty() ? "" : " ") + std::exchange(sentence_, "") + ".";
  subject_ = 0;
}

void Narrator::Add(char subject, const std::string& phrase) {
  if (phrase.empty()) return;
  if (subject != subject_) {
    EndSentence();
    subject_ = subject;
    sentence_ = std::string(1, subject) + " " + phrase;
    return;
  }
  // "plays x, then y"
  std::string_view next = phrase;
  const bool again = sentence_.find(" plays ") != std::string::npos && Consume(next, "plays ");
  sentence_ += (again ? ", then " : ", ") + std::string(next);
}

void Narrator::Tell(const AnyPosition& before, std::string_view action, const AnyPosition& after) {
  const GameFace& face = FaceOf(before.rules());
  const auto words = face.words(before, listener_);
  const char turn = face.letter(before.turn());
  if (action.starts_with("order:")) {
    EndSentence();
    Add(action.back(), "is next in the order");
    EndSentence();
    return;
  }
  const Seat usual = before.waits() == Waits::kDecision ? before.actor() : before.turn();
  const std::string story = words->Story(action);
  Add(face.letter(words->Subject(action).value_or(usual)), story);
  // Placing in secret: only that it is done is known.
  if (action.starts_with("place:") && story.empty() &&
      (after.waits() != Waits::kDecision || after.actor() != before.actor())) {
    Add(turn, "places its tokens");
  }
  if (const auto lapsed = LapsedDice(before, action, after); !lapsed.empty()) {
    if (after.waits() != Waits::kEnd) {
      Add(turn, action.starts_with("roll:") ? "cannot move" : "cannot play " + lapsed);
    }
  }
  if (after.turns() > before.turns()) EndTurn();
  if (const char seat = Passed(before, after); seat != 0) {
    Add(seat, "cannot move");
    EndTurn();
  }
}

void Narrator::EndTurn() {
  EndSentence();
  new_line_ = true;
}

std::vector<std::string> Narrator::Take() {
  EndSentence();
  return std::exchange(told_, {});
}

}  // namespace berd
