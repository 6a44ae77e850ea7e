#pragma once

#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>

namespace berd {

// A folder of its own for one test, removed at the end.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    // mkdtemp replaces the six letters at the end.
    std::string name =
        (std::filesystem::temp_directory_path() / ("berd_test_" + std::string(6, 'X'))).string();
    folder_ = mkdtemp(name.data());
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string Path(const std::string& name) const { return (folder_ / name).string(); }
  std::set<std::string> Names() const {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
      names.insert(entry.path().filename().string());
    }
    return names;
  }

 private:
  std::filesystem::path folder_;
};

}  // namespace berd
