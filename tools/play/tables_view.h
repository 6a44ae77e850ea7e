#pragma once

// What the terminal needs to know of a position of backgammon or Brädspel, the same for both.

#include <array>
#include <optional>
#include <string>

#include "engine/core/any_game.h"
#include "engine/core/dice.h"
#include "engine/tables/men.h"
#include "engine/tables/notation.h"

namespace berd {

struct TablesView {
  std::array<tables::Men, 2> men{};  // by the pips left, see tables::Men
  tables::Numbering numbering = tables::Numbering::kDescending;
  bool same_way = false;  // both sides move the same way round
  int turn = 0;
  std::optional<Roll> dice;  // to be played now
  bool over = false;
  int points = 0;      // of the winner when it is over
  std::string ending;  // "a gammon", "jan"; "" before the end

  // A point of one side as the other side counts it.
  int Across(int point) const {
    if (!same_way) return tables::kBar - point;
    return point > 12 ? point - 12 : point + 12;
  }
  // Requires: 1 <= point <= 24.
  std::string PointName(int point) const {
    return std::to_string(tables::Renumber(point, numbering));
  }
};

// Requires: a position of backgammon or Brädspel.
TablesView ReadTables(const AnyPosition& position);

}  // namespace berd
