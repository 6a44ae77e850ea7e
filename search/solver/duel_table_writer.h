#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/berd/rules.h"
#include "engine/core/error.h"
#include "search/solver/duel_layer.h"

namespace berd {

// Writes a table file layer by layer to `path`.part and gives it its name at the end. A layer is on
// the disk when Append returns; a part file that a killed process left behind is continued after
// its last whole layer. Two writers of one path exclude each other. Not thread-safe.
class DuelTableWriter {
 public:
  // Opens the part file. It is started anew if it is for other rules.
  static Result<std::unique_ptr<DuelTableWriter>> Open(const std::string& path,
                                                       const DuelRules& rules);
  ~DuelTableWriter();
  DuelTableWriter(const DuelTableWriter&) = delete;
  DuelTableWriter& operator=(const DuelTableWriter&) = delete;

  // The layers so far, in order; the views live as long as the writer.
  const std::vector<DuelLayerView>& layers() const { return layers_; }
  // Appends an encoded layer.
  Result<void> Append(std::string section);
  Result<void> Finish();

 private:
  explicit DuelTableWriter(std::string path) : path_(std::move(path)), part_(path_ + ".part") {}
  Result<void> Start(const DuelRules& rules);
  Result<void> ReadWholeLayers(const DuelRules& rules);
  Result<void> Write(std::string_view bytes);
  Result<void> Sync();
  tl::unexpected<Error> Failure(const char* what) const;

  std::string path_;
  std::string part_;
  int fd_ = -1;
  std::vector<std::unique_ptr<const std::string>> sections_;
  std::vector<DuelLayerView> layers_;
};

}  // namespace berd
