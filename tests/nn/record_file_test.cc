#include "nn/record_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <xxhash.h>

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "nn/file_bytes.h"

namespace berd {
namespace {

using ::testing::AnyOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr FileKind kKind{.name = "sample", .version = 2};
constexpr std::size_t kHeaderBytes = 40;
constexpr std::size_t kRecordHeaderBytes = 32;

using Records = std::vector<std::pair<std::uint32_t, std::string>>;

const Records& Sample() {
  static const Records kRecords = {{1, "first"}, {7, ""}, {2, std::string(300, 'x') + "third"}};
  return kRecords;
}

std::string Encode(const Records& records, bool seal, const FileKind& kind = kKind) {
  StringSink sink;
  RecordWriter writer(sink);
  EXPECT_TRUE(writer.Begin(kind));
  for (const auto& [tag, bytes] : records) EXPECT_TRUE(writer.Add(tag, bytes));
  if (seal) {
    EXPECT_TRUE(writer.Seal());
  }
  return sink.Take();
}

struct Decoded {
  Records records;
  std::int64_t damaged = 0;
  std::string error;  // "" when all went well
};

Decoded Decode(std::string_view bytes, bool sealed) {
  Decoded decoded;
  auto reader = RecordReader::Open(bytes, kKind, "f", {.sealed = sealed});
  if (!reader) {
    decoded.error = reader.error().message;
    return decoded;
  }
  while (true) {
    auto record = reader->Next();
    if (!record) {
      decoded.error = record.error().message;
      break;
    }
    if (!*record) break;
    decoded.records.emplace_back((*record)->tag, (*record)->bytes);
  }
  decoded.damaged = reader->damaged();
  return decoded;
}

std::string Flip(std::string bytes, std::size_t at, int bit) {
  bytes[at] = static_cast<char>(bytes[at] ^ (1 << bit));
  return bytes;
}

// Computes a record's header checksum again after a change.
void Reseal(std::string& bytes, std::size_t record) {
  const std::uint64_t checksum = XXH3_64bits(bytes.data() + record, kRecordHeaderBytes - 8);
  std::memcpy(bytes.data() + record + kRecordHeaderBytes - 8, &checksum, sizeof(checksum));
}

TEST(RecordFile, RoundTrip) {
  const Decoded sealed = Decode(Encode(Sample(), true), true);
  EXPECT_EQ(sealed.error, "");
  EXPECT_EQ(sealed.records, Sample());
  const Decoded log = Decode(Encode(Sample(), false), false);
  EXPECT_EQ(log.error, "");
  EXPECT_EQ(log.records, Sample());
  EXPECT_EQ(log.damaged, 0);
  EXPECT_TRUE(Decode(Encode({}, true), true).records.empty());
}

TEST(RecordFile, ReadsASealedFileAsALog) {
  const Decoded log = Decode(Encode(Sample(), true), false);
  EXPECT_EQ(log.records, Sample());
  EXPECT_EQ(log.damaged, 0);
}

TEST(RecordFile, RefusesEveryFlippedBit) {
  const std::string bytes = Encode(Sample(), true);
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    for (int bit = 0; bit < 8; ++bit) {
      EXPECT_NE(Decode(Flip(bytes, at, bit), true).error, "") << at << ":" << bit;
    }
  }
}

TEST(RecordFile, RefusesEveryTruncationAndExtension) {
  const std::string bytes = Encode(Sample(), true);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_NE(Decode(bytes.substr(0, size), true).error, "") << size;
  }
  EXPECT_THAT(Decode(bytes + "x", true).error, HasSubstr("1 bytes too many"));
  EXPECT_THAT(Decode(Encode(Sample(), false), true).error, HasSubstr("cut off after record 3"));
}

TEST(RecordFile, NoticesAMissingRecord) {
  const std::string one = Encode({{1, "a"}}, false);
  const std::string two = Encode({{1, "a"}, {1, "a"}}, true);
  const std::size_t record = one.size() - kHeaderBytes;
  EXPECT_THAT(Decode(one + two.substr(kHeaderBytes + 2 * record), true).error,
              HasSubstr("records are missing"));
}

TEST(RecordFile, SaysWhatItFound) {
  EXPECT_EQ(Decode("", true).error, "f: not a Berd sample file");
  EXPECT_EQ(Decode("#!/bin/sh\n", true).error, "f: not a Berd sample file");
  EXPECT_EQ(Decode(Encode({}, true, {.name = "other", .version = 1}), true).error,
            "f: not a Berd sample file (it is a 'other' file)");
  EXPECT_EQ(Decode(Encode({}, true, {.name = "sample", .version = 3}), true).error,
            "f: version 3 of the sample file is newer than this program, which reads up to 2");
  const std::string bytes = Encode(Sample(), true);
  const std::size_t second = Encode({Sample()[0]}, false).size();
  EXPECT_EQ(Decode(Flip(bytes, second + kRecordHeaderBytes, 0), true).error,
            "f: damaged: record 2 at byte " + std::to_string(second) + ": checksum mismatch");
  EXPECT_THAT(Decode(bytes.substr(0, 20), true).error, HasSubstr("cut off within its header"));
}

