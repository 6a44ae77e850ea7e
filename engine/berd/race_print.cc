// Prints positions, views and actions of the race (rules page §8, §9).

#include <string>
#include <vector>

#include "engine/berd/notation.h"
#include "engine/berd/race.h"
#include "engine/berd/token_text.h"
#include "engine/core/dice.h"

namespace berd {

namespace {

std::string DiceString(const DiceLeft& dice) {
  return std::string(dice.high_left, static_cast<char>('0' + dice.high)) +
         std::string(dice.low_left, static_cast<char>('0' + dice.low));
}

std::string OrNone(const std::string& text) { return text.empty() ? "-" : text; }

std::string SeatLetters(std::span<const std::uint8_t> seats) {
  std::string letters;
  for (const auto seat : seats) letters += Letter(Seat(seat));
  return OrNone(letters);
}

// A move without "m:".
std::string MoveString(int from, int die, int rank, bool finish, bool valued, bool masked) {
  std::string text = std::to_string(from) + "/" + std::to_string(die);
  if (valued) text += masked ? "@?" : "@" + std::to_string(10 * (rank + 1));
  return finish ? text + "!" : text;
}

// A token of a pay, price or offer action.
std::string TokenString(race_action::Action token, bool valued) {
  using namespace race_action;
  const std::string where = Where(token) == kCollection ? "col" : std::to_string(Where(token));
  return where + "/" + ClassString(Color(token), Rank(token), valued);
}

std::string OfferString(race_action::Action offer, bool valued) {
  using namespace race_action;
  return std::to_string(OfferSquare(offer)) + "/" +
         ClassString(OfferColor(offer), OfferRank(offer), valued) + ">" +
         Letter(Seat(OfferCounterpart(offer)));
}

std::string PriceString(race_action::Action price, bool valued) {
  return race_action::IsToken(price) ? TokenString(price & ~race_action::kPriceToken, valued)
                                     : std::to_string(price);
}

// Positions of one layout. `viewer` is a seat, or -1 for the full string.
template <class Layout>
struct RacePrinter {
  using G = Race<Layout>;
  using State = typename G::State;
  using Word = typename G::Word;
  using Counts = typename G::Counts;
  static constexpr bool kValued = G::kValued;

  template <class Index>
  static constexpr std::size_t Idx(Index index) {
    return static_cast<std::size_t>(index);
  }

  static TokenList ActiveTokens(const State& state, Word counts, int square, int viewer) {
    TokenList tokens = ListTokens(state.tokens, counts, ActiveAt(square), false);
    for (auto& part : tokens) part.masked = viewer >= 0 && part.color != viewer;
    return tokens;
  }

  static std::string Board(const RaceRules& rules, const State& state, int viewer) {
    std::vector<StackText> stacks;
    const auto add = [&](int square, Word active, int holder, bool possessed) {
      StackText stack;
      stack.square = square;
      stack.active = ActiveTokens(state, active, square, viewer);
      stack.captives =
          ListTokens(state.tokens, G::CaptivesUnder(rules, state, holder, square),
                     G::CaptivePlace(rules, holder, square), viewer >= 0 && !possessed);
      stacks.push_back(std::move(stack));
    };
    for (int square = 0; square < rules.squares; ++square) {
      const Word active = state.tokens.active[Idx(square)];
      if (active == 0) continue;
      if (Has(rules.corner_set, square)) {
        Counts::ForEach(active, [&](int seat, int) {
          add(square, active & Counts::Field(seat), seat, seat == viewer);
        });
      } else {
        add(square, active, 0, viewer >= 0 && Counts::Count(active, viewer) > 0);
      }
    }
    return BoardString(stacks, rules.valued(), [](int square) { return std::to_string(square); });
  }

  static std::string Phase(const RaceRules& rules, const State& state, bool masked) {
    const bool valued = rules.valued();
    const RacePending& p = state.pending;
    const auto all = std::span(state.order);
    switch (state.phase) {
      case RacePhase::kOrder:
        return "order:" + SeatLetters(all.first(state.ranked));
      case RacePhase::kCorner:
        return "corner:" + SeatLetters(all.first(Idx(rules.players)));
      case RacePhase::kRoll:
        return "roll";
      case RacePhase::kMove:
        return "move:" + DiceString(state.dice);
      case RacePhase::kCarry:
        return "carry:" + OrNone(DiceString(state.dice)) + ":" +
               MoveString(p.from, p.die, p.rank, p.finish != 0, valued, masked) + ":" +
               (masked ? "?" : CarryCounts(rules, state));
      case RacePhase::kPay: {
        std::vector<std::uint8_t> payers;
        for (int step = 1; step < rules.players; ++step) {
          const int seat = (state.turn + step) % rules.players;
          if (p.payers >> seat & 1) payers.push_back(static_cast<std::uint8_t>(seat));
        }
        return "pay:" + OrNone(DiceString(state.dice)) + ":" +
               (masked ? "?" : std::to_string(p.paid_value)) + ":" + SeatLetters(payers);
      }
      case RacePhase::kTrade:
        return "trade:" + std::to_string(p.offers);
      case RacePhase::kPrice:
      case RacePhase::kAnswer: {
        const std::string offer = std::to_string(p.offers) + ":" +
                                  OfferString(race_action::Offer(p.offer_square, p.offer_color,
                                                                 p.offer_rank, p.counterpart),
                                              valued);
        if (state.phase == RacePhase::kPrice) return "price:" + offer;
        return "answer:" + offer + ":" + PriceString(p.price, valued);
      }
      case RacePhase::kEnd:
        return "end";
    }
    return "";
  }

