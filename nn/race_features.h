#pragma once

#include <algorithm>
#include <array>

#include "engine/berd/race.h"
#include "nn/differing_elements.h"
#include "nn/features.h"

namespace berd {

// Features of the race, in the frame of one seat: a square is numbered by the seat's distance to go
// from there (1 .. L), so that every seat sees its own race. Inputs are planes of 64 distances,
// then numbers that belong to no square. Values are scaled so that a typical one is about 1.
template <class Layout>
struct Features<Race<Layout>> {
  using G = Race<Layout>;
  using State = typename G::State;
  using Counts = typename G::Counts;
  using Word = typename G::Word;
  static constexpr bool kValued = G::kValued;

  enum Plane : std::uint32_t {
    kOwn1,  // own tokens active: at least 1, 2, 3, and (number - 3) / 4 beyond
    kOwn2,
    kOwn3,
    kOwnMore,
    kHeld1,  // captives in the own stack: at least 1, 2, and (number - 2) / 4 beyond
    kHeld2,
    kHeldMore,
    kEnemyOpen,   // a stack of another side that can be captured
    kEnemyBlock,  // … that cannot
    kLost1,       // own tokens captive here: at least 1, and number - 1 beyond
    kLostMore,
    kEnemyHolds,  // tokens of other colours captive in a stack of another side, number / 4
    kMate,        // active tokens of a team-mate; and two or more of one
    kMateBerd,
    kEnemyOnCorner,  // active tokens of other sides on this corner, number / 4
    kOwnProtected,   // an own token on a square of the own colour
    kPlainPlanes,
    kOwnValue = kPlainPlanes,  // value of the own active tokens, of the captives held, of the own
    kHeldValue,                // tokens lost here, of other sides' active tokens (ValueOf)
    kLostValue,
    kEnemyValue,
    kAllPlanes,
  };
  static constexpr std::uint32_t kPlanes = kValued ? kAllPlanes : kPlainPlanes;

  // Planes of sets: who can hit whom with one die. An open stack is one that can be captured; it is
  // near a stack of another side 1 .. 6 squares behind it that would not finish instead.
  enum SetPlane : std::uint32_t {
    kThreatened,       // own open stacks near another side's stack
    kThreatenedTwice,  // … by two or more dice, or by two or more players
    kThreatenedFar,    // own open stacks 7 .. 12 squares ahead of another side's stack
    kTarget,           // other sides' open stacks near an own one
    kTargetTwice,
    kSetPlaneCount,
  };
  static constexpr std::size_t kSetPlanes = kSetPlaneCount;

  enum Global : std::uint32_t {
    kTurnOffset = 0,  // 16 inputs: whose turn it is, counted clockwise from the seat
    kCollected = 16,  // tokens the seat has collected, of N
    kOnBoard,         // own tokens active, captive, and collected by others, of N
    kCaptive,
    kGone,
    kHeld,        // tokens of others held captive, of N
    kOtherSides,  // active sides besides the own, of P
    kLead,        // own side's score less the best other side's, scaled
    kScore,       // own score, scaled
    kBestOther,   // best score of another side, scaled
    kOwnPips,     // mean distance to go of the own active tokens, of L, times their number / N
    kAllOnBoard,  // active and captive tokens of all, of P N
    kCash,
    kCashLead,  // own cash less the richest other's, scaled
    kNextPayer,
    kPayer,
    kPayersLeft,                 // of P
    kFinisher,                   // others are paying the seat
    kOwnDice,                    // 6 inputs: dice the seat has left, by face
    kOthersDice = kOwnDice + 6,  // dice another turn player has left, of 4
    kActive1,                    // own active tokens: none, 1, 2, 3
    kActive2 = kActive1 + 2,
    kActive3,
    kCounterpart = kActive3 + 1,  // trade: the seat has to answer, is the redeemer, is the holder
    kRedeemer,
    kHolder,
    kPriceCash,  // the price asked, in cash (scaled), or a token
    kPriceToken,
    kTurnsPlayed,  // of the cap
    kHasHome,
    kRankDrawn,      // place in the drawn order, of P
    kGoalCollected,  // goal tokens collected by the seat, by all, of P
    kGoalGone,
    kPlayers,  // the rules
    kTokens,
    kSquares,
    kColor,
    kTeams,
    kTrade,
    kGoal,
    kHidden,
    kThreatCount,  // members of kThreatened, kThreatenedTwice, kTarget, of N
    kThreatTwiceCount,
    kTargetCount,
    kThreatPips,  // what the threatened stacks have gone, of L
    kLeadTokens,  // 17 inputs: own side's collected tokens less the best other's, -8 .. 8
    kGlobals = kLeadTokens + 17,
  };

