#pragma once

#include <concepts>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "search/play.h"
#include "search/values.h"
#include "selfplay/agent_factory.h"
#include "selfplay/arena.h"
#include "selfplay/luck_meter.h"
#include "selfplay/match_player.h"

namespace berd {

// Plays games of one type for the arena.
template <Game G>
class GamePlayerOf final : public GamePlayer {
 public:
  using Rules = typename G::Rules;
  using State = typename G::State;

  // One agent per player: an agent is never shared by two seats, which may know different things.
  // Without a luck meter luck stays 0.
  GamePlayerOf(const Rules& rules, std::vector<std::unique_ptr<Agent<G>>> players,
               int random_opening = 0, std::unique_ptr<LuckMeter<G>> luck = nullptr)
      : rules_(rules),
        players_(std::move(players)),
        opening_(random_opening),
        luck_(std::move(luck)) {}

  GameOutcome Play(const GameSeeds& seeds, std::span<const int> player_on_seat) override {
    std::array<Agent<G>*, kMaxSeats> seated{};
    const std::size_t seats = player_on_seat.size();
    for (std::size_t seat = 0; seat < seats; ++seat) {
      seated[seat] = players_[static_cast<std::size_t>(player_on_seat[seat])].get();
    }
    State state = G::initial(rules_);
    GameOutcome outcome;
    if (luck_) luck_->Begin();
    const auto look_at = [&](const State& before, typename G::Action action) {
      if (luck_ && G::waits(before) == Waits::kChance) luck_->Add(rules_, before, action);
    };
    outcome.decisions =
        PlayOn<G>(rules_, state, std::span(seated).first(seats), seeds, look_at, &opening_);
    if (luck_) luck_->Sum(rules_, outcome.share_luck, outcome.equity_luck);
    Count(state, outcome);
    return outcome;
  }

 private:
  void Count(const State& state, GameOutcome& outcome) const {
    std::array<WinShare, kMaxSeats> shares;
    std::array<std::int64_t, kMaxSeats> scores{};
    const auto seats = static_cast<std::size_t>(rules_.seats());
    G::win_shares(rules_, state, std::span(shares).first(seats));
    G::scores(rules_, state, std::span(scores).first(seats));
    for (std::size_t seat = 0; seat < seats; ++seat) {
      outcome.share[seat] = shares[seat].value();
      outcome.score[seat] = static_cast<double>(scores[seat]);
      if (shares[seat].numerator > 0) outcome.winning_sides = shares[seat].denominator;
    }
    if constexpr (kOutcomeClasses < G >> 1) CountPoints(state, outcome);
    outcome.turns = static_cast<long>(G::turns(state));
    if constexpr (requires { rules_.cap; }) outcome.capped = G::turns(state) >= rules_.cap;
  }

  void CountPoints(const State& state, GameOutcome& outcome) const {
    std::array<float, kMostValues<G>> values{};
    FinalValues<G>(rules_, state, values);
    for (int seat = 0; seat < rules_.seats(); ++seat) {
      outcome.equity[static_cast<std::size_t>(seat)] =
          double{Utility<G>(rules_, values, Seat(seat))};
    }
  }

  Rules rules_;
  std::vector<std::unique_ptr<Agent<G>>> players_;
  RandomOpening<G> opening_;
  std::unique_ptr<LuckMeter<G>> luck_;
};

// The arena for agents that exist as makers only, such as a network in training. An agent that
// fails (AgentFailure) ends the match with an error. `make_luck` is needed with options.luck.
template <Game G>
Result<ArenaResult> RunArena(const typename G::Rules& rules,
                             const std::vector<AgentMaker<G>>& makers, const ArenaOptions& options,
                             const LuckMeterMaker<G>& make_luck = nullptr) {
  std::vector<int> side_of_seat;
  side_of_seat.reserve(static_cast<std::size_t>(rules.seats()));
  for (int seat = 0; seat < rules.seats(); ++seat) {
    side_of_seat.push_back(G::side(rules, Seat(seat)));
  }
  const auto line_up = LineUp::Make(side_of_seat, static_cast<int>(makers.size()));
  if (!line_up) return tl::unexpected(line_up.error());
  if (options.sprt && makers.size() < 2) return Fail("a sequential test needs two agents");
  if (options.match > 1 && !std::same_as<G, Bradspel>) {
    return Fail("matches are played in bradspel only, not in " + rules.ToString());
  }
  if (options.match % 2 == 0) return Fail("a match has an odd number of games");
  if (options.luck && options.sprt) {
    return Fail(
        "a sequential test needs scores between 0 and 1, which luck-adjusted ones are not; play a "
        "fixed number of games");
  }
  if (options.luck && options.match > 1) {
    return Fail("the luck is taken off single games only, not off matches");
  }
  const auto make_player = [&]() -> std::unique_ptr<GamePlayer> {
    std::vector<std::unique_ptr<Agent<G>>> players;
    players.reserve(static_cast<std::size_t>(line_up->seats()));
    for (int player = 0; player < line_up->seats(); ++player) {
      players.push_back(makers[static_cast<std::size_t>(line_up->AgentOfPlayer(player))]());
    }
    if constexpr (std::same_as<G, Bradspel>) {
      if (options.match > 1) {
        return std::make_unique<BradspelMatchPlayer>(rules, options.match, std::move(players),
                                                     options.random_opening);
      }
    }
    return std::make_unique<GamePlayerOf<G>>(rules, std::move(players), options.random_opening,
                                             options.luck ? make_luck() : nullptr);
  };
  try {
    ArenaResult result = PlayArena(*line_up, make_player, options);
    result.for_points = kOutcomeClasses<G> > 1;
    if (!result.for_points) {
      for (AgentResult& agent : result.agents) agent.equity_adjusted.reset();
    }
    return result;
  } catch (const AgentFailure& failure) {
    // No result: a match with a missing game would be a wrong one.
    return Fail(std::string("the match was stopped: ") + failure.what());
  }
}

}  // namespace berd
