// Generation of plays. Every final position is generated once, without remembering which ones have
// been seen.
//
// Two different dice: a play is a pair (x, y), the starting points of the larger die a and the
// smaller die b. Write a position as a polynomial, a man on p as t^p; the play adds
//   -t^x + t^(x-a) - t^y + t^(y-b)                    (terms below t^1 are men borne off).
// Comparing coefficients, two pairs give the same only if
//   (1) one man makes both steps: (x, x-a) and (x-b, x), with the same hits if neither touches
//       down on a blot; or
//   (2) both men are borne off, (x, y) and (y, x).
// A double: a play is a multiset of starting points, whose multiplicities follow from the result
// from the top down, so that different multisets always give different positions. Taken in
// descending order every multiset that can be played is played step by step.

#include "engine/backgammon/backgammon.h"

namespace berd {
namespace {

using backgammon::StepStarts;
using tables::Farthest;
using tables::HasPoint;
using tables::kBar;
using tables::Men;
using tables::Play;
using tables::PlayRows;
using tables::PointBit;
using tables::PointSet;
using tables::StepOf;

// The board as the mover sees it, bits by the mover's points.
struct Sight {
  const Men& own;
  PointSet occupied;  // own men, bar included
  PointSet open;      // points without two men of the other side
  PointSet blots;     // single men of the other side
};

// The same points by the numbers of the other side: p ↔ 25 - p.
PointSet Mirror(PointSet set) {
  set = __builtin_bswap32(set);
  set = (set & 0x0f0f0f0f) << 4 | (set >> 4 & 0x0f0f0f0f);
  set = (set & 0x33333333) << 2 | (set >> 2 & 0x33333333);
  set = (set & 0x55555555) << 1 | (set >> 1 & 0x55555555);
  return set >> (31 - kBar);
}

Sight Look(const Men& own, const Men& other) {
  const PointSet there = Mirror(AtLeast(other, 1) & tables::kAllPoints);
  const PointSet held = Mirror(AtLeast(other, 2) & tables::kAllPoints);
  return {own, AtLeast(own, 1) & ~PointBit(tables::kOff), tables::kAllPoints & ~held,
          there & ~held};
}

PointSet AfterStep(const Sight& sight, int from, int die) {
  PointSet occupied = sight.occupied;
  if (sight.own[from] == 1) occupied &= ~PointBit(from);
  if (from > die) occupied |= PointBit(from - die);
  return occupied;
}

// Only one die can be played: the larger if possible.
void SingleRows(PointSet with_high, PointSet with_low, PlayRows& rows) {
  rows.Restart(with_high != 0 ? 0 : 1);
  rows.Add(0, with_high != 0 ? with_high : with_low);
}

// Two different dice with men on the bar.
void EnteringRows(const Sight& sight, int high, int low, PlayRows& rows) {
  const PointSet bar = PointBit(kBar);
  const PointSet with_high = bar & (sight.open << high);
  const PointSet with_low = bar & (sight.open << low);
  rows.Restart(1);
  if (sight.own[kBar] >= 2) {
    if (with_high != 0) rows.Add(StepOf(kBar, 0), with_low);
  } else {
    const PointSet rest = sight.occupied & ~bar;
    PointSet then_low = 0;
    PointSet then_high = 0;
    if (with_high != 0) then_low = (rest | PointBit(kBar - high)) & (sight.open << low);
    if (with_low != 0) then_high = (rest | PointBit(kBar - low)) & (sight.open << high);
    const PointSet touched = PointBit(kBar - high) | PointBit(kBar - low);
    if (HasPoint(then_low, kBar - high) && (sight.blots & touched) == 0) {
      then_high &= ~PointBit(kBar - low);  // (1)
    }
    ForEachMember(then_high, [&](int x) { rows.Add(StepOf(x, 0), bar); });
    rows.Add(StepOf(kBar, 0), then_low);
  }
  if (rows.size() == 0) SingleRows(with_high, with_low, rows);
}

// Two different dice where no man can be borne off, as sets.
void MovingRows(const Sight& sight, int high, int low, PlayRows& rows) {
  const PointSet occupied = sight.occupied;
  const PointSet with_high = occupied & (sight.open << high);
  const PointSet with_low = occupied & (sight.open << low);
  const PointSet with_both = sight.open << (high + low);
  // One man makes both steps and touches down on an empty point or a blot.
  PointSet high_low = with_high & with_both & ~(occupied << high);
  PointSet low_high = with_low & with_both & ~(occupied << low);
  // (1): of the two ways drop one, a way over an own man being a pair of independent steps.
  const PointSet same =
      with_high & with_low & with_both & ~(sight.blots << high) & ~(sight.blots << low);
  low_high &= ~same;
  high_low &= ~(same & (occupied << low));
  const PointSet same_pairs = same & (occupied << low) & (occupied << high);
  const PointSet many = AtLeast(sight.own, 2);

  rows.Restart(1);
  ForEachMember(with_high | (low_high >> low), [&](int x) {
    PointSet last = low_high & (PointBit(x) << low);
    if (HasPoint(with_high, x)) {
      last = with_low & ~(PointBit(x) & ~many) & ~(same_pairs & (PointBit(x) << low));
      last |= HasPoint(high_low, x) ? PointBit(x - high) : 0;
    }
    rows.Add(StepOf(x, 0), last);
  });
  if (rows.size() == 0) SingleRows(with_high, with_low, rows);
}

// Two different dice where men may be borne off: few points, so all pairs are written down.
void HomeRows(const Sight& sight, int high, int low, PlayRows& rows) {
  const PointSet with_high = StepStarts(sight.occupied, sight.open, high);
  const PointSet with_low = StepStarts(sight.occupied, sight.open, low);
  std::array<PointSet, 32> table{};  // by x, bits y
  const auto pairs = [&](int x) -> PointSet& { return table[static_cast<std::size_t>(x)]; };
  PointSet firsts = 0;
  ForEachMember(with_high, [&](int x) {
    pairs(x) = StepStarts(AfterStep(sight, x, high), sight.open, low);
    firsts |= PointBit(x);
  });
  ForEachMember(with_low, [&](int y) {
    const PointSet then = StepStarts(AfterStep(sight, y, low), sight.open, high);
    firsts |= then;
    ForEachMember(then, [&](int x) { pairs(x) |= PointBit(y); });
  });
  rows.Restart(1);
  ForEachMember(firsts, [&](int x) {
    PointSet& last = pairs(x);
    // (1) for a man on x + low: the way with the larger die first is as good.
    const int start = x + low;
    if (HasPoint(last, start) && start > high && HasPoint(pairs(start), start - high) &&
        !HasPoint(sight.blots, x) && !HasPoint(sight.blots, start - high)) {
      last &= ~PointBit(start);
    }
    // (2): the first step from the farther of two men that the smaller die bears off.
    if (x <= low) {
      for (int y = x + 1; y <= low; ++y) {
        if (HasPoint(pairs(y), x)) last &= ~PointBit(y);
      }
    }
    rows.Add(StepOf(x, 0), last);
  });
  if (rows.size() == 0) SingleRows(with_high, with_low, rows);
}

// Whether a second step may bear off: all men at home, or one man outside that gets there.
bool MayBearOff(const Sight& sight, int high) {
  const PointSet outside = sight.occupied >> 7;
  if (outside == 0) return true;
  const int farthest = Farthest(sight.occupied);
  return (outside & (outside - 1)) == 0 && sight.own[farthest] == 1 && farthest <= 6 + high;
}

// All multisets of starting points of a double, in descending order.
class DoubleRows {
 public:
  DoubleRows(const Sight& sight, int die, PlayRows& rows)
      : open_(sight.open), die_(die), men_(sight.own), rows_(rows) {
    rows_.Restart(0);
    Walk<0>(sight.occupied, kBar, 0);
  }

