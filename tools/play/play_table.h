#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "selfplay/any_agent.h"
#include "tools/command.h"
#include "tools/play/canvas.h"
#include "tools/play/draw_board.h"
#include "tools/play/menu.h"
#include "tools/play/narrator.h"
#include "tools/play/session.h"

namespace berd {

// Who plays a seat.
struct PlaySeat {
  std::string name;                 // "human" or the agent string
  std::unique_ptr<AnyAgent> agent;  // nothing for a person
  bool human() const { return agent == nullptr; }
};

struct PlaySettings {
  bool manual_dice = false;
  bool color = false;
  std::string save_path;   // written when the game is left, "" for none
  std::string owned_path;  // a file that may be overwritten: where the game was loaded from
  std::string name;        // of the game, for its record
};

// One game at a terminal: shows, asks, tells, until it is over or left. In games with hidden values
// each person is shown what its seat sees; when several share the keyboard they are asked to hand
// it over first.
class PlayTable {
 public:
  // `hints` ranks moves for people, `hint_name` says who that is.
  PlayTable(Console& console, Session session, std::vector<PlaySeat> seats, PlaySettings settings,
            std::unique_ptr<AnyAgent> hints, std::string hint_name);

  // Plays. Returns an exit code; the end of the input and Ctrl-C leave the game politely.
  int Run();

  const Session& session() const { return session_; }

 private:
  enum class Heard { kNoCommand, kStay, kMoved };  // kMoved: the position changed, ask anew

  // ---- The game
  void Chance();
  void ComputerMove(PlaySeat& seat);
  void HumanMove(Seat seat);
  // Plays what a word or a line means; false, with a message, if it means nothing legal.
  bool PlayWord(const Menu& menu, std::string_view word);
  bool Answer(const Menu& menu, const std::string& line);
  void Apply(std::string_view action);
  void TellLast();
  void Finish();
  void Leave();

  // ---- Showing
  std::optional<Seat> viewer() const { return secret_ ? shown_to_ : std::nullopt; }
  void HandOver(Seat seat);
  void FlushStory();
  void ShowBoard();
  void ShowBoardIfChanged();
  void ShowMenu(const Menu& menu, bool all);
  void ShowResult();

  // ---- Listening
  // A line without blanks around it; nothing when the input has ended, and then the game is left.
  std::optional<std::string> Ask(const std::string& prompt);
  // The outcome of a chance event as typed; nothing: the program draws.
  std::optional<std::string> AskOutcome(bool& moved);
  Heard Command(std::string_view line, const Menu* menu);
  void Hint();
  void Save(std::string_view argument);
  void SaveTo(const std::string& path);
  Heard Undo();
  void Print(const std::string& text);  // wrapped

  bool IsHuman(Seat seat) const { return seats_[static_cast<std::size_t>(seat.index())].human(); }

  Console& console_;
  Session session_;
  std::vector<PlaySeat> seats_;
  PlaySettings settings_;
  std::unique_ptr<AnyAgent> hints_;
  std::string hint_name_;
  TableInfo table_;
  DrawStyle style_;
  int humans_ = 0;
  bool secret_ = false;              // people must not see everything
  std::vector<Narrator> narrators_;  // of each person if secret, else one
  std::optional<Seat> shown_to_;     // who sits at the screen, if secret
  std::string drawn_;                // what the last drawn board showed
  std::deque<std::string> queued_;   // further words of a line with several moves
  std::size_t saved_steps_ = 0;
  bool leaving_ = false;
  int exit_code_ = kExitOk;
};

}  // namespace berd
