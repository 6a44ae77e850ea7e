#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "engine/bradspel/bradspel.h"
#include "engine/bradspel/steps.h"
#include "nn/tables_features.h"

namespace berd {

// The sides move the same way round, half a circle apart: point p is the other side's p - 12 or
// p + 12. They meet until both have all men on their points 1 .. 12, tongues 13 .. 24 of the rules.
struct BradspelTrack {
  using PointSet = tables::PointSet;

  static constexpr int Place(int place) {
    return place == tables::kOff || place == tables::kBar ? place : bradspel::Op(place);
  }
  static PointSet Across(PointSet set) { return bradspel::Op(set & tables::kAllPoints); }
  static PointSet Places(PointSet set) { return Across(set) | (set & ~tables::kAllPoints); }
  // Blasts are left out: they are rare, and kMayBlast shows most.
  static PointSet Landings(PointSet own, PointSet enemy_held) {
    return tables::kAllPoints & ~enemy_held & ~(own & bradspel::kNarrow);
  }
  static PointSet Straggling(int) { return tables::kFarPoints | tables::PointBit(tables::kBar); }

  enum ExtraPlane : std::uint32_t {
    // How near a jan against the seat is: free entry points while nobody is on the bar, else 7 +
    // men that could still be hit without one + 6 times men on the bar beyond the first (at most
    // 2).
    kJan,
    kEnemyJan,
    kMayBlast,  // bands of the other side in runs of six, which may be blasted (Turn, blast a)
    kEnemyMayBlast,
    // Men that stand where a pattern wants them, 0 .. 15, as long as it can be reached: uppspel,
    // trappspel, double kronspel, kronspel (End).
    kPatterns,
    kEnemyPatterns = kPatterns + 4,
    kExtraPlanes = kEnemyPatterns + 4,
  };

  enum ExtraGlobal : std::uint32_t { kSprangjan, kEntryWall, kExtraGlobals };

  static void AddSets(const BradspelState& state, int seat, SquareSet* sets) {
    const tables::Men& own = state.men[static_cast<std::size_t>(seat)];
    const tables::Men& other = state.men[static_cast<std::size_t>(1 - seat)];
    sets[kJan] = JanNumber(own);
    sets[kEnemyJan] = JanNumber(other);
    sets[kMayBlast] = bradspel::Walls(Held(other));
    sets[kEnemyMayBlast] = Across(bradspel::Walls(Held(own)));
    AddPatterns(own, sets + kPatterns);
    AddPatterns(other, sets + kEnemyPatterns);
  }

  static void AddGlobals(const BradspelRules& rules, float* globals) {
    globals[kSprangjan] = static_cast<float>(rules.sprangjan - 4) / 2;
    globals[kEntryWall] = rules.entry_wall ? 1.0f : 0.0f;
  }

 private:
  // Bands by the points of the other side.
  static PointSet Held(const tables::Men& men) { return Across(AtLeast(men, 2)); }

  static SquareSet JanNumber(const tables::Men& men) {
    const int bar = men[tables::kBar];
    const int room = bradspel::Room(men);
    if (bar == 0) return SetOf(room);
    return SetOf(7 + std::clamp(room - bar, 0, 5) + 6 * std::min(bar - 1, 2));
  }

  // Men on points 1 .. 5.
  using Pattern = std::array<int, 5>;
  static constexpr std::array<Pattern, 4> kPatternMen = {
      {{15, 0, 0, 0, 0}, {7, 5, 3, 0, 0}, {5, 5, 5, 0, 0}, {3, 3, 3, 3, 3}}};

  static void AddPatterns(const tables::Men& men, SquareSet* sets) {
    if (men[tables::kOff] > 0) return;
    for (std::size_t i = 0; i < kPatternMen.size(); ++i) {
      int placed = 0;
      int spare = 0;  // places left on the points so far; men only come nearer
      bool possible = true;
      for (int point = 1; point <= 5; ++point) {
        const int wanted = kPatternMen[i][static_cast<std::size_t>(point - 1)];
        placed += std::min(men[point], wanted);
        spare += wanted - men[point];
        possible &= spare >= 0;
      }
      if (possible) sets[i] = SetOf(placed);
    }
  }
};

template <>
struct Features<Bradspel> : TablesFeatures<Bradspel, BradspelTrack> {
  static constexpr std::string_view kName = "bradspel/1";
  static float MarginScale(const BradspelRules&) { return 6; }  // a sprängjan
};

}  // namespace berd
