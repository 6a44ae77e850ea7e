#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <span>

#include "engine/berd/race.h"
#include "nn/differing_elements.h"

namespace berd {

// What features of the race need to know about a whole state, for all seats at once: see
// nn/features.h.
template <class Layout>
struct RaceFacts {
  using G = Race<Layout>;
  using State = typename G::State;
  using Counts = typename G::Counts;
  using Word = typename G::Word;
  static constexpr bool kValued = G::kValued;
  static constexpr auto kSeatCount = static_cast<std::size_t>(G::kSeats);
  // `few` counts this far.
  static constexpr int kFewMost = 3;

  // What stacks can do, of one seat or of several together.
  struct Reach {
    SquareSet once = 0;   // squares hit with one die
    SquareSet twice = 0;  // … and with a second one too, by another stack or the same
    SquareSet far = 0;    // squares 7 .. 12 steps ahead
    SquareSet open = 0;   // stacks that can be captured

    void Add(const Reach& other) {
      twice |= other.twice | (once & other.once);
      once |= other.once;
      far |= other.far;
      open |= other.open;
    }
  };
  std::array<Reach, kSeatCount> own;     // by seat
  std::array<Reach, kSeatCount> others;  // all other sides together
  std::uint32_t active_sides;
  std::array<std::uint8_t, kSeatCount> few;  // own active tokens, kFewMost + 1 for more
  Word out;                                  // tokens in collections, by colour
  // Of the collections, by seat: the features of these names (kLead, …), and the input of
  // kLeadTokens.
  std::array<float, kSeatCount> lead;
  std::array<float, kSeatCount> score;
  std::array<float, kSeatCount> best_other;
  std::array<std::uint8_t, kSeatCount> lead_tokens;

  static RaceFacts Note(const RaceRules& rules, const State& state) {
    RaceFacts facts{};
    for (int seat = 0; seat < Players(rules); ++seat) facts.NoteReach(rules, state, seat);
    facts.NoteOpen(rules, state);
    facts.NoteOthers(rules);
    facts.NoteCollections(rules, state);
    return facts;
  }

  static RaceFacts NoteNear(const RaceRules& rules, const State& near, const RaceFacts& near_facts,
                            const State& state) {
    RaceFacts facts = near_facts;
    for (int seat = 0; seat < Players(rules); ++seat) {
      if (state.tokens.present[Idx(seat)] != near.tokens.present[Idx(seat)] ||
          state.home[Idx(seat)] != near.home[Idx(seat)]) {
        facts.NoteReach(rules, state, seat);
      }
    }
    facts.NoteOpen(rules, state);
    facts.NoteOthers(rules);
    if (!SameCollections(rules, near, state)) facts.NoteCollections(rules, state);
    return facts;
  }

  // Whether NoteCollections would say the same of both.
  static bool SameCollections(const RaceRules& rules, const State& a, const State& b) {
    for (int seat = 0; seat < Players(rules); ++seat) {
      if (a.tokens.collected[Idx(seat)] != b.tokens.collected[Idx(seat)] ||
          a.cash[Idx(seat)] != b.cash[Idx(seat)]) {
        return false;
      }
    }
    if constexpr (kValued) {
      for (int color = 0; color < rules.players; ++color) {
        const auto& x = a.tokens.place[Idx(color)];
        const auto& y = b.tokens.place[Idx(color)];
        bool same = true;
        ForEachMember(DifferingElements(x, y), [&](int rank) {
          same &= x[Idx(rank)] < CollectedBy(0) && y[Idx(rank)] < CollectedBy(0);
        });
        if (!same) return false;
      }
    }
    return true;
  }

  // Scores are divided by this to make margins: all that one player starts with.
  static float MarginScale(const RaceRules& rules) {
    auto scale = static_cast<float>(rules.tokens);
    if (rules.goal > 0) scale = 1;
    if (rules.valued() && rules.goal == 0) {
      scale = 5.0f * static_cast<float>(rules.tokens * (rules.tokens + 1));
    }
    if (rules.trade && !rules.valued()) scale *= static_cast<float>(rules.price);
    return rules.trade ? scale + static_cast<float>(rules.cash) : scale;
  }

 private:
  template <class Index>
  static constexpr std::size_t Idx(Index index) {
    return static_cast<std::size_t>(index);
  }
  static int Players(const RaceRules& rules) { return G::kSeats == 2 ? 2 : rules.players; }

