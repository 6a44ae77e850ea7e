#include "engine/berd/duel.h"

#include <array>
#include <bit>
#include <cassert>

#include "engine/berd/result.h"

namespace berd {

using duel_action::kOff;

template <bool kValued>
typename Duel<kValued>::State Duel<kValued>::initial(const Rules& rules) {
  assert(Fits(rules));
  (void)rules;
  State state;
  if constexpr (kValued) {
    for (auto& places : state.tokens.place) places.fill(kNowhere);
  }
  return state;
}

template <bool kValued>
int Duel<kValued>::Unplaced(const Rules& rules, const State& state, int seat) {
  int placed = 0;
  ForEachMember(state.tokens.present[Idx(seat)],
                [&](int square) { placed += state.tokens.ActiveCount(seat, square); });
  return rules.tokens - placed;
}

template <bool kValued>
void Duel<kValued>::legal(const Rules& rules, const State& state, ActionList<Action>& actions) {
  using namespace duel_action;
  actions.clear();
  const auto numbers = [&](int most) {
    for (int number = 0; number <= most; ++number) actions.push_back(static_cast<Action>(number));
  };
  switch (state.phase) {
    case DuelPhase::kPlace:
      return numbers(kValued ? rules.width - 1 : Unplaced(rules, state, state.turn));
    case DuelPhase::kCarry:
      return numbers(kValued ? 1 : Counts::Count(state.tokens.captive[state.from], 1 - state.turn));
    case DuelPhase::kEnd:
      return;
    case DuelPhase::kMove:
      break;
  }
  const int seat = state.turn;
  const Sources sources = SourcesOf(rules, state, seat);
  ForEachMember(sources.forward | sources.off | sources.left | sources.right, [&](int from) {
    const auto push = [&](SquareSet set, int to) {
      if (!Has(set, from)) return;
      if constexpr (kValued) {
        ForEachMember(state.tokens.Ranks(seat, ActiveAt(from)),
                      [&](int rank) { actions.push_back(Move(from, to, rank)); });
      } else {
        actions.push_back(Move(from, to, 0));
      }
    };
    // Ascending destinations.
    if (seat == 1) push(sources.forward, from - rules.width);
    push(sources.left, from - 1);
    push(sources.right, from + 1);
    if (seat == 0) push(sources.forward, from + rules.width);
    push(sources.off, kOff);
  });
}

template <bool kValued>
typename Duel<kValued>::Action Duel<kValued>::sample_legal(const Rules& rules, const State& state,
                                                           RandomStream& random) {
  using namespace duel_action;
  if constexpr (!kValued) {
    if (state.phase == DuelPhase::kMove) {
      const Sources sources = SourcesOf(rules, state, state.turn);
      const std::array<SquareSet, 4> sets = {sources.forward, sources.left, sources.right,
                                             sources.off};
      std::array<int, 4> sizes{};
      int total = 0;
      for (std::size_t i = 0; i < 4; ++i) total += sizes[i] = std::popcount(sets[i]);
      int pick = static_cast<int>(random.Below(static_cast<std::uint32_t>(total)));
      std::size_t set = 0;
      while (pick >= sizes[set]) pick -= sizes[set++];
      const int from = NthMember(sets[set], pick);
      const int ahead = state.turn == 0 ? rules.width : -rules.width;
      const std::array<int, 4> to = {from + ahead, from - 1, from + 1, kOff};
      return Move(from, to[set], 0);
    }
  }
  thread_local ActionList<Action> actions;
  legal(rules, state, actions);
  return actions[random.Below(static_cast<std::uint32_t>(actions.size()))];
}

template <bool kValued>
void Duel<kValued>::apply(const Rules& rules, State& state, Action action) {
  switch (state.phase) {
    case DuelPhase::kPlace:
      return ApplyPlace(rules, state, action);
    case DuelPhase::kMove:
      return ApplyMove(rules, state, action);
    case DuelPhase::kCarry:
      return ApplyCarry(rules, state, action);
    case DuelPhase::kEnd:
      assert(false && "no action at the end");
      return;
  }
}

template <bool kValued>
void Duel<kValued>::ApplyPlace(const Rules& rules, State& state, Action action) {
  const int seat = state.turn;
  int decisions = rules.tokens;
  if constexpr (kValued) {
    state.tokens.Enter(seat, state.placed, BaseSquare(rules, seat, static_cast<int>(action)));
  } else {
    decisions = rules.width - 1;
    const auto enter = [&](int column, int number) {
      for (int i = 0; i < number; ++i) state.tokens.Enter(seat, 0, BaseSquare(rules, seat, column));
    };
    enter(state.placed, static_cast<int>(action));
    // The last column takes the rest.
    if (state.placed + 1 == decisions) enter(decisions, Unplaced(rules, state, seat));
  }
  if (++state.placed < decisions) return;
  state.placed = 0;
  if (seat == 0) {
    state.turn = 1;
  } else {
    state.turn = 0;
    StartMoving(rules, state);
  }
}

template <bool kValued>
void Duel<kValued>::ApplyMove(const Rules& rules, State& state, Action action) {
  state.from = static_cast<std::uint8_t>(duel_action::From(action));
  state.to = static_cast<std::uint8_t>(duel_action::To(action));
  state.rank = static_cast<std::uint8_t>(duel_action::Rank(action));
  const Word captives = state.tokens.captive[state.from];
  const bool stay = state.tokens.ActiveCount(state.turn, state.from) > 1;
  if (captives == 0 || !stay) {
    return MoveUnit(rules, state, state.tokens.GroupAt(captives, CaptiveAt(state.from)));
  }
  state.phase = DuelPhase::kCarry;
  if constexpr (kValued) {
    state.carry_rank = static_cast<std::uint8_t>(
        std::countr_zero(state.tokens.Ranks(1 - state.turn, CaptiveAt(state.from))));
  }
}

template <bool kValued>
void Duel<kValued>::ApplyCarry(const Rules& rules, State& state, Action action) {
  const int color = 1 - state.turn;
  Group taken;
  if constexpr (kValued) {
    state.carry_ranks = static_cast<std::uint16_t>(state.carry_ranks | action << state.carry_rank);
    const auto later = static_cast<std::uint16_t>(state.tokens.Ranks(color, CaptiveAt(state.from)) &
                                                  ~((2u << state.carry_rank) - 1));
    if (later != 0) {
      state.carry_rank = static_cast<std::uint8_t>(std::countr_zero(later));
      return;
    }
    taken.ranks[Idx(color)] = state.carry_ranks;
    taken.counts = static_cast<Word>(std::popcount(state.carry_ranks) * Counts::One(color));
  } else {
    taken.counts = static_cast<Word>(static_cast<int>(action) * Counts::One(color));
  }
  MoveUnit(rules, state, taken);
}

template <bool kValued>
void Duel<kValued>::ClearMove(State& state) {
  state.from = state.to = state.rank = state.carry_rank = 0;
  state.carry_ranks = {};
}

// Carries out the move in hand with these captives; then what follows a move (§8).
template <bool kValued>
void Duel<kValued>::MoveUnit(const Rules& rules, State& state, const Group& taken) {
  Tokens& tokens = state.tokens;
  const int seat = state.turn;
  const int from = state.from;
  const int to = state.to;
  const int rank = state.rank;
  ClearMove(state);
  tokens.RemoveActive(seat, from);
  tokens.captive[Idx(from)] = static_cast<Word>(tokens.captive[Idx(from)] - taken.counts);
  if (to == kOff) {
    tokens.Collect(seat, rank, ActiveAt(from), taken, CaptiveAt(from));
    state.history.Restart();
  } else {
    tokens.LandOnPath(seat, rank, ActiveAt(from), taken, CaptiveAt(from), 1u << seat, to);
  }
  const bool sideways = duel_action::IsSideways(from, to);
  auto& counter = state.sideways[Idx(seat)];
  counter = static_cast<std::uint8_t>(sideways ? counter + 1 : 0);
  ++state.plies;
  PassTurn(rules, state);
}

template <bool kValued>
void Duel<kValued>::PassTurn(const Rules& rules, State& state) {
  if (state.tokens.present[0] == 0 || state.tokens.present[1] == 0) return End(state);
  state.turn = static_cast<std::uint8_t>(1 - state.turn);
  if (state.plies >= rules.cap) return End(state);
  StartMoving(rules, state);
}

// The turn player is to move: passes back, ends or counts the position.
template <bool kValued>
void Duel<kValued>::StartMoving(const Rules& rules, State& state) {
  if (!SourcesOf(rules, state, state.turn).any()) {
    state.turn = static_cast<std::uint8_t>(1 - state.turn);
    if (!SourcesOf(rules, state, state.turn).any()) return End(state);
  }
  state.phase = DuelPhase::kMove;
  if (state.history.Add(key(state)) >= 3) End(state);
}

template <bool kValued>
void Duel<kValued>::End(State& state) {
  state.phase = DuelPhase::kEnd;
  state.turn = 0;
}

template <bool kValued>
std::uint64_t Duel<kValued>::key(const State& state) {
  std::uint64_t head = static_cast<std::uint64_t>(state.phase) | std::uint64_t{state.turn} << 4 |
                       std::uint64_t{state.placed} << 8 | std::uint64_t{state.sideways[0]} << 16 |
                       std::uint64_t{state.sideways[1]} << 20 | std::uint64_t{state.from} << 24 |
                       std::uint64_t{state.to} << 32 | std::uint64_t{state.rank} << 40 |
                       std::uint64_t{state.carry_rank} << 44;
  if constexpr (kValued) head |= std::uint64_t{state.carry_ranks} << 48;
  return state.tokens.key + Mix64(head + 0x9e3779b97f4a7c15ULL);
}

template <bool kValued>
void Duel<kValued>::scores(const Rules& rules, const State& state, std::span<std::int64_t> scores) {
  (void)rules;
  for (int seat = 0; seat < 2; ++seat) {
    std::int64_t score = 0;
    if constexpr (kValued) {
      for (int color = 0; color < 2; ++color) {
        ForEachMember(state.tokens.Ranks(color, CollectedBy(seat)),
                      [&](int rank) { score += 10 * (rank + 1); });
      }
    } else {
      score = Counts::Total(state.tokens.collected[Idx(seat)]);
    }
    scores[Idx(seat)] = score;
  }
}

template <bool kValued>
void Duel<kValued>::win_shares(const Rules& rules, const State& state, std::span<WinShare> shares) {
  std::array<std::int64_t, 2> by_seat{};
  scores(rules, state, by_seat);
  SharesOfBestSides(
      by_seat, 2, [](int seat) { return seat; }, shares);
}

template <bool kValued>
double Duel<kValued>::novice_score(const Rules& rules, const State& state, Action action) {
  const int seat = state.turn;
  if (state.phase == DuelPhase::kCarry) {
    const bool leave = state.tokens.ActiveCount(seat, state.from) - 1 >= 2;
    return leave ? -static_cast<double>(action) : static_cast<double>(action);
  }
  if (state.phase != DuelPhase::kMove) return 0;
  const int from = duel_action::From(action);
  const int to = duel_action::To(action);
  const int own_here = state.tokens.ActiveCount(seat, from);
  double score = 0;
  if (to == kOff) {
    score = 20;
  } else if (state.tokens.ActiveCount(seat, to) > 0) {
    score = 10;
  } else if (const int enemies = state.tokens.ActiveCount(1 - seat, to); enemies > 0) {
    score = 40 + 3 * (enemies + Counts::Total(state.tokens.captive[Idx(to)]));
  }
  if (own_here == 2) score -= 6;
  if (own_here == 1) score += 3;
  if (!duel_action::IsSideways(from, to)) score += 0.5;
  (void)rules;
  return score;
}

template struct Duel<false>;
template struct Duel<true>;

}  // namespace berd
