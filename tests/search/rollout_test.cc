#include "search/rollout/rollout.h"

#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <cmath>
#include <iostream>
#include <map>

#include "search/play.h"
#include "search/rollout/rollout_agent.h"
#include "tests/search/hash_evaluator.h"
#include "tests/search/search_positions.h"

namespace berd {
namespace {

using Small = Race<Race2>;

// What everybody's one-ply choice comes to exactly, for tiny games: the mean of the results.
template <Game G, class E>
class ExactPlay {
 public:
  using Values = std::array<double, kMostValues<G>>;
  ExactPlay(const typename G::Rules& rules, const E& evaluator) : rules_(rules), look_(evaluator) {}

  const Values& Value(const typename G::State& state) {
    const auto place = std::pair(G::key(state), G::turns(state));
    if (const auto found = known_.find(place); found != known_.end()) return found->second;
    Values values{};
    switch (G::waits(state)) {
      case Waits::kEnd: {
        std::array<float, kMostValues<G>> end{};
        FinalValues<G>(rules_, state, std::span(end).first(ValuesPerState<G>(rules_)));
        std::copy(end.begin(), end.end(), values.begin());
        break;
      }
      case Waits::kDecision: {
        look_.Look(rules_, state);
        const auto next = look_.state(look_.Best(G::actor(state)));
        values = Value(next);
        break;
      }
      case Waits::kChance: {
        ActionList<Outcome<typename G::Action>> outcomes;
        EXPECT_TRUE(G::chance(rules_, state, outcomes));
        double total = 0;
        for (const auto& outcome : outcomes) total += outcome.weight;
        for (const auto& outcome : outcomes) {
          auto next = state;
          G::apply(rules_, next, outcome.action);
          const Values& part = Value(next);
          for (std::size_t i = 0; i < values.size(); ++i) {
            values[i] += outcome.weight / total * part[i];
          }
        }
        break;
      }
    }
    return known_.emplace(place, values).first->second;
  }

