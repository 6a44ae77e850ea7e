#include "tools/arena_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace berd {

namespace {

using Json = nlohmann::ordered_json;

constexpr long kFewBlocks = 20;

std::string Elo(double elo) {
  if (std::isnan(elo)) return "-";
  if (std::isinf(elo)) return elo > 0 ? "+inf" : "-inf";
  return fmt::format("{:+.0f}", elo);
}

std::string Time(double seconds) {
  const auto whole = static_cast<long>(std::lround(std::min(seconds, 1e9)));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{}:{:02} min", whole / 60, whole % 60);
  return fmt::format("{}:{:02} h", whole / 3600, whole / 60 % 60);
}

std::string_view DecisionName(SprtDecision decision) {
  switch (decision) {
    case SprtDecision::kH0:
      return "H0";
    case SprtDecision::kH1:
      return "H1";
    case SprtDecision::kNone:
      break;
  }
  return "none";
}

std::string SprtLine(const Sprt& sprt) {
  const SprtOptions& options = sprt.options();
  std::string verdict = "undecided";
  if (sprt.decision() == SprtDecision::kH0) verdict = "H0 accepted";
  if (sprt.decision() == SprtDecision::kH1) verdict = "H1 accepted";
  return fmt::format(
      "sequential test of the first agent, H0: at most {:+g} Elo, H1: at least {:+g}: {}\n"
      "(evidence for H0 {:.2f} of {:.2f}, for H1 {:.2f} of {:.2f})\n",
      options.elo0, options.elo1, verdict, sprt.evidence_h0(), sprt.bound_h0(), sprt.evidence_h1(),
      sprt.bound_h1());
}

std::string EloInterval(const Interval& interval) {
  return "[" + Elo(interval.low) + ", " + Elo(interval.high) + "]";
}

// Null where a number is unbounded.
Json Finite(double number) { return std::isfinite(number) ? Json(number) : Json(nullptr); }

Json SprtJson(const Sprt& sprt) {
  const SprtOptions& options = sprt.options();
  return {{"elo0", options.elo0},
          {"elo1", options.elo1},
          {"alpha", options.alpha},
          {"beta", options.beta},
          {"decision", DecisionName(sprt.decision())},
          {"evidence_h0", sprt.evidence_h0()},
          {"bound_h0", sprt.bound_h0()},
          {"evidence_h1", sprt.evidence_h1()},
          {"bound_h1", sprt.bound_h1()}};
}

std::string EquityLines(const ArenaHeading& heading, const ArenaResult& result, std::size_t width) {
  std::string text = fmt::format("\n{:<{}}  {:>9}  {:^18}\n", "points won less lost", width + 2,
                                 "equity", "95 % interval");
  for (std::size_t i = 0; i < result.agents.size(); ++i) {
    const AgentResult& agent = result.agents[i];
    text += fmt::format("{} {:<{}}  {:>+9.4f}  [{:+.4f}, {:+.4f}]\n", static_cast<char>('a' + i),
                        heading.agents[i], width, agent.equity, agent.equity_ci95.low,
                        agent.equity_ci95.high);
  }
  return text;
}

std::string Ratio(double ratio) {
  return std::isfinite(ratio) ? fmt::format("{:.2f}", ratio) : "-";
}

// The table of the results without luck, under the raw one.
std::string AdjustedLines(const ArenaHeading& heading, const ArenaResult& result,
                          std::size_t width) {
  std::string text = "\nwithout luck, as told by " + heading.luck + "\n";
  text += fmt::format("{:<{}}  {:>9}  {:^16}  {:>6}  {:^14}  {:>14}\n", "", width, "win share",
                      "95 % interval", "Elo", "95 % interval", "variance, 1 in");
  bool larger = false;
  for (std::size_t i = 0; i < result.agents.size(); ++i) {
    const AgentResult& agent = result.agents[i];
    const LuckAdjusted& share = *agent.win_share_adjusted;
    larger |= share.variance_ratio < 1;
    text += fmt::format("{} {:<{}}  {:>9.4f}  [{:.4f}, {:.4f}]  {:>6}  {:^14}  {:>14}\n",
                        static_cast<char>('a' + i), heading.agents[i], width - 2, share.mean,
                        share.ci95.low, share.ci95.high, Elo(agent.elo_adjusted),
                        EloInterval(agent.elo_ci95_adjusted), Ratio(share.variance_ratio));
  }
  if (result.for_points) {
    text += fmt::format("\n{:<{}}  {:>9}  {:^18}  {:>14}\n", "points won less lost", width + 2,
                        "equity", "95 % interval", "variance, 1 in");
    for (std::size_t i = 0; i < result.agents.size(); ++i) {
      const LuckAdjusted& equity = *result.agents[i].equity_adjusted;
      larger |= equity.variance_ratio < 1;
      text += fmt::format("{} {:<{}}  {:>+9.4f}  [{:+.4f}, {:+.4f}]  {:>14}\n",
                          static_cast<char>('a' + i), heading.agents[i], width, equity.mean,
                          equity.ci95.low, equity.ci95.high, Ratio(equity.variance_ratio));
    }
  }
  if (larger) {
    text +=
        "A variance of 1 in less than 1 is larger than the raw one: let the raw figures count.\n";
  }
  return text;
}

// Adds the figures without luck to an agent's object.
void AddAdjusted(const AgentResult& agent, Json& object) {
  const auto interval = [](const Interval& ci) -> Json {
    return {Finite(ci.low), Finite(ci.high)};
  };
  if (const auto& share = agent.win_share_adjusted) {
    object["win_share_adjusted"] = share->mean;
    object["ci95_adjusted"] = interval(share->ci95);
    object["variance_ratio"] = Finite(share->variance_ratio);
    object["elo_adjusted"] = Finite(agent.elo_adjusted);
    object["elo_ci95_adjusted"] = interval(agent.elo_ci95_adjusted);
  }
  if (const auto& equity = agent.equity_adjusted) {
    object["equity_adjusted"] = equity->mean;
    object["equity_ci95_adjusted"] = interval(equity->ci95);
    object["equity_variance_ratio"] = Finite(equity->variance_ratio);
  }
}

}  // namespace

