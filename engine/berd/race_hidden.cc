// What a seat knows in a game with hidden numbers, and states that agree with it (rules page §8).

#include <array>
#include <bit>

#include "engine/berd/hidden.h"
#include "engine/berd/race.h"

namespace berd {

namespace {

// Ranks of `color` that `seat` sees: active tokens of its colour, captives in stacks where it has
// an active token, its own collection.
template <class Layout>
std::uint16_t SeenRanks(const RaceRules& rules, const RaceState<Layout>& state, int seat,
                        int color) {
  const auto& tokens = state.tokens;
  std::uint16_t seen = 0;
  const auto& places = tokens.place[static_cast<std::size_t>(color)];
  for (int rank = 0; rank < rules.tokens; ++rank) {
    const Place place = places[static_cast<std::size_t>(rank)];
    bool sees = false;
    if (place < 64) {
      sees = color == seat;
    } else if (place < 128) {
      sees = tokens.IsPresent(seat, place - 64);
    } else if (place < 192) {
      sees = (place - 128) / 4 == seat;
    } else if (place != kNowhere) {
      sees = place == CollectedBy(seat) || state.phase == RacePhase::kEnd;
    }
    if (sees) seen = static_cast<std::uint16_t>(seen | 1 << rank);
  }
  return seen;
}

}  // namespace

template <class Layout>
typename Race<Layout>::Observation Race<Layout>::observe(const Rules& rules, const State& state,
                                                         Seat seat) {
  Observation observation{state, seat};
  if constexpr (kValued) {
    if (!rules.hidden()) return observation;
    State& shown = observation.state;
    for (int color = 0; color < rules.players; ++color) {
      const auto all = static_cast<std::uint16_t>((1u << rules.tokens) - 1);
      const auto unseen =
          static_cast<std::uint16_t>(all & ~SeenRanks(rules, state, seat.index(), color));
      observation.unseen[Idx(color)] = unseen;
      ArrangeUnseen(shown.tokens, color, unseen, nullptr);
    }
    if (seat.index() != state.turn) {
      // The others see neither which token moves nor what is carried or paid for.
      RacePending& pending = shown.pending;
      if (shown.phase == RacePhase::kCarry) {
        pending.carry_taken = 0;
        shown.carry_ranks.fill(0);
        pending.rank = static_cast<std::uint8_t>(
            std::countr_zero(shown.tokens.Ranks(state.turn, ActiveAt(pending.from))));
        SeekCarryClass(rules, shown, 0, 0);
      } else if (shown.phase == RacePhase::kPay) {
        pending.paid_value = static_cast<std::uint8_t>(
            10 * (std::countr_zero(shown.tokens.Ranks(state.turn, CollectedBy(state.turn))) + 1));
      }
    }
  }
  return observation;
}

template <class Layout>
typename Race<Layout>::State Race<Layout>::sample_hidden(const Rules& rules,
                                                         const Observation& observation,
                                                         RandomStream& random) {
  State state = observation.state;
  if constexpr (kValued) {
    if (!rules.hidden()) return state;
    for (int color = 0; color < rules.players; ++color) {
      ArrangeUnseen(state.tokens, color, observation.unseen[Idx(color)], &random);
    }
    if (observation.seat.index() != state.turn) {
      const auto pick = [&](Place place) {
        const std::uint16_t ranks = state.tokens.Ranks(state.turn, place);
        return NthMember(
            ranks,
            static_cast<int>(random.Below(static_cast<std::uint32_t>(std::popcount(ranks)))));
      };
      RacePending& pending = state.pending;
      if (state.phase == RacePhase::kCarry) {
        pending.rank = static_cast<std::uint8_t>(pick(ActiveAt(pending.from)));
        SeekCarryClass(rules, state, 0, 0);
      } else if (state.phase == RacePhase::kPay) {
        pending.paid_value = static_cast<std::uint8_t>(10 * (pick(CollectedBy(state.turn)) + 1));
      }
    }
  }
  return state;
}

#define BERD_RACE_HIDDEN(Layout)                                                                  \
  template Race<Layout>::Observation Race<Layout>::observe(const RaceRules&, const State&, Seat); \
  template RaceState<Layout> Race<Layout>::sample_hidden(const RaceRules&, const Observation&,    \
                                                         RandomStream&);
BERD_RACE_HIDDEN(Race2)
BERD_RACE_HIDDEN(Race4)
BERD_RACE_HIDDEN(Race16)
BERD_RACE_HIDDEN(Race4Valued)
BERD_RACE_HIDDEN(Race16Valued)
#undef BERD_RACE_HIDDEN

}  // namespace berd
