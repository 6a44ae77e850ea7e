#include "selfplay/checkpoint.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "nn/record_file.h"

namespace berd {

namespace {

constexpr FileKind kCheckpointFile{.name = "checkpoint", .version = 1};

enum Tag : std::uint32_t { kCounters = 1, kNetwork = 2, kOptimizer = 3, kWindow = 4 };

// The replay window may be larger than one record.
constexpr std::size_t kChunk = std::size_t{1} << 28;

Result<void> ReadCounters(const std::string& bytes, Checkpoint& checkpoint) {
  try {
    const auto counters = nlohmann::json::parse(bytes);
    checkpoint.config = counters.at("config");
    checkpoint.config_hash = counters.at("config_hash");
    checkpoint.round = counters.at("round");
    checkpoint.games = counters.at("games");
    checkpoint.decisions = counters.at("decisions");
    checkpoint.examples_trained = counters.at("examples_trained");
    checkpoint.seconds = counters.at("seconds");
  } catch (const nlohmann::json::exception& error) {
    return Fail(std::string("counters: ") + error.what());
  }
  return {};
}

Result<void> ReadRecord(Record& record, const std::string& path, Checkpoint& checkpoint) {
  switch (record.tag) {
    case kCounters:
      return ReadCounters(record.bytes, checkpoint);
    case kNetwork: {
      auto network = DecodeNetwork(record.bytes, path);
      if (!network) return tl::unexpected(network.error());
      checkpoint.network = std::move(*network);
      return {};
    }
    case kOptimizer:
      checkpoint.optimizer = std::move(record.bytes);
      return {};
    case kWindow:
      checkpoint.window += record.bytes;
      return {};
    default:
      return Fail("unknown record " + std::to_string(record.tag));
  }
}

}  // namespace

Result<void> SaveCheckpoint(const Checkpoint& checkpoint, const std::string& path,
                            FileSystem& files) {
  AtomicFile file(path, files);
  RecordWriter writer(file);
  const nlohmann::json counters = {
      {"config", checkpoint.config},       {"config_hash", checkpoint.config_hash},
      {"round", checkpoint.round},         {"games", checkpoint.games},
      {"decisions", checkpoint.decisions}, {"examples_trained", checkpoint.examples_trained},
      {"seconds", checkpoint.seconds}};
  // A path in the config may hold bytes that are no UTF-8; nobody reads it back from here.
  const std::string counters_text =
      counters.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  Result<void> ok = writer.Begin(kCheckpointFile);
  if (ok) ok = writer.Add(kCounters, counters_text);
  if (ok) ok = writer.Add(kNetwork, EncodeNetwork(checkpoint.network));
  if (ok) ok = writer.Add(kOptimizer, checkpoint.optimizer);
  const std::string_view window = checkpoint.window;
  for (std::size_t at = 0; ok && at < window.size(); at += kChunk) {
    ok = writer.Add(kWindow, window.substr(at, kChunk));
  }
  if (ok) ok = writer.Seal();
  if (ok) ok = file.Commit();
  return ok;
}

Result<Checkpoint> LoadCheckpoint(const std::string& path) {
  const auto bytes = ReadFile(path, std::uint64_t{1} << 36);
  if (!bytes) return tl::unexpected(bytes.error());
  auto reader = RecordReader::Open(*bytes, kCheckpointFile, path);
  if (!reader) return tl::unexpected(reader.error());
  Checkpoint checkpoint;
  while (true) {
    auto record = reader->Next();
    if (!record) return tl::unexpected(record.error());
    if (!*record) break;
    if (auto ok = ReadRecord(**record, path, checkpoint); !ok) {
      return Fail(path + ": damaged", ok.error());
    }
  }
  if (checkpoint.config_hash.empty() || checkpoint.network.encoder.empty()) {
    return Fail(path + ": damaged: records are missing");
  }
  return checkpoint;
}

}  // namespace berd
