#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

#include "tools/analyze/report.h"
#include "tools/play/game_face.h"

namespace berd {

namespace {

using Json = nlohmann::ordered_json;

std::string_view ByName(RankedBy by) {
  if (by == RankedBy::kWinShare) return "win_share";
  return by == RankedBy::kEquity ? "equity" : "novice_score";
}

std::string LetterOf(const AnalysisReport& report, Seat seat) {
  return std::string(1, FaceOf(report.position->rules()).letter(seat));
}

std::size_t Limited(std::size_t count, std::size_t most) {
  return most == 0 ? count : std::min(count, most);
}

// Win shares, and the classes of wins where there are several, by seat.
void AddValues(const AnalysisReport& report, const std::vector<float>& values, Json& object) {
  if (values.empty()) return;
  const auto seats = static_cast<std::size_t>(report.position->seats());
  const std::size_t classes = values.size() / seats;
  object["win_shares"] = Json::array();
  for (std::size_t seat = 0; seat < seats; ++seat) {
    object["win_shares"].push_back(WinShareFrom(report.game, values, Seat(static_cast<int>(seat))));
  }
  if (classes == 1) return;
  object["classes"] = Json::array();
  for (std::size_t seat = 0; seat < seats; ++seat) {
    const auto* first = values.data() + seat * classes;
    object["classes"].push_back(std::vector<float>(first, first + classes));
  }
}

void AddDepth(const RankedDepth& depth, Json& object) {
  if (depth.plies > 0) object["plies"] = depth.plies;
  if (depth.games > 0) {
    object["games"] = depth.games;
    object["standard_error"] = depth.standard_error;
    object["standard_error_of_error"] = depth.error_of_gap;
  }
  if (depth.margin) object["margin"] = *depth.margin;
}

Json ChoiceJson(const AnalysisReport& report, std::size_t index) {
  const auto& choices = report.decision->choices;
  const auto& choice = choices[index];
  Json object = {{"rank", index + 1}, {"actions", choice.actions}};
  if (!CompletesTurn(*report.position, choice.actions)) object["continues"] = true;
  object["value"] = choice.valued ? Json(choice.value) : Json(nullptr);
  object["error"] = choice.valued ? Json(choices[0].value - choice.value) : Json(nullptr);
  if (report.decision->search.simulations > 0) object["visits"] = choice.depth.visits;
  AddDepth(choice.depth, object);
  if (choice.valued) AddValues(report, choice.values, object);
  return object;
}

Json SearchJson(const SearchSummary<std::string>& search) {
  Json object = Json::object();
  if (search.simulations > 0) {
    object["simulations"] = search.simulations;
    object["depth_mean"] = search.depth_mean;
    object["depth_most"] = search.depth_most;
  }
  if (search.plies > 0) {
    object["plies"] = search.plies;
    object["complete"] = search.complete;
  }
  if (search.games > 0) object["games"] = search.games;
  if (search.nodes > 0) object["nodes"] = search.nodes;
  if (search.evaluations > 0) object["evaluations"] = search.evaluations;
  if (search.samples > 0) object["hidden_samples"] = search.samples;
  if (!search.line.empty()) object["principal_variation"] = search.line;
  return object;
}

void AddDecision(const AnalysisReport& report, std::size_t most, Json& object) {
  const auto& decision = *report.decision;
  object["choices_total"] = decision.choices.size();
  object["choices"] = Json::array();
  for (std::size_t i = 0; i < Limited(decision.choices.size(), most); ++i) {
    object["choices"].push_back(ChoiceJson(report, i));
  }
  object["search"] = SearchJson(decision.search);
  if (!report.played) return;
  object["played"] = ChoiceJson(report, report.played->rank - 1);
  object["played"]["given"] = report.played_actions;
}

void AddMean(const AnalysisReport& report, const ChanceAnalysis& chance, Json& object) {
  object["listed"] = !chance.outcomes.empty();
  object["mean"] = chance.mean;
  AddValues(report, chance.values, object);
}

void AddChance(const AnalysisReport& report, std::size_t most, Json& object) {
  const auto& chance = *report.chance;
  AddMean(report, chance, object);
  object["outcomes_total"] = chance.outcomes.size();
  object["outcomes"] = Json::array();
  for (std::size_t i = 0; i < Limited(chance.outcomes.size(), most); ++i) {
    const auto& outcome = chance.outcomes[i];
    object["outcomes"].push_back({{"outcome", outcome.outcome},
                                  {"weight", outcome.weight},
                                  {"probability", double(outcome.weight) / chance.total_weight},
                                  {"value", outcome.value},
                                  {"luck", outcome.luck},
                                  {"best", outcome.best},
                                  {"estimate", outcome.estimate}});
  }
}

Json RollJson(const AnalysisReport& report) {
  const auto& roll = *report.roll;
  Json object = {{"outcome", roll.outcome}, {"seat", LetterOf(report, roll.chance.seat)}};
  for (const auto& outcome : roll.chance.outcomes) {
    if (outcome.outcome != roll.outcome) continue;
    object["probability"] = double(outcome.weight) / roll.chance.total_weight;
  }
  AddMean(report, roll.chance, object);
  object["value"] = roll.value;
  object["luck"] = roll.luck;
  return object;
}

void AddEnd(const AnalysisReport& report, Json& object) {
  object["win_shares"] = Json::array();
  for (const auto share : report.position->WinShares()) {
    object["win_shares"].push_back(share.value());
  }
  object["scores"] = report.position->Scores();
}

}  // namespace

Json ReportJson(const AnalysisReport& report, std::size_t most) {
  Json object = {{"rules", report.position->rules()},
                 {"position", report.Shown()},
                 {"waits", report.decision ? "decision"
                           : report.chance ? "chance"
                                           : "end"}};
  if (report.seat) {
    object["agent"] = report.agent;
    object["seat"] = LetterOf(report, *report.seat);
    object["by"] = ByName(report.by());
    if (const auto points = ClassPoints(report.game); points.size() > 1) {
      object["class_points"] = points;
    }
  }
  if (report.roll) object["roll"] = RollJson(report);
  if (report.decision) {
    AddDecision(report, most, object);
  } else if (report.chance) {
    AddChance(report, most, object);
  } else {
    AddEnd(report, object);
  }
  return object;
}

}  // namespace berd