  static constexpr std::string_view kName = kValued ? "race-values/1" : "race/1";
  static constexpr std::uint32_t kDistances = 64;
  static constexpr std::uint32_t kFirstSet = kPlanes * kDistances;
  static constexpr std::uint32_t kFirstGlobal =
      kFirstSet + static_cast<std::uint32_t>(kSetPlanes) * kDistances;
  static constexpr std::uint32_t kInputs = kFirstGlobal + kGlobals;

  // Scores are divided by this to make margins: all that one player starts with.
  static float MarginScale(const RaceRules& rules) {
    auto scale = static_cast<float>(rules.tokens);
    if (rules.goal > 0) scale = 1;
    if (rules.valued() && rules.goal == 0) {
      scale = 5.0f * static_cast<float>(rules.tokens * (rules.tokens + 1));
    }
    if (rules.trade && !rules.valued()) scale *= static_cast<float>(rules.price);
    return rules.trade ? scale + static_cast<float>(rules.cash) : scale;
  }

  static SquareSet OccupiedSquares(const RaceRules& rules, const State& state) {
    SquareSet occupied = 0;
    for (int seat = 0; seat < rules.players; ++seat) occupied |= state.tokens.present[Idx(seat)];
    return occupied;
  }

  static SquareSet ChangedSquares(const RaceRules& rules, const State& a, const State& b) {
    // A seat that chooses its home sees all squares at new distances.
    if (rules.rolled_setup && a.home != b.home) {
      return OccupiedSquares(rules, a) | OccupiedSquares(rules, b);
    }
    SquareSet changed = DifferingElements(a.tokens.active, b.tokens.active) |
                        DifferingElements(a.tokens.captive, b.tokens.captive);
    for (int corner = 0; corner < kCorners; ++corner) {
      bool differs = false;
      for (int seat = 0; seat < rules.players; ++seat) {
        differs |= a.tokens.corner_captive[Idx(seat)][Idx(corner)] !=
                   b.tokens.corner_captive[Idx(seat)][Idx(corner)];
      }
      if (differs) changed |= SetOf(rules.corner_square(corner));
    }
    if constexpr (kValued) {
      for (int seat = 0; seat < rules.players; ++seat) {
        const auto& x = a.tokens.place[Idx(seat)];
        const auto& y = b.tokens.place[Idx(seat)];
        ForEachMember(DifferingElements(x, y), [&](int rank) {
          changed |= SquareOf(rules, x[Idx(rank)]) | SquareOf(rules, y[Idx(rank)]);
        });
      }
    }
    return changed;
  }

  static void AddSquare(const RaceRules& rules, const State& state, int seat, int square,
                        FeatureList& list) {
    const Word active = state.tokens.active[Idx(square)];
    const std::uint8_t home = state.home[Idx(seat)];
    if (active == 0 || home == kNoHome) return;
    const auto distance = static_cast<std::uint32_t>(rules.Distance(square, home) - 1);
    const auto add = [&](std::uint32_t plane, float weight) {
      list.push_back({plane * kDistances + distance, weight});
    };
    if (Has(rules.corner_set, square)) {
      AddCorner(rules, state, seat, square, add);
    } else {
      AddPath(rules, state, seat, square, add);
    }
  }

  using SetArray = std::array<SquareSet, kSetPlanes>;

