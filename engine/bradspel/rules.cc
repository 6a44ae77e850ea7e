#include "engine/bradspel/rules.h"

#include <array>

#include "engine/core/text.h"
#include "engine/tables/notation.h"

namespace berd {
namespace {

Result<void> SetOption(const tables::RuleOption& option, BradspelRules& rules) {
  if (option.name == "sprangjan") {
    if (option.value != "4" && option.value != "6") {
      return Fail("option " + Quoted(option.text) +
                  " must be written 'sprangjan=4' or 'sprangjan=6'");
    }
    rules.sprangjan = option.value[0] - '0';
    return {};
  }
  if (option.name == "entrywall") {
    if (option.has_value) {
      return Fail("option " + Quoted(option.text) + " takes no value; write 'entrywall'");
    }
    rules.entry_wall = true;
    return {};
  }
  const auto cap = tables::OptionNumber(option, 1, BradspelRules::kLargestCap);
  if (!cap) return tl::unexpected(cap.error());
  rules.cap = *cap;
  return {};
}

}  // namespace

std::string BradspelRules::ToString() const {
  std::string options;
  const auto add = [&](const std::string& option) {
    options += (options.empty() ? ":" : "+") + option;
  };
  if (sprangjan != 6) add("sprangjan=" + std::to_string(sprangjan));
  if (entry_wall) add("entrywall");
  if (cap != kDefaultCap) add("cap=" + std::to_string(cap));
  return "bradspel" + options;
}

Result<BradspelRules> ParseBradspelRules(std::string_view text) {
  static constexpr std::array<std::string_view, 3> kOptions = {"sprangjan", "entrywall", "cap"};
  const std::string place = "rules " + Quoted(text);
  const auto options = tables::SplitRules(text, "bradspel", kOptions);
  if (!options) return Fail(place, options.error());
  BradspelRules rules;
  for (const auto& option : *options) {
    if (auto ok = SetOption(option, rules); !ok) return Fail(place, ok.error());
  }
  return rules;
}

}  // namespace berd