 private:
  // `kMade` steps have been made; further ones start from `latest` or nearer.
  template <int kMade>
  void Walk(PointSet occupied, int latest, Play fixed) {
    const PointSet starts = StepStarts(occupied, open_, die_) & (PointBit(latest + 1) - 1);
    if (starts == 0) return;
    if (kMade >= most_) {
      if (kMade > most_) {
        most_ = kMade;
        rows_.Restart(kMade);
      }
      rows_.Add(fixed, starts);
    }
    if constexpr (kMade < tables::kMostSteps - 1) {
      ForEachMember(starts, [&](int from) {
        PointSet after = occupied;
        const int to = from > die_ ? from - die_ : tables::kOff;
        if (--men_[from] == 0) after &= ~PointBit(from);
        if (to != tables::kOff) after |= PointBit(to);
        ++men_[to];
        Walk<kMade + 1>(after, from, fixed | StepOf(from, kMade));
        --men_[to];
        ++men_[from];
      });
    }
  }

  PointSet open_;
  int die_;
  Men men_;
  PlayRows& rows_;
  int most_ = 0;  // the last step of the longest plays so far
};

void Generate(const BackgammonState& state, PlayRows& rows) {
  const Roll& roll = kAllRolls[state.roll];
  const Sight sight = Look(state.men[state.turn], state.men[1 - state.turn]);
  if (roll.is_double()) {
    DoubleRows(sight, roll.high, rows);
  } else if (HasPoint(sight.occupied, kBar)) {
    EnteringRows(sight, roll.high, roll.low, rows);
  } else if (MayBearOff(sight, roll.high)) {
    HomeRows(sight, roll.high, roll.low, rows);
  } else {
    MovingRows(sight, roll.high, roll.low, rows);
  }
}

}  // namespace

void Backgammon::legal(const Rules&, const State& state, ActionList<Action>& actions) {
  actions.clear();
  if (state.phase != tables::Phase::kPlay) return;
  PlayRows rows;
  Generate(state, rows);
  rows.List(actions);
}

tables::Play Backgammon::sample_legal(const Rules&, const State& state, RandomStream& random) {
  PlayRows rows;
  Generate(state, rows);
  return rows.Sample(random);
}

}  // namespace berd
