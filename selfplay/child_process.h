#pragma once

#include <sys/types.h>

#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "engine/core/error.h"

namespace berd {

// Another program that runs as long as this object, and never longer than this process, however
// that ends. It reads nothing (/dev/null) and writes to a file. Thread-safe.
class ChildProcess {
 public:
  // `arguments` begins with the path of the program; both its outputs go to the file `output`.
  static Result<std::unique_ptr<ChildProcess>> Start(std::vector<std::string> arguments,
                                                     std::string output);
  // Kills the program and what it started, if it still runs.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  bool running() const;
  pid_t id() const { return id_; }

 private:
  ChildProcess(std::vector<std::string> arguments, std::string output);
  // In a thread of its own: the kernel ends a child with the thread that started it, so that thread
  // must live as long as the child.
  void Keep();
  void SetId(pid_t id, int error);

  std::vector<std::string> arguments_;
  std::string output_;
  mutable std::mutex mutex_;
  std::condition_variable started_;
  bool start_tried_ = false;
  bool running_ = false;
  pid_t id_ = 0;
  int error_ = 0;  // errno of a failed start
  std::thread keeper_;
};

}  // namespace berd
