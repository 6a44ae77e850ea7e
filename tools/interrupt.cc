#include "tools/interrupt.h"

#include <csignal>

namespace berd {

namespace {

// A signal handler can reach nothing but a global.
volatile std::sig_atomic_t interrupt_raised = 0;

extern "C" void OnInterrupt(int /*signal*/) { interrupt_raised = 1; }

}  // namespace

InterruptGuard::InterruptGuard() {
  interrupt_raised = 0;
  struct sigaction action = {};
  action.sa_handler = OnInterrupt;
  // Without SA_RESTART a waiting read returns. A second Ctrl-C kills, should anything hang.
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);
}

InterruptGuard::~InterruptGuard() { std::signal(SIGINT, SIG_DFL); }

bool InterruptGuard::raised() { return interrupt_raised != 0; }

}  // namespace berd
