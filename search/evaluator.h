#pragma once

#include <span>

#include "engine/core/game.h"

namespace berd {

// Something that estimates win shares. `shares` has seats() entries a state, state by state: the
// expected win share of each seat, counted per side (the seats of one side have equal entries, and
// the sum over sides is 1). None of the states may be an end. An evaluator keeps buffers and is not
// thread-safe; copies are independent.
template <class E, class G>
concept Evaluator = Game<G> && requires(E& evaluator, const typename G::Rules& rules,
                                        std::span<const typename G::State* const> states,
                                        std::span<float> shares) {
  { evaluator.Evaluate(rules, states, shares) } -> std::same_as<void>;
};

}  // namespace berd
