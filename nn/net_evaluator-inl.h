#pragma once

// The functions of NetEvaluator, for the files that instantiate it.

#include <algorithm>
#include <bit>
#include <string>
#include <utility>

#if defined(__AVX512VBMI2__) && defined(__AVX512VL__)
#include <immintrin.h>
#endif

#include "nn/differing_elements.h"
#include "nn/net_evaluator.h"

namespace berd {

template <Game G>
NetEvaluator<G>::NetEvaluator(std::shared_ptr<const Network> network, const Rules& rules)
    : inference_(std::move(network)) {
  frame_.fill(-1);
  FillSetRows(rules);
}

template <Game G>
Result<void> NetEvaluator<G>::Fits(const Network& network, const Rules& rules) {
  if (network.shape.features != Features<G>::kName ||
      network.shape.inputs != Features<G>::kInputs || network.shape.classes != kOutcomeClasses<G>) {
    return Fail("the network has features '" + network.shape.features + "', but " +
                rules.ToString() + " needs '" + std::string(Features<G>::kName) +
                "'; train one with `berd train`");
  }
  return {};
}

template <Game G>
void NetEvaluator<G>::Evaluate(const Rules& rules, const State& near,
                               std::span<const State* const> states, std::span<float> values) {
  SumFeatures(rules, near, states);
  inference_.Values(sums_, states.size(), Sides(rules), values);
}

template <Game G>
void NetEvaluator<G>::Outputs(const Rules& rules, const State& near,
                              std::span<const State* const> states, std::span<float> outputs) {
  SumFeatures(rules, near, states);
  inference_.Outputs(sums_, states.size(), Sides(rules), outputs);
}

template <Game G>
void NetEvaluator<G>::ListFeatures(const Rules& rules, const State& state,
                                   const typename Features<G>::Facts& facts, int seat,
                                   AllFeatures& list) {
  list.clear();
  ForEachFeature<G>(rules, state, facts, seat, [&](Feature feature) { list.push_back(feature); });
}

template <Game G>
inline std::span<const std::uint8_t> NetEvaluator<G>::Sides(const Rules& rules) {
  for (int seat = 0; seat < rules.seats(); ++seat) {
    side_[Index(seat)] = static_cast<std::uint8_t>(G::side(rules, Seat(seat)));
  }
  return std::span<const std::uint8_t>(side_).first(static_cast<std::size_t>(rules.seats()));
}

template <Game G>
inline void NetEvaluator<G>::FillSetRows(const Rules& rules) {
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
      inference_.Sum({.base = row, .features = changes_}, row);
    }
  }
}

template <Game G>
inline void NetEvaluator<G>::SumFeatures(const Rules& rules, const State& near,
                                         std::span<const State* const> states) {
  if (states.empty()) return;
  const auto seats = static_cast<std::size_t>(rules.seats());
  const std::size_t stride = seats * inference_.width();
  if (sums_.size() < states.size() * stride) sums_.resize(states.size() * stride);
  if (near_sums_.size() < stride) near_sums_.resize(stride);
  near_facts_ = F::Note(rules, near);
  first_ = states[0];
  first_facts_ = F::NoteNear(rules, near, near_facts_, *first_);
  contents_.Begin(stride * sizeof(float), LookUpFrames(rules, near));
  near_squares_ = F::OccupiedSquares(rules, near);
  ForEachMember(near_squares_, [&](int square) {
    near_contents_[Index(square)] = contents_.Find(inference_, rules, near, square);
  });
  for (std::size_t i = 0; i < seats; ++i) SumNear(rules, near, i);
  for (std::size_t s = 0; s < states.size(); ++s) {
    SumState(rules, near, *states[s], sums_.data() + s * stride);
  }
}

template <Game G>
inline bool NetEvaluator<G>::LookUpFrames(const Rules& rules, const State& state) {
  bool changed = false;
  for (int seat = 0; seat < rules.seats(); ++seat) {
    const int frame = F::Frame(state, seat);
    if (frame == frame_[Index(seat)]) continue;
    frame_[Index(seat)] = frame;
    changed = true;
    for (int square = 0; square < F::Members(rules); ++square) {
      frame_index_[Index(seat)][Index(square)] =
          static_cast<std::uint8_t>(F::FrameIndex(rules, frame, seat, square));
    }
  }
  return changed;
}

template <Game G>
inline void NetEvaluator<G>::SumNear(const Rules& rules, const State& near, std::size_t i) {
  const int seat = static_cast<int>(i);
  const std::size_t width = inference_.width();
  near_sets_[i] = F::Sets(rules, near_facts_, near, seat);
  first_globals_[i] = {};
  F::FillGlobals(rules, *first_, first_facts_, seat, first_globals_[i].value);
  changes_.clear();
  AddNumbers(F::kFirstGlobal, first_globals_[i].value);
  const float** end_rows = added_rows_.data();
  ForEachMember(near_squares_, [&](int square) {
    *end_rows++ = contents_.rows() + near_contents_[Index(square)] + i * width;
  });
  SetRowList added;
  std::uint16_t* end_added = added.data();
  for (std::uint32_t plane = 0; plane < F::kSetPlanes; ++plane) {
    end_added = PutSetRows(plane, seat, near_sets_[i][plane], end_added);
  }
  inference_.Sum({.base = inference_.bias().data(),
                  .added_rows = {added_rows_.data(), end_rows},
                  .table = set_rows_.data(),
                  .added = {added.data(), end_added},
                  .features = changes_},
                 near_sums_.data() + i * width);
}

