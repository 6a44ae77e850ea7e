// Parses positions and actions of the race (rules page §9). Accepts what race_print.cc prints, and
// nothing that contradicts the rules page.

#include <algorithm>
#include <string>
#include <vector>

#include "engine/berd/notation.h"
#include "engine/berd/race.h"
#include "engine/berd/token_text.h"
#include "engine/core/find_action.h"
#include "engine/core/text.h"

namespace berd {

namespace {

// "-" or descending faces: at most four of one kind, or two different ones.
Result<DiceLeft> ParseDice(std::string_view text) {
  const bool faces =
      !text.empty() && text.size() <= 4 &&
      std::all_of(text.begin(), text.end(), [](char c) { return c >= '1' && c <= '6'; });
  const auto same =
      static_cast<std::size_t>(text.empty() ? 0 : std::count(text.begin(), text.end(), text[0]));
  const bool one_kind = same == text.size();
  if (!faces || (!one_kind && (text.size() != 2 || text[0] < text[1]))) {
    return Fail("dice " + Quoted(text) +
                " are not one to four equal faces or two different ones, the larger first");
  }
  DiceLeft dice;
  dice.high = static_cast<std::uint8_t>(text[0] - '0');
  dice.high_left = static_cast<std::uint8_t>(same);
  if (!one_kind) {
    dice.low = static_cast<std::uint8_t>(text[1] - '0');
    dice.low_left = 1;
  }
  return dice;
}

}  // namespace

// Positions of one layout.
template <class Layout>
struct RaceParser {
  using G = Race<Layout>;
  using State = typename G::State;
  using Word = typename G::Word;
  using Counts = typename G::Counts;
  static constexpr bool kValued = G::kValued;

  template <class Index>
  static constexpr std::size_t Idx(Index index) {
    return static_cast<std::size_t>(index);
  }

  static Result<State> Parse(const RaceRules& rules, std::string_view text) {
    static constexpr std::string_view kPlain[] = {"n", "home", "board", "col", "turn", "phase"};
    static constexpr std::string_view kTrade[] = {"n",    "home", "board", "col",
                                                  "cash", "turn", "phase"};
    const auto fields = ParseFields(text, rules.trade ? std::span<const std::string_view>(kTrade)
                                                      : std::span<const std::string_view>(kPlain));
    if (!fields) return Fail("position", fields.error());
    State state = Blank();
    const auto turns = ParseNumber((*fields)[0], 0, rules.cap);
    if (!turns) {
      return Fail("position: n=" + Quoted((*fields)[0]) + " is not a number from 0 to " +
                  std::to_string(rules.cap) + " (the cap)");
    }
    state.turns = *turns;
    Result<void> ok = ParseHomes(rules, (*fields)[1], state);
    if (ok) ok = ParseTokens(rules, (*fields)[2], (*fields)[3], state);
    if (ok && rules.trade) ok = ParseCash(rules, (*fields)[4], state);
    if (ok) {
      ok = ParseTurn(rules, (*fields)[fields->size() - 2], (*fields)[fields->size() - 1], state);
    }
    if (!ok) return Fail("position", ok.error());
    const std::string canonical = G::position(rules, state);
    if (canonical != text) {
      return Fail("position " + Quoted(text) + " is not written canonically; right is '" +
                  canonical + "'");
    }
    return state;
  }

  static State Blank() {
    State state;
    state.home.fill(kNoHome);
    if constexpr (kValued) {
      for (auto& places : state.tokens.place) places.fill(kNowhere);
    }
    return state;
  }

  static Result<void> ParseHomes(const RaceRules& rules, std::string_view text, State& state) {
    const auto parts = Split(text, ',');
    if (parts.size() != Idx(rules.players)) {
      return Fail("home=" + Quoted(text) + " must have " + std::to_string(rules.players) +
                  " corners");
    }
    std::array<int, kCorners> used{};
    for (std::size_t seat = 0; seat < parts.size(); ++seat) {
      if (parts[seat] == "?" && rules.rolled_setup) continue;
      const auto corner = ParseNumber(parts[seat], 0, kCorners - 1);
      if (!corner) {
        return Fail("home " + Quoted(parts[seat]) + " is not a corner from 0 to 3" +
                    (rules.rolled_setup ? " or ?" : ""));
      }
      if (!rules.rolled_setup && *corner != rules.fixed_home[seat]) {
        return Fail("home of " + std::string(1, Letter(Seat(static_cast<int>(seat)))) + " is " +
                    std::to_string(rules.fixed_home[seat]) + " with setup=fixed, not " +
                    std::string(parts[seat]));
      }
      if (++used[*corner] > 4)
        return Fail("more than four homes at corner " + std::string(parts[seat]));
      state.home[seat] = static_cast<std::uint8_t>(*corner);
      if (rules.rolled_setup) state.tokens.key += KeyConstant(0x20000 + 4 * seat + *corner);
    }
    return {};
  }

