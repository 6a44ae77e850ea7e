#pragma once

namespace berd {

// While an object of this class exists, SIGINT (Ctrl-C) does not kill the process: blocking reads
// return, and `raised` says so. One at a time.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  static bool raised();
};

}  // namespace berd
