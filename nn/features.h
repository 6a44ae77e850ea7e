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
//   kSetPlanes, Sets(rules, state, seat)    sets of squares that each give a feature of weight 1 a
//                                           member, at SetFeature(rules, state, seat, plane,
//                                           square): relations between squares
//   Sums, AddToSums(rules, state, seat, square, sign, sums)   numbers that are sums over squares:
//                                           adds a square's part or (sign -1) takes it away
//   AddGlobal(rules, state, seat, sums, sets, list)   appends all other features, ascending; `sums`
//                                           are those of all occupied squares
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
  typename Features<G>::Sums sums;
  ForEachMember(Features<G>::OccupiedSquares(rules, state), [&](int square) {
    Features<G>::AddToSums(rules, state, seat, square, 1, sums);
    list.clear();
    Features<G>::AddSquare(rules, state, seat, square, list);
    for (const auto& feature : list) visit(feature);
  });
  const auto sets = Features<G>::Sets(rules, state, seat);
  for (std::size_t plane = 0; plane < sets.size(); ++plane) {
    ForEachMember(sets[plane], [&](int square) {
      visit(Feature{Features<G>::SetFeature(rules, state, seat, plane, square), 1});
    });
  }
  list.clear();
  Features<G>::AddGlobal(rules, state, seat, sums, sets, list);
  for (const auto& feature : list) visit(feature);
}

}  // namespace berd
