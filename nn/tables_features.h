#pragma once

#include <algorithm>
#include <array>

#include "nn/features.h"
#include "nn/tables_facts.h"

namespace berd {

// Features of the tables games, in the frame of one seat: places are numbered by its own points, so
// both sides move down. The square of a place is its number by the points of seat 0. Inputs are
// planes of 26 places, then numbers. The base of Features<Backgammon> and Features<Bradspel>.
//
// What is shown follows what is known to matter: numbers of men by thermometers (Tesauro, "Temporal
// difference learning of backgammon strategy", 1992), and what cannot be seen man by man, shots,
// blocks and the pip count ("TD-Gammon, a self-teaching backgammon program", 1994).
//
// A `Track` (nn/tables_facts.h) also says:
//   Place(point)                 Across for all places, bar and tray included
//   Places(set)                  the same for a set of places
//   kExtraPlanes, AddSets(state, seat, sets)   further planes of sets; sets[0 .. kExtraPlanes - 1]
//   kExtraGlobals, AddGlobals(rules, globals)  numbers that follow from the rules
template <Game G, class Track>
struct TablesFeatures {
  using State = typename G::State;
  using Rules = typename G::Rules;
  using PointSet = tables::PointSet;
  using Facts = tables::Facts;

  enum Plane : std::uint32_t {
    kOwnBlot,  // own men: exactly 1, at least 2, at least 3, and (number - 3) / 2 beyond
    kOwnHeld,
    kOwn3,
    kOwnMore,
    kEnemyBlot,  // men of the other side, the same
    kEnemyHeld,
    kEnemy3,
    kEnemyMore,
    kPlanes,
  };
  static constexpr std::uint32_t kFrame = tables::kBar + 1;

  // Planes of sets. Members of the first group are places; of the others, numbers 0 .. 25 as one
  // input each. What the other side does is seen from here: the same sets of the other seat.
  enum SetPlane : std::uint32_t {
    kTarget,       // the seat is on roll: blots it can hit with one die,
    kTargetTwice,  // … with two dice, each by itself,
    kTargetFar,    // … only with a combination of dice
    kThreatened,   // the other side is on roll: the same
    kThreatenedTwice,
    kThreatenedFar,
    kAimed,    // the seat is not on roll: blots that it will be able to hit with one die
    kAimedAt,  // own blots of which the other side, not on roll, can say so
    kBlocked,  // points held by the other side 1 .. 6 ahead of own men
    kBlocking,
    kBlocked4,  // nearest points of runs of 4, 5, 6 held ahead of the rearmost man
    kBlocked5,
    kBlocked6,
    kBlocking4,
    kBlocking5,
    kBlocking6,
    kTrapped,  // men that few rolls free
    kTrapping,
    kRace1,  // own men, at least 1, 2, 3, once the sides have passed each other
    kRace2,
    kRace3,
    kHitRolls,  // rolls that hit, of 25
    kEnemyHitRolls,
    kDoors,  // entry points open, plus 7 times men on the bar (at most 2)
    kEnemyDoors,
    kEscapes,  // rolls that take the rearmost man past a block, of 25
    kEnemyEscapes,
    kStragglers,  // men that have not passed the other side's rearmost one
    kEnemyStragglers,
    kLead,      // pip count ahead of the other side, 13 + lead / 8; of which 0 is contact
    kRaceLead,  // … and 13 + lead / 4 in a race
    kTablesPlanes,
  };
  static constexpr std::uint32_t kSetPlanes = kTablesPlanes + Track::kExtraPlanes;

  // Sums over the men.
  enum Sum : std::uint32_t {
    kOwnPips,  // of the pips at the start of backgammon
    kEnemyPips,
    kPipLead,  // in tens
    kOwnOff,   // of 15
    kEnemyOff,
    kOwnHome,  // men on points 1 .. 6, of 15
    kEnemyHome,
    kOwnOutside,  // pips until all men are at home: what it takes to save a gammon; in tens
    kEnemyOutside,
    kOwnWaste,  // pips that men on low points will waste (Keith, "Cube handling in noncontact
                // positions", 2004); in tens
    kEnemyWaste,
    kSums,
  };