  static Result<void> CheckStack(const RaceRules& rules, const StackText& stack) {
    const std::string where = "stack on " + std::to_string(stack.square);
    const bool corner = Has(rules.corner_set, stack.square);
    const int holder = stack.active[0].color;
    if (corner && stack.active.size() > 1) {
      return Fail(where + ": on a corner every player has a stack of its own, joined by '|'");
    }
    for (const auto& part : stack.active) {
      if (rules.side(part.color) != rules.side(holder)) {
        return Fail(where + ": active tokens of two sides");
      }
    }
    for (const auto& part : stack.captives) {
      if (rules.side(part.color) == rules.side(holder)) {
        return Fail(where + ": a captive of the holder's own side");
      }
    }
    return {};
  }

  static Result<int> ParseSquare(const RaceRules& rules, std::string_view name) {
    const auto square = ParseNumber(name, 0, static_cast<unsigned>(rules.squares - 1));
    if (square) return static_cast<int>(*square);
    return Fail("square " + Quoted(name) + " is not a number from 0 to " +
                std::to_string(rules.squares - 1));
  }

  static Result<void> ParseTokens(const RaceRules& rules, std::string_view board,
                                  std::string_view collections, State& state) {
    const NotationLimits limits{rules.players, rules.tokens, rules.valued()};
    const auto stacks =
        ParseBoard(board, limits, [&](std::string_view name) { return ParseSquare(rules, name); });
    if (!stacks) return tl::unexpected(stacks.error());
    const auto groups = Split(collections, ';');
    if (groups.size() != Idx(rules.players)) {
      return Fail("col=" + Quoted(collections) + " must have " + std::to_string(rules.players) +
                  " groups");
    }
    std::vector<TokenList> collected;
    for (const auto group : groups) {
      auto list = ParseGroup(group, limits);
      if (!list) return Fail("col", list.error());
      collected.push_back(std::move(*list));
    }
    if (auto ok = CheckConservation(rules, *stacks, collected, state); !ok) return ok;
    for (std::size_t seat = 0; seat < collected.size(); ++seat) {
      state.tokens.collected[seat] = Pack<Counts>(collected[seat]);
      if (!Book(state.tokens, collected[seat], CollectedBy(static_cast<int>(seat)))) {
        return Fail(kTwice);
      }
    }
    for (const auto& stack : *stacks) {
      if (auto ok = PlaceStack(rules, stack, state); !ok) return ok;
    }
    return {};
  }

  static constexpr const char* kTwice = "a token is in two places";

  // Every player that has a home has all its tokens somewhere, the others have none. (This also
  // keeps the packed counts from overflowing.)
  static Result<void> CheckConservation(const RaceRules& rules,
                                        const std::vector<StackText>& stacks,
                                        const std::vector<TokenList>& collected,
                                        const State& state) {
    std::array<int, kMaxSeats> seen{};
    const auto count = [&](const TokenList& list) {
      for (const auto& part : list) seen[Idx(part.color)] += part.count;
    };
    for (const auto& list : collected) count(list);
    for (const auto& stack : stacks) {
      count(stack.active);
      count(stack.captives);
    }
    for (int seat = 0; seat < rules.players; ++seat) {
      const int due = state.home[Idx(seat)] == kNoHome ? 0 : rules.tokens;
      if (seen[Idx(seat)] != due) {
        return Fail("player " + std::string(1, Letter(Seat(seat))) + " has " +
                    std::to_string(seen[Idx(seat)]) +
                    " tokens on the board and in collections, not " + std::to_string(due));
      }
    }
    return {};
  }

