#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include <span>
#include <string>
#include <vector>

#if defined(__AVX512VBMI2__) && defined(__AVX512VL__)
#include <immintrin.h>
#endif

#include "engine/core/error.h"
#include "engine/core/game.h"
#include "nn/aligned_floats.h"
#include "nn/differing_elements.h"
#include "nn/features.h"
#include "nn/game_features.h"
#include "nn/inference.h"

namespace berd {

// Win shares of states by a network (search/evaluator.h). The features of `near` are summed in
// full, those of the states by their differences from it. Siblings differ in few squares and find
// few things there, so each thing on a square becomes one row, listed and summed once.
//
// Not thread-safe; copies are independent and share the weights.
template <Game G>
class NetEvaluator {
 public:
  using Rules = typename G::Rules;
  using State = typename G::State;

  // For games of these rules only. Requires: Fits.
  NetEvaluator(std::shared_ptr<const Network> network, const Rules& rules)
      : inference_(std::move(network)) {
    frame_.fill(-1);
    FillSetRows(rules);
  }

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
  using F = Features<G>;
  using Facts = typename F::Facts;

  std::span<const std::uint8_t> Sides(const Rules& rules) {
    for (int seat = 0; seat < rules.seats(); ++seat) {
      side_[static_cast<std::size_t>(seat)] = static_cast<std::uint8_t>(G::side(rules, Seat(seat)));
    }
    return std::span<const std::uint8_t>(side_).first(static_cast<std::size_t>(rules.seats()));
  }

  // Numbers of rows in `set_rows_`; room for a whole vector behind the last.
  using SetRowList = std::array<std::uint16_t, 64 * F::kSetPlanes + 32>;

  // What is on one square in some of the states. Its number is its place in `variant_rows_`.
  struct Variant {
    std::uint64_t code = 0;
    std::uint32_t square = 0;
    std::uint32_t generation = 0;  // in use if it is the present one
    std::uint32_t number = 0;
  };

  // The encoder's rows of set features, with their parts of the sums over members.
  void FillSetRows(const Rules& rules) {
    const std::size_t width = inference_.width();
    set_rows_.assign(F::kSetPlanes * F::kFrame * width, 0.0f);
    for (std::uint32_t plane = 0; plane < F::kSetPlanes; ++plane) {
      for (std::uint32_t index = 0; index < F::kFrame; ++index) {
        const std::uint32_t feature = plane * F::kFrame + index;
        FeatureSetSums<G> sums{};
        F::AddSetSums(rules, plane, index, sums);
        changes_.clear();
        changes_.push_back({F::kFirstSet + feature, 1});
        AddNumbers(F::kFirstSetSum, sums);
        float* row = set_rows_.data() + feature * width;
        SumChanges(row);
      }
    }
  }
  void SumFeatures(const Rules& rules, const State& near, std::span<const State* const> states) {
    if (states.empty()) return;
    const auto seats = static_cast<std::size_t>(rules.seats());
    const std::size_t stride = seats * inference_.width();
    if (sums_.size() < states.size() * stride) sums_.resize(states.size() * stride);
    if (near_sums_.size() < stride) near_sums_.resize(stride);
    near_facts_ = F::Note(rules, near);
    first_ = states[0];
    first_facts_ = F::NoteNear(rules, near, near_facts_, *first_);
    for (std::size_t i = 0; i < seats; ++i) {
      const int seat = static_cast<int>(i);
      LookUpFrame(rules, near, seat);
      near_sets_[i] = F::Sets(rules, near_facts_, near, seat);
      first_globals_[i] = {};
      F::FillGlobals(rules, *first_, first_facts_, seat, first_globals_[i].value);
      SumAll(rules, near, seat, near_sets_[i], first_globals_[i],
             near_sums_.data() + i * inference_.width());
    }
    ForgetVariants();
    for (std::size_t s = 0; s < states.size(); ++s) {
      SumState(rules, near, *states[s], sums_.data() + s * stride);
    }
  }

  // Frame indices of all squares, for the set features.
  void LookUpFrame(const Rules& rules, const State& state, int seat) {
    const auto i = static_cast<std::size_t>(seat);
    const int frame = F::Frame(state, seat);
    if (frame == frame_[i]) return;
    frame_[i] = frame;
    for (int square = 0; square < rules.squares; ++square) {
      frame_index_[i][static_cast<std::size_t>(square)] =
          static_cast<std::uint8_t>(F::FrameIndex(rules, frame, seat, square));
    }
  }

