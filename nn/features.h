#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "engine/core/bits.h"
#include "engine/core/bounded_list.h"
#include "engine/core/game.h"

namespace berd {

// One sparse input of a network: input `index` has the value `weight`.
struct Feature {
  std::uint32_t index;
  float weight;
  friend bool operator==(const Feature&, const Feature&) = default;
};

// Features of one square.
using FeatureList = BoundedList<Feature, 64>;

// How a game's states become network inputs: specialised for each game in nn/<game>_features.h.
// Features are of four kinds, so that the differences between two states are cheap to find.
//
//   kName     name and version of the feature set; changes whenever the meaning of an index does
//   kInputs   number of inputs
//
// 1. Features of a square, which follow from what is on it alone. A square is any place of the game
//    where something can lie, also a bar, a hand or an area:
//   Squares(rules)                          the number of squares, at most 64
//   OccupiedSquares(rules, state)           the squares that have features
//   ChangedSquares(rules, a, b)             the squares whose features differ between two states of
//                                           one game with equal frames (a superset is allowed)
//   SquareCode(rules, state, square)        64 bits that tell what is there: features and sums of
//                                           the square follow from them and the frames
//   AddSquare(rules, state, seat, square, list)   appends them in the frame of the seat, with
//                                           ascending indices
// 2. Numbers that are sums over squares:
//   kSums, kFirstSum, AddSums(rules, state, seat, square, sums)   adds a square's part to inputs
//                                           kFirstSum, kFirstSum + 1, …
// What follows may need to know more about the state, for all seats at once:
//   Facts, Note(rules, state)               …
//   NoteNear(rules, near, near_facts, state)   the same, given the facts of a similar state
// 3. Sets that give a feature of weight 1 for each member: relations between squares. Members are
//   squares, or whatever else the game numbers; a small number may be a set of one member, so that
//   it changes at the cost of two rows. In the frame of the seat they are 0 .. kFrame - 1. Their
//   features may be summed up too:
//   Members(rules)                          members are 0 .. Members(rules) - 1, at most 64
//   kSetPlanes, Sets(rules, facts, state, seat)
//   Frame(state, seat)                      a number that tells the seat's frame
//   FrameIndex(rules, frame, seat, member)  the feature is kFirstSet + plane * kFrame + frame index
//   kSetSums, kFirstSetSum, AddSetSums(rules, plane, frame_index, sums)   adds a member's part
// 4. All other numbers:
//   kGlobals, kFirstGlobal, FillGlobals(rules, state, facts, seat, globals)   fills in the inputs
//                                           kFirstGlobal, …; `globals` is all zero before
//   SameGlobals(rules, a, a_facts, b, b_facts)   whether they are the same in both states, for all
//                                           seats (false is always allowed)
//
//   MarginScale(rules)                      scores are divided by it to make training targets
//
// Thread-safe: no state.
template <Game G>
struct Features;

template <Game G>
using FeatureSums = std::array<float, Features<G>::kSums>;
template <Game G>
using FeatureSetSums = std::array<float, Features<G>::kSetSums>;

// Inputs kFirstGlobal, …, with room up to a multiple of 16.
template <Game G>
struct alignas(64) FeatureGlobals {
  std::array<float, (Features<G>::kGlobals + 15) / 16 * 16> value{};
};

// All features of a state in the frame of one seat, each index once, in no particular order.
// `facts` are Features<G>::Note(rules, state).
template <Game G, class Visit>
void ForEachFeature(const typename G::Rules& rules, const typename G::State& state,
                    const typename Features<G>::Facts& facts, int seat, Visit&& visit) {
  using F = Features<G>;
  FeatureList list;
  FeatureSums<G> sums{};
  ForEachMember(F::OccupiedSquares(rules, state), [&](int square) {
    F::AddSums(rules, state, seat, square, sums);
    list.clear();
    F::AddSquare(rules, state, seat, square, list);
    for (const auto& feature : list) visit(feature);
  });
  const auto visit_numbers = [&](std::uint32_t index, const auto& numbers) {
    for (const float number : numbers) {
      if (number != 0) visit(Feature{index, number});
      ++index;
    }
  };
  visit_numbers(F::kFirstSum, sums);
  const auto sets = F::Sets(rules, facts, state, seat);
  FeatureSetSums<G> set_sums{};
  for (std::uint32_t plane = 0; plane < F::kSetPlanes; ++plane) {
    ForEachMember(sets[plane], [&](int square) {
      const std::uint32_t index = F::FrameIndex(rules, F::Frame(state, seat), seat, square);
      F::AddSetSums(rules, plane, index, set_sums);
      visit(Feature{F::kFirstSet + plane * F::kFrame + index, 1});
    });
  }
  visit_numbers(F::kFirstSetSum, set_sums);
  FeatureGlobals<G> globals;
  F::FillGlobals(rules, state, facts, seat, globals.value);
  visit_numbers(F::kFirstGlobal, globals.value);
}

// Room for all features of a state in one frame.
using AllFeatures = BoundedList<Feature, 1024>;

}  // namespace berd
