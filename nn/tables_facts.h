#pragma once

// What the features of tables games need to know about a position as a whole: who can hit whom,
// what stands in whose way. Everything is seen by one seat and numbered by its own points
// (engine/tables/men.h); a `Track` says where the points of the two sides meet:
//
//   Across(point), Across(set)      the same place by the other side's numbers; its own inverse.
//                                   The set has points 1 .. 24 only
//   Landings(own, enemy_held)       points where a step may end
//   Straggling(other_farthest)      points from which an own man still meets those of the other
//                                   side, whose rearmost is at its own point `other_farthest`

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#if defined(__AVX512BW__) && defined(__AVX512VL__)
#include <immintrin.h>
#endif

#include "engine/core/dice.h"
#include "engine/tables/men.h"
#include "engine/tables/play.h"
#include "engine/tables/state.h"

namespace berd::tables {

inline constexpr PointSet kEntryPoints = 0x1f80000;  // 19 .. 24, where men enter

// Number of men on the points of a set.
inline int MenOn(const Men& men, PointSet set) {
#if defined(__AVX512BW__) && defined(__AVX512VL__)
  const __m256i all = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(men.at.data()));
  const __m256i sums = _mm256_sad_epu8(_mm256_maskz_mov_epi8(set, all), _mm256_setzero_si256());
  const __m128i half =
      _mm_add_epi64(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
  return static_cast<int>(_mm_extract_epi16(half, 0) + _mm_extract_epi16(half, 4));
#else
  int count = 0;
  ForEachMember(set, [&](int point) { count += men[point]; });
  return count;
#endif
}

// One side's view of the board, by its own points.
struct Sight {
  PointSet own;         // men, bar included
  PointSet own_held;    // two or more, 1 .. 24
  PointSet enemy;       // men of the other side, 1 .. 24
  PointSet enemy_held;  // two or more
  PointSet landings;
  int bar;  // own men on it

  PointSet enemy_blots() const { return enemy & ~enemy_held; }
  // Men that may step now: those on the bar go first.
  PointSet movers() const { return bar > 0 ? PointBit(kBar) : own; }
};

template <class Track>
Sight Look(const Men& own, const Men& other) {
  const PointSet enemy_held = Track::Across(AtLeast(other, 2) & kAllPoints);
  const PointSet men = AtLeast(own, 1) & ~PointBit(kOff);
  return {.own = men,
          .own_held = AtLeast(own, 2) & kAllPoints,
          .enemy = Track::Across(AtLeast(other, 1) & kAllPoints),
          .enemy_held = enemy_held,
          .landings = Track::Landings(men, enemy_held),
          .bar = own[kBar]};
}

// Blots of the other side that can be hit by a throw. The duty to play both dice is left out.
struct Shots {
  PointSet once = 0;   // by one die
  PointSet twice = 0;  // by two dice or more, each by itself
  PointSet far = 0;    // by a combination, of throws that hit nothing by one die
  int rolls = 0;       // of 36 that hit something
};

// Direct shots only; a bit for every die that hits.
inline std::uint32_t AimOnce(const Sight& sight, Shots& shots) {
  const PointSet blots = sight.enemy_blots();
  const PointSet movers = sight.movers();
  std::uint32_t dice = 0;
  for (int die = 1; die <= 6; ++die) {
    const PointSet hits = movers >> die & blots;
    shots.twice |= shots.once & hits;
    shots.once |= hits;
    dice |= (hits != 0 ? 1u : 0u) << die;
  }
  return dice;
}

// Blots hit by the second of two dice: by the man that the first one moves, or after a man enters.
inline PointSet HitsAfter(const Sight& sight, int first, int second) {
  PointSet men = (sight.movers() >> first) & sight.landings;
  if (sight.bar > 1) return 0;
  if (sight.bar == 1 && men != 0) men |= sight.own & ~PointBit(kBar);
  return men >> second & sight.enemy_blots();
}

// … by the second to fourth step of a double.
inline PointSet HitsOfDouble(const Sight& sight, int die) {
  PointSet men = (sight.movers() >> die) & sight.landings;
  if (men == 0 || sight.bar >= kMostSteps) return 0;
  if (sight.bar > 0) men |= sight.own & ~PointBit(kBar);
  PointSet reached = 0;
  for (int step = std::max(1, sight.bar); step < kMostSteps; ++step) {
    men >>= die;
    reached |= men;
    men &= sight.landings;
  }
  return reached & sight.enemy_blots();
}

inline Shots Aim(const Sight& sight) {
  Shots shots;
  if (sight.enemy_blots() == 0) return shots;
  const std::uint32_t direct = AimOnce(sight, shots);
  const int others = 6 - std::popcount(direct);
  shots.rolls = 36 - others * others;
  for (int high = 1; high <= 6; ++high) {
    if (direct >> high & 1) continue;
    for (int low = 1; low < high; ++low) {
      if (direct >> low & 1) continue;
      const PointSet hits = HitsAfter(sight, high, low) | HitsAfter(sight, low, high);
      shots.far |= hits;
      shots.rolls += hits != 0 ? 2 : 0;
    }
    const PointSet hits = HitsOfDouble(sight, high);
    shots.far |= hits;
    shots.rolls += hits != 0 ? 1 : 0;
  }
  shots.far &= ~shots.once;
  return shots;
}

// Rolls of 36 that take a man more than six points ahead, past any block that begins right before
// it. Bit 11 - i of the index: the point i + 1 ahead is blocked.
inline constexpr auto kEscapes = [] {
  struct Way {
    std::uint32_t all = 0;     // must be open
    std::uint32_t either = 0;  // … and not all of these blocked
    std::uint8_t weight = 0;
  };
  const auto point = [](int ahead) { return 1u << (12 - ahead); };
  std::array<Way, kAllRolls.size()> ways{};
  std::size_t count = 0;
  for (const Roll& roll : kAllRolls) {
    Way way{.weight = roll.weight};
    if (roll.is_double()) {
      if (4 * roll.high <= 6) continue;
      int ahead = 0;
      while (ahead <= 6) way.all |= point(ahead += roll.high);
    } else {
      if (roll.high + roll.low <= 6) continue;
      way.all = point(roll.high + roll.low);
      way.either = point(roll.high) | point(roll.low);
    }
    ways[count++] = way;
  }
  std::array<std::uint8_t, 4096> table{};
  for (std::uint32_t blocked = 0; blocked < table.size(); ++blocked) {
    int rolls = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const Way& way = ways[i];
      if ((blocked & way.all) != 0) continue;
      if (way.either == 0 || (blocked & way.either) != way.either) rolls += way.weight;
    }
    table[blocked] = static_cast<std::uint8_t>(rolls);
  }
  return table;
}();

