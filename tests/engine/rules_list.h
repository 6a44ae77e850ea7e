#pragma once

#include <span>
#include <string_view>

namespace berd {

// Canonical rules strings that the tests of the engine play: all presets first, then boards, player
// and token numbers at their bounds, and combinations of flags.
std::span<const std::string_view> TestedRules();

}  // namespace berd