std::string ArenaTable(const ArenaHeading& heading, const ArenaResult& result) {
  std::size_t width = 5;
  for (const auto& agent : heading.agents) width = std::max(width, agent.size() + 2);
  int sides = 0;
  for (const auto& agent : result.agents) sides += agent.sides;
  std::string text = fmt::format(
      "{}: {} games in {} blocks of {}, seed {}, {} thread{}, {:.0f} "
      "games/s\n\n",
      heading.rules, result.games, result.blocks, result.block_games, result.seed, result.threads,
      result.threads == 1 ? "" : "s", result.games_per_s);
  text += fmt::format("{:<{}}  {:>5}  {:>9}  {:^16}  {:>8}  {:>6}  {:^14}\n", "agent", width,
                      heading.teams ? "teams" : "seats", "win share", "95 % interval", "score",
                      "Elo", "95 % interval");
  for (std::size_t i = 0; i < result.agents.size(); ++i) {
    const AgentResult& agent = result.agents[i];
    text += fmt::format("{} {:<{}}  {:>5}  {:>9.4f}  [{:.4f}, {:.4f}]  {:>8.2f}  {:>6}  {:^14}\n",
                        static_cast<char>('a' + i), heading.agents[i], width - 2, agent.sides,
                        agent.win_share, agent.ci95.low, agent.ci95.high, agent.mean_score,
                        Elo(agent.elo), EloInterval(agent.elo_ci95));
  }
  if (result.for_points) text += EquityLines(heading, result, width);
  if (!heading.luck.empty()) text += AdjustedLines(heading, result, width);
  text += fmt::format(
      "\neven share {:.4f}, shared wins {:.2f} %, {:.1f} decisions and {:.1f} turns "
      "a game, cap reached in {:.2f} %\n",
      1.0 / sides, 100 * result.shared_win_rate, result.decisions_per_game, result.turns_per_game,
      100 * result.capped_rate);
  if (result.sprt) text += SprtLine(*result.sprt);
  if (result.blocks < kFewBlocks) {
    text += fmt::format("fewer than {} blocks: take the intervals as a rough guide\n", kFewBlocks);
  }
  return text;
}

Json ArenaJson(const ArenaHeading& heading, const ArenaResult& result) {
  Json agents = Json::array();
  for (std::size_t i = 0; i < result.agents.size(); ++i) {
    const AgentResult& agent = result.agents[i];
    agents.push_back({{"agent", heading.agents[i]},
                      {"sides", agent.sides},
                      {"win_share", agent.win_share},
                      {"ci95", {agent.ci95.low, agent.ci95.high}},
                      {"mean_score", agent.mean_score},
                      {"elo", Finite(agent.elo)},
                      {"elo_ci95", {Finite(agent.elo_ci95.low), Finite(agent.elo_ci95.high)}}});
    if (result.for_points) {
      agents.back()["equity"] = agent.equity;
      agents.back()["equity_ci95"] = {Finite(agent.equity_ci95.low),
                                      Finite(agent.equity_ci95.high)};
    }
    AddAdjusted(agent, agents.back());
  }
  Json object = {{"rules", heading.rules},
                 {"games", result.games},
                 {"blocks", result.blocks},
                 {"agents", std::move(agents)},
                 {"shared_win_rate", result.shared_win_rate},
                 {"capped_rate", result.capped_rate},
                 {"decisions_per_game", result.decisions_per_game},
                 {"turns_per_game", result.turns_per_game},
                 {"seconds", result.seconds},
                 {"games_per_s", result.games_per_s},
                 {"seed", result.seed},
                 {"threads", result.threads}};
  if (!heading.luck.empty()) object["luck"] = heading.luck;
  if (result.sprt) object["sprt"] = SprtJson(*result.sprt);
  return object;
}

std::string ProgressLine(const ArenaProgress& progress) {
  return fmt::format("{} of {} games, {:.0f} games/s, {} left, first agent's share {:.3f}",
                     progress.games, progress.games_most, progress.games_per_s,
                     Time(progress.seconds_left), progress.win_share);
}

}  // namespace berd
