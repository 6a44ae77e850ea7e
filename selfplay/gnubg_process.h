#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/error.h"
#include "selfplay/child_process.h"

namespace berd {

struct GnubgOptions {
  int plies = 0;  // that it looks ahead for its plays; 0 is its network alone
  std::chrono::milliseconds start_timeout{30000};
  std::chrono::milliseconds reply_timeout{120000};
};

// The program: $BERD_GNUBG if that is set, else `gnubg` on the PATH or in /usr/games. The error
// says how to install it.
Result<std::string> FindGnubg();

// One running GNU Backgammon that answers requests, set to cubeless money games. It ends with this
// object or this process. Nothing of it stays on the disk. Not thread-safe.
class GnubgProcess {
 public:
  // Starts it and waits until it can be asked.
  static Result<std::unique_ptr<GnubgProcess>> Start(const GnubgOptions& options);
  ~GnubgProcess();
  GnubgProcess(const GnubgProcess&) = delete;
  GnubgProcess& operator=(const GnubgProcess&) = delete;

  // Sends one line and returns the line that comes back, without its end. After an error the
  // process is of no more use.
  Result<std::string> Ask(std::string_view request);

  pid_t id() const { return child_->id(); }

 private:
  GnubgProcess(std::unique_ptr<ChildProcess> child, int socket, const GnubgOptions& options)
      : child_(std::move(child)), socket_(socket), options_(options) {}
  Result<void> Send(std::string_view line) const;
  Result<std::string> Receive() const;

  std::unique_ptr<ChildProcess> child_;
  int socket_;
  GnubgOptions options_;
  bool failed_ = false;
};

// As many equal processes as threads ask at the same time. Each is started when it is first needed
// and kept; one that has died meanwhile is replaced. Thread-safe.
class GnubgServers {
 public:
  explicit GnubgServers(const GnubgOptions& options) : options_(options) {}

  // Starts one process if none runs yet, to see whether that works.
  Result<void> Prepare();
  Result<std::string> Ask(std::string_view request);
  std::size_t idle() const;

 private:
  std::unique_ptr<GnubgProcess> TakeIdle();
  void GiveBack(std::unique_ptr<GnubgProcess> process);

  GnubgOptions options_;
  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<GnubgProcess>> idle_;
};

}  // namespace berd
