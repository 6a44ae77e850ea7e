#include "engine/berd/race.h"

#include <algorithm>
#include <array>
#include <cassert>

#include "engine/berd/result.h"
#include "engine/core/dice.h"

namespace berd {

template <class Layout>
typename Race<Layout>::State Race<Layout>::initial(const Rules& rules) {
  assert(Fits(rules));
  State state;
  state.home.fill(kNoHome);
  if constexpr (kValued) {
    for (auto& places : state.tokens.place) places.fill(kNowhere);
  }
  if (rules.trade) {
    for (int seat = 0; seat < rules.players; ++seat) SetCash(state, seat, rules.cash);
  }
  if (rules.rolled_setup) {
    state.phase = RacePhase::kOrder;
    return state;
  }
  for (int seat = 0; seat < rules.players; ++seat) {
    PlaceAtHome(rules, state, seat, rules.fixed_home[Idx(seat)]);
  }
  BeginTurn(rules, state, 0);
  return state;
}

template <class Layout>
void Race<Layout>::PlaceAtHome(const Rules& rules, State& state, int seat, int corner) {
  state.home[Idx(seat)] = static_cast<std::uint8_t>(corner);
  for (int rank = 0; rank < rules.tokens; ++rank) {
    state.tokens.Enter(seat, rank, rules.corner_square(corner));
  }
  if (rules.rolled_setup) {
    state.tokens.key += KeyConstant(0x20000 + Idx(4 * seat + corner));
  }
}

template <class Layout>
void Race<Layout>::ApplyOrder(const Rules& rules, State& state, Action action) {
  const auto rank_key = [](int rank, int seat) {
    return KeyConstant(0x30000 + Idx(16 * rank + seat));
  };
  const auto add = [&](int seat) {
    state.tokens.key += rank_key(state.ranked, seat);
    state.order[Idx(state.ranked++)] = static_cast<std::uint8_t>(seat);
  };
  add(static_cast<int>(action));
  if (state.ranked + 1 < rules.players) return;
  for (int seat = 0; seat < rules.players; ++seat) {
    const auto end = state.order.begin() + state.ranked;
    if (std::find(state.order.begin(), end, seat) == end) {
      add(seat);
      break;
    }
  }
  state.phase = RacePhase::kCorner;
  state.ranked = 0;
  state.actor = state.order[0];
}

template <class Layout>
void Race<Layout>::ApplyCorner(const Rules& rules, State& state, Action action) {
  PlaceAtHome(rules, state, state.actor, static_cast<int>(action));
  if (++state.ranked < rules.players) {
    state.actor = state.order[Idx(state.ranked)];
    return;
  }
  const int first = state.order[0];
  // The draw has no further meaning: forget it, so that equal positions are equal.
  for (int rank = 0; rank < rules.players; ++rank) {
    state.tokens.key -= KeyConstant(0x30000 + Idx(16 * rank + state.order[Idx(rank)]));
  }
  state.order.fill(0);
  state.ranked = 0;
  BeginTurn(rules, state, first);
}

template <class Layout>
bool Race<Layout>::chance(const Rules& rules, const State& state,
                          ActionList<Outcome<Action>>& outcomes) {
  outcomes.clear();
  if (state.phase == RacePhase::kRoll) {
    for (std::size_t i = 0; i < kAllRolls.size(); ++i) {
      outcomes.push_back({static_cast<Action>(i), kAllRolls[i].weight});
    }
    return true;
  }
  assert(state.phase == RacePhase::kOrder);
  for (int seat = 0; seat < rules.players; ++seat) {
    const auto end = state.order.begin() + state.ranked;
    if (std::find(state.order.begin(), end, seat) == end) {
      outcomes.push_back({static_cast<Action>(seat), 1});
    }
  }
  return true;
}

template <class Layout>
void Race<Layout>::scores(const Rules& rules, const State& state, std::span<std::int64_t> scores) {
  assert(static_cast<int>(scores.size()) == rules.players);
  for (int seat = 0; seat < rules.players; ++seat) {
    std::int64_t score = 0;
    if constexpr (kValued) {
      for (int color = 0; color < rules.players; ++color) {
        const std::uint16_t ranks = state.tokens.Ranks(color, CollectedBy(seat));
        if (rules.goal > 0) {
          score += ranks >> (rules.goal / 10 - 1) & 1;
        } else {
          ForEachMember(ranks, [&](int rank) { score += 10 * (rank + 1); });
        }
      }
    } else {
      score = Counts::Total(state.tokens.collected[Idx(seat)]);
      if (rules.trade) score *= rules.price;
    }
    if (rules.trade) score += state.cash[Idx(seat)];
    scores[Idx(seat)] = score;
  }
}

template <class Layout>
void Race<Layout>::win_shares(const Rules& rules, const State& state, std::span<WinShare> shares) {
  std::array<std::int64_t, kMaxSeats> by_seat{};
  const std::span<std::int64_t> used(by_seat.data(), Idx(rules.players));
  scores(rules, state, used);
  SharesOfBestSides(
      used, rules.sides(), [&](int seat) { return rules.side(seat); }, shares);
}

template struct Race<Race2>;
template struct Race<Race4>;
template struct Race<Race16>;
template struct Race<Race4Valued>;
template struct Race<Race16Valued>;

}  // namespace berd
