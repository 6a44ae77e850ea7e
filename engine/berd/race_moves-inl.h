#pragma once

// The turn of the race: dice, sub-moves, carries and payments (rules page §3-§6).

#include <bit>
#include <cassert>

#include "engine/berd/race.h"
#include "engine/core/dice.h"

namespace berd {

template <class Layout>
inline SquareSet Race<Layout>::Blocked(const Rules& rules, const State& state, int seat) {
  SquareSet blocked = 0;
  const auto add = [&](int other) {
    const auto o = Idx(other);
    blocked |= state.tokens.berd[o] | (state.tokens.present[o] & rules.own_color[o]);
  };
  if constexpr (kSeats == 2) {
    add(1 - seat);
  } else {
    ForEachMember(Opponents(rules, seat), add);
  }
  return blocked & rules.path_set;
}

template <class Layout>
inline typename Race<Layout>::Sources Race<Layout>::SourcesOf(const Rules& rules,
                                                              const State& state, int seat,
                                                              SquareSet blocked, int die) {
  const SquareSet own = state.tokens.present[Idx(seat)];
  const SquareSet stretch = rules.home_stretch[state.home[Idx(seat)]][Idx(die)];
  Sources sources;
  sources.finish = own & stretch;
  sources.go_on = own & ~rules.StepsBefore(blocked, die);
  if (rules.goal == 0) sources.go_on &= ~stretch;
  return sources;
}

template <class Layout>
inline typename Race<Layout>::Word Race<Layout>::CaptivesUnder(const Rules& rules,
                                                               const State& state, int seat,
                                                               int square) {
  if (Has(rules.corner_set, square)) {
    return state.tokens.corner_captive[Idx(seat)][Idx(square / (rules.between_corners + 1))];
  }
  return state.tokens.captive[Idx(square)];
}

template <class Layout>
inline Place Race<Layout>::CaptivePlace(const Rules& rules, int seat, int square) {
  return Has(rules.corner_set, square) ? CaptiveAtCorner(seat, square / (rules.between_corners + 1))
                                       : CaptiveAt(square);
}

template <class Layout>
inline bool Race<Layout>::OthersStay(const Rules& rules, const State& state, int seat, int square) {
  const Word there = state.tokens.active[Idx(square)];
  if (kSeats == 2 || Has(rules.corner_set, square)) return Counts::Count(there, seat) > 1;
  return there != Counts::One(seat);
}

template <class Layout>
inline bool Race<Layout>::AnySubMove(const Rules& rules, const State& state) {
  const SquareSet blocked = Blocked(rules, state, state.turn);
  return SourcesOf(rules, state, state.turn, blocked, state.dice.high).any() ||
         (state.dice.low != 0 &&
          SourcesOf(rules, state, state.turn, blocked, state.dice.low).any());
}

// One action per own token at `place`: per rank with values, else a single one.
template <class Layout>
inline void Race<Layout>::PushRanks(ActionList<Action>& actions, Action base,
                                    [[maybe_unused]] const State& state, [[maybe_unused]] int color,
                                    [[maybe_unused]] Place place) {
  if constexpr (kValued) {
    ForEachMember(state.tokens.Ranks(color, place),
                  [&](int rank) { actions.push_back(base | static_cast<Action>(rank)); });
  } else {
    actions.push_back(base);
  }
}

template <class Layout>
inline void Race<Layout>::ListMoves(const Rules& rules, const State& state,
                                    ActionList<Action>& actions) {
  using namespace race_action;
  const int seat = state.turn;
  const SquareSet blocked = Blocked(rules, state, seat);
  const Sources low =
      state.dice.low == 0 ? Sources{} : SourcesOf(rules, state, seat, blocked, state.dice.low);
  const Sources high = SourcesOf(rules, state, seat, blocked, state.dice.high);
  ForEachMember(low.go_on | low.finish | high.go_on | high.finish, [&](int from) {
    const auto push = [&](SquareSet sources, int die, bool finish) {
      if (Has(sources, from)) {
        PushRanks(actions, Move(from, die, finish, 0), state, seat, ActiveAt(from));
      }
    };
    push(low.go_on, state.dice.low, false);
    push(low.finish, state.dice.low, true);
    push(high.go_on, state.dice.high, false);
    push(high.finish, state.dice.high, true);
  });
}

template <class Layout>
inline void Race<Layout>::ListPayments(const Rules& rules, const State& state,
                                       ActionList<Action>& actions) {
  using namespace race_action;
  const int payer = state.actor;
  const auto push = [&](int where, int color, Place place) {
    PushRanks(actions, Token(where, color, 0), state, color, place);
  };
  ForEachMember(state.tokens.present[Idx(payer)], [&](int square) {
    const Word captives = CaptivesUnder(rules, state, payer, square);
    const bool may_give_own = captives == 0 || OthersStay(rules, state, payer, square);
    const Place captive_place = CaptivePlace(rules, payer, square);
    // Ascending colours: the own token stands between the captives.
    bool own_done = !may_give_own;
    Counts::ForEach(captives, [&](int color, int) {
      if (!own_done && color > payer) {
        push(square, payer, ActiveAt(square));
        own_done = true;
      }
      push(square, color, captive_place);
    });
    if (!own_done) push(square, payer, ActiveAt(square));
  });
  Counts::ForEach(state.tokens.collected[Idx(payer)],
                  [&](int color, int) { push(kCollection, color, CollectedBy(payer)); });
  if (rules.trade) {
    const std::uint32_t due = rules.price > 0 ? rules.price : state.pending.paid_value;
    if (state.cash[Idx(payer)] >= due) actions.push_back(kPayCash);
  }
}

template <class Layout>
inline void Race<Layout>::legal(const Rules& rules, const State& state,
                                ActionList<Action>& actions) {
  actions.clear();
  switch (state.phase) {
    case RacePhase::kMove:
      return ListMoves(rules, state, actions);
    case RacePhase::kCarry: {
      int available = 1;
      if constexpr (!kValued) {
        available = Counts::Count(CaptivesUnder(rules, state, state.turn, state.pending.from),
                                  state.pending.carry_color);
      }
      for (int number = 0; number <= available; ++number) {
        actions.push_back(static_cast<Action>(number));
      }
      return;
    }
    case RacePhase::kPay:
      return ListPayments(rules, state, actions);
    case RacePhase::kTrade:
      return ListOffers(rules, state, actions);
    case RacePhase::kPrice:
      return ListPrices(rules, state, actions);
    case RacePhase::kAnswer:
      actions.push_back(race_action::kDecline);
      actions.push_back(race_action::kAccept);
      return;
    case RacePhase::kCorner:
      for (int corner = 0; corner < kCorners; ++corner) {
        int homes = 0;
        for (int seat = 0; seat < rules.players; ++seat) homes += state.home[Idx(seat)] == corner;
        if (homes < 4) actions.push_back(static_cast<Action>(corner));
      }
      return;
    case RacePhase::kOrder:
    case RacePhase::kRoll:
    case RacePhase::kEnd:
      return;
  }
}

template <class Layout>
inline bool Race<Layout>::commute(const Rules& rules, const State& state, Action first,
                                  Action second) {
  using namespace race_action;
  if (state.phase != RacePhase::kMove || Finishes(first) || Finishes(second)) return false;
  const auto squares_of = [&](Action move, int& to) {
    to = From(move) + DieOf(move);
    if (to >= rules.squares) to -= rules.squares;
    return SetOf(From(move)) | SetOf(to);
  };
  int first_to = 0;
  int second_to = 0;
  const SquareSet first_squares = squares_of(first, first_to);
  const SquareSet second_squares = squares_of(second, second_to);
  if ((first_squares & second_squares) != 0) return false;
  const auto captures = [&](int to) {
    if (Has(rules.corner_set, to)) return false;
    const Word there = state.tokens.active[Idx(to)];
    return (there & static_cast<Word>(~Counts::Fields(OwnSide(rules, state.turn)))) != 0;
  };
  // A carry comes before the next sub-move, so such a move has no neighbour to change places with.
  const auto asks_for_carry = [&](int from) {
    return CaptivesUnder(rules, state, state.turn, from) != 0 &&
           OthersStay(rules, state, state.turn, from);
  };
  return !captures(first_to) && !captures(second_to) && !asks_for_carry(From(first)) &&
         !asks_for_carry(From(second));
}

template <class Layout>
inline typename Race<Layout>::Action Race<Layout>::sample_legal(const Rules& rules,
                                                                const State& state,
                                                                RandomStream& random) {
  if constexpr (!kValued) {
    if (state.phase == RacePhase::kMove) [[likely]] {
      const SquareSet blocked = Blocked(rules, state, state.turn);
      const Sources high = SourcesOf(rules, state, state.turn, blocked, state.dice.high);
      // Without a low die its face is 0: no square is a source for a step of nothing.
      Sources low;
      if (state.dice.low != 0) low = SourcesOf(rules, state, state.turn, blocked, state.dice.low);
      const std::array<SquareSet, 4> sets = {high.go_on, high.finish, low.go_on, low.finish};
      std::array<int, 4> sizes{};
      for (std::size_t i = 0; i < 4; ++i) sizes[i] = std::popcount(sets[i]);
      int pick = static_cast<int>(
          random.Below(static_cast<std::uint32_t>(sizes[0] + sizes[1] + sizes[2] + sizes[3])));
      std::size_t set = 0;
      while (pick >= sizes[set]) pick -= sizes[set++];
      return race_action::Move(NthMember(sets[set], pick),
                               set < 2 ? state.dice.high : state.dice.low, (set & 1) != 0, 0);
    }
    if (state.phase == RacePhase::kCarry) {
      const int available = Counts::Count(
          CaptivesUnder(rules, state, state.turn, state.pending.from), state.pending.carry_color);
      return random.Below(static_cast<std::uint32_t>(available) + 1);
    }
  }
  thread_local ActionList<Action> actions;
  legal(rules, state, actions);
  return actions[random.Below(static_cast<std::uint32_t>(actions.size()))];
}

template <class Layout>
inline typename Race<Layout>::Action Race<Layout>::sample_chance(const Rules& rules,
                                                                 const State& state,
                                                                 RandomStream& random) {
  if (state.phase == RacePhase::kRoll) return static_cast<Action>(SampleRoll(random));
  assert(state.phase == RacePhase::kOrder);
  const auto unranked = static_cast<std::uint32_t>(rules.players - state.ranked);
  auto pick = random.Below(unranked);
  for (int seat = 0;; ++seat) {
    bool taken = false;
    for (int rank = 0; rank < state.ranked; ++rank) taken |= state.order[Idx(rank)] == seat;
    if (!taken && pick-- == 0) return static_cast<Action>(seat);
  }
}

template <class Layout>
inline void Race<Layout>::apply(const Rules& rules, State& state, Action action) {
  switch (state.phase) {
    case RacePhase::kRoll:
      return ApplyRoll(rules, state, action);
    case RacePhase::kMove:
      return ApplyMove(rules, state, action);
    case RacePhase::kCarry:
      return ApplyCarry(rules, state, action);
    case RacePhase::kPay:
      return ApplyPay(rules, state, action);
    case RacePhase::kTrade:
      return ApplyOffer(rules, state, action);
    case RacePhase::kPrice:
      state.pending.price = action;
      state.phase = RacePhase::kAnswer;
      state.actor = state.pending.counterpart;
      return;
    case RacePhase::kAnswer:
      return ApplyAnswer(rules, state, action == race_action::kAccept);
    case RacePhase::kOrder:
      return ApplyOrder(rules, state, action);
    case RacePhase::kCorner:
      return ApplyCorner(rules, state, action);
    case RacePhase::kEnd:
      assert(false && "no action at the end");
      return;
  }
}

template <class Layout>
inline void Race<Layout>::ApplyRoll(const Rules& rules, State& state, Action action) {
  const Roll roll = kAllRolls[action];
  if (roll.is_double()) {
    state.dice = {roll.high, 0, 4, 0};
  } else {
    state.dice = {roll.high, roll.low, 1, 1};
  }
  if (AnySubMove(rules, state)) {
    state.phase = RacePhase::kMove;
  } else {
    EndTurn(rules, state);
  }
}

template <class Layout>
inline void Race<Layout>::ApplyMove(const Rules& rules, State& state, Action action) {
  RacePending& pending = state.pending;
  pending.from = static_cast<std::uint8_t>(race_action::From(action));
  pending.die = static_cast<std::uint8_t>(race_action::DieOf(action));
  pending.finish = race_action::Finishes(action) ? 1 : 0;
  pending.rank = static_cast<std::uint8_t>(race_action::Rank(action));
  state.dice.Use(pending.die);
  const Word captives = CaptivesUnder(rules, state, state.turn, pending.from);
  if (captives == 0) return MoveUnit(rules, state, Group{});
  if (!OthersStay(rules, state, state.turn, pending.from)) {
    return MoveUnit(rules, state,
                    state.tokens.GroupAt(captives, CaptivePlace(rules, state.turn, pending.from)));
  }
  state.phase = RacePhase::kCarry;
  SeekCarryClass(rules, state, 0, 0);
}

// Sets the class to be asked to the first at or after (color, rank); false if there is none.
template <class Layout>
inline bool Race<Layout>::SeekCarryClass(const Rules& rules, State& state, int color, int rank) {
  const Word captives = CaptivesUnder(rules, state, state.turn, state.pending.from);
  const Place place = CaptivePlace(rules, state.turn, state.pending.from);
  for (; color < rules.players; ++color, rank = 0) {
    if (Counts::Count(captives, color) == 0) continue;
    if constexpr (kValued) {
      const auto ranks =
          static_cast<std::uint16_t>(state.tokens.Ranks(color, place) >> rank << rank);
      if (ranks == 0) continue;
      rank = std::countr_zero(ranks);
    } else {
      if (rank > 0) continue;
    }
    state.pending.carry_color = static_cast<std::uint8_t>(color);
    state.pending.carry_rank = static_cast<std::uint8_t>(rank);
    return true;
  }
  (void)place;
  return false;
}

template <class Layout>
inline void Race<Layout>::ApplyCarry(const Rules& rules, State& state, Action action) {
  RacePending& pending = state.pending;
  const int color = pending.carry_color;
  const int rank = pending.carry_rank;
  pending.carry_taken += static_cast<std::uint64_t>(action) << (4 * color);
  if constexpr (kValued) {
    state.carry_ranks[Idx(color)] =
        static_cast<std::uint16_t>(state.carry_ranks[Idx(color)] | (action << rank));
  }
  if (SeekCarryClass(rules, state, color, rank + 1)) return;
  Group taken;
  taken.counts = static_cast<Word>(pending.carry_taken);
  if constexpr (kValued) {
    taken.ranks = state.carry_ranks;
    state.carry_ranks.fill(0);
  }
  MoveUnit(rules, state, taken);
}

// Carries out the sub-move in `pending` with these captives.
template <class Layout>
inline void Race<Layout>::MoveUnit(const Rules& rules, State& state, const Group& taken) {
  Tokens& tokens = state.tokens;
  const RacePending move = state.pending;
  const int seat = state.turn;
  const Place from_captives = CaptivePlace(rules, seat, move.from);
  tokens.RemoveActive(seat, move.from);
  if (Has(rules.corner_set, move.from)) {
    Word& word = tokens.corner_captive[Idx(seat)][Idx(move.from / (rules.between_corners + 1))];
    word = static_cast<Word>(word - taken.counts);
  } else {
    Word& word = tokens.captive[Idx(move.from)];
    word = static_cast<Word>(word - taken.counts);
  }
  state.pending = {};
  if (move.finish != 0) {
    tokens.Collect(seat, move.rank, ActiveAt(move.from), taken, from_captives);
    if (rules.goal == 0) {
      std::uint32_t payers = 0;
      ForEachMember(Opponents(rules, seat), [&](int other) {
        if (IsActive(state, other)) payers |= 1u << other;
      });
      state.pending.payers = static_cast<std::uint16_t>(payers);
      if constexpr (kValued) {
        state.pending.paid_value = static_cast<std::uint8_t>(10 * (move.rank + 1));
      }
    }
    return NextPayer(rules, state);
  }
  int to = move.from + move.die;
  if (to >= rules.squares) to -= rules.squares;
  if (Has(rules.corner_set, to)) {
    const int corner = to / (rules.between_corners + 1);
    tokens.Rebook(seat, move.rank, ActiveAt(move.from), ActiveAt(to));
    tokens.Rebook(taken, from_captives, CaptiveAtCorner(seat, corner));
    Word& word = tokens.corner_captive[Idx(seat)][Idx(corner)];
    word = static_cast<Word>(word + taken.counts);
    tokens.AddActive(seat, to, 1);
  } else {
    tokens.LandOnPath(seat, move.rank, ActiveAt(move.from), taken, from_captives,
                      OwnSide(rules, seat), to);
  }
  ContinueTurn(rules, state);
}

// Asks the next payer clockwise from the mover, or goes on when all have paid.
template <class Layout>
inline void Race<Layout>::NextPayer(const Rules& rules, State& state) {
  const std::uint32_t payers = state.pending.payers;
  if (payers == 0) {
    state.pending = {};
    return ContinueTurn(rules, state);
  }
  const std::uint32_t after = payers >> state.turn >> 1 << state.turn << 1;
  state.actor = static_cast<std::uint8_t>(std::countr_zero(after != 0 ? after : payers));
  state.phase = RacePhase::kPay;
}

template <class Layout>
inline void Race<Layout>::ApplyPay(const Rules& rules, State& state, Action action) {
  using namespace race_action;
  Tokens& tokens = state.tokens;
  const int payer = state.actor;
  const int finisher = state.turn;
  if (action == kPayCash) {
    const std::uint32_t due = rules.price > 0 ? rules.price : state.pending.paid_value;
    SetCash(state, payer, state.cash[Idx(payer)] - due);
    SetCash(state, finisher, state.cash[Idx(finisher)] + due);
  } else {
    const int where = Where(action);
    const int color = Color(action);
    const Word one = Counts::One(color);
    Place place;
    if (where == kCollection) {
      place = CollectedBy(payer);
      Word& word = tokens.collected[Idx(payer)];
      word = static_cast<Word>(word - one);
    } else if (color == payer) {
      place = ActiveAt(where);
      tokens.RemoveActive(payer, where);
    } else if (Has(rules.corner_set, where)) {
      place = CaptivePlace(rules, payer, where);
      Word& word = tokens.corner_captive[Idx(payer)][Idx(where / (rules.between_corners + 1))];
      word = static_cast<Word>(word - one);
    } else {
      place = CaptiveAt(where);
      Word& word = tokens.captive[Idx(where)];
      word = static_cast<Word>(word - one);
    }
    tokens.Rebook(color, Rank(action), place, CollectedBy(finisher));
    Word& word = tokens.collected[Idx(finisher)];
    word = static_cast<Word>(word + one);
  }
  state.pending.payers = static_cast<std::uint16_t>(state.pending.payers & ~(1u << payer));
  NextPayer(rules, state);
}

// After a sub-move and its payments: the end, the next die, or the end of the turn (§4, §6).
template <class Layout>
inline void Race<Layout>::ContinueTurn(const Rules& rules, State& state) {
  state.actor = state.turn;
  if (IsOver(rules, state)) return End(state);
  if (!state.dice.none() && AnySubMove(rules, state)) {
    state.phase = RacePhase::kMove;
    return;
  }
  EndTurn(rules, state);
}

template <class Layout>
inline bool Race<Layout>::IsOver(const Rules& rules, const State& state) {
  if constexpr (kSeats == 2) {
    if (!IsActive(state, 0) || !IsActive(state, 1)) return true;
  } else {
    std::uint32_t active = 0;
    for (int seat = 0; seat < rules.players; ++seat) active |= IsActive(state, seat) << seat;
    if (active == 0 ||
        (active & ~std::uint32_t{rules.side_of[Idx(std::countr_zero(active))]}) == 0) {
      return true;
    }
  }
  if constexpr (kValued) {
    if (rules.goal > 0) {
      int collected = 0;
      for (int color = 0; color < rules.players; ++color) {
        collected += state.tokens.place[Idx(color)][Idx(rules.goal / 10 - 1)] >= CollectedBy(0);
      }
      return collected == rules.players;
    }
  }
  return false;
}

template <class Layout>
inline void Race<Layout>::EndTurn(const Rules& rules, State& state) {
  state.dice = {};
  ++state.turns;
  int seat = state.turn;
  do {
    seat = seat + 1 == rules.players ? 0 : seat + 1;
  } while (!IsActive(state, seat));
  BeginTurn(rules, state, seat);
}

template <class Layout>
inline void Race<Layout>::BeginTurn(const Rules& rules, State& state, int seat) {
  if (state.turns >= rules.cap) return End(state);
  state.turn = state.actor = static_cast<std::uint8_t>(seat);
  if (rules.trade) return OpenTradeOrRoll(rules, state, 0);
  state.phase = RacePhase::kRoll;
}

template <class Layout>
inline void Race<Layout>::End(State& state) {
  state.phase = RacePhase::kEnd;
  state.dice = {};
  state.pending = {};
  state.turn = state.actor = 0;
}

template <class Layout>
inline std::uint64_t Race<Layout>::key(const State& state) {
  const std::uint64_t head = static_cast<std::uint64_t>(state.phase) |
                             std::uint64_t{state.turn} << 8 | std::uint64_t{state.actor} << 16 |
                             std::uint64_t{state.ranked} << 24 |
                             std::uint64_t{state.dice.bits()} << 32;
  std::uint64_t key = state.tokens.key + Mix64(head + 0x9e3779b97f4a7c15ULL);
  switch (state.phase) {
    case RacePhase::kCarry: {
      const RacePending& p = state.pending;
      key += Mix64(p.carry_taken ^ 0x243f6a8885a308d3ULL);
      key += Mix64(std::uint64_t{p.from} | std::uint64_t{p.die} << 8 | std::uint64_t{p.rank} << 16 |
                   std::uint64_t{p.finish} << 24 | std::uint64_t{p.carry_color} << 32 |
                   std::uint64_t{p.carry_rank} << 40 | std::uint64_t{1} << 48);
      if constexpr (kValued) {
        for (std::size_t i = 0; i < state.carry_ranks.size(); ++i) {
          key += Mix64(std::uint64_t{state.carry_ranks[i]} | i << 16 | std::uint64_t{2} << 48);
        }
      }
      break;
    }
    case RacePhase::kPay:
      key += Mix64(std::uint64_t{state.pending.payers} |
                   std::uint64_t{state.pending.paid_value} << 16 | std::uint64_t{3} << 48);
      break;
    case RacePhase::kTrade:
    case RacePhase::kPrice:
    case RacePhase::kAnswer: {
      const RacePending& p = state.pending;
      key += Mix64(std::uint64_t{p.offers} | std::uint64_t{p.offer_square} << 8 |
                   std::uint64_t{p.offer_color} << 16 | std::uint64_t{p.offer_rank} << 24 |
                   std::uint64_t{p.counterpart} << 32 | std::uint64_t{4} << 48);
      key += Mix64(std::uint64_t{p.price} ^ 0x13198a2e03707344ULL);
      break;
    }
    default:
      break;
  }
  return key;
}

}  // namespace berd
