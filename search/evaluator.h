#pragma once

#include <span>

#include "engine/core/game.h"

namespace berd {

// Something that estimates win shares. `near` is a state from which all of `states` are few steps
// away (their parent, as a rule): evaluators work by differences from it. `shares` has seats()
// entries a state, state by state: the expected win share of each seat, counted per side (the seats
// of one side have equal entries, and the sum over sides is 1). None of the states may be an end.
// An evaluator keeps buffers and is not thread-safe; copies are independent.
template <class E, class G>
concept Evaluator = Game<G> &&
    requires(E& evaluator, const typename G::Rules& rules, const typename G::State& near,
             std::span<const typename G::State* const> states, std::span<float> shares) {
  { evaluator.Evaluate(rules, near, states, shares) } -> std::same_as<void>;
};

}  // namespace berd
