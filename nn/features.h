#pragma once

#include <cstdint>
#include <string_view>

#include "engine/core/bounded_list.h"
#include "engine/core/game.h"

namespace berd {

// One sparse input of a network: input `index` has the value `weight`.
struct Feature {
  std::uint32_t index;
  float weight;
  friend bool operator==(const Feature&, const Feature&) = default;
};

// Features of one part of a state (a square, or what belongs to no square).
using FeatureList = BoundedList<Feature, 64>;

// How a game's states become network inputs: specialised for each game in nn/<game>_features.h with
//
//   kName     name and version of the feature set; changes whenever the meaning of an index does
//   kInputs   number of inputs
//   ChangedSquares(rules, a, b)             the squares whose features differ between two states of
//                                           one game (a superset is allowed)
//   OccupiedSquares(rules, state)           the squares that have features
//   AddSquare(rules, state, seat, square, list)   appends the features of a square in the frame of
//                                           the seat, with ascending indices
//   AddGlobal(rules, state, seat, list)     appends all other features, ascending
//   MarginScale(rules)                      scores are divided by it to make training targets
//
// Thread-safe: no state.
template <Game G>
struct Features;

// All features of a state in the frame of one seat, in no particular order.
template <Game G, class Visit>
void ForEachFeature(const typename G::Rules& rules, const typename G::State& state, int seat,
                    Visit&& visit) {
  FeatureList list;
  Features<G>::AddGlobal(rules, state, seat, list);
  for (const auto& feature : list) visit(feature);
  ForEachMember(Features<G>::OccupiedSquares(rules, state), [&](int square) {
    list.clear();
    Features<G>::AddSquare(rules, state, seat, square, list);
    for (const auto& feature : list) visit(feature);
  });
}

}  // namespace berd
