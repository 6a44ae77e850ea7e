// Position, view and action strings of the duel (rules page §8, §9).

#include <array>
#include <string>
#include <vector>

#include "engine/berd/duel.h"
#include "engine/berd/notation.h"
#include "engine/berd/token_text.h"
#include "engine/core/find_action.h"
#include "engine/core/text.h"

namespace berd {

using duel_action::kOff;

template <bool kValued>
struct DuelStrings {
  using G = Duel<kValued>;
  using State = typename G::State;
  using Word = typename G::Word;
  using Counts = typename G::Counts;

  template <class Index>
  static constexpr std::size_t Idx(Index index) {
    return static_cast<std::size_t>(index);
  }

  static std::string SquareName(const DuelRules& rules, int square) {
    if (square == kOff) return "off";
    return std::string(1, static_cast<char>('a' + square % rules.width)) +
           std::to_string(square / rules.width + 1);
  }

  static Result<int> ParseSquare(const DuelRules& rules, std::string_view name) {
    const char last_column = static_cast<char>('a' + rules.width - 1);
    const char last_row = static_cast<char>('0' + rules.width);
    if (name.size() != 2 || name[0] < 'a' || name[0] > last_column || name[1] < '1' ||
        name[1] > last_row) {
      return Fail("square " + Quoted(name) + " is not one from a1 to " +
                  std::string{last_column, last_row});
    }
    return (name[1] - '1') * rules.width + (name[0] - 'a');
  }

  // ---- Printing. `viewer` is a seat, or -1 for the full string.

  static std::string Board(const DuelRules& rules, const State& state, int viewer) {
    std::vector<StackText> stacks;
    for (int square = 0; square < rules.squares; ++square) {
      const Word active = state.tokens.active[Idx(square)];
      if (active == 0) continue;
      const int holder = Counts::Count(active, 0) > 0 ? 0 : 1;
      // §8: tokens of a player who is placing are not shown to the other at all.
      if (viewer >= 0 && state.phase == DuelPhase::kPlace && holder == state.turn &&
          viewer != state.turn) {
        continue;
      }
      const bool masked = viewer >= 0 && holder != viewer;
      stacks.push_back(
          {square, ListTokens(state.tokens, active, ActiveAt(square), masked),
           ListTokens(state.tokens, state.tokens.captive[Idx(square)], CaptiveAt(square), masked)});
    }
    return BoardString(stacks, rules.valued(),
                       [&](int square) { return SquareName(rules, square); });
  }

  static std::string MoveString(const DuelRules& rules, int from, int to, int rank, bool masked) {
    std::string text = SquareName(rules, from) + "-" + SquareName(rules, to);
    if (rules.valued()) text += masked ? "@?" : "@" + std::to_string(10 * (rank + 1));
    return text;
  }

  static std::string Phase(const DuelRules& rules, const State& state, bool masked) {
    switch (state.phase) {
      case DuelPhase::kPlace:
        return "place:" + std::to_string(state.placed);
      case DuelPhase::kMove:
        return "move";
      case DuelPhase::kEnd:
        return "end";
      case DuelPhase::kCarry:
        break;
    }
    std::string counts;
    if constexpr (kValued) {
      ForEachMember(state.tokens.Ranks(1 - state.turn, CaptiveAt(state.from)), [&](int rank) {
        if (rank >= state.carry_rank) return;
        counts += (counts.empty() ? "" : ",") + std::to_string(state.carry_ranks >> rank & 1);
      });
    }
    if (counts.empty()) counts = "-";
    return "carry:" + MoveString(rules, state.from, state.to, state.rank, masked) + ":" +
           (masked ? "?" : counts);
  }

