#include "tests/repo/source_tree.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <utility>

namespace berd::repo {
namespace {

struct Layer {
  std::string_view folder;
  std::vector<std::string_view> may_include;  // besides itself
};

// Longest folder first where one contains the other. nn/train is a layer of its own: it becomes the
// only library that links LibTorch.
const std::vector<Layer>& Layers() {
  static const std::vector<Layer> kLayers = {
      {"engine", {}},
      {"search", {"engine"}},
      {"nn/train", {"engine", "nn"}},
      {"nn", {"engine"}},
      {"selfplay", {"engine", "search", "nn", "nn/train"}},
      {"tools", {"engine", "search", "nn", "nn/train", "selfplay"}},
  };
  return kLayers;
}

struct Library {
  std::string_view prefix;
  std::vector<std::string_view> layers;  // that may include it
};

// Third-party headers by the beginning of their names. A header that matches none is free, except
// in engine/, which has a list of its own.
const std::vector<Library>& Libraries() {
  static const std::vector<Library> kLibraries = {
      {"torch/", {"nn/train"}},
      {"ATen/", {"nn/train"}},
      {"c10/", {"nn/train"}},
      {"caffe2/", {"nn/train"}},
      {"tbb/", {"search", "selfplay", "tools"}},
      {"oneapi/tbb", {"search", "selfplay", "tools"}},
      {"Eigen/", {"nn", "nn/train", "selfplay", "tools"}},
      {"zstd.h", {"nn", "nn/train", "selfplay", "tools"}},
      {"xxhash.h", {"search", "nn", "nn/train", "selfplay", "tools"}},
      {"SQLiteCpp/", {"selfplay", "tools"}},
      {"sqlite3.h", {"selfplay", "tools"}},
      {"toml++/", {"selfplay", "tools"}},
      {"nlohmann/", {"selfplay", "tools"}},
      {"fmt/", {"selfplay", "tools"}},
      {"cxxopts.hpp", {"tools"}},
      {"pybind11/", {"tools"}},
  };
  return kLibraries;
}

// What engine/ may use besides headers of the standard library, whose names have no dot or slash:
// tl::expected, which becomes std::expected, and the compiler's headers for vector instructions.
bool IsEngineHeader(std::string_view name) {
  return name == "tl/expected.hpp" || name.ends_with("intrin.h");
}

// The layer of a path or of an include name; empty for all else.
std::string_view LayerOf(std::string_view path) {
  for (const Layer& layer : Layers()) {
    if (path.starts_with(layer.folder) && path.substr(layer.folder.size()).starts_with('/')) {
      return layer.folder;
    }
  }
  return {};
}

bool Contains(const std::vector<std::string_view>& list, std::string_view item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

bool MayInclude(std::string_view from, std::string_view to) {
  if (from == to) return true;
  const auto layer = std::find_if(Layers().begin(), Layers().end(),
                                  [&](const Layer& l) { return l.folder == from; });
  return layer != Layers().end() && Contains(layer->may_include, to);
}

bool IsKnownThirdParty(std::string_view name) {
  return IsEngineHeader(name) ||
         std::any_of(Libraries().begin(), Libraries().end(),
                     [&](const Library& library) { return name.starts_with(library.prefix); });
}

std::string WrongThirdParty(std::string_view layer, std::string_view name) {
  for (const Library& library : Libraries()) {
    if (name.starts_with(library.prefix) && !Contains(library.layers, layer)) {
      return std::string(layer) + "/ may not use " + std::string(name);
    }
  }
  if (layer == "engine" && name.find_first_of("./") != std::string_view::npos &&
      !IsEngineHeader(name)) {
    return "engine/ uses the standard library only, not " + std::string(name);
  }
  return {};
}

std::string WrongInclude(std::string_view layer, const Include& include) {
  const std::string_view target = LayerOf(include.name);
  if (!target.empty()) {
    if (MayInclude(layer, target)) return {};
    return std::string(layer) + "/ may not include " + include.name + ": arrows point from " +
           std::string(target) + "/ to " + std::string(layer) + "/, or not at all";
  }
  if (include.quoted && !IsKnownThirdParty(include.name)) {
    return "\"" + include.name + "\" is not written from the repository root";
  }
  return WrongThirdParty(layer, include.name);
}

std::string_view TrimLeft(std::string_view text) {
  const std::size_t start = text.find_first_not_of(" \t");
  return start == std::string_view::npos ? std::string_view() : text.substr(start);
}

// Parses one line; false when it is no #include.
bool ParseInclude(std::string_view line, Include& include) {
  line = TrimLeft(line);
  if (!line.starts_with('#')) return false;
  line = TrimLeft(line.substr(1));
  if (!line.starts_with("include")) return false;
  line = TrimLeft(line.substr(std::string_view("include").size()));
  if (line.empty() || (line.front() != '"' && line.front() != '<')) return false;
  include.quoted = line.front() == '"';
  const std::size_t end = line.find(include.quoted ? '"' : '>', 1);
  if (end == std::string_view::npos) return false;
  include.name = std::string(line.substr(1, end - 1));
  return true;
}

bool IsTable(const std::filesystem::path& path) {
  const std::string stem = path.stem().string();
  return stem.ends_with("table") || stem.ends_with("tables");
}

}  // namespace

const std::vector<std::string>& LayeredFolders() {
  static const std::vector<std::string> kFolders = {"engine", "search", "nn", "selfplay", "tools"};
  return kFolders;
}

SourceFile MakeSourceFile(std::string path, std::string_view text) {
  SourceFile file{.path = std::move(path), .lines = {}};
  std::istringstream stream{std::string(text)};
  for (std::string line; std::getline(stream, line);) file.lines.push_back(line);
  return file;
}

std::vector<SourceFile> ReadSourceTree(const std::filesystem::path& root) {
  std::vector<SourceFile> files;
  for (const std::string& folder : LayeredFolders()) {
    if (!std::filesystem::exists(root / folder)) continue;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder)) {
      const std::string extension = entry.path().extension().string();
      if (!entry.is_regular_file() || (extension != ".h" && extension != ".cc")) continue;
      std::ifstream stream(entry.path(), std::ios::binary);
      std::ostringstream text;
      text << stream.rdbuf();
      files.push_back(MakeSourceFile(std::filesystem::relative(entry.path(), root).generic_string(),
                                     text.str()));
    }
  }
  std::sort(files.begin(), files.end(),
            [](const SourceFile& a, const SourceFile& b) { return a.path < b.path; });
  return files;
}

