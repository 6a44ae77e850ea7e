// Gradient steps of the trainer, one thread: Trainer/Step/<examples>/<seats>/<width>/<hidden>.

#include <benchmark/benchmark.h>

#include <cstdint>
#include <vector>

#include "nn/trainer.h"
#include "tests/nn/train/random_batch.h"

namespace berd {
namespace {

void TrainerStep(benchmark::State& state) {
  constexpr std::uint32_t kInputs = 1500;
  constexpr std::uint32_t kActive = 25;  // features of a row, on average
  const std::int64_t examples = state.range(0);
  std::vector<std::int32_t> side(static_cast<std::size_t>(state.range(1)));
  for (std::size_t seat = 0; seat < side.size(); ++seat) {
    side[seat] = static_cast<std::int32_t>(seat);
  }
  NetworkShape shape{.features = "bench",
                     .inputs = kInputs,
                     .width = static_cast<std::uint32_t>(state.range(2)),
                     .max_pool = false,
                     .hidden = {}};
  if (state.range(3) > 0) shape.hidden = {static_cast<std::uint32_t>(state.range(3))};
  const auto trainer = MakeTrainer(RandomNetwork(shape, 1), {});
  if (!trainer) {
    state.SkipWithError(trainer.error().message.c_str());
    return;
  }
  std::vector<TrainingBatch> batches;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    batches.push_back(RandomBatch(seed, examples, side, kInputs, kActive));
  }
  std::size_t next = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize((*trainer)->Step(batches[next++ % batches.size()]));
  }
  state.SetItemsProcessed(state.iterations() * examples);
}

BENCHMARK(TrainerStep)
    ->Name("Trainer/Step")
    ->ArgNames({"examples", "seats", "width", "hidden"})
    ->ArgsProduct({{1024, 2048, 8192}, {2}, {64}, {0}})
    ->Args({2048, 4, 64, 0})
    ->Args({2048, 2, 256, 64})
    ->Args({2048, 4, 256, 64});

}  // namespace
}  // namespace berd
