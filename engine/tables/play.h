#pragma once

// A play of a tables game in one 32-bit integer: the points its steps start from. Four fields of
// five bits, the first on top. With two different dice the first field is the step of the larger
// die and the second that of the smaller one, whatever the order they are made in; with a double
// the starting points descend. 0 is no step, so the whole number 0 is the pass.

#include <algorithm>
#include <cassert>
#include <cstdint>

#include "engine/core/action_list.h"
#include "engine/core/bits.h"
#include "engine/core/bounded_list.h"
#include "engine/core/random.h"
#include "engine/tables/men.h"

namespace berd::tables {

using Play = std::uint32_t;
inline constexpr Play kPass = 0;
inline constexpr int kMostSteps = 4;

constexpr int StepShift(int step) { return 5 * (kMostSteps - 1 - step); }
constexpr int StepFrom(Play play, int step) {
  return static_cast<int>(play >> StepShift(step)) & 31;
}
constexpr Play StepOf(int from, int step) { return static_cast<Play>(from) << StepShift(step); }

// The legal plays of a position in compressed form: plays that differ only in the starting point
// of one step are one row. Rows ascend by their fixed part, and with them the plays.
class PlayRows {
 public:
  // The varying step of all rows added from now on; forgets the rows before.
  void Restart(int last_step) {
    rows_.clear();
    total_ = 0;
    shift_ = StepShift(last_step);
  }
  // Adds the plays `fixed` with a last step from any point of `last` (may be empty).
  void Add(Play fixed, PointSet last) {
    if (last == 0) return;
    rows_.push_back({fixed, last, total_});
    total_ += static_cast<std::uint32_t>(std::popcount(last));
  }
  // Number of plays, the pass not counted.
  std::uint32_t size() const { return total_; }

  // Replaces the list by all plays; the pass if there are none.
  void List(ActionList<Play>& plays) const {
    plays.clear();
    if (total_ == 0) plays.push_back(kPass);
    for (const Row& row : rows_) {
      ForEachMember(row.last, [&](int from) {
        plays.push_back(row.fixed | static_cast<Play>(from) << shift_);
      });
    }
  }

  // A play drawn uniformly; the pass if there are none. Draws nothing when there is no choice.
  Play Sample(RandomStream& random) const {
    if (total_ == 0) return kPass;
    const std::uint32_t index = total_ == 1 ? 0 : random.Below(total_);
    const Row* row = rows_.begin();
    for (std::size_t length = rows_.size(); length > 1;) {
      const std::size_t half = length / 2;
      row += row[half].before <= index ? half : 0;
      length -= half;
    }
    const int from = NthMember(row->last, static_cast<int>(index - row->before));
    return row->fixed | static_cast<Play>(from) << shift_;
  }

 private:
  struct Row {
    Play fixed;
    PointSet last;
    std::uint32_t before;  // plays in earlier rows
  };
  // Most rows of a double, three steps of a side with at most 15 points: three men 680, a man
  // twice and another once 225, one man three times 15.
  BoundedList<Row, 1024> rows_;
  std::uint32_t total_ = 0;
  int shift_ = 0;
};

}  // namespace berd::tables
