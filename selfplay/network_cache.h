#pragma once

#include <memory>
#include <string>

#include "engine/core/error.h"
#include "nn/network.h"

namespace berd {

// The network of a file, loaded once per process while anybody uses it, however many agents ask for
// it; loaded again when the file has been replaced since. Thread-safe.
Result<std::shared_ptr<const Network>> SharedNetwork(const std::string& path);

}  // namespace berd
