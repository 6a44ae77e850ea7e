#include "nn/train/loss.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

#include "engine/core/seat.h"

namespace berd {
namespace {

// The seats of a batch by side.
struct Sides {
  std::size_t count = 0;
  std::array<std::size_t, kMaxSeats> of_seat{};
  std::array<std::size_t, kMaxSeats> first_seat{};  // by side
  std::array<float, kMaxSeats> share{};             // 1 / number of seats, by side

  explicit Sides(const TrainingBatch& batch) {
    std::array<int, kMaxSeats> sizes{};
    for (std::size_t seat = 0; seat < batch.side.size(); ++seat) {
      const auto side = static_cast<std::size_t>(batch.side[seat]);
      of_seat[seat] = side;
      if (sizes[side]++ == 0) first_seat[side] = seat;
      count = std::max(count, side + 1);
    }
    for (std::size_t side = 0; side < count; ++side) {
      share[side] = 1.0f / static_cast<float>(sizes[side]);
    }
  }
};

// Cross-entropy of one example; its gradient by the logits, which it replaces.
float CrossEntropy(std::span<float> logits, std::span<const float> targets) {
  const float highest = *std::max_element(logits.begin(), logits.end());
  float sum = 0;
  float target_sum = 0;
  for (std::size_t i = 0; i < logits.size(); ++i) {
    sum += std::exp(logits[i] - highest);
    target_sum += targets[i];
  }
  const float log_sum = highest + std::log(sum);
  float loss = 0;
  for (std::size_t i = 0; i < logits.size(); ++i) {
    const float log_share = logits[i] - log_sum;
    loss -= targets[i] * log_share;
    logits[i] = target_sum * std::exp(log_share) - targets[i];
  }
  return loss;
}

}  // namespace

TrainingLoss LossAndGradient(const TrainingBatch& batch, double margin_weight,
                             std::span<const float> out, std::span<float> gradient) {
  const auto seats = static_cast<std::size_t>(batch.seats);
  const auto classes = static_cast<std::size_t>(batch.classes);
  const std::size_t outputs = kWinLogits + classes;
  const Sides sides(batch);
  const double weight_sum =
      std::accumulate(batch.example_weight.begin(), batch.example_weight.end(), 0.0);
  const auto margin_scale = static_cast<float>(2 * margin_weight / static_cast<double>(seats));
  std::vector<float> logits(sides.count * classes);  // by side and class
  std::vector<float> targets(logits.size());
  TrainingLoss loss;
  for (std::size_t p = 0; p < batch.example_weight.size(); ++p) {
    const float* row = out.data() + p * seats * outputs;
    float* row_gradient = gradient.data() + p * seats * outputs;
    const auto weight = static_cast<float>(batch.example_weight[p] / weight_sum);
    std::fill(logits.begin(), logits.end(), 0.0f);
    for (std::size_t i = 0; i < seats; ++i) {
      const std::size_t side = sides.of_seat[i];
      for (std::size_t c = 0; c < classes; ++c) {
        logits[side * classes + c] += sides.share[side] * row[i * outputs + kWinLogits + c];
      }
    }
    for (std::size_t side = 0; side < sides.count; ++side) {
      const float* target = batch.win.data() + (p * seats + sides.first_seat[side]) * classes;
      std::copy_n(target, classes, targets.data() + side * classes);
    }
    loss.win += double{weight} * double{CrossEntropy(logits, targets)};
    double squares = 0;
    for (std::size_t i = 0; i < seats; ++i) {
      const std::size_t side = sides.of_seat[i];
      const float error = row[i * outputs + kMargin] - batch.margin[p * seats + i];
      squares += double{error} * double{error};
      row_gradient[i * outputs + kMargin] = weight * margin_scale * error;
      row_gradient[i * outputs + kChoiceLogit] = 0;
      for (std::size_t c = 0; c < classes; ++c) {
        row_gradient[i * outputs + kWinLogits + c] =
            weight * sides.share[side] * logits[side * classes + c];
      }
    }
    loss.margin += double{weight} * squares / static_cast<double>(seats);
  }
  return loss;
}

}  // namespace berd