  static Result<void> PlaceStack(const RaceRules& rules, const StackText& stack, State& state) {
    if (auto ok = CheckStack(rules, stack); !ok) return ok;
    const int holder = stack.active[0].color;
    const bool corner = Has(rules.corner_set, stack.square);
    const Word there = state.tokens.active[Idx(stack.square)];
    if (there != 0 && (!corner || Counts::Count(there, holder) > 0)) {
      return Fail("two stacks on square " + std::to_string(stack.square));
    }
    for (const auto& part : stack.active) {
      state.tokens.AddActive(part.color, stack.square, part.count);
    }
    const Word captives = Pack<Counts>(stack.captives);
    if (corner) {
      const int index = stack.square / (rules.between_corners + 1);
      state.tokens.corner_captive[Idx(holder)][Idx(index)] = captives;
    } else {
      state.tokens.captive[Idx(stack.square)] = captives;
    }
    if (!Book(state.tokens, stack.active, ActiveAt(stack.square)) ||
        !Book(state.tokens, stack.captives, G::CaptivePlace(rules, holder, stack.square))) {
      return Fail(kTwice);
    }
    return {};
  }

  static Result<void> ParseCash(const RaceRules& rules, std::string_view text, State& state) {
    const auto parts = Split(text, ',');
    const std::uint64_t total = std::uint64_t{rules.cash} * Idx(rules.players);
    std::uint64_t sum = 0;
    if (parts.size() == Idx(rules.players)) {
      for (std::size_t seat = 0; seat < parts.size(); ++seat) {
        const auto cash = ParseNumber(parts[seat], 0, static_cast<std::uint32_t>(total));
        if (!cash) break;
        sum += *cash;
        state.cash[seat] = *cash;
        state.tokens.key += KeyConstant(0x10000 + seat) * *cash;
        if (seat + 1 == parts.size() && sum == total) return {};
      }
    }
    return Fail("cash=" + Quoted(text) + " must be " + std::to_string(rules.players) +
                " amounts that sum to " + std::to_string(total));
  }

  static Result<void> ParseTurn(const RaceRules& rules, std::string_view turn,
                                std::string_view phase, State& state) {
    const auto colon = phase.find(':');
    const std::string_view name = phase.substr(0, colon);
    const auto parts = colon == std::string_view::npos ? std::vector<std::string_view>{}
                                                       : Split(phase.substr(colon + 1), ':');
    if (name == "order" || name == "corner") {
      if (turn != "?") return Fail("turn is ? while " + std::string(name) + " is open");
      return ParseSetup(rules, name, parts, state);
    }
    for (int seat = 0; seat < rules.players; ++seat) {
      if (state.home[Idx(seat)] == kNoHome) return Fail("a player has no home yet");
    }
    if (name == "end") return ParseEnd(rules, turn, parts, state);
    const auto seat = ParseSeat(turn, rules.players);
    if (!seat) return Fail("turn", seat.error());
    state.turn = state.actor = static_cast<std::uint8_t>(*seat);
    if (state.turns >= rules.cap) return Fail("the cap is reached, so the phase must be end");
    if (name == "pay") return ParsePay(rules, parts, state);
    if (G::IsOver(rules, state)) return Fail("the game is over, so the phase must be end");
    if (name == "move" && parts.size() == 1) {
      const auto dice = ParseDice(parts[0]);
      if (!dice) return tl::unexpected(dice.error());
      state.dice = *dice;
      state.phase = RacePhase::kMove;
      if (!G::AnySubMove(rules, state)) return Fail("no sub-move is possible with these dice");
      return {};
    }
    if (name == "carry" && parts.size() == 3) return ParseCarry(rules, parts, state);
    if (!G::IsActive(state, *seat))
      return Fail("turn player " + std::string(turn) + " is not active");
    if (name == "roll" && parts.empty()) {
      state.phase = RacePhase::kRoll;
      return {};
    }
    if (rules.trade && (name == "trade" || name == "price" || name == "answer")) {
      return ParseTrading(rules, name, parts, state);
    }
    return Fail("unknown phase " + Quoted(phase));
  }

  static Result<void> ParseEnd(const RaceRules& rules, std::string_view turn,
                               const std::vector<std::string_view>& parts, State& state) {
    if (turn != "-") return Fail("turn is - at the end");
    if (!parts.empty()) return Fail("text after phase=end");
    state.phase = RacePhase::kEnd;
    if (state.turns < rules.cap && !G::IsOver(rules, state)) {
      return Fail("phase=end, but two sides are still active and the cap is not reached");
    }
    return {};
  }

