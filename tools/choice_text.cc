#include "tools/choice_text.h"

#include <fmt/format.h>

#include <cmath>

#include "engine/core/text.h"

namespace berd {

Result<AgentSpec> ResolveAgent(const std::string& text) {
  const auto first = std::string_view(text).substr(0, text.find(','));
  const bool file = first.find('=') == std::string_view::npos &&
                    (first.find('/') != std::string_view::npos || first.ends_with(".net"));
  return ParseAgentSpec(file ? "net=" + text : text);
}

std::string TypableText(std::span<const std::string> actions, const GameWords& words) {
  std::string text;
  for (std::string_view action : actions) {
    Consume(action, "m:");
    text += (text.empty() ? "" : " ") +
            (words.whole_turns() ? words.Label(action) : std::string(action));
  }
  return text;
}

std::string_view RankedByText(RankedBy by) {
  if (by == RankedBy::kWinShare) return "with win share";
  return by == RankedBy::kEquity ? "with the points expected" : "with its score";
}

std::string ValueText(RankedBy by, double value, int fewer_digits) {
  if (by == RankedBy::kWinShare) return fmt::format("{:6.{}f} %", 100 * value, 2 - fewer_digits);
  if (by == RankedBy::kEquity && std::abs(value) < 0.00005) value = 0;  // never -0.0000
  if (by == RankedBy::kEquity) return fmt::format("{:+8.{}f}", value, 4 - fewer_digits);
  return fmt::format("{:8.2f}", value);
}

std::string GapText(RankedBy by, double gap) {
  if (by == RankedBy::kWinShare) return fmt::format("{:6.2f}", 100 * gap);
  return by == RankedBy::kEquity ? fmt::format("{:6.4f}", gap) : fmt::format("{:6.2f}", gap);
}

std::string DepthText(const RankedDepth& depth) {
  if (depth.games > 0) return fmt::format("{} games", depth.games);
  if (depth.plies > 0) return fmt::format("{} {}", depth.plies, depth.plies == 1 ? "ply" : "plies");
  if (depth.margin) return fmt::format("{:+} at the end", *depth.margin);
  return fmt::format("{} visit{}", depth.visits, depth.visits == 1 ? "" : "s");
}

}  // namespace berd