std::vector<Include> Includes(const SourceFile& file) {
  std::vector<Include> includes;
  bool in_comment = false;
  for (std::size_t i = 0; i < file.lines.size(); ++i) {
    const std::string_view line = file.lines[i];
    Include include{.line = i + 1, .name = {}, .quoted = false};
    if (!in_comment && ParseInclude(line, include)) {
      includes.push_back(std::move(include));
      continue;
    }
    // Only comments that begin a line can hide an include: a `/*` inside a string does not count.
    if (!in_comment && !TrimLeft(line).starts_with("/*")) continue;
    in_comment = line.rfind("*/") == std::string_view::npos;
  }
  return includes;
}

std::vector<std::string> WrongIncludes(const SourceFile& file) {
  std::vector<std::string> findings;
  const std::string_view layer = LayerOf(file.path);
  for (const Include& include : Includes(file)) {
    const std::string wrong = WrongInclude(layer, include);
    if (!wrong.empty()) {
      findings.push_back(file.path + ":" + std::to_string(include.line) + ": " + wrong);
    }
  }
  return findings;
}

std::vector<std::string> TooLong(const SourceFile& file, std::size_t max_lines) {
  if (file.lines.size() <= max_lines || IsTable(file.path)) return {};
  return {file.path + ":" + std::to_string(file.lines.size()) + ": longer than " +
          std::to_string(max_lines) + " lines; split it"};
}

std::vector<std::string> MissingPragmaOnce(const SourceFile& file) {
  if (!file.path.ends_with(".h")) return {};
  const bool found = std::any_of(file.lines.begin(), file.lines.end(), [](std::string_view line) {
    return TrimLeft(line).starts_with("#pragma once");
  });
  if (found) return {};
  return {file.path + ":1: no #pragma once"};
}

}  // namespace berd::repo
