#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/core/error.h"
#include "nn/file_system.h"

namespace berd {

// The container of every binary file of the project (networks, checkpoints, replay): a header that
// names the kind of file and its version, then records, each with its length, two XXH3-64 checksums
// and a zstd-compressed payload. Layout: docs/reference/record-file.md.
//
// A *sealed* file ends with a record that counts the others, so that a file cut off between two
// records is noticed. A *log* is not sealed: it grows at the end, and a reader that may skip damage
// gets everything that is still whole.

// What a file holds. `name` is written into the file (1 to 16 lower-case letters); the version
// counts changes of the layout of the records.
struct FileKind {
  std::string_view name;
  std::uint32_t version = 1;
};

struct Record {
  std::uint32_t tag = 0;  // meaning given by the kind of file
  std::string bytes;
};

// Upper bound of one record's payload before compression.
inline constexpr std::uint64_t kMaxRecordBytes = std::uint64_t{1} << 30;

// Writes header and records to a sink, which must outlive the writer. Errors are the sink's. Not
// thread-safe.
class RecordWriter {
 public:
  // `level` is zstd's compression level, 1 (fast) to 19.
  explicit RecordWriter(ByteSink& sink, int level = 1) : sink_(sink), level_(level) {}

  // First of all, unless a log is continued.
  Result<void> Begin(const FileKind& kind);
  // Requires: bytes.size() <= kMaxRecordBytes, tag != kSealTag.
  Result<void> Add(std::uint32_t tag, std::string_view bytes);
  // Ends a sealed file. The sink still has to be committed.
  Result<void> Seal();

  static constexpr std::uint32_t kSealTag = 0xffffffff;

 private:
  ByteSink& sink_;
  int level_;
  std::uint64_t records_ = 0;
};

struct RecordReaderOptions {
  // A sealed file is read as a whole or refused. Otherwise damaged stretches are skipped and
  // counted, and the end may come anywhere.
  bool sealed = true;
  // Records that say they are longer are refused (sealed) or skipped.
  std::uint64_t max_record_bytes = kMaxRecordBytes;
};

// Reads records from bytes in memory, which must outlive the reader. Memory is allocated only for
// lengths that are protected by a checksum, agree with zstd's frame and stay below the bound. Not
// thread-safe.
//
// Errors name the file and the place, e.g.
//   x.net: not a Berd network file
//   x.net: not a Berd network file (it is a 'checkpoint' file)
//   x.net: version 3 of the network file is newer than this program, which reads up to 1
//   x.net: damaged: record 2 at byte 96: checksum mismatch
class RecordReader {
 public:
  using Options = RecordReaderOptions;

  // Checks the header. `name` stands for the file in messages.
  static Result<RecordReader> Open(std::string_view bytes, const FileKind& kind, std::string name,
                                   const Options& options = {});

  // Version of the layout in this file, 1 .. kind.version.
  std::uint32_t version() const { return version_; }

  // The next record; nothing at the end. With `max_bytes`, a longer record is an error.
  Result<std::optional<Record>> Next(std::uint64_t max_bytes = kMaxRecordBytes);

  // Damaged stretches skipped so far; only files that are not sealed have any. A record that was
  // being written when the writer was killed counts as one.
  std::int64_t damaged() const { return damaged_; }

 private:
  struct Frame;

  RecordReader(std::string_view bytes, std::string name, const Options& options,
               std::uint32_t version);
  Result<std::optional<Record>> NextSealed(std::uint64_t max_bytes);
  std::optional<Record> NextInLog(std::uint64_t max_bytes);
  Result<Frame> ReadFrame(std::size_t at) const;
  Result<Record> ReadRecord(const Frame& frame, std::uint64_t max_bytes) const;
  tl::unexpected<Error> Damaged(const std::string& what) const;

  std::string_view bytes_;
  std::string name_;
  Options options_;
  std::uint32_t version_ = 0;
  std::size_t at_ = 0;
  std::uint64_t records_ = 0;
  std::int64_t damaged_ = 0;
  bool ended_ = false;
};

}  // namespace berd
