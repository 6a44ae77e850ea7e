#pragma once

#include <algorithm>
#include <array>

#include "engine/berd/duel.h"
#include "nn/differing_elements.h"
#include "nn/features.h"

namespace berd {

// Features of the duel in the frame of one seat: player B sees the board turned by half a circle,
// so both move up. Inputs are planes of 16 squares, then numbers that belong to no square.
template <bool kHasValues>
struct Features<Duel<kHasValues>> {
  using G = Duel<kHasValues>;
  using State = typename G::State;
  using Counts = typename G::Counts;
  using Word = typename G::Word;
  static constexpr bool kValued = kHasValues;

  enum Plane : std::uint32_t {
    kOwn1,  // own tokens active: at least 1, 2, 3, and (number - 3) / 4 beyond
    kOwn2,
    kOwn3,
    kOwnMore,
    kHeld1,  // captives in the own stack: at least 1, 2, and (number - 2) / 4 beyond
    kHeld2,
    kHeldMore,
    kEnemyOpen,   // a stack of the other player that can be captured
    kEnemyBlock,  // … that cannot, and (tokens - 2) / 4 beyond two
    kEnemyMore,
    kLost1,  // own tokens captive here: at least 1, 2, and (number - 2) / 4 beyond
    kLost2,
    kLostMore,
    kProtected,  // an own token on a square of the own colour
    kPlainPlanes,
    kOwnValue = kPlainPlanes,  // values in hundreds: own active, held, lost, the other's active
    kHeldValue,
    kLostValue,
    kEnemyValue,
    kAllPlanes,
  };
  static constexpr std::uint32_t kPlanes = kValued ? kAllPlanes : kPlainPlanes;

  enum Global : std::uint32_t {
    kOnTurn = 0,
    kOwnSideways = 1,  // 4 inputs: own counter 0 .. 3
    kOtherSideways = kOwnSideways + 4,
    kDifference = kOtherSideways + 4,  // 17 inputs: own collection less the other's, -8 .. 8 tokens
    kOwnCollected = kDifference + 17,  // of N
    kOtherCollected,
    kScoreLead,  // scaled
    kPlies,      // of the cap
    kPlacing,    // the setup is not complete
    kUnplaced,   // own tokens not placed yet, of N
    kCarrying,   // the seat, or the other, is choosing which captives go along
    kOtherCarries,
    kColor,
    kTokens,
    kWidth,
    kGlobalCount,
  };
  static constexpr std::uint32_t kGlobals = kGlobalCount;
  enum Sum : std::uint32_t {
    kOwnActive,  // own tokens active, of N
    kOtherActive,
    kSumCount,
  };
  static constexpr std::uint32_t kSums = kSumCount;
  static constexpr std::string_view kName = kValued ? "duel-values/2" : "duel/2";
  static constexpr std::uint32_t kFrame = 16;
  // Planes of sets: who can capture whom in one move.
  enum SetPlane : std::uint32_t {
    kThreatened,  // own open stacks that the other player could capture
    kTarget,      // the other's open stacks that the seat could capture
    kSetPlaneCount,
  };
  static constexpr std::uint32_t kSetPlanes = kSetPlaneCount;
  static constexpr std::uint32_t kSetSums = 0;
  static constexpr std::uint32_t kFirstSet = kPlanes * kFrame;
  static constexpr std::uint32_t kFirstSum = kFirstSet + kSetPlanes * kFrame;
  static constexpr std::uint32_t kFirstSetSum = kFirstSum + kSums;
  static constexpr std::uint32_t kFirstGlobal = kFirstSetSum + kSetSums;
  static constexpr std::uint32_t kInputs = kFirstGlobal + kGlobals;

  static float MarginScale(const DuelRules& rules) {
    return rules.valued() ? 5.0f * static_cast<float>(rules.tokens * (rules.tokens + 1))
                          : static_cast<float>(rules.tokens);
  }

  static int Squares(const DuelRules& rules) { return rules.squares; }
  static int Members(const DuelRules& rules) { return rules.squares; }

  static SquareSet OccupiedSquares(const DuelRules&, const State& state) {
    return state.tokens.present[0] | state.tokens.present[1];
  }

