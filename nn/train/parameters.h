#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "nn/aligned_floats.h"
#include "nn/network.h"

namespace berd {

// Where the weights of a network lie in one flat array, so that the optimiser is one loop and
// LibTorch's tensors are views of it. As nn/network.h, except that the width is rounded up to
// `stride` (SparseEncoder) in the encoder and in the inputs of the first dense layer; the columns
// added stay zero. Immutable.
class ParameterLayout {
 public:
  // A part of the array: `rows` rows of `row` numbers.
  struct Block {
    std::size_t begin = 0;
    std::size_t rows = 0;
    std::size_t row = 0;
    bool bias = false;

    std::size_t size() const { return rows * row; }
    std::size_t end() const { return begin + size(); }
  };
  struct Dense {
    Block weight;  // [outputs][inputs]
    Block bias;    // [1][outputs]
  };

  explicit ParameterLayout(const NetworkShape& shape);

  const NetworkShape& shape() const { return shape_; }
  std::size_t size() const { return size_; }
  std::size_t stride() const { return stride_; }
  const Block& table() const { return table_; }  // [inputs][stride]
  const Block& encoder_bias() const { return encoder_bias_; }
  const std::vector<Dense>& dense() const { return dense_; }  // hidden, then output

  // The flat array of a network, and the network of a flat array (without rules and description).
  AlignedFloats Flatten(const Network& network) const;
  Network Unflatten(std::span<const float> flat) const;

 private:
  Block Take(std::size_t rows, std::size_t row, bool bias);

  NetworkShape shape_;
  std::size_t size_ = 0;
  std::size_t stride_ = 0;
  Block table_;
  Block encoder_bias_;
  std::vector<Dense> dense_;
};

}  // namespace berd
