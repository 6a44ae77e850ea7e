#pragma once

// Single steps of Brädspel. Points are pips left (see BradspelState).

#include "engine/bradspel/bradspel.h"

namespace berd::bradspel {

using tables::kBar;
using tables::kOff;
using tables::Men;
using tables::PointBit;
using tables::PointSet;

// Flag of an action: a jan whose last step was a blast.
inline constexpr tables::Play kBlastLast = tables::Play{1} << 20;

// Points that hold at most one own man that arrives: tongues 1 .. 11 (1: only by entering).
inline constexpr PointSet kNarrow = 0x1ffc000;  // 14 .. 24
// Tongues 1 .. 6, where men enter.
inline constexpr PointSet kEntry = 0x1f80000;  // 19 .. 24
// Nobody may blast once either side has borne off this many.
inline constexpr int kOffEndsBlasts = 14;
// Bands in a row that may be blasted.
inline constexpr int kWall = 6;

// The number of a point on the other side, op(t) of the rules page.
constexpr int Op(int point) { return point > 12 ? point - 12 : point + 12; }
constexpr PointSet Op(PointSet set) { return (set & 0x1fff) << 12 | (set >> 12 & 0x1ffe); }

// One step in place: from a point (25 is the bar) by a die; whatever stands there is hit. Requires:
// legal. The result of several steps does not depend on their order.
inline void MakeStep(Men& own, Men& other, int from, int die) {
  --own[from];
  if (from <= die) {
    ++own[kOff];
    return;
  }
  ++own[from - die];
  std::uint8_t& there = other[Op(from - die)];
  other[kBar] = static_cast<std::uint8_t>(other[kBar] + there);
  there = 0;
}

// The board as the mover sees it, bits by the mover's points.
struct Sight {
  PointSet occupied;  // own men, bar included
  PointSet blots;     // single men of the other side
  PointSet bands;     // two or more of them
};

inline Sight Look(const Men& own, const Men& other) {
  const PointSet there = Op(AtLeast(other, 1) & tables::kAllPoints);
  const PointSet bands = Op(AtLeast(other, 2) & tables::kAllPoints);
  return {AtLeast(own, 1) & ~PointBit(kOff), there & ~bands, bands};
}

// The points in runs of at least six (24 and 1 do not join).
constexpr PointSet Walls(PointSet bands) {
  PointSet starts = bands & bands >> 1;
  starts &= starts >> 2;  // four in a row
  starts &= bands >> 4 & bands >> 5;
  PointSet walls = starts | starts << 1;
  walls |= walls << 2;
  return walls | starts << 4 | starts << 5;
}

// The bands that may be blasted now (Turn, blast).
inline PointSet BlastTargets(const BradspelRules& rules, const Men& own, const Men& other,
                             const Sight& sight) {
  if (sight.bands == 0 || own[kOff] >= kOffEndsBlasts || other[kOff] >= kOffEndsBlasts) return 0;
  if (own[kBar] == 0) return Walls(sight.bands);
  const int accessible = std::popcount(kEntry & ~sight.occupied & ~sight.bands);
  if (own[kBar] > accessible) return sight.bands;
  return rules.entry_wall ? Walls(sight.bands) : 0;
}

// Where a step may land: not on a band, except by blasting, and not on an own man on a narrow
// point.
constexpr PointSet Landings(const Sight& sight, PointSet blast_targets) {
  return tables::kAllPoints & (~sight.bands | blast_targets) & ~(sight.occupied & kNarrow);
}

// Starting points of legal single steps with a die.
constexpr PointSet StepStarts(PointSet occupied, PointSet landings, int die) {
  const PointSet moving = occupied & landings << die;
  if (occupied >> 7 != 0) {
    return tables::HasPoint(occupied, kBar) ? moving & PointBit(kBar) : moving;
  }
  if (occupied == 0) return 0;
  // Bearing off: only the rearmost man, by an exact or larger die.
  const int rearmost = tables::Farthest(occupied);
  return moving | (rearmost <= die ? PointBit(rearmost) : 0);
}

// Number of entry tongues without men of their own side.
inline int Room(const Men& men) { return std::popcount(kEntry & ~AtLeast(men, 1)); }

// The pattern of 15 men, points 1, 2, … being tongues 24, 23, …
inline BradspelEnding TestPattern(const Men& own) {
  if (own[1] == 15) return BradspelEnding::kUppspel;
  if (own[1] == 7 && own[2] == 5 && own[3] == 3) return BradspelEnding::kTrappspel;
  if (own[1] == 5 && own[2] == 5 && own[3] == 5) return BradspelEnding::kDubbelkronspel;
  if (own[1] == 3 && own[2] == 3 && own[3] == 3 && own[4] == 3 && own[5] == 3) {
    return BradspelEnding::kKronspel;
  }
  return BradspelEnding::kNone;
}

// The test after a step of `own` (End): the ending with the highest score.
inline BradspelEnding TestEnd(const Men& own, const Men& other, bool blast) {
  if (other[kBar] > 0 && other[kBar] > Room(other)) {
    return blast ? BradspelEnding::kSprangjan : BradspelEnding::kJan;
  }
  if (own[kOff] == tables::kMen) return BradspelEnding::kHemspel;
  return own[1] >= 3 ? TestPattern(own) : BradspelEnding::kNone;
}

// The number of pips of a throw that are played with field `step` of a play.
inline int DieOfStep(const Roll& roll, int step) { return step == 1 ? roll.low : roll.high; }

}  // namespace berd::bradspel
