#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/any_game.h"
#include "engine/core/error.h"
#include "engine/games.h"
#include "selfplay/analysis.h"
#include "selfplay/any_agent.h"

namespace berd {

// What is asked about one position.
struct AnalysisQuestion {
  std::string position;  // a position string or view; "" is the initial one
  std::string roll;      // an outcome of the chance event there, "" for none
  std::string played;    // what was played then, "" if nothing is asked about it
};

// The roll that came, as the seat on turn sees it.
struct RollReport {
  std::string outcome;
  ChanceAnalysis chance;
  double value = 0;
  double luck = 0;  // only an estimate where the outcomes cannot be listed
};

// What came out. `position` is the one after the roll; one of decision, chance and end is there.
struct AnalysisReport {
  AnyRules game;
  std::string agent;
  std::unique_ptr<AnyPosition> position;
  std::optional<Seat> seat;  // who looks: the one to decide, or on turn
  std::optional<RollReport> roll;
  std::optional<Ranking> decision;  // all choices
  std::vector<std::string> played_actions;
  std::optional<PlayedAnalysis> played;
  std::optional<ChanceAnalysis> chance;

  // The position as the seat that looks sees it.
  std::string Shown() const;
  RankedBy by() const;
};

// Answers a question. The error says what is wrong with it, or why the agent has no answer.
// `progress`: as that of AnalyseChance.
Result<AnalysisReport> Analyse(const AnyRules& game, const AnalysisQuestion& question,
                               AnyAgent& agent, const std::string& agent_name,
                               const std::function<void(std::size_t, std::size_t)>& progress);

// For people: lines of at most 80 columns, but for the position string; at most `most` choices or
// outcomes, all for 0.
std::string ReportText(const AnalysisReport& report, std::size_t most);
// For programs: docs/reference/analyze.md. At most `most`, as above.
nlohmann::ordered_json ReportJson(const AnalysisReport& report, std::size_t most);

}  // namespace berd