  static SquareSet ChangedSquares(const DuelRules&, const State& a, const State& b) {
    SquareSet changed = DifferingElements(a.tokens.active, b.tokens.active) |
                        DifferingElements(a.tokens.captive, b.tokens.captive);
    if constexpr (kValued) {
      for (std::size_t seat = 0; seat < 2; ++seat) {
        const auto& x = a.tokens.place[seat];
        const auto& y = b.tokens.place[seat];
        ForEachMember(DifferingElements(x, y), [&](int rank) {
          for (const Place place : {x[Idx(rank)], y[Idx(rank)]}) {
            if (place < 128) changed |= SetOf(place & 63);
          }
        });
      }
    }
    return changed;
  }

  static std::uint64_t SquareCode(const DuelRules&, const State& state, int square) {
    std::uint64_t code =
        state.tokens.active[Idx(square)] | std::uint64_t{state.tokens.captive[Idx(square)]} << 8;
    if constexpr (kValued) {
      for (int color = 0; color < 2; ++color) {
        for (const Place place : {ActiveAt(square), CaptiveAt(square)}) {
          code = Mix64(code) + state.tokens.Ranks(color, place);
        }
      }
    }
    return code;
  }

  static void AddSquare(const DuelRules& rules, const State& state, int seat, int square,
                        FeatureList& list) {
    const Word active = state.tokens.active[Idx(square)];
    if (active == 0) return;
    const Word captive = state.tokens.captive[Idx(square)];
    const auto seen = static_cast<std::uint32_t>(seat == 0 ? square : rules.squares - 1 - square);
    const auto add = [&](std::uint32_t plane, float weight) {
      list.push_back({plane * kFrame + seen, weight});
    };
    const int other = 1 - seat;
    const int own = Counts::Count(active, seat);
    if (own > 0) {
      const int held = Counts::Total(captive);
      add(kOwn1, 1);
      if (own >= 2) add(kOwn2, 1);
      if (own >= 3) add(kOwn3, 1);
      if (own > 3) add(kOwnMore, static_cast<float>(own - 3) / 4);
      if (held >= 1) add(kHeld1, 1);
      if (held >= 2) add(kHeld2, 1);
      if (held > 2) add(kHeldMore, static_cast<float>(held - 2) / 4);
      if (Has(rules.own_color[Idx(seat)], square)) add(kProtected, 1);
      if constexpr (kValued) {
        add(kOwnValue, SumOfValues(state, seat, ActiveAt(square)));
        add(kHeldValue, SumOfValues(state, other, CaptiveAt(square)));
      }
      return;
    }
    const int enemies = Counts::Count(active, other);
    const int lost = Counts::Total(captive);
    const bool blocked = enemies >= 2 || Has(rules.own_color[Idx(other)], square);
    add(blocked ? kEnemyBlock : kEnemyOpen, 1);
    if (enemies > 2) add(kEnemyMore, static_cast<float>(enemies - 2) / 4);
    if (lost >= 1) add(kLost1, 1);
    if (lost >= 2) add(kLost2, 1);
    if (lost > 2) add(kLostMore, static_cast<float>(lost - 2) / 4);
    if constexpr (kValued) {
      add(kLostValue, SumOfValues(state, seat, CaptiveAt(square)));
      add(kEnemyValue, SumOfValues(state, other, ActiveAt(square)));
    }
  }

  static void AddSums(const DuelRules& rules, const State& state, int seat, int square,
                      std::array<float, kSums>& sums) {
    const auto tokens = static_cast<float>(rules.tokens);
    sums[kOwnActive] += static_cast<float>(state.tokens.ActiveCount(seat, square)) / tokens;
    sums[kOtherActive] += static_cast<float>(state.tokens.ActiveCount(1 - seat, square)) / tokens;
  }

  // By seat: squares that it can step to, and its stacks that can be captured.
  struct Facts {
    std::array<SquareSet, 2> reach;
    std::array<SquareSet, 2> open;
  };

  static Facts Note(const DuelRules& rules, const State& state) {
    return {{Reach(rules, state, 0), Reach(rules, state, 1)},
            {Open(rules, state, 0), Open(rules, state, 1)}};
  }
  static Facts NoteNear(const DuelRules& rules, const State&, const Facts&, const State& state) {
    return Note(rules, state);
  }

  using SetArray = std::array<SquareSet, kSetPlanes>;

