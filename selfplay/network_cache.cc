#include "selfplay/network_cache.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <system_error>
#include <tuple>
#include <utility>

namespace berd {

namespace {

// Path, size and time of last change: a replaced file is another one.
using FileIdentity = std::tuple<std::string, std::uintmax_t, std::filesystem::file_time_type>;

FileIdentity Identify(const std::string& path) {
  std::error_code error;  // a file that cannot be read is reported by LoadNetwork
  const auto size = std::filesystem::file_size(path, error);
  const auto time = std::filesystem::last_write_time(path, error);
  return {path, size, time};
}

}  // namespace

Result<std::shared_ptr<const Network>> SharedNetwork(const std::string& path) {
  static std::mutex mutex;
  static std::map<FileIdentity, std::weak_ptr<const Network>> loaded;

  const std::lock_guard lock(mutex);
  auto& known = loaded[Identify(path)];
  if (auto network = known.lock()) return network;
  auto network = LoadNetwork(path);
  if (!network) return tl::unexpected(std::move(network.error()));
  auto shared = std::make_shared<const Network>(*std::move(network));
  known = shared;
  return shared;
}

}  // namespace berd
