// The reference novice in the race (rules page §11).

#include "engine/berd/race.h"

namespace berd {

namespace {

template <class Layout>
double MoveScore(const RaceRules& rules, const RaceState<Layout>& state, std::uint32_t action) {
  using G = Race<Layout>;
  using Counts = typename G::Counts;
  using Word = typename G::Word;
  const int seat = state.turn;
  const auto& tokens = state.tokens;
  const int from = race_action::From(action);
  const int own_here = tokens.ActiveCount(seat, from);
  const bool on_path = Has(rules.path_set, from);
  double score = 0;
  if (race_action::Finishes(action)) {
    score = 20;
    if constexpr (G::kValued) {
      if (rules.goal > 0) {
        // The captives that the novice's own rule for carries takes along belong to the unit.
        const int goal_rank = rules.goal / 10 - 1;
        bool holds = race_action::Rank(action) == goal_rank;
        if (own_here < 3) {
          const Place place = G::CaptivePlace(rules, seat, from);
          Counts::ForEach(G::CaptivesUnder(rules, state, seat, from), [&](int color, int) {
            holds |= (tokens.Ranks(color, place) >> goal_rank & 1) != 0;
          });
        }
        score = holds ? 20 : -1;
      }
    }
  } else {
    int to = from + race_action::DieOf(action);
    if (to >= rules.squares) to -= rules.squares;
    const Word there = tokens.active[static_cast<std::size_t>(to)];
    const Word own_side = Counts::Fields(G::OwnSide(rules, seat));
    if (Has(rules.corner_set, to)) {
      if (Counts::Count(there, seat) > 0) score = 10;
    } else if ((there & own_side) != 0) {
      score = 10;
    } else if (there != 0) {
      score = 40 + 3 * (Counts::Total(there) +
                        Counts::Total(tokens.captive[static_cast<std::size_t>(to)]));
    }
  }
  if (on_path && own_here == 2) score -= 6;
  if (on_path && own_here == 1) score += 3;
  const int distance = rules.Distance(from, state.home[static_cast<std::size_t>(seat)]);
  return score + 0.02 * (rules.squares - distance);
}

template <class Layout>
double PayScore(const RaceRules& rules, const RaceState<Layout>& state, std::uint32_t action) {
  using namespace race_action;
  if (action == kPayCash) return 3;
  const int payer = state.actor;
  const int where = Where(action);
  double score = 0;
  if (where != kCollection) {
    if (Color(action) == payer) {
      const int distance = rules.Distance(where, state.home[static_cast<std::size_t>(payer)]);
      score = 5 + 0.1 * distance;
      if (Has(rules.path_set, where) && state.tokens.ActiveCount(payer, where) == 2) score -= 3;
    } else {
      score = 4;
    }
  }
  return rules.valued() ? score - 0.1 * (Rank(action) + 1) : score;
}

template <class Layout>
double AnswerScore(const RaceRules& rules, const RaceState<Layout>& state, std::uint32_t action) {
  if (action == race_action::kDecline) return 0;
  const RacePending& deal = state.pending;
  if (race_action::IsToken(deal.price)) return 1;
  const std::uint32_t worth =
      rules.price > 0 ? rules.price : 10 * (static_cast<std::uint32_t>(deal.offer_rank) + 1);
  return deal.price >= worth ? 1 : -1;
}

}  // namespace

template <class Layout>
double Race<Layout>::novice_score(const Rules& rules, const State& state, Action action) {
  switch (state.phase) {
    case RacePhase::kMove:
      return MoveScore<Layout>(rules, state, action);
    case RacePhase::kCarry: {
      const bool leave = state.tokens.ActiveCount(state.turn, state.pending.from) - 1 >= 2;
      return leave ? -static_cast<double>(action) : static_cast<double>(action);
    }
    case RacePhase::kPay:
      return PayScore<Layout>(rules, state, action);
    case RacePhase::kTrade:
      return action == race_action::kNoOffer ? 1 : 0;
    case RacePhase::kAnswer:
      return AnswerScore<Layout>(rules, state, action);
    default:
      return 0;
  }
}

template double Race<Race2>::novice_score(const RaceRules&, const State&, Action);
template double Race<Race4>::novice_score(const RaceRules&, const State&, Action);
template double Race<Race16>::novice_score(const RaceRules&, const State&, Action);
template double Race<Race4Valued>::novice_score(const RaceRules&, const State&, Action);
template double Race<Race16Valued>::novice_score(const RaceRules&, const State&, Action);

}  // namespace berd
