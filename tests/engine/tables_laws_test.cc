// Laws that every game keeps (see engine/core/game.h), on the tables games, and their vectors.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "tests/engine/plausible.h"
#include "tests/engine/tables_positions.h"
#include "tests/engine/vector_lines.h"

namespace berd {
namespace {

static_assert(Game<Backgammon> && Game<Bradspel>);

template <class G>
class TablesLaws : public ::testing::Test {
 protected:
  using Rules = typename G::Rules;
  using State = typename G::State;
  using Action = typename G::Action;

  // Calls visit(rules, state) on positions of random games under all tested rules.
  template <class Visit>
  static void Visit_(std::uint64_t seed, long number, Visit&& visit) {
    for (const auto& text : TablesGame<G>::TestedRules()) {
      SCOPED_TRACE(text);
      const auto rules = RulesOf<G>(text);
      VisitTables<G>(rules, seed, number, [&](const State& state) { visit(rules, state); });
      if (::testing::Test::HasFatalFailure()) return;
    }
  }
};

using TablesGames = ::testing::Types<Backgammon, Bradspel>;
TYPED_TEST_SUITE(TablesLaws, TablesGames);

TYPED_TEST(TablesLaws, ChanceWeightsAreThoseOfTheDice) {
  using G = TypeParam;
  ActionList<Outcome<typename G::Action>> outcomes;
  this->Visit_(1, 500, [&](const auto& rules, const auto& state) {
    ASSERT_TRUE(G::chance(rules, state, outcomes));
    if (G::waits(state) != Waits::kChance) {
      ASSERT_TRUE(outcomes.empty());
      return;
    }
    std::uint32_t total = 0;
    std::string last;
    for (const auto& outcome : outcomes) {
      const std::string name = G::action_name(rules, state, outcome.action);
      ASSERT_LT(last, name);
      last = name;
      total += outcome.weight;
      if (name.starts_with("roll:")) {
        ASSERT_EQ(outcome.weight, name[5] == name[6] ? 1u : 2u) << name;
      } else {
        ASSERT_EQ(outcome.weight, 1u);
      }
    }
    ASSERT_EQ(total, G::turns(state) == 0 && outcomes.size() != 21 ? outcomes.size() : 36u);
  });
}

TYPED_TEST(TablesLaws, SampledChanceFollowsTheWeights) {
  using G = TypeParam;
  const auto rules = RulesOf<G>(TablesGame<G>::TestedRules()[0]);
  RandomStream random(2, 0, Purpose::kTest, 0);
  auto state = G::initial(rules);
  for (int chances = 0; chances < 2;) {
    if (G::waits(state) == Waits::kChance) {
      ++chances;
      ActionList<Outcome<typename G::Action>> outcomes;
      G::chance(rules, state, outcomes);
      std::vector<long> counts(outcomes.size());
      std::vector<double> weights;
      for (const auto& outcome : outcomes) weights.push_back(outcome.weight);
      for (int i = 0; i < 36000; ++i) {
        ++counts.at(static_cast<std::size_t>(G::sample_chance(rules, state, random)));
      }
      ExpectPlausible(counts, weights);
    }
    G::apply(rules, state, TablesStep<G>(rules, state, 0, random));
  }
}

TYPED_TEST(TablesLaws, ActionsAscendAndSamplesAreAmongThem) {
  using G = TypeParam;
  ActionList<typename G::Action> actions;
  RandomStream random(3, 0, Purpose::kTest, 0);
  this->Visit_(4, 4000, [&](const auto& rules, const auto& state) {
    G::legal(rules, state, actions);
    ASSERT_EQ(actions.empty(), G::waits(state) != Waits::kDecision);
    if (actions.empty()) return;
    for (std::size_t i = 1; i < actions.size(); ++i) {
      ASSERT_LT(actions[i - 1], actions[i]) << G::position(rules, state);
    }
    for (int i = 0; i < 3; ++i) {
      ASSERT_TRUE(
          std::binary_search(actions.begin(), actions.end(), G::sample_legal(rules, state, random)))
          << G::position(rules, state);
    }
  });
}

TYPED_TEST(TablesLaws, SampledActionsAreUniform) {
  using G = TypeParam;
  ActionList<typename G::Action> actions;
  RandomStream random(5, 0, Purpose::kTest, 0);
  this->Visit_(6, 4000, [&](const auto& rules, const auto& state) {
    if (G::waits(state) != Waits::kDecision || random.Below(20) != 0) return;
    G::legal(rules, state, actions);
    if (actions.size() < 2) return;
    std::vector<long> counts(actions.size());
    for (std::size_t i = 0; i < 40 * actions.size(); ++i) {
      const auto at =
          std::lower_bound(actions.begin(), actions.end(), G::sample_legal(rules, state, random));
      ++counts[static_cast<std::size_t>(at - actions.begin())];
    }
    SCOPED_TRACE(G::position(rules, state));
    ExpectPlausible(counts, std::vector<double>(counts.size(), 1.0));
  });
}

TYPED_TEST(TablesLaws, PositionsRoundTrip) {
  using G = TypeParam;
  this->Visit_(7, 4000, [&](const auto& rules, const auto& state) {
    const std::string position = G::position(rules, state);
    const auto parsed = G::parse(rules, position);
    ASSERT_TRUE(parsed) << parsed.error().message;
    ASSERT_EQ(*parsed, state) << position;
    ASSERT_EQ(G::key(*parsed), G::key(state)) << position;
    ASSERT_EQ(G::view(rules, state, Seat(1)), position);
    RandomStream random(8, 0, Purpose::kTest, 0);
    const auto observed = G::observe(rules, state, Seat(0));
    ASSERT_EQ(G::sample_hidden(rules, observed, random), state);
  });
}

TYPED_TEST(TablesLaws, ActionNamesRoundTrip) {
  using G = TypeParam;
  long number = 0;
  this->Visit_(9, 1500, [&](const auto& rules, const auto& state) {
    if (++number % 10 != 0 || G::waits(state) == Waits::kEnd) return;
    const auto named = NamedActions<G>(rules, state);
    std::set<std::string> names;
    for (const auto& [name, action] : named) {
      ASSERT_TRUE(names.insert(name).second) << name;
      if (named.size() > 60) continue;
      const auto found = G::parse_action(rules, state, name);
      ASSERT_TRUE(found) << found.error().message;
      ASSERT_EQ(*found, action);
    }
    const auto wrong = G::parse_action(rules, state, "99/98");
    ASSERT_FALSE(wrong);
    ASSERT_THAT(wrong.error().message,
                ::testing::HasSubstr("'99/98' is not legal here; legal: " + *names.begin()));
  });
}

TYPED_TEST(TablesLaws, KeysTellPositionsApart) {
  using G = TypeParam;
  for (const auto& text : TablesGame<G>::TestedRules()) {
    const auto rules = RulesOf<G>(text);
    std::unordered_map<std::uint64_t, std::string> position_of;
    std::unordered_map<std::string, std::uint64_t> key_of;
    VisitTables<G>(rules, 10, 60000, [&](const auto& state) {
      const std::string full = G::position(rules, state);
      const std::string position = full.substr(full.find(' ') + 1);
      const std::uint64_t key = G::key(state);
      ASSERT_EQ(position_of.emplace(key, position).first->second, position);
      ASSERT_EQ(key_of.emplace(position, key).first->second, key) << position;
    });
  }
}

TYPED_TEST(TablesLaws, SharesAndScoresAgreeWithTheOutcome) {
  using G = TypeParam;
  for (const auto& text : TablesGame<G>::TestedRules()) {
    const auto rules = RulesOf<G>(text);
    long ends = 0;
    VisitTables<G>(rules, 11, 40000, [&](const auto& state) {
      std::vector<std::int64_t> scores(2, -1);
      G::scores(rules, state, scores);
      if (G::waits(state) != Waits::kEnd) {
        ASSERT_EQ(scores, (std::vector<std::int64_t>{0, 0}));
        return;
      }
      ++ends;
      std::vector<WinShare> shares(2);
      G::win_shares(rules, state, shares);
      const auto outcome = G::outcome(state);
      const auto winner = static_cast<std::size_t>(outcome.winner.index());
      if (scores[0] == 0 && scores[1] == 0) {
        ASSERT_EQ(G::turns(state), rules.cap);
        ASSERT_EQ(shares, (std::vector<WinShare>{{1, 2}, {1, 2}}));
      } else {
        ASSERT_GT(scores[winner], 0);
        ASSERT_EQ(scores[1 - winner], 0);
        ASSERT_EQ(shares[winner], (WinShare{1, 1}));
        ASSERT_EQ(shares[1 - winner], (WinShare{0, 1}));
      }
    });
    ASSERT_GT(ends, 20);
  }
}

TYPED_TEST(TablesLaws, SameSeedSameGame) {
  using G = TypeParam;
  const auto rules = RulesOf<G>(TablesGame<G>::TestedRules()[0]);
  const auto play = [&](std::uint64_t seed) {
    std::vector<std::uint64_t> keys;
    VisitTables<G>(rules, seed, 500, [&](const auto& state) { keys.push_back(G::key(state)); });
    return keys;
  };
  const auto keys = play(12);
  ASSERT_EQ(keys, play(12));
  ASSERT_NE(keys, play(13));
}

// The novice is no player to be proud of, but far from a random one.
TYPED_TEST(TablesLaws, NoviceBeatsRandomPlay) {
  using G = TypeParam;
  const auto rules = RulesOf<G>(TablesGame<G>::TestedRules()[0]);
  int wins = 0;
  for (std::uint64_t game = 0; game < 200; ++game) {
    RandomStream random(14, game, Purpose::kTest, 0);
    const Seat novice(static_cast<int>(game % 2));
    auto state = G::initial(rules);
    while (G::waits(state) != Waits::kEnd) {
      const bool best = G::waits(state) == Waits::kDecision && G::actor(state) == novice;
      G::apply(rules, state,
               best ? BestOfNovice<G>(rules, state, 1) : TablesStep<G>(rules, state, 0, random));
    }
    std::vector<std::int64_t> scores(2);
    G::scores(rules, state, scores);
    wins += scores[static_cast<std::size_t>(novice.index())] > 0 ? 1 : 0;
  }
  EXPECT_GT(wins, 150);
}

TYPED_TEST(TablesLaws, RulesStringsAreCanonical) {
  using G = TypeParam;
  for (const auto& text : TablesGame<G>::TestedRules()) {
    EXPECT_EQ(RulesOf<G>(text).ToString(), text);
  }
}

// ---- Vectors ------------------------------------------------------------------------------------

template <Game G>
void ReplayVector(const VectorLine& line) {
  const auto rules = RulesOf<G>(line.rules);
  auto state = G::initial(rules);
  for (const auto& step : line.steps) {
    ASSERT_EQ(G::position(rules, state), step.position);
    std::vector<std::string> names;
    for (const auto& [name, action] : NamedActions<G>(rules, state)) names.push_back(name);
    ASSERT_EQ(names, step.legal) << step.position;
    const auto action = G::parse_action(rules, state, step.action);
    ASSERT_TRUE(action) << action.error().message;
    G::apply(rules, state, *action);
  }
  ASSERT_EQ(G::position(rules, state), line.end);
  ASSERT_EQ(G::waits(state), Waits::kEnd);
  std::vector<std::int64_t> scores(2);
  std::vector<WinShare> shares(2);
  G::scores(rules, state, scores);
  G::win_shares(rules, state, shares);
  for (std::size_t seat = 0; seat < 2; ++seat) {
    ASSERT_EQ(scores[seat], line.scores[seat]);
    const std::string share =
        std::to_string(shares[seat].numerator) +
        (shares[seat].denominator == 1 ? "" : "/" + std::to_string(shares[seat].denominator));
    ASSERT_EQ(share, line.win_shares[seat]);
  }
}

TYPED_TEST(TablesLaws, ReproducesTheVectors) {
  using G = TypeParam;
  const auto lines = ReadVectors(std::string(G::kFacts.name));
  ASSERT_GE(lines.size(), 8u);
  for (const auto& line : lines) {
    ASSERT_FALSE(line.truncated);
    ASSERT_NO_FATAL_FAILURE(ReplayVector<G>(line));
  }
}

}  // namespace
}  // namespace berd
