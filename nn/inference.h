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

// The dense part of a network, from the encoder's sums to win shares, in Eigen. The caller keeps
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

  // Win shares of `states` states from their accumulators, accumulators[(s * seats + i) * width()].
  // side[i] is the side of seat i, the same for all states. shares[s * seats + i] is the expected
  // win share of seat i's side.
  void WinShares(std::span<const float> accumulators, std::size_t states,
                 std::span<const std::uint8_t> side, std::span<float> shares);

  // All outputs (kOutputs per state and seat), slower; for training checks and margins.
  void Outputs(std::span<const float> accumulators, std::size_t states,
               std::span<const std::uint8_t> side, std::span<float> outputs);

 private:
  template <int kVectors>
  void SumBlock(const Terms& terms, float* out, std::size_t k) const;
  // Fills `rows_` (inputs of the output layer, row by row) for all states and seats.
  void HiddenRows(std::span<const float> accumulators, std::size_t states,
                  std::span<const std::uint8_t> side);
  void PoolRows(std::span<const float> accumulators, std::size_t states,
                std::span<const std::uint8_t> side);

  std::shared_ptr<const Network> network_;
  const float* encoder_;
  std::size_t width_;
  AlignedFloats rows_;
  AlignedFloats next_rows_;
  AlignedFloats logits_;
};

// Softmax over sides of the mean logits of their seats; shares by seat.
void SoftmaxBySide(std::span<const float> logits, std::span<const std::uint8_t> side,
                   std::span<float> shares);

}  // namespace berd
