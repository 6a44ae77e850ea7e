#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "engine/berd/duel_state.h"
#include "engine/berd/rules.h"
#include "engine/core/game.h"

namespace berd {

template <bool kValued>
struct DuelStrings;

namespace duel_action {

// kPlace: a number of tokens (unvalued) or a column (valued). kCarry: how many of the class.
// kMove: squares and rank; `kOff` finishes.
inline constexpr int kOff = 16;
constexpr std::uint32_t Move(int from, int to, int rank) {
  return static_cast<std::uint32_t>(from << 9 | to << 4 | rank);
}
constexpr int From(std::uint32_t move) { return static_cast<int>(move >> 9); }
constexpr int To(std::uint32_t move) { return static_cast<int>(move >> 4 & 31); }
constexpr int Rank(std::uint32_t move) { return static_cast<int>(move & 15); }
constexpr bool IsSideways(int from, int to) {
  return to != kOff && (to == from + 1 || to == from - 1);
}

}  // namespace duel_action

// The duel (rules page §8) as a Game; see engine/core/game.h for the meaning of the functions.
template <bool kHasValues>
struct Duel {
  using Rules = DuelRules;
  using State = DuelState<kHasValues>;
  using Action = std::uint32_t;
  using Tokens = typename State::Tokens;
  using Counts = typename Tokens::Counts;
  using Word = typename Tokens::Word;
  using Group = typename Tokens::Group;
  static constexpr bool kValued = kHasValues;
  static constexpr int kSeats = 2;

  static constexpr GameFacts kFacts = {
      .name = "duel",
      .min_seats = 2,
      .max_seats = 2,
      .dice = false,
      .hidden_values = kValued,
      .rules_version = 1,
  };

  // What one seat knows: a state in which the tokens it does not see stand in a fixed arrangement
  // that tells nothing, and which tokens those are (ranks by colour). While the other player is
  // placing, `columns_unseen` says that not even the columns of its tokens are known.
  struct Observation {
    State state;
    Seat seat;
    std::array<std::uint16_t, 2> unseen{};
    bool columns_unseen = false;
  };

  static State initial(const Rules& rules);
  static Waits waits(const State& state) {
    return state.phase == DuelPhase::kEnd ? Waits::kEnd : Waits::kDecision;
  }
  static Seat turn(const State& state) { return Seat(state.turn); }
  static Seat actor(const State& state) { return Seat(state.turn); }
  static std::uint32_t turns(const State& state) { return state.plies; }
  static void legal(const Rules& rules, const State& state, ActionList<Action>& actions);
  static Action sample_legal(const Rules& rules, const State& state, RandomStream& random);
  static bool chance(const Rules&, const State&, ActionList<Outcome<Action>>& outcomes) {
    outcomes.clear();
    return true;
  }
  static Action sample_chance(const Rules&, const State&, RandomStream&) { return 0; }
  static void apply(const Rules& rules, State& state, Action action);
  static std::uint64_t key(const State& state);

  static void win_shares(const Rules& rules, const State& state, std::span<WinShare> shares);
  static void scores(const Rules& rules, const State& state, std::span<std::int64_t> scores);
  static int side(const Rules&, Seat seat) { return seat.index(); }

  static std::string position(const Rules& rules, const State& state);
  static Result<State> parse(const Rules& rules, std::string_view text);
  static std::string view(const Rules& rules, const State& state, Seat seat);
  static std::string action_name(const Rules& rules, const State& state, Action action);
  static Result<Action> parse_action(const Rules& rules, const State& state, std::string_view text);

  static Observation observe(const Rules& rules, const State& state, Seat seat);
  static State sample_hidden(const Rules& rules, const Observation& observation,
                             RandomStream& random);
  static double novice_score(const Rules& rules, const State& state, Action action);

  // The square of a column on the base line of `seat`.
  static int BaseSquare(const Rules& rules, int seat, int column) {
    return seat == 0 ? column : rules.width * (rules.width - 1) + column;
  }
  // The game of `rules` fits this layout.
  static bool Fits(const Rules& rules) { return kValued == rules.valued(); }

  // Sideways moves in succession after which the next move must be forward.
  static constexpr int kMostSideways = 3;

  // Squares from which `seat` can move forward to another square, off the board, left and right.
  struct Sources {
    SquareSet forward = 0;
    SquareSet off = 0;
    SquareSet left = 0;
    SquareSet right = 0;
    bool any() const { return (forward | off | left | right) != 0; }
  };
  static Sources SourcesOf(const Rules& rules, const State& state, int seat) {
    const int other = 1 - seat;
    const auto o = Idx(other);
    const SquareSet own = state.tokens.present[Idx(seat)];
    const SquareSet open = ~(state.tokens.berd[o] | (state.tokens.present[o] & rules.own_color[o]));
    Sources sources;
    sources.off = own & rules.far_row[Idx(seat)];
    const SquareSet open_ahead = seat == 0 ? open >> rules.width : open << rules.width;
    sources.forward = own & ~sources.off & open_ahead;
    if (state.sideways[Idx(seat)] < kMostSideways) {
      sources.left = own & ~rules.left_column & (open << 1);
      sources.right = own & ~rules.right_column & (open >> 1);
    }
    return sources;
  }

 private:
  friend struct DuelStrings<kHasValues>;
  template <class Index>
  static constexpr std::size_t Idx(Index index) {
    return static_cast<std::size_t>(index);
  }
  static int Unplaced(const Rules& rules, const State& state, int seat);
  static void ApplyPlace(const Rules& rules, State& state, Action action);
  static void ApplyMove(const Rules& rules, State& state, Action action);
  static void ApplyCarry(const Rules& rules, State& state, Action action);
  static void MoveUnit(const Rules& rules, State& state, const Group& taken);
  static void PassTurn(const Rules& rules, State& state);
  static void StartMoving(const Rules& rules, State& state);
  static void End(State& state);
  static void ClearMove(State& state);
  static void ForgetHistory(State& state);
};

extern template struct Duel<false>;
extern template struct Duel<true>;

}  // namespace berd