  static SetArray Sets(const DuelRules&, const Facts& facts, const State&, int seat) {
    const int other = 1 - seat;
    return {facts.reach[Idx(other)] & facts.open[Idx(seat)],
            facts.reach[Idx(seat)] & facts.open[Idx(other)]};
  }

  static std::uint8_t Frame(const State&, int) { return 0; }
  static std::uint32_t FrameIndex(const DuelRules& rules, int, int seat, int square) {
    return static_cast<std::uint32_t>(seat == 0 ? square : rules.squares - 1 - square);
  }
  static void AddSetSums(const DuelRules&, std::uint32_t, std::uint32_t, std::array<float, 0>&) {}

  static bool SameGlobals(const DuelRules&, const State& a, const Facts&, const State& b,
                          const Facts&) {
    return a.phase == b.phase && a.phase == DuelPhase::kMove && a.turn == b.turn &&
           a.sideways == b.sideways && a.plies == b.plies &&
           a.tokens.collected == b.tokens.collected && !kValued;
  }

  template <std::size_t kSize>
  static void FillGlobals(const DuelRules& rules, const State& state, const Facts&, int seat,
                          std::array<float, kSize>& globals) {
    const auto set = [&](std::uint32_t global, float value) { globals[global] = value; };
    const int other = 1 - seat;
    const auto tokens = static_cast<float>(rules.tokens);
    set(kOnTurn, state.turn == seat ? 1.0f : 0.0f);
    set(kOwnSideways + std::uint32_t{state.sideways[Idx(seat)]}, 1);
    set(kOtherSideways + std::uint32_t{state.sideways[Idx(other)]}, 1);
    const int own = Counts::Total(state.tokens.collected[Idx(seat)]);
    const int others = Counts::Total(state.tokens.collected[Idx(other)]);
    set(kDifference + static_cast<std::uint32_t>(std::clamp(own - others, -8, 8) + 8), 1);
    set(kOwnCollected, static_cast<float>(own) / tokens);
    set(kOtherCollected, static_cast<float>(others) / tokens);
    std::array<std::int64_t, 2> scores{};
    G::scores(rules, state, scores);
    set(kScoreLead,
        static_cast<float>(scores[Idx(seat)] - scores[Idx(other)]) / MarginScale(rules));
    set(kPlies, static_cast<float>(state.plies) / static_cast<float>(rules.cap));
    if (state.phase == DuelPhase::kPlace) {
      int placed = 0;
      ForEachMember(state.tokens.present[Idx(seat)],
                    [&](int square) { placed += state.tokens.ActiveCount(seat, square); });
      set(kPlacing, 1);
      set(kUnplaced, static_cast<float>(rules.tokens - placed) / tokens);
    }
    if (state.phase == DuelPhase::kCarry) set(state.turn == seat ? kCarrying : kOtherCarries, 1);
    set(kColor, rules.color ? 1.0f : 0.0f);
    set(kTokens, tokens / 8);
    set(kWidth, static_cast<float>(rules.width) / 4);
  }

 private:
  template <class Index>
  static constexpr std::size_t Idx(Index index) {
    return static_cast<std::size_t>(index);
  }

  // Stacks of the seat that can be captured.
  static SquareSet Open(const DuelRules& rules, const State& state, int seat) {
    return state.tokens.present[Idx(seat)] & ~state.tokens.berd[Idx(seat)] &
           ~rules.own_color[Idx(seat)];
  }

  // Squares that the seat's stacks can step to, blocked ones included.
  static SquareSet Reach(const DuelRules& rules, const State& state, int seat) {
    const SquareSet own = state.tokens.present[Idx(seat)];
    SquareSet reach = (seat == 0 ? own << rules.width : own >> rules.width) & rules.board_set;
    if (state.sideways[Idx(seat)] < G::kMostSideways) {
      reach |= (own & ~rules.left_column) >> 1 | (own & ~rules.right_column) << 1;
    }
    return reach;
  }

  static float SumOfValues(const State& state, int color, Place place) {
    float sum = 0;
    if constexpr (kValued) {
      ForEachMember(state.tokens.Ranks(color, place),
                    [&](int rank) { sum += 0.1f * static_cast<float>(rank + 1); });
    }
    return sum;
  }
};

}  // namespace berd
