#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "engine/berd/race_action.h"
#include "engine/berd/race_state.h"
#include "engine/berd/rules.h"
#include "engine/core/game.h"

namespace berd {

template <class Layout>
struct RaceParser;

// The race (rules page §3-§7) as a Game; see engine/core/game.h for the meaning of the functions.
// Actions are built and read by engine/berd/race_action.h.
template <class Layout>
struct Race {
  using Rules = RaceRules;
  using State = RaceState<Layout>;
  using Action = std::uint32_t;
  using Tokens = typename State::Tokens;
  using Counts = typename Tokens::Counts;
  using Word = typename Tokens::Word;
  using Group = typename Tokens::Group;
  static constexpr bool kValued = Layout::kValued;
  static constexpr int kSeats = Layout::kSeats;

  static constexpr GameFacts kFacts = {
      .name = "race",
      .min_seats = 2,
      .max_seats = kSeats,
      .dice = true,
      .hidden_values = kValued,
      .rules_version = 1,
  };

  // What one seat knows: a state in which the tokens it does not see stand in a fixed arrangement
  // that tells nothing, and which tokens those are (ranks by colour).
  struct Observation {
    State state;
    Seat seat;
    std::array<std::uint16_t, static_cast<std::size_t>(kSeats)> unseen{};
  };

  // ---- The small-step game
  static State initial(const Rules& rules);
  static Waits waits(const State& state) {
    switch (state.phase) {
      case RacePhase::kOrder:
      case RacePhase::kRoll:
        return Waits::kChance;
      case RacePhase::kEnd:
        return Waits::kEnd;
      default:
        return Waits::kDecision;
    }
  }
  static Seat turn(const State& state) { return Seat(state.turn); }
  static Seat actor(const State& state) { return Seat(state.actor); }
  static std::uint32_t turns(const State& state) { return state.turns; }
  static void legal(const Rules& rules, const State& state, ActionList<Action>& actions);
  static Action sample_legal(const Rules& rules, const State& state, RandomStream& random);
  static bool chance(const Rules& rules, const State& state, ActionList<Outcome<Action>>& outcomes);
  static Action sample_chance(const Rules& rules, const State& state, RandomStream& random);
  static void apply(const Rules& rules, State& state, Action action);
  static std::uint64_t key(const State& state);

  // ---- Results
  static void win_shares(const Rules& rules, const State& state, std::span<WinShare> shares);
  static void scores(const Rules& rules, const State& state, std::span<std::int64_t> scores);
  static int side(const Rules& rules, Seat seat) { return rules.side(seat.index()); }

  // ---- Strings (rules page §9)
  static std::string position(const Rules& rules, const State& state);
  static Result<State> parse(const Rules& rules, std::string_view text);
  static std::string view(const Rules& rules, const State& state, Seat seat);
  static std::string action_name(const Rules& rules, const State& state, Action action);
  static Result<Action> parse_action(const Rules& rules, const State& state, std::string_view text);

  // ---- Hidden numbers (rules page §8)
  static Observation observe(const Rules& rules, const State& state, Seat seat);
  static State sample_hidden(const Rules& rules, const Observation& observation,
                             RandomStream& random);

  // ---- The reference novice (rules page §11)
  static double novice_score(const Rules& rules, const State& state, Action action);

  // ---- Parts of the rules that agents and features use too

  // Squares that `seat` may not land on: Berds and colour-protected stacks of other sides.
  static SquareSet Blocked(const Rules& rules, const State& state, int seat);
  // Squares from which a die can be played: to go on to another square, and to finish.
  struct Sources {
    SquareSet go_on = 0;
    SquareSet finish = 0;
    bool any() const { return (go_on | finish) != 0; }
  };
  static Sources SourcesOf(const Rules& rules, const State& state, int seat, SquareSet blocked,
                           int die);
  // Captives under the own token of `seat` on `square` (on a corner: in its own stack).
  static Word CaptivesUnder(const Rules& rules, const State& state, int seat, int square);
  static Place CaptivePlace(const Rules& rules, int seat, int square);
  // Whether other active tokens of the side would stay if `seat` took one token off `square`.
  static bool OthersStay(const Rules& rules, const State& state, int seat, int square);
  static bool IsActive(const State& state, int seat) {
    return state.tokens.present[static_cast<std::size_t>(seat)] != 0;
  }
  // Seats not on the side of `seat`.
  static std::uint32_t Opponents(const Rules& rules, int seat) {
    if constexpr (kSeats == 2) return 1u << (1 - seat);
    return ((1u << rules.players) - 1) & ~std::uint32_t{rules.side_of[Idx(seat)]};
  }
  static std::uint32_t OwnSide(const Rules& rules, int seat) {
    if constexpr (kSeats == 2) return 1u << seat;
    return rules.side_of[Idx(seat)];
  }
  // Sub-moves whose squares have nothing in common and that neither finish nor capture nor ask for
  // a carry: see KnowsCommutingActions. (A capture may end the game, and then there is only one
  // order.)
  static bool commute(const Rules& rules, const State& state, Action first, Action second);
  // Puts all tokens of a seat on its home corner.
  static void PlaceAtHome(const Rules& rules, State& state, int seat, int corner);
  // The game of `rules` fits this layout.
  static bool Fits(const Rules& rules) {
    return rules.players <= kSeats && kValued == rules.valued();
  }

 private:
  friend struct RaceParser<Layout>;

  template <class Index>
  static constexpr std::size_t Idx(Index index) {
    return static_cast<std::size_t>(index);
  }
  static bool AnySubMove(const Rules& rules, const State& state);
  static void ListMoves(const Rules& rules, const State& state, ActionList<Action>& actions);
  static void ListPayments(const Rules& rules, const State& state, ActionList<Action>& actions);
  static void ListOffers(const Rules& rules, const State& state, ActionList<Action>& actions);
  static void ListPrices(const Rules& rules, const State& state, ActionList<Action>& actions);
  static void PushRanks(ActionList<Action>& actions, Action base, const State& state, int color,
                        Place place);

  static void ApplyOrder(const Rules& rules, State& state, Action action);
  static void ApplyCorner(const Rules& rules, State& state, Action action);
  static void ApplyRoll(const Rules& rules, State& state, Action action);
  static void ApplyMove(const Rules& rules, State& state, Action action);
  static void ApplyCarry(const Rules& rules, State& state, Action action);
  static void ApplyPay(const Rules& rules, State& state, Action action);
  static void ApplyOffer(const Rules& rules, State& state, Action action);
  static void ApplyAnswer(const Rules& rules, State& state, bool accepted);
  static void Redeem(const Rules& rules, State& state);

  static void BeginTurn(const Rules& rules, State& state, int seat);
  static void EndTurn(const Rules& rules, State& state);
  static void OpenTradeOrRoll(const Rules& rules, State& state, int offers);
  static bool SeekCarryClass(const Rules& rules, State& state, int color, int rank);
  static void MoveUnit(const Rules& rules, State& state, const Group& taken);
  static void ContinueTurn(const Rules& rules, State& state);
  static void NextPayer(const Rules& rules, State& state);
  static bool IsOver(const Rules& rules, const State& state);
  static void End(State& state);
  static void SetCash(State& state, int seat, std::uint32_t cash);
};

}  // namespace berd

#include "engine/berd/race_moves-inl.h"  // IWYU pragma: export
#include "engine/berd/race_trade-inl.h"  // IWYU pragma: export

namespace berd {

extern template struct Race<Race2>;
extern template struct Race<Race4>;
extern template struct Race<Race16>;
extern template struct Race<Race4Valued>;
extern template struct Race<Race16Valued>;

}  // namespace berd
