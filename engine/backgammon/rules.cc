#include "engine/backgammon/rules.h"

#include <array>

#include "engine/core/text.h"
#include "engine/tables/notation.h"

namespace berd {

std::string BackgammonRules::ToString() const {
  return cap == kDefaultCap ? "backgammon" : "backgammon:cap=" + std::to_string(cap);
}

Result<BackgammonRules> ParseBackgammonRules(std::string_view text) {
  static constexpr std::array<std::string_view, 1> kOptions = {"cap"};
  const std::string place = "rules " + Quoted(text);
  const auto options = tables::SplitRules(text, "backgammon", kOptions);
  if (!options) return Fail(place, options.error());
  BackgammonRules rules;
  for (const auto& option : *options) {
    const auto cap = tables::OptionNumber(option, 1, BackgammonRules::kLargestCap);
    if (!cap) return Fail(place, cap.error());
    rules.cap = *cap;
  }
  return rules;
}

}  // namespace berd
