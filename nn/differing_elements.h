#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#if defined(__AVX512BW__)
#include <immintrin.h>
#endif

#include "engine/core/bits.h"

namespace berd {

// The set of indices at which two arrays of at most 64 unsigned numbers differ.
template <class T, std::size_t kSize>
SquareSet DifferingElements(const std::array<T, kSize>& a, const std::array<T, kSize>& b) {
  static_assert(kSize <= 64);
#if defined(__AVX512BW__)
  constexpr std::size_t kBytes = kSize * sizeof(T);
  if constexpr (kBytes == 16 && sizeof(T) == 1) {
    const __m128i x = _mm_loadu_si128(reinterpret_cast<const __m128i*>(a.data()));
    const __m128i y = _mm_loadu_si128(reinterpret_cast<const __m128i*>(b.data()));
    return static_cast<std::uint16_t>(~_mm_movemask_epi8(_mm_cmpeq_epi8(x, y)));
  }
  if constexpr (kBytes % 64 == 0) {
    constexpr std::size_t kLane = 64 / sizeof(T);
    SquareSet differ = 0;
    for (std::size_t i = 0; i < kSize; i += kLane) {
      const __m512i x = _mm512_loadu_si512(a.data() + i);
      const __m512i y = _mm512_loadu_si512(b.data() + i);
      std::uint64_t lanes = 0;
      if constexpr (sizeof(T) == 1) lanes = _mm512_cmpneq_epu8_mask(x, y);
      if constexpr (sizeof(T) == 2) lanes = _mm512_cmpneq_epu16_mask(x, y);
      if constexpr (sizeof(T) == 4) lanes = _mm512_cmpneq_epu32_mask(x, y);
      if constexpr (sizeof(T) == 8) lanes = _mm512_cmpneq_epu64_mask(x, y);
      differ |= lanes << i;
    }
    return differ;
  }
#endif
  SquareSet differ = 0;
  for (std::size_t i = 0; i < kSize; ++i) differ |= SquareSet{a[i] != b[i]} << i;
  return differ;
}

// Calls visit(index, b[index] - a[index]) wherever two arrays of finite floats differ, ascending.
template <std::size_t kSize, class Visit>
void ForEachDifference(const std::array<float, kSize>& a, const std::array<float, kSize>& b,
                       Visit&& visit) {
  static_assert(kSize % 16 == 0);
  for (std::size_t block = 0; block < kSize; block += 16) {
    unsigned differ = 0;
#if defined(__AVX512F__)
    differ = _mm512_cmp_ps_mask(_mm512_loadu_ps(a.data() + block),
                                _mm512_loadu_ps(b.data() + block), _CMP_NEQ_UQ);
#else
    for (unsigned i = 0; i < 16; ++i) differ |= (a[block + i] != b[block + i] ? 1u : 0u) << i;
#endif
    ForEachMember(differ, [&](int lane) {
      const std::size_t i = block + static_cast<std::size_t>(lane);
      visit(i, b[i] - a[i]);
    });
  }
}

}  // namespace berd