  static Result<void> ParseSetup(const RaceRules& rules, std::string_view name,
                                 const std::vector<std::string_view>& parts, State& state) {
    if (!rules.rolled_setup)
      return Fail("phase " + Quoted(name) + " exists only with setup=rolled");
    if (parts.size() != 1) return Fail("phase " + Quoted(name) + " needs the ranked letters");
    const std::string_view letters = parts[0] == "-" ? "" : parts[0];
    std::uint32_t seen = 0;
    for (std::size_t rank = 0; rank < letters.size(); ++rank) {
      const auto seat = ParseSeat(letters.substr(rank, 1), rules.players);
      if (!seat) return tl::unexpected(seat.error());
      if (seen >> *seat & 1) return Fail("a player is ranked twice in " + Quoted(letters));
      seen |= 1u << *seat;
      state.order[rank] = static_cast<std::uint8_t>(*seat);
      state.tokens.key += KeyConstant(0x30000 + 16 * rank + Idx(*seat));
    }
    int homes = 0;
    for (int seat = 0; seat < rules.players; ++seat) homes += state.home[Idx(seat)] != kNoHome;
    if (state.turns != 0) return Fail("n must be 0 during the setup");
    for (int seat = 0; seat < rules.players; ++seat) {
      const auto home = state.home[Idx(seat)];
      if (home != kNoHome &&
          state.tokens.ActiveCount(seat, rules.corner_square(home)) != rules.tokens) {
        return Fail("during the setup all tokens of " + std::string(1, Letter(Seat(seat))) +
                    " stand on its home corner");
      }
      if (state.cash[Idx(seat)] != (rules.trade ? rules.cash : 0)) {
        return Fail("during the setup everybody has the cash of the start");
      }
    }
    if (name == "order") {
      if (homes > 0) return Fail("homes are chosen after the order is known");
      if (letters.size() + 1 >= Idx(rules.players)) return Fail("all players are ranked already");
      state.phase = RacePhase::kOrder;
      state.ranked = static_cast<std::uint8_t>(letters.size());
      return {};
    }
    if (letters.size() != Idx(rules.players)) return Fail("corner: all players must be ranked");
    if (homes == rules.players) return Fail("all players have a home already");
    for (int rank = 0; rank < rules.players; ++rank) {
      if ((state.home[state.order[Idx(rank)]] != kNoHome) != (rank < homes)) {
        return Fail("homes must be chosen in rank order");
      }
    }
    state.phase = RacePhase::kCorner;
    state.ranked = static_cast<std::uint8_t>(homes);
    state.actor = state.order[Idx(homes)];
    return {};
  }

  static Result<void> ParseCarry(const RaceRules& rules, const std::vector<std::string_view>& parts,
                                 State& state) {
    // The phase is reached from a move phase with one die more.
    const auto slash = parts[1].find('/');
    if (slash == std::string_view::npos || slash + 1 >= parts[1].size()) {
      return Fail("carry: " + Quoted(parts[1]) + " is not a move");
    }
    std::string faces(parts[0] == "-" ? "" : parts[0]);
    faces += parts[1][slash + 1];
    std::sort(faces.rbegin(), faces.rend());
    const auto dice = ParseDice(faces);
    if (!dice) return tl::unexpected(dice.error());
    state.dice = *dice;
    state.phase = RacePhase::kMove;
    if (auto ok = ApplyNamed<G>(rules, state, "m:" + std::string(parts[1])); !ok) return ok;
    const auto counts = parts[2] == "-" ? std::vector<std::string_view>{} : Split(parts[2], ',');
    for (const auto count : counts) {
      if (state.phase != RacePhase::kCarry) break;
      if (auto ok = ApplyNamed<G>(rules, state, "carry:" + std::string(count)); !ok) return ok;
    }
    if (state.phase != RacePhase::kCarry) return Fail("carry: nothing is left to ask");
    return {};
  }

  static Result<void> ParsePay(const RaceRules& rules, const std::vector<std::string_view>& parts,
                               State& state) {
    if (rules.goal > 0) return Fail("nobody pays in a goal game");
    if (parts.size() != 3) return Fail("pay needs the dice left, the value and the payers");
    if (parts[0] != "-") {
      const auto dice = ParseDice(parts[0]);
      if (!dice) return tl::unexpected(dice.error());
      state.dice = *dice;
      if (state.dice.high_left > 3 || state.dice.low_left > 0) {
        return Fail("pay: a die must have been used for the finished token");
      }
    }
    const auto value = ParseNumber(parts[1], 0, 10 * kMaxTokens);
    if (!value) return Fail("pay: value " + Quoted(parts[1]) + " is not a number");
    if constexpr (kValued) {
      const bool fits = *value >= 10 && *value % 10 == 0 && *value / 10 <= Idx(rules.tokens) &&
                        state.tokens.place[state.turn][*value / 10 - 1] == CollectedBy(state.turn);
      if (rules.valued() && !fits) {
        return Fail("pay: the turn player has not collected an own token of value " +
                    std::string(parts[1]));
      }
    }
    if (!rules.valued() && *value != 0) return Fail("pay: the value is 0 in a game without values");
    if (Counts::Count(state.tokens.collected[state.turn], state.turn) == 0) {
      return Fail("pay: the turn player has not finished a token");
    }
    state.pending.paid_value = static_cast<std::uint8_t>(*value);
    const auto payers = ParsePayers(rules, parts[2], state);
    if (!payers) return tl::unexpected(payers.error());
    state.pending.payers = *payers;
    G::NextPayer(rules, state);
    return {};
  }