  static SetArray Sets(const RaceRules& rules, const State& state, int seat) {
    SetArray sets{};
    if (state.home[Idx(seat)] == kNoHome) return sets;
    const std::uint32_t own_side = G::OwnSide(rules, seat);
    SquareSet own_open = state.tokens.present[Idx(seat)];
    ForEachMember(own_side, [&](int mate) { own_open &= ~Closed(rules, state, mate); });
    own_open &= rules.path_set;
    SquareSet targets = 0;
    SquareSet blocked = 0;
    ForEachMember(G::Opponents(rules, seat), [&](int other) {
      targets |= state.tokens.present[Idx(other)];
      blocked |= Closed(rules, state, other);
      AddHits(rules, state, other, own_open, sets[kThreatened], sets[kThreatenedTwice]);
      SquareSet far = 0;
      // On the smallest board more steps go round it.
      for (int steps = 7; steps <= 12 && steps < rules.squares; ++steps) {
        far |= rules.StepsAfter(state.tokens.present[Idx(other)], steps);
      }
      sets[kThreatenedFar] |= far & own_open;
    });
    targets &= ~blocked & rules.path_set;
    AddHits(rules, state, seat, targets, sets[kTarget], sets[kTargetTwice]);
    return sets;
  }

  static std::uint32_t SetFeature(const RaceRules& rules, const State& state, int seat,
                                  std::size_t plane, int square) {
    return kFirstSet + static_cast<std::uint32_t>(plane) * kDistances +
           static_cast<std::uint32_t>(rules.Distance(square, state.home[Idx(seat)]) - 1);
  }

  // Of one seat, over its stacks.
  struct Sums {
    int active = 0;  // own tokens
    int pips = 0;    // their distances to go
    int held = 0;    // captives under them
  };

  static void AddToSums(const RaceRules& rules, const State& state, int seat, int square, int sign,
                        Sums& sums) {
    const int count = state.tokens.ActiveCount(seat, square) * sign;
    if (count == 0) return;
    sums.active += count;
    sums.pips += count * rules.Distance(square, state.home[Idx(seat)]);
    sums.held += sign * Counts::Total(G::CaptivesUnder(rules, state, seat, square));
  }

  static void AddGlobal(const RaceRules& rules, const State& state, int seat, const Sums& sums,
                        const SetArray& sets, FeatureList& list) {
    const auto add = [&](std::uint32_t global, float weight) {
      if (weight != 0) list.push_back({kFirstGlobal + global, weight});
    };
    const auto flag = [&](std::uint32_t global, bool on) { add(global, on ? 1.0f : 0.0f); };
    const auto players = static_cast<float>(rules.players);
    const auto tokens = static_cast<float>(rules.tokens);
    int offset = state.turn - seat;
    if (offset < 0) offset += rules.players;
    add(kTurnOffset + static_cast<std::uint32_t>(offset), 1);

    const bool placed = state.home[Idx(seat)] != kNoHome;
    const int own_active = placed ? sums.active : rules.tokens;
    int own_collected = 0;  // tokens of the seat's colour in any collection
    for (int other = 0; other < rules.players; ++other) {
      own_collected += Counts::Count(state.tokens.collected[Idx(other)], seat);
    }
    const Word collected = state.tokens.collected[Idx(seat)];
    add(kCollected, static_cast<float>(Counts::Total(collected)) / tokens);
    add(kOnBoard, static_cast<float>(own_active) / tokens);
    add(kCaptive, static_cast<float>(rules.tokens - own_active - own_collected) / tokens);
    add(kGone, static_cast<float>(own_collected - Counts::Count(collected, seat)) / tokens);
    add(kHeld, static_cast<float>(sums.held) / tokens);
    AddScores(rules, state, seat, add);
    add(kOwnPips, static_cast<float>(sums.pips) / (tokens * static_cast<float>(rules.squares)));
    AddPhase(rules, state, seat, add);
    flag(kActive1, own_active == 0);
    flag(kActive1 + 1, own_active == 1);
    flag(kActive2, own_active == 2);
    flag(kActive3, own_active == 3);
    AddTrade(rules, state, seat, add);
    add(kTurnsPlayed, static_cast<float>(state.turns) / static_cast<float>(rules.cap));
    flag(kHasHome, placed);
    if (rules.rolled_setup && state.phase == RacePhase::kCorner) {
      for (int rank = 0; rank < rules.players; ++rank) {
        if (state.order[Idx(rank)] == seat) add(kRankDrawn, static_cast<float>(rank + 1) / players);
      }
    }
    if constexpr (kValued) {
      if (rules.goal > 0) AddGoal(rules, state, seat, add);
    }
    add(kPlayers, players / 16);
    add(kTokens, tokens / 11);
    add(kSquares, static_cast<float>(rules.squares) / 64);
    flag(kColor, rules.color);
    flag(kTeams, rules.teams > 0);
    flag(kTrade, rules.trade);
    flag(kGoal, rules.goal > 0);
    flag(kHidden, rules.hidden());
    add(kThreatCount, static_cast<float>(std::popcount(sets[kThreatened])) / tokens);
    add(kThreatTwiceCount, static_cast<float>(std::popcount(sets[kThreatenedTwice])) / tokens);
    add(kTargetCount, static_cast<float>(std::popcount(sets[kTarget])) / tokens);
    int gone = 0;
    ForEachMember(sets[kThreatened], [&](int square) {
      gone += rules.squares - rules.Distance(square, state.home[Idx(seat)]);
    });
    add(kThreatPips, static_cast<float>(gone) / static_cast<float>(rules.squares));
    flag(kLeadTokens + LeadInTokens(rules, state, seat), true);
  }

