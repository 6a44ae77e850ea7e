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
  std::vector<std::int32_t> side;  // side of each seat (seats entries), the same for all examples
  std::int64_t classes = 1;        // of a win (docs/decisions/0008)
  // Target by row and class, win[r * classes + c]: probability that the seat's side wins in class
  // c. Sums to 1 over sides and classes.
  std::vector<float> win;
  std::vector<float> margin;          // target by row
  std::vector<float> example_weight;  // examples entries

  void clear() {
    examples = 0;
    feature.clear();
    weight.clear();
    row_begin.assign(1, 0);
    win.clear();
    margin.clear();
    example_weight.clear();
  }
};

struct TrainerOptions {
  double learning_rate = 1e-3;
  double weight_decay = 0;  // decoupled (AdamW), per step and unit of learning rate; not on biases
  double margin_weight = 0.1;  // weight of the margin's squared error beside the cross-entropy
  int threads = 1;             // of the library; more than one may change the last bits
};

// Means over a batch, each example counted with its example_weight.
struct TrainingLoss {
  double win = 0;     // cross-entropy of sides and classes of a win, nats
  double margin = 0;  // squared error of the seats' margins, mean over the seats
};

// Trains a network by gradient descent on batches: Adam (Kingma and Ba, "Adam: a method for
// stochastic optimization", 2015; beta 0.9 and 0.999, epsilon 1e-8) with decoupled weight decay
// (Loshchilov and Hutter, "Decoupled weight decay regularization", 2019), on
//
//   loss = win + margin_weight * margin
//
// The choice logit gets no gradient yet; its weights stay what they are (but decay).
//
// Not thread-safe. The same batches in the same order give the same weights, bit by bit, with
// threads = 1 on the same machine. A batch must fit the network: features below shape.inputs, at
// least two sides, numbered from 0 without gaps, array sizes as TrainingBatch says, a positive sum
// of example weights; anything else is a bug of the caller and ends the program with a message.
class Trainer {
 public:
  virtual ~Trainer() = default;

  // One step of gradient descent; the loss is that before the step. If the loss or the gradient is
  // not finite, the loss returned is not (check with std::isfinite(loss.win + loss.margin)) and
  // neither weights nor optimiser have changed: the caller decides whether to stop or to go on with
  // other data. A batch without examples changes nothing and has loss 0.
  virtual TrainingLoss Step(const TrainingBatch& batch) = 0;

  // The learning rate belongs to the caller's schedule, not to the optimiser's state.
  virtual void SetLearningRate(double rate) = 0;

  // The present weights, with the rules and description of the network it started from.
  virtual Network Export() const = 0;

  // By input: whether it has ever been active in a batch, also before a restart of the trainer from
  // a saved optimiser state. The encoder's other rows are what they were at the start.
  virtual std::vector<bool> SeenInputs() const = 0;

  // The network's outputs for a batch, out[(p * seats + i) * shape.outputs() + k] (for tests).
  virtual std::vector<float> Forward(const TrainingBatch& batch) = 0;

  // Optimiser state (moments, step count) as bytes, and back. With the network of Export and the
  // state, a new trainer goes on exactly like the old one. Bytes of another architecture or of
  // another version are refused and change nothing; they carry no checksum of their own (the
  // records of a checkpoint have one).
  virtual std::string EncodeOptimizer() const = 0;
  virtual Result<void> DecodeOptimizer(std::string_view bytes) = 0;
};

// Loads libberd_train.so (LibTorch) and makes a trainer that starts from these weights. The library
// is looked for beside the running program, then where the dynamic linker looks; it stays loaded.
// The error says how to get the library when it is missing. Call it while no other thread reads the
// environment: it sets OPENBLAS_CORETYPE, if unset, before the library is loaded.
Result<std::unique_ptr<Trainer>> MakeTrainer(const Network& start, const TrainerOptions& options);

// The same with the library at this path.
Result<std::unique_ptr<Trainer>> MakeTrainerFrom(const std::string& library, const Network& start,
                                                 const TrainerOptions& options);

// What the library exports under kTrainerFactoryName: a new trainer, or null and `error`.
// `interface` is kTrainerInterface of the caller: both sides must come from one build.
using TrainerFactory = Trainer*(std::uint32_t interface, const Network& start,
                                const TrainerOptions& options, std::string& error);
inline constexpr const char* kTrainerFactoryName = "berd_make_trainer";
// Changes with every change of this header.
inline constexpr std::uint32_t kTrainerInterface = 2;

}  // namespace berd
