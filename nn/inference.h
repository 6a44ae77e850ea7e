#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "nn/aligned_floats.h"
#include "nn/features.h"
#include "nn/network.h"

namespace berd {

// The dense part of a network, from the encoder's sums to its values, in Eigen. The caller keeps
// the sums ("accumulators", one per state and seat) and changes them feature by feature.
//
// Not thread-safe (buffers); copies are independent and share the weights.
class Inference {
 public:
  explicit Inference(std::shared_ptr<const Network> network);

  const Network& network() const { return *network_; }
  // Floats per accumulator.
  std::size_t width() const { return width_; }

  // The encoder's bias: what the sums begin with.
  std::span<const float> bias() const { return network_->encoder_bias; }

  // A sum of rows of width() floats.
  struct Terms {
    const float* base;
    std::span<const float* const> added_rows = {};
    std::span<const float* const> removed_rows = {};
    const float* table = nullptr;                 // of rows, of which some are
    std::span<const std::uint16_t> added = {};    // … added
    std::span<const std::uint16_t> removed = {};  // … and some subtracted
    std::span<const Feature> features = {};       // weighted rows of the encoder
  };
  // `out` may be the base.
  void Sum(const Terms& terms, float* out) const;

  // Classes of a win that it tells apart.
  std::size_t classes() const { return network_->shape.classes; }

  // Values of `states` states from their accumulators, accumulators[(s * seats + i) * width()].
  // side[i] is the side of seat i, the same for all states. values[(s * seats + i) * classes() + c]
  // is the probability that seat i's side wins in class c.
  void Values(std::span<const float> accumulators, std::size_t states,
              std::span<const std::uint8_t> side, std::span<float> values);

  // All outputs (shape.outputs() per state and seat), slower; for training checks and margins.
  void Outputs(std::span<const float> accumulators, std::size_t states,
               std::span<const std::uint8_t> side, std::span<float> outputs);

 private:
  template <int kVectors>
  void SumBlock(const Terms& terms, float* out, std::size_t k) const;
  // Fills `rows_` (inputs of the output layer, row by row) for all states and seats.
  void HiddenRows(std::span<const float> accumulators, std::size_t states,
                  std::span<const std::uint8_t> side);
  // The win logits, by state, seat and class.
  void LogitsOfSums(std::span<const float> accumulators, std::size_t states,
                    std::span<const std::uint8_t> side);
  void LogitsOfRows(std::size_t rows);
  void PoolRows(std::span<const float> accumulators, std::size_t states,
                std::span<const std::uint8_t> side);

  std::shared_ptr<const Network> network_;
  const float* encoder_;
  std::size_t width_;
  AlignedFloats rows_;
  AlignedFloats next_rows_;
  AlignedFloats logits_;
};

// Softmax over sides and classes of the mean logits of the sides' seats. Logits and values by seat
// and class: side.size() * classes numbers.
void SoftmaxBySide(std::span<const float> logits, std::span<const std::uint8_t> side,
                   std::size_t classes, std::span<float> values);

}  // namespace berd