template <Game G>
inline void NetEvaluator<G>::AddNumbers(std::uint32_t index, std::span<const float> numbers) {
  for (const float number : numbers) {
    if (number != 0) changes_.push_back({index, number});
    ++index;
  }
}

template <Game G>
inline void NetEvaluator<G>::SumState(const Rules& rules, const State& near, const State& state,
                                      float* out) {
  const auto seats = static_cast<std::size_t>(rules.seats());
  const std::size_t width = inference_.width();
  const Facts facts = F::NoteNear(rules, near, near_facts_, state);
  if (!SameFrames(rules, near, state)) return SumAlone(rules, state, facts, out);
  const bool same_globals = F::SameGlobals(rules, *first_, first_facts_, state, facts);
  const SquareSet changed = F::ChangedSquares(rules, near, state);
  // Offsets, as finding contents may move the rows.
  std::array<std::size_t, 64> added_contents;
  std::size_t added_count = 0;
  ForEachMember(changed & F::OccupiedSquares(rules, state), [&](int square) {
    added_contents[added_count++] = contents_.Find(inference_, rules, state, square);
  });
  std::array<std::size_t, 64> removed_contents;
  std::size_t removed_count = 0;
  ForEachMember(changed & near_squares_, [&](int square) {
    removed_contents[removed_count++] = near_contents_[Index(square)];
  });
  for (std::size_t i = 0; i < seats; ++i) {
    const int seat = static_cast<int>(i);
    const float* rows = contents_.rows() + i * width;
    for (std::size_t c = 0; c < added_count; ++c) added_rows_[c] = rows + added_contents[c];
    for (std::size_t c = 0; c < removed_count; ++c) removed_rows_[c] = rows + removed_contents[c];
    const auto sets = F::Sets(rules, facts, state, seat);
    SetRowList added;
    SetRowList removed;
    std::uint16_t* end_added = added.data();
    std::uint16_t* end_removed = removed.data();
    const auto put_plane = [&](std::uint32_t plane) {
      const SquareSet before = near_sets_[i][plane];
      end_added = PutSetRows(plane, seat, sets[plane] & ~before, end_added);
      end_removed = PutSetRows(plane, seat, before & ~sets[plane], end_removed);
    };
    if constexpr (F::kSetPlanes > kFewPlanes) {
      ForEachMember(DifferingElements(sets, near_sets_[i]),
                    [&](int plane) { put_plane(static_cast<std::uint32_t>(plane)); });
    } else {
      for (std::uint32_t plane = 0; plane < F::kSetPlanes; ++plane) put_plane(plane);
    }
    changes_.clear();
    if (!same_globals) AddGlobalChanges(rules, state, facts, seat);
    inference_.Sum({.base = near_sums_.data() + i * width,
                    .added_rows = std::span(added_rows_).first(added_count),
                    .removed_rows = std::span(removed_rows_).first(removed_count),
                    .table = set_rows_.data(),
                    .added = {added.data(), end_added},
                    .removed = {removed.data(), end_removed},
                    .features = changes_},
                   out + i * width);
  }
}

template <Game G>
inline bool NetEvaluator<G>::SameFrames(const Rules& rules, const State& a, const State& b) {
  bool same = true;
  for (int seat = 0; seat < rules.seats(); ++seat) same &= F::Frame(a, seat) == F::Frame(b, seat);
  return same;
}

template <Game G>
inline void NetEvaluator<G>::SumAlone(const Rules& rules, const State& state, const Facts& facts,
                                      float* out) {
  for (int seat = 0; seat < rules.seats(); ++seat) {
    ListFeatures(rules, state, facts, seat, changes_);
    inference_.Sum({.base = inference_.bias().data(), .features = changes_}, out);
    out += inference_.width();
  }
}

template <Game G>
inline std::uint16_t* NetEvaluator<G>::PutSetRows(std::uint32_t plane, int seat, SquareSet set,
                                                  std::uint16_t* rows) const {
  const auto& frame_index = frame_index_[Index(seat)];
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
    *rows++ = static_cast<std::uint16_t>(first + frame_index[Index(square)]);
  });
  return rows;
#endif
}

template <Game G>
inline void NetEvaluator<G>::AddGlobalChanges(const Rules& rules, const State& state,
                                              const Facts& facts, int seat) {
  FeatureGlobals<G> globals;
  F::FillGlobals(rules, state, facts, seat, globals.value);
  ForEachDifference(first_globals_[Index(seat)].value, globals.value,
                    [&](std::size_t i, float change) {
                      changes_.push_back({F::kFirstGlobal + static_cast<std::uint32_t>(i), change});
                    });
}

}  // namespace berd
