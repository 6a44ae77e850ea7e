#pragma once

#include <array>
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

}  // namespace berd
