#include "selfplay/analysis.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "search/values.h"

namespace berd {

namespace {

bool TwoSides(const AnyRules& game) {
  for (int seat = 0; seat < SeatsOf(game); ++seat) {
    if (SideOf(game, Seat(seat)) > 1) return false;
  }
  return true;
}

std::unique_ptr<AnyPosition> After(const AnyPosition& position,
                                   std::span<const std::string> actions) {
  auto after = position.Clone();
  for (const auto& action : actions) {
    if (!after->Apply(action)) return nullptr;
  }
  return after;
}

// The value for `seat` of a choice that `actor` makes.
std::optional<double> ValueFor(const AnyRules& game, Seat seat, Seat actor, RankedBy by,
                               const RankedChoice& choice) {
  if (SideOf(game, seat) == SideOf(game, actor)) return choice.value;
  if (!choice.values.empty()) return UtilityFrom(game, choice.values, seat);
  if (!TwoSides(game)) return std::nullopt;
  return by == RankedBy::kEquity ? -choice.value : 1 - choice.value;
}

// An outcome and the values after it by seat and class, where they are known.
struct Valued {
  OutcomeAnalysis outcome;
  std::vector<float> values;
};

Result<Valued> ValueOutcome(const AnyRules& game, const AnyPosition& position,
                            const NamedOutcome& outcome, AnyAgent& agent) {
  const auto after = position.Clone();
  if (auto ok = after->Apply(outcome.name); !ok) return tl::unexpected(ok.error());
  const Seat seat = position.turn();
  Valued valued{.outcome = {.outcome = outcome.name, .weight = outcome.weight}, .values = {}};
  const Error no_values{"values no position, so it cannot say what is luck"};
  if (after->waits() != Waits::kDecision) {
    valued.values = agent.Expect(*after);
    if (valued.values.empty()) return tl::unexpected(no_values);
    valued.outcome.value = UtilityFrom(game, valued.values, seat);
    valued.outcome.estimate = after->waits() == Waits::kChance;
    return valued;
  }
  Ranking ranking = agent.Rank(*after, 1);
  if (!ranking.own) return Fail("has no ranking of its own");
  if (ranking.by != RankedBy::kWinShare && ranking.by != RankedBy::kEquity) {
    return tl::unexpected(no_values);
  }
  auto& best = ranking.choices.front();
  const auto value = ValueFor(game, seat, after->actor(), ranking.by, best);
  if (!value) return tl::unexpected(no_values);
  valued.outcome.value = *value;
  valued.outcome.best = std::move(best.actions);
  valued.values = std::move(best.values);
  return valued;
}

}  // namespace

std::vector<int> ClassPoints(const AnyRules& game) {
  return VisitGame(game, []<class G>([[maybe_unused]] const typename G::Rules& rules) {
    std::vector<int> points;
    for (int c = 0; c < kOutcomeClasses<G>; ++c) {
      if constexpr (kOutcomeClasses < G >> 1) {
        points.push_back(G::class_points(rules, c));
      } else {
        points.push_back(1);
      }
    }
    return points;
  });
}

double WinShareFrom(const AnyRules& game, std::span<const float> values, Seat seat) {
  return VisitGame(game, [&]<class G>(const typename G::Rules& /*rules*/) {
    return double{WinShareOf<G>(values, seat)};
  });
}

double UtilityFrom(const AnyRules& game, std::span<const float> values, Seat seat) {
  return VisitGame(game, [&]<class G>(const typename G::Rules& rules) {
    return double{Utility<G>(rules, values, seat)};
  });
}

Result<ChanceAnalysis> AnalyseChance(
    const AnyRules& game, const AnyPosition& position, AnyAgent& agent,
    const std::function<void(std::size_t, std::size_t)>& progress) {
  ChanceAnalysis analysis{.seat = position.turn(), .values = {}, .outcomes = {}};
  const auto outcomes = position.Outcomes();
  if (outcomes.empty()) {
    analysis.values = agent.Expect(position);
    if (analysis.values.empty()) return Fail("values no position before a roll");
    analysis.mean = UtilityFrom(game, analysis.values, analysis.seat);
    return analysis;
  }
  for (const auto& outcome : outcomes) analysis.total_weight += outcome.weight;
  bool known = true;
  for (const auto& outcome : outcomes) {
    if (progress) progress(analysis.outcomes.size(), outcomes.size());
    auto valued = ValueOutcome(game, position, outcome, agent);
    if (!valued) return tl::unexpected(valued.error());
    const double probability = double(outcome.weight) / analysis.total_weight;
    analysis.mean += probability * valued->outcome.value;
    known = known && !valued->values.empty();
    analysis.values.resize(known ? valued->values.size() : 0, 0.0f);
    for (std::size_t i = 0; i < analysis.values.size(); ++i) {
      analysis.values[i] += static_cast<float>(probability) * valued->values[i];
    }
    analysis.outcomes.push_back(std::move(valued->outcome));
  }
  for (auto& outcome : analysis.outcomes) outcome.luck = outcome.value - analysis.mean;
  std::stable_sort(analysis.outcomes.begin(), analysis.outcomes.end(),
                   [](const auto& a, const auto& b) { return a.value > b.value; });
  return analysis;
}

Result<OutcomeAnalysis> AnalyseOutcome(const AnyRules& game, const AnyPosition& position,
                                       const std::string& outcome, AnyAgent& agent) {
  auto valued = ValueOutcome(game, position, {outcome, 0}, agent);
  if (!valued) return tl::unexpected(valued.error());
  return std::move(valued->outcome);
}

std::optional<PlayedAnalysis> AnalysePlayed(const AnyPosition& position, const Ranking& ranking,
                                            std::span<const std::string> actions) {
  std::vector<std::string> choices;  // where they lead
  for (const auto& choice : ranking.choices) {
    const auto after = After(position, choice.actions);
    choices.push_back(after ? after->Position() : "");
  }
  // The longest part of the actions that is a choice.
  for (std::size_t count = actions.size(); count > 0; --count) {
    const auto after = After(position, actions.first(count));
    if (!after) continue;
    const auto found = std::find(choices.begin(), choices.end(), after->Position());
    if (found == choices.end()) continue;
    const auto index = static_cast<std::size_t>(found - choices.begin());
    return PlayedAnalysis{.rank = index + 1,
                          .actions = count,
                          .error = ranking.choices.front().value - ranking.choices[index].value};
  }
  return std::nullopt;
}

bool CompletesTurn(const AnyPosition& position, std::span<const std::string> actions) {
  const auto after = After(position, actions);
  return after && (after->waits() != Waits::kDecision || after->actor() != position.actor() ||
                   after->turns() != position.turns());
}

}  // namespace berd
