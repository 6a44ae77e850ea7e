// Any bytes as a line of a conformance vector file. The replay says that the line passes, where it
// differs, or why it is no vector.

#include <cstdint>
#include <string>

#include "tests/fuzz/play_on.h"
#include "tools/conform.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace berd;
  const std::string text(reinterpret_cast<const char*>(data), size);
  std::string difference;
  const auto ok = ConformLine(text, difference);
  if (!ok) fuzz::Require(!ok.error().message.empty(), "error without a message", text);
  return 0;
}
