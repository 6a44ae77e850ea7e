// Our rules against the real GNU Backgammon: what it lists as legal moves, how it numbers
// positions, and where its moves lead. All tests are skipped where it is not installed.

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "engine/backgammon/position_id.h"
#include "selfplay/gnubg_process.h"
#include "selfplay/gnubg_protocol.h"
#include "tests/engine/tables_positions.h"

namespace berd {
namespace {

namespace fs = std::filesystem;
using tables::kBar;
using tables::kOff;

const BackgammonRules kRules;

// A position with a throw, and one legal play to be made.
struct Case {
  BackgammonState state;
  tables::Play play = tables::kPass;
  bool ends = false;  // the play ends the game
};

// What gnubg told about a case.
struct Told {
  std::string board;  // its raw board, from the dice on without the names
  std::string id;
  std::string next_id;  // after the play
  std::vector<std::string> moves;
};

Case MakeCase(const BackgammonState& state, RandomStream& random) {
  Case made{state, Backgammon::sample_legal(kRules, state, random)};
  BackgammonState after = state;
  Backgammon::apply(kRules, after, made.play);
  made.ends = Backgammon::waits(after) == Waits::kEnd;
  return made;
}

// Men of one side anywhere in 1 .. farthest, some off (also those that would stand where the other
// side does), with `bar` on the bar.
void Scatter(tables::Men& men, const tables::Men& other, int farthest, int bar,
             RandomStream& random) {
  const int off = static_cast<int>(random.Below(random.Below(2) == 0 ? 3 : 13));
  men = {};
  men[kBar] = static_cast<std::uint8_t>(bar);
  men[kOff] = static_cast<std::uint8_t>(off);
  for (int left = tables::kMen - off - bar; left > 0; --left) {
    const int point = 1 + static_cast<int>(random.Below(static_cast<std::uint32_t>(farthest)));
    ++men[other[kBar - point] > 0 ? kOff : point];
  }
}

// kGames: from random games. The rest are drawn at random: bearing off, with men on the bar, and
// anything; `doubles` throws doubles only.
enum class Kind { kGames, kBearingOff, kBar, kAny };

BackgammonState DrawState(Kind kind, bool doubles, RandomStream& random) {
  BackgammonState state;
  state.turn = static_cast<std::uint8_t>(random.Below(2));
  tables::Men& own = state.men[state.turn];
  tables::Men& other = state.men[1 - state.turn];
  const int other_bar = random.Below(6) == 0 ? 1 : 0;
  Scatter(other, own, random.Below(2) == 0 ? 6 : 24, other_bar, random);
  const int bar = kind == Kind::kBar ? 1 + static_cast<int>(random.Below(3)) : 0;
  Scatter(own, other, kind == Kind::kBearingOff ? 6 : 24, bar, random);
  state.phase = tables::Phase::kPlay;
  const int die = 1 + static_cast<int>(random.Below(6));
  state.roll = static_cast<std::uint8_t>(doubles ? RollIndex(die, die) : SampleRoll(random));
  return state;
}

std::vector<Case> MakeCases(std::size_t from_games, std::size_t of_each_kind) {
  std::vector<Case> cases;
  RandomStream random(5, 0, Purpose::kTest, 1);
  VisitTables<Backgammon>(kRules, 12, static_cast<long>(2 * from_games + 1000),
                          [&](const auto& state) {
                            if (state.phase != tables::Phase::kPlay || cases.size() == from_games)
                              return;
                            cases.push_back(MakeCase(state, random));
                          });
  EXPECT_EQ(cases.size(), from_games);
  for (const Kind kind : {Kind::kBearingOff, Kind::kBar, Kind::kAny}) {
    for (std::size_t i = 0; i < of_each_kind;) {
      const BackgammonState state = DrawState(kind, i % 3 == 0, random);
      // A side may have no man left.
      if (!Backgammon::parse(kRules, Backgammon::position(kRules, state))) continue;
      cases.push_back(MakeCase(state, random));
      ++i;
    }
  }
  return cases;
}

constexpr char kSetUp[] =
    "set lang C\nset threads 1\nset player 0 human\nset player 1 human\nset cube use off\n"
    "set jacoby off\nset automatic roll off\nset automatic game off\nset automatic move off\n"
    "set automatic bearoff off\nset confirm new off\n"
    "set evaluation chequerplay type evaluation\nset evaluation chequerplay evaluation plies 0\n"
    "set evaluation chequerplay evaluation cubeful off\n"
    "set evaluation chequerplay evaluation prune off\n";

std::string GnubgMove(const Case& one) {
  std::string move = Backgammon::action_name(kRules, one.state, one.play);
  for (char& c : move) {
    if (c == ',') c = ' ';
  }
  return move;
}

// Commands that make gnubg print what Told holds.
std::string Commands(const std::vector<Case>& cases) {
  std::string text = kSetUp;
  text += "new game\n";
  for (const Case& one : cases) {
    const Roll& roll = kAllRolls[one.state.roll];
    text += "set turn 1\nset output rawboard on\nset board " + PositionId(one.state) + "\n";
    text += "set turn 1\nset dice " + std::to_string(roll.high) + " " + std::to_string(roll.low) +
            "\nshow board\nset output rawboard off\nshow board\nhint 9999\n";
    // The play itself, from the other side's view afterwards. A finished game would be another one.
    if (one.play != tables::kPass && !one.ends) {
      text += "move " + GnubgMove(one) + "\nshow board\n";
    }
  }
  return text;
}

// Reads what it printed. Every case begins with the switch to raw boards.
std::vector<Told> ReadOutput(const fs::path& file) {
  constexpr std::string_view kId = " GNU Backgammon  Position ID: ";
  std::vector<Told> all;
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    if (line == "TTY boards will be given in raw format.") all.emplace_back();
    if (all.empty()) continue;
    Told& told = all.back();
    const auto equity = line.find("  Eq.:");
    if (line.starts_with("board:root:gnubg:")) {
      told.board = line.substr(std::string_view("board:root:gnubg:").size());
    } else if (line.starts_with(kId)) {
      (told.id.empty() ? told.id : told.next_id) = line.substr(kId.size(), 14);
    } else if (equity != std::string::npos) {
      const auto move = line.find("-ply") + 4;
      told.moves.push_back(line.substr(move, equity - move));
    } else if (line == "There are no legal moves.") {
      told.moves.emplace_back();
    }
  }
  return all;
}

std::vector<Told> AskGnubg(const std::string& program, const std::vector<Case>& cases) {
  const fs::path folder =
      fs::path(testing::TempDir()) / ("berd_gnubg_moves_" + std::to_string(getpid()));
  fs::create_directories(folder);
  std::ofstream(folder / "commands") << Commands(cases);
  const std::string start = "'" + program + "' -t -q -r -s '" + folder.string() + "' -c '" +
                            (folder / "commands").string() + "' < /dev/null > '" +
                            (folder / "output").string() + "' 2>&1";
  EXPECT_EQ(std::system(start.c_str()), 0);
  auto told = ReadOutput(folder / "output");
  fs::remove_all(folder);
  return told;
}

// All legal moves, each once, and nothing else.
void ExpectSameMoves(const BackgammonState& state, const std::vector<std::string>& moves) {
  ActionList<tables::Play> ours;
  Backgammon::legal(kRules, state, ours);
  std::vector<tables::Play> theirs;
  for (const std::string& move : moves) {
    const auto play = gnubg::ParseMove(kRules, state, move);
    ASSERT_TRUE(play) << play.error().message;
    theirs.push_back(*play);
  }
  std::sort(theirs.begin(), theirs.end());
  EXPECT_EQ(theirs, std::vector<tables::Play>(ours.begin(), ours.end()))
      << Backgammon::position(kRules, state);
}

std::string InstalledGnubg() {
  const auto program = FindGnubg();
  return program ? *program : "";
}

// On 10,000 positions and throws: our position ID and board line mean the same position to gnubg,
// the legal plays agree, and a play of ours leads gnubg to the position it leads us to.
TEST(GnubgMoves, SlowAgreeOnTenThousandPositions) {
  const std::string program = InstalledGnubg();
  if (program.empty()) GTEST_SKIP() << FindGnubg().error().message;
  const auto cases = MakeCases(4000, 2000);
  const auto told = AskGnubg(program, cases);
  ASSERT_EQ(told.size(), cases.size());
  long moves = 0;
  long passes = 0;
  long doubles = 0;
  long made = 0;
  for (std::size_t i = 0; i < cases.size() && !testing::Test::HasFailure(); ++i) {
    const auto& [state, play, ends] = cases[i];
    EXPECT_EQ("board:me:opp:" + told[i].board, gnubg::BoardLine(state));
    EXPECT_EQ(told[i].id, PositionId(state));
    ExpectSameMoves(state, told[i].moves);
    moves += static_cast<long>(told[i].moves.size());
    doubles += kAllRolls[state.roll].is_double();
    passes += play == tables::kPass;
    if (play == tables::kPass || ends) continue;
    BackgammonState after = state;
    Backgammon::apply(kRules, after, play);
    EXPECT_EQ(told[i].next_id, PositionId(after)) << GnubgMove(cases[i]);
    ++made;
  }
  std::cout << cases.size() << " positions, " << doubles << " with doubles, " << passes
            << " without a legal move; " << moves << " moves, " << made << " made\n";
}

}  // namespace
}  // namespace berd
