#pragma once

#include <string_view>

namespace berd {

// A named set of rules, as `berd info` lists them.
struct Preset {
  std::string_view name;
  std::string_view rules;  // canonical
  std::string_view summary;
};

}  // namespace berd
