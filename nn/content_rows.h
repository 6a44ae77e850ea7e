#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/core/bounded_list.h"
#include "nn/aligned_floats.h"
#include "nn/features.h"
#include "nn/inference.h"

namespace berd {

// What was found on squares, and the encoder's rows that it amounts to: for every seat the sum of
// the weighted rows of a square's features and sums (kinds 1 and 2 of nn/features.h). The same
// things are met again and again, in siblings and from move to move, so they are kept for as long
// as the frames stay the same, within a bound on memory.
//
// For one set of rules and one network. Not thread-safe.
template <Game G>
class ContentRows {
 public:
  using Rules = typename G::Rules;
  using State = typename G::State;

  // To be called before the rows of a decision are asked for: offsets found before lose their
  // meaning.
  void Begin(std::size_t row_bytes, bool other_frames) {
    if (other_frames || count_ * row_bytes > kMostBytes) Forget();
  }

  // Where the rows of an occupied square begin in rows(); seat by seat.
  std::size_t Find(const Inference& inference, const Rules& rules, const State& state, int square) {
    const std::uint64_t code = Features<G>::SquareCode(rules, state, square);
    const auto place = static_cast<std::uint32_t>(square);
    for (std::size_t at = Hash(code, place);; ++at) {
      Entry& entry = entries_[at & (entries_.size() - 1)];
      if (entry.generation != generation_) [[unlikely]] {
        entry = {code, place, generation_, Add(inference, rules, state, square)};
        const std::size_t offset = entry.offset;
        if (2 * ++count_ > entries_.size()) Grow();
        return offset;
      }
      if (entry.code == code && entry.square == place) return entry.offset;
    }
  }

  const float* rows() const { return rows_.data(); }

 private:
  // With the encoder this fits the second cache of one core.
  static constexpr std::size_t kMostBytes = 1 << 20;

  struct Entry {
    std::uint64_t code = 0;
    std::uint32_t square = 0;
    std::uint32_t generation = 0;  // in use if it is the present one
    std::size_t offset = 0;
  };

  static std::size_t Hash(std::uint64_t code, std::uint32_t square) {
    return ((code + square) * 0x9e3779b97f4a7c15ULL) >> 32;
  }

  void Forget() {
    rows_.clear();
    count_ = 0;
    if (++generation_ == 0) {  // after 2^32 uses
      std::fill(entries_.begin(), entries_.end(), Entry{});
      generation_ = 1;
    }
  }

  void Grow() {
    std::vector<Entry> old(2 * entries_.size());
    old.swap(entries_);
    for (const Entry& entry : old) {
      if (entry.generation != generation_) continue;
      std::size_t at = Hash(entry.code, entry.square);
      while (entries_[at & (entries_.size() - 1)].generation == generation_) ++at;
      entries_[at & (entries_.size() - 1)] = entry;
    }
  }

  std::size_t Add(const Inference& inference, const Rules& rules, const State& state, int square) {
    using F = Features<G>;
    const std::size_t begin = rows_.size();
    const std::size_t width = inference.width();
    rows_.resize(begin + static_cast<std::size_t>(rules.seats()) * width);  // zeros
    float* row = rows_.data() + begin;
    for (int seat = 0; seat < rules.seats(); ++seat) {
      features_.clear();
      F::AddSquare(rules, state, seat, square, features_);
      FeatureSums<G> sums{};
      F::AddSums(rules, state, seat, square, sums);
      for (std::uint32_t i = 0; i < F::kSums; ++i) {
        if (sums[i] != 0) features_.push_back({F::kFirstSum + i, sums[i]});
      }
      inference.Sum({.base = row, .features = features_}, row);
      row += width;
    }
    return begin;
  }

  std::vector<Entry> entries_ = std::vector<Entry>(1024);  // hashed
  std::uint32_t generation_ = 1;
  std::size_t count_ = 0;
  AlignedFloats rows_;
  FeatureList features_;
};

}  // namespace berd
