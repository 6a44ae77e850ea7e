#pragma once

// What is said between us and GNU Backgammon: positions as lines of its external-player interface,
// its answers as our plays. No sockets here. All functions are thread-safe.

#include <string>
#include <string_view>

#include "engine/backgammon/backgammon.h"
#include "engine/core/error.h"

namespace berd::gnubg {

// `board:me:opp:…` as the side on turn sees it; the dice are 0 before they are thrown. Asks for a
// play if it is sent alone. Requires: phase kRoll or kPlay.
std::string BoardLine(const BackgammonState& state);

// Asks for the value of the position to the side on turn, before its throw, looking ahead `plies`
// (0 is the network alone). Requires: phase kRoll or kPlay (whose dice do not matter).
std::string EvaluationRequest(const BackgammonState& state, int plies);

// The legal play with the same result as a move in the notation of gnubg, an empty one being the
// pass. Understood are `8/5 6/5`, `bar/22` and `25/22`, `6/off` and `6/0`, the hit `13/7*`, several
// men `6/4(2)` and the steps of a man in a row `24/18*/13`; the steps may stand in any order. What
// is not named is not touched: `24/13` hits nothing on its way. Requires: phase kPlay.
Result<tables::Play> ParseMove(const BackgammonRules& rules, const BackgammonState& state,
                               std::string_view move);

// Probabilities, a gammon being a win too and a backgammon also a gammon, and the expected points.
struct Evaluation {
  double win = 0;
  double gammon = 0;
  double backgammon = 0;
  double lost_gammon = 0;
  double lost_backgammon = 0;
  double equity = 0;
};

Result<Evaluation> ParseEvaluation(std::string_view answer);

}  // namespace berd::gnubg
