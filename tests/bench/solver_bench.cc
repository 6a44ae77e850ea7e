// Speed of the duel's table: Solver/<what>/<rules string>.

#include <benchmark/benchmark.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "engine/core/random.h"
#include "search/solver/duel_solver.h"
#include "search/solver/duel_table.h"

namespace berd {
namespace {

constexpr const char* kRules = "duel:3x3:3";

std::shared_ptr<const DuelTable> Solve(const DuelRules& rules) {
  const std::string name = "berd_bench_" + std::to_string(getpid()) + ".table";
  const std::string path = (std::filesystem::temp_directory_path() / name).string();
  const auto solved = SolveDuel(rules, path, {.threads = 1});
  if (!solved) {
    std::cerr << solved.error().message << '\n';
    std::abort();
  }
  auto table = *DuelTable::Open(path);
  std::filesystem::remove(path);  // the mapping stays
  return table;
}

void TableMargin(benchmark::State& bench) {
  const auto rules = std::get<DuelRules>(*ParseRules(kRules));
  const auto table = Solve(rules);
  std::vector<Duel<false>::State> states;
  for (std::uint64_t game = 0; states.size() < 4096; ++game) {
    RandomStream random(1, game, Purpose::kTest, 0);
    auto state = Duel<false>::initial(rules);
    while (state.phase != DuelPhase::kEnd) {
      if (state.phase == DuelPhase::kMove) states.push_back(state);
      Duel<false>::apply(rules, state, Duel<false>::sample_legal(rules, state, random));
    }
  }
  std::size_t i = 0;
  for (auto _ : bench) {
    benchmark::DoNotOptimize(table->Margin(rules, states[i++ % states.size()]));
  }
}
BENCHMARK(TableMargin)->Name(std::string("Solver/Margin/") + kRules);

void SolveAll(benchmark::State& bench) {
  const auto rules = std::get<DuelRules>(*ParseRules(kRules));
  for (auto _ : bench) benchmark::DoNotOptimize(Solve(rules));
}
BENCHMARK(SolveAll)->Name(std::string("Solver/Solve/") + kRules)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace berd
