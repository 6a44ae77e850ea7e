#include "tools/analyze/report.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "tools/analyze/complete_view.h"
#include "tools/analyze/typed_actions.h"
#include "tools/play/game_face.h"
#include "tools/rules_argument.h"

namespace berd {

namespace {

using Progress = std::function<void(std::size_t, std::size_t)>;

tl::unexpected<Error> NoAnswer(const std::string& agent, const Error& why) {
  return Fail("agent '" + agent + "' " + why.message + "; net=FILE, playouts and solver=FILE can");
}

Result<RollReport> ReportRoll(const AnalysisReport& report, const std::string& typed,
                              AnyAgent& agent, const Progress& progress) {
  if (report.position->waits() != Waits::kChance) {
    return Fail("--roll: the position waits for no roll");
  }
  const auto outcome = ReadOutcome(*report.position, typed);
  if (!outcome) return Fail("--roll", outcome.error());
  auto chance = AnalyseChance(report.game, *report.position, agent, progress);
  if (!chance) return NoAnswer(report.agent, chance.error());
  RollReport roll{.outcome = *outcome, .chance = *std::move(chance)};
  const auto& listed = roll.chance.outcomes;
  const auto found = std::find_if(listed.begin(), listed.end(),
                                  [&](const auto& known) { return known.outcome == roll.outcome; });
  if (found != listed.end()) {
    roll.value = found->value;
  } else {
    const auto after = AnalyseOutcome(report.game, *report.position, roll.outcome, agent);
    if (!after) return NoAnswer(report.agent, after.error());
    roll.value = after->value;
  }
  roll.luck = roll.value - roll.chance.mean;
  return roll;
}

Result<void> ReportDecision(AnalysisReport& report, const std::string& played, AnyAgent& agent) {
  const AnyPosition& position = *report.position;
  // First what can be wrong with the question: the answer may take long.
  if (!played.empty()) {
    auto actions = ReadPlayed(position, played, HidesValues(report.game));
    if (!actions) return Fail("--played", actions.error());
    report.played_actions = *std::move(actions);
  }
  auto ranking = agent.Rank(position, std::numeric_limits<std::size_t>::max());
  if (!ranking.own) {
    return NoAnswer(report.agent, {"has no ranking of its own"});
  }
  report.decision = std::move(ranking);
  if (played.empty()) return {};
  report.played = AnalysePlayed(position, *report.decision, report.played_actions);
  if (!report.played) {
    return Fail("--played: " + std::string(1, FaceOf(position.rules()).letter(position.actor())) +
                " has more to decide after '" + report.played_actions.back() +
                "'; give the actions of the whole turn");
  }
  return {};
}

}  // namespace

std::string AnalysisReport::Shown() const {
  return seat ? position->View(*seat) : position->Position();
}

RankedBy AnalysisReport::by() const {
  if (decision) return decision->by;
  return ClassPoints(game).size() > 1 ? RankedBy::kEquity : RankedBy::kWinShare;
}

Result<AnalysisReport> Analyse(const AnyRules& game, const AnalysisQuestion& question,
                               AnyAgent& agent, const std::string& agent_name,
                               const Progress& progress) {
  AnalysisReport report{.game = game,
                        .agent = agent_name,
                        .position = InitialPosition(game),
                        .seat = {},
                        .roll = {},
                        .decision = {},
                        .played_actions = {},
                        .played = {},
                        .chance = {}};
  if (!question.position.empty()) {
    auto position = ParsePositionOrView(game, question.position);
    if (!position) return tl::unexpected(position.error());
    report.position = *std::move(position);
  }
  if (!question.roll.empty()) {
    auto roll = ReportRoll(report, question.roll, agent, progress);
    if (!roll) return tl::unexpected(roll.error());
    report.roll = *std::move(roll);
    if (auto ok = report.position->Apply(report.roll->outcome); !ok) {
      return tl::unexpected(ok.error());
    }
  }
  const Waits waits = report.position->waits();
  if (!question.played.empty() && waits != Waits::kDecision) {
    return Fail(waits == Waits::kEnd
                    ? "--played: the game is over, nothing could be played"
                    : "--played: the position waits for a roll; --roll OUTCOME names it");
  }
  if (waits == Waits::kDecision) {
    report.seat = report.position->actor();
    if (auto ok = ReportDecision(report, question.played, agent); !ok) {
      return tl::unexpected(ok.error());
    }
  } else if (waits == Waits::kChance) {
    report.seat = report.position->turn();
    auto chance = AnalyseChance(game, *report.position, agent, progress);
    if (!chance) return NoAnswer(agent_name, chance.error());
    report.chance = *std::move(chance);
  }
  return report;
}

}  // namespace berd