 private:
  template <class Index>
  static constexpr std::size_t Idx(Index index) {
    return static_cast<std::size_t>(index);
  }

  // Squares where an active token of the seat makes the stack safe from capture.
  static SquareSet Closed(const RaceRules& rules, const State& state, int seat) {
    return state.tokens.berd[Idx(seat)] |
           (state.tokens.present[Idx(seat)] & rules.own_color[Idx(seat)]);
  }

  // Adds the targets that `seat` reaches with one die, and those it reaches with a second one.
  static void AddHits(const RaceRules& rules, const State& state, int seat, SquareSet targets,
                      SquareSet& once, SquareSet& twice) {
    const auto& stretch = rules.home_stretch[state.home[Idx(seat)] & 3];
    for (int die = 1; die <= 6; ++die) {
      const SquareSet from = state.tokens.present[Idx(seat)] & ~stretch[Idx(die)];
      const SquareSet hit = rules.StepsAfter(from, die) & targets;
      twice |= once & hit;
      once |= hit;
    }
  }

  // Collected tokens of the own side less those of the best other side, -8 .. 8, as 0 .. 16.
  static std::uint32_t LeadInTokens(const RaceRules& rules, const State& state, int seat) {
    std::array<int, kMaxSeats> by_side{};
    for (int other = 0; other < rules.players; ++other) {
      by_side[Idx(rules.side(other))] += Counts::Total(state.tokens.collected[Idx(other)]);
    }
    int best = 0;
    for (int side = 0; side < rules.sides(); ++side) {
      if (side != rules.side(seat)) best = std::max(best, by_side[Idx(side)]);
    }
    return static_cast<std::uint32_t>(std::clamp(by_side[Idx(rules.side(seat))] - best, -8, 8) + 8);
  }

  static SquareSet SquareOf(const RaceRules& rules, Place place) {
    if (place < 128) return SetOf(place & 63);
    if (place < 192) return SetOf(rules.corner_square(place & 3));
    return 0;
  }

  // What a token counts for: its value in hundreds, or 1 for a token of the goal value.
  static float ValueOf(const RaceRules& rules, int rank) {
    if (rules.goal > 0) return 10 * (rank + 1) == rules.goal ? 1.0f : 0.0f;
    return 0.1f * static_cast<float>(rank + 1);
  }

  static float SumOfValues(const RaceRules& rules, const State& state, Word counts, Place place) {
    float sum = 0;
    if constexpr (kValued) {
      Counts::ForEach(counts, [&](int color, int) {
        ForEachMember(state.tokens.Ranks(color, place),
                      [&](int rank) { sum += ValueOf(rules, rank); });
      });
    }
    return sum;
  }

  template <class Add>
  static void AddOwnStack(int own, int held, Add&& add) {
    if (own >= 1) add(kOwn1, 1);
    if (own >= 2) add(kOwn2, 1);
    if (own >= 3) add(kOwn3, 1);
    if (own > 3) add(kOwnMore, static_cast<float>(own - 3) / 4);
    if (held >= 1) add(kHeld1, 1);
    if (held >= 2) add(kHeld2, 1);
    if (held > 2) add(kHeldMore, static_cast<float>(held - 2) / 4);
  }

