#pragma once

// The men of tables games: two sides of fifteen on twenty-four points, a bar and a bear-off tray.
//
// Inside the engine every side counts a point by the pips that are left to bear off: 24 is the
// farthest point, kBar (25) the bar, kOff (0) the men borne off. Notations may number otherwise.

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#include "engine/core/bits.h"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace berd::tables {

inline constexpr int kMen = 15;
inline constexpr int kPoints = 24;
inline constexpr int kOff = 0;
inline constexpr int kBar = 25;

// Points of one side: bit p stands for point p. Only bits 1 .. 25 are used.
using PointSet = std::uint32_t;
inline constexpr PointSet kAllPoints = 0x1fffffe;  // 1 .. 24
constexpr PointSet PointBit(int point) { return PointSet{1} << point; }
constexpr bool HasPoint(PointSet set, int point) { return (set >> point) & 1; }
// The farthest point of a set. Requires: set is not empty.
constexpr int Farthest(PointSet set) { return 31 - std::countl_zero(set); }

// Numbers of men of one side by point; the entries above kBar stay 0, so that two sides are one
// cache line and a set of points is one vector comparison.
struct Men {
  std::array<std::uint8_t, 32> at{};

  std::uint8_t& operator[](int point) { return at[static_cast<std::size_t>(point)]; }
  int operator[](int point) const { return at[static_cast<std::size_t>(point)]; }
  friend bool operator==(const Men&, const Men&) = default;
};
static_assert(sizeof(Men) == 32);

// Points, bar and tray with at least `least` men (1 .. 15), as bits 0 .. 25.
inline PointSet AtLeast(const Men& men, int least) {
#if defined(__AVX2__)
  const __m256i all = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(men.at.data()));
  const __m256i many = _mm256_cmpgt_epi8(all, _mm256_set1_epi8(static_cast<char>(least - 1)));
  return static_cast<PointSet>(_mm256_movemask_epi8(many));
#else
  PointSet set = 0;
  for (int point = kOff; point <= kBar; ++point) {
    set |= men[point] >= least ? PointBit(point) : 0;
  }
  return set;
#endif
}

// Pips that a side still needs; a man on the bar needs 25.
inline int Pips(const Men& men) {
  int pips = 0;
  for (int point = 1; point <= kBar; ++point) pips += point * men[point];
  return pips;
}

// Bit 7 of every byte is set; counts never reach it, so that no factor below is 0.
inline constexpr auto kHashKeys = [] {
  std::array<std::uint64_t, 8> keys{};
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = KeyConstant(i) | 0x8080808080808080ULL;
  return keys;
}();

// 64-bit hash of two sides and one more word: folded products as in wyhash (Wang Yi, 2019).
inline std::uint64_t HashMen(const std::array<Men, 2>& men, std::uint64_t word) {
  __extension__ using Wide = unsigned __int128;
  std::array<std::uint64_t, 8> words;
  std::memcpy(words.data(), men.data(), sizeof(words));
  std::uint64_t hash = 0;
  for (std::size_t i = 0; i < words.size(); i += 2) {
    const Wide product =
        static_cast<Wide>(words[i] ^ kHashKeys[i]) * (words[i + 1] ^ kHashKeys[i + 1]);
    hash += static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
    hash = std::rotl(hash, 23);
  }
  return Mix64(hash ^ Mix64(word + 0x9e3779b97f4a7c15ULL));
}

}  // namespace berd::tables
