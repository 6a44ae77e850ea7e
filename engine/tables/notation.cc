#include "engine/tables/notation.h"

#include <algorithm>

#include "engine/core/dice.h"
#include "engine/core/text.h"

namespace berd::tables {

std::string SideText(const Men& men, Numbering numbering) {
  std::string text;
  for (int point = kPoints; point >= 1; --point) {
    if (men[point] == 0) continue;
    text += (text.empty() ? "" : ",") + std::to_string(Renumber(point, numbering)) + ":" +
            std::to_string(men[point]);
  }
  if (text.empty()) text = "-";
  return text + "/" + std::to_string(men[kBar]) + "/" + std::to_string(men[kOff]);
}

Result<Men> ParseSide(std::string_view text, Numbering numbering) {
  const auto parts = Split(text, '/');
  if (parts.size() != 3) {
    return Fail(Quoted(text) + " must be <point:count,...>/<bar>/<off>, as in '6:5,2:3/1/6'");
  }
  Men men;
  std::uint32_t total = 0;
  const auto place = [&](int point, std::uint32_t count) {
    men[point] = static_cast<std::uint8_t>(count);
    total += count;
  };
  for (int part = 1; part <= 2; ++part) {
    const auto count = ParseNumber(parts[static_cast<std::size_t>(part)], 0, kMen);
    if (!count) {
      return Fail((part == 1 ? "bar " : "off ") + Quoted(parts[static_cast<std::size_t>(part)]) +
                  " is not a number from 0 to 15");
    }
    place(part == 1 ? kBar : kOff, *count);
  }
  if (parts[0] != "-") {
    for (const auto stack : Split(parts[0], ',')) {
      const auto colon = stack.find(':');
      const auto number = ParseNumber(stack.substr(0, colon), 1, kPoints);
      const auto count = colon == std::string_view::npos
                             ? std::nullopt
                             : ParseNumber(stack.substr(colon + 1), 1, kMen);
      if (!number || !count) {
        return Fail(Quoted(stack) +
                    " must be <point>:<count> with a point from 1 to 24 and a "
                    "count from 1 to 15");
      }
      const int point = Renumber(static_cast<int>(*number), numbering);
      if (men[point] != 0) return Fail("point " + std::to_string(*number) + " is there twice");
      place(point, *count);
    }
  }
  if (total != kMen) return Fail("there are " + std::to_string(total) + " men, not 15");
  return men;
}

std::string StepText(int from, int to, Numbering numbering) {
  const auto point = [&](int at) {
    if (at == kBar) return std::string("bar");
    return at == kOff ? std::string("off") : std::to_string(Renumber(at, numbering));
  };
  return point(from) + "/" + point(to);
}

std::string RollText(int roll) {
  const Roll& dice = kAllRolls[static_cast<std::size_t>(roll)];
  return {static_cast<char>('0' + dice.high), static_cast<char>('0' + dice.low)};
}

Result<int> ParseRoll(std::string_view text) {
  for (int roll = 0; roll < kRolls; ++roll) {
    if (RollText(roll) == text) return roll;
  }
  return Fail("dice " + Quoted(text) + " must be two faces from 1 to 6, the larger first");
}

Result<PositionFields> SplitPosition(std::string_view text) {
  static constexpr std::array<std::string_view, 5> kKeys = {"n=", "w=", "b=", "turn=", "phase="};
  const auto parts = Split(text, ' ');
  std::array<std::string_view, 5> values;
  for (std::size_t i = 0; i < kKeys.size(); ++i) {
    const std::string expected = "field '" + std::string(kKeys[i]) + "' expected";
    if (i >= parts.size()) return Fail(expected + " at the end");
    values[i] = parts[i];
    if (!Consume(values[i], kKeys[i])) return Fail(expected + ", not " + Quoted(parts[i]));
  }
  if (parts.size() > kKeys.size()) {
    return Fail("text after the last field: " + Quoted(parts[kKeys.size()]));
  }
  return PositionFields{values[0], values[1], values[2], values[3], values[4]};
}

Result<std::uint32_t> ParseTurns(std::string_view text, std::uint32_t cap) {
  const auto turns = ParseNumber(text, 0, cap);
  if (turns) return *turns;
  return Fail("n=" + Quoted(text) + " is not a number from 0 to " + std::to_string(cap) +
              " (the cap)");
}

Result<std::array<Men, 2>> ParseSides(const PositionFields& fields, Numbering numbering) {
  const auto white = ParseSide(fields.white, numbering);
  if (!white) return Fail("w", white.error());
  const auto black = ParseSide(fields.black, numbering);
  if (!black) return Fail("b", black.error());
  return std::array<Men, 2>{*white, *black};
}

Result<std::uint8_t> ParseTurn(std::string_view text) {
  if (text != "W" && text != "B") return Fail("turn " + Quoted(text) + " must be W or B here");
  return static_cast<std::uint8_t>(text == "B");
}

std::string SidesText(std::uint32_t turns, const std::array<Men, 2>& men, Numbering numbering) {
  return "n=" + std::to_string(turns) + " w=" + SideText(men[0], numbering) +
         " b=" + SideText(men[1], numbering);
}

Result<std::vector<RuleOption>> SplitRules(std::string_view text, std::string_view game,
                                           std::span<const std::string_view> names) {
  std::vector<RuleOption> options;
  if (!Consume(text, game)) {
    return Fail("the string must begin with '" + std::string(game) + "'");
  }
  if (text.empty()) return options;
  if (!Consume(text, ":")) {
    return Fail("text after '" + std::string(game) + "': " + Quoted(text) +
                "; options follow a colon");
  }
  std::size_t next = 0;  // options come in the order of `names`
  for (const auto part : Split(text, '+')) {
    const auto equals = part.find('=');
    RuleOption option{part, part.substr(0, equals), {}, equals != std::string_view::npos};
    if (option.has_value) option.value = part.substr(equals + 1);
    const auto at = static_cast<std::size_t>(std::find(names.begin(), names.end(), option.name) -
                                             names.begin());
    if (at == names.size()) {
      return Fail("unknown option " + Quoted(part) + DidYouMean(option.name, names) +
                  " (options: " + JoinAlternatives(names) + ")");
    }
    if (at < next) {
      return Fail("option " + Quoted(part) + " is there twice or out of order; the order is " +
                  JoinAlternatives(names));
    }
    next = at + 1;
    options.push_back(option);
  }
  return options;
}

Result<std::uint32_t> OptionNumber(const RuleOption& option, std::uint32_t low,
                                   std::uint32_t high) {
  const auto number = option.has_value ? ParseNumber(option.value, low, high) : std::nullopt;
  if (!number) {
    return Fail("option " + Quoted(option.text) + " must be written '" + std::string(option.name) +
                "=<number>' with a number from " + std::to_string(low) + " to " +
                std::to_string(high));
  }
  return *number;
}

}  // namespace berd::tables
