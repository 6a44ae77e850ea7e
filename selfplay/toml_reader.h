#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/error.h"

namespace berd {

// A strict reader of TOML files: every key must be asked for, every value must have the right type
// and lie in its range, and messages say file, line and the nearest right key:
//
//   configs/x.toml:7: unknown key 'lamda' in [selfplay]; did you mean 'lambda'?
//
// Use: open, enter a table, read its keys into fields that hold the defaults, and at the end ask
// Finish for the first error. Not thread-safe.
class TomlReader {
 public:
  static Result<TomlReader> Open(const std::string& path);
  static Result<TomlReader> FromText(std::string_view text, std::string name);
  TomlReader(TomlReader&&) noexcept;
  TomlReader& operator=(TomlReader&&) noexcept;
  ~TomlReader();

  // `key = "value"` overrides a key of a table ("selfplay.games=1000"), as given on a command line.
  Result<void> Override(std::string_view assignment);

  // Selects the table [name]; an absent one is empty.
  void Table(std::string_view name);

  // Reads a key of the table if it is there.
  void Read(std::string_view key, std::string* value);
  void Read(std::string_view key, bool* value);
  void Read(std::string_view key, std::int64_t* value, std::int64_t low, std::int64_t high);
  void Read(std::string_view key, double* value, double low, double high);
  // A number, or two of them: at the start and at the end of a run.
  void Read(std::string_view key, double* start, double* end, double low, double high);
  void Read(std::string_view key, std::vector<std::int64_t>* value, std::int64_t low,
            std::int64_t high);

  // `file:line` of a key of the present table, or the setting that overrides it, for errors about
  // its meaning.
  std::string Place(std::string_view key) const;

  // The first error so far, or one about a key or a table that nobody asked for.
  Result<void> Finish();

 private:
  struct Document;
  explicit TomlReader(std::unique_ptr<Document> document);
  std::unique_ptr<Document> document_;
};

}  // namespace berd
