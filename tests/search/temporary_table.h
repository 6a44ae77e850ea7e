#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

namespace berd {

// A path for a table in the folder for temporary files that no other process uses; what has been
// written there is removed at the end.
class TemporaryTable {
 public:
  TemporaryTable() {
    static int number = 0;
    path_ = testing::TempDir() + "berd_" + std::to_string(getpid()) + "_" +
            std::to_string(number++) + ".table";
    Remove();
  }
  ~TemporaryTable() { Remove(); }
  TemporaryTable(const TemporaryTable&) = delete;
  TemporaryTable& operator=(const TemporaryTable&) = delete;

  const std::string& path() const { return path_; }
  void Remove() const {
    std::filesystem::remove(path_);
    std::filesystem::remove(path_ + ".part");
  }

 private:
  std::string path_;
};

}  // namespace berd