  // Sums over members of sets.
  enum SetSum : std::uint32_t {
    kTargetCount,  // of 4
    kTargetPips,   // that the other side would lose, in tens
    kThreatCount,
    kThreatPips,
    kBlockedCount,
    kBlockingCount,
    kHitRollShare,
    kEnemyHitRollShare,
    kEscapeShare,
    kEnemyEscapeShare,
    kStragglerShare,
    kEnemyStragglerShare,
    kSetSums,
  };

  enum Global : std::uint32_t {
    kOnRoll,
    kOtherOnRoll,
    kOwnDice,                       // 6 inputs: dice thrown by face, 2 for a double
    kOtherDice = kOwnDice + 6,      // 6 inputs
    kTurnsPlayed = kOtherDice + 6,  // of the cap
    kCapNear,                       // 1 at the cap, 1/2 eight turns before it
    kTablesGlobals,
  };
  static constexpr std::uint32_t kGlobals = kTablesGlobals + Track::kExtraGlobals;

  // Men borne off, one input for each number 1 .. 15: own, then the other side's.
  static constexpr std::uint32_t kFirstOff = kPlanes * kFrame;
  static constexpr std::uint32_t kFirstSet = kFirstOff + 2 * tables::kMen;
  static constexpr std::uint32_t kFirstSum = kFirstSet + kSetPlanes * kFrame;
  static constexpr std::uint32_t kFirstSetSum = kFirstSum + kSums;
  static constexpr std::uint32_t kFirstGlobal = kFirstSetSum + kSetSums;
  static constexpr std::uint32_t kInputs = kFirstGlobal + kGlobals;

  static int Squares(const Rules&) { return kFrame; }
  static int Members(const Rules&) { return kFrame; }

  static SquareSet OccupiedSquares(const Rules&, const State& state) {
    return AtLeast(state.men[0], 1) | Track::Places(AtLeast(state.men[1], 1));
  }

  static SquareSet ChangedSquares(const Rules&, const State& a, const State& b) {
    return Differing(a.men[0], b.men[0]) | Track::Places(Differing(a.men[1], b.men[1]));
  }

  static std::uint64_t SquareCode(const Rules&, const State& state, int square) {
    return static_cast<std::uint64_t>(state.men[0][square] | state.men[1][Track::Place(square)]
                                                                 << 8);
  }

  static void AddSquare(const Rules&, const State& state, int seat, int square, FeatureList& list) {
    const int own_place = seat == 0 ? square : Track::Place(square);
    const int other_place = Track::Place(own_place);
    const int own = state.men[Idx(seat)][own_place];
    const int other = state.men[Idx(1 - seat)][other_place];
    const auto add = [&](std::uint32_t plane, int count) {
      const std::uint32_t index = plane * kFrame + static_cast<std::uint32_t>(own_place);
      if (count == 1) list.push_back({index, 1});
      if (count >= 2) list.push_back({index + kFrame, 1});
      if (count >= 3) list.push_back({index + 2 * kFrame, 1});
      if (count > 3) list.push_back({index + 3 * kFrame, static_cast<float>(count - 3) / 2});
    };
    add(kOwnBlot, own);
    add(kEnemyBlot, other);
    const auto add_off = [&](std::uint32_t first, int place, int count) {
      if (place == tables::kOff && count > 0) {
        list.push_back({first + static_cast<std::uint32_t>(count - 1), 1});
      }
    };
    add_off(kFirstOff, own_place, own);
    add_off(kFirstOff + tables::kMen, other_place, other);
  }

  static void AddSums(const Rules&, const State& state, int seat, int square,
                      std::array<float, kSums>& sums) {
    const int own_place = seat == 0 ? square : Track::Place(square);
    const int other_place = Track::Place(own_place);
    AddMen(state.men[Idx(seat)][own_place], own_place, 0, sums);
    AddMen(state.men[Idx(1 - seat)][other_place], other_place, 1, sums);
    sums[kPipLead] +=
        0.1f * static_cast<float>(state.men[Idx(1 - seat)][other_place] * other_place -
                                  state.men[Idx(seat)][own_place] * own_place);
  }

