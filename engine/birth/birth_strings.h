#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/birth/birth.h"

// Parts of the strings of Birth that printing and parsing share. Thread-safe.
namespace berd::birth_strings {

// Six counts joined by '.'.
std::string CountsString(DiceCounts dice);
// Six counts of which none exceeds 11.
std::optional<DiceCounts> ParseCounts(std::string_view text);

}  // namespace berd::birth_strings
