#include "nn/train/torch_trainer.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <torch/csrc/autograd/autograd.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <exception>
#include <limits>
#include <span>
#include <utility>

#include "nn/aligned_floats.h"
#include "nn/file_bytes.h"
#include "nn/train/adam.h"
#include "nn/train/batch.h"
#include "nn/train/flush_denormals.h"
#include "nn/train/loss.h"
#include "nn/train/parameters.h"
#include "nn/train/sparse_encoder.h"

namespace berd {
namespace {

using Block = ParameterLayout::Block;

constexpr std::uint32_t kOptimizerMagic = 0x6d644142;  // "BAdm"
constexpr std::uint32_t kOptimizerVersion = 1;

// Examples that are worth a thread.
constexpr std::int64_t kGrain = 256;

std::int64_t Signed(std::size_t size) { return static_cast<std::int64_t>(size); }

// A tensor that is a view of an array, which must outlive it.
at::Tensor View(float* data, at::IntArrayRef sizes) {
  return at::from_blob(data, sizes, at::kFloat);
}

std::span<float> Part(AlignedFloats& array, const Block& block) {
  return std::span(array).subspan(block.begin, block.size());
}

// All weights of a network in the order of the file.
std::vector<float> Concatenate(const Network& network) {
  std::vector<float> all;
  VisitArrays(network, [&](const AlignedFloats& array) {
    all.insert(all.end(), array.begin(), array.end());
  });
  return all;
}

// The inverse, in the padded layout.
AlignedFloats Distribute(const std::vector<float>& all, const ParameterLayout& layout) {
  Network network = ZeroNetwork(layout.shape());
  auto next = all.begin();
  VisitArrays(network, [&](AlignedFloats& array) {
    const auto end = next + static_cast<std::ptrdiff_t>(array.size());
    std::copy(next, end, array.begin());
    next = end;
  });
  return layout.Flatten(network);
}

}  // namespace

class TorchTrainer::Impl {
 public:
  Impl(const Network& start, const TrainerOptions& trainer_options)
      : rules(start.rules),
        description(start.description),
        options(trainer_options),
        layout(start.shape),
        encoder{.stride = Signed(layout.stride()), .parts = start.shape.max_pool ? 3 : 2},
        weights(layout.Flatten(start)),
        gradient(layout.size()),
        adam(layout.size()) {
    for (const ParameterLayout::Dense& dense : layout.dense()) {
      parameters.push_back(Parameter(dense.weight));
      parameters.push_back(Parameter(dense.bias));
    }
  }

  // The outputs for a checked batch, [rows, outputs], and in `z` the activations, from which they
  // can be differentiated.
  at::Tensor Outputs(const TrainingBatch& batch, at::Tensor& z);

  // Adds the gradient of a checked batch to `gradient`, which is zero before.
  TrainingLoss Backward(const TrainingBatch& batch);
  // False, and nothing done, if a part of the gradient is not finite.
  bool Update();

  std::string rules;
  std::string description;
  TrainerOptions options;
  ParameterLayout layout;
  SparseEncoder encoder;
  AlignedFloats weights;
  AlignedFloats gradient;
  Adam adam;
  std::vector<at::Tensor> parameters;  // of the dense layers: weight, bias, …: views of `weights`
  AlignedFloats activations;           // kept so that its memory is used again