  static std::string Print(const DuelRules& rules, const State& state, int viewer) {
    std::string collections;
    for (int seat = 0; seat < 2; ++seat) {
      const bool masked = viewer >= 0 && viewer != seat && state.phase != DuelPhase::kEnd;
      collections += (seat > 0 ? ";" : "") +
                     GroupString(ListTokens(state.tokens, state.tokens.collected[Idx(seat)],
                                            CollectedBy(seat), masked),
                                 rules.valued());
    }
    const char turn = state.phase == DuelPhase::kEnd ? '-' : Letter(Seat(state.turn));
    return "n=" + std::to_string(state.plies) + " board=" + Board(rules, state, viewer) +
           " col=" + collections + " lat=" + std::to_string(state.sideways[0]) + "," +
           std::to_string(state.sideways[1]) + " turn=" + turn +
           " phase=" + Phase(rules, state, viewer >= 0 && viewer != state.turn);
  }

  // ---- Parsing

  static Result<State> Parse(const DuelRules& rules, std::string_view text) {
    static constexpr std::string_view kKeys[] = {"n", "board", "col", "lat", "turn", "phase"};
    const auto fields = ParseFields(text, kKeys);
    if (!fields) return Fail("position", fields.error());
    State state = G::initial(rules);
    const auto plies = ParseNumber((*fields)[0], 0, rules.cap);
    if (!plies) {
      return Fail("position: n=" + Quoted((*fields)[0]) + " is not a number from 0 to " +
                  std::to_string(rules.cap) + " (the cap)");
    }
    state.plies = *plies;
    Result<void> ok = ParseTokens(rules, (*fields)[1], (*fields)[2], state);
    if (ok) ok = ParseCounters((*fields)[3], state);
    if (ok) ok = ParseTurn(rules, (*fields)[4], (*fields)[5], state);
    if (!ok) return Fail("position", ok.error());
    const std::string canonical = Print(rules, state, -1);
    if (canonical != text) {
      return Fail("position " + Quoted(text) + " is not written canonically; right is '" +
                  canonical + "'");
    }
    return state;
  }

  static Result<void> ParseTokens(const DuelRules& rules, std::string_view board,
                                  std::string_view collections, State& state) {
    const NotationLimits limits{2, rules.tokens, rules.valued()};
    const auto stacks =
        ParseBoard(board, limits, [&](std::string_view name) { return ParseSquare(rules, name); });
    if (!stacks) return tl::unexpected(stacks.error());
    const auto groups = Split(collections, ';');
    if (groups.size() != 2) return Fail("col must have two groups separated by ';'");
    const Error twice{"a token is in two places"};
    std::array<int, 2> seen{};
    const auto count = [&](const TokenList& list) {
      for (const auto& part : list) seen[Idx(part.color)] += part.count;
    };
    for (int seat = 0; seat < 2; ++seat) {
      const auto list = ParseGroup(groups[Idx(seat)], limits);
      if (!list) return Fail("col", list.error());
      count(*list);
      state.tokens.collected[Idx(seat)] = Pack<Counts>(*list);
      if (!Book(state.tokens, *list, CollectedBy(seat))) return tl::unexpected(twice);
    }
    for (const auto& stack : *stacks) {
      const std::string where = "stack on " + SquareName(rules, stack.square);
      if (stack.active.size() != 1) return Fail(where + ": active tokens of two sides");
      const int holder = stack.active[0].color;
      if (!stack.captives.empty() &&
          (stack.captives.size() != 1 || stack.captives[0].color == holder)) {
        return Fail(where + ": a captive of the holder's own side");
      }
      if (state.tokens.active[Idx(stack.square)] != 0) return Fail(where + ": two stacks there");
      count(stack.active);
      count(stack.captives);
      for (int color = 0; color < 2; ++color) {
        if (seen[Idx(color)] > rules.tokens) return TooMany(rules, color);
      }
      state.tokens.AddActive(holder, stack.square, stack.active[0].count);
      state.tokens.captive[Idx(stack.square)] = Pack<Counts>(stack.captives);
      if (!Book(state.tokens, stack.active, ActiveAt(stack.square)) ||
          !Book(state.tokens, stack.captives, CaptiveAt(stack.square))) {
        return tl::unexpected(twice);
      }
    }
    for (int color = 0; color < 2; ++color) {
      if (seen[Idx(color)] > rules.tokens) return TooMany(rules, color);
    }
    return {};
  }

