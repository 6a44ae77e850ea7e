#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/core/any_game.h"
#include "engine/games.h"
#include "selfplay/any_agent.h"

namespace berd {

// What wins are worth: one entry a class of win (docs/decisions/0008), its points.
std::vector<int> ClassPoints(const AnyRules& game);

// The win share of a seat, and where games are worth points its equity, from values by seat and
// class (search/values.h).
double WinShareFrom(const AnyRules& game, std::span<const float> values, Seat seat);
double UtilityFrom(const AnyRules& game, std::span<const float> values, Seat seat);

// What follows one outcome of a chance event.
struct OutcomeAnalysis {
  std::string outcome;
  std::uint32_t weight = 0;
  double value = 0;                    // when the deciding seat does what is best
  double luck = 0;                     // value less the mean over all outcomes
  std::vector<std::string> best = {};  // that; empty where nobody decides
  // Chance goes on: the value is what the agent expects, not one of a search.
  bool estimate = false;
};

// A chance event as the seat on turn sees it.
struct ChanceAnalysis {
  Seat seat;  // whose values they are
  // The value before the event: the mean over the outcomes, or where these are too many to list
  // what the agent expects.
  double mean = 0;
  std::vector<float> values;  // the same by seat and class; empty where not known
  std::uint32_t total_weight = 0;
  std::vector<OutcomeAnalysis> outcomes;  // best first; empty where there are too many to list
};

// Values every outcome by what the agent thinks best after it, so that a deeper search gives deeper
// values; a mean over exact weights. `progress` is told how many outcomes are done, of how many.
// The error says why the agent cannot do that. Requires: the position waits for chance.
Result<ChanceAnalysis> AnalyseChance(
    const AnyRules& game, const AnyPosition& position, AnyAgent& agent,
    const std::function<void(std::size_t, std::size_t)>& progress = {});

// The value of one more outcome, as AnalyseChance does it. For events that cannot be listed.
Result<OutcomeAnalysis> AnalyseOutcome(const AnyRules& game, const AnyPosition& position,
                                       const std::string& outcome, AnyAgent& agent);

// Where the actions that a player took stand in a ranking of all choices.
struct PlayedAnalysis {
  std::size_t rank = 0;  // 1: the best
  // How many of the actions the choice is: where choices are single small steps, not all.
  std::size_t actions = 0;
  double error = 0;  // the best one's value less that of the choice
};

// Nothing if no choice leads where the actions lead; then the turn is not complete. Requires: the
// actions are legal, one after another; the ranking has all choices of the position.
std::optional<PlayedAnalysis> AnalysePlayed(const AnyPosition& position, const Ranking& ranking,
                                            std::span<const std::string> actions);

// Whether nothing is left to decide for the same seat when the actions are done.
bool CompletesTurn(const AnyPosition& position, std::span<const std::string> actions);

}  // namespace berd
