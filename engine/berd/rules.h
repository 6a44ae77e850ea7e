#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "engine/core/bits.h"
#include "engine/core/error.h"
#include "engine/core/preset.h"
#include "engine/core/seat.h"

namespace berd {

inline constexpr int kMaxTokens = 11;  // tokens of one player in the race
inline constexpr int kCorners = 4;
inline constexpr int kColors = 4;     // colours that own squares in the race
inline constexpr int kMaxOffers = 3;  // trade offers a turn (§7)

// Who may see and count token values (§2, §8).
enum class Values : std::uint8_t { kNone, kPoints, kHidden, kGoal };

// The rules of one race, `race:<board>:<P>x<N>[:<flags>]` (rules page §2-§7), with the tables that
// follow from them. Made by ParseRules; the fields must agree with one another.
struct RaceRules {
  int between_corners = 7;  // n, squares between two corners, 1 .. 15
  int players = 2;          // P, 2 .. 16
  int tokens = 9;           // N, 1 .. 11
  bool color = false;       // colour protection
  Values values = Values::kNone;
  int teams = 0;  // T, 0 without teams
  bool trade = false;
  std::uint32_t price = 0;  // cash instead of a token when paying; 0 exactly with points
  std::uint32_t cash = 0;   // of each player at the start
  std::uint32_t step = 0;   // offers are multiples of it
  int goal = 0;             // the goal value, a multiple of 10; 0 without
  bool rolled_setup = false;
  std::uint32_t cap = 2000;  // turns

  // Derived by Derive().
  int squares = 0;          // L
  SquareSet board_set = 0;  // squares 0 .. L-1
  SquareSet corner_set = 0;
  SquareSet path_set = 0;                        // squares that are not corners
  std::array<SquareSet, kMaxSeats> own_color{};  // squares of the seat's colour; empty if none
  std::array<std::uint16_t, kMaxSeats>
      side_of{};  // set of seats on the seat's side, itself included
  std::array<std::uint8_t, kMaxSeats> fixed_home{};  // corner with setup=fixed
  // home_stretch[k][d]: squares from which die d reaches or passes corner k, d = 0 .. 6.
  std::array<std::array<SquareSet, 7>, kCorners> home_stretch{};

  void Derive();

  int seats() const { return players; }
  bool valued() const { return values != Values::kNone; }
  bool hidden() const { return values == Values::kHidden; }
  int side(int seat) const { return teams > 0 ? seat % teams : seat; }
  int sides() const { return teams > 0 ? teams : players; }
  int corner_square(int corner) const { return corner * (between_corners + 1); }
  // Squares to go from `square` to the corner `home`: 1 .. L.
  int Distance(int square, int home) const {
    const int gap = corner_square(home) - square;
    return gap > 0 ? gap : gap + squares;
  }
  // Every square from which `steps` forward lands in `targets`.
  SquareSet StepsBefore(SquareSet targets, int steps) const {
    return ((targets >> steps) | (targets << (squares - steps))) & board_set;
  }
  // Every square `steps` forward from one in `sources`.
  SquareSet StepsAfter(SquareSet sources, int steps) const {
    return ((sources << steps) | (sources >> (squares - steps))) & board_set;
  }
  // The canonical rules string.
  std::string ToString() const;
};

// The rules of one duel, `duel:<size>:<N>[:<flags>]` (rules page §2, §8).
struct DuelRules {
  int width = 3;   // W, 3 or 4
  int tokens = 5;  // N, 1 .. 8
  bool color = false;
  Values values = Values::kNone;
  std::uint32_t cap = 300;  // plies

  // Derived by Derive().
  int squares = 0;
  SquareSet board_set = 0;
  std::array<SquareSet, 2> own_color{};
  SquareSet left_column = 0;
  SquareSet right_column = 0;
  std::array<SquareSet, 2> far_row{};  // from which a forward step finishes

  void Derive();

  int seats() const { return 2; }
  bool valued() const { return values != Values::kNone; }
  bool hidden() const { return values == Values::kHidden; }
  int side(int seat) const { return seat; }
  std::string ToString() const;
};

using BerdRules = std::variant<RaceRules, DuelRules>;

// Parses a rules string of either game. The error names what is wrong and what would be right.
Result<BerdRules> ParseRules(std::string_view text);

// The thirteen variants of the published list, by name.
std::span<const Preset> BerdPresets();

}  // namespace berd
