#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "nn/aligned_floats.h"

namespace berd {

// Adam with decoupled weight decay (sources: nn/trainer.h) over one flat array, in one pass that
// also clears the gradient. Every weight is updated at every step, those of features that did not
// occur too, as in the paper: for a table of 1500 x 64 that costs less than a tenth of a step of
// 1024 examples. Not thread-safe.
class Adam {
 public:
  explicit Adam(std::size_t size) : mean_(size), square_(size) {}

  // Begins a step; then Update for each part of the array, once.
  void BeginStep(double rate, double weight_decay);

  // For the weights that begin at `offset` in the whole array:
  // weights -= rate * (adapted gradient + decay * weights); gradient = 0.
  void Update(std::size_t offset, std::span<float> weights, std::span<float> gradient, bool decays);

  std::int64_t steps() const { return steps_; }
  std::span<const float> mean() const { return mean_; }
  std::span<const float> square() const { return square_; }
  // Requires arrays of the same size as before.
  void Restore(std::int64_t steps, AlignedFloats mean, AlignedFloats square);

 private:
  std::int64_t steps_ = 0;
  AlignedFloats mean_;    // running mean of the gradient
  AlignedFloats square_;  // running mean of its square
  // Of the present step:
  float rate_ = 0;          // learning rate / (1 - beta1^t)
  float square_scale_ = 0;  // 1 / (1 - beta2^t)
  float decay_ = 0;         // learning rate * weight decay
};

}  // namespace berd
