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
  };
  // Bounds for a double with 15 men: 5220 multisets of four starting points, 920 of three, 135 of
  // two and 15 of one; a jan may be found with and without a blast.
  static constexpr std::size_t kMostFound = 2 * (5220 + 920 + 135 + 15);
  static constexpr std::uint32_t kSlots = 16384;  // a power of two
  // Two dice: at most 2 * 16 * 16 pairs (each in two orders) and 32 single steps.
  static constexpr std::size_t kPairSlots = 1024;

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
  bool LeadsElsewhere(std::size_t found);
  bool IsDouble() const { return roll_.is_double(); }

  const BradspelRules& rules_;
  const Roll& roll_;
  std::array<std::uint32_t, kSlots> slots_;
  std::uint32_t slots_used_ = kSlots;
  BoundedList<Found, kMostFound> found_;
  BoundedList<tables::Play, kMostFound> plays_;
  BoundedList<std::uint64_t, kPairSlots> positions_;  // with two dice, of what is found
};

}  // namespace berd::bradspel