  static Facts Note(const Rules&, const State& state) { return tables::NoteFacts<Track>(state); }
  static Facts NoteNear(const Rules& rules, const State&, const Facts&, const State& state) {
    return Note(rules, state);
  }

  using SetArray = std::array<SquareSet, kSetPlanes>;

  // Members are numbered by the seat's own points already.
  static SetArray Sets(const Rules&, const Facts& facts, const State& state, int seat) {
    SetArray sets{};
    const int lead = seat == 0 ? facts.lead : -facts.lead;
    const auto& men = state.men[Idx(seat)];
    if (facts.race) {
      sets[kRace1] = AtLeast(men, 1);
      sets[kRace2] = AtLeast(men, 2);
      sets[kRace3] = AtLeast(men, 3);
      sets[kRaceLead] = LeadNumber(lead, 4);
    } else {
      sets[kLead] = LeadNumber(lead, 8);
      AddContact(facts, state, seat, sets);
    }
    if constexpr (Track::kExtraPlanes > 0) {
      Track::AddSets(state, seat, sets.data() + kTablesPlanes);
    }
    return sets;
  }

  static int Frame(const State&, int) { return 0; }
  static std::uint32_t FrameIndex(const Rules&, int, int, int square) {
    return static_cast<std::uint32_t>(square);
  }

  static void AddSetSums(const Rules&, std::uint32_t plane, std::uint32_t frame_index,
                         std::array<float, kSetSums>& sums) {
    const int place = static_cast<int>(frame_index);
    const float share = static_cast<float>(place) / 25;
    switch (plane) {
      case kTarget:
      case kTargetFar:
        sums[kTargetCount] += 0.25f;
        sums[kTargetPips] += 0.1f * static_cast<float>(tables::kBar - Track::Place(place));
        break;
      case kThreatened:
      case kThreatenedFar:
        sums[kThreatCount] += 0.25f;
        sums[kThreatPips] += 0.1f * static_cast<float>(tables::kBar - place);
        break;
      case kBlocked:
        sums[kBlockedCount] += 0.25f;
        break;
      case kBlocking:
        sums[kBlockingCount] += 0.25f;
        break;
      // One case each: GCC 12 with -O3 miscounts indices like kEscapeShare + plane - kEscapes.
      case kHitRolls:
        sums[kHitRollShare] += share;
        break;
      case kEnemyHitRolls:
        sums[kEnemyHitRollShare] += share;
        break;
      case kEscapes:
        sums[kEscapeShare] += share;
        break;
      case kEnemyEscapes:
        sums[kEnemyEscapeShare] += share;
        break;
      case kStragglers:
        sums[kStragglerShare] += share;
        break;
      case kEnemyStragglers:
        sums[kEnemyStragglerShare] += share;
        break;
      default:
        break;
    }
  }

  static bool SameGlobals(const Rules&, const State& a, const Facts&, const State& b,
                          const Facts&) {
    return a.phase == b.phase && a.turn == b.turn && a.roll == b.roll && a.turns == b.turns;
  }

  template <std::size_t kSize>
  static void FillGlobals(const Rules& rules, const State& state, const Facts&, int seat,
                          std::array<float, kSize>& globals) {
    const int on_roll = tables::OnRoll(state);
    if (on_roll >= 0) globals[on_roll == seat ? kOnRoll : kOtherOnRoll] = 1;
    if (state.phase == tables::Phase::kPlay) {
      const Roll& roll = kAllRolls[state.roll];
      const std::uint32_t first = state.turn == seat ? kOwnDice : kOtherDice;
      globals[first + roll.high - 1u] += 1;
      globals[first + roll.low - 1u] += 1;
    }
    const auto cap = static_cast<float>(rules.cap);
    const auto turns = static_cast<float>(state.turns);
    globals[kTurnsPlayed] = turns / cap;
    globals[kCapNear] = 8 / (8 + std::max(cap - turns, 0.0f));
    if constexpr (Track::kExtraGlobals > 0) {
      Track::AddGlobals(rules, globals.data() + kTablesGlobals);
    }
  }

 private:
  template <class Index>
  static constexpr std::size_t Idx(Index index) {
    return static_cast<std::size_t>(index);
  }