 private:
  const typename G::Rules& rules_;
  OnePly<G, E> look_;
  std::map<std::pair<std::uint64_t, std::uint32_t>, Values> known_;
};

// An evaluator of backgammon by pips, good for even races: single wins by the difference.
struct PipEvaluator {
  void Evaluate(const BackgammonRules&, const BackgammonState&,
                std::span<const BackgammonState* const> states, std::span<float> values) const {
    for (const BackgammonState* state : states) {
      const auto own = static_cast<float>(Pips(state->men[0]));
      const auto other = static_cast<float>(Pips(state->men[1]));
      const float lead = other - own + (state->turn == 0 ? 4.0f : -4.0f);
      const float share = 1 / (1 + std::exp(-lead / (1 + 0.75f * std::sqrt(own + other))));
      std::fill_n(values.begin(), 6, 0.0f);
      values[0] = share;
      values[3] = 1 - share;
      values = values.subspan(6);
    }
  }
};

template <Game G>
std::vector<typename G::State> FirstAfterstates(const typename G::Rules& rules,
                                                const typename G::State& decision,
                                                std::size_t number) {
  Afterstates<G> afterstates;
  EXPECT_TRUE(afterstates.Enumerate(rules, decision));
  std::vector<typename G::State> states;
  for (std::size_t i = 0; i < std::min(number, afterstates.size()); ++i) {
    states.push_back(afterstates[i]);
  }
  return states;
}

template <class State>
std::vector<std::span<const State>> Candidates(const std::vector<State>& states) {
  std::vector<std::span<const State>> candidates;
  for (const State& state : states) candidates.emplace_back(&state, 1);
  return candidates;
}

template <Game G, class E>
void FindsTheExactValue(std::string_view text, const E& evaluator, std::size_t before) {
  SCOPED_TRACE(std::string(text));
  const auto rules = RulesOf<G>(text);
  ExactPlay<G, E> exact(rules, evaluator);
  const std::size_t size = ValuesPerState<G>(rules);
  for (const auto& decision : LateDecisions<G>(rules, 3, before, before + 1)) {
    const auto states = FirstAfterstates<G>(rules, decision, 2);
    for (const bool cancel : {true, false}) {
      for (const bool stratify : {true, false}) {
        Rollout<G, E> rollout(
            evaluator, {.games = 648, .cancel_luck = cancel, .stratify = stratify, .seed = 7});
        rollout.Run(rules, Candidates(states), G::actor(decision));
        EXPECT_EQ(rollout.games(), 648);
        for (std::size_t c = 0; c < states.size(); ++c) {
          const auto& result = rollout.results()[c];
          const auto expected = exact.Value(states[c]);
          double sum = 0;
          for (std::size_t i = 0; i < size; ++i) {
            EXPECT_NEAR(result.values[i], expected[i], 4.5 * result.errors[i] + 1e-6)
                << cancel << stratify << " " << G::position(rules, states[c]);
            sum += result.values[i];
          }
          EXPECT_NEAR(sum, 1, 1e-5);
        }
      }
    }
  }
}

TEST(Rollout, IsUnbiased) {
  FindsTheExactValue<Small>("race:n=1:2x1:cap=12", HashEvaluator<Small>{}, 1);
  FindsTheExactValue<Race<Race4>>("race:n=1:3x1:cap=9", HashEvaluator<Race<Race4>>{}, 2);
  FindsTheExactValue<Backgammon>("backgammon", PipEvaluator{}, 1);
}

// An even race without contact; `phase` is roll or play:<dice>.
BackgammonState EvenRace(const BackgammonRules& rules, const std::string& phase) {
  const auto state =
      Backgammon::parse(rules, "n=30 w=6:5,5:5,4:5/0/0 b=6:5,5:5,4:5/0/0 turn=W phase=" + phase);
  EXPECT_TRUE(state) << state.error().message;
  return *state;
}

TEST(Rollout, CancelsLuckByHalfOrMore) {
  const auto rules = RulesOf<Backgammon>("backgammon");
  const std::vector states{EvenRace(rules, "roll")};
  const auto variance = [&](bool cancel) {
    Rollout<Backgammon, PipEvaluator> rollout({}, {.games = 216, .cancel_luck = cancel});
    rollout.Run(rules, Candidates(states), Seat(0));
    const double error = rollout.results()[0].utility.error;
    return error * error;
  };
  const double ratio = variance(true) / variance(false);
  std::cout << "variance with luck cancelled / without: " << ratio << '\n';
  EXPECT_LT(ratio, 0.5);
}

TEST(Rollout, SameResultForAnyNumberOfThreads) {
  const auto rules = RulesOf<Backgammon>("backgammon");
  const auto decision = EvenRace(rules, "play:31");
  const auto states = FirstAfterstates<Backgammon>(rules, decision, 3);
  std::vector<double> seen;
  tbb::global_control control(tbb::global_control::max_allowed_parallelism, 4);
  for (const int threads : {1, 2, 4}) {
    Rollout<Backgammon, PipEvaluator> rollout({}, {.games = 50, .truncate = 3, .threads = threads});
    for (int again = 0; again < 2; ++again) {
      rollout.Run(rules, Candidates(states), Backgammon::actor(decision));
      std::vector<double> numbers;
      for (const auto& result : rollout.results()) {
        numbers.insert(numbers.end(), result.values.begin(), result.values.end());
        numbers.push_back(result.utility.error);
        numbers.push_back(result.behind.mean);
        numbers.push_back(result.behind.error);
      }
      if (seen.empty()) seen = numbers;
      EXPECT_EQ(seen, numbers) << threads;
    }
  }
}

TEST(Rollout, CommonDiceMakeDifferencesSharper) {
  const auto rules = RulesOf<Backgammon>("backgammon");
  const auto decision = EvenRace(rules, "play:31");
  const auto states = FirstAfterstates<Backgammon>(rules, decision, 4);
  Rollout<Backgammon, PipEvaluator> rollout({}, {.games = 144, .cancel_luck = false});
  rollout.Run(rules, Candidates(states), Backgammon::actor(decision));
  const auto results = rollout.results();
  const double best_error = results[rollout.best()].utility.error;
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (i == rollout.best()) {
      EXPECT_EQ(results[i].behind.mean, 0);
      EXPECT_EQ(results[i].behind.error, 0);
      continue;
    }
    EXPECT_GE(results[i].behind.mean, 0);
    EXPECT_LT(results[i].behind.error, std::hypot(best_error, results[i].utility.error));
  }
}

TEST(Rollout, StopsAtTheStandardErrorAndTruncates) {
  const auto rules = RulesOf<Backgammon>("backgammon");
  const auto decision = EvenRace(rules, "play:31");
  const auto states = FirstAfterstates<Backgammon>(rules, decision, 2);
  const auto games = [&](double error, int truncate) {
    Rollout<Backgammon, PipEvaluator> rollout(
        {}, {.games = 180, .truncate = truncate, .standard_error = error});
    rollout.Run(rules, Candidates(states), Backgammon::actor(decision));
    for (const auto& result : rollout.results()) {
      if (rollout.games() < 180) {
        EXPECT_LE(result.behind.error, error);
      }
    }
    return std::pair(rollout.games(), rollout.results()[0].utility.mean);
  };
  EXPECT_EQ(games(0, 3).first, 180);
  EXPECT_EQ(games(10, 3).first, 2 * RolloutOptions::kBlock);
  EXPECT_LT(games(0.05, 3).first, 180);
  EXPECT_NE(games(10, 1).second, games(10, 3).second);
}

TEST(Rollout, StopsInTimeAfterOneBlockAtLeast) {
  const auto rules = RulesOf<Backgammon>("backgammon");
  const auto decision = EvenRace(rules, "play:31");
  const auto states = FirstAfterstates<Backgammon>(rules, decision, 2);
  const auto games = [&](std::chrono::nanoseconds time) {
    Rollout<Backgammon, PipEvaluator> rollout({}, {.games = 108, .truncate = 2, .time = time});
    rollout.Run(rules, Candidates(states), Backgammon::actor(decision));
    return rollout.games();
  };
  EXPECT_EQ(games(std::chrono::nanoseconds(1)), RolloutOptions::kBlock);
  EXPECT_EQ(games(std::chrono::hours(1)), 108);
}

TEST(OutcomeOrder, DealsOutcomesInProportion) {
  OutcomeOrder order(3);
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> pairs;
  for (std::uint64_t block = 0; block < 36; ++block) {
    std::map<std::uint32_t, int> first;
    std::map<std::uint32_t, int> second;
    for (std::uint64_t game = 36 * block; game < 36 * (block + 1); ++game) {
      const auto a = order.Case(0, game, 36, 36);
      const auto b = order.Case(1, game, 36, 36);
      ++first[a];
      ++second[b];
      ++pairs[{a, b}];
    }
    EXPECT_EQ(first.size(), 36u);
    EXPECT_EQ(second.size(), 36u);
  }
  EXPECT_EQ(pairs.size(), 1296u);
  OutcomeOrder uneven(3);
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> small;
  for (std::uint64_t game = 0; game < 35; ++game) {
    ++small[{uneven.Case(0, game, 5, 5), uneven.Case(1, game, 7, 5)}];
  }
  EXPECT_EQ(small.size(), 35u);
}

template <Game G>
void PlaysToTheEnd(std::string_view text) {
  SCOPED_TRACE(std::string(text));
  const auto rules = RulesOf<G>(text);
  RolloutAgent<G, HashEvaluator<G>> agent(
      {}, {.games = 3, .truncate = 2, .filter = {.count = 2, .margin = 1}}, 2);
  const std::vector<Agent<G>*> seats(static_cast<std::size_t>(rules.seats()), &agent);
  auto state = G::initial(rules);
  EXPECT_GT(PlayOn<G>(rules, state, seats, {.seed = 1}), 0);
  EXPECT_EQ(G::waits(state), Waits::kEnd);
}

TEST(RolloutAgent, PlaysEveryGame) {
  PlaysToTheEnd<Race<Race4>>("race:short:4x1:team=2");
  PlaysToTheEnd<Race<Race4>>("race:short:3x1:trade");
  PlaysToTheEnd<Race<Race4Valued>>("race:short:3x1:hidden");
  PlaysToTheEnd<Duel<false>>("duel:3x3:3");
  PlaysToTheEnd<Birth>("birth:3:advanced+opening");
}

TEST(RolloutAgent, RanksWhatItChooses) {
  const auto rules = RulesOf<Backgammon>("backgammon");
  RolloutAgent<Backgammon, PipEvaluator> agent({}, {.games = 36, .truncate = 2}, 1);
  ActionList<Backgammon::Action> path;
  std::vector<RankedPath<Backgammon::Action>> ranked;
  for (const auto& state : LateDecisions<Backgammon>(rules, 4)) {
    const auto seen = Backgammon::observe(rules, state, Backgammon::actor(state));
    // The random numbers of a ranking belong to the position.
    RandomStream random(0, Backgammon::key(state) >> 8, Purpose::kHidden, 0);
    agent.Choose(rules, seen, random, path);
    EXPECT_EQ(agent.Rank(rules, seen, 3, ranked), RankedBy::kEquity);
    ASSERT_FALSE(ranked.empty());
    EXPECT_EQ(ranked[0].path, std::vector(path.begin(), path.end()));
  }
}

// A choice is a function of the agent's random numbers, and other numbers give other dice.
TEST(RolloutAgent, DrawsItsDice) {
  using G = Race<Race2>;
  const auto rules = RulesOf<G>("race:short:2x4");
  RolloutAgent<G, HashEvaluator<G>> agent({}, {.games = 2, .filter = {.count = 8, .margin = 1}}, 1);
  int differ = 0;
  for (const auto& state : LateDecisions<G>(rules, 12, 6)) {
    const auto seen = G::observe(rules, state, G::actor(state));
    const auto choose = [&](std::uint64_t seed) {
      ActionList<G::Action> path;
      RandomStream random(seed, 0, Purpose::kAgent, 0);
      agent.Choose(rules, seen, random, path);
      return std::vector(path.begin(), path.end());
    };
    EXPECT_EQ(choose(1), choose(1));
    for (std::uint64_t seed = 2; seed < 6; ++seed) differ += choose(seed) != choose(1) ? 1 : 0;
  }
  EXPECT_GT(differ, 0);
}

}  // namespace
}  // namespace berd
