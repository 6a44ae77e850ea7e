#pragma once

#ifdef __SSE__
#include <xmmintrin.h>
#endif

namespace berd {

// While it lives, this thread's processor takes denormal numbers for zero. The running means of
// Adam decay through them for every feature that stays away, and each operation on one costs about
// 150 cycles. Does nothing on processors other than x86.
class FlushDenormals {
 public:
#ifdef __SSE__
  FlushDenormals() : saved_(_mm_getcsr()) { _mm_setcsr(saved_ | kFlushToZero | kDenormalsAreZero); }
  ~FlushDenormals() { _mm_setcsr(saved_); }
#else
  FlushDenormals() = default;
  ~FlushDenormals() {}
#endif
  FlushDenormals(const FlushDenormals&) = delete;
  FlushDenormals& operator=(const FlushDenormals&) = delete;

 private:
#ifdef __SSE__
  static constexpr unsigned kFlushToZero = 0x8000;
  static constexpr unsigned kDenormalsAreZero = 0x0040;
  unsigned saved_;
#endif
};

}  // namespace berd
