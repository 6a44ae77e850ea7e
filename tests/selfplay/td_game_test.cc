#include "selfplay/td_game.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "engine/games.h"
#include "nn/game_features.h"

namespace berd {
namespace {

template <Game G>
using Values = std::array<float, kMostValues<G>>;

// Values that depend on nothing but the state, different for almost all states.
template <Game G>
class StubEvaluator {
 public:
  void Evaluate(const typename G::Rules& rules, const typename G::State& /*near*/,
                std::span<const typename G::State* const> states, std::span<float> values) {
    const std::size_t size = ValuesPerState<G>(rules);
    for (std::size_t s = 0; s < states.size(); ++s) {
      const auto one = Value(rules, *states[s]);
      std::copy_n(one.begin(), size, values.begin() + static_cast<std::ptrdiff_t>(s * size));
    }
  }

  static Values<G> Value(const typename G::Rules& rules, const typename G::State& state) {
    constexpr auto kClasses = static_cast<std::size_t>(kOutcomeClasses<G>);
    Values<G> values{};
    float sum = 0;  // of sides, each once
    for (std::size_t i = 0; i < ValuesPerState<G>(rules); ++i) {
      const int seat = static_cast<int>(i / kClasses);
      const int side = G::side(rules, Seat(seat));
      const auto number = static_cast<std::uint64_t>(side) * kClasses + i % kClasses;
      values[i] = 1 + static_cast<float>(Mix64(G::key(state) + number) % 1000);
      bool first = true;
      for (int other = 0; other < seat; ++other) first &= G::side(rules, Seat(other)) != side;
      if (first) sum += values[i];
    }
    for (float& value : values) value /= sum;
    return values;
  }
};

static_assert(Evaluator<StubEvaluator<Race<Race2>>, Race<Race2>>);

template <Game G>
struct Played {
  std::vector<TdExample<G>> examples;
  RoundStats stats;
};

template <Game G>
Played<G> Play(const typename G::Rules& rules, std::uint64_t game, const SelfPlayOptions& options) {
  Played<G> played;
  TdGame<G, StubEvaluator<G>> player{StubEvaluator<G>()};
  played.stats = player.Play(rules, game, options, played.examples);
  return played;
}

// The best choice at a decision and its value, by looking at everything.
template <Game G>
struct Best {
  typename G::State state;
  Values<G> value{};
};

template <Game G>
Best<G> BestOf(const typename G::Rules& rules, const typename G::State& root) {
  Afterstates<G> afterstates;
  EXPECT_TRUE(afterstates.Enumerate(rules, root));
  const Seat seat = G::actor(root);
  Best<G> best;
  for (std::size_t i = 0; i < afterstates.size(); ++i) {
    Values<G> value{};
    if (G::waits(afterstates[i]) == Waits::kEnd) {
      FinalValues<G>(rules, afterstates[i], std::span(value).first(ValuesPerState<G>(rules)));
    } else {
      value = StubEvaluator<G>::Value(rules, afterstates[i]);
    }
    if (i == 0 || Utility<G>(rules, value, seat) > Utility<G>(rules, best.value, seat)) {
      best = {afterstates[i], value};
    }
  }
  return best;
}

// What the examples of a game must say, found by throwing the same dice again: the decision after
// each example and the end.
template <Game G>
struct Replay {
  std::vector<Best<G>> next;  // best choice at the decision after example t, if there is one
  typename G::State end;
};

template <Game G>
Replay<G> Follow(const typename G::Rules& rules, std::uint64_t game, std::uint64_t seed,
                 const std::vector<TdExample<G>>& examples) {
  std::array<std::uint32_t, kMaxSeats> events{};
  const auto to_decision = [&](typename G::State& state) {
    while (G::waits(state) == Waits::kChance) {
      const Seat turn = G::turn(state);
      RandomStream random(seed, game, Purpose::kChance,
                          ChanceIndex(turn, events[static_cast<std::size_t>(turn.index())]++));
      G::apply(rules, state, G::sample_chance(rules, state, random));
    }
  };
  Replay<G> replay;
  typename G::State state = G::initial(rules);
  to_decision(state);
  for (const auto& example : examples) {
    state = example.state;
    to_decision(state);
    if (G::waits(state) == Waits::kDecision) {
      replay.next.push_back(BestOf<G>(rules, state));
      replay.end = replay.next.back().state;
    } else {
      replay.end = state;
    }
  }
  return replay;
}

template <Game G>
Values<G> ResultOf(const typename G::Rules& rules, const typename G::State& end) {
  EXPECT_EQ(G::waits(end), Waits::kEnd);
  Values<G> values{};
  FinalValues<G>(rules, end, std::span(values).first(ValuesPerState<G>(rules)));
  return values;
}

template <Game G>
void ExpectNear(const Values<G>& actual, const Values<G>& expected, const std::string& what) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(actual[i], expected[i], 1e-6) << what << ", value " << i;
  }
}

