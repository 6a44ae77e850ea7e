#pragma once

// Plays of positions where blasts or endings are in reach: a walk over all sequences of steps. What
// has been tried is remembered by the starting points of the steps, which with a double tell the
// position; with two dice positions are compared at the end.

#include <array>
#include <cstdint>
#include <span>

#include "engine/bradspel/steps.h"

namespace berd::bradspel {

class AllPlays {
 public:
  // Finds the legal plays of a state in phase kPlay; empty if the turn passes.
  AllPlays(const BradspelRules& rules, const BradspelState& state);

  // Not sorted, each once.
  std::span<const tables::Play> plays() const { return {plays_.begin(), plays_.size()}; }

 private:
  struct Found {
    tables::Play play;
    bool ended;
    std::uint8_t steps;
    std::uint8_t reduction;
    std::uint64_t position;  // hash, with two dice
  };
  // Bounds for a double with 15 men: 5220 multisets of four starting points, 920 of three, 135 and
  // 15; a jan may be found with and without a blast.
  static constexpr std::size_t kMostFound = 8192;
  static constexpr std::size_t kSlots = 16384;

  struct Node {
    std::array<Men, 2> men;  // own, other
    tables::Play play;
    int steps;
    int reduction;
  };

  void Walk(const Node& node, int left_high, int left_low);
  bool WalkDie(const Node& node, bool low, int left_high, int left_low);
  void Add(const Node& node, bool ended);
  bool Seen(tables::Play play);
  void Choose();
  bool IsDouble() const { return roll_.is_double(); }

  const BradspelRules& rules_;
  const Roll& roll_;
  std::array<std::uint32_t, kSlots> slots_;
  BoundedList<Found, kMostFound> found_;
  BoundedList<tables::Play, kMostFound> plays_;
};

}  // namespace berd::bradspel
