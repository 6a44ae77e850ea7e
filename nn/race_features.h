#pragma once

#include <algorithm>
#include <array>

#include "engine/berd/race.h"
#include "nn/differing_elements.h"
#include "nn/features.h"
#include "nn/race_facts.h"

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
  static constexpr std::uint32_t kSetPlanes = kSetPlaneCount;

  // Sums over the seat's stacks.
  enum Sum : std::uint32_t {
    kOnBoard,  // own tokens active, of N
    kOwnPips,  // mean distance to go of the own active tokens, of L, times their number / N
    kHeld,     // tokens of others held captive, of N
    kSumCount,
  };
  static constexpr std::uint32_t kSums = kSumCount;

  // Sums over members of sets.
  enum SetSum : std::uint32_t {
    kThreatCount,  // members of kThreatened, kThreatenedTwice, kTarget, of N
    kThreatTwiceCount,
    kTargetCount,
    kThreatPips,  // what the threatened stacks have gone, of L
    kSetSumCount,
  };
  static constexpr std::uint32_t kSetSums = kSetSumCount;

  enum Global : std::uint32_t {
    kTurnOffset = 0,  // 16 inputs: whose turn it is, counted clockwise from the seat
    kCollected = 16,  // tokens the seat has collected, of N
    kOut,             // own tokens in any collection, in that of others, of N
    kGone,
    kOtherSides,  // active sides besides the own, of P
    kLead,        // own side's score less the best other side's, scaled
    kScore,       // own score, scaled
    kBestOther,   // best score of another side, scaled
    kAllOnBoard,  // active and captive tokens of all, of P N
    kCash,
    kCashLead,  // own cash less the richest other's, scaled
    kNextPayer,
    kPayer,
    kPayersLeft,                 // of P
    kFinisher,                   // others are paying the seat
    kOwnDice,                    // 6 inputs: dice the seat has left, by face
    kOthersDice = kOwnDice + 6,  // dice another turn player has left, of 4
    kActive,                     // 4 inputs: exactly 0 .. 3 own active tokens
    kCounterpart = kActive + 4,  // trade: the seat has to answer, is the redeemer, is the holder
    kRedeemer,
    kHolder,
    kOffering,   // the redeemer has yet to name the price
    kPriceCash,  // the price asked, in cash (scaled), or a token
    kPriceToken,
    kCarrying,  // the seat, or another, is choosing which captives go along
    kOthersCarry,
    kCarried,      // chosen so far, of N
    kTurnsPlayed,  // of the cap
    kHasHome,
    kRankDrawn,      // place in the drawn order, of P
    kGoalCollected,  // goal tokens collected by the seat, by all, of P
    kGoalGone,
    kLeadTokens,  // 17 inputs: own side's collected tokens less the best other's, -8 .. 8
    kPlayers = kLeadTokens + 17,  // the rules
    kTokens,
    kSquares,
    kColor,
    kTeams,
    kTrade,
    kGoal,
    kHidden,
    kGlobalCount,
  };
  static constexpr std::uint32_t kGlobals = kGlobalCount;
  static constexpr int kActiveFlags =
      RaceFacts<Layout>::kFewMost;  // kActive says how many if not more

  static constexpr std::string_view kName = kValued ? "race-values/2" : "race/2";
  static constexpr std::uint32_t kFrame = 64;  // distances
  static constexpr std::uint32_t kFirstSet = kPlanes * kFrame;
  static constexpr std::uint32_t kFirstSum = kFirstSet + kSetPlanes * kFrame;
  static constexpr std::uint32_t kFirstSetSum = kFirstSum + kSums;
  static constexpr std::uint32_t kFirstGlobal = kFirstSetSum + kSetSums;
  static constexpr std::uint32_t kInputs = kFirstGlobal + kGlobals;

  static float MarginScale(const RaceRules& rules) { return RaceFacts<Layout>::MarginScale(rules); }

  static int Squares(const RaceRules& rules) { return rules.squares; }
  static int Members(const RaceRules& rules) { return rules.squares; }

  static SquareSet OccupiedSquares(const RaceRules& rules, const State& state) {
    SquareSet occupied = 0;
    for (int seat = 0; seat < rules.players; ++seat) occupied |= state.tokens.present[Idx(seat)];
    return occupied;
  }

  static SquareSet ChangedSquares(const RaceRules& rules, const State& a, const State& b) {
    SquareSet changed = DifferingElements(a.tokens.active, b.tokens.active) |
                        DifferingElements(a.tokens.captive, b.tokens.captive);
    if (a.tokens.corner_captive != b.tokens.corner_captive) [[unlikely]] {
      for (int corner = 0; corner < kCorners; ++corner) {
        for (int seat = 0; seat < rules.players; ++seat) {
          if (a.tokens.corner_captive[Idx(seat)][Idx(corner)] !=
              b.tokens.corner_captive[Idx(seat)][Idx(corner)]) {
            changed |= SetOf(rules.corner_square(corner));
          }
        }
      }
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

  static std::uint64_t SquareCode(const RaceRules& rules, const State& state, int square) {
    std::uint64_t code = state.tokens.active[Idx(square)];
    const auto add = [&](std::uint64_t part) {
      if constexpr (G::kSeats == 2) {
        code = code << 8 | part;  // exact
      } else {
        code = Mix64(code) + part;
      }
    };
    const auto add_ranks = [&]([[maybe_unused]] Place place) {
      if constexpr (kValued) {
        for (int color = 0; color < rules.players; ++color) add(state.tokens.Ranks(color, place));
      }
    };
    add_ranks(ActiveAt(square));
    if (Has(rules.corner_set, square)) {
      const int corner = square / (rules.between_corners + 1);
      for (int seat = 0; seat < rules.players; ++seat) {
        add(state.tokens.corner_captive[Idx(seat)][Idx(corner)]);
        if (state.tokens.corner_captive[Idx(seat)][Idx(corner)] != 0) {
          add_ranks(CaptiveAtCorner(seat, corner));
        }
      }
    } else {
      add(state.tokens.captive[Idx(square)]);
      if (state.tokens.captive[Idx(square)] != 0) add_ranks(CaptiveAt(square));
    }
    return code;
  }

  static void AddSquare(const RaceRules& rules, const State& state, int seat, int square,
                        FeatureList& list) {
    const Word active = state.tokens.active[Idx(square)];
    const std::uint8_t home = state.home[Idx(seat)];
    if (active == 0 || home == kNoHome) return;
    const auto distance = static_cast<std::uint32_t>(rules.Distance(square, home) - 1);
    const auto add = [&](std::uint32_t plane, float weight) {
      list.push_back({plane * kFrame + distance, weight});
    };
    if (Has(rules.corner_set, square)) {
      AddCorner(rules, state, seat, square, add);
    } else {
      AddPath(rules, state, seat, square, add);
    }
  }

  static void AddSums(const RaceRules& rules, const State& state, int seat, int square,
                      std::array<float, kSums>& sums) {
    const int count = state.tokens.ActiveCount(seat, square);
    if (count == 0) return;
    const auto tokens = static_cast<float>(rules.tokens);
    const int pips = count * rules.Distance(square, state.home[Idx(seat)]);
    sums[kOnBoard] += static_cast<float>(count) / tokens;
    sums[kOwnPips] += static_cast<float>(pips) / (tokens * static_cast<float>(rules.squares));
    sums[kHeld] +=
        static_cast<float>(Counts::Total(G::CaptivesUnder(rules, state, seat, square))) / tokens;
  }

  using Facts = RaceFacts<Layout>;
  static Facts Note(const RaceRules& rules, const State& state) {
    return Facts::Note(rules, state);
  }
  static Facts NoteNear(const RaceRules& rules, const State& near, const Facts& near_facts,
                        const State& state) {
    return Facts::NoteNear(rules, near, near_facts, state);
  }

  using SetArray = std::array<SquareSet, kSetPlanes>;

  static SetArray Sets(const RaceRules&, const Facts& facts, const State& state, int seat) {
    SetArray sets{};
    if (state.home[Idx(seat)] == kNoHome) return sets;
    const auto s = Idx(seat);
    const auto& own = facts.own[s];
    const auto& others = facts.others[s];
    sets[kThreatened] = own.open & others.once;
    sets[kThreatenedTwice] = own.open & others.twice;
    sets[kThreatenedFar] = own.open & others.far;
    sets[kTarget] = others.open & own.once;
    sets[kTargetTwice] = others.open & own.twice;
    return sets;
  }

  static std::uint8_t Frame(const State& state, int seat) { return state.home[Idx(seat)]; }
  // Requires: frame != kNoHome.
  static std::uint32_t FrameIndex(const RaceRules& rules, int frame, int, int square) {
    return static_cast<std::uint32_t>(rules.Distance(square, frame) - 1);
  }

  static void AddSetSums(const RaceRules& rules, std::uint32_t plane, std::uint32_t frame_index,
                         std::array<float, kSetSums>& sums) {
    const float one = 1 / static_cast<float>(rules.tokens);
    const auto squares = static_cast<float>(rules.squares);
    switch (plane) {
      case kThreatened:
        sums[kThreatCount] += one;
        sums[kThreatPips] += (squares - static_cast<float>(frame_index + 1)) / squares;
        break;
      case kThreatenedTwice:
        sums[kThreatTwiceCount] += one;
        break;
      case kTarget:
        sums[kTargetCount] += one;
        break;
      default:
        break;
    }
  }

  static bool SameGlobals(const RaceRules& rules, const State& a, const Facts& a_facts,
                          const State& b, const Facts& b_facts) {
    if (a.phase != b.phase || a.phase != RacePhase::kRoll || a.turn != b.turn ||
        a.turns != b.turns || a.home != b.home || a_facts.active_sides != b_facts.active_sides ||
        !Facts::SameCollections(rules, a, b)) {
      return false;
    }
    for (int seat = 0; seat < rules.players; ++seat) {
      if (a_facts.few[Idx(seat)] != b_facts.few[Idx(seat)]) return false;
    }
    return true;
  }

  template <std::size_t kSize>
  static void FillGlobals(const RaceRules& rules, const State& state, const Facts& facts, int seat,
                          std::array<float, kSize>& globals) {
    const auto set = [&](std::uint32_t global, float value) { globals[global] = value; };
    const auto flag = [&](std::uint32_t global, bool on) { set(global, on ? 1.0f : 0.0f); };
    const auto players = static_cast<float>(rules.players);
    const auto tokens = static_cast<float>(rules.tokens);
    int offset = state.turn - seat;
    if (offset < 0) offset += rules.players;
    set(kTurnOffset + static_cast<std::uint32_t>(offset), 1);

    const Word collected = state.tokens.collected[Idx(seat)];
    const int out = Counts::Count(facts.out, seat);
    set(kCollected, static_cast<float>(Counts::Total(collected)) / tokens);
    set(kOut, static_cast<float>(out) / tokens);
    set(kGone, static_cast<float>(out - Counts::Count(collected, seat)) / tokens);
    set(kOtherSides,
        static_cast<float>(std::popcount(facts.active_sides & ~(1u << rules.side(seat)))) /
            players);
    set(kLead, facts.lead[Idx(seat)]);
    set(kScore, facts.score[Idx(seat)]);
    set(kBestOther, facts.best_other[Idx(seat)]);
    set(kAllOnBoard, 1 - static_cast<float>(Counts::Total(facts.out)) / (players * tokens));
    flag(kLeadTokens + facts.lead_tokens[Idx(seat)], true);

    if (rules.trade) FillCash(rules, state, seat, set);
    FillPhase(rules, state, seat, set);
    const bool placed = state.home[Idx(seat)] != kNoHome;
    flag(kHasHome, placed);
    if (placed && facts.few[Idx(seat)] <= kActiveFlags) set(kActive + facts.few[Idx(seat)], 1);
    set(kTurnsPlayed, static_cast<float>(state.turns) / static_cast<float>(rules.cap));
    if constexpr (kValued) {
      if (rules.goal > 0) FillGoal(rules, state, seat, set);
    }

    set(kPlayers, players / 16);
    set(kTokens, tokens / 11);
    set(kSquares, static_cast<float>(rules.squares) / 64);
    flag(kColor, rules.color);
    flag(kTeams, rules.teams > 0);
    flag(kTrade, rules.trade);
    flag(kGoal, rules.goal > 0);
    flag(kHidden, rules.hidden());
  }

 private:
  template <class Index>
  static constexpr std::size_t Idx(Index index) {
    return static_cast<std::size_t>(index);
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

  template <class Set>
  static void FillCash(const RaceRules& rules, const State& state, int seat, Set&& set) {
    std::uint32_t richest = 0;
    for (int other = 0; other < rules.players; ++other) {
      if (other != seat) richest = std::max(richest, state.cash[Idx(other)]);
    }
    const float scale = MarginScale(rules);
    const auto cash = static_cast<float>(state.cash[Idx(seat)]);
    set(kCash, cash / scale);
    set(kCashLead, (cash - static_cast<float>(richest)) / scale);
  }

  // What the open steps of a turn add.
  template <class Set>
  static void FillPhase(const RaceRules& rules, const State& state, int seat, Set&& set) {
    const auto flag = [&](std::uint32_t global, bool on) { set(global, on ? 1.0f : 0.0f); };
    const RacePending& pending = state.pending;
    const DiceLeft& dice = state.dice;
    if (!dice.none()) {
      if (state.turn == seat) {
        if (dice.low != 0) set(kOwnDice + dice.low - 1u, dice.low_left);
        set(kOwnDice + dice.high - 1u, dice.high_left);
      } else {
        set(kOthersDice, static_cast<float>(dice.high_left + dice.low_left) / 4);
      }
    }
    switch (state.phase) {
      case RacePhase::kPay:
        flag(kNextPayer, state.actor == seat);
        flag(kPayer, (pending.payers >> seat & 1) != 0);
        set(kPayersLeft,
            static_cast<float>(std::popcount(pending.payers)) / static_cast<float>(rules.players));
        flag(kFinisher, state.turn == seat);
        break;
      case RacePhase::kCarry: {
        flag(state.turn == seat ? kCarrying : kOthersCarry, true);
        int carried = Counts::Total(static_cast<Word>(pending.carry_taken));
        if constexpr (kValued) {
          carried = 0;
          for (const auto ranks : state.carry_ranks) carried += std::popcount(ranks);
        }
        set(kCarried, static_cast<float>(carried) / static_cast<float>(rules.tokens));
        break;
      }
      case RacePhase::kPrice:
      case RacePhase::kAnswer: {
        const int redeemer = pending.offer_color;
        const int holder = redeemer == state.turn ? pending.counterpart : state.turn;
        flag(kCounterpart, pending.counterpart == seat);
        flag(kRedeemer, redeemer == seat);
        flag(kHolder, holder == seat);
        if (state.phase == RacePhase::kPrice) {
          set(kOffering, 1);
        } else if (race_action::IsToken(pending.price)) {
          set(kPriceToken, 1);
        } else {
          set(kPriceCash, static_cast<float>(pending.price) / MarginScale(rules));
        }
        break;
      }
      case RacePhase::kCorner:
        for (int rank = 0; rank < rules.players; ++rank) {
          if (state.order[Idx(rank)] == seat) {
            set(kRankDrawn, static_cast<float>(rank + 1) / static_cast<float>(rules.players));
          }
        }
        break;
      default:
        break;
    }
  }

  template <class Set>
  static void FillGoal(const RaceRules& rules, const State& state, int seat, Set&& set) {
    int own = 0;
    int all = 0;
    for (int color = 0; color < rules.players; ++color) {
      const Place place = state.tokens.place[Idx(color)][Idx(rules.goal / 10 - 1)];
      own += place == CollectedBy(seat);
      all += place >= CollectedBy(0) && place != kNowhere;
    }
    set(kGoalCollected, static_cast<float>(own) / static_cast<float>(rules.players));
    set(kGoalGone, static_cast<float>(all) / static_cast<float>(rules.players));
  }
};

}  // namespace berd