  // out = the sums of all features, with these globals.
  void SumAll(const Rules& rules, const State& state, int seat, const typename F::SetArray& sets,
              const FeatureGlobals<G>& globals, float* out) {
    FeatureSums<G> sums{};
    changes_.clear();
    ForEachMember(F::OccupiedSquares(rules, state), [&](int square) {
      F::AddSums(rules, state, seat, square, sums);
      after_.clear();
      F::AddSquare(rules, state, seat, square, after_);
      for (const Feature& feature : after_) changes_.push_back(feature);
    });
    AddNumbers(F::kFirstSum, sums);
    AddNumbers(F::kFirstGlobal, globals.value);
    SetRowList added;
    std::uint16_t* end_added = added.data();
    for (std::uint32_t plane = 0; plane < F::kSetPlanes; ++plane) {
      end_added = PutSetRows(plane, seat, sets[plane], end_added);
    }
    inference_.Sum({.base = inference_.bias().data(),
                    .rows = {},
                    .table = set_rows_.data(),
                    .added = {added.data(), end_added},
                    .removed = {},
                    .features = changes_},
                   out);
  }

  // Adds the weighted rows of `changes_`.
  void SumChanges(float* out) const {
    inference_.Sum({.base = out,
                    .rows = {},
                    .table = nullptr,
                    .added = {},
                    .removed = {},
                    .features = changes_},
                   out);
  }

  template <std::size_t kSize>
  void AddNumbers(std::uint32_t index, const std::array<float, kSize>& numbers) {
    for (const float number : numbers) {
      if (number != 0) changes_.push_back({index, number});
      ++index;
    }
  }

  void SumState(const Rules& rules, const State& near, const State& state, float* out) {
    const auto seats = static_cast<std::size_t>(rules.seats());
    const std::size_t width = inference_.width();
    const Facts facts = F::NoteNear(rules, near, near_facts_, state);
    if (!SameFrames(rules, near, state)) return SumAlone(rules, near, state, facts, out);
    const bool same_globals = F::SameGlobals(rules, *first_, first_facts_, state, facts);
    std::size_t squares = 0;
    ForEachMember(F::ChangedSquares(rules, near, state), [&](int square) {
      variants_here_[squares++] = FindVariant(rules, near, state, square) * seats * width;
    });
    for (std::size_t i = 0; i < seats; ++i) {
      const int seat = static_cast<int>(i);
      const float* variant_rows = variant_rows_.data() + i * width;
      for (std::size_t v = 0; v < squares; ++v) rows_[v] = variant_rows + variants_here_[v];
      const auto sets = F::Sets(rules, facts, state, seat);
      SetRowList added;
      SetRowList removed;
      std::uint16_t* end_added = added.data();
      std::uint16_t* end_removed = removed.data();
      for (std::uint32_t plane = 0; plane < F::kSetPlanes; ++plane) {
        const SquareSet before = near_sets_[i][plane];
        end_added = PutSetRows(plane, seat, sets[plane] & ~before, end_added);
        end_removed = PutSetRows(plane, seat, before & ~sets[plane], end_removed);
      }
      changes_.clear();
      if (!same_globals) AddGlobalChanges(rules, state, facts, seat);
      inference_.Sum({.base = near_sums_.data() + i * width,
                      .rows = std::span(rows_).first(squares),
                      .table = set_rows_.data(),
                      .added = {added.data(), end_added},
                      .removed = {removed.data(), end_removed},
                      .features = changes_},
                     out + i * width);
    }
  }

  static bool SameFrames(const Rules& rules, const State& a, const State& b) {
    bool same = true;
    for (int seat = 0; seat < rules.seats(); ++seat) same &= F::Frame(a, seat) == F::Frame(b, seat);
    return same;
  }

  // A state that shares nothing with the others.
  void SumAlone(const Rules& rules, const State& near, const State& state, const Facts& facts,
                float* out) {
    for (int seat = 0; seat < rules.seats(); ++seat) {
      LookUpFrame(rules, state, seat);
      FeatureGlobals<G> globals;
      F::FillGlobals(rules, state, facts, seat, globals.value);
      SumAll(rules, state, seat, F::Sets(rules, facts, state, seat), globals,
             out + static_cast<std::size_t>(seat) * inference_.width());
      LookUpFrame(rules, near, seat);
    }
  }

