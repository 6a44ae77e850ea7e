// Speed of OpenSpiel's searches of backgammon, to set beside Mcts/… and Expectiminimax/… of
// berd_benchmarks (README.md here says how to build and run it). Not part of Berd's build.
//
// Usage: openspiel_speed POSITIONS [SECONDS]. POSITIONS holds position strings of Berd, a line
// each, in which a throw is to be played. Prints what each search costs in processor time.

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "open_spiel/algorithms/mcts.h"
#include "open_spiel/algorithms/minimax.h"
#include "open_spiel/games/backgammon/backgammon.h"
#include "open_spiel/spiel.h"

namespace {

using open_spiel::Game;
using open_spiel::State;
namespace algorithms = open_spiel::algorithms;

// Values every state alike, and all moves too.
class ConstantEvaluator : public algorithms::Evaluator {
 public:
  std::vector<double> Evaluate(const State&) override { return {0, 0}; }
  open_spiel::ActionsAndProbs Prior(const State& state) override {
    if (state.IsChanceNode()) return state.ChanceOutcomes();
    const auto actions = state.LegalActions();
    open_spiel::ActionsAndProbs prior;
    prior.reserve(actions.size());
    for (const auto action : actions) prior.emplace_back(action, 1.0 / actions.size());
    return prior;
  }
};

std::string FieldOf(const std::string& position, const std::string& name) {
  const auto at = (" " + position).find(" " + name + "=");
  if (at == std::string::npos) {
    std::fprintf(stderr, "no %s= in '%s'\n", name.c_str(), position.c_str());
    std::exit(2);
  }
  const auto begin = at + name.size() + 1;
  return position.substr(begin, position.find(' ', begin) - begin);
}

// `point:men,…/bar/off` with points by the pips left to go.
void ReadMen(const std::string& text, int player, std::vector<int>& points, int& bar, int& off) {
  const auto slash = text.find('/');
  std::sscanf(text.c_str() + slash, "/%d/%d", &bar, &off);
  const std::string list = text.substr(0, slash);
  for (std::size_t at = 0; at < list.size() && list[at] != '-';) {
    int point = 0;
    int men = 0;
    std::sscanf(list.c_str() + at, "%d:%d", &point, &men);
    points[player == 0 ? 24 - point : point - 1] = men;
    const auto comma = list.find(',', at);
    if (comma == std::string::npos) break;
    at = comma + 1;
  }
}

std::unique_ptr<State> ReadPosition(const Game& game, const std::string& text) {
  auto state = game.NewInitialState();
  state->ApplyAction(state->LegalActions()[0]);  // some opening throw, replaced below
  std::vector<std::vector<int>> board(2, std::vector<int>(24, 0));
  std::vector<int> bar(2, 0);
  std::vector<int> off(2, 0);
  ReadMen(FieldOf(text, "w"), 0, board[0], bar[0], off[0]);
  ReadMen(FieldOf(text, "b"), 1, board[1], bar[1], off[1]);
  const std::string phase = FieldOf(text, "phase");
  const int high = phase[phase.size() - 2] - '0';
  const int low = phase[phase.size() - 1] - '0';
  const int player = FieldOf(text, "turn") == "W" ? 0 : 1;
  open_spiel::down_cast<open_spiel::backgammon::BackgammonState&>(*state).SetState(
      player, false, {high, low}, bar, off, board);
  return state;
}

double ProcessorSeconds() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return time.tv_sec + 1e-9 * time.tv_nsec;
}

// Goes through all positions until the time is over; `search` returns how much it did.
void Measure(const char* name, const std::vector<std::unique_ptr<State>>& states, double seconds,
             const std::function<double(const State&)>& search) {
  double done = 0;
  const double start = ProcessorSeconds();
  do {
    for (const auto& state : states) done += search(*state);
  } while (ProcessorSeconds() - start < seconds);
  const double spent = ProcessorSeconds() - start;
  std::printf("%-28s %12.4f us each %12.0f/s\n", name, 1e6 * spent / done, done / spent);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: openspiel_speed POSITIONS [SECONDS]\n");
    return 2;
  }
  const double seconds = argc > 2 ? std::atof(argv[2]) : 1;
  const auto game = open_spiel::LoadGame("backgammon(scoring_type=full_scoring)");
  std::vector<std::unique_ptr<State>> states;
  std::ifstream file(argv[1]);
  for (std::string line; std::getline(file, line);) states.push_back(ReadPosition(*game, line));

  const auto mcts = [&](std::shared_ptr<algorithms::Evaluator> evaluator, int simulations) {
    return [&game, evaluator, simulations](const State& state) {
      algorithms::MCTSBot bot(*game, evaluator, /*uct_c=*/2, simulations, /*max_memory_mb=*/4000,
                              /*solve=*/true, /*seed=*/1, /*verbose=*/false);
      const auto root = bot.MCTSearch(state);
      return double(root->explore_count);
    };
  };
  const auto constant = std::make_shared<ConstantEvaluator>();
  const auto rollout = std::make_shared<algorithms::RandomRolloutEvaluator>(1, 1);
  Measure("Mcts/Constant/1600", states, seconds, mcts(constant, 1600));
  Measure("Mcts/Constant/100000", states, seconds, mcts(constant, 100000));
  Measure("Mcts/Playout/1600", states, seconds, mcts(rollout, 1600));
  // Nodes: states made, that is afterstates, throws after them, and afterstates of these.
  Measure("Expectiminimax/2", states, seconds, [&](const State& state) {
    double leaves = 0;
    algorithms::ExpectiminimaxSearch(
        *game, &state, [&](const State&) { return ++leaves, 0.0; }, 2, state.CurrentPlayer());
    return leaves + 22.0 * state.LegalActions().size();
  });
}