inline int Escapes(const Sight& sight, int point) {
  const PointSet below = sight.enemy_held & (PointBit(point) - 1);
  const PointSet ahead = point >= 12 ? below >> (point - 12) : below << (12 - point);
  return kEscapes[ahead & 0xfff];
}

// What one side meets on its way, by its own points.
struct Front {
  Shots shots;
  PointSet enemy_blocks = 0;               // held by the other side 1 .. 6 points ahead of a man
  std::array<PointSet, 3> enemy_primes{};  // … in runs of 4, 5, 6: their nearest points
  PointSet trapped = 0;                    // own men that few rolls free
  std::uint8_t doors = 0;                  // entry points where it may land
  std::uint8_t escapes = 0;                // Escapes of the rearmost man
  std::uint8_t stragglers = 0;             // men that still meet the other side
};

// A man is trapped if no more rolls than these free it.
inline constexpr int kFewEscapes = 6;

// Primes, blocks and shots lie ahead of men on these points: farther than home.
inline constexpr PointSet kFarPoints = 0x1ffe000;  // 13 .. 24

// Fills in all but shots and stragglers.
inline void NoteBlocks(const Sight& sight, Front& front) {
  PointSet reach = sight.own >> 1;
  reach |= reach >> 1;
  reach |= reach >> 1;
  reach |= reach >> 3;
  const PointSet held = sight.enemy_held;
  front.enemy_blocks = held & reach;
  const PointSet ahead = PointBit(Farthest(sight.own | 1)) - 1;
  const PointSet two = held & held << 1;
  const PointSet four = two & two << 2;
  front.enemy_primes = {four & ahead, four & held << 4 & ahead, four & two << 4 & ahead};
  front.doors = static_cast<std::uint8_t>(std::popcount(sight.landings & kEntryPoints));
  front.escapes = static_cast<std::uint8_t>(Escapes(sight, Farthest(sight.own | 1)));
  ForEachMember(sight.own & kFarPoints & front.enemy_blocks << 1, [&](int point) {
    if (Escapes(sight, point) <= kFewEscapes) front.trapped |= PointBit(point);
  });
}

// For both seats at once; see nn/features.h.
struct Facts {
  std::array<Front, 2> front;
  int lead = 0;  // of seat 0, in pips
  bool race = false;
};

// The seat that throws next or has thrown; -1 before the first turn and at the end.
template <class Ending>
int OnRoll(const State<Ending>& state) {
  return state.phase == Phase::kRoll || state.phase == Phase::kPlay ? state.turn : -1;
}

template <class Track, class Ending>
Facts NoteFacts(const State<Ending>& state) {
  Facts facts;
  facts.lead = Pips(state.men[1]) - Pips(state.men[0]);
  for (std::size_t seat = 0; seat < 2; ++seat) {
    const PointSet others = AtLeast(state.men[1 - seat], 1) & ~PointBit(kOff);
    facts.front[seat].stragglers =
        static_cast<std::uint8_t>(MenOn(state.men[seat], Track::Straggling(Farthest(others | 1))));
  }
  facts.race = facts.front[0].stragglers == 0 && facts.front[1].stragglers == 0;
  if (facts.race) return facts;
  const int on_roll = OnRoll(state);
  for (std::size_t seat = 0; seat < 2; ++seat) {
    const Sight sight = Look<Track>(state.men[seat], state.men[1 - seat]);
    Front& front = facts.front[seat];
    NoteBlocks(sight, front);
    if (on_roll == static_cast<int>(seat)) {
      front.shots = Aim(sight);
    } else {
      AimOnce(sight, front.shots);
    }
  }
  return facts;
}

}  // namespace berd::tables