  static tl::unexpected<Error> TooMany(const DuelRules& rules, int color) {
    return Fail("player " + std::string(1, Letter(Seat(color))) + " has more than " +
                std::to_string(rules.tokens) + " tokens");
  }

  static Result<void> ParseCounters(std::string_view text, State& state) {
    const auto parts = Split(text, ',');
    for (std::size_t seat = 0; seat < 2 && parts.size() == 2; ++seat) {
      const auto counter = ParseNumber(parts[seat], 0, G::kMostSideways);
      if (!counter) break;
      state.sideways[seat] = static_cast<std::uint8_t>(*counter);
      if (seat == 1) return {};
    }
    return Fail("lat=" + Quoted(text) + " must be two numbers from 0 to 3");
  }

  static int TokensOf(const State& state, int color) {
    int tokens = Counts::Count(state.tokens.collected[0], color) +
                 Counts::Count(state.tokens.collected[1], color);
    for (std::size_t square = 0; square < state.tokens.active.size(); ++square) {
      tokens += Counts::Count(state.tokens.active[square], color) +
                Counts::Count(state.tokens.captive[square], color);
    }
    return tokens;
  }

  static Result<void> ParseTurn(const DuelRules& rules, std::string_view turn,
                                std::string_view phase, State& state) {
    if (Consume(phase, "place:")) {
      const auto seat = ParseSeat(turn, 2);
      if (!seat) return Fail("turn", seat.error());
      return ParsePlacing(rules, *seat, phase, state);
    }
    for (int color = 0; color < 2; ++color) {
      if (TokensOf(state, color) != rules.tokens) {
        return Fail("player " + std::string(1, Letter(Seat(color))) + " has " +
                    std::to_string(TokensOf(state, color)) +
                    " tokens on the board and in collections, not " + std::to_string(rules.tokens));
      }
    }
    if (phase == "end") {
      if (turn != "-") return Fail("turn is - at the end");
      state.phase = DuelPhase::kEnd;
      return {};
    }
    const auto seat = ParseSeat(turn, 2);
    if (!seat) return Fail("turn", seat.error());
    state.turn = static_cast<std::uint8_t>(*seat);
    if (state.plies >= rules.cap) return Fail("the cap is reached, so the phase must be end");
    if (state.tokens.present[0] == 0 || state.tokens.present[1] == 0) {
      return Fail("only one player is active, so the phase must be end");
    }
    if (!G::SourcesOf(rules, state, *seat).any()) {
      return Fail("player " + std::string(turn) + " has no legal move, so it is not on turn");
    }
    state.phase = DuelPhase::kMove;
    state.history.Add(G::key(state));
    if (phase == "move") return {};
    if (!Consume(phase, "carry:")) return Fail("unknown phase " + Quoted(phase));
    return ParseCarry(rules, phase, state);
  }

  static Result<void> ParsePlacing(const DuelRules& rules, int seat, std::string_view number,
                                   State& state) {
    const int decisions = kValued ? rules.tokens : rules.width - 1;
    const auto placed = ParseNumber(number, 0, static_cast<unsigned>(decisions - 1));
    if (!placed) {
      return Fail("place: " + Quoted(number) + " is not a number from 0 to " +
                  std::to_string(decisions - 1));
    }
    if (state.plies != 0 || state.sideways[0] != 0 || state.sideways[1] != 0 ||
        state.tokens.collected[0] != 0 || state.tokens.collected[1] != 0) {
      return Fail("no moves have been made while placing");
    }
    state.phase = DuelPhase::kPlace;
    state.turn = static_cast<std::uint8_t>(seat);
    state.placed = static_cast<std::uint8_t>(*placed);
    const SquareSet base = SetOf(rules.width) - 1;
    for (int color = 0; color < 2; ++color) {
      const int tokens = TokensOf(state, color);
      const SquareSet line = color == 0 ? base : rules.far_row[0];
      SquareSet columns = line;
      bool fits = tokens == (color < seat ? rules.tokens : 0);
      if (color == seat) {
        fits = !kValued || tokens == static_cast<int>(*placed);
        if constexpr (!kValued) {
          columns = (SetOf(static_cast<int>(*placed)) - 1) << (color == 0 ? 0 : Lowest(line));
        }
      }
      if constexpr (kValued) {
        // Ascending values: the tokens on the board are the lowest ones.
        for (int rank = 0; rank < tokens && color == seat; ++rank) {
          fits &= state.tokens.place[Idx(color)][Idx(rank)] != kNowhere;
        }
      }
      if (!fits || (state.tokens.present[Idx(color)] & ~columns) != 0 ||
          CaptivesOnBoard(state) > 0) {
        return Fail("the tokens of " + std::string(1, Letter(Seat(color))) +
                    " do not agree with this stage of placing");
      }
    }
    return {};
  }