// Calls visit.template operator()<G>(rules) for a few games of every kind.
template <class Visit>
void ForFewRules(Visit&& visit) {
  for (const auto* text : {"race:short:2x2", "race:short:2x3:points", "race:short:4x2:team=2",
                           "race:n=2:6x2:setup=rolled", "duel:3x3:3", "duel:3x3:2:points",
                           "backgammon", "bradspel", "birth:2", "birth:3:advanced"}) {
    SCOPED_TRACE(text);
    VisitGame(*ParseGame(text), visit);
  }
}

TEST(TdGame, ExamplesAreTheBestAfterstates) {
  ForFewRules([]<class G>(const typename G::Rules& rules) {
    const SelfPlayOptions options{.exploration = 0};
    const auto [examples, stats] = Play<G>(rules, 5, options);
    ASSERT_FALSE(examples.empty());
    const auto replay = Follow<G>(rules, 5, options.seed, examples);
    for (std::size_t t = 0; t + 1 < examples.size(); ++t) {
      EXPECT_EQ(G::key(examples[t + 1].state), G::key(replay.next[t].state)) << t;
    }
    EXPECT_EQ(G::waits(replay.end), Waits::kEnd);
    EXPECT_EQ(stats.turns, static_cast<std::int64_t>(G::turns(replay.end)));
    EXPECT_EQ(stats.decisions, static_cast<std::int64_t>(replay.next.size()) + 1);
    EXPECT_EQ(stats.capped, 0);
  });
}

TEST(TdGame, LambdaOneLearnsFromResults) {
  ForFewRules([]<class G>(const typename G::Rules& rules) {
    const SelfPlayOptions options{.exploration = 0, .lambda = 1};
    const auto [examples, stats] = Play<G>(rules, 6, options);
    const auto replay = Follow<G>(rules, 6, options.seed, examples);
    const auto result = ResultOf<G>(rules, replay.end);
    for (const auto& example : examples) ExpectNear<G>(example.values, result, "result");
  });
}

TEST(TdGame, LambdaZeroLearnsFromTheNextDecision) {
  ForFewRules([]<class G>(const typename G::Rules& rules) {
    const SelfPlayOptions options{.exploration = 0, .lambda = 0};
    const auto [examples, stats] = Play<G>(rules, 7, options);
    const auto replay = Follow<G>(rules, 7, options.seed, examples);
    for (std::size_t t = 0; t < replay.next.size(); ++t) {
      ExpectNear<G>(examples[t].values, replay.next[t].value, std::to_string(t));
    }
  });
}

TEST(TdGame, LambdaBetweenMixesBoth) {
  ForFewRules([]<class G>(const typename G::Rules& rules) {
    constexpr float kLambda = 0.7f;
    const SelfPlayOptions options{.exploration = 0, .lambda = kLambda};
    const auto [examples, stats] = Play<G>(rules, 8, options);
    const auto replay = Follow<G>(rules, 8, options.seed, examples);
    // The return after example t is the value at the next decision, mixed with what follows it.
    Values<G> target = ResultOf<G>(rules, replay.end);
    for (std::size_t t = examples.size(); t-- > 0;) {
      if (t < replay.next.size()) {
        for (std::size_t i = 0; i < target.size(); ++i) {
          target[i] = (1 - kLambda) * replay.next[t].value[i] + kLambda * target[i];
        }
      }
      ExpectNear<G>(examples[t].values, target, std::to_string(t));
    }
  });
}

