#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "engine/core/game.h"
#include "search/values.h"

namespace berd {

// Values a state by playing one game from it to the end, all decisions uniform over the legal
// actions (small steps). Draws depend on the seed, the state and how many states were valued
// before. Not thread-safe; copies draw alike for equal states.
template <Game G>
class PlayoutEvaluator {
 public:
  explicit PlayoutEvaluator(std::uint64_t seed) : seed_(seed) {}

  // As if it were new, made with this seed.
  void Reseed(std::uint64_t seed) {
    seed_ = seed;
    playouts_ = 0;
  }

  void Evaluate(const typename G::Rules& rules, const typename G::State&,
                std::span<const typename G::State* const> states, std::span<float> values) {
    const std::size_t size = ValuesPerState<G>(rules);
    for (std::size_t i = 0; i < states.size(); ++i) {
      RandomStream random(seed_, G::key(*states[i]) >> 8, Purpose::kAgent, playouts_++);
      typename G::State state = *states[i];
      while (true) {
        const Waits waits = G::waits(state);
        if (waits == Waits::kEnd) break;
        G::apply(rules, state,
                 waits == Waits::kChance ? G::sample_chance(rules, state, random)
                                         : G::sample_legal(rules, state, random));
      }
      FinalValues<G>(rules, state, values.subspan(i * size, size));
    }
  }

 private:
  std::uint64_t seed_;
  std::uint32_t playouts_ = 0;
};

}  // namespace berd
