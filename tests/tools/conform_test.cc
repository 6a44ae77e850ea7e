#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/tools/run_command.h"

namespace berd {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view kGame =
    R"({"rules": "duel:3x3:1", "steps": [)"
    R"({"pos": "n=0 board=- col=-;- lat=0,0 turn=A phase=place:0", "legal": ["place:0", "place:1"], "act": "place:1"}, )"
    R"({"pos": "n=0 board=a1:A1 col=-;- lat=0,0 turn=A phase=place:1", "legal": ["place:0"], "act": "place:0"}], )"
    R"("end": "n=0 board=a1:A1 col=-;- lat=0,0 turn=B phase=place:0", "truncated": true})";
constexpr std::string_view kViews =
    R"({"rules": "duel:3x3:1", "pos": "n=0 board=- col=-;- lat=0,0 turn=A phase=place:0", )"
    R"("views": {"A": "n=0 board=- col=-;- lat=0,0 turn=A phase=place:0", )"
    R"("B": "n=0 board=- col=-;- lat=0,0 turn=A phase=place:0"}})";

class ConformCommand : public testing::Test {
 protected:
  // A file of this text, or of these two lines.
  std::string Write(std::string_view first, std::string_view second = {}) {
    std::ofstream file(path_);
    file << first;
    if (!second.empty()) file << '\n' << second << '\n';
    file.close();
    return path_.string();
  }
  void TearDown() override { std::filesystem::remove(path_); }

  std::filesystem::path path_ =
      std::filesystem::temp_directory_path() /
      ("berd_conform_" +
       std::string(testing::UnitTest::GetInstance()->current_test_info()->name()) + ".jsonl");
};

std::string Replaced(std::string_view text, std::string_view from, std::string_view to) {
  std::string result(text);
  return result.replace(result.find(from), from.size(), to);
}

TEST_F(ConformCommand, PassesGamesAndViews) {
  const auto run = RunCommand({"conform", Write(kGame, kViews)});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.out, "2 passed, 0 failed\n");
}

TEST_F(ConformCommand, ShowsTheFirstDifference) {
  const auto run =
      RunCommand({"conform", Write(Replaced(kGame, R"("place:0", "place:1")", R"("place:1")"))});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_THAT(run.out, HasSubstr(":1: duel:3x3:1: step 0: legal actions"));
  EXPECT_THAT(run.out, HasSubstr("expected: place:1\n"));
  EXPECT_THAT(run.out, HasSubstr("got:      place:0 place:1\n"));
  EXPECT_THAT(run.out, testing::EndsWith("0 passed, 1 failed\n"));
}

TEST_F(ConformCommand, ReportsWrongRulesAsAFailure) {
  const auto run = RunCommand({"conform", Write(Replaced(kGame, "duel:3x3:1", "duel:3x3:99"))});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_THAT(run.out, HasSubstr("duel:3x3:99"));
}

TEST_F(ConformCommand, PrintsJson) {
  const auto run = RunCommand(
      {"conform", "--json", Write(kGame, Replaced(kViews, R"("B": "n=0)", R"("B": "n=1)"))});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_THAT(run.out, HasSubstr(R"("failed":1)"));
  EXPECT_THAT(run.out, HasSubstr(R"("passed":1)"));
  EXPECT_THAT(run.out, HasSubstr(R"("line":2)"));
}

TEST_F(ConformCommand, RefusesWhatIsNoVectorFile) {
  const auto expect_refused = [&](std::string_view text, std::string_view message) {
    const auto run = RunCommand({"conform", Write(text)});
    EXPECT_EQ(run.exit_code, 2) << text;
    EXPECT_THAT(run.err, HasSubstr(std::string(message)));
  };
  expect_refused(kGame.substr(0, 200), ":1: not a vector line");
  expect_refused("{\"rules\": 3}\n", ":1: not a vector line");
  expect_refused("[1, 2]\n", ":1: not a vector line");
  expect_refused("", "holds no vectors");
  EXPECT_EQ(RunCommand({"conform", "/no/such/file"}).exit_code, 2);
  EXPECT_THAT(RunCommand({"conform", "/"}).err, HasSubstr("/: "));
  EXPECT_EQ(RunCommand({"conform"}).exit_code, 2);
}

}  // namespace
}  // namespace berd