  static PointSet Differing(const tables::Men& a, const tables::Men& b) {
#if defined(__AVX2__)
    const auto load = [](const tables::Men& men) {
      return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(men.at.data()));
    };
    return ~static_cast<PointSet>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(load(a), load(b))));
#else
    PointSet differ = 0;
    for (int place = 0; place <= tables::kBar; ++place) {
      if (a[place] != b[place]) differ |= tables::PointBit(place);
    }
    return differ;
#endif
  }

  // `other` is 1 for men of the other side, whose sums follow the own ones.
  static void AddMen(int count, int place, std::uint32_t other, std::array<float, kSums>& sums) {
    if (count == 0) return;
    const auto men = static_cast<float>(count);
    const auto pips = static_cast<float>(count * place);
    constexpr float kStartPips = 167;
    sums[kOwnPips + other] += pips / kStartPips;
    if (place == tables::kOff) sums[kOwnOff + other] += men / tables::kMen;
    if (place >= 1 && place <= 6) sums[kOwnHome + other] += men / tables::kMen;
    if (place > 6) sums[kOwnOutside + other] += 0.1f * men * static_cast<float>(place - 6);
    sums[kOwnWaste + other] += 0.1f * static_cast<float>(Waste(count, place));
  }

  // Keith's count: 2 pips a man beyond the first on point 1, 1 beyond the first on 2, 1 beyond the
  // third on 3, 1 for each of 4, 5, 6 that is empty (here 1 less for each that is not).
  static int Waste(int count, int place) {
    if (place == 1) return 2 * (count - 1);
    if (place == 2) return count - 1;
    if (place == 3) return std::max(count - 3, 0);
    return place >= 4 && place <= 6 ? -1 : 0;
  }

  static SquareSet Number(int number) { return SetOf(number); }

  static SquareSet LeadNumber(int lead, int step) {
    return SetOf(std::clamp(13 + (lead + 1024 * step) / step - 1024, 0, tables::kBar));
  }

  static SquareSet OfRolls(int rolls) { return rolls == 0 ? 0 : SetOf((rolls * 25 + 35) / 36); }

  static void AddContact(const Facts& facts, const State& state, int seat, SetArray& sets) {
    const auto& own = facts.front[Idx(seat)];
    const auto& other = facts.front[Idx(1 - seat)];
    const int on_roll = tables::OnRoll(state);
    if (on_roll == seat) {
      sets[kTarget] = own.shots.once;
      sets[kTargetTwice] = own.shots.twice;
      sets[kTargetFar] = own.shots.far;
      sets[kHitRolls] = OfRolls(own.shots.rolls);
    } else {
      sets[kAimed] = own.shots.once;
    }
    if (on_roll == 1 - seat) {
      sets[kThreatened] = Track::Across(other.shots.once);
      sets[kThreatenedTwice] = Track::Across(other.shots.twice);
      sets[kThreatenedFar] = Track::Across(other.shots.far);
      sets[kEnemyHitRolls] = OfRolls(other.shots.rolls);
    } else {
      sets[kAimedAt] = Track::Across(other.shots.once);
    }
    sets[kBlocked] = own.enemy_blocks;
    sets[kBlocking] = Track::Across(other.enemy_blocks);
    for (std::uint32_t i = 0; i < 3; ++i) {
      sets[kBlocked4 + i] = own.enemy_primes[i];
      sets[kBlocking4 + i] = Track::Across(other.enemy_primes[i]);
    }
    sets[kTrapped] = own.trapped;
    sets[kTrapping] = Track::Across(other.trapped);
    const auto doors = [&](const tables::Front& front, int who) {
      return Number(front.doors + 7 * std::min(state.men[Idx(who)][tables::kBar], 2));
    };
    sets[kDoors] = doors(own, seat);
    sets[kEnemyDoors] = doors(other, 1 - seat);
    sets[kEscapes] = OfRolls(own.escapes);
    sets[kEnemyEscapes] = OfRolls(other.escapes);
    sets[kStragglers] = Number(own.stragglers);
    sets[kEnemyStragglers] = Number(other.stragglers);
  }
};

}  // namespace berd
