// Speed of the searches: <search>/<evaluator>/<rules string>[/<size>]. A search begins anew at one
// of a few decisions of random games with a fixed seed, so runs are comparable. Counters:
// simulations/s and nodes/s of the tree search, nodes/s and evaluations/s of expectiminimax,
// games/s of rollouts and the variance of one; `cpu_us` is the processor time of all threads a
// simulation, node or game, in microseconds. For rollouts, `variance*cpu_us` is what counts: the
// time that a wished-for standard error takes grows with it.

#include <benchmark/benchmark.h>

#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/core/afterstates.h"
#include "engine/games.h"
#include "nn/net_evaluator.h"
#include "nn/network.h"
#include "search/constant_evaluator.h"
#include "search/expectiminimax/expectiminimax.h"
#include "search/mcts/search.h"
#include "search/playout_evaluator.h"
#include "search/rollout/rollout.h"
#include "test_paths.h"

namespace berd {
namespace {

constexpr std::size_t kPositions = 8;

template <Game G>
typename G::Rules Parsed(std::string_view text) {
  auto game = ParseGame(text);
  if (!game) {
    std::cerr << game.error().message << '\n';
    std::abort();
  }
  return std::get<GameWithRules<G>>(*game).rules;
}

// Decisions with something to choose, every eleventh one of random games.
template <Game G>
std::vector<typename G::State> SampleDecisions(const typename G::Rules& rules) {
  std::vector<typename G::State> states;
  Afterstates<G> afterstates;
  for (std::uint64_t number = 0; states.size() < kPositions; ++number) {
    RandomStream random(1, number, Purpose::kTest, 0);
    auto state = G::initial(rules);
    for (int step = 1; G::waits(state) != Waits::kEnd; ++step) {
      if (G::waits(state) == Waits::kChance) {
        G::apply(rules, state, G::sample_chance(rules, state, random));
        continue;
      }
      if (step % 11 == 0 && states.size() < kPositions && afterstates.Enumerate(rules, state) &&
          afterstates.size() > 1) {
        states.push_back(state);
      }
      G::apply(rules, state, G::sample_legal(rules, state, random));
    }
  }
  return states;
}

// Processor time of all threads of this process, in seconds.
double ProcessorSeconds() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

benchmark::Counter Rate(double number) { return {number, benchmark::Counter::kIsRate}; }

template <Game G, Evaluator<G> E>
void RunMcts(benchmark::State& bench, const typename G::Rules& rules, const E& evaluator,
             MctsOptions options, std::int64_t simulations) {
  options.reuse = false;
  const auto states = SampleDecisions<G>(rules);
  Mcts<G, E> search(evaluator, options);
  MctsStats all;
  const double before = ProcessorSeconds();
  for (auto _ : bench) {
    for (const auto& state : states) {
      const MctsStats& stats = search.Search(rules, state, {.simulations = simulations}, 1);
      all.simulations += stats.simulations;
      all.nodes += stats.nodes;
      all.evaluations += stats.evaluations;
    }
  }
  const auto number = static_cast<double>(all.simulations);
  bench.counters["simulations/s"] = Rate(number);
  bench.counters["nodes/s"] = Rate(static_cast<double>(all.nodes));
  bench.counters["evaluations"] = static_cast<double>(all.evaluations) / number;
  bench.counters["cpu_us"] = 1e6 * (ProcessorSeconds() - before) / number;
}

template <Game G, Evaluator<G> E>
void RunExpectiminimax(benchmark::State& bench, const typename G::Rules& rules, const E& evaluator,
                       const ExpectiminimaxOptions& options) {
  const auto states = SampleDecisions<G>(rules);
  Expectiminimax<G, E> search(evaluator, options);
  double nodes = 0;
  double evaluations = 0;
  const double before = ProcessorSeconds();
  for (auto _ : bench) {
    for (const auto& state : states) {
      search.Search(rules, state);
      nodes += static_cast<double>(search.stats().nodes);
      evaluations += static_cast<double>(search.stats().evaluations);
    }
  }
  bench.counters["cpu_us"] = 1e6 * (ProcessorSeconds() - before) / nodes;
  bench.counters["nodes/s"] = Rate(nodes);
  bench.counters["evaluations/s"] = Rate(evaluations);
}

// Games of one candidate. As in Rollout, the variance takes games as independent: where dice are
// stratified the true one is smaller.
template <Game G, Evaluator<G> E>
void RunRollout(benchmark::State& bench, const typename G::Rules& rules, const E& evaluator,
                const RolloutOptions& options) {
  const auto states = SampleDecisions<G>(rules);
  Rollout<G, E> rollout(evaluator, options);
  double games = 0;
  double variance = 0;
  const double before = ProcessorSeconds();
  for (auto _ : bench) {
    for (const auto& state : states) {
      const std::span<const typename G::State> candidate(&state, 1);
      rollout.Run(rules, std::span(&candidate, 1), G::actor(state));
      games += rollout.games();
      const double error = rollout.results()[0].utility.error;
      variance += error * error * rollout.games() * rollout.games();
    }
  }
  const double cpu_us = 1e6 * (ProcessorSeconds() - before) / games;
  bench.counters["cpu_us"] = cpu_us;
  bench.counters["games/s"] = Rate(games);
  bench.counters["variance"] = variance / games;
  bench.counters["variance*cpu_us"] = variance / games * cpu_us;
}

template <class Function>
void Register(const std::string& name, Function&& function) {
  benchmark::RegisterBenchmark(name.c_str(), std::forward<Function>(function))->UseRealTime();
}

template <Game G, Evaluator<G> E>
void RegisterExpectiminimax(const std::string& name, const typename G::Rules& rules,
                            const E& evaluator) {
  Register("Expectiminimax/" + name + "/2", [=](benchmark::State& bench) {
    RunExpectiminimax<G, E>(bench, rules, evaluator, {.plies = 2});
  });
  // Everything, without a cache: to compare nodes with other programs.
  Register("Expectiminimax/" + name + "/2all", [=](benchmark::State& bench) {
    RunExpectiminimax<G, E>(bench, rules, evaluator,
                            {.plies = 2, .filter = {.count = 0}, .cache_entries = 0});
  });
}

template <Game G>
void RegisterPlain(const std::string& text) {
  const auto rules = Parsed<G>(text);
  using Constant = ConstantEvaluator<G>;
  using Playout = PlayoutEvaluator<G>;
  const MctsOptions leaves{.leaf_values = LeafValues::kLeaf};
  for (const std::int64_t simulations : {1600, 100000}) {
    Register("Mcts/Constant/" + text + "/" + std::to_string(simulations),
             [=](benchmark::State& bench) {
               RunMcts<G>(bench, rules, Constant(), leaves, simulations);
             });
  }
  Register("Mcts/Playout/" + text + "/1600",
           [=](benchmark::State& bench) { RunMcts<G>(bench, rules, Playout(1), leaves, 1600); });
  RegisterExpectiminimax<G>("Constant/" + text, rules, Constant());
}

template <Game G>
void RegisterRollouts(const std::string& text, const typename G::Rules& rules,
                      const NetEvaluator<G>& evaluator) {
  for (const bool raw : {false, true}) {
    for (const int truncate : {0, 8}) {
      const RolloutOptions options{
          .games = 2 * RolloutOptions::kBlock, .truncate = truncate, .cancel_luck = !raw};
      Register(
          "Rollout/Net/" + text + "/truncate:" + std::to_string(truncate) + (raw ? "/raw" : ""),
          [=](benchmark::State& bench) { RunRollout<G>(bench, rules, evaluator, options); });
    }
  }
}

template <Game G>
void RegisterNet(const std::string& text, const std::string& file) {
  const auto network = LoadNetwork(std::string(BERD_SOURCE_DIR "/configs/nets/") + file);
  if (!network) {
    std::cerr << network.error().message << '\n';
    return;
  }
  const auto rules = Parsed<G>(text);
  using E = NetEvaluator<G>;
  const E evaluator(std::make_shared<const Network>(*network), rules);
  for (const int threads : {1, 2}) {
    Register("Mcts/Net/" + text + "/1600/threads:" + std::to_string(threads),
             [=](benchmark::State& bench) {
               RunMcts<G>(bench, rules, evaluator, {.threads = threads}, 1600);
             });
  }
  Register("Mcts/Net/" + text + "/1600/batch:8", [=](benchmark::State& bench) {
    RunMcts<G>(bench, rules, evaluator, {.batch = 8}, 1600);
  });
  RegisterExpectiminimax<G>("Net/" + text, rules, evaluator);
  RegisterRollouts<G>(text, rules, evaluator);
}

const bool kRegistered = [] {
  RegisterPlain<Race<Race2>>("race:short:2x9");
  RegisterPlain<Duel<false>>("duel:3x3:5");
  RegisterPlain<Backgammon>("backgammon");
  RegisterNet<Race<Race2>>("race:short:2x9", "race_short_2x9.net");
  RegisterNet<Race<Race4>>("race:short:4x9", "race_short_4x9.net");
  RegisterNet<Backgammon>("backgammon", "backgammon.net");
  return true;
}();

}  // namespace
}  // namespace berd