 private:
  at::Tensor Parameter(const Block& block) {
    const std::vector<std::int64_t> sizes =
        block.bias ? std::vector{Signed(block.row)}
                   : std::vector{Signed(block.rows), Signed(block.row)};
    return View(weights.data() + block.begin, sizes).set_requires_grad(true);
  }
};

at::Tensor TorchTrainer::Impl::Outputs(const TrainingBatch& batch, at::Tensor& z) {
  // The setting belongs to the calling thread, which may be another one each time.
  at::set_num_threads(options.threads);
  const std::int64_t rows = batch.examples * batch.seats;
  const auto size = static_cast<std::size_t>(rows * encoder.row());
  if (activations.size() < size) activations.resize(size);
  at::parallel_for(0, batch.examples, kGrain, [&](std::int64_t begin, std::int64_t end) {
    encoder.Forward(batch, weights.data() + layout.table().begin,
                    weights.data() + layout.encoder_bias().begin, activations.data(), begin, end);
  });
  z = View(activations.data(), {rows, encoder.row()}).set_requires_grad(true);
  at::Tensor out = z;
  for (std::size_t i = 0; i < parameters.size(); i += 2) {
    if (i > 0) out = at::relu(out);
    out = at::addmm(parameters[i + 1], out, parameters[i].t());
  }
  return out;
}

TrainingLoss TorchTrainer::Impl::Backward(const TrainingBatch& batch) {
  at::Tensor z;
  const at::Tensor out = Outputs(batch, z).contiguous();
  at::Tensor out_gradient = at::empty_like(out, out.options().requires_grad(false));
  const auto numbers = static_cast<std::size_t>(out.numel());
  const TrainingLoss loss =
      LossAndGradient(batch, options.margin_weight, {out.data_ptr<float>(), numbers},
                      {out_gradient.data_ptr<float>(), numbers});

  std::vector<at::Tensor> inputs = parameters;
  inputs.push_back(z);
  const std::vector<at::Tensor> gradients = torch::autograd::grad({out}, inputs, {out_gradient});
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const ParameterLayout::Dense& dense = layout.dense()[i / 2];
    const Block& block = i % 2 == 0 ? dense.weight : dense.bias;
    const at::Tensor part = gradients[i].contiguous();
    std::copy_n(part.data_ptr<float>(), block.size(), Part(gradient, block).data());
  }
  // Nobody else holds this tensor: its memory is used for the next stage.
  const at::Tensor dz = gradients.back().contiguous();
  at::parallel_for(0, batch.examples, kGrain, [&](std::int64_t begin, std::int64_t end) {
    encoder.BackwardPool(batch, activations.data(), dz.data_ptr<float>(), begin, end);
  });
  const std::int64_t vectors = encoder.stride / SparseEncoder::kLanes;
  at::parallel_for(0, vectors, 1, [&](std::int64_t begin, std::int64_t end) {
    encoder.BackwardTable(batch, dz.data_ptr<float>(), Part(gradient, layout.table()).data(),
                          Part(gradient, layout.encoder_bias()).data(),
                          begin * SparseEncoder::kLanes, end * SparseEncoder::kLanes);
  });
  return loss;
}

bool TorchTrainer::Impl::Update() {
  // Not finite means that all bits of the exponent are set. Without branches: it is vector code.
  constexpr std::uint32_t kExponent = 0x7f800000;
  std::uint32_t bad = 0;
  for (const float g : gradient) {
    bad |= static_cast<std::uint32_t>((std::bit_cast<std::uint32_t>(g) & kExponent) == kExponent);
  }
  if (bad != 0) return false;
  adam.BeginStep(options.learning_rate, options.weight_decay);
  const auto update = [&](const Block& block) {
    adam.Update(block.begin, Part(weights, block), Part(gradient, block), !block.bias);
  };
  update(layout.table());
  update(layout.encoder_bias());
  for (const ParameterLayout::Dense& dense : layout.dense()) {
    update(dense.weight);
    update(dense.bias);
  }
  return true;
}

TorchTrainer::TorchTrainer(const Network& start, const TrainerOptions& options)
    : impl_(std::make_unique<Impl>(start, options)) {}

TorchTrainer::~TorchTrainer() = default;

TrainingLoss TorchTrainer::Step(const TrainingBatch& batch) {
  CheckBatch(batch, impl_->layout.shape());
  if (batch.examples == 0) return {};
  const FlushDenormals flush;
  TrainingLoss loss = impl_->Backward(batch);
  if (!std::isfinite(loss.win + loss.margin) || !impl_->Update()) {
    std::ranges::fill(impl_->gradient, 0.0f);
    loss.win = std::numeric_limits<double>::quiet_NaN();
  }
  return loss;
}

void TorchTrainer::SetLearningRate(double rate) { impl_->options.learning_rate = rate; }

