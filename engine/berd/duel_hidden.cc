// What a player knows in a duel with hidden numbers, and states that agree with it (rules page §8).

#include <bit>

#include "engine/berd/duel.h"
#include "engine/berd/hidden.h"

namespace berd {

namespace {

constexpr std::size_t Idx(int index) { return static_cast<std::size_t>(index); }

// Ranks of `color` that `seat` does not see (§8).
std::uint16_t UnseenRanks(const DuelRules& rules, const DuelState<true>& state, int seat,
                          int color) {
  const PlacesByRank& places = state.tokens.place[Idx(color)];
  std::uint16_t unseen = 0;
  for (int rank = 0; rank < rules.tokens; ++rank) {
    const Place place = places[Idx(rank)];
    bool sees = true;
    if (place < 64) {
      sees = color == seat;
    } else if (place < 128) {
      sees = state.tokens.IsPresent(seat, place - 64);
    } else if (place != kNowhere) {
      sees = place == CollectedBy(seat) || state.phase == DuelPhase::kEnd;
    }
    if (!sees) unseen = static_cast<std::uint16_t>(unseen | 1 << rank);
  }
  return unseen;
}

// Moves a token of the turn player, who is placing, to another column of the base line.
void PutOnColumn(const DuelRules& rules, DuelState<true>& state, int rank, int column) {
  const Place from = state.tokens.place[Idx(state.turn)][Idx(rank)];
  const int to = Duel<true>::BaseSquare(rules, state.turn, column);
  state.tokens.RemoveActive(state.turn, from);
  state.tokens.Rebook(state.turn, rank, from, ActiveAt(to));
  state.tokens.AddActive(state.turn, to, 1);
}

}  // namespace

// As if the game had been set up here: the position on turn counts once, nothing came before.
template <bool kValued>
void Duel<kValued>::ForgetHistory(State& state) {
  state.history.Clear();
  if (state.phase != DuelPhase::kMove && state.phase != DuelPhase::kCarry) return;
  State at_move = state;
  at_move.phase = DuelPhase::kMove;
  ClearMove(at_move);
  state.history.Add(key(at_move));
}

template <bool kValued>
typename Duel<kValued>::Observation Duel<kValued>::observe(const Rules& rules, const State& state,
                                                           Seat seat) {
  Observation observation{state, seat};
  if constexpr (kValued) {
    if (!rules.hidden()) return observation;
    State& shown = observation.state;
    for (int color = 0; color < 2; ++color) {
      const std::uint16_t unseen = UnseenRanks(rules, state, seat.index(), color);
      observation.unseen[Idx(color)] = unseen;
      ArrangeUnseen(shown.tokens, color, unseen, nullptr);
    }
    if (seat.index() != state.turn && shown.phase == DuelPhase::kPlace) {
      // Not even the columns are seen: all tokens placed so far stand on the first one.
      observation.columns_unseen = true;
      for (int rank = 0; rank < shown.placed; ++rank) PutOnColumn(rules, shown, rank, 0);
    } else if (seat.index() != state.turn && shown.phase == DuelPhase::kCarry) {
      shown.rank = static_cast<std::uint8_t>(
          std::countr_zero(shown.tokens.Ranks(shown.turn, ActiveAt(shown.from))));
      shown.carry_ranks = 0;
      shown.carry_rank = static_cast<std::uint8_t>(
          std::countr_zero(shown.tokens.Ranks(1 - shown.turn, CaptiveAt(shown.from))));
    }
    // Earlier positions are known only as fingerprints of values that this seat may not have seen.
    ForgetHistory(shown);
  }
  return observation;
}

template <bool kValued>
typename Duel<kValued>::State Duel<kValued>::sample_hidden(const Rules& rules,
                                                           const Observation& observation,
                                                           RandomStream& random) {
  State state = observation.state;
  if constexpr (kValued) {
    if (!rules.hidden()) return state;
    for (int color = 0; color < 2; ++color) {
      ArrangeUnseen(state.tokens, color, observation.unseen[Idx(color)], &random);
    }
    if (observation.columns_unseen) {
      for (int rank = 0; rank < state.placed; ++rank) {
        PutOnColumn(rules, state, rank,
                    static_cast<int>(random.Below(static_cast<std::uint32_t>(rules.width))));
      }
    } else if (state.phase == DuelPhase::kCarry && observation.seat.index() != state.turn) {
      const std::uint16_t ranks = state.tokens.Ranks(state.turn, ActiveAt(state.from));
      state.rank = static_cast<std::uint8_t>(NthMember(
          ranks, static_cast<int>(random.Below(static_cast<std::uint32_t>(std::popcount(ranks))))));
      state.carry_rank = static_cast<std::uint8_t>(
          std::countr_zero(state.tokens.Ranks(1 - state.turn, CaptiveAt(state.from))));
    }
    ForgetHistory(state);
  }
  return state;
}

#define BERD_DUEL_HIDDEN(kValued)                                                                \
  template void Duel<kValued>::ForgetHistory(DuelState<kValued>&);                               \
  template Duel<kValued>::Observation Duel<kValued>::observe(const DuelRules&, const State&,     \
                                                             Seat);                              \
  template DuelState<kValued> Duel<kValued>::sample_hidden(const DuelRules&, const Observation&, \
                                                           RandomStream&);
BERD_DUEL_HIDDEN(false)
BERD_DUEL_HIDDEN(true)
#undef BERD_DUEL_HIDDEN

}  // namespace berd
