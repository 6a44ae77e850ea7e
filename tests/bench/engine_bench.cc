// Speed of the rules: Engine/<what>/<rules string>. Positions come from random games with a fixed
// seed, so runs are comparable.

#include <benchmark/benchmark.h>

#include <array>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/afterstates.h"
#include "engine/games.h"

namespace berd {
namespace {

constexpr std::string_view kRules[] = {
    "race:short:2x9",
    "race:short:4x9",
    "race:short:16x9",
    "race:short:4x9:points",
    "race:short:4x9:trade",
    "race:short:4x9:team=2",
    "race:short:4x9:goal=20",
    "duel:3x3:5",
    "duel:4x4:6",
    "duel:3x3:5:points",
    "backgammon",
    "bradspel",
    "birth:2",
    "birth:3",
};
constexpr std::size_t kPositions = 512;

AnyRules Parsed(std::string_view rules) {
  auto game = ParseGame(rules);
  if (!game) {
    std::cerr << game.error().message << '\n';
    std::abort();
  }
  return *game;
}

// States that wait for a decision, every seventh one of random games. Large sets of prices are left
// out: they would hide the rest.
template <Game G>
std::vector<typename G::State> SampleDecisions(const typename G::Rules& rules) {
  std::vector<typename G::State> states;
  ActionList<typename G::Action> actions;
  for (std::uint64_t number = 0; states.size() < kPositions; ++number) {
    RandomStream random(1, number, Purpose::kTest, 0);
    auto state = G::initial(rules);
    for (int step = 0; G::waits(state) != Waits::kEnd; ++step) {
      if (G::waits(state) == Waits::kChance) {
        G::apply(rules, state, G::sample_chance(rules, state, random));
        continue;
      }
      if (step % 7 == 0 && states.size() < kPositions) {
        G::legal(rules, state, actions);
        if (actions.size() <= 100) states.push_back(state);
      }
      G::apply(rules, state, G::sample_legal(rules, state, random));
    }
  }
  return states;
}

// Whole games, uniform over the legal actions of each small step. Items: decisions.
template <Game G>
void RandomPlay(benchmark::State& bench, const typename G::Rules& rules) {
  std::int64_t decisions = 0;
  std::uint64_t games = 0;
  for (auto _ : bench) {
    RandomStream random(1, games++, Purpose::kTest, 0);
    auto state = G::initial(rules);
    while (true) {
      const Waits waits = G::waits(state);
      if (waits == Waits::kEnd) break;
      if (waits == Waits::kChance) {
        G::apply(rules, state, G::sample_chance(rules, state, random));
      } else {
        G::apply(rules, state, G::sample_legal(rules, state, random));
        ++decisions;
      }
    }
    benchmark::DoNotOptimize(state);
  }
  bench.SetItemsProcessed(decisions);
  bench.counters["games"] =
      benchmark::Counter(static_cast<double>(games), benchmark::Counter::kIsRate);
}

// Items: lists of legal actions.
template <Game G>
void Legal(benchmark::State& bench, const typename G::Rules& rules) {
  const auto states = SampleDecisions<G>(rules);
  ActionList<typename G::Action> actions;
  std::size_t next = 0;
  for (auto _ : bench) {
    G::legal(rules, states[next], actions);
    benchmark::DoNotOptimize(actions.begin());
    next = (next + 1) % kPositions;
  }
  bench.SetItemsProcessed(bench.iterations());
}

template <Game G>
void SampleLegal(benchmark::State& bench, const typename G::Rules& rules) {
  const auto states = SampleDecisions<G>(rules);
  RandomStream random(2, 0, Purpose::kTest, 0);
  std::size_t next = 0;
  for (auto _ : bench) {
    benchmark::DoNotOptimize(G::sample_legal(rules, states[next], random));
    next = (next + 1) % kPositions;
  }
  bench.SetItemsProcessed(bench.iterations());
}

// Copies a state and applies a legal action.
template <Game G>
void Apply(benchmark::State& bench, const typename G::Rules& rules) {
  const auto states = SampleDecisions<G>(rules);
  RandomStream random(2, 0, Purpose::kTest, 0);
  std::vector<typename G::Action> actions;
  for (const auto& state : states) actions.push_back(G::sample_legal(rules, state, random));
  std::size_t next = 0;
  for (auto _ : bench) {
    auto state = states[next];
    G::apply(rules, state, actions[next]);
    benchmark::DoNotOptimize(state);
    next = (next + 1) % kPositions;
  }
  bench.SetItemsProcessed(bench.iterations());
}

// Items: afterstates.
template <Game G>
void EnumerateAfterstates(benchmark::State& bench, const typename G::Rules& rules) {
  const auto states = SampleDecisions<G>(rules);
  Afterstates<G> afterstates;
  std::int64_t found = 0;
  std::size_t next = 0;
  for (auto _ : bench) {
    benchmark::DoNotOptimize(afterstates.Enumerate(rules, states[next]));
    found += static_cast<std::int64_t>(afterstates.size());
    next = (next + 1) % kPositions;
  }
  bench.SetItemsProcessed(found);
}

template <Game G>
void Print(benchmark::State& bench, const typename G::Rules& rules) {
  const auto states = SampleDecisions<G>(rules);
  std::size_t next = 0;
  for (auto _ : bench) {
    benchmark::DoNotOptimize(G::position(rules, states[next]));
    next = (next + 1) % kPositions;
  }
  bench.SetItemsProcessed(bench.iterations());
}

template <Game G>
void Parse(benchmark::State& bench, const typename G::Rules& rules) {
  std::vector<std::string> positions;
  for (const auto& state : SampleDecisions<G>(rules)) {
    positions.push_back(G::position(rules, state));
  }
  std::size_t next = 0;
  for (auto _ : bench) {
    benchmark::DoNotOptimize(G::parse(rules, positions[next]));
    next = (next + 1) % kPositions;
  }
  bench.SetItemsProcessed(bench.iterations());
}

template <Game G>
void RegisterFor(const typename G::Rules& rules) {
  using Function = void (*)(benchmark::State&, const typename G::Rules&);
  constexpr std::pair<const char*, Function> kSubjects[] = {
      {"RandomPlay", RandomPlay<G>},
      {"Legal", Legal<G>},
      {"SampleLegal", SampleLegal<G>},
      {"Apply", Apply<G>},
      {"Afterstates", EnumerateAfterstates<G>},
      {"Print", Print<G>},
      {"Parse", Parse<G>},
  };
  for (const auto& [what, function] : kSubjects) {
    const std::string name = std::string("Engine/") + what + "/" + rules.ToString();
    benchmark::RegisterBenchmark(
        name.c_str(),
        [function = function, rules](benchmark::State& bench) { function(bench, rules); });
  }
}

[[maybe_unused]] const bool kRegistered = [] {
  for (const auto rules : kRules) {
    VisitGame(Parsed(rules),
              []<class G>(const typename G::Rules& parsed) { RegisterFor<G>(parsed); });
  }
  return true;
}();

}  // namespace
}  // namespace berd
