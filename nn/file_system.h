#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "engine/core/error.h"

namespace berd {

// The system calls by which files are written, so that a test can put a full disk or a failing
// device in between. Every function returns what the call of that name returns and sets errno.
// The real one is stateless and thread-safe.
class FileSystem {
 public:
  virtual ~FileSystem() = default;
  virtual int Open(const char* path, int flags, mode_t mode);
  virtual ssize_t Write(int fd, const void* data, std::size_t size);
  virtual int Sync(int fd);
  virtual int Close(int fd);
  virtual int Rename(const char* from, const char* to);
  virtual int Unlink(const char* path);
};

// The operating system's files.
FileSystem& RealFileSystem();

// Where bytes go, in order.
class ByteSink {
 public:
  virtual ~ByteSink() = default;
  virtual Result<void> Write(std::string_view bytes) = 0;
};

class StringSink : public ByteSink {
 public:
  Result<void> Write(std::string_view bytes) override {
    bytes_.append(bytes);
    return {};
  }
  const std::string& bytes() const { return bytes_; }
  std::string Take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

// Replaces a file as a whole or not at all, whatever happens in between: the bytes go to
// `path`.tmp, which Commit syncs to the disk and renames to `path`, then the directory is synced.
// Without a successful Commit the temporary file is removed and `path` is left as it was. A
// temporary file that a killed process left behind is used again. Two writers of one path exclude
// each other by a lock on the temporary file; the second gets an error.
//
// Only the sync of the directory can fail after the rename: then the new content is in place, but a
// power cut may bring the old one back.
//
// After an error every further call returns an error. Errors name the path and the reason, e.g.
// "runs/a.net: cannot write: No space left on device". Not thread-safe; different objects are
// independent.
class AtomicFile : public ByteSink {
 public:
  explicit AtomicFile(std::string path, FileSystem& files = RealFileSystem());
  ~AtomicFile() override;
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  Result<void> Write(std::string_view bytes) override;
  Result<void> Commit();

  const std::string& path() const { return path_; }

 private:
  Result<void> Open();
  int OpenLocked();
  Result<void> SyncDirectory();
  tl::unexpected<Error> Abandon(const std::string& what, int error);
  void RemoveTemporary();

  FileSystem& files_;
  std::string path_;
  std::string temporary_;
  int fd_ = -1;
  bool done_ = false;  // committed or failed
};

// The whole of `bytes` by an AtomicFile.
Result<void> WriteFile(const std::string& path, std::string_view bytes,
                       FileSystem& files = RealFileSystem());

// The content of a regular file of at most `max_bytes` bytes.
Result<std::string> ReadFile(const std::string& path, std::uint64_t max_bytes);

}  // namespace berd