Network TorchTrainer::Export() const {
  Network network = impl_->layout.Unflatten(impl_->weights);
  network.rules = impl_->rules;
  network.description = impl_->description;
  return network;
}

// An input that was active has had a gradient, so the running mean of its squares is not zero.
std::vector<bool> TorchTrainer::SeenInputs() const {
  const Block& table = impl_->layout.table();
  const auto squares = impl_->adam.square().subspan(table.begin, table.size());
  std::vector<bool> seen(table.rows);
  for (std::size_t input = 0; input < table.rows; ++input) {
    const auto row = squares.subspan(input * table.row, table.row);
    seen[input] = std::ranges::any_of(row, [](float square) { return square != 0; });
  }
  return seen;
}

std::vector<float> TorchTrainer::Forward(const TrainingBatch& batch) {
  CheckBatch(batch, impl_->layout.shape());
  if (batch.examples == 0) return {};
  const at::NoGradGuard no_gradient;
  at::Tensor z;
  const at::Tensor out = impl_->Outputs(batch, z).contiguous();
  return {out.data_ptr<float>(), out.data_ptr<float>() + out.numel()};
}

Network TorchTrainer::Gradient(const TrainingBatch& batch) {
  CheckBatch(batch, impl_->layout.shape());
  impl_->Backward(batch);
  Network network = impl_->layout.Unflatten(impl_->gradient);
  std::ranges::fill(impl_->gradient, 0.0f);
  return network;
}

std::string TorchTrainer::EncodeOptimizer() const {
  const ParameterLayout& layout = impl_->layout;
  const std::vector<float> mean = Concatenate(layout.Unflatten(impl_->adam.mean()));
  const std::vector<float> square = Concatenate(layout.Unflatten(impl_->adam.square()));
  ByteWriter out;
  out.Put(kOptimizerMagic);
  out.Put(kOptimizerVersion);
  out.Put(ArchitectureHash(layout.shape()));
  out.Put(impl_->adam.steps());
  out.PutArray(std::span(mean));
  out.PutArray(std::span(square));
  return out.Take();
}

Result<void> TorchTrainer::DecodeOptimizer(std::string_view bytes) {
  const ParameterLayout& layout = impl_->layout;
  ByteReader in(bytes);
  if (in.Get<std::uint32_t>() != kOptimizerMagic) return Fail("not a state of Berd's optimiser");
  const auto version = in.Get<std::uint32_t>();
  if (in.ok() && version != kOptimizerVersion) {
    return Fail("version " + std::to_string(version) +
                " of the optimiser's state; this program reads " +
                std::to_string(kOptimizerVersion));
  }
  const auto hash = in.Get<std::uint64_t>();
  if (in.ok() && hash != ArchitectureHash(layout.shape())) {
    return Fail("the optimiser's state belongs to a network of another shape");
  }
  const auto steps = in.Get<std::int64_t>();
  const std::size_t count = CountWeights(layout.shape());
  const auto mean = in.GetArray<float>(count);
  const auto square = in.GetArray<float>(count);
  if (!in.AtEnd() || steps < 0) {
    return Fail("the optimiser's state has " + std::to_string(bytes.size()) +
                " bytes, which does not fit the network");
  }
  impl_->adam.Restore(steps, Distribute(mean, layout), Distribute(square, layout));
  return {};
}

}  // namespace berd

// See TrainerFactory. Exceptions do not leave the library.
extern "C" berd::Trainer* berd_make_trainer(std::uint32_t interface, const berd::Network& start,
                                            const berd::TrainerOptions& options,
                                            std::string& error) {
  if (interface != berd::kTrainerInterface) {
    error = "built for another version of the program; build both together";
    return nullptr;
  }
  if (const auto checked = berd::CheckShape(start.shape); !checked) {
    error = checked.error().message;
    return nullptr;
  }
  try {
    return new berd::TorchTrainer(start, options);
  } catch (const std::exception& exception) {
    error = std::string("LibTorch: ") + exception.what();
    return nullptr;
  }
}
