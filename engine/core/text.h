#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace berd {

// The parts of `text` between separators; "" gives one empty part.
std::vector<std::string_view> Split(std::string_view text, char separator);

// A decimal number without sign and leading zeros (0 itself is fine) in [low, high]; nothing
// otherwise.
std::optional<std::uint32_t> ParseNumber(std::string_view text, std::uint32_t low,
                                         std::uint32_t high);

// If `text` starts with `prefix`, removes it and returns true.
bool Consume(std::string_view& text, std::string_view prefix);

// The candidate with the least edit distance to `word` if it is near enough to be a likely typing
// error, else "".
std::string_view Nearest(std::string_view word, std::span<const std::string_view> candidates);

// "; did you mean 'x'?" for the nearest candidate, or "" when none is near.
std::string DidYouMean(std::string_view word, std::span<const std::string_view> candidates);

// `text` in quotes for an error message, control characters escaped and long texts shortened.
std::string Quoted(std::string_view text);

// "a, b or c"
std::string JoinAlternatives(std::span<const std::string_view> words);

}  // namespace berd