  // Writes the rows (in `set_rows_`) of the members of a set; returns the end.
  std::uint16_t* PutSetRows(std::uint32_t plane, int seat, SquareSet set,
                            std::uint16_t* rows) const {
    const auto& frame_index = frame_index_[static_cast<std::size_t>(seat)];
    const auto first = static_cast<std::uint16_t>(plane * F::kFrame);
#if defined(__AVX512VBMI2__) && defined(__AVX512VL__)
    // Most sets have few members, but how few is hard to foresee: no branches.
    const auto put = [&](std::uint32_t members, const std::uint8_t* indices) {
      const __m256i list = _mm256_maskz_compress_epi8(
          members, _mm256_load_si256(reinterpret_cast<const __m256i*>(indices)));
      _mm512_storeu_si512(rows, _mm512_add_epi16(_mm512_cvtepu8_epi16(list),
                                                 _mm512_set1_epi16(static_cast<short>(first))));
      rows += std::popcount(members);
    };
    put(static_cast<std::uint32_t>(set), frame_index.data());
    if (set >> 32 != 0) put(static_cast<std::uint32_t>(set >> 32), frame_index.data() + 32);
    return rows;
#else
    ForEachMember(set, [&](int square) {
      *rows++ = static_cast<std::uint16_t>(first + frame_index[static_cast<std::size_t>(square)]);
    });
    return rows;
#endif
  }

  void AddGlobalChanges(const Rules& rules, const State& state, const Facts& facts, int seat) {
    FeatureGlobals<G> globals;
    F::FillGlobals(rules, state, facts, seat, globals.value);
    ForEachDifference(
        first_globals_[static_cast<std::size_t>(seat)].value, globals.value,
        [&](std::size_t i, float change) {
          changes_.push_back({F::kFirstGlobal + static_cast<std::uint32_t>(i), change});
        });
  }

  std::size_t FindVariant(const Rules& rules, const State& near, const State& state, int square) {
    const std::uint64_t code = F::SquareCode(rules, state, square);
    const auto place = static_cast<std::uint32_t>(square);
    const std::uint64_t hash = (code + place) * 0x9e3779b97f4a7c15ULL;
    for (std::size_t at = hash >> 32;; ++at) {
      Variant& variant = variants_[at & (variants_.size() - 1)];
      if (variant.generation != generation_) {
        variant = {code, place, generation_, variant_count_++};
        AddVariantRows(rules, near, state, square);
        const std::size_t number = variant.number;
        if (2 * variant_count_ > variants_.size()) GrowVariants();
        return number;
      }
      if (variant.code == code && variant.square == place) return variant.number;
    }
  }

  void ForgetVariants() {
    variant_rows_.clear();
    variant_count_ = 0;
    if (++generation_ == 0) {  // after 2^32 uses
      std::fill(variants_.begin(), variants_.end(), Variant{});
      generation_ = 1;
    }
  }

  void GrowVariants() {
    std::vector<Variant> old(2 * variants_.size());
    old.swap(variants_);
    for (const Variant& variant : old) {
      if (variant.generation != generation_) continue;
      const std::uint64_t hash = (variant.code + variant.square) * 0x9e3779b97f4a7c15ULL;
      std::size_t at = hash >> 32;
      while (variants_[at & (variants_.size() - 1)].generation == generation_) ++at;
      variants_[at & (variants_.size() - 1)] = variant;
    }
  }

  void AddVariantRows(const Rules& rules, const State& near, const State& state, int square) {
    const std::size_t width = inference_.width();
    const auto seats = static_cast<std::size_t>(rules.seats());
    const std::size_t begin = variant_rows_.size();
    variant_rows_.resize(begin + seats * width);  // zeros
    for (std::size_t i = 0; i < seats; ++i) {
      const int seat = static_cast<int>(i);
      FeatureSums<G> sums_before{};
      FeatureSums<G> sums{};
      F::AddSums(rules, near, seat, square, sums_before);
      F::AddSums(rules, state, seat, square, sums);
      for (std::size_t j = 0; j < sums.size(); ++j) sums[j] -= sums_before[j];
      changes_.clear();
      AddNumbers(F::kFirstSum, sums);
      before_.clear();
      after_.clear();
      F::AddSquare(rules, near, seat, square, before_);
      F::AddSquare(rules, state, seat, square, after_);
      Replace(before_, after_);
      float* row = variant_rows_.data() + begin + i * width;
      SumChanges(row);
    }
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
  // What the states have on their squares, and its difference from `near`.
  std::vector<Variant> variants_ = std::vector<Variant>(256);  // hashed
  std::uint32_t generation_ = 0;
  std::uint32_t variant_count_ = 0;
  AlignedFloats variant_rows_;  // [number][seat][width]
  // Of the state, seat or square at hand.
  std::array<std::size_t, 64> variants_here_;
  std::array<const float*, 64> rows_;
  BoundedList<Feature, 1024> changes_;
  FeatureList before_;
  FeatureList after_;
};

}  // namespace berd
