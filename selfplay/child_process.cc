#include "selfplay/child_process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace berd {
namespace {

constexpr int kExitNotStarted = 127;

// After fork, in the child: only calls that are safe there.
[[noreturn]] void Become(char* const* arguments, const char* output, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(kExitNotStarted);  // it ended before that call
  // A group of its own: it is killed together with what it starts, and Ctrl-C at the terminal is
  // for us to handle.
  setpgid(0, 0);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  const int input = open("/dev/null", O_RDONLY);
  const int log = open(output, O_WRONLY | O_CREAT | O_APPEND, 0600);
  if (input < 0 || log < 0) _exit(kExitNotStarted);
  dup2(input, STDIN_FILENO);
  dup2(log, STDOUT_FILENO);
  dup2(log, STDERR_FILENO);
  close_range(STDERR_FILENO + 1, ~0U, 0);
  execv(arguments[0], arguments);
  _exit(kExitNotStarted);
}

}  // namespace

Result<std::unique_ptr<ChildProcess>> ChildProcess::Start(std::vector<std::string> arguments,
                                                          std::string output) {
  std::unique_ptr<ChildProcess> child(new ChildProcess(std::move(arguments), std::move(output)));
  if (child->id_ < 0) {
    return Fail("cannot start " + child->arguments_[0] + ": " + std::strerror(child->error_));
  }
  return child;
}

ChildProcess::ChildProcess(std::vector<std::string> arguments, std::string output)
    : arguments_(std::move(arguments)), output_(std::move(output)), keeper_([this] { Keep(); }) {
  std::unique_lock lock(mutex_);
  started_.wait(lock, [this] { return start_tried_; });
}

ChildProcess::~ChildProcess() {
  {
    const std::lock_guard lock(mutex_);
    if (running_) {
      kill(-id_, SIGKILL);
      kill(id_, SIGKILL);  // should it not have made its group yet
    }
  }
  keeper_.join();
}

bool ChildProcess::running() const {
  const std::lock_guard lock(mutex_);
  return running_;
}

void ChildProcess::SetId(pid_t id, int error) {
  const std::lock_guard lock(mutex_);
  id_ = id;
  error_ = error;
  running_ = id > 0;
  start_tried_ = true;
  started_.notify_one();
}

void ChildProcess::Keep() {
  std::vector<char*> arguments;
  for (std::string& argument : arguments_) arguments.push_back(argument.data());
  arguments.push_back(nullptr);
  const pid_t parent = getpid();
  const pid_t id = fork();
  if (id == 0) Become(arguments.data(), output_.c_str(), parent);
  SetId(id, id < 0 ? errno : 0);
  if (id < 0) return;
  // Waits without taking the child's number away, so that the destructor cannot hit another one.
  siginfo_t info{};
  while (waitid(P_PID, static_cast<id_t>(id), &info, WEXITED | WNOWAIT) != 0 && errno == EINTR) {
  }
  {
    const std::lock_guard lock(mutex_);
    running_ = false;
    kill(-id, SIGKILL);  // what it may have left behind
  }
  while (waitpid(id, nullptr, 0) < 0 && errno == EINTR) {
  }
}

}  // namespace berd
