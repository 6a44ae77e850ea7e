#include "tools/play/play_table.h"

#include <algorithm>
#include <filesystem>
#include <istream>
#include <ostream>

#include "engine/core/text.h"
#include "tools/interrupt.h"
#include "tools/play/position_view.h"
#include "tools/rules_argument.h"

namespace berd {

namespace {

constexpr std::size_t kMenuLength = 24;

// What stands beside the board. There is little room: of an agent with a file the file's name
// alone.
std::string LabelOf(const PlaySeat& seat, int humans) {
  if (seat.human()) return humans == 1 ? "you" : "human";
  const std::string agent = seat.name.substr(0, seat.name.find(','));
  const auto file = agent.find('=');
  return file == std::string::npos ? seat.name
                                   : std::filesystem::path(agent.substr(file + 1)).stem().string();
}

std::string PlayerList(const std::vector<Seat>& seats, const GameFace& face) {
  std::string text;
  for (std::size_t i = 0; i < seats.size(); ++i) {
    text += i == 0 ? "" : i + 1 == seats.size() ? " and " : ", ";
    text += face.letter(seats[i]);
  }
  return text;
}

}  // namespace

PlayTable::PlayTable(Console& console, Session session, PlayPlayers& players, PlaySettings settings)
    : console_(console),
      session_(std::move(session)),
      players_(players),
      settings_(std::move(settings)),
      face_(FaceOf(session_.position().rules())),
      table_{.game = session_.game(), .labels = {}, .note = settings_.match.score},
      style_{.color = settings_.color, .unicode = console.unicode},
      saved_steps_(session_.steps()) {
  const auto& seats = players_.seats;
  for (const auto& seat : seats) {
    if (!seat.human()) seat.agent->NewGame();
  }
  if (players_.hints) players_.hints->NewGame();
  humans_ = static_cast<int>(
      std::count_if(seats.begin(), seats.end(), [](const auto& seat) { return seat.human(); }));
  for (const auto& seat : seats) table_.labels.push_back(LabelOf(seat, humans_));
  secret_ = humans_ > 0 && HidesValues(session_.game());
  if (!secret_) narrators_.emplace_back(std::nullopt);
  for (std::size_t i = 0; secret_ && i < seats.size(); ++i) {
    const Seat seat(static_cast<int>(i));
    if (!IsHuman(seat)) continue;
    narrators_.emplace_back(seat);
    if (humans_ == 1) shown_to_ = seat;
  }
}

int PlayTable::Run() {
  const InterruptGuard guard;
  Print(session_.position().rules() + ", seed " + std::to_string(session_.seed()) + "." +
        (humans_ > 0 ? " Type `help` for what can be typed." : ""));
  while (!leaving_) {
    if (InterruptGuard::raised()) {
      console_.out << "\nInterrupted.\n";
      break;
    }
    switch (session_.position().waits()) {
      case Waits::kChance:
        Chance();
        break;
      case Waits::kEnd:
        Finish();
        break;
      case Waits::kDecision: {
        const Seat actor = session_.position().actor();
        auto& seat = players_.seats[static_cast<std::size_t>(actor.index())];
        if (seat.human()) {
          HumanMove(actor);
        } else {
          ComputerMove(seat);
        }
        break;
      }
    }
  }
  Leave();
  return exit_code_;
}

// ---- The game

void PlayTable::Apply(std::string_view action) {
  if (auto ok = session_.Apply(action); !ok) {
    console_.out << ok.error().message << "\n";
    return;
  }
  TellLast();
}

void PlayTable::TellLast() {
  const auto last = session_.steps() - 1;
  for (auto& narrator : narrators_) {
    narrator.Tell(session_.before(last), session_.action(last), session_.position());
  }
}

void PlayTable::Chance() {
  if (settings_.manual_dice) {
    FlushStory();
    bool moved = false;
    const auto outcome = AskOutcome(moved);
    if (leaving_ || moved) return;
    if (outcome) return Apply(*outcome);
  }
  session_.RollChance();
  TellLast();
}

void PlayTable::ComputerMove(PlaySeat& seat) {
  auto random = session_.AgentStream();
  try {
    for (const auto& action : seat.agent->Choose(session_.position(), random)) Apply(action);
  } catch (const AgentFailure& failure) {
    FlushStory();
    Print(seat.name + " cannot play on: " + failure.what());
    exit_code_ = kExitFailed;
    leaving_ = true;
  }
  // With nobody to ask, a long game would be silent until its end.
  if (humans_ == 0) FlushStory();
}

bool PlayTable::PlayWord(const Menu& menu, std::string_view word) {
  const auto action = menu.Find(word);
  if (!action) {
    Print(action.error().message);
    queued_.clear();
    return false;
  }
  const Seat actor = session_.position().actor();
  const auto turns = session_.position().turns();
  Apply(*action);
  // What else stood in the line belongs to this turn of this player.
  const auto& now = session_.position();
  const bool same = now.waits() == Waits::kDecision && now.actor() == actor && now.turns() == turns;
  if (!same && !queued_.empty()) {
    Print("The turn is over; not played: " + queued_.front());
    queued_.clear();
  }
  return true;
}

bool PlayTable::Answer(const Menu& menu, const std::string& line) {
  if (line.empty()) {
    if (menu.actions().size() == 1) return PlayWord(menu, menu.actions()[0]);
    console_.out << "Type a number, a move, or `help`.\n";
    return false;
  }
  const auto words = Split(line, ' ');
  if (words.size() == 1 || menu.whole_turns() || menu.Find(line)) return PlayWord(menu, line);
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (!words[i].empty()) queued_.emplace_back(words[i]);
  }
  return PlayWord(menu, words[0]);
}

