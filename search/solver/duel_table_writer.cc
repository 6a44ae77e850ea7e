#include "search/solver/duel_table_writer.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

#include "search/solver/duel_table.h"

namespace berd {

tl::unexpected<Error> DuelTableWriter::Failure(const char* what) const {
  return Fail(part_ + ": cannot " + what + ": " + std::generic_category().message(errno));
}

Result<std::unique_ptr<DuelTableWriter>> DuelTableWriter::Open(const std::string& path,
                                                               const DuelRules& rules) {
  std::unique_ptr<DuelTableWriter> writer(new DuelTableWriter(path));
  writer->fd_ = open(writer->part_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (writer->fd_ < 0) return writer->Failure("open");
  if (flock(writer->fd_, LOCK_EX | LOCK_NB) != 0) {
    return Fail(writer->part_ + ": another process is solving into this file");
  }
  if (auto ok = writer->ReadWholeLayers(rules); !ok) return tl::unexpected(ok.error());
  return writer;
}

DuelTableWriter::~DuelTableWriter() {
  if (fd_ >= 0) close(fd_);
}

Result<void> DuelTableWriter::Start(const DuelRules& rules) {
  if (ftruncate(fd_, 0) != 0 || lseek(fd_, 0, SEEK_SET) != 0) return Failure("write");
  return Write(DuelTableHeader(rules));
}

Result<void> DuelTableWriter::ReadWholeLayers(const DuelRules& rules) {
  const off_t size = lseek(fd_, 0, SEEK_END);
  std::string bytes(static_cast<std::size_t>(size > 0 ? size : 0), '\0');
  if (lseek(fd_, 0, SEEK_SET) != 0) return Failure("read");
  for (std::size_t at = 0; at < bytes.size();) {
    const ssize_t got = read(fd_, bytes.data() + at, bytes.size() - at);
    if (got <= 0) return Failure("read");
    at += static_cast<std::size_t>(got);
  }
  const std::string header = DuelTableHeader(rules);
  if (!bytes.starts_with(header)) return Start(rules);
  std::size_t at = header.size();
  for (const DuelLayer layer : DuelLayersInOrder(rules.tokens)) {
    const auto found = DecodeDuelLayer(std::string_view(bytes).substr(at));
    if (!found || found->view.layer != layer) break;
    sections_.push_back(std::make_unique<const std::string>(bytes.substr(at, found->bytes)));
    layers_.push_back(DecodeDuelLayer(*sections_.back())->view);
    at += found->bytes;
  }
  const auto end = static_cast<off_t>(at);
  if (ftruncate(fd_, end) != 0 || lseek(fd_, end, SEEK_SET) != end) return Failure("write");
  return {};
}

Result<void> DuelTableWriter::Write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(fd_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return Failure("write");
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

Result<void> DuelTableWriter::Sync() {
  if (fsync(fd_) != 0) return Failure("write");
  return {};
}

Result<void> DuelTableWriter::Append(std::string section) {
  if (auto ok = Write(section); !ok) return ok;
  if (auto ok = Sync(); !ok) return ok;
  sections_.push_back(std::make_unique<const std::string>(std::move(section)));
  const auto decoded = DecodeDuelLayer(*sections_.back());
  if (!decoded) return Fail(part_, decoded.error());
  layers_.push_back(decoded->view);
  return {};
}

Result<void> DuelTableWriter::Finish() {
  if (auto ok = Sync(); !ok) return ok;
  if (std::rename(part_.c_str(), path_.c_str()) != 0) return Failure("rename");
  return {};
}

}  // namespace berd
