#include "engine/birth/rules.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "engine/core/text.h"

namespace berd {

namespace {

// The options in the order of a canonical string.
constexpr std::array<std::string_view, 4> kOptions = {"advanced", "relative", "back", "opening"};
constexpr std::array<bool BirthRules::*, 4> kMembers = {
    &BirthRules::advanced, &BirthRules::relative, &BirthRules::back, &BirthRules::opening};
constexpr std::string_view kCustom = "layout=custom";

// The index of an area number, or kBirthAreas.
std::size_t AreaIndex(int number) {
  const auto& numbers = kBirthAreaNumbers;
  return static_cast<std::size_t>(std::find(numbers.begin(), numbers.end(), number) -
                                  numbers.begin());
}

Result<void> ParseOption(std::string_view option, std::size_t& next, BirthRules& rules) {
  if (option.empty()) {
    return Fail("an option is missing; options are " + JoinAlternatives(kOptions));
  }
  if (option == kCustom) {
    return Fail("a custom layout cannot be given in a rules string, only in a configuration file");
  }
  if (option == "cap" || option.starts_with("cap=")) {
    return Fail("there is no 'cap': a game has exactly 11 placements a player");
  }
  const auto found = std::find(kOptions.begin(), kOptions.end(), option);
  if (found == kOptions.end()) {
    return Fail("unknown option " + Quoted(option) + DidYouMean(option, kOptions) +
                " (options: " + JoinAlternatives(kOptions) + ")");
  }
  const auto index = static_cast<std::size_t>(found - kOptions.begin());
  if (rules.*kMembers[index]) return Fail("option " + Quoted(option) + " is given twice");
  if (index < next) {
    return Fail("option " + Quoted(option) + " must stand before " + Quoted(kOptions[next - 1]) +
                "; the order is advanced, relative, back, opening");
  }
  rules.*kMembers[index] = true;
  next = index + 1;
  return {};
}

Result<BirthRules> ParseParts(std::string_view text) {
  const auto parts = Split(text, ':');
  if (parts[0] != "birth") {
    static constexpr std::array<std::string_view, 1> kNames = {"birth"};
    return Fail("unknown game " + Quoted(parts[0]) + DidYouMean(parts[0], kNames) +
                " (a rules string looks like 'birth:3' or 'birth:2:advanced+opening')");
  }
  if (parts.size() < 2) return Fail("the number of players is missing; 'birth:2' or 'birth:3'");
  BirthRules rules;
  const auto players = ParseNumber(parts[1], 2, kMostBirthPlayers);
  if (!players) return Fail(Quoted(parts[1]) + " is not a number of players; right is 2 or 3");
  rules.players = static_cast<int>(*players);
  if (parts.size() > 3) {
    return Fail(Quoted(parts[3]) + " after the options; options are joined by '+'");
  }
  if (parts.size() == 3) {
    if (parts[2].empty()) return Fail("empty option list after the last colon; leave it out");
    std::size_t next = 0;
    for (const auto option : Split(parts[2], '+')) {
      if (auto ok = ParseOption(option, next, rules); !ok) return tl::unexpected(ok.error());
    }
  }
  return rules;
}

// Sections where the area differs from that of the section before: one a contiguous arc.
Result<void> CheckSections(const BirthLayout& layout) {
  std::array<int, kBirthAreas> starts{};
  for (std::size_t section = 0; section < kBirthSections; ++section) {
    const int number = layout.sections[section];
    if (AreaIndex(number) == kBirthAreas) {
      return Fail("section " + std::to_string(section) + ": " + std::to_string(number) +
                  " is not an area; areas are 1, 2, 3, 5 and 8");
    }
    const std::size_t before = section == 0 ? kBirthSections - 1 : section - 1;
    if (layout.sections[before] != number) ++starts[AreaIndex(number)];
  }
  for (std::size_t area = 0; area < kBirthAreas; ++area) {
    const std::string name = "area " + std::to_string(kBirthAreaNumbers[area]);
    if (starts[area] > 1) {
      return Fail(name + " has " + std::to_string(starts[area]) +
                  " separate arcs; its sections must be contiguous");
    }
    const bool occurs = std::find(layout.sections.begin(), layout.sections.end(),
                                  kBirthAreaNumbers[area]) != layout.sections.end();
    if (!occurs) return Fail(name + " has no section; every area needs one");
  }
  return {};
}

Result<void> CheckCircle(const BirthLayout& layout) {
  std::array<bool, kBirthAreas> seen{};
  for (const int number : layout.circle) {
    const std::size_t area = AreaIndex(number);
    if (area == kBirthAreas) {
      return Fail("circle: " + std::to_string(number) +
                  " is not an area; areas are 1, 2, 3, 5 and 8");
    }
    if (seen[area]) {
      return Fail("circle: area " + std::to_string(number) +
                  " occurs twice; each of 1, 2, 3, 5 and 8 must occur once");
    }
    seen[area] = true;
  }
  return {};
}

// Sets layout and tables. Requires: the layout has been checked.
void Lay(BirthRules& rules, const BirthLayout& layout) {
  rules.layout = layout;
  for (std::size_t section = 0; section < kBirthSections; ++section) {
    rules.area_of[section] = static_cast<std::uint8_t>(AreaIndex(layout.sections[section]));
  }
  for (std::size_t i = 0; i < kBirthAreas; ++i) {
    const auto left = AreaIndex(layout.circle[(i + kBirthAreas - 1) % kBirthAreas]);
    const auto right = AreaIndex(layout.circle[(i + 1) % kBirthAreas]);
    rules.neighbours[AreaIndex(layout.circle[i])] = {
        static_cast<std::uint8_t>(std::min(left, right)),
        static_cast<std::uint8_t>(std::max(left, right))};
  }
}

}  // namespace

std::string BirthRules::ToString() const {
  std::string options;
  const auto add = [&](std::string_view option) {
    options += options.empty() ? ':' : '+';
    options += option;
  };
  for (std::size_t i = 0; i < kOptions.size(); ++i) {
    if (this->*kMembers[i]) add(kOptions[i]);
  }
  if (custom) add(kCustom);
  return "birth:" + std::to_string(players) + options;
}

Result<BirthRules> ParseBirthRules(std::string_view text) {
  auto rules = ParseParts(text);
  if (!rules) return Fail("rules " + Quoted(text), rules.error());
  Lay(*rules, rules->back ? kBirthBack : kBirthFront);
  return rules;
}

Result<BirthRules> WithLayout(const BirthRules& rules, const BirthLayout& layout) {
  if (rules.back || rules.custom) {
    return Fail("layout: the rules '" + rules.ToString() +
                "' already name a board; give the layout to rules without one");
  }
  Result<void> ok = CheckSections(layout);
  if (ok) ok = CheckCircle(layout);
  if (!ok) return Fail("layout", ok.error());
  BirthRules result = rules;
  result.back = layout == kBirthBack;
  result.custom = layout != kBirthFront && !result.back;
  Lay(result, layout);
  return result;
}

}  // namespace berd
