// Hidden numbers: what a seat knows, and states drawn from it (rules page §8).

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "engine/core/find_action.h"
#include "engine/games.h"
#include "tests/engine/random_positions.h"

namespace berd {
namespace {

template <class Visit>
void ForHiddenRules(Visit&& visit) {
  int number = 0;
  ForTestedRules([&]<class G>(const typename G::Rules& rules) {
    if constexpr (requires { rules.hidden(); }) {
      if (!rules.hidden()) return;
      ++number;
      visit.template operator()<G>(rules);
    }
  });
  EXPECT_GE(number, 12);
}

// The same position with the values that `view` masks dealt anew among the tokens of their colour.
// Requires: the phase field is not masked, no stack is left out.
std::string Redeal(const std::string& position, const std::string& view, RandomStream& random) {
  // Every brace group is cut into its values; masked ones go into a pool of their colour.
  std::map<char, std::vector<int>> pool;
  std::string shape;  // the position with # for each masked value
  std::size_t v = 0;
  char color = 0;
  for (std::size_t p = 0; p < position.size();) {
    if (view.at(v) == '?' && position[p] != '?') {
      int value = 0;
      while (position[p] >= '0' && position[p] <= '9') value = 10 * value + (position[p++] - '0');
      pool[color].push_back(value);
      shape += '#';
      ++v;
      continue;
    }
    if (position[p + 1] == '{') color = position[p];
    EXPECT_EQ(position[p], view[v]);
    shape += position[p++];
    ++v;
  }
  for (auto& [letter, values] : pool) {
    for (std::size_t left = values.size(); left > 1; --left) {
      std::swap(values[left - 1], values[random.Below(static_cast<std::uint32_t>(left))]);
    }
  }
  std::string text;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    text += shape[i];
    if (shape[i] != '{' || shape[i + 1] != '#') continue;
    const auto close = shape.find('}', i);
    auto& values = pool[shape[i - 1]];
    std::vector<int> here;
    for (; i < close; ++i) {
      if (shape[i] != '#') continue;
      here.push_back(values.back());
      values.pop_back();
    }
    std::sort(here.begin(), here.end());
    for (std::size_t k = 0; k < here.size(); ++k) {
      text += (k > 0 ? "." : "") + std::to_string(here[k]);
    }
    text += '}';
  }
  return text;
}

TEST(Hidden, RedealMovesMaskedValuesOnly) {
  RandomStream random(1, 0, Purpose::kTest, 0);
  const std::string position = "board=3:A{10},5:B{20}/A{20.30} col=B{10};- phase=roll";
  const std::string view = "board=3:A{?},5:B{20}/A{?.?} col=B{10};- phase=roll";
  std::map<std::string, int> seen;
  for (int i = 0; i < 60; ++i) ++seen[Redeal(position, view, random)];
  EXPECT_EQ(seen.size(), 3u);
  EXPECT_GT(seen["board=3:A{20},5:B{20}/A{10.30} col=B{10};- phase=roll"], 5);
}

TEST(Hidden, SampledStatesAgreeWithTheView) {
  ForHiddenRules([]<class G>(const typename G::Rules& rules) {
    long number = 0;
    VisitPositions<G>(rules, 201, 300, [&](const auto& state) {
      if (++number % 5 != 0) return;
      RandomStream random(202, static_cast<std::uint64_t>(number), Purpose::kHidden, 0);
      for (int seat = 0; seat < rules.seats(); ++seat) {
        const std::string view = G::view(rules, state, Seat(seat));
        const auto seen = G::observe(rules, state, Seat(seat));
        ASSERT_EQ(G::view(rules, seen.state, Seat(seat)), view) << G::position(rules, state);
        const auto sample = G::sample_hidden(rules, seen, random);
        const std::string position = G::position(rules, sample);
        ASSERT_EQ(G::view(rules, sample, Seat(seat)), view) << position;
        const auto parsed = G::parse(rules, position);
        ASSERT_TRUE(parsed) << parsed.error().message;
        ASSERT_EQ(G::key(*parsed), G::key(sample)) << position;
        // What is observed is a possible position too …
        const auto shown = G::parse(rules, G::position(rules, seen.state));
        ASSERT_TRUE(shown) << shown.error().message;
        ASSERT_EQ(G::key(*shown), G::key(seen.state));
        // … and who decides has the same choices in all of them.
        if (G::waits(state) == Waits::kDecision && G::actor(state) == Seat(seat)) {
          ASSERT_EQ(NamedActions<G>(rules, sample), NamedActions<G>(rules, state)) << position;
          ASSERT_EQ(NamedActions<G>(rules, seen.state), NamedActions<G>(rules, state)) << position;
        }
      }
    });
  });
}

TEST(Hidden, ObservationsDoNotDependOnUnseenValues) {
  ForHiddenRules([]<class G>(const typename G::Rules& rules) {
    long number = 0;
    RandomStream random(203, 0, Purpose::kHidden, 0);
    VisitPositions<G>(rules, 204, 300, [&](const auto& state) {
      if (++number % 5 != 0) return;
      for (int i = 0; i < rules.seats(); ++i) {
        const Seat seat(i);
        const auto seen = G::observe(rules, state, seat);
        const auto expect_same = [&](const typename G::State& other) {
          const auto again = G::observe(rules, other, seat);
          ASSERT_EQ(G::position(rules, again.state), G::position(rules, seen.state));
          ASSERT_EQ(G::key(again.state), G::key(seen.state));
          ASSERT_EQ(again.unseen, seen.unseen);
          if constexpr (requires(const typename G::State& any) { any.history; }) {
            ASSERT_EQ(again.state.history, seen.state.history);
          }
        };
        expect_same(G::sample_hidden(rules, seen, random));
        // Dealt anew by other means than the engine's own.
        const std::string position = G::position(rules, state);
        const std::string view = G::view(rules, state, seat);
        const auto phase = [](const std::string& text) {
          return text.substr(text.find(" phase="));
        };
        if (phase(view) != phase(position) || phase(position).starts_with(" phase=place")) continue;
        const auto dealt = G::parse(rules, Redeal(position, view, random));
        ASSERT_TRUE(dealt) << dealt.error().message;
        ASSERT_EQ(G::view(rules, *dealt, seat), view);
        expect_same(*dealt);
      }
    });
  });
}

// Draws states from what `seat` knows of `position` and counts them.
std::map<std::string, int> CountSamples(const std::string& rules, const std::string& position,
                                        int seat, int draws) {
  std::map<std::string, int> counts;
  VisitGame(*ParseGame(rules), [&]<class G>(const typename G::Rules& parsed) {
    const auto state = G::parse(parsed, position);
    ASSERT_TRUE(state) << state.error().message;
    const auto seen = G::observe(parsed, *state, Seat(seat));
    RandomStream random(205, 0, Purpose::kHidden, 0);
    for (int i = 0; i < draws; ++i) {
      ++counts[G::position(parsed, G::sample_hidden(parsed, seen, random))];
    }
  });
  return counts;
}

void ExpectUniform(const std::map<std::string, int>& counts, std::size_t cases, int draws) {
  ASSERT_EQ(counts.size(), cases);
  const double expected = static_cast<double>(draws) / static_cast<double>(cases);
  double chi_square = 0;
  for (const auto& [position, count] : counts) {
    chi_square += (count - expected) * (count - expected) / expected;
  }
  const double freedom = static_cast<double>(cases) - 1;
  EXPECT_LE(chi_square, freedom + 6 * std::sqrt(2 * freedom) + 8);
}

TEST(Hidden, ArrangementsAreUniform) {
  // B's tokens on three squares: 3! arrangements; A's own captive of colour B is seen by A.
  ExpectUniform(CountSamples("race:short:2x3:hidden",
                             "n=3 home=0,2 board=1:A{10.20.30},16:B{20},18:B{10},20:B{30} col=-;- "
                             "turn=A phase=roll",
                             0, 6000),
                6, 6000);
  // Two on one square and one in B's collection: three arrangements.
  ExpectUniform(CountSamples("race:short:2x3:hidden",
                             "n=3 home=0,2 board=1:A{10.20.30},18:B{10.30} col=-;B{20} turn=A "
                             "phase=roll",
                             0, 6000),
                3, 6000);
  // A sees one of them as a captive: two left.
  ExpectUniform(CountSamples("race:short:2x3:hidden",
                             "n=3 home=0,2 board=1:A{10.20.30}/B{20},18:B{10},20:B{30} col=-;- "
                             "turn=A phase=roll",
                             0, 6000),
                2, 6000);
}

TEST(Hidden, TheMovedAndTheFinishedTokenAreUniform) {
  // A carries one of three tokens; B does not see which: nothing else is unknown but A's captive.
  ExpectUniform(CountSamples("race:short:2x3:hidden",
                             "n=3 home=0,2 board=1:A{10.20.30}/B{20},16:B{10.30} col=-;- turn=A "
                             "phase=carry:-:1/4@20:-",
                             1, 6000),
                3, 6000);
  // One of the two own tokens in A's collection has just finished.
  ExpectUniform(CountSamples("race:short:2x2:hidden",
                             "n=9 home=0,2 board=16:B{10.20} col=A{10.20};- turn=A "
                             "phase=pay:-:20:B",
                             1, 6000),
                2, 6000);
}

TEST(Hidden, PlacingIsOutOfSight) {
  // Two tokens of A somewhere on three columns: nine cases for B, one for A.
  const std::string position = "n=0 board=a1:A{10},c1:A{20} col=-;- lat=0,0 turn=A phase=place:2";
  ExpectUniform(CountSamples("duel:3x3:3:hidden", position, 1, 9000), 9, 9000);
  EXPECT_EQ(CountSamples("duel:3x3:3:hidden", position, 0, 10).size(), 1u);
  // Once A is done, B knows how many stand where, and values are uniform.
  ExpectUniform(
      CountSamples("duel:3x3:3:hidden",
                   "n=0 board=a1:A{10.30},c1:A{20} col=-;- lat=0,0 turn=B phase=place:0", 1, 6000),
      3, 6000);
}

TEST(Hidden, ObservationsOfADuelTellNothingOfEarlierPositions) {
  const auto rules = std::get<DuelRules>(*ParseRules("duel:3x3:5:hidden"));
  using G = Duel<true>;
  VisitPositions<G>(rules, 206, 300, [&](const auto& state) {
    for (const int seat : {0, 1}) {
      const auto seen = G::observe(rules, state, Seat(seat));
      EXPECT_LE(seen.state.history.size(), 1u);
    }
  });
}

TEST(Hidden, OpenGamesAreObservedAsTheyAre) {
  ForTestedRules([]<class G>(const typename G::Rules& rules) {
    if (HidesValues(rules)) return;
    RandomStream random(207, 0, Purpose::kHidden, 0);
    long number = 0;
    VisitPositions<G>(rules, 208, 200, [&](const auto& state) {
      if (++number % 20 != 0) return;
      const Seat seat(rules.seats() - 1);
      const std::string position = G::position(rules, state);
      ASSERT_EQ(G::view(rules, state, seat), position);
      const auto seen = G::observe(rules, state, seat);
      ASSERT_EQ(G::position(rules, seen.state), position);
      ASSERT_EQ(G::position(rules, G::sample_hidden(rules, seen, random)), position);
      ASSERT_EQ(G::key(seen.state), G::key(state));
    });
  });
}

}  // namespace
}  // namespace berd
