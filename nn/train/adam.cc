#include "nn/train/adam.h"

#include <cassert>
#include <cmath>
#include <utility>

namespace berd {
namespace {

constexpr float kBeta1 = 0.9f;
constexpr float kBeta2 = 0.999f;
constexpr float kEpsilon = 1e-8f;

}  // namespace

void Adam::BeginStep(double rate, double weight_decay) {
  ++steps_;
  const auto t = static_cast<double>(steps_);
  rate_ = static_cast<float>(rate / (1 - std::pow(double{kBeta1}, t)));
  square_scale_ = static_cast<float>(1 / (1 - std::pow(double{kBeta2}, t)));
  decay_ = static_cast<float>(rate * weight_decay);
}

void Adam::Update(std::size_t offset, std::span<float> weights, std::span<float> gradient,
                  bool decays) {
  assert(weights.size() == gradient.size() && offset + weights.size() <= mean_.size());
  const float keep = decays ? 1 - decay_ : 1;
  const float rate = rate_;
  const float scale = square_scale_;
  float* __restrict w = weights.data();
  float* __restrict g = gradient.data();
  float* __restrict m = mean_.data() + offset;
  float* __restrict v = square_.data() + offset;
  // One pass, as vector code (this file is compiled with -fno-math-errno for the root's sake).
  for (std::size_t i = 0; i < weights.size(); ++i) {
    m[i] = kBeta1 * m[i] + (1 - kBeta1) * g[i];
    v[i] = kBeta2 * v[i] + (1 - kBeta2) * g[i] * g[i];
    w[i] = keep * w[i] - rate * m[i] / (std::sqrt(scale * v[i]) + kEpsilon);
    g[i] = 0;
  }
}

void Adam::Restore(std::int64_t steps, AlignedFloats mean, AlignedFloats square) {
  assert(mean.size() == mean_.size() && square.size() == square_.size());
  steps_ = steps;
  mean_ = std::move(mean);
  square_ = std::move(square);
}

}  // namespace berd