TEST(TdGame, ExplorationCutsTheReturn) {
  ForFewRules([]<class G>(const typename G::Rules& rules) {
    const SelfPlayOptions options{.exploration = 0.3, .lambda = 1};
    int cuts = 0;
    int kept = 0;
    for (std::uint64_t game = 0; game < 20; ++game) {
      const auto [examples, stats] = Play<G>(rules, game, options);
      const auto replay = Follow<G>(rules, game, options.seed, examples);
      for (std::size_t t = 0; t + 1 < examples.size(); ++t) {
        if (G::key(examples[t + 1].state) != G::key(replay.next[t].state)) {
          ExpectNear<G>(examples[t].values, replay.next[t].value, "cut");
          ++cuts;
        } else if (examples[t].values != replay.next[t].value) {
          // Otherwise the decision explored and hit the best choice.
          ExpectNear<G>(examples[t].values, examples[t + 1].values, "kept");
          ++kept;
        }
      }
    }
    EXPECT_GT(cuts, 0);
    EXPECT_GT(kept, 0);
  });
}

TEST(TdGame, ExploringAlwaysLearnsFromBestValuesOnly) {
  ForFewRules([]<class G>(const typename G::Rules& rules) {
    const SelfPlayOptions options{.exploration = 1, .lambda = 1};
    const auto [examples, stats] = Play<G>(rules, 9, options);
    const auto replay = Follow<G>(rules, 9, options.seed, examples);
    for (std::size_t t = 0; t < replay.next.size(); ++t) {
      ExpectNear<G>(examples[t].values, replay.next[t].value, std::to_string(t));
    }
  });
}

// The mean over all outcomes of the chance event of the best value after each.
template <Game G>
Values<G> PlainExpectation(const typename G::Rules& rules, const typename G::State& state) {
  if (G::waits(state) == Waits::kDecision) return BestOf<G>(rules, state).value;
  ActionList<Outcome<typename G::Action>> outcomes;
  EXPECT_TRUE(G::chance(rules, state, outcomes));
  double total = 0;
  for (const auto& outcome : outcomes) total += outcome.weight;
  Values<G> mean{};
  for (const auto& outcome : outcomes) {
    auto next = state;
    G::apply(rules, next, outcome.action);
    Values<G> value{};
    if (G::waits(next) == Waits::kDecision) {
      value = BestOf<G>(rules, next).value;
    } else if (G::waits(next) == Waits::kEnd) {
      value = ResultOf<G>(rules, next);
    } else {  // no move: the next player is about to roll
      value = StubEvaluator<G>::Value(rules, next);
    }
    for (std::size_t i = 0; i < mean.size(); ++i) {
      mean[i] += static_cast<float>(outcome.weight / total) * value[i];
    }
  }
  return mean;
}

TEST(TdGame, ExactDiceIsTheMeanOverAllRolls) {
  for (const auto* text :
       {"race:short:2x2", "race:short:2x3:color", "race:short:2x2:cap=9", "backgammon:cap=40"}) {
    SCOPED_TRACE(text);
    VisitGame(*ParseGame(text), []<class G>(const typename G::Rules& rules) {
      const auto [examples, stats] = Play<G>(rules, 3, {.exploration = 0.1, .exact_dice = true});
      ASSERT_FALSE(examples.empty());
      for (const auto& example : examples) {
        ExpectNear<G>(example.values, PlainExpectation<G>(rules, example.state),
                      G::position(rules, example.state));
      }
    });
  }
}

TEST(TdGame, TargetsAreSharesBySide) {
  for (const auto* text : {"race:short:4x2:team=2", "race:n=2:6x2:team=3", "race:short:3x2",
                           "race:short:3x3:hidden", "duel:3x3:3:hidden"}) {
    SCOPED_TRACE(text);
    VisitGame(*ParseGame(text), []<class G>(const typename G::Rules& rules) {
      const auto [examples, stats] = Play<G>(rules, 1, {.exploration = 0.1, .lambda = 0.5});
      ASSERT_FALSE(examples.empty());
      for (const auto& example : examples) {
        std::array<float, kMaxSeats> of_side{};
        for (int seat = 0; seat < rules.seats(); ++seat) {
          const auto i = static_cast<std::size_t>(seat);
          float& side = of_side[static_cast<std::size_t>(G::side(rules, Seat(seat)))];
          if (side != 0) {
            EXPECT_FLOAT_EQ(side, example.values[i]);
          }
          side = example.values[i];
        }
        float sum = 0;
        for (const float share : of_side) sum += share;
        EXPECT_NEAR(sum, 1, 1e-5);
      }
    });
  }
}

