#include "engine/berd/notation.h"

#include <bit>

#include "engine/core/bits.h"
#include "engine/core/seat.h"
#include "engine/core/text.h"

namespace berd {

namespace {

std::string ValueString(int rank) { return std::to_string(10 * (rank + 1)); }

Result<int> ParseRank(std::string_view text, const NotationLimits& limits) {
  const auto value = ParseNumber(text, 10, 10 * static_cast<unsigned>(limits.tokens));
  if (!value || *value % 10 != 0) {
    return Fail("value " + Quoted(text) + " is not a multiple of 10 from 10 to " +
                std::to_string(10 * limits.tokens));
  }
  return static_cast<int>(*value / 10) - 1;
}

// Takes "{10.30}" off the front of `text`.
Result<std::uint16_t> TakeRanks(std::string_view& text, const NotationLimits& limits) {
  if (!Consume(text, "{")) return Fail("values in braces expected at " + Quoted(text));
  const auto end = text.find('}');
  if (end == std::string_view::npos) return Fail("missing '}' after " + Quoted(text));
  std::uint16_t ranks = 0;
  for (const auto part : Split(text.substr(0, end), '.')) {
    const auto rank = ParseRank(part, limits);
    if (!rank) return tl::unexpected(rank.error());
    if (ranks >> *rank != 0) return Fail("values must ascend: " + Quoted(text.substr(0, end)));
    ranks = static_cast<std::uint16_t>(ranks | 1 << *rank);
  }
  text.remove_prefix(end + 1);
  return ranks;
}

}  // namespace

std::string GroupString(const TokenList& tokens, bool valued) {
  if (tokens.empty()) return "-";
  std::string text;
  for (const auto& part : tokens) {
    text += Letter(Seat(part.color));
    if (!valued) {
      text += std::to_string(part.count);
      continue;
    }
    std::string values;
    if (part.masked) {
      for (int i = 0; i < part.count; ++i) values += i == 0 ? "?" : ".?";
    } else {
      ForEachMember(part.ranks,
                    [&](int rank) { values += (values.empty() ? "" : ".") + ValueString(rank); });
    }
    text += "{" + values + "}";
  }
  return text;
}

std::string BoardString(std::span<const StackText> stacks, bool valued, const SquareName& name) {
  if (stacks.empty()) return "-";
  std::string text;
  for (std::size_t i = 0; i < stacks.size(); ++i) {
    const auto& stack = stacks[i];
    if (i > 0 && stacks[i - 1].square == stack.square) {
      text += "|";
    } else {
      text += (i > 0 ? "," : "") + name(stack.square) + ":";
    }
    text += GroupString(stack.active, valued);
    if (!stack.captives.empty()) text += "/" + GroupString(stack.captives, valued);
  }
  return text;
}

std::string ClassString(int color, int rank, bool valued) {
  std::string text(1, Letter(Seat(color)));
  return valued ? text + ValueString(rank) : text;
}

Result<int> ParseSeat(std::string_view text, int players) {
  if (text.size() != 1 || text[0] < 'A' || text[0] >= 'A' + players) {
    return Fail("player " + Quoted(text) + " is not a letter from A to " +
                std::string(1, Letter(Seat(players - 1))));
  }
  return text[0] - 'A';
}

Result<TokenList> ParseGroup(std::string_view text, const NotationLimits& limits) {
  TokenList tokens;
  if (text == "-") return tokens;
  if (text.empty()) return Fail("empty group; '-' is written for no tokens");
  while (!text.empty()) {
    const auto color = ParseSeat(text.substr(0, 1), limits.players);
    if (!color) return tl::unexpected(color.error());
    if (!tokens.empty() && tokens.back().color >= *color) {
      return Fail("colours of a group must ascend at " + Quoted(text));
    }
    text.remove_prefix(1);
    ColorTokens part;
    part.color = *color;
    if (limits.valued) {
      const auto ranks = TakeRanks(text, limits);
      if (!ranks) return tl::unexpected(ranks.error());
      part.ranks = *ranks;
      part.count = std::popcount(*ranks);
    } else {
      std::size_t digits = 0;
      while (digits < text.size() && text[digits] >= '0' && text[digits] <= '9') ++digits;
      const auto count =
          ParseNumber(text.substr(0, digits), 1, static_cast<unsigned>(limits.tokens));
      if (!count) {
        return Fail("number of tokens from 1 to " + std::to_string(limits.tokens) +
                    " expected at " + Quoted(text));
      }
      part.count = static_cast<int>(*count);
      text.remove_prefix(digits);
    }
    tokens.push_back(part);
  }
  return tokens;
}

Result<std::vector<StackText>> ParseBoard(std::string_view text, const NotationLimits& limits,
                                          const ParseSquare& parse_square) {
  std::vector<StackText> stacks;
  if (text == "-") return stacks;
  for (const auto entry : Split(text, ',')) {
    const auto colon = entry.find(':');
    if (colon == std::string_view::npos) {
      return Fail("board entry " + Quoted(entry) + " is not <square>:<stack>");
    }
    const auto square = parse_square(entry.substr(0, colon));
    if (!square) return tl::unexpected(square.error());
    for (const auto part : Split(entry.substr(colon + 1), '|')) {
      StackText stack;
      stack.square = *square;
      const auto slash = part.find('/');
      const auto active = ParseGroup(part.substr(0, slash), limits);
      if (!active) return Fail("board entry " + Quoted(entry), active.error());
      stack.active = *active;
      if (stack.active.empty()) {
        return Fail("board entry " + Quoted(entry) + ": a stack needs an active token");
      }
      if (slash != std::string_view::npos) {
        const auto captives = ParseGroup(part.substr(slash + 1), limits);
        if (!captives) return Fail("board entry " + Quoted(entry), captives.error());
        stack.captives = *captives;
      }
      stacks.push_back(std::move(stack));
    }
  }
  return stacks;
}

Result<TokenClass> ParseClass(std::string_view text, const NotationLimits& limits) {
  const auto color = ParseSeat(text.substr(0, 1), limits.players);
  if (!color) return tl::unexpected(color.error());
  TokenClass token{*color, 0};
  text.remove_prefix(1);
  if (limits.valued) {
    const auto rank = ParseRank(text, limits);
    if (!rank) return tl::unexpected(rank.error());
    token.rank = *rank;
  } else if (!text.empty()) {
    return Fail("token class with a value " + Quoted(text) + " in a game without values");
  }
  return token;
}

Result<std::vector<std::string_view>> ParseFields(std::string_view text,
                                                  std::span<const std::string_view> keys) {
  std::vector<std::string_view> values;
  const auto parts = Split(text, ' ');
  for (std::size_t i = 0; i < keys.size(); ++i) {
    std::string_view value = i < parts.size() ? parts[i] : std::string_view();
    if (!Consume(value, keys[i]) || !Consume(value, "=")) {
      return Fail("field '" + std::string(keys[i]) + "=' expected" +
                  (i < parts.size() ? ", not " + Quoted(parts[i]) : std::string(" at the end")));
    }
    values.push_back(value);
  }
  if (parts.size() > keys.size()) {
    return Fail("text after the last field: " + Quoted(parts[keys.size()]));
  }
  return values;
}

}  // namespace berd
