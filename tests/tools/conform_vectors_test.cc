// The conformance vectors of tests/vectors through `berd conform`'s own code, and that it notices
// when one of them is wrong.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "test_paths.h"
#include "tools/conform.h"

namespace berd {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

const std::filesystem::path kFolder = std::string(BERD_SOURCE_DIR) + "/tests/vectors/berd";

std::string FirstLine(const std::string& file) {
  std::ifstream stream(kFolder / file);
  std::string line;
  std::getline(stream, line);
  return line;
}

// `line` with the n-th occurrence of `from` replaced.
std::string Replaced(std::string line, const std::string& from, const std::string& to, int n = 1) {
  std::size_t at = line.find(from);
  for (; n > 1 && at != std::string::npos; --n) at = line.find(from, at + 1);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? line : line.replace(at, from.size(), to);
}

std::string Difference(const std::string& line) {
  std::string difference;
  const auto ok = ConformLine(line, difference);
  return ok ? difference : "no vector: " + ok.error().message;
}

TEST(ConformVectors, AllPass) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(kFolder.parent_path())) {
    if (entry.path().extension() == ".jsonl") files.push_back(entry.path());
  }
  EXPECT_GE(files.size(), 29u);
  long passed = 0;
  for (const auto& file : files) {
    std::vector<ConformDifference> differences;
    const auto count = ConformFile(file.string(), differences);
    ASSERT_TRUE(count) << count.error().message;
    EXPECT_EQ(count->failed, 0) << file;
    for (const auto& difference : differences) {
      ADD_FAILURE() << file << ":" << difference.line << ": " << difference.text;
    }
    passed += count->passed;
  }
  EXPECT_EQ(passed, 432);
}

TEST(ConformVectors, WrongPositionIsShownWithItsStep) {
  const std::string line = FirstLine("race_short_2x2.jsonl");
  ASSERT_EQ(Difference(line), "");
  // The second step, after a throw.
  const std::string wrong = Replaced(line, "board=0:A2,16:B2", "board=0:A2,15:B2", 2);
  EXPECT_THAT(Difference(wrong),
              AllOf(HasSubstr("race:short:2x2: step 1: position"), HasSubstr("15:B2"),
                    HasSubstr("16:B2"), HasSubstr("expected: "), HasSubstr("got: ")));
}

TEST(ConformVectors, WrongLegalSetIsShownWithItsStep) {
  const std::string line = FirstLine("race_short_2x2.jsonl");
  EXPECT_THAT(Difference(Replaced(line, "\"roll:11\", ", "")),
              AllOf(HasSubstr("step 0: legal actions"), HasSubstr("expected: roll:21 "),
                    HasSubstr("got:      roll:11 roll:21 ")));
}

TEST(ConformVectors, WrongResultsAreShown) {
  const std::string line = FirstLine("race_short_2x2.jsonl");
  const auto end = line.find("\"score\": [");
  ASSERT_NE(end, std::string::npos);
  const std::string score = line.substr(end, line.find(']', end) - end + 1);
  EXPECT_THAT(Difference(Replaced(line, score, "\"score\": [77, 3]")),
              AllOf(HasSubstr("scores"), HasSubstr("[77,3]")));
  const auto win = line.find("\"win\": [");
  const std::string shares = line.substr(win, line.find(']', win) - win + 1);
  EXPECT_THAT(Difference(Replaced(line, shares, "\"win\": [\"1/3\", \"2/3\"]")),
              AllOf(HasSubstr("win shares"), HasSubstr("1/3 2/3")));
}

TEST(ConformVectors, WrongEndAndIllegalActionAreShown) {
  const std::string line = FirstLine("race_short_2x2.jsonl");
  EXPECT_THAT(Difference(Replaced(line, "phase=end\"", "phase=roll\"")),
              AllOf(HasSubstr("end position"), HasSubstr("phase=roll"), HasSubstr("phase=end")));
  EXPECT_THAT(Difference(Replaced(line, "\"act\": \"roll:", "\"act\": \"rool:")),
              AllOf(HasSubstr("step 0"), HasSubstr("is not legal here; legal: roll:11")));
}

TEST(ConformVectors, WrongViewIsShownWithItsSeat) {
  const std::string line = FirstLine("views.jsonl");
  ASSERT_EQ(Difference(line), "");
  EXPECT_THAT(Difference(Replaced(line, "\"B\": \"n=0", "\"B\": \"n=1")),
              AllOf(HasSubstr("view of B"), HasSubstr("n=1"), HasSubstr("n=0")));
}

}  // namespace
}  // namespace berd
