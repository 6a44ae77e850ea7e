#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace berd {

// Values of states by key and depth, for one search at a time: a table of fixed size with buckets
// of four. Two states are confused with a probability of about 2^-54 a pair. Not thread-safe.
template <std::size_t kMostNumbers>
class ValueCache {
 public:
  // Room for at least `entries` states, rounded up to a power of two; none for 0.
  explicit ValueCache(std::size_t entries)
      : buckets_(entries == 0 ? 0 : std::bit_ceil(std::max<std::size_t>(entries / kWays, 1))) {}

  bool enabled() const { return !buckets_.empty(); }

  // Forgets everything, in constant time except once in 255 times.
  void Clear() {
    if (++generation_ != 0) return;
    std::fill(buckets_.begin(), buckets_.end(), Bucket{});
    generation_ = 1;
  }

  // The values of a state searched to this depth, or an empty span. `key` is well mixed.
  std::span<const float> Find(std::uint64_t key, int depth) const {
    const std::uint64_t tag = Tag(key, depth);
    for (const Entry& entry : BucketOf(key).entries) {
      if (entry.tag == tag) return entry.values;
    }
    return {};
  }

  // Stores values that Find does not know. Makes room where least work is lost.
  void Store(std::uint64_t key, int depth, std::span<const float> values) {
    Bucket& bucket = buckets_[IndexOf(key)];
    // Of equals by the key, so that all ways are used.
    const std::size_t first = key >> 62;
    Entry* victim = &bucket.entries[first];
    for (std::size_t i = 1; i < kWays; ++i) {
      Entry& entry = bucket.entries[(first + i) % kWays];
      if (Worth(entry) < Worth(*victim)) victim = &entry;
    }
    victim->tag = Tag(key, depth);
    std::copy(values.begin(), values.end(), victim->values.begin());
  }

 private:
  static constexpr std::size_t kWays = 4;
  // 48 bits of the key, 8 of the generation, 8 of the depth. Generation 0 is never current.
  struct Entry {
    std::uint64_t tag = 0;
    std::array<float, kMostNumbers> values;
  };
  struct Bucket {
    std::array<Entry, kWays> entries{};
  };

  std::uint64_t Tag(std::uint64_t key, int depth) const {
    return (key & ~std::uint64_t{0xffff}) | std::uint64_t{generation_} << 8 |
           static_cast<std::uint64_t>(depth);
  }
  // 0 for entries of earlier searches, else more for deeper ones.
  int Worth(const Entry& entry) const {
    const bool current = (entry.tag >> 8 & 0xff) == generation_;
    return current ? static_cast<int>(entry.tag & 0xff) : 0;
  }
  // By bits that are not in the tag, and some that are.
  std::size_t IndexOf(std::uint64_t key) const {
    return static_cast<std::size_t>(key) & (buckets_.size() - 1);
  }
  const Bucket& BucketOf(std::uint64_t key) const { return buckets_[IndexOf(key)]; }

  std::vector<Bucket> buckets_;
  std::uint8_t generation_ = 1;
};

}  // namespace berd
