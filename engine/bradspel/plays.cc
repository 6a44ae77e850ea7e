// Generation of plays. Where no blast and no ending is in reach, results are told apart as in
// backgammon (engine/backgammon/plays.cc): two dice give the same position only when one man makes
// both steps either way round without touching down on a man of the other side, or when both men
// are borne off; with a double every multiset of starting points gives another position.
//
// What differs is that narrow points hold one own man. A multiset of steps of a double can be made
// in some order if and only if no narrow point ends up with two: let the foremost man make all its
// steps first, then the next one; whoever is ahead of a man then stands farther on than the man
// will get. So plays are made from the rear, which lets them overlap on the way, and only counted
// when nothing overlaps at the end.

#include <algorithm>

#include "engine/bradspel/all_plays.h"
#include "engine/bradspel/bradspel.h"
#include "engine/bradspel/steps.h"

namespace berd {
namespace {

using bradspel::kBar;
using bradspel::kNarrow;
using bradspel::kOff;
using bradspel::Landings;
using bradspel::Look;
using bradspel::Men;
using bradspel::PointBit;
using bradspel::PointSet;
using bradspel::Sight;
using bradspel::StepStarts;
using tables::HasPoint;
using tables::Play;
using tables::PlayRows;
using tables::StepOf;

// Two different dice.
class PairRows {
 public:
  PairRows(const Men& own, const Sight& sight, const Roll& roll, PlayRows& rows)
      : own_(own), sight_(sight), high_(roll.high), low_(roll.low) {
    const PointSet with_high = Starts(sight.occupied, high_);
    const PointSet with_low = Starts(sight.occupied, low_);
    ForEachMember(with_high, [&](int x) { Row(x) = Starts(After(x, high_), low_); });
    firsts_ = with_high;
    ForEachMember(with_low, [&](int y) {
      const PointSet then = Starts(After(y, low_), high_);
      firsts_ |= then;
      ForEachMember(then, [&](int x) { Row(x) |= PointBit(y); });
    });
    MergeEqual();
    if (sight.occupied >> 7 == 0 || bears_off_) KeepLeastReduction();
    rows.Restart(1);
    ForEachMember(firsts_, [&](int x) { rows.Add(StepOf(x, 0), Row(x)); });
    if (rows.size() == 0) {
      rows.Restart(with_high != 0 ? 0 : 1);
      rows.Add(0, with_high != 0 ? with_high : with_low);
    }
  }

 private:
  PointSet& Row(int x) { return rows_[static_cast<std::size_t>(x)]; }
  PointSet Starts(PointSet occupied, int die) const {
    const Sight now{occupied, sight_.blots, sight_.bands};
    return StepStarts(occupied, Landings(now, 0), die);
  }
  PointSet After(int from, int die) {
    PointSet occupied = sight_.occupied;
    if (own_[from] == 1) occupied &= ~PointBit(from);
    if (from > die) occupied |= PointBit(from - die);
    bears_off_ |= occupied >> 7 == 0;
    return occupied;
  }

  void MergeEqual() {
    ForEachMember(firsts_, [&](int x) {
      // One man from x + low both ways.
      const int start = x + low_;
      if (HasPoint(Row(x), start) && start > high_ && HasPoint(Row(start), start - high_) &&
          !HasPoint(sight_.blots, x) && !HasPoint(sight_.blots, start - high_)) {
        Row(x) &= ~PointBit(start);
      }
      // Two men borne off.
      for (int y = x + 1; y <= low_; ++y) {
        if (HasPoint(Row(x), y) && HasPoint(Row(y), x)) Row(x) &= ~PointBit(y);
      }
    });
  }

  int Reduction(int x, int y) const { return std::max(high_ - x, 0) + std::max(low_ - y, 0); }

  void KeepLeastReduction() {
    int least = 100;
    ForEachMember(firsts_, [&](int x) {
      ForEachMember(Row(x), [&](int y) { least = std::min(least, Reduction(x, y)); });
    });
    ForEachMember(firsts_, [&](int x) {
      ForEachMember(Row(x), [&](int y) {
        if (Reduction(x, y) != least) Row(x) &= ~PointBit(y);
      });
    });
  }

  const Men& own_;
  const Sight& sight_;
  const int high_;
  const int low_;
  PointSet firsts_ = 0;
  bool bears_off_ = false;
  std::array<PointSet, 32> rows_{};  // by starting point of the larger die
};

// All multisets of starting points of a double, in descending order, where nothing is borne off.
class DoubleRows {
 public:
  DoubleRows(const Men& own, const Sight& sight, int die, PlayRows& rows)
      : bands_(sight.bands), die_(die), men_(own), rows_(rows) {
    rows_.Restart(0);
    const int on_bar = own[kBar];
    if (on_bar == 0) {
      Walk<0>(sight.occupied, 24, 0, 0);
      return;
    }
    // The first man enters where no own man may stand; a second one would meet it there.
    const int to = kBar - die;
    if (HasPoint(bands_ | sight.occupied, to)) return;
    rows_.Add(0, PointBit(kBar));
    if (on_bar > 1) return;
    --men_[kBar];
    ++men_[to];
    Walk<1>((sight.occupied & ~PointBit(kBar)) | PointBit(to), 24, StepOf(kBar, 0), 0);
  }

