// The shape of the source tree: arrows between folders point one way, files stay small, headers
// guard themselves.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "test_paths.h"
#include "tests/repo/source_tree.h"

namespace berd::repo {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

constexpr std::size_t kMaxLines = 600;

template <typename Check>
std::string FindingsInTree(Check check) {
  std::string findings;
  for (const SourceFile& file : ReadSourceTree(BERD_SOURCE_DIR)) {
    for (const std::string& finding : check(file)) findings += finding + "\n";
  }
  return findings;
}

TEST(SourceTree, IncludesPointOneWay) { EXPECT_EQ(FindingsInTree(WrongIncludes), ""); }

TEST(SourceTree, FilesAreShort) {
  EXPECT_EQ(FindingsInTree([](const SourceFile& file) { return TooLong(file, kMaxLines); }), "");
}

TEST(SourceTree, HeadersHavePragmaOnce) { EXPECT_EQ(FindingsInTree(MissingPragmaOnce), ""); }

TEST(SourceTree, LayeredFoldersExist) {
  for (const std::string& folder : LayeredFolders()) {
    EXPECT_TRUE(std::filesystem::is_directory(std::filesystem::path(BERD_SOURCE_DIR) / folder))
        << folder;
  }
}

// The checks themselves.

std::vector<std::string> Check(const std::string& path, const std::string& text) {
  return WrongIncludes(MakeSourceFile(path, text));
}

TEST(IncludeDirection, AcceptsTheArrowsOfTheDesign) {
  EXPECT_THAT(Check("engine/berd/state.h", "#include <cstdint>\n#include \"engine/core/seat.h\"\n"),
              IsEmpty());
  EXPECT_THAT(Check("engine/core/error.h", "#include <tl/expected.hpp>\n"), IsEmpty());
  EXPECT_THAT(Check("engine/core/error.h", "#include \"tl/expected.hpp\"\n"), IsEmpty());
  EXPECT_THAT(Check("search/mcts.cc", "#include <tbb/task_arena.h>\n#include \"engine/a.h\"\n"),
              IsEmpty());
  EXPECT_THAT(Check("nn/network.cc", "#include <Eigen/Core>\n#include \"engine/a.h\"\n"),
              IsEmpty());
  EXPECT_THAT(Check("nn/train/trainer.cc", "#include <torch/torch.h>\n#include \"nn/network.h\"\n"),
              IsEmpty());
  EXPECT_THAT(
      Check("selfplay/learner.cc",
            "#include \"nn/network.h\"\n#include \"search/a.h\"\n#include \"engine/b.h\"\n"),
      IsEmpty());
  EXPECT_THAT(Check("tools/main.cc", "#include <cxxopts.hpp>\n#include \"selfplay/arena.h\"\n"),
              IsEmpty());
}

TEST(IncludeDirection, RefusesArrowsUpwards) {
  EXPECT_THAT(Check("engine/berd/state.h", "#pragma once\n\n#include \"search/greedy.h\"\n"),
              ElementsAre(StartsWith("engine/berd/state.h:3: engine/ may not include")));
  EXPECT_THAT(Check("search/a.h", "#include \"nn/network.h\"\n"),
              ElementsAre(HasSubstr("search/a.h:1")));
  EXPECT_THAT(Check("nn/a.h", "#include \"search/greedy.h\"\n"),
              ElementsAre(HasSubstr("nn/a.h:1")));
  EXPECT_THAT(Check("nn/a.h", "#include \"nn/train/trainer.h\"\n"),
              ElementsAre(HasSubstr("nn/ may not include nn/train/trainer.h")));
  EXPECT_THAT(Check("nn/train/a.h", "#include \"search/greedy.h\"\n"), testing::SizeIs(1));
  EXPECT_THAT(Check("selfplay/a.h", "  #  include <tools/table.h>\n"), testing::SizeIs(1));
}

TEST(IncludeDirection, RefusesLibrariesOutOfPlace) {
  EXPECT_THAT(Check("nn/network.h", "#include <torch/torch.h>\n"), testing::SizeIs(1));
  EXPECT_THAT(Check("tools/train.cc", "#include <ATen/ATen.h>\n"), testing::SizeIs(1));
  EXPECT_THAT(Check("engine/core/a.h", "#include <fmt/format.h>\n"), testing::SizeIs(1));
  EXPECT_THAT(Check("engine/core/a.h", "#include <unistd.h>\n"), testing::SizeIs(1));
  EXPECT_THAT(Check("selfplay/a.cc", "#include <cxxopts.hpp>\n"), testing::SizeIs(1));
}

TEST(IncludeDirection, RefusesRelativePaths) {
  EXPECT_THAT(Check("engine/core/a.cc", "#include \"a.h\"\n"),
              ElementsAre(HasSubstr("repository root")));
  EXPECT_THAT(Check("engine/core/a.cc", "#include \"../berd/state.h\"\n"), testing::SizeIs(1));
  EXPECT_THAT(Check("engine/core/a.cc", "#include \"tests/engine/boards.h\"\n"),
              testing::SizeIs(1));
}

TEST(IncludeDirection, SkipsComments) {
  EXPECT_THAT(
      Check("engine/a.h", "// #include \"tools/a.h\"\n/* text\n#include \"tools/b.h\"\n*/\n"),
      IsEmpty());
  EXPECT_THAT(Check("engine/a.h", "/* one line */\n#include \"tools/b.h\"\n"), testing::SizeIs(1));
}

TEST(FileSize, CountsLinesAndSparesTables) {
  const std::string text(601, '\n');
  EXPECT_THAT(TooLong(MakeSourceFile("nn/a.cc", text), 600),
              ElementsAre(HasSubstr("nn/a.cc:601: longer than 600")));
  EXPECT_THAT(TooLong(MakeSourceFile("nn/a.cc", text.substr(1)), 600), IsEmpty());
  EXPECT_THAT(TooLong(MakeSourceFile("engine/bearoff_table.cc", text), 600), IsEmpty());
}

TEST(PragmaOnce, IsAskedOfHeadersOnly) {
  EXPECT_THAT(MissingPragmaOnce(MakeSourceFile("nn/a.h", "int x;\n")),
              ElementsAre(StartsWith("nn/a.h:1")));
  EXPECT_THAT(MissingPragmaOnce(MakeSourceFile("nn/a.h", "// Why.\n#pragma once\n")), IsEmpty());
  EXPECT_THAT(MissingPragmaOnce(MakeSourceFile("nn/a.cc", "int x;\n")), IsEmpty());
}

}  // namespace
}  // namespace berd::repo
