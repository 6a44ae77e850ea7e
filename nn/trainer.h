#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/error.h"
#include "nn/network.h"

namespace berd {

// A batch of training examples, game-agnostic. Example p has `seats` rows; row r = p * seats + i
// belongs to seat i and has the sparse features feature[k], weight[k] for k in
// row_begin[r] .. row_begin[r + 1] - 1 (row_begin has examples * seats + 1 entries).
struct TrainingBatch {
  std::int64_t examples = 0;
  std::int64_t seats = 0;
  std::vector<std::int64_t> feature;
  std::vector<float> weight;
  std::vector<std::int64_t> row_begin;
  std::vector<std::int32_t> side;      // side of each seat (seats entries), the same for all examples
  std::vector<float> win_share;        // target by row: expected win share of the seat's side
  std::vector<float> margin;           // target by row
  std::vector<float> example_weight;   // examples entries

  void clear() {
    examples = 0;
    feature.clear();
    weight.clear();
    row_begin.assign(1, 0);
    win_share.clear();
    margin.clear();
    example_weight.clear();
  }
};

struct TrainerOptions {
  double learning_rate = 1e-3;
  double weight_decay = 0;
  double margin_weight = 0.1;  // weight of the margin's squared error beside the cross-entropy
  int threads = 1;             // of the library; more than one may change the last bits
};

struct TrainingLoss {
  double win = 0;     // mean cross-entropy of the win shares, nats
  double margin = 0;  // mean squared error of the margin
};

// Trains a network by gradient descent (Adam) on batches. Not thread-safe. The same batches in the
// same order give the same weights with threads = 1.
class Trainer {
 public:
  virtual ~Trainer() = default;
  virtual TrainingLoss Step(const TrainingBatch& batch) = 0;
  virtual void SetLearningRate(double rate) = 0;
  // The present weights.
  virtual Network Export() const = 0;
  // Win-share logits etc. of a batch, examples * seats * kOutputs numbers (for tests).
  virtual std::vector<float> Forward(const TrainingBatch& batch) = 0;
  // Optimiser state (moments, step count) as bytes, and back.
  virtual std::string EncodeOptimizer() const = 0;
  virtual Result<void> DecodeOptimizer(std::string_view bytes) = 0;
};

// Loads libberd_train.so (LibTorch) and makes a trainer that starts from these weights. The error
// says how to get the library when it is missing.
Result<std::unique_ptr<Trainer>> MakeTrainer(const Network& start, const TrainerOptions& options);

}  // namespace berd
