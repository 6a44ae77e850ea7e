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
#include "tools/play/game_face.h"
#include "tools/play/game_record.h"
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

// Everybody at the table.
struct PlayPlayers {
  std::vector<PlaySeat> seats;
  std::unique_ptr<AnyAgent> hints;  // ranks moves for people
  std::string hint_name;            // who that is
};

// The match that a game belongs to.
struct MatchPlace {
  int games = 0;                    // 0: no match
  std::string score;                // a line below the board
  std::vector<GameRecord> earlier;  // saved in front of this game
  bool last = true;                 // no game follows
};

struct PlaySettings {
  bool manual_dice = false;
  bool color = false;
  std::string save_path;   // written when the game is left, "" for none
  std::string owned_path;  // a file that may be overwritten: where the game was loaded from
  std::string name;        // of the game, for its record
  MatchPlace match;
};

// One game at a terminal: shows, asks, tells, until it is over or left. In games with hidden values
// each person is shown what its seat sees; when several share the keyboard they are asked to hand
// it over first.
class PlayTable {
 public:
  // `players` must outlive the table.
  PlayTable(Console& console, Session session, PlayPlayers& players, PlaySettings settings);

  // Plays. Returns an exit code; the end of the input and Ctrl-C leave the game politely.
  int Run();

  const Session& session() const { return session_; }
  // The game as it stands.
  GameRecord Record() const;
  // The game is over and nobody wants to leave the table for that.
  bool finished() const { return finished_; }
  // What has been learned about files: where the game may be saved without asking.
  const std::string& owned_path() const { return settings_.owned_path; }

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
  // Whose side of the board is near: a person's alone, else the side of who decides.
  std::optional<Seat> NearSeat() const;
  // The parts of the position that a drawn board shows.
  std::string DrawnParts() const;
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

  bool IsHuman(Seat seat) const {
    return players_.seats[static_cast<std::size_t>(seat.index())].human();
  }

  Console& console_;
  Session session_;
  PlayPlayers& players_;
  PlaySettings settings_;
  const GameFace& face_;
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
  bool finished_ = false;
};

}  // namespace berd
