#pragma once

// Strings that the tables games share. All functions are thread-safe and return one-line errors
// without a place in front.

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/error.h"
#include "engine/tables/men.h"

namespace berd::tables {

// How a game numbers its points: backgammon towards 1, Brädspel away from it.
enum class Numbering : std::uint8_t { kDescending, kAscending };

// The number of a point in the notation, and back (the map is its own inverse).
constexpr int Renumber(int point, Numbering numbering) {
  return numbering == Numbering::kDescending ? point : kPoints + 1 - point;
}

inline constexpr std::array<char, 2> kSideLetters = {'W', 'B'};

// `<point:count,…>/<bar>/<off>`; the points in the direction of play.
std::string SideText(const Men& men, Numbering numbering);
// Accepts points in any order; the caller compares with the canonical string. Fails unless there
// are 15 men in all.
Result<Men> ParseSide(std::string_view text, Numbering numbering);

// The steps of one man: `from/to`, without the marks of a hit.
std::string StepText(int from, int to, Numbering numbering);

// `53` for a throw of kAllRolls, and back.
std::string RollText(int roll);
Result<int> ParseRoll(std::string_view text);

// The fields of a position string `n=… w=… b=… turn=… phase=…`, values only.
struct PositionFields {
  std::string_view turns, white, black, turn, phase;
};
Result<PositionFields> SplitPosition(std::string_view text);

// The number of turns (0 … cap), and the men of both sides.
Result<std::uint32_t> ParseTurns(std::string_view text, std::uint32_t cap);
Result<std::array<Men, 2>> ParseSides(const PositionFields& fields, Numbering numbering);
// 0 for W, 1 for B.
Result<std::uint8_t> ParseTurn(std::string_view text);
// Everything before the turn: `n=… w=… b=…`.
std::string SidesText(std::uint32_t turns, const std::array<Men, 2>& men, Numbering numbering);

// One option of a rules string: `name` or `name=value`.
struct RuleOption {
  std::string_view text, name, value;
  bool has_value = false;
};
// The options of `<game>[:<option>+…]`, in the order of `names`, each at most once.
Result<std::vector<RuleOption>> SplitRules(std::string_view text, std::string_view game,
                                           std::span<const std::string_view> names);
// The number of an option in low … high.
Result<std::uint32_t> OptionNumber(const RuleOption& option, std::uint32_t low, std::uint32_t high);

}  // namespace berd::tables
