#include "nn/file_system.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <system_error>
#include <utility>

namespace berd {
namespace {

// The text of an errno value; unlike strerror thread-safe.
std::string Reason(int error) { return std::generic_category().message(error); }

std::string DirectoryOf(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

// True when `path` names the open file and not another one.
bool IsSameFile(int fd, const std::string& path) {
  struct stat open_file {};
  struct stat named_file {};
  return fstat(fd, &open_file) == 0 && stat(path.c_str(), &named_file) == 0 &&
         open_file.st_dev == named_file.st_dev && open_file.st_ino == named_file.st_ino;
}

}  // namespace

int FileSystem::Open(const char* path, int flags, mode_t mode) { return open(path, flags, mode); }
ssize_t FileSystem::Write(int fd, const void* data, std::size_t size) {
  return write(fd, data, size);
}
int FileSystem::Sync(int fd) { return fsync(fd); }
int FileSystem::Close(int fd) { return close(fd); }
int FileSystem::Rename(const char* from, const char* to) { return std::rename(from, to); }
int FileSystem::Unlink(const char* path) { return unlink(path); }

FileSystem& RealFileSystem() {
  static FileSystem files;
  return files;
}

AtomicFile::AtomicFile(std::string path, FileSystem& files)
    : files_(files), path_(std::move(path)), temporary_(path_ + ".tmp") {}

AtomicFile::~AtomicFile() { RemoveTemporary(); }

void AtomicFile::RemoveTemporary() {
  if (fd_ < 0) return;
  files_.Unlink(temporary_.c_str());
  files_.Close(fd_);  // last: the lock goes with it
  fd_ = -1;
}

tl::unexpected<Error> AtomicFile::Abandon(const std::string& what, int error) {
  done_ = true;
  RemoveTemporary();
  return Fail(path_ + ": " + what + ": " + Reason(error));
}

// Opens and locks the temporary file and empties it. -1 and errno on failure.
int AtomicFile::OpenLocked() {
  constexpr int kAttempts = 8;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    const int fd = files_.Open(temporary_.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0666);
    if (fd < 0) return -1;
    int error = flock(fd, LOCK_EX | LOCK_NB) == 0 ? 0 : errno;
    // Some network file systems have no locks; then only the rename protects.
    if (error != 0 && error != EWOULDBLOCK) error = 0;
    // The other writer may have renamed or removed the file between our opening and locking it:
    // then what we hold is the finished file and must not be touched.
    if (error == 0 && !IsSameFile(fd, temporary_)) {
      files_.Close(fd);
      continue;
    }
    if (error == 0 && ftruncate(fd, 0) != 0) error = errno;
    if (error == 0) return fd;
    files_.Close(fd);
    errno = error;
    return -1;
  }
  errno = EWOULDBLOCK;
  return -1;
}

Result<void> AtomicFile::Open() {
  fd_ = OpenLocked();
  if (fd_ >= 0) return {};
  if (errno == EWOULDBLOCK) {
    done_ = true;
    return Fail(path_ + ": cannot write: another process is writing it");
  }
  return Abandon("cannot create " + temporary_, errno);
}

Result<void> AtomicFile::Write(std::string_view bytes) {
  if (done_) return Fail(path_ + ": cannot write: an earlier step failed or the file is finished");
  if (fd_ < 0) {
    if (auto opened = Open(); !opened) return opened;
  }
  while (!bytes.empty()) {
    const ssize_t written = files_.Write(fd_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return Abandon("cannot write", errno);
    // A device that takes nothing and gives no reason is as good as full.
    if (written == 0) return Abandon("cannot write", ENOSPC);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

Result<void> AtomicFile::Commit() {
  if (auto opened = Write({}); !opened) return opened;
  if (files_.Sync(fd_) != 0) return Abandon("cannot write to the disk", errno);
  if (files_.Rename(temporary_.c_str(), path_.c_str()) != 0) {
    return Abandon("cannot rename " + temporary_, errno);
  }
  done_ = true;
  const int fd = std::exchange(fd_, -1);
  if (files_.Close(fd) != 0) return Fail(path_ + ": cannot close: " + Reason(errno));
  return SyncDirectory();
}

// Makes the new name durable. A file system that cannot sync directories is accepted as it is.
Result<void> AtomicFile::SyncDirectory() {
  const std::string directory = DirectoryOf(path_);
  const int fd = files_.Open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
  if (fd < 0) return Fail(path_ + ": cannot open the directory: " + Reason(errno));
  const int error = files_.Sync(fd) == 0 ? 0 : errno;
  files_.Close(fd);
  if (error != 0 && error != EINVAL && error != ENOTSUP) {
    return Fail(path_ + ": cannot write the directory to the disk: " + Reason(error));
  }
  return {};
}

Result<void> WriteFile(const std::string& path, std::string_view bytes, FileSystem& files) {
  AtomicFile file(path, files);
  if (auto written = file.Write(bytes); !written) return written;
  return file.Commit();
}

Result<std::string> ReadFile(const std::string& path, std::uint64_t max_bytes) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return Fail(path + ": cannot open: " + Reason(errno));
  std::string bytes;
  std::string problem;
  struct stat status {};
  if (fstat(fd, &status) != 0) {
    problem = "cannot read: " + Reason(errno);
  } else if (!S_ISREG(status.st_mode)) {
    problem = S_ISDIR(status.st_mode) ? "is a directory" : "is not a regular file";
  } else if (static_cast<std::uint64_t>(status.st_size) > max_bytes) {
    problem = "has " + std::to_string(status.st_size) + " bytes, more than the " +
              std::to_string(max_bytes) + " allowed here";
  } else {
    bytes.resize(static_cast<std::size_t>(status.st_size));
    std::size_t size = 0;
    while (size < bytes.size()) {
      const ssize_t got = read(fd, bytes.data() + size, bytes.size() - size);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) problem = "cannot read: " + Reason(errno);
      if (got <= 0) break;
      size += static_cast<std::size_t>(got);
    }
    bytes.resize(size);
  }
  close(fd);
  if (!problem.empty()) return Fail(path + ": " + problem);
  return bytes;
}

}  // namespace berd