void PlayTable::HumanMove(Seat seat) {
  const Menu menu(session_.position());
  if (!queued_.empty()) {
    const std::string word = queued_.front();
    queued_.pop_front();
    if (PlayWord(menu, word)) return;
  }
  HandOver(seat);
  if (leaving_) return;
  FlushStory();
  ShowBoardIfChanged();
  ShowMenu(menu, false);
  while (!leaving_) {
    const auto line = Ask(std::string(1, face_.letter(seat)) + "> ");
    if (!line) return;
    const auto heard = Command(*line, &menu);
    if (heard == Heard::kMoved || (heard == Heard::kNoCommand && Answer(menu, *line))) return;
  }
}

void PlayTable::Finish() {
  FlushStory();
  ShowBoard();
  ShowResult();
  if (humans_ == 0) {
    leaving_ = finished_ = true;
    return;
  }
  while (!leaving_) {
    const auto line = Ask("over> ");
    if (!line) return;
    if (line->empty()) {
      leaving_ = finished_ = true;
      return;
    }
    const auto heard = Command(*line, nullptr);
    if (heard == Heard::kMoved) return;
    if (heard == Heard::kNoCommand) {
      console_.out << "The game is over: `undo`, `save FILE`, or Enter "
                   << (settings_.match.last ? "to leave" : "for the next game") << ".\n";
    }
  }
}

void PlayTable::Leave() {
  if (!settings_.save_path.empty()) {
    SaveTo(settings_.save_path);
  } else if (session_.steps() > saved_steps_ && humans_ > 0 &&
             session_.position().waits() != Waits::kEnd) {
    console_.out << "The game was not saved.\n";
  }
}

// ---- Showing

void PlayTable::HandOver(Seat seat) {
  if (!secret_ || shown_to_ == seat) return;
  if (console_.interactive) console_.out << "\x1b[2J\x1b[3J\x1b[H";
  const auto line =
      Ask(std::string("Pass the keyboard to ") + face_.letter(seat) + ", then press Enter. ");
  if (!line) return;
  if (console_.interactive) console_.out << "\x1b[2J\x1b[3J\x1b[H";
  shown_to_ = seat;
  drawn_.clear();
}

void PlayTable::FlushStory() {
  for (auto& narrator : narrators_) {
    // In secret everybody hears the own story only, when sitting at the screen.
    if (narrator.listener() != viewer()) continue;
    for (const auto& line : narrator.Take()) Print(line);
  }
}

std::optional<Seat> PlayTable::NearSeat() const {
  if (humans_ == 0) return std::nullopt;
  if (humans_ > 1) {
    const auto& position = session_.position();
    if (position.waits() == Waits::kDecision) return position.actor();
    return std::nullopt;
  }
  Seat seat(0);
  while (!IsHuman(seat)) seat = Seat(seat.index() + 1);
  return seat;
}

std::string PlayTable::DrawnParts() const {
  const auto view = ReadPosition(SeenPosition(session_.position(), viewer()));
  std::string parts;
  for (const auto key : Split(face_.drawn, ' ')) parts += std::string(view.Field(key)) + " ";
  return parts;
}

void PlayTable::ShowBoard() {
  if (secret_ && !shown_to_) return;
  table_.near = NearSeat();
  for (const auto& line : DrawBoard(session_.position(), viewer(), table_, style_)) {
    console_.out << line << "\n";
  }
  drawn_ = DrawnParts();
}

void PlayTable::ShowBoardIfChanged() {
  if (drawn_ != DrawnParts()) ShowBoard();
}

void PlayTable::ShowMenu(const Menu& menu, bool all) {
  Print(std::string(1, face_.letter(session_.position().actor())) + ": " + menu.question());
  for (const auto& line : menu.Lines(kDrawWidth, all ? 0 : kMenuLength)) {
    console_.out << line << "\n";
  }
}

void PlayTable::ShowResult() {
  const auto& position = session_.position();
  const auto scores = position.Scores();
  const auto shares = position.WinShares();
  std::vector<Seat> winners;
  std::string text = "Scores: ";
  for (int seat = 0; seat < position.seats(); ++seat) {
    const auto i = static_cast<std::size_t>(seat);
    text += (seat == 0 ? "" : ", ") + std::string(1, face_.letter(Seat(seat))) + " " +
            std::to_string(scores[i]);
    if (shares[i].numerator > 0) winners.emplace_back(seat);
  }
  Print(text + ".");
  const bool alone = std::all_of(winners.begin(), winners.end(), [&](Seat seat) {
    return shares[static_cast<std::size_t>(seat.index())].denominator == 1;
  });
  const std::string verb = winners.size() == 1 ? " wins" : alone ? " win" : " share the win";
  const auto ending = WordsFor(position, std::nullopt)->Ending();
  Print("The game is over: " + PlayerList(winners, face_) + verb +
        (ending.empty() ? "" : " (" + ending + ")") + ".");
}

void PlayTable::Print(const std::string& text) {
  for (const auto& line : Wrapped(text, kDrawWidth, 2)) console_.out << line << "\n";
}

}  // namespace berd