 private:
  // `kMade` steps have been made; further ones start from `latest` or nearer. `crowded`: narrow
  // points with two or more men, which all but one must leave.
  template <int kMade>
  void Walk(PointSet occupied, int latest, Play fixed, PointSet crowded) {
    const PointSet moving = occupied & (tables::kAllPoints & ~bands_) << die_;
    const PointSet starts = moving & (PointBit(latest + 1) - 1);
    if (kMade >= most_) AddLast(occupied, starts, kMade, fixed, crowded);
    if constexpr (kMade < tables::kMostSteps - 1) {
      ForEachMember(starts, [&](int from) {
        const int to = from - die_;
        const PointSet after =
            (--men_[from] == 0 ? occupied & ~PointBit(from) : occupied) | PointBit(to);
        PointSet still_crowded = crowded | (occupied & kNarrow & PointBit(to));
        if (men_[from] == 1) still_crowded &= ~PointBit(from);
        ++men_[to];
        Walk<kMade + 1>(after, from, fixed | StepOf(from, kMade), still_crowded);
        --men_[to];
        ++men_[from];
      });
    }
  }

  // The plays that stop after one more step.
  void AddLast(PointSet occupied, PointSet starts, int made, Play fixed, PointSet crowded) {
    PointSet last = starts & ~((occupied & kNarrow) << die_);
    if (crowded != 0) {
      const bool one_to_go = (crowded & (crowded - 1)) == 0 && men_[Lowest(crowded)] == 2;
      last = one_to_go ? last & crowded : 0;
    }
    if (last == 0) return;
    if (made > most_) {
      most_ = made;
      rows_.Restart(made);
    }
    rows_.Add(fixed, last);
  }

  PointSet bands_;
  int die_;
  Men men_;
  PlayRows& rows_;
  int most_ = 0;  // the last step of the longest plays so far
};

// A bound of the hits of one turn that bring a jan nearer. A hit on an entry tongue of the other
// side also makes room there, so it does not.
int MostHits(const Sight& sight, const Roll& roll) {
  PointSet reached = sight.occupied >> roll.high | sight.occupied >> roll.low |
                     sight.occupied >> (roll.high + roll.low);
  if (roll.is_double()) {
    reached |= sight.occupied >> 3 * roll.high | sight.occupied >> 4 * roll.high;
  }
  const int blots = std::popcount(sight.blots & ~bradspel::Op(bradspel::kEntry) & reached);
  return std::min(blots, roll.is_double() ? tables::kMostSteps : 2);
}

// Whether a blast, an ending or (with a double) bearing off could happen in this turn.
bool IsSpecial(const BradspelRules& rules, const Men& own, const Men& other, const Sight& sight,
               const Roll& roll) {
  const int steps = roll.is_double() ? tables::kMostSteps : 2;
  if (bradspel::BlastTargets(rules, own, other, sight) != 0) return true;
  // After entering the walls come into play.
  if (own[kBar] > 0 && bradspel::Walls(sight.bands) != 0) return true;
  if (MostHits(sight, roll) + other[kBar] > bradspel::Room(other)) return true;
  if (own[kOff] + steps >= tables::kMen) return true;
  const int on_last_five = own[1] + own[2] + own[3] + own[4] + own[5];
  if (own[kOff] == 0 && on_last_five + steps >= tables::kMen) return true;
  const int home = on_last_five + own[6] + own[kOff];
  return roll.is_double() && home + steps > tables::kMen;
}

// Calls rows(PlayRows) or list(span of plays), whichever form the plays come in.
template <class VisitRows, class VisitList>
auto Generate(const BradspelRules& rules, const BradspelState& state, VisitRows&& visit_rows,
              VisitList&& visit_list) {
  const Roll& roll = kAllRolls[state.roll];
  const Men& own = state.men[state.turn];
  const Men& other = state.men[1 - state.turn];
  const Sight sight = Look(own, other);
  if (IsSpecial(rules, own, other, sight, roll)) {
    const bradspel::AllPlays all(rules, state);
    return visit_list(all.plays());
  }
  PlayRows rows;
  if (roll.is_double()) {
    DoubleRows(own, sight, roll.high, rows);
  } else {
    PairRows(own, sight, roll, rows);
  }
  return visit_rows(rows);
}

}  // namespace

void Bradspel::legal(const Rules& rules, const State& state, ActionList<Action>& actions) {
  actions.clear();
  if (state.phase != tables::Phase::kPlay) return;
  Generate(
      rules, state, [&](const PlayRows& rows) { rows.List(actions); },
      [&](std::span<const Play> plays) {
        if (plays.empty()) actions.push_back(tables::kPass);
        for (const Play play : plays) actions.push_back(play);
        std::sort(actions.begin(), actions.end());
      });
}

tables::Play Bradspel::sample_legal(const Rules& rules, const State& state, RandomStream& random) {
  return Generate(
      rules, state, [&](const PlayRows& rows) { return rows.Sample(random); },
      [&](std::span<const Play> plays) {
        if (plays.empty()) return tables::kPass;
        return plays[random.Below(static_cast<std::uint32_t>(plays.size()))];
      });
}

}  // namespace berd
