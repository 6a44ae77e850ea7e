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
    kOwnActive,  // own tokens active, of N
    kOtherActive,
    kPlies,     // of the cap
    kPlacing,   // the setup is not complete
    kUnplaced,  // own tokens not placed yet, of N
    kColor,
    kTokens,
    kWidth,
    kGlobals,
  };
  static constexpr std::string_view kName = kValued ? "duel-values/1" : "duel/1";
  static constexpr std::uint32_t kSquares = 16;
  static constexpr std::uint32_t kInputs = kPlanes * kSquares + 48;
  static_assert(kGlobals <= 48);

  static float MarginScale(const DuelRules& rules) {
    return rules.valued() ? 5.0f * static_cast<float>(rules.tokens * (rules.tokens + 1))
                          : static_cast<float>(rules.tokens);
  }

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

  static void AddSquare(const DuelRules& rules, const State& state, int seat, int square,
                        FeatureList& list) {
    const Word active = state.tokens.active[Idx(square)];
    if (active == 0) return;
    const Word captive = state.tokens.captive[Idx(square)];
    const auto seen = static_cast<std::uint32_t>(seat == 0 ? square : rules.squares - 1 - square);
    const auto add = [&](std::uint32_t plane, float weight) {
      list.push_back({plane * kSquares + seen, weight});
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

  static void AddGlobal(const DuelRules& rules, const State& state, int seat, FeatureList& list) {
    const auto add = [&](std::uint32_t global, float weight) {
      if (weight != 0) list.push_back({kPlanes * kSquares + global, weight});
    };
    const int other = 1 - seat;
    const auto tokens = static_cast<float>(rules.tokens);
    add(kOnTurn, state.turn == seat ? 1.0f : 0.0f);
    add(kOwnSideways + std::uint32_t{state.sideways[Idx(seat)]}, 1);
    add(kOtherSideways + std::uint32_t{state.sideways[Idx(other)]}, 1);
    const int own = Counts::Total(state.tokens.collected[Idx(seat)]);
    const int others = Counts::Total(state.tokens.collected[Idx(other)]);
    add(kDifference + static_cast<std::uint32_t>(std::clamp(own - others, -8, 8) + 8), 1);
    add(kOwnCollected, static_cast<float>(own) / tokens);
    add(kOtherCollected, static_cast<float>(others) / tokens);
    std::array<std::int64_t, 2> scores{};
    G::scores(rules, state, scores);
    add(kScoreLead,
        static_cast<float>(scores[Idx(seat)] - scores[Idx(other)]) / MarginScale(rules));
    const int own_active = ActiveTokens(state, seat);
    add(kOwnActive, static_cast<float>(own_active) / tokens);
    add(kOtherActive, static_cast<float>(ActiveTokens(state, other)) / tokens);
    add(kPlies, static_cast<float>(state.plies) / static_cast<float>(rules.cap));
    if (state.phase == DuelPhase::kPlace) {
      add(kPlacing, 1);
      add(kUnplaced, static_cast<float>(rules.tokens - own_active) / tokens);
    }
    add(kColor, rules.color ? 1.0f : 0.0f);
    add(kTokens, tokens / 8);
    add(kWidth, static_cast<float>(rules.width) / 4);
  }

 private:
  template <class Index>
  static constexpr std::size_t Idx(Index index) {
    return static_cast<std::size_t>(index);
  }

  static int ActiveTokens(const State& state, int seat) {
    int active = 0;
    ForEachMember(state.tokens.present[Idx(seat)],
                  [&](int square) { active += state.tokens.ActiveCount(seat, square); });
    return active;
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
