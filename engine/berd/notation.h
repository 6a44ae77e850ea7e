#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/error.h"

namespace berd {

// The tokens of one colour inside a group: how many, in valued games which ranks (rank r is the
// value 10 (r + 1)), and whether a view hides the values.
struct ColorTokens {
  int color = 0;
  int count = 0;
  std::uint16_t ranks = 0;
  bool masked = false;
};
using TokenList = std::vector<ColorTokens>;

// One stack of a position string; on a corner there may be several on one square.
struct StackText {
  int square = 0;
  TokenList active;
  TokenList captives;
};

// Bounds that the notation depends on.
struct NotationLimits {
  int players = 2;
  int tokens = 1;  // of one player
  bool valued = false;
};

using SquareName = std::function<std::string(int)>;
using ParseSquare = std::function<Result<int>(std::string_view)>;

// Groups, stacks and token classes (rules page §9).
std::string GroupString(const TokenList& tokens, bool valued);
std::string BoardString(std::span<const StackText> stacks, bool valued, const SquareName& name);
std::string ClassString(int color, int rank, bool valued);

Result<TokenList> ParseGroup(std::string_view text, const NotationLimits& limits);
Result<std::vector<StackText>> ParseBoard(std::string_view text, const NotationLimits& limits,
                                          const ParseSquare& parse_square);
struct TokenClass {
  int color = 0;
  int rank = 0;
};
Result<TokenClass> ParseClass(std::string_view text, const NotationLimits& limits);
Result<int> ParseSeat(std::string_view text, int players);

// The values of `key=value` fields separated by single blanks, in exactly this order.
Result<std::vector<std::string_view>> ParseFields(std::string_view text,
                                                  std::span<const std::string_view> keys);

}  // namespace berd
