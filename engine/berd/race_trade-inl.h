#pragma once

// Trading (rules page §7).

#include <algorithm>

#include "engine/berd/race.h"

namespace berd {

template <class Layout>
inline void Race<Layout>::SetCash(State& state, int seat, std::uint32_t cash) {
  const std::uint64_t unit = KeyConstant(0x10000 + Idx(seat));
  state.tokens.key += unit * cash - unit * state.cash[Idx(seat)];
  state.cash[Idx(seat)] = cash;
}

// Every captive that can be redeemed in this turn: the turn player's own, from each player with an
// active token in that stack; and those of others in stacks where the turn player has one.
template <class Layout>
inline void Race<Layout>::ListOffers(const Rules& rules, const State& state,
                                     ActionList<Action>& actions) {
  using namespace race_action;
  const int self = state.turn;
  const auto push = [&](int square, int color, int counterpart, Place place) {
    if constexpr (kValued) {
      ForEachMember(state.tokens.Ranks(color, place),
                    [&](int rank) { actions.push_back(Offer(square, color, rank, counterpart)); });
    } else {
      actions.push_back(Offer(square, color, 0, counterpart));
    }
  };
  // All stacks of a holder with captives of interest, square by square.
  for (int holder = 0; holder < rules.players; ++holder) {
    ForEachMember(state.tokens.present[Idx(holder)], [&](int square) {
      const Word captives = CaptivesUnder(rules, state, holder, square);
      const Place place = CaptivePlace(rules, holder, square);
      if (holder == self) {
        Counts::ForEach(captives, [&](int color, int) { push(square, color, color, place); });
      } else if (Counts::Count(captives, self) > 0) {
        push(square, self, holder, place);
      }
    });
  }
  std::sort(actions.begin(), actions.end());
  if (!actions.empty()) actions.push_back(kNoOffer);
}

template <class Layout>
inline void Race<Layout>::OpenTradeOrRoll(const Rules& rules, State& state, int offers) {
  state.actor = state.turn;
  state.pending = {};
  state.phase = RacePhase::kRoll;
  if (offers >= kMaxOffers) return;
  thread_local ActionList<Action> actions;
  actions.clear();
  ListOffers(rules, state, actions);
  if (actions.empty()) return;
  state.phase = RacePhase::kTrade;
  state.pending.offers = static_cast<std::uint8_t>(offers);
}

template <class Layout>
inline void Race<Layout>::ApplyOffer(const Rules& rules, State& state, Action action) {
  using namespace race_action;
  (void)rules;
  if (action == kNoOffer) {
    state.pending = {};
    state.phase = RacePhase::kRoll;
    return;
  }
  RacePending& pending = state.pending;
  ++pending.offers;
  pending.offer_square = static_cast<std::uint8_t>(OfferSquare(action));
  pending.offer_color = static_cast<std::uint8_t>(OfferColor(action));
  pending.offer_rank = static_cast<std::uint8_t>(OfferRank(action));
  pending.counterpart = static_cast<std::uint8_t>(OfferCounterpart(action));
  state.phase = RacePhase::kPrice;
}

template <class Layout>
inline void Race<Layout>::ListPrices(const Rules& rules, const State& state,
                                     ActionList<Action>& actions) {
  using namespace race_action;
  const int redeemer = state.pending.offer_color;
  const int holder = redeemer == state.turn ? state.pending.counterpart : state.turn;
  for (std::uint32_t cash = 0; cash <= state.cash[Idx(redeemer)]; cash += rules.step) {
    actions.push_back(PriceCash(cash));
  }
  ForEachMember(state.tokens.present[Idx(redeemer)], [&](int square) {
    if (Counts::Count(CaptivesUnder(rules, state, redeemer, square), holder) > 0) {
      PushRanks(actions, PriceToken(square, holder, 0), state, holder,
                CaptivePlace(rules, redeemer, square));
    }
  });
  Counts::ForEach(state.tokens.collected[Idx(redeemer)], [&](int color, int) {
    PushRanks(actions, PriceToken(kCollection, color, 0), state, color, CollectedBy(redeemer));
  });
}

template <class Layout>
inline void Race<Layout>::ApplyAnswer(const Rules& rules, State& state, bool accepted) {
  const int offers = state.pending.offers;
  if (accepted) Redeem(rules, state);
  OpenTradeOrRoll(rules, state, offers);
}

// The accepted trade: the captive goes home, the price to the holder.
template <class Layout>
inline void Race<Layout>::Redeem(const Rules& rules, State& state) {
  using namespace race_action;
  Tokens& tokens = state.tokens;
  const RacePending& deal = state.pending;
  const int redeemer = deal.offer_color;
  const int holder = redeemer == state.turn ? deal.counterpart : state.turn;

  // Takes a captive out of the stack of `keeper` and starts it again from its home.
  const auto free_captive = [&](int keeper, int square, int color, int rank) {
    const Word one = Counts::One(color);
    Word& word = Has(rules.corner_set, square)
                     ? tokens.corner_captive[Idx(keeper)][Idx(square / (rules.between_corners + 1))]
                     : tokens.captive[Idx(square)];
    word = static_cast<Word>(word - one);
    const int home = rules.corner_square(state.home[Idx(color)]);
    tokens.Rebook(color, rank, CaptivePlace(rules, keeper, square), ActiveAt(home));
    tokens.AddActive(color, home, 1);
  };

  free_captive(holder, deal.offer_square, redeemer, deal.offer_rank);
  if (!IsToken(deal.price)) {
    SetCash(state, redeemer, state.cash[Idx(redeemer)] - deal.price);
    SetCash(state, holder, state.cash[Idx(holder)] + deal.price);
  } else if (Where(deal.price) == kCollection) {
    const int color = Color(deal.price);
    const Word one = Counts::One(color);
    Word& from = tokens.collected[Idx(redeemer)];
    Word& to = tokens.collected[Idx(holder)];
    from = static_cast<Word>(from - one);
    to = static_cast<Word>(to + one);
    tokens.Rebook(color, Rank(deal.price), CollectedBy(redeemer), CollectedBy(holder));
  } else {
    free_captive(redeemer, Where(deal.price), holder, Rank(deal.price));
  }
}

}  // namespace berd