TEST(TdGame, MarginIsTheLeadOverTheMeanOfTheOthers) {
  for (const auto* text : {"race:short:2x3", "race:short:3x2:points", "race:short:4x2:team=2",
                           "race:short:4x3:trade", "duel:3x3:3", "bradspel", "birth:3"}) {
    SCOPED_TRACE(text);
    VisitGame(*ParseGame(text), []<class G>(const typename G::Rules& rules) {
      const SelfPlayOptions options{.exploration = 0};
      const auto [examples, stats] = Play<G>(rules, 2, options);
      const auto replay = Follow<G>(rules, 2, options.seed, examples);
      const auto seats = static_cast<std::size_t>(rules.seats());
      std::vector<std::int64_t> scores(seats);
      G::scores(rules, replay.end, scores);
      std::vector<double> by_side(static_cast<std::size_t>(G::side(rules, Seat(0))) + 1);
      for (std::size_t i = 0; i < seats; ++i) {
        const auto side = static_cast<std::size_t>(G::side(rules, Seat(static_cast<int>(i))));
        if (side >= by_side.size()) by_side.resize(side + 1);
        by_side[side] += static_cast<double>(scores[i]);
      }
      double all = 0;
      for (const double score : by_side) all += score;
      for (std::size_t i = 0; i < seats; ++i) {
        const double own =
            by_side[static_cast<std::size_t>(G::side(rules, Seat(static_cast<int>(i))))];
        const double mean = (all - own) / static_cast<double>(by_side.size() - 1);
        const double expected = (own - mean) / double{Features<G>::MarginScale(rules)};
        for (const auto& example : examples) EXPECT_NEAR(example.margin[i], expected, 1e-5);
      }
    });
  }
}

template <Game G>
void ExpectSame(const std::vector<TdExample<G>>& a, const std::vector<TdExample<G>>& b,
                const typename G::Rules& rules) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t t = 0; t < a.size(); ++t) {
    EXPECT_EQ(G::position(rules, a[t].state), G::position(rules, b[t].state));
    EXPECT_EQ(a[t].values, b[t].values);
    EXPECT_EQ(a[t].margin, b[t].margin);
  }
}

TEST(TdGame, SameSeedSameExamples) {
  for (const auto* text : {"race:short:4x3", "race:short:3x3:hidden", "duel:3x3:4:hidden"}) {
    SCOPED_TRACE(text);
    VisitGame(*ParseGame(text), []<class G>(const typename G::Rules& rules) {
      const SelfPlayOptions options{.seed = 4, .exploration = 0.2};
      // A player that has played before must not remember it.
      TdGame<G, StubEvaluator<G>> player{StubEvaluator<G>()};
      std::vector<TdExample<G>> examples;
      player.Play(rules, 1, options, examples);
      player.Play(rules, 2, options, examples);
      ExpectSame<G>(examples, Play<G>(rules, 2, options).examples, rules);
      const auto other = Play<G>(rules, 3, options).examples;
      EXPECT_TRUE(other.size() != examples.size() ||
                  G::key(other.back().state) != G::key(examples.back().state));
    });
  }
}

TEST(TdGame, CountsCappedGames) {
  const auto rules = std::get<RaceRules>(*ParseRules("race:short:2x9:cap=7"));
  const auto [examples, stats] = Play<Race<Race2>>(rules, 1, {});
  EXPECT_EQ(stats.capped, 1);
  EXPECT_EQ(stats.turns, 7);
  const auto duel = std::get<DuelRules>(*ParseRules("duel:3x3:5:cap=3"));
  EXPECT_EQ(Play<Duel<false>>(duel, 1, {}).stats.capped, 1);
}

}  // namespace
}  // namespace berd
