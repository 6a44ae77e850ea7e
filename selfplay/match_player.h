#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "engine/bradspel/match.h"
#include "search/play.h"
#include "selfplay/arena.h"

namespace berd {

// Plays matches of Brädspel for the arena: what it calls a game is a match here. The share is that
// of the match, a drawn one is shared; score and equity are points of the whole match. The agents
// play each game for its points, whatever the score.
class BradspelMatchPlayer final : public GamePlayer {
 public:
  // One agent per player. Requires: games is odd.
  BradspelMatchPlayer(const BradspelRules& rules, int games,
                      std::vector<std::unique_ptr<Agent<Bradspel>>> players, int random_opening = 0)
      : rules_(rules), games_(games), players_(std::move(players)), opening_(random_opening) {}

  GameOutcome Play(const GameSeeds& seeds, std::span<const int> player_on_seat) override {
    std::array<Agent<Bradspel>*, 2> seated{};
    for (std::size_t seat = 0; seat < 2; ++seat) {
      seated[seat] = players_[static_cast<std::size_t>(player_on_seat[seat])].get();
    }
    GameOutcome outcome;
    BradspelMatch match(games_, rules_);
    while (!match.over()) {
      BradspelState state = FirstState(match.starter());
      outcome.decisions += PlayOn<Bradspel>(
          rules_, state, seated, SeedsOfGame(seeds, match.played()), [](const auto&, auto) {},
          &opening_);
      outcome.turns += static_cast<long>(Bradspel::turns(state));
      outcome.capped |= Bradspel::turns(state) >= rules_.cap;
      match.Add(Bradspel::outcome(state));
    }
    const std::optional<Seat> winner = match.Leader();
    outcome.winning_sides = winner ? 1 : 2;
    for (int seat = 0; seat < 2; ++seat) {
      const auto at = static_cast<std::size_t>(seat);
      outcome.share[at] = winner ? (*winner == Seat(seat) ? 1 : 0) : 0.5;
      outcome.score[at] = match.points(Seat(seat));
      outcome.equity[at] = match.points(Seat(seat)) - match.points(Seat(1 - seat));
    }
    return outcome;
  }

 private:
  // Other dice and agents' random numbers in each game of a match, the same for equal matches.
  GameSeeds SeedsOfGame(const GameSeeds& seeds, int game) const {
    const auto games = static_cast<std::uint64_t>(games_);
    const auto number = static_cast<std::uint64_t>(game);
    return {seeds.seed, seeds.dice * games + number, seeds.game * games + number};
  }

  BradspelState FirstState(std::optional<Seat> starter) const {
    BradspelState state = Bradspel::initial(rules_);
    if (starter) Bradspel::apply(rules_, state, *starter == Seat(0) ? 1u : 0u);
    return state;
  }

  BradspelRules rules_;
  int games_;
  std::vector<std::unique_ptr<Agent<Bradspel>>> players_;
  RandomOpening<Bradspel> opening_;
};

}  // namespace berd
