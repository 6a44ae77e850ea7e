#include "nn/record_file.h"

#include <xxhash.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cstring>
#include <utility>

#include "engine/core/text.h"
#include "nn/file_bytes.h"

namespace berd {
namespace {

// Like PNG's: the high bit, both line ends and end-of-file show what a transfer as text destroys.
constexpr std::string_view kFileMagic(
    "\x89"
    "Berd\r\n\x1a",
    8);
constexpr std::string_view kRecordMagic(
    "\xb1"
    "rec",
    4);
constexpr std::size_t kKindBytes = 16;
constexpr std::size_t kFileHeaderBytes = 40;
constexpr std::size_t kRecordHeaderBytes = 32;
constexpr std::uint32_t kContainerVersion = 1;

std::uint64_t Checksum(std::string_view bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

void PutRaw(ByteWriter& out, std::string_view bytes) {
  out.PutArray(std::span(bytes.data(), bytes.size()));
}

}  // namespace

// --- Writing -------------------------------------------------------------------------------------

Result<void> RecordWriter::Begin(const FileKind& kind) {
  assert(!kind.name.empty() && kind.name.size() <= kKindBytes);
  ByteWriter out;
  PutRaw(out, kFileMagic);
  std::string name(kind.name);
  name.resize(kKindBytes, '\0');
  PutRaw(out, name);
  out.Put(kContainerVersion);
  out.Put(kind.version);
  out.Put(Checksum(out.bytes()));
  return sink_.Write(out.bytes());
}

Result<void> RecordWriter::Add(std::uint32_t tag, std::string_view bytes) {
  assert(bytes.size() <= kMaxRecordBytes);
  std::string packed(ZSTD_compressBound(bytes.size()), '\0');
  const std::size_t size =
      ZSTD_compress(packed.data(), packed.size(), bytes.data(), bytes.size(), level_);
  if (ZSTD_isError(size) != 0) return Fail(std::string("zstd: ") + ZSTD_getErrorName(size));
  packed.resize(size);

  ByteWriter header;
  PutRaw(header, kRecordMagic);
  header.Put(tag);
  header.Put(static_cast<std::uint32_t>(packed.size()));
  header.Put(static_cast<std::uint32_t>(bytes.size()));
  header.Put(Checksum(packed));
  header.Put(Checksum(header.bytes()));
  if (auto written = sink_.Write(header.bytes()); !written) return written;
  ++records_;
  return sink_.Write(packed);
}

Result<void> RecordWriter::Seal() {
  ByteWriter count;
  count.Put(records_);
  return Add(kSealTag, count.bytes());
}

// --- Reading -------------------------------------------------------------------------------------

// Where a record lies and what its header says.
struct RecordReader::Frame {
  std::size_t begin = 0;  // of the header
  std::uint32_t tag = 0;
  std::uint32_t packed_bytes = 0;
  std::uint32_t raw_bytes = 0;
  std::uint64_t checksum = 0;