  template <class Add>
  static void AddLost(int lost, Add&& add) {
    if (lost >= 1) add(kLost1, 1);
    if (lost > 1) add(kLostMore, static_cast<float>(lost - 1));
  }

  static bool AnyBerd(Word active) {
    bool berd = false;
    Counts::ForEach(active, [&](int, int count) { berd |= count >= 2; });
    return berd;
  }

  template <class Add>
  static void AddPath(const RaceRules& rules, const State& state, int seat, int square, Add&& add) {
    const Word active = state.tokens.active[Idx(square)];
    const Word captive = state.tokens.captive[Idx(square)];
    if ((active & Counts::Fields(G::OwnSide(rules, seat))) != 0) {
      const int own = Counts::Count(active, seat);
      AddOwnStack(own, Counts::Total(captive), add);
      const Word mates = active & static_cast<Word>(~Counts::Field(seat));
      if (mates != 0) add(kMate, 1);
      if (mates != 0 && AnyBerd(mates)) add(kMateBerd, 1);
      if (own > 0 && Has(rules.own_color[Idx(seat)], square)) add(kOwnProtected, 1);
      if constexpr (kValued) {
        add(kOwnValue, SumOfValues(rules, state, active & Counts::Field(seat), ActiveAt(square)));
        add(kHeldValue, SumOfValues(rules, state, captive, CaptiveAt(square)));
      }
      return;
    }
    bool blocked = AnyBerd(active);
    if (rules.color) {
      Counts::ForEach(active,
                      [&](int color, int) { blocked |= Has(rules.own_color[Idx(color)], square); });
    }
    add(blocked ? kEnemyBlock : kEnemyOpen, 1);
    const int lost = Counts::Count(captive, seat);
    AddLost(lost, add);
    const int others = Counts::Total(captive) - lost;
    if (others > 0) add(kEnemyHolds, static_cast<float>(others) / 4);
    if constexpr (kValued) {
      if (lost > 0) {
        add(kLostValue,
            SumOfValues(rules, state, captive & Counts::Field(seat), CaptiveAt(square)));
      }
      add(kEnemyValue, SumOfValues(rules, state, active, ActiveAt(square)));
    }
  }

  template <class Add>
  static void AddCorner(const RaceRules& rules, const State& state, int seat, int square,
                        Add&& add) {
    const int corner = square / (rules.between_corners + 1);
    const Word active = state.tokens.active[Idx(square)];
    const Word held = state.tokens.corner_captive[Idx(seat)][Idx(corner)];
    AddOwnStack(Counts::Count(active, seat), Counts::Total(held), add);
    int lost = 0;
    float lost_value = 0;
    const Word mates =
        active & Counts::Fields(G::OwnSide(rules, seat)) & static_cast<Word>(~Counts::Field(seat));
    const Word enemies = active & static_cast<Word>(~Counts::Fields(G::OwnSide(rules, seat)));
    Counts::ForEach(enemies, [&](int holder, int) {
      const Word captive = state.tokens.corner_captive[Idx(holder)][Idx(corner)];
      lost += Counts::Count(captive, seat);
      lost_value +=
          SumOfValues(rules, state, captive & Counts::Field(seat), CaptiveAtCorner(holder, corner));
    });
    AddLost(lost, add);
    if (mates != 0) add(kMate, 1);
    if (enemies != 0) add(kEnemyOnCorner, static_cast<float>(Counts::Total(enemies)) / 4);
    if constexpr (kValued) {
      add(kOwnValue, SumOfValues(rules, state, active & Counts::Field(seat), ActiveAt(square)));
      add(kHeldValue, SumOfValues(rules, state, held, CaptiveAtCorner(seat, corner)));
      if (lost > 0) add(kLostValue, lost_value);
    }
  }

