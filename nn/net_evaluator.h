#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/core/error.h"
#include "engine/core/game.h"
#include "nn/features.h"
#include "nn/game_features.h"
#include "nn/inference.h"

namespace berd {

// Win shares of states by a network (search/evaluator.h). The features of `near` are summed in
// full, those of the states by their differences from it.
//
// Not thread-safe; copies are independent and share the weights.
template <Game G>
class NetEvaluator {
 public:
  using Rules = typename G::Rules;
  using State = typename G::State;

  // Requires: Fits.
  explicit NetEvaluator(std::shared_ptr<const Network> network) : inference_(std::move(network)) {}

  // Whether the network was made for the features of this game.
  static Result<void> Fits(const Network& network, const Rules& rules) {
    if (network.shape.features != Features<G>::kName ||
        network.shape.inputs != Features<G>::kInputs) {
      return Fail("the network has features '" + network.shape.features + "', but " +
                  rules.ToString() + " needs '" + std::string(Features<G>::kName) +
                  "'; train one with `berd train`");
    }
    return {};
  }

  void Evaluate(const Rules& rules, const State& near, std::span<const State* const> states,
                std::span<float> shares) {
    SumFeatures(rules, near, states);
    inference_.WinShares(sums_, states.size(), Sides(rules), shares);
  }

  // All outputs of the network, kOutputs per state and seat.
  void Outputs(const Rules& rules, const State& near, std::span<const State* const> states,
               std::span<float> outputs) {
    SumFeatures(rules, near, states);
    inference_.Outputs(sums_, states.size(), Sides(rules), outputs);
  }

 private:
  std::span<const std::uint8_t> Sides(const Rules& rules) {
    for (int seat = 0; seat < rules.seats(); ++seat) {
      side_[static_cast<std::size_t>(seat)] = static_cast<std::uint8_t>(G::side(rules, Seat(seat)));
    }
    return std::span<const std::uint8_t>(side_).first(static_cast<std::size_t>(rules.seats()));
  }

  void SumFeatures(const Rules& rules, const State& near, std::span<const State* const> states) {
    const auto seats = static_cast<std::size_t>(rules.seats());
    const std::size_t width = inference_.width();
    const std::size_t stride = seats * width;
    if (sums_.size() < states.size() * stride) sums_.resize(states.size() * stride);
    if (near_sums_.size() < stride) near_sums_.resize(stride);
    for (std::size_t seat = 0; seat < seats; ++seat) {
      changes_.clear();
      ForEachFeature<G>(rules, near, static_cast<int>(seat),
                        [&](Feature feature) { changes_.push_back(feature); });
      inference_.Sum(nullptr, changes_, near_sums_.data() + seat * width);
      near_square_sums_[seat] = {};
      ForEachMember(Features<G>::OccupiedSquares(rules, near), [&](int square) {
        Features<G>::AddToSums(rules, near, static_cast<int>(seat), square, 1,
                               near_square_sums_[seat]);
      });
      near_sets_[seat] = Features<G>::Sets(rules, near, static_cast<int>(seat));
      near_global_[seat].clear();
      Features<G>::AddGlobal(rules, near, static_cast<int>(seat), near_square_sums_[seat],
                             near_sets_[seat], near_global_[seat]);
    }
    for (std::size_t s = 0; s < states.size(); ++s) {
      const SquareSet changed = Features<G>::ChangedSquares(rules, near, *states[s]);
      for (std::size_t seat = 0; seat < seats; ++seat) {
        ListChanges(rules, near, *states[s], changed, static_cast<int>(seat));
        inference_.Sum(near_sums_.data() + seat * width, changes_,
                       sums_.data() + s * stride + seat * width);
      }
    }
  }

  // Fills `changes_` with the features to add (and take away) from one state to another.
  void ListChanges(const Rules& rules, const State& from, const State& to, SquareSet changed,
                   int seat) {
    changes_.clear();
    auto sums = near_square_sums_[static_cast<std::size_t>(seat)];
    ForEachMember(changed, [&](int square) {
      Features<G>::AddToSums(rules, from, seat, square, -1, sums);
      Features<G>::AddToSums(rules, to, seat, square, 1, sums);
      before_.clear();
      after_.clear();
      Features<G>::AddSquare(rules, from, seat, square, before_);
      Features<G>::AddSquare(rules, to, seat, square, after_);
      Replace(before_, after_);
    });
    const auto& near_sets = near_sets_[static_cast<std::size_t>(seat)];
    const auto sets = Features<G>::Sets(rules, to, seat);
    for (std::size_t plane = 0; plane < sets.size(); ++plane) {
      ForEachMember(near_sets[plane] ^ sets[plane], [&](int square) {
        changes_.push_back({Features<G>::SetFeature(rules, to, seat, plane, square),
                            Has(sets[plane], square) ? 1.0f : -1.0f});
      });
    }
    after_.clear();
    Features<G>::AddGlobal(rules, to, seat, sums, sets, after_);
    Replace(near_global_[static_cast<std::size_t>(seat)], after_);
  }

  // Exchanges one ascending list of features for another; what is in both is left alone.
  void Replace(const FeatureList& before, const FeatureList& after) {
    std::size_t a = 0;
    std::size_t b = 0;
    while (a < before.size() && b < after.size()) {
      if (before[a].index < after[b].index) {
        changes_.push_back({before[a].index, -before[a].weight});
        ++a;
      } else if (after[b].index < before[a].index) {
        changes_.push_back(after[b++]);
      } else {
        const float change = after[b].weight - before[a].weight;
        if (change != 0) changes_.push_back({after[b].index, change});
        ++a;
        ++b;
      }
    }
    for (; a < before.size(); ++a) changes_.push_back({before[a].index, -before[a].weight});
    for (; b < after.size(); ++b) changes_.push_back(after[b]);
  }

  Inference inference_;
  std::array<std::uint8_t, kMaxSeats> side_{};
  std::vector<float> sums_;
  std::vector<float> near_sums_;
  std::array<FeatureList, kMaxSeats> near_global_;
  std::array<typename Features<G>::Sums, kMaxSeats> near_square_sums_;
  std::array<typename Features<G>::SetArray, kMaxSeats> near_sets_;
  BoundedList<Feature, 1024> changes_;
  FeatureList before_;
  FeatureList after_;
};

}  // namespace berd