  // Payers are the active opponents clockwise from the mover; those who have paid are gone, the
  // others are all there. Order and repeated letters are the printer's business.
  static Result<std::uint16_t> ParsePayers(const RaceRules& rules, std::string_view letters,
                                           const State& state) {
    std::uint32_t payers = 0;
    for (const char letter : letters) {
      const auto seat = ParseSeat(std::string_view(&letter, 1), rules.players);
      if (!seat) return tl::unexpected(seat.error());
      const bool may_pay = (G::Opponents(rules, state.turn) >> *seat & 1) != 0;
      if (!may_pay || !G::IsActive(state, *seat)) {
        return Fail("pay: player " + std::string(1, letter) + " does not have to pay");
      }
      payers |= 1u << *seat;
    }
    if (payers == 0) return Fail("pay: no payer");
    bool begun = false;
    for (int step = 1; step < rules.players; ++step) {
      const int seat = (state.turn + step) % rules.players;
      const bool pays = (payers >> seat & 1) != 0;
      const bool has_to = (G::Opponents(rules, state.turn) >> seat & 1) != 0;
      begun |= pays;
      if (begun && !pays && has_to && G::IsActive(state, seat)) {
        return Fail("pay: player " + std::string(1, Letter(Seat(seat))) + " has to pay too");
      }
    }
    return static_cast<std::uint16_t>(payers);
  }

  static Result<void> ParseTrading(const RaceRules& rules, std::string_view name,
                                   const std::vector<std::string_view>& parts, State& state) {
    const std::size_t wanted = name == "trade" ? 1 : name == "price" ? 2 : 3;
    if (parts.size() != wanted) {
      return Fail("phase " + std::string(name) + " needs " + std::to_string(wanted) + " parts");
    }
    const auto offers = ParseNumber(parts[0], name == "trade" ? 0 : 1,
                                    name == "trade" ? kMaxOffers - 1 : kMaxOffers);
    if (!offers) return Fail("offers made " + Quoted(parts[0]) + " is out of range");
    const int before = static_cast<int>(*offers) - (name == "trade" ? 0 : 1);
    G::OpenTradeOrRoll(rules, state, before);
    if (state.phase != RacePhase::kTrade) return Fail("no captive can be redeemed");
    if (name == "trade") return {};
    if (auto ok = ApplyNamed<G>(rules, state, "offer:" + std::string(parts[1])); !ok) return ok;
    if (state.phase != RacePhase::kPrice) return Fail("no offer is open");
    if (name == "price") return {};
    return ApplyNamed<G>(rules, state, "price:" + std::string(parts[2]));
  }
};

template <class Layout>
Result<typename Race<Layout>::State> Race<Layout>::parse(const Rules& rules,
                                                         std::string_view text) {
  return RaceParser<Layout>::Parse(rules, text);
}

template <class Layout>
Result<typename Race<Layout>::Action> Race<Layout>::parse_action(const Rules& rules,
                                                                 const State& state,
                                                                 std::string_view text) {
  return FindAction<Race>(rules, state, text);
}

#define BERD_RACE_PARSE(Layout)                                                               \
  template Result<RaceState<Layout>> Race<Layout>::parse(const RaceRules&, std::string_view); \
  template Result<std::uint32_t> Race<Layout>::parse_action(const RaceRules&, const State&,   \
                                                            std::string_view);
BERD_RACE_PARSE(Race2)
BERD_RACE_PARSE(Race4)
BERD_RACE_PARSE(Race16)
BERD_RACE_PARSE(Race4Valued)
BERD_RACE_PARSE(Race16Valued)
#undef BERD_RACE_PARSE

}  // namespace berd
