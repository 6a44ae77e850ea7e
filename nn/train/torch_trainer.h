#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "nn/trainer.h"

namespace berd {

// The trainer of libberd_train.so. Encoder, pooling and optimiser are loops of our own
// (nn/train/sparse_encoder.h, nn/train/adam.h); LibTorch computes the dense layers and their
// gradients. See Trainer for the contract. An exception of LibTorch (out of memory) leaves Step
// and Forward as it is; the trainer cannot be used after it.
class TorchTrainer : public Trainer {
 public:
  // Requires: CheckShape(start.shape), arrays of the sizes that the shape asks for.
  TorchTrainer(const Network& start, const TrainerOptions& options);
  ~TorchTrainer() override;

  TrainingLoss Step(const TrainingBatch& batch) override;
  void SetLearningRate(double rate) override;
  Network Export() const override;
  std::vector<bool> SeenInputs() const override;
  std::vector<float> Forward(const TrainingBatch& batch) override;
  std::string EncodeOptimizer() const override;
  Result<void> DecodeOptimizer(std::string_view bytes) override;

  // The gradient of win + margin_weight * margin by every weight, in the layout of the network
  // (for tests). Changes nothing.
  Network Gradient(const TrainingBatch& batch);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace berd
