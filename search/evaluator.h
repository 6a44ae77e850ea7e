#pragma once

#include <span>

#include "engine/core/game.h"

namespace berd {

// Something that estimates values (search/values.h). `near` is a state from which all of `states`
// are few steps away (their parent, as a rule): evaluators work by differences from it. `values`
// has ValuesPerState entries a state, state by state. None of the states may be an end. An
// evaluator keeps buffers and is not thread-safe; copies are independent.
template <class E, class G>
concept Evaluator = Game<G> &&
    requires(E& evaluator, const typename G::Rules& rules, const typename G::State& near,
             std::span<const typename G::State* const> states, std::span<float> values) {
  { evaluator.Evaluate(rules, near, states, values) } -> std::same_as<void>;
};

}  // namespace berd