  static std::string CarryCounts(const RaceRules& rules, const State& state) {
    const RacePending& p = state.pending;
    const Word captives = G::CaptivesUnder(rules, state, state.turn, p.from);
    const Place place = G::CaptivePlace(rules, state.turn, p.from);
    std::string counts;
    const auto add = [&](std::uint64_t number) {
      counts += (counts.empty() ? "" : ",") + std::to_string(number);
    };
    Counts::ForEach(captives, [&](int color, int) {
      if (color > p.carry_color) return;
      if constexpr (kValued) {
        ForEachMember(state.tokens.Ranks(color, place), [&](int rank) {
          if (color < p.carry_color || rank < p.carry_rank) {
            add(state.carry_ranks[Idx(color)] >> rank & 1u);
          }
        });
      } else if (color < p.carry_color) {
        add(p.carry_taken >> (4 * color) & 15);
      }
    });
    (void)place;
    return OrNone(counts);
  }

  static std::string Print(const RaceRules& rules, const State& state, int viewer) {
    const bool valued = rules.valued();
    const bool order_phase = state.phase == RacePhase::kOrder || state.phase == RacePhase::kCorner;
    std::string homes;
    std::string collections;
    std::string cash;
    for (int seat = 0; seat < rules.players; ++seat) {
      const char* comma = seat > 0 ? "," : "";
      const auto home = state.home[Idx(seat)];
      homes += comma + (home == kNoHome ? "?" : std::to_string(home));
      const bool masked = viewer >= 0 && viewer != seat && state.phase != RacePhase::kEnd;
      collections += (seat > 0 ? ";" : "") +
                     GroupString(ListTokens(state.tokens, state.tokens.collected[Idx(seat)],
                                            CollectedBy(seat), masked),
                                 valued);
      cash += comma + std::to_string(state.cash[Idx(seat)]);
    }
    std::string turn(1, order_phase ? '?' : Letter(Seat(state.turn)));
    if (state.phase == RacePhase::kEnd) turn = "-";
    return "n=" + std::to_string(state.turns) + " home=" + homes +
           " board=" + Board(rules, state, viewer) + " col=" + collections +
           (rules.trade ? " cash=" + cash : "") + " turn=" + turn +
           " phase=" + Phase(rules, state, viewer >= 0 && viewer != state.turn);
  }
};

}  // namespace

template <class Layout>
std::string Race<Layout>::position(const Rules& rules, const State& state) {
  return RacePrinter<Layout>::Print(rules, state, -1);
}

template <class Layout>
std::string Race<Layout>::view(const Rules& rules, const State& state, Seat seat) {
  return RacePrinter<Layout>::Print(rules, state, rules.hidden() ? seat.index() : -1);
}

template <class Layout>
std::string Race<Layout>::action_name(const Rules& rules, const State& state, Action action) {
  using namespace race_action;
  const bool valued = rules.valued();
  switch (state.phase) {
    case RacePhase::kOrder:
      return std::string("order:") + Letter(Seat(static_cast<int>(action)));
    case RacePhase::kCorner:
      return "corner:" + std::to_string(action);
    case RacePhase::kRoll:
      return "roll:" + std::to_string(kAllRolls[action].high) +
             std::to_string(kAllRolls[action].low);
    case RacePhase::kMove:
      return "m:" +
             MoveString(From(action), DieOf(action), Rank(action), Finishes(action), valued, false);
    case RacePhase::kCarry:
      return "carry:" + std::to_string(action);
    case RacePhase::kPay:
      return action == kPayCash ? "pay:cash" : "pay:" + TokenString(action, valued);
    case RacePhase::kTrade:
      return action == kNoOffer ? "offer:none" : "offer:" + OfferString(action, valued);
    case RacePhase::kPrice:
      return "price:" + PriceString(action, valued);
    case RacePhase::kAnswer:
      return action == kAccept ? "accept" : "decline";
    case RacePhase::kEnd:
      return "";
  }
  return "";
}

#define BERD_RACE_PRINT(Layout)                                                  \
  template std::string Race<Layout>::position(const RaceRules&, const State&);   \
  template std::string Race<Layout>::view(const RaceRules&, const State&, Seat); \
  template std::string Race<Layout>::action_name(const RaceRules&, const State&, Action);
BERD_RACE_PRINT(Race2)
BERD_RACE_PRINT(Race4)
BERD_RACE_PRINT(Race16)
BERD_RACE_PRINT(Race4Valued)
BERD_RACE_PRINT(Race16Valued)
#undef BERD_RACE_PRINT

}  // namespace berd
