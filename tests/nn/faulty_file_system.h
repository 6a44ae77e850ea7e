#pragma once

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <limits>

#include "nn/file_system.h"

namespace berd {

// The real files behind a disk that can become full and calls that can fail.
class FaultyFileSystem : public FileSystem {
 public:
  static constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();

  std::uint64_t capacity = kNever;      // bytes that can still be written
  std::uint64_t most_at_once = kNever;  // short writes above this
  int write_error = ENOSPC;             // once the disk is full
  int interruptions = 0;                // writes that fail with EINTR first
  int open_error = 0;
  int sync_error = 0;
  int close_error = 0;
  int rename_error = 0;

  int Open(const char* path, int flags, mode_t mode) override {
    if (open_error != 0) return FailWith(open_error);
    return FileSystem::Open(path, flags, mode);
  }
  ssize_t Write(int fd, const void* data, std::size_t size) override {
    if (interruptions > 0) {
      --interruptions;
      return FailWith(EINTR);
    }
    if (capacity == 0 && size > 0) return FailWith(write_error);
    const std::size_t taken = std::min({std::uint64_t{size}, capacity, most_at_once});
    if (capacity != kNever) capacity -= taken;
    return FileSystem::Write(fd, data, taken);
  }
  int Sync(int fd) override {
    return sync_error != 0 ? FailWith(sync_error) : FileSystem::Sync(fd);
  }
  int Close(int fd) override {
    const int result = FileSystem::Close(fd);
    return close_error != 0 ? FailWith(close_error) : result;
  }
  int Rename(const char* from, const char* to) override {
    return rename_error != 0 ? FailWith(rename_error) : FileSystem::Rename(from, to);
  }

 private:
  static int FailWith(int error) {
    errno = error;
    return -1;
  }
};

}  // namespace berd
