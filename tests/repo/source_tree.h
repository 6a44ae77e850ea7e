#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace berd::repo {

// One source file of the layered folders.
struct SourceFile {
  std::string path;  // from the repository root, with '/'
  std::vector<std::string> lines;
};

struct Include {
  std::size_t line;  // from 1
  std::string name;  // without quotes or angle brackets
  bool quoted;
};

// The folders that the rules of this test are about, in dependency order.
const std::vector<std::string>& LayeredFolders();

// All .h and .cc files of the layered folders below `root`, sorted by path.
std::vector<SourceFile> ReadSourceTree(const std::filesystem::path& root);

// Cuts a text into lines, for files made up in tests.
SourceFile MakeSourceFile(std::string path, std::string_view text);

// The #include lines outside comments.
std::vector<Include> Includes(const SourceFile& file);

// Each function returns one line `path:line: what is wrong` per finding.
std::vector<std::string> WrongIncludes(const SourceFile& file);
std::vector<std::string> TooLong(const SourceFile& file, std::size_t max_lines);
std::vector<std::string> MissingPragmaOnce(const SourceFile& file);

}  // namespace berd::repo
