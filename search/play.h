#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "engine/core/game.h"
#include "search/agent.h"
#include "search/random_opening.h"

namespace berd {

// The numbers that fix a game between given agents. Chance is drawn from the stream of
// (seed, dice, chance event number of the seat whose turn it is), so that games with equal `dice`
// give the same throws to the same seats whoever plays; agents draw from (seed, game).
struct GameSeeds {
  std::uint64_t seed = 0;
  std::uint64_t dice = 0;  // and random openings; shared by the games of a block
  std::uint64_t game = 0;  // differs for every game
};

// Index of a chance stream: number of chance events so far in turns of that seat. At most 2^24.
constexpr std::uint32_t ChanceIndex(Seat turn, std::uint32_t events) {
  return static_cast<std::uint32_t>(turn.index()) << 24 | events;
}

// Plays on from `state` to the end, a new game to the agents; `agents` by seat.
// `on_action(state_before, action)` sees every action and outcome. With an `opening` its decisions
// come first, drawn from (seed, dice). Returns the number of decisions taken (small steps).
template <Game G, class OnAction>
long PlayOn(const typename G::Rules& rules, typename G::State& state,
            std::span<Agent<G>* const> agents, const GameSeeds& seeds, OnAction&& on_action,
            RandomOpening<G>* opening = nullptr) {
  std::array<std::uint32_t, kMaxSeats> chance_events{};
  std::uint32_t choices = 0;
  const int random_choices = opening == nullptr ? 0 : opening->decisions();
  int random_made = 0;
  long decisions = 0;
  ActionList<typename G::Action> path;
  const bool hidden = HidesValues(rules);
  for (Agent<G>* const agent : agents) agent->NewGame();
  while (true) {
    const Waits waits = G::waits(state);
    if (waits == Waits::kEnd) return decisions;
    if (waits == Waits::kChance) {
      const Seat turn = G::turn(state);
      RandomStream random(
          seeds.seed, seeds.dice, Purpose::kChance,
          ChanceIndex(turn, chance_events[static_cast<std::size_t>(turn.index())]++));
      const auto outcome = G::sample_chance(rules, state, random);
      on_action(state, outcome);
      G::apply(rules, state, outcome);
      continue;
    }
    const bool in_opening = random_made < random_choices;
    if (in_opening) {
      RandomStream random(seeds.seed, seeds.dice, Purpose::kExploration,
                          static_cast<std::uint32_t>(random_made++));
      opening->Choose(rules, state, random, path);
    } else {
      const Seat actor = G::actor(state);
      RandomStream random(seeds.seed, seeds.game, Purpose::kAgent, choices++);
      agents[static_cast<std::size_t>(actor.index())]->Choose(
          rules, G::observe(rules, state, actor), random, path);
    }
    for (const auto action : path) {
      on_action(state, action);
      G::apply(rules, state, action);
      ++decisions;
      if (hidden && !in_opening) break;
    }
  }
}

template <Game G>
long PlayOn(const typename G::Rules& rules, typename G::State& state,
            std::span<Agent<G>* const> agents, const GameSeeds& seeds) {
  return PlayOn<G>(rules, state, agents, seeds, [](const auto&, auto) {});
}

}  // namespace berd
