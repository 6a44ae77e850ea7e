#include "nn/train/parameters.h"

#include <algorithm>

#include "nn/train/sparse_encoder.h"

namespace berd {
namespace {

constexpr std::size_t kLanes = SparseEncoder::kLanes;

std::size_t RoundUp(std::size_t size) { return (size + kLanes - 1) / kLanes * kLanes; }

// Copies rows of `width` numbers between arrays with rows of different lengths.
void CopyRows(const float* from, std::size_t from_row, float* to, std::size_t to_row,
              std::size_t width, std::size_t rows) {
  for (std::size_t r = 0; r < rows; ++r) std::copy_n(from + r * from_row, width, to + r * to_row);
}

DenseLayer& LayerAt(Network& network, std::size_t i) {
  return i < network.hidden.size() ? network.hidden[i] : network.output;
}
const DenseLayer& LayerAt(const Network& network, std::size_t i) {
  return i < network.hidden.size() ? network.hidden[i] : network.output;
}

}  // namespace

ParameterLayout::Block ParameterLayout::Take(std::size_t rows, std::size_t row, bool bias) {
  const Block block{.begin = size_, .rows = rows, .row = row, .bias = bias};
  // Every block begins at a multiple of kLanes.
  size_ += RoundUp(block.size());
  return block;
}

ParameterLayout::ParameterLayout(const NetworkShape& shape)
    : shape_(shape), stride_(RoundUp(shape.width)) {
  table_ = Take(shape.inputs, stride_, false);
  encoder_bias_ = Take(1, stride_, true);
  std::size_t inputs = shape.pooled() / shape.width * stride_;
  const auto add = [&](std::size_t outputs) {
    Dense dense;
    dense.weight = Take(outputs, inputs, false);
    dense.bias = Take(1, outputs, true);
    dense_.push_back(dense);
    inputs = outputs;
  };
  for (const std::uint32_t outputs : shape.hidden) add(outputs);
  add(shape.outputs());
}

AlignedFloats ParameterLayout::Flatten(const Network& network) const {
  AlignedFloats flat(size_);
  const std::size_t width = shape_.width;
  CopyRows(network.encoder.data(), width, flat.data() + table_.begin, stride_, width,
           shape_.inputs);
  std::ranges::copy(network.encoder_bias, flat.data() + encoder_bias_.begin);
  for (std::size_t i = 0; i < dense_.size(); ++i) {
    const DenseLayer& layer = LayerAt(network, i);
    // Of the first layer the inputs come in parts of `width`.
    const std::size_t part = i == 0 ? width : layer.inputs;
    const std::size_t to_part = i == 0 ? stride_ : layer.inputs;
    CopyRows(layer.weight.data(), part, flat.data() + dense_[i].weight.begin, to_part, part,
             layer.weight.size() / part);
    std::ranges::copy(layer.bias, flat.data() + dense_[i].bias.begin);
  }
  return flat;
}

Network ParameterLayout::Unflatten(std::span<const float> flat) const {
  Network network = ZeroNetwork(shape_);
  const std::size_t width = shape_.width;
  CopyRows(flat.data() + table_.begin, stride_, network.encoder.data(), width, width,
           shape_.inputs);
  std::copy_n(flat.data() + encoder_bias_.begin, width, network.encoder_bias.data());
  for (std::size_t i = 0; i < dense_.size(); ++i) {
    DenseLayer& layer = LayerAt(network, i);
    const std::size_t part = i == 0 ? width : layer.inputs;
    const std::size_t from_part = i == 0 ? stride_ : layer.inputs;
    CopyRows(flat.data() + dense_[i].weight.begin, from_part, layer.weight.data(), part, part,
             layer.weight.size() / part);
    std::copy_n(flat.data() + dense_[i].bias.begin, layer.outputs, layer.bias.data());
  }
  return network;
}

}  // namespace berd