TEST(RecordFile, ReadsOlderVersions) {
  const std::string bytes = Encode({}, true, {.name = "sample", .version = 1});
  const auto reader = RecordReader::Open(bytes, kKind, "f");
  ASSERT_TRUE(reader);
  EXPECT_EQ(reader->version(), 1U);
}

// Headers that lie about lengths although their checksums are right.
TEST(RecordFile, RefusesAbsurdLengths) {
  const std::string good = Encode({{1, "payload"}}, true);
  for (const std::uint32_t length : {0xffffffffU, 0x7fffffffU, 1U << 30, 8U, 6U, 0U}) {
    std::string bytes = good;
    std::memcpy(bytes.data() + kHeaderBytes + 12, &length, sizeof(length));  // raw length
    Reseal(bytes, kHeaderBytes);
    EXPECT_THAT(Decode(bytes, true).error, AnyOf(HasSubstr("expected"), HasSubstr("disagrees")))
        << length;
    bytes = good;
    std::memcpy(bytes.data() + kHeaderBytes + 8, &length, sizeof(length));  // stored length
    Reseal(bytes, kHeaderBytes);
    EXPECT_THAT(Decode(bytes, true).error, HasSubstr("damaged")) << length;
  }
}

TEST(RecordFile, BoundsRecordsByTheCallersLimit) {
  const std::string bytes = Encode({{1, std::string(1000, 'a')}}, true);
  auto reader = RecordReader::Open(bytes, kKind, "f");
  ASSERT_TRUE(reader);
  EXPECT_THAT(reader->Next(999).error().message, HasSubstr("1000 bytes long where at most 999"));
}

TEST(RecordLog, LosesOnlyTheRecordThatWasCutOff) {
  const std::string two = Encode({Sample()[0], Sample()[1]}, false);
  const std::string three = Encode(Sample(), false);
  for (std::size_t size = two.size(); size < three.size(); ++size) {
    const Decoded decoded = Decode(three.substr(0, size), false);
    EXPECT_EQ(decoded.records, Records({Sample()[0], Sample()[1]})) << size;
    EXPECT_EQ(decoded.damaged, size == two.size() ? 0 : 1) << size;
  }
}

TEST(RecordLog, SkipsAndCountsDamage) {
  const std::string bytes = Encode(Sample(), false);
  const std::size_t second = Encode({Sample()[0]}, false).size();
  const std::size_t third = Encode({Sample()[0], Sample()[1]}, false).size();
  for (std::size_t at = second; at < third; ++at) {
    const Decoded decoded = Decode(Flip(bytes, at, 3), false);
    EXPECT_EQ(decoded.error, "");
    EXPECT_EQ(decoded.records, Records({Sample()[0], Sample()[2]})) << at;
    EXPECT_EQ(decoded.damaged, 1) << at;
  }
}

TEST(RecordLog, SkipsForeignBytesBetweenRecords) {
  const std::string one = Encode({Sample()[0]}, false);
  const std::string all = Encode(Sample(), false);
  const Decoded decoded =
      Decode(one + std::string(1000, '\0') + "\xb1rec" + all.substr(one.size()), false);
  EXPECT_EQ(decoded.records, Sample());
  EXPECT_EQ(decoded.damaged, 1);
}

TEST(RecordLog, GoesOnWhereAnotherWriterStopped) {
  StringSink sink;
  RecordWriter first(sink);
  ASSERT_TRUE(first.Begin(kKind));
  ASSERT_TRUE(first.Add(1, "a"));
  RecordWriter second(sink);
  ASSERT_TRUE(second.Add(2, "b"));
  EXPECT_EQ(Decode(sink.bytes(), false).records, Records({{1, "a"}, {2, "b"}}));
}

TEST(FileBytes, RoundTripAndShortInput) {
  ByteWriter out;
  out.Put(std::uint16_t{0x1234});
  out.Put(-1.5);
  out.PutText("text");
  const std::vector<float> numbers = {1, 2, 3};
  out.PutArray(std::span(numbers));
  EXPECT_THAT(out.bytes(), StartsWith("\x34\x12"));
  for (std::size_t size = 0; size <= out.bytes().size(); ++size) {
    ByteReader in(std::string_view(out.bytes()).substr(0, size));
    const auto integer = in.Get<std::uint16_t>();
    const auto real = in.Get<double>();
    const auto text = in.GetText();
    const auto array = in.GetArray<float>(3);
    EXPECT_EQ(in.AtEnd(), size == out.bytes().size()) << size;
    if (!in.AtEnd()) continue;
    EXPECT_EQ(integer, 0x1234);
    EXPECT_EQ(real, -1.5);
    EXPECT_EQ(text, "text");
    EXPECT_THAT(array, ElementsAre(1, 2, 3));
  }
}

TEST(FileBytes, AllocatesNothingForLengthsThatAreNotThere) {
  ByteReader in("\xff\xff\xff\xff");
  EXPECT_EQ(in.GetText(), "");
  EXPECT_FALSE(in.ok());
  ByteReader other("12345678");
  EXPECT_TRUE(other.GetArray<double>(std::size_t{1} << 61).empty());
  EXPECT_FALSE(other.ok());
}

}  // namespace
}  // namespace berd