  template <class Add>
  static void AddScores(const RaceRules& rules, const State& state, int seat, Add&& add) {
    std::array<std::int64_t, kMaxSeats> scores{};
    G::scores(rules, state, std::span(scores).first(Idx(rules.players)));
    std::array<std::int64_t, kMaxSeats> by_side{};
    std::uint32_t active_sides = 0;
    for (int other = 0; other < rules.players; ++other) {
      by_side[Idx(rules.side(other))] += scores[Idx(other)];
      if (G::IsActive(state, other)) active_sides |= 1u << rules.side(other);
    }
    const int own_side = rules.side(seat);
    std::int64_t best = 0;
    for (int side = 0; side < rules.sides(); ++side) {
      if (side != own_side) best = std::max(best, by_side[Idx(side)]);
    }
    const int others = std::popcount(active_sides & ~(1u << own_side));
    const float scale = MarginScale(rules);
    add(kOtherSides, static_cast<float>(others) / static_cast<float>(rules.players));
    add(kLead, static_cast<float>(by_side[Idx(own_side)] - best) / scale);
    add(kScore, static_cast<float>(scores[Idx(seat)]) / scale);
    add(kBestOther, static_cast<float>(best) / scale);
  }

  template <class Add>
  static void AddPhase(const RaceRules& rules, const State& state, int seat, Add&& add) {
    int on_board = 0;
    for (int other = 0; other < rules.players; ++other) {
      on_board += Counts::Total(state.tokens.collected[Idx(other)]);
    }
    on_board = rules.players * rules.tokens - on_board;
    add(kAllOnBoard,
        static_cast<float>(on_board) / static_cast<float>(rules.players * rules.tokens));
    if (rules.trade) {
      std::uint32_t richest = 0;
      for (int other = 0; other < rules.players; ++other) {
        if (other != seat) richest = std::max(richest, state.cash[Idx(other)]);
      }
      const float scale = MarginScale(rules);
      const auto cash = static_cast<float>(state.cash[Idx(seat)]);
      add(kCash, cash / scale);
      add(kCashLead, (cash - static_cast<float>(richest)) / scale);
    }
    if (state.phase == RacePhase::kPay) {
      const std::uint32_t payers = state.pending.payers;
      add(kNextPayer, state.actor == seat ? 1.0f : 0.0f);
      add(kPayer, (payers >> seat & 1) != 0 ? 1.0f : 0.0f);
      add(kPayersLeft,
          static_cast<float>(std::popcount(payers)) / static_cast<float>(rules.players));
      add(kFinisher, state.turn == seat ? 1.0f : 0.0f);
    }
    const DiceLeft& dice = state.dice;
    if (dice.none()) return;
    if (state.turn == seat) {
      if (dice.low != 0) add(kOwnDice + dice.low - 1u, dice.low_left);
      add(kOwnDice + dice.high - 1u, dice.high_left);
    } else {
      add(kOthersDice, static_cast<float>(dice.high_left + dice.low_left) / 4);
    }
  }

  template <class Add>
  static void AddTrade(const RaceRules& rules, const State& state, int seat, Add&& add) {
    if (state.phase != RacePhase::kAnswer) return;
    const RacePending& deal = state.pending;
    const int redeemer = deal.offer_color;
    const int holder = redeemer == state.turn ? deal.counterpart : state.turn;
    add(kCounterpart, state.actor == seat ? 1.0f : 0.0f);
    add(kRedeemer, redeemer == seat ? 1.0f : 0.0f);
    add(kHolder, holder == seat ? 1.0f : 0.0f);
    if (race_action::IsToken(deal.price)) {
      add(kPriceToken, 1);
    } else {
      add(kPriceCash, static_cast<float>(deal.price) / MarginScale(rules));
    }
  }

  template <class Add>
  static void AddGoal(const RaceRules& rules, const State& state, int seat, Add&& add) {
    int own = 0;
    int all = 0;
    for (int color = 0; color < rules.players; ++color) {
      const Place place = state.tokens.place[Idx(color)][Idx(rules.goal / 10 - 1)];
      own += place == CollectedBy(seat);
      all += place >= CollectedBy(0) && place != kNowhere;
    }
    add(kGoalCollected, static_cast<float>(own) / static_cast<float>(rules.players));
    add(kGoalGone, static_cast<float>(all) / static_cast<float>(rules.players));
  }
};

}  // namespace berd
