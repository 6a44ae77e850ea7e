#pragma once

#include "engine/backgammon/backgammon.h"
#include "nn/tables_features.h"

namespace berd {

// The sides move towards each other: point p is the other side's 25 - p, and one's tray lies at the
// other's bar.
struct BackgammonTrack {
  using PointSet = tables::PointSet;

  static constexpr int Place(int place) { return tables::kBar - place; }
  static PointSet Places(PointSet set) {
    set = __builtin_bswap32(set);
    set = (set & 0x0f0f0f0f) << 4 | (set >> 4 & 0x0f0f0f0f);
    set = (set & 0x33333333) << 2 | (set >> 2 & 0x33333333);
    set = (set & 0x55555555) << 1 | (set >> 1 & 0x55555555);
    return set >> (31 - tables::kBar);
  }
  static PointSet Across(PointSet set) { return Places(set); }
  static PointSet Landings(PointSet, PointSet enemy_held) {
    return tables::kAllPoints & ~enemy_held;
  }
  static PointSet Straggling(int other_farthest) {
    return ~PointSet{1} << Place(other_farthest) &
           (tables::kAllPoints | tables::PointBit(tables::kBar));
  }

  static constexpr std::uint32_t kExtraPlanes = 0;
  static constexpr std::uint32_t kExtraGlobals = 0;
};

template <>
struct Features<Backgammon> : TablesFeatures<Backgammon, BackgammonTrack> {
  static constexpr std::string_view kName = "backgammon/1";
  static float MarginScale(const BackgammonRules&) { return 3; }  // a backgammon
};

}  // namespace berd