  void NoteReach(const RaceRules& rules, const State& state, int seat) {
    const SquareSet present = state.tokens.present[Idx(seat)];
    const auto& stretch = rules.home_stretch[state.home[Idx(seat)] & 3];
    Reach& reach = own[Idx(seat)];
    reach.once = reach.twice = reach.far = 0;
    for (int die = 1; die <= 6; ++die) {
      const SquareSet hit = rules.StepsAfter(present & ~stretch[Idx(die)], die);
      reach.twice |= reach.once & hit;
      reach.once |= hit;
    }
    if (rules.squares > 12) {
      SquareSet far = rules.StepsAfter(present, 7);
      far |= rules.StepsAfter(far, 1);
      reach.far = far | rules.StepsAfter(far, 2) | rules.StepsAfter(far, 4);
    } else {  // on the smallest board more steps go round it
      for (int steps = 7; steps < rules.squares; ++steps) {
        reach.far |= rules.StepsAfter(present, steps);
      }
    }
  }

  void NoteOpen(const RaceRules& rules, const State& state) {
    // Squares where an active token of the seat makes the stack safe from capture.
    const auto closed = [&](int seat) {
      return state.tokens.berd[Idx(seat)] |
             (state.tokens.present[Idx(seat)] & rules.own_color[Idx(seat)]);
    };
    active_sides = 0;
    for (int seat = 0; seat < Players(rules); ++seat) {
      SquareSet open = state.tokens.present[Idx(seat)] & rules.path_set;
      if (G::kSeats == 2 || rules.teams == 0) {
        open &= ~closed(seat);
      } else {
        ForEachMember(G::OwnSide(rules, seat), [&](int mate) { open &= ~closed(mate); });
      }
      own[Idx(seat)].open = open;
      const SquareSet present = state.tokens.present[Idx(seat)];
      int tokens = std::popcount(present);
      if (tokens <= kFewMost) {
        tokens = 0;
        ForEachMember(present,
                      [&](int square) { tokens += state.tokens.ActiveCount(seat, square); });
      }
      few[Idx(seat)] = static_cast<std::uint8_t>(std::min(tokens, kFewMost + 1));
      if (G::IsActive(state, seat)) active_sides |= 1u << rules.side(seat);
    }
  }

  // Everything of the other sides together: what the sides before and those after it give.
  void NoteOthers(const RaceRules& rules) {
    if constexpr (G::kSeats == 2) {
      others = {own[1], own[0]};
    } else {
      std::array<Reach, kSeatCount + 1> before{};  // sides 0 .. i - 1
      std::array<Reach, kSeatCount + 1> from{};    // sides i ..
      const int sides = rules.sides();
      const auto add_side = [&](int side, Reach& sum) {
        for (int seat = side; seat < rules.players; seat += sides) sum.Add(own[Idx(seat)]);
      };
      for (int side = 0; side < sides; ++side) {
        before[Idx(side + 1)] = before[Idx(side)];
        add_side(side, before[Idx(side + 1)]);
      }
      for (int side = sides - 1; side >= 0; --side) {
        from[Idx(side)] = from[Idx(side + 1)];
        add_side(side, from[Idx(side)]);
      }
      for (int seat = 0; seat < rules.players; ++seat) {
        others[Idx(seat)] = before[Idx(rules.side(seat))];
        others[Idx(seat)].Add(from[Idx(rules.side(seat) + 1)]);
      }
    }
  }

  void NoteCollections(const RaceRules& rules, const State& state) {
    std::array<std::int64_t, kSeatCount> scores{};
    G::scores(rules, state, std::span(scores).first(Idx(Players(rules))));
    std::array<std::int64_t, kSeatCount> score_of{};  // by side
    std::array<int, kSeatCount> tokens_of{};
    out = 0;
    for (int seat = 0; seat < Players(rules); ++seat) {
      const Word collected = state.tokens.collected[Idx(seat)];
      out = static_cast<Word>(out + collected);
      score_of[Idx(rules.side(seat))] += scores[Idx(seat)];
      tokens_of[Idx(rules.side(seat))] += Counts::Total(collected);
    }
    const float scale = MarginScale(rules);
    for (int seat = 0; seat < Players(rules); ++seat) {
      const int own_side = rules.side(seat);
      std::int64_t best = 0;
      int most = 0;
      for (int side = 0; side < rules.sides(); ++side) {
        if (side == own_side) continue;
        best = std::max(best, score_of[Idx(side)]);
        most = std::max(most, tokens_of[Idx(side)]);
      }
      lead[Idx(seat)] = static_cast<float>(score_of[Idx(own_side)] - best) / scale;
      score[Idx(seat)] = static_cast<float>(scores[Idx(seat)]) / scale;
      best_other[Idx(seat)] = static_cast<float>(best) / scale;
      lead_tokens[Idx(seat)] =
          static_cast<std::uint8_t>(std::clamp(tokens_of[Idx(own_side)] - most, -8, 8) + 8);
    }
  }
};

}  // namespace berd