  std::size_t payload() const { return begin + kRecordHeaderBytes; }
  std::size_t end() const { return payload() + packed_bytes; }
};

RecordReader::RecordReader(std::string_view bytes, std::string name, const Options& options,
                           std::uint32_t version)
    : bytes_(bytes),
      name_(std::move(name)),
      options_(options),
      version_(version),
      at_(kFileHeaderBytes) {}

Result<RecordReader> RecordReader::Open(std::string_view bytes, const FileKind& kind,
                                        std::string name, const Options& options) {
  const std::string kind_name(kind.name);
  if (!bytes.starts_with(kFileMagic.substr(0, bytes.size())) || bytes.empty()) {
    return Fail(name + ": not a Berd " + kind_name + " file");
  }
  if (bytes.size() < kFileHeaderBytes) return Fail(name + ": damaged: cut off within its header");
  ByteReader in(bytes.substr(kFileMagic.size(), kFileHeaderBytes - kFileMagic.size()));
  const auto found_name = in.GetArray<char>(kKindBytes);
  const auto container = in.Get<std::uint32_t>();
  const auto version = in.Get<std::uint32_t>();
  const auto checksum = in.Get<std::uint64_t>();
  if (checksum != Checksum(bytes.substr(0, kFileHeaderBytes - sizeof(checksum)))) {
    return Fail(name + ": damaged: checksum mismatch in the header");
  }
  if (container > kContainerVersion) {
    return Fail(name + ": version " + std::to_string(container) +
                " of the container is newer than this program, which reads up to " +
                std::to_string(kContainerVersion));
  }
  const std::string found(found_name.begin(), std::ranges::find(found_name, '\0'));
  if (found != kind_name) {
    return Fail(name + ": not a Berd " + kind_name + " file (it is a " + Quoted(found) + " file)");
  }
  if (version > kind.version) {
    return Fail(name + ": version " + std::to_string(version) + " of the " + kind_name +
                " file is newer than this program, which reads up to " +
                std::to_string(kind.version));
  }
  return RecordReader(bytes, std::move(name), options, version);
}

tl::unexpected<Error> RecordReader::Damaged(const std::string& what) const {
  return Fail(name_ + ": damaged: record " + std::to_string(records_ + 1) + " at byte " +
              std::to_string(at_) + ": " + what);
}

// Parses and checks the header of the record that begins at byte `at`.
Result<RecordReader::Frame> RecordReader::ReadFrame(std::size_t at) const {
  const std::string_view left = bytes_.substr(at);
  if (left.size() < kRecordHeaderBytes) return Damaged("cut off within its header");
  if (!left.starts_with(kRecordMagic)) return Damaged("no record begins here");
  Frame frame{.begin = at};
  ByteReader in(left.substr(kRecordMagic.size()));
  frame.tag = in.Get<std::uint32_t>();
  frame.packed_bytes = in.Get<std::uint32_t>();
  frame.raw_bytes = in.Get<std::uint32_t>();
  frame.checksum = in.Get<std::uint64_t>();
  const auto checksum = in.Get<std::uint64_t>();
  if (checksum != Checksum(left.substr(0, kRecordHeaderBytes - sizeof(checksum)))) {
    return Damaged("checksum mismatch in its header");
  }
  if (frame.end() > bytes_.size()) return Damaged("cut off");
  return frame;
}

Result<Record> RecordReader::ReadRecord(const Frame& frame, std::uint64_t max_bytes) const {
  const std::uint64_t bound = std::min(max_bytes, options_.max_record_bytes);
  if (frame.raw_bytes > bound) {
    return Damaged(std::to_string(frame.raw_bytes) + " bytes long where at most " +
                   std::to_string(bound) + " are expected");
  }
  const std::string_view packed = bytes_.substr(frame.payload(), frame.packed_bytes);
  if (Checksum(packed) != frame.checksum) return Damaged("checksum mismatch");
  if (ZSTD_getFrameContentSize(packed.data(), packed.size()) != frame.raw_bytes) {
    return Damaged("its length disagrees with its compressed content");
  }
  Record record{.tag = frame.tag, .bytes = std::string(frame.raw_bytes, '\0')};
  const std::size_t size =
      ZSTD_decompress(record.bytes.data(), record.bytes.size(), packed.data(), packed.size());
  if (ZSTD_isError(size) != 0) return Damaged(ZSTD_getErrorName(size));
  if (size != frame.raw_bytes) return Damaged("shorter than it says");
  return record;
}

Result<std::optional<Record>> RecordReader::Next(std::uint64_t max_bytes) {
  if (ended_) return std::nullopt;
  if (options_.sealed) return NextSealed(max_bytes);
  return NextInLog(max_bytes);
}

Result<std::optional<Record>> RecordReader::NextSealed(std::uint64_t max_bytes) {
  if (at_ == bytes_.size()) {
    return Fail(name_ + ": damaged: cut off after record " + std::to_string(records_));
  }
  const auto frame = ReadFrame(at_);
  if (!frame) return tl::make_unexpected(frame.error());
  const bool seal = frame->tag == RecordWriter::kSealTag;
  auto record = ReadRecord(*frame, seal ? sizeof(std::uint64_t) : max_bytes);
  if (!record) return tl::make_unexpected(record.error());
  if (seal) {
    ByteReader count(record->bytes);
    if (count.Get<std::uint64_t>() != records_ || !count.AtEnd()) {
      return Damaged("records are missing before the end");
    }
    if (frame->end() != bytes_.size()) {
      return Fail(name_ + ": damaged: " + std::to_string(bytes_.size() - frame->end()) +
                  " bytes too many after the end");
    }
    ended_ = true;
    return std::nullopt;
  }
  at_ = frame->end();
  ++records_;
  return std::move(*record);
}

// The next whole record; what lies before it is skipped and counted as one damaged stretch. A
// damaged header gives no length to go by, so the search goes on at the next record's magic.
std::optional<Record> RecordReader::NextInLog(std::uint64_t max_bytes) {
  bool skipped = false;
  while (at_ < bytes_.size()) {
    if (const auto frame = ReadFrame(at_)) {
      auto record = ReadRecord(*frame, max_bytes);
      const bool seal = frame->tag == RecordWriter::kSealTag;
      at_ = frame->end();
      if (record) {
        if (skipped) ++damaged_;
        if (!seal) {
          ++records_;
          return std::move(*record);
        }
        skipped = false;
        continue;
      }
      // Its own header is whole, so it is a stretch of its own.
      if (skipped) ++damaged_;
      ++damaged_;
      skipped = false;
      continue;
    }
    skipped = true;
    at_ = std::min(bytes_.find(kRecordMagic, at_ + 1), bytes_.size());
  }
  if (skipped) ++damaged_;
  ended_ = true;
  return std::nullopt;
}

}  // namespace berd
