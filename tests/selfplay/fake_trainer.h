#pragma once

#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "nn/trainer.h"

namespace berd {

// What happened to the trainers that one maker made, and what should go wrong.
struct FakeTrainerScript {
  std::int64_t steps = 0;
  std::int64_t nan_at_step = -1;  // the loss of this step is not a number
  std::vector<double> learning_rates;
};

// A trainer without LibTorch: simple updates with momentum that depend on every number of a batch,
// so that a run with another batch, order or optimiser state ends with another network.
class FakeTrainer final : public Trainer {
 public:
  FakeTrainer(Network network, std::shared_ptr<FakeTrainerScript> script)
      : network_(std::move(network)),
        momentum_(network_.encoder.size()),
        script_(std::move(script)) {}

  TrainingLoss Step(const TrainingBatch& batch) override {
    if (script_->steps++ == script_->nan_at_step) {
      return {.win = std::numeric_limits<double>::quiet_NaN(), .margin = 0};
    }
    ++steps_;
    const std::size_t width = network_.shape.width;
    const auto rate = static_cast<float>(rate_) / static_cast<float>(batch.examples);
    double loss = 0;
    for (std::size_t row = 0; row + 1 < batch.row_begin.size(); ++row) {
      const float pull = batch.win[row] - 0.5f + 0.1f * batch.margin[row];
      loss += double{pull} * double{pull};
      for (auto at = static_cast<std::size_t>(batch.row_begin[row]);
           at < static_cast<std::size_t>(batch.row_begin[row + 1]); ++at) {
        const auto begin = static_cast<std::size_t>(batch.feature[at]) * width;
        for (std::size_t k = 0; k < width; ++k) {
          float& moved = momentum_[begin + k];
          moved = 0.9f * moved + rate * pull * batch.weight[at] * (k % 2 == 0 ? 1.0f : -1.0f);
          network_.encoder[begin + k] += moved;
        }
      }
    }
    network_.encoder_bias[0] += rate * static_cast<float>(steps_);
    return {.win = loss / static_cast<double>(batch.examples), .margin = 0};
  }

  void SetLearningRate(double rate) override {
    rate_ = rate;
    script_->learning_rates.push_back(rate);
  }
  Network Export() const override { return network_; }
  std::vector<bool> SeenInputs() const override {
    return std::vector<bool>(network_.shape.inputs, true);
  }
  std::vector<float> Forward(const TrainingBatch&) override { return {}; }

  std::string EncodeOptimizer() const override {
    std::string bytes(sizeof steps_ + momentum_.size() * sizeof(float), '\0');
    std::memcpy(bytes.data(), &steps_, sizeof steps_);
    std::memcpy(bytes.data() + sizeof steps_, momentum_.data(), momentum_.size() * sizeof(float));
    return bytes;
  }
  Result<void> DecodeOptimizer(std::string_view bytes) override {
    if (bytes.size() != sizeof steps_ + momentum_.size() * sizeof(float)) {
      return Fail("not a state of the fake optimiser");
    }
    std::memcpy(&steps_, bytes.data(), sizeof steps_);
    std::memcpy(momentum_.data(), bytes.data() + sizeof steps_, momentum_.size() * sizeof(float));
    return {};
  }

 private:
  Network network_;
  std::vector<float> momentum_;
  std::shared_ptr<FakeTrainerScript> script_;
  double rate_ = 0;
  std::int64_t steps_ = 0;
};

}  // namespace berd
