#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "engine/core/random.h"
#include "nn/trainer.h"

namespace berd {

// Random examples for a network of `inputs` inputs: about `active` features a row, none in some
// rows, repeated in others; values that sum to 1 over sides and classes.
inline TrainingBatch RandomBatch(std::uint64_t seed, std::int64_t examples,
                                 std::vector<std::int32_t> side, std::uint32_t inputs,
                                 std::uint32_t active, std::int64_t classes = 1) {
  RandomStream random(seed, 0, Purpose::kTest, 0);
  TrainingBatch batch;
  batch.clear();
  batch.examples = examples;
  batch.seats = static_cast<std::int64_t>(side.size());
  batch.side = std::move(side);
  batch.classes = classes;
  const auto sides =
      static_cast<std::size_t>(*std::max_element(batch.side.begin(), batch.side.end())) + 1;
  for (std::int64_t p = 0; p < examples; ++p) {
    std::vector<float> shares(sides * static_cast<std::size_t>(classes));
    float sum = 0;
    for (float& share : shares) sum += share = 0.01f + random.Unit();
    for (const std::int32_t s : batch.side) {
      const std::uint32_t features = random.Below(2 * active + 1);
      for (std::uint32_t k = 0; k < features; ++k) {
        batch.feature.push_back(random.Below(inputs));
        batch.weight.push_back(random.Below(2) == 0 ? 1.0f : random.Unit() - 0.3f);
      }
      batch.row_begin.push_back(static_cast<std::int64_t>(batch.feature.size()));
      for (std::int64_t c = 0; c < classes; ++c) {
        batch.win.push_back(shares[static_cast<std::size_t>(s * classes + c)] / sum);
      }
      batch.margin.push_back(random.Unit() - 0.5f);
    }
    batch.example_weight.push_back(0.5f + random.Unit());
  }
  return batch;
}

}  // namespace berd
