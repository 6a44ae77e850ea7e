// What can be typed besides moves.

#include <array>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <istream>
#include <ostream>

#include "engine/core/text.h"
#include "tools/choice_text.h"
#include "tools/interrupt.h"
#include "tools/play/game_face.h"
#include "tools/play/game_record.h"
#include "tools/play/play_table.h"
#include "tools/play/position_view.h"
#include "tools/rules_argument.h"

namespace berd {

namespace {

constexpr std::string_view kCommandHelp = R"(
  moves            all choices          board       draw the board again
  hint             the best three       position    the position as a string
  undo             back to the previous decision of a person
  save FILE        write the game's record (-f FILE overwrites another file)
  quit             leave the game

)";

constexpr std::array<std::string_view, 8> kCommands = {"help",     "moves", "board", "hint",
                                                       "position", "undo",  "save",  "quit"};

std::string Trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::string Today() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  localtime_r(&now, &parts);
  char text[16];
  std::strftime(text, sizeof text, "%Y-%m-%d", &parts);
  return text;
}

}  // namespace

std::optional<std::string> PlayTable::Ask(const std::string& prompt) {
  console_.out << prompt << std::flush;
  std::string line;
  if (!std::getline(console_.in, line)) {
    leaving_ = true;
    console_.out << "\n" << (InterruptGuard::raised() ? "Interrupted." : "End of input.") << "\n";
    return std::nullopt;
  }
  // So that a transcript of piped input can be read.
  if (!console_.interactive) console_.out << line << "\n";
  return Trimmed(line);
}

std::optional<std::string> PlayTable::AskOutcome(bool& moved) {
  const auto& position = session_.position();
  const auto outcomes = position.Actions();
  const auto words = WordsFor(position, viewer());
  const auto question = words->AskOutcome(face_.letter(position.turn()), outcomes);
  while (true) {
    const auto line = Ask(question.prompt + "> ");
    if (!line || line->empty()) return std::nullopt;
    const auto heard = Command(*line, nullptr);
    moved = heard == Heard::kMoved;
    if (moved || leaving_) return std::nullopt;
    if (heard == Heard::kStay) continue;
    if (auto outcome = words->ReadOutcome(*line, outcomes)) return outcome;
    Print(question.help);
  }
}

PlayTable::Heard PlayTable::Command(std::string_view line, const Menu* menu) {
  const auto blank = line.find(' ');
  const std::string_view word = line.substr(0, blank);
  const std::string_view argument =
      blank == std::string_view::npos ? "" : line.substr(line.find_first_not_of(' ', blank));
  if (word == "save") {
    Save(argument);
    return Heard::kStay;
  }
  if (!argument.empty()) return Heard::kNoCommand;
  if (word == "quit" || word == "exit" || word == "q") {
    leaving_ = true;
  } else if (word == "help" || word == "?") {
    console_.out << face_.typing << kCommandHelp << face_.reading;
  } else if (word == "board") {
    if (secret_ && !shown_to_) {
      console_.out << "Nobody sits at the screen yet.\n";
    } else {
      ShowBoard();
    }
  } else if (word == "position") {
    if (!secret_ || shown_to_) console_.out << SeenPosition(session_.position(), viewer()) << "\n";
  } else if (word == "undo" || word == "u") {
    return Undo();
  } else if (word == "moves" && menu != nullptr) {
    ShowMenu(*menu, true);
  } else if (word == "hint" && menu != nullptr) {
    Hint();
  } else if (menu == nullptr && (word == "moves" || word == "hint")) {
    console_.out << "There is nothing to choose now.\n";
  } else {
    // A word that is a command but for a typing error, and no move either.
    const auto nearest = Nearest(word, kCommands);
    if (word.size() < 3 || nearest.empty() || nearest[0] != word[0]) return Heard::kNoCommand;
    if (menu != nullptr && menu->Find(word)) return Heard::kNoCommand;
    console_.out << "Did you mean `" << nearest << "`?\n";
  }
  return Heard::kStay;
}

PlayTable::Heard PlayTable::Undo() {
  if (!session_.Undo([this](Seat seat) { return IsHuman(seat); })) {
    console_.out << "There is nothing to take back.\n";
    return Heard::kStay;
  }
  for (auto& narrator : narrators_) narrator.Take();
  queued_.clear();
  drawn_.clear();
  console_.out << "Taken back.\n";
  return Heard::kMoved;
}

void PlayTable::Hint() {
  const auto ranking = players_.hints->Rank(session_.position(), 3);
  const auto words = WordsFor(session_.position(), viewer());
  console_.out << "Best by " << players_.hint_name << ", " << RankedByText(ranking.by) << ":\n";
  for (const auto& choice : ranking.choices) {
    console_.out << "  " << ValueText(ranking.by, choice.value, 1) << "  "
                 << TypableText(choice.actions, *words);
    const auto& depth = choice.depth;
    if (depth.visits > 0 || depth.games > 0 || depth.plies > 1) {
      console_.out << "  (" << DepthText(depth) << ")";
    }
    console_.out << "\n";
  }
}

void PlayTable::Save(std::string_view argument) {
  const bool overwrite = Consume(argument, "-f ");
  const std::string path(argument);
  if (path.empty()) {
    console_.out << "Save where? Type `save FILE`.\n";
    return;
  }
  if (!overwrite && path != settings_.owned_path && std::ifstream(path)) {
    console_.out << path << " exists; `save -f " << path << "` overwrites it.\n";
    return;
  }
  SaveTo(path);
}

GameRecord PlayTable::Record() const {
  GameRecord record{.rules = session_.position().rules(),
                    .actions = session_.Actions(),
                    .seats = {},
                    .seed = session_.seed(),
                    .name = settings_.name,
                    .date = Today()};
  for (const auto& seat : players_.seats) record.seats.push_back(seat.name);
  record.match = settings_.match.games;
  return record;
}

void PlayTable::SaveTo(const std::string& path) {
  auto records = settings_.match.earlier;
  records.push_back(Record());
  if (const auto ok = SaveRecords(records, path); !ok) {
    console_.out << "Not saved: " << ok.error().message << "\n";
    return;
  }
  settings_.owned_path = path;
  saved_steps_ = session_.steps();
  console_.out << "Saved to " << path << (secret_ ? " (with all values, open)" : "") << ".\n";
}

}  // namespace berd