  static int CaptivesOnBoard(const State& state) {
    int captives = 0;
    for (const Word word : state.tokens.captive) captives += Counts::Total(word);
    return captives;
  }

  static Result<void> ParseCarry(const DuelRules& rules, std::string_view phase, State& state) {
    const auto parts = Split(phase, ':');
    if (parts.size() != 2) return Fail("carry needs a move and the counts chosen so far");
    if (auto ok = ApplyNamed<G>(rules, state, "m:" + std::string(parts[0])); !ok) return ok;
    const auto counts = parts[1] == "-" ? std::vector<std::string_view>{} : Split(parts[1], ',');
    for (const auto count : counts) {
      if (state.phase != DuelPhase::kCarry) break;
      if (auto ok = ApplyNamed<G>(rules, state, "carry:" + std::string(count)); !ok) return ok;
    }
    if (state.phase != DuelPhase::kCarry) return Fail("carry: nothing is left to ask");
    return {};
  }
};

template <bool kValued>
std::string Duel<kValued>::position(const Rules& rules, const State& state) {
  return DuelStrings<kValued>::Print(rules, state, -1);
}

template <bool kValued>
std::string Duel<kValued>::view(const Rules& rules, const State& state, Seat seat) {
  return DuelStrings<kValued>::Print(rules, state, rules.hidden() ? seat.index() : -1);
}

template <bool kValued>
Result<typename Duel<kValued>::State> Duel<kValued>::parse(const Rules& rules,
                                                           std::string_view text) {
  return DuelStrings<kValued>::Parse(rules, text);
}

template <bool kValued>
std::string Duel<kValued>::action_name(const Rules& rules, const State& state, Action action) {
  using namespace duel_action;
  switch (state.phase) {
    case DuelPhase::kPlace:
      return kValued ? std::string("place:") + static_cast<char>('a' + action)
                     : "place:" + std::to_string(action);
    case DuelPhase::kMove:
      return "m:" +
             DuelStrings<kValued>::MoveString(rules, From(action), To(action), Rank(action), false);
    case DuelPhase::kCarry:
      return "carry:" + std::to_string(action);
    case DuelPhase::kEnd:
      return "";
  }
  return "";
}

template <bool kValued>
Result<typename Duel<kValued>::Action> Duel<kValued>::parse_action(const Rules& rules,
                                                                   const State& state,
                                                                   std::string_view text) {
  return FindAction<Duel>(rules, state, text);
}

#define BERD_DUEL_STRINGS(kValued)                                                              \
  template std::string Duel<kValued>::position(const DuelRules&, const State&);                 \
  template std::string Duel<kValued>::view(const DuelRules&, const State&, Seat);               \
  template Result<DuelState<kValued>> Duel<kValued>::parse(const DuelRules&, std::string_view); \
  template std::string Duel<kValued>::action_name(const DuelRules&, const State&, Action);      \
  template Result<std::uint32_t> Duel<kValued>::parse_action(const DuelRules&, const State&,    \
                                                             std::string_view);
BERD_DUEL_STRINGS(false)
BERD_DUEL_STRINGS(true)
#undef BERD_DUEL_STRINGS

}  // namespace berd
