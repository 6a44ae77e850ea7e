#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "engine/core/error.h"
#include "engine/games.h"
#include "nn/aligned_floats.h"
#include "nn/content_rows.h"
#include "nn/features.h"
#include "nn/game_features.h"
#include "nn/inference.h"

namespace berd {

// Values of states by a network (search/evaluator.h). The features of `near` are summed in
// full, those of the states by their differences from it. Siblings differ in few squares and find
// few things there, so each thing on a square becomes one row, listed and summed once.
//
// Not thread-safe; copies are independent and share the weights. The functions are defined in
// net_evaluator-inl.h and compiled once for every game, in net_evaluator_*.cc.
template <Game G>
class NetEvaluator {
 public:
  using Rules = typename G::Rules;
  using State = typename G::State;

  // For games of these rules only. Requires: Fits.
  NetEvaluator(std::shared_ptr<const Network> network, const Rules& rules);

  // Whether the network was made for the features of this game.
  static Result<void> Fits(const Network& network, const Rules& rules);

  void Evaluate(const Rules& rules, const State& near, std::span<const State* const> states,
                std::span<float> values);

  // All outputs of the network, shape.outputs() per state and seat.
  void Outputs(const Rules& rules, const State& near, std::span<const State* const> states,
               std::span<float> outputs);

  // Replaces the list by what ForEachFeature visits.
  static void ListFeatures(const Rules& rules, const State& state,
                           const typename Features<G>::Facts& facts, int seat, AllFeatures& list);

 private:
  using F = Features<G>;
  using Facts = typename F::Facts;

  static std::size_t Index(int index) { return static_cast<std::size_t>(index); }
  std::span<const std::uint8_t> Sides(const Rules& rules);

  // Up to so many planes of sets are gone through without asking which of them differ.
  static constexpr std::uint32_t kFewPlanes = 8;

  // Numbers of rows in `set_rows_`; room for a whole vector behind the last.
  using SetRowList = std::array<std::uint16_t, 64 * F::kSetPlanes + 32>;

  // The encoder's rows of set features, with their parts of the sums over members.
  void FillSetRows(const Rules& rules);
  void SumFeatures(const Rules& rules, const State& near, std::span<const State* const> states);

  // Looks up the frame indices of all squares, for the set features; true if a frame is new.
  bool LookUpFrames(const Rules& rules, const State& state);

  // The sums of `near` for one seat, but with the globals of the first state.
  void SumNear(const Rules& rules, const State& near, std::size_t i);
  void AddNumbers(std::uint32_t index, std::span<const float> numbers);
  void SumState(const Rules& rules, const State& near, const State& state, float* out);
  static bool SameFrames(const Rules& rules, const State& a, const State& b);

  // A state that shares nothing with the others: seats that choose where they start.
  void SumAlone(const Rules& rules, const State& state, const Facts& facts, float* out);

  // Writes the rows (in `set_rows_`) of the members of a set; returns the end.
  std::uint16_t* PutSetRows(std::uint32_t plane, int seat, SquareSet set,
                            std::uint16_t* rows) const;

  void AddGlobalChanges(const Rules& rules, const State& state, const Facts& facts, int seat);

  Inference inference_;
  AlignedFloats set_rows_;  // [plane][frame index][width]
  std::array<std::uint8_t, kMaxSeats> side_{};
  AlignedFloats sums_;  // [state][seat][width]
  // The frames of `near`, and the frame index by square.
  std::array<int, kMaxSeats> frame_;
  struct alignas(64) FrameIndices : std::array<std::uint8_t, 64> {};
  std::array<FrameIndices, kMaxSeats> frame_index_{};
  // `near`, and the globals of the first state: most states share them.
  AlignedFloats near_sums_;  // [seat][width]
  Facts near_facts_;
  std::array<typename F::SetArray, kMaxSeats> near_sets_;
  const State* first_ = nullptr;
  Facts first_facts_;
  std::array<FeatureGlobals<G>, kMaxSeats> first_globals_;
  SquareSet near_squares_ = 0;                 // occupied
  std::array<std::size_t, 64> near_contents_;  // by square
  ContentRows<G> contents_;
  // Of the state and seat at hand.
  std::array<const float*, 64> added_rows_;
  std::array<const float*, 64> removed_rows_;
  AllFeatures changes_;
};

extern template class NetEvaluator<Race<Race2>>;
extern template class NetEvaluator<Race<Race4>>;
extern template class NetEvaluator<Race<Race16>>;
extern template class NetEvaluator<Race<Race4Valued>>;
extern template class NetEvaluator<Race<Race16Valued>>;
extern template class NetEvaluator<Duel<false>>;
extern template class NetEvaluator<Duel<true>>;
extern template class NetEvaluator<Backgammon>;
extern template class NetEvaluator<Bradspel>;
extern template class NetEvaluator<Birth>;

}  // namespace berd
