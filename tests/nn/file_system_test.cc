#include "nn/file_system.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <string>

#include "tests/nn/faulty_file_system.h"
#include "tests/nn/temporary_folder.h"

namespace berd {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

constexpr std::uint64_t kLimit = 1 << 20;

std::string Content(const std::string& path) {
  return ReadFile(path, kLimit).value_or("(no file)");
}

TEST(AtomicFile, WritesAndReplaces) {
  const TemporaryFolder folder;
  const std::string path = folder.Path("a");
  ASSERT_TRUE(WriteFile(path, "old"));
  EXPECT_EQ(Content(path), "old");
  ASSERT_TRUE(WriteFile(path, ""));
  EXPECT_EQ(Content(path), "");
  ASSERT_TRUE(WriteFile(path, std::string("new\0bytes", 9)));
  EXPECT_EQ(Content(path), std::string("new\0bytes", 9));
  EXPECT_THAT(folder.Names(), ElementsAre("a"));
}

TEST(AtomicFile, KeepsTheOldFileUntilCommitted) {
  const TemporaryFolder folder;
  const std::string path = folder.Path("a");
  ASSERT_TRUE(WriteFile(path, "old"));
  {
    AtomicFile file(path);
    ASSERT_TRUE(file.Write("half"));
    EXPECT_EQ(Content(path), "old");
  }
  EXPECT_EQ(Content(path), "old");
  EXPECT_THAT(folder.Names(), ElementsAre("a"));
}

TEST(AtomicFile, SurvivesAFullDiskAtEveryByte) {
  const TemporaryFolder folder;
  const std::string path = folder.Path("a");
  const std::string bytes = "twenty bytes of text";
  ASSERT_TRUE(WriteFile(path, "old"));
  for (std::size_t k = 0; k < bytes.size(); ++k) {
    FaultyFileSystem files;
    files.capacity = k;
    const auto written = WriteFile(path, bytes, files);
    ASSERT_FALSE(written) << k;
    EXPECT_EQ(written.error().message, path + ": cannot write: No space left on device");
    EXPECT_EQ(Content(path), "old");
    EXPECT_THAT(folder.Names(), ElementsAre("a"));
  }
  FaultyFileSystem files;
  files.capacity = bytes.size();
  ASSERT_TRUE(WriteFile(path, bytes, files));
  EXPECT_EQ(Content(path), bytes);
}

TEST(AtomicFile, GoesOnAfterShortAndInterruptedWrites) {
  const TemporaryFolder folder;
  FaultyFileSystem files;
  files.most_at_once = 3;
  files.interruptions = 5;
  ASSERT_TRUE(WriteFile(folder.Path("a"), "abcdefgh", files));
  EXPECT_EQ(Content(folder.Path("a")), "abcdefgh");
}

TEST(AtomicFile, ReportsEveryFailingCall) {
  const TemporaryFolder folder;
  const std::string path = folder.Path("a");
  ASSERT_TRUE(WriteFile(path, "old"));
  struct Case {
    int FaultyFileSystem::*call;
    int error;
    const char* message;
  };
  const Case cases[] = {
      {&FaultyFileSystem::open_error, EACCES, "Permission denied"},
      {&FaultyFileSystem::sync_error, EIO, "cannot write to the disk: Input/output error"},
      {&FaultyFileSystem::rename_error, EROFS, "Read-only file system"},
  };
  for (const Case& test : cases) {
    FaultyFileSystem files;
    files.*test.call = test.error;
    const auto written = WriteFile(path, "new", files);
    ASSERT_FALSE(written) << test.message;
    EXPECT_THAT(written.error().message, StartsWith(path + ": "));
    EXPECT_THAT(written.error().message, HasSubstr(test.message));
    EXPECT_EQ(Content(path), "old");
    EXPECT_THAT(folder.Names(), ElementsAre("a"));
  }
}

TEST(AtomicFile, StaysFailedAfterAnError) {
  const TemporaryFolder folder;
  FaultyFileSystem files;
  files.capacity = 2;
  AtomicFile file(folder.Path("a"), files);
  EXPECT_FALSE(file.Write("abc"));
  files.capacity = FaultyFileSystem::kNever;
  EXPECT_FALSE(file.Write("abc"));
  EXPECT_FALSE(file.Commit());
  EXPECT_THAT(folder.Names(), IsEmpty());
}

// The kernel itself refuses to let the file grow.
TEST(AtomicFile, ReportsTheSystemsOwnLimit) {
  const TemporaryFolder folder;
  const std::string path = folder.Path("a");
  ASSERT_TRUE(WriteFile(path, "old"));
  rlimit saved{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &saved), 0);
  auto* const handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit small = saved;
  small.rlim_cur = 4096;
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  const auto written = WriteFile(path, std::string(10000, 'x'));
  setrlimit(RLIMIT_FSIZE, &saved);
  std::signal(SIGXFSZ, handler);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().message, path + ": cannot write: File too large");
  EXPECT_EQ(Content(path), "old");
  EXPECT_THAT(folder.Names(), ElementsAre("a"));
}

TEST(AtomicFile, NamesAMissingFolderAndAFolderInTheWay) {
  const TemporaryFolder folder;
  const auto missing = WriteFile(folder.Path("no/a"), "x");
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error().message, HasSubstr("No such file or directory"));
  ASSERT_EQ(mkdir(folder.Path("d").c_str(), 0777), 0);
  const auto in_the_way = WriteFile(folder.Path("d"), "x");
  ASSERT_FALSE(in_the_way);
  EXPECT_THAT(in_the_way.error().message, HasSubstr("Is a directory"));
  EXPECT_THAT(folder.Names(), ElementsAre("d"));
}

TEST(AtomicFile, UsesWhatAKilledWriterLeft) {
  const TemporaryFolder folder;
  ASSERT_TRUE(WriteFile(folder.Path("a.tmp"), "a longer text that was never finished"));
  ASSERT_TRUE(WriteFile(folder.Path("a"), "new"));
  EXPECT_EQ(Content(folder.Path("a")), "new");
  EXPECT_THAT(folder.Names(), ElementsAre("a"));
}

TEST(AtomicFile, RefusesASecondWriter) {
  const TemporaryFolder folder;
  AtomicFile first(folder.Path("a"));
  ASSERT_TRUE(first.Write("first"));
  const auto second = WriteFile(folder.Path("a"), "second");
  ASSERT_FALSE(second);
  EXPECT_THAT(second.error().message, HasSubstr("another process is writing"));
  ASSERT_TRUE(first.Commit());
  EXPECT_EQ(Content(folder.Path("a")), "first");
  EXPECT_TRUE(WriteFile(folder.Path("a"), "third"));
}

TEST(ReadFile, RefusesWhatIsNoFile) {
  const TemporaryFolder folder;
  EXPECT_THAT(ReadFile(folder.Path("no"), kLimit).error().message,
              HasSubstr("No such file or directory"));
  EXPECT_THAT(ReadFile(folder.Path(""), kLimit).error().message, HasSubstr("is a directory"));
  EXPECT_THAT(ReadFile("/dev/zero", kLimit).error().message, HasSubstr("not a regular file"));
  ASSERT_TRUE(WriteFile(folder.Path("a"), "12345"));
  EXPECT_THAT(ReadFile(folder.Path("a"), 4).error().message, HasSubstr("5 bytes, more than the 4"));
  EXPECT_TRUE(ReadFile(folder.Path("a"), 5));
}

}  // namespace
}  // namespace berd
