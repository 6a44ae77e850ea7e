#include "nn/inference.h"

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstring>

#include "engine/core/seat.h"

namespace berd {

namespace {

using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using MatrixMap = Eigen::Map<Matrix>;
using ConstMatrixMap = Eigen::Map<const Matrix>;

// Sixteen floats; the compiler splits them where the processor has narrower registers.
using Vector = float __attribute__((vector_size(64)));

Vector LoadVector(const float* from) {
  Vector vector;
  std::memcpy(&vector, from, sizeof vector);
  return vector;
}

float HorizontalSum(const Vector& vector) {
  float sum = 0;
  for (int i = 0; i < 16; ++i) sum += vector[i];
  return sum;
}

struct TwoSums {
  float own = 0;
  float other = 0;
};

// relu(values) . own and relu(values) . other.
TwoSums ReluDots(const float* values, const float* own, const float* other, std::size_t size) {
  Vector own_sum{};
  Vector other_sum{};
  std::size_t k = 0;
  for (; k + 16 <= size; k += 16) {
    const Vector value = LoadVector(values + k);
    const Vector positive = value > 0.0f ? value : Vector{};
    own_sum += positive * LoadVector(own + k);
    other_sum += positive * LoadVector(other + k);
  }
  TwoSums sums{HorizontalSum(own_sum), HorizontalSum(other_sum)};
  for (; k < size; ++k) {
    sums.own += std::max(values[k], 0.0f) * own[k];
    sums.other += std::max(values[k], 0.0f) * other[k];
  }
  return sums;
}

}  // namespace

void SoftmaxBySide(std::span<const float> logits, std::span<const std::uint8_t> side,
                   std::size_t classes, std::span<float> values) {
  const std::size_t seats = side.size();
  if (classes == 1 && seats == 2 && side[0] != side[1]) {
    const float share = 1.0f / (1.0f + std::exp(logits[1] - logits[0]));
    values[0] = share;
    values[1] = 1.0f - share;
    return;
  }
  // Every seat gets the mean logits of its side, then its exponentials; a side counts once.
  std::array<float, kMaxSeats> members{};
  for (std::size_t i = 0; i < seats; ++i) members[side[i]] += 1;
  float highest = -INFINITY;
  for (std::size_t i = 0; i < seats; ++i) {
    for (std::size_t c = 0; c < classes; ++c) {
      float sum = 0;
      for (std::size_t j = 0; j < seats; ++j) {
        if (side[j] == side[i]) sum += logits[j * classes + c];
      }
      values[i * classes + c] = sum / members[side[i]];
      highest = std::max(highest, values[i * classes + c]);
    }
  }
  float total = 0;
  for (std::size_t i = 0; i < seats; ++i) {
    float sum = 0;
    for (std::size_t c = 0; c < classes; ++c) {
      sum += values[i * classes + c] = std::exp(values[i * classes + c] - highest);
    }
    total += sum / members[side[i]];
  }
  for (float& value : values) value /= total;
}

Inference::Inference(std::shared_ptr<const Network> network)
    : network_(std::move(network)),
      encoder_(network_->encoder.data()),
      width_(network_->shape.width) {}

// Columns k .. k + 16 * kVectors - 1, held in registers while the rows are added.
template <int kVectors>
inline void Inference::SumBlock(const Terms& terms, float* out, std::size_t k) const {
  Vector sums[kVectors];
  for (int v = 0; v < kVectors; ++v) sums[v] = LoadVector(terms.base + k + 16 * v);
  for (const float* row : terms.added_rows) {
    for (int v = 0; v < kVectors; ++v) sums[v] += LoadVector(row + k + 16 * v);
  }
  for (const float* row : terms.removed_rows) {
    for (int v = 0; v < kVectors; ++v) sums[v] -= LoadVector(row + k + 16 * v);
  }
  for (const std::size_t number : terms.added) {
    const float* row = terms.table + number * width_ + k;
    for (int v = 0; v < kVectors; ++v) sums[v] += LoadVector(row + 16 * v);
  }
  for (const std::size_t number : terms.removed) {
    const float* row = terms.table + number * width_ + k;
    for (int v = 0; v < kVectors; ++v) sums[v] -= LoadVector(row + 16 * v);
  }
  for (const Feature& f : terms.features) {
    const float* row = encoder_ + f.index * width_ + k;
    for (int v = 0; v < kVectors; ++v) sums[v] += f.weight * LoadVector(row + 16 * v);
  }
  for (int v = 0; v < kVectors; ++v) std::memcpy(out + k + 16 * v, &sums[v], sizeof(Vector));
}

void Inference::Sum(const Terms& terms, float* out) const {
  std::size_t k = 0;
  for (; k + 128 <= width_; k += 128) SumBlock<8>(terms, out, k);
  for (; k + 64 <= width_; k += 64) SumBlock<4>(terms, out, k);
  for (; k + 16 <= width_; k += 16) SumBlock<1>(terms, out, k);
  for (; k < width_; ++k) {
    float sum = terms.base[k];
    for (const float* row : terms.added_rows) sum += row[k];
    for (const float* row : terms.removed_rows) sum -= row[k];
    for (const std::size_t number : terms.added) sum += terms.table[number * width_ + k];
    for (const std::size_t number : terms.removed) sum -= terms.table[number * width_ + k];
    for (const Feature& f : terms.features) sum += f.weight * encoder_[f.index * width_ + k];
    out[k] = sum;
  }
}

// Own vector and pooled vectors of the other sides' seats, after the encoder's relu.
void Inference::PoolRows(std::span<const float> accumulators, std::size_t states,
                         std::span<const std::uint8_t> side) {
  const std::size_t seats = side.size();
  const std::size_t pooled = network_->shape.pooled();
  const bool with_max = network_->shape.max_pool;
  if (rows_.size() < states * seats * pooled) rows_.resize(states * seats * pooled);
  for (std::size_t s = 0; s < states; ++s) {
    const float* sums = accumulators.data() + s * seats * width_;
    for (std::size_t i = 0; i < seats; ++i) {
      float* row = rows_.data() + (s * seats + i) * pooled;
      const float* own = sums + i * width_;
      for (std::size_t k = 0; k < width_; ++k) row[k] = std::max(own[k], 0.0f);
      std::fill(row + width_, row + pooled, 0.0f);
      for (std::size_t j = 0; j < seats; ++j) {
        if (side[j] == side[i]) continue;
        const float* other = sums + j * width_;
        float* sum = row + width_;
        for (std::size_t k = 0; k < width_; ++k) sum[k] += std::max(other[k], 0.0f);
        if (with_max) {
          float* most = row + 2 * width_;
          for (std::size_t k = 0; k < width_; ++k) most[k] = std::max(most[k], other[k]);
        }
      }
    }
  }
}

void Inference::HiddenRows(std::span<const float> accumulators, std::size_t states,
                           std::span<const std::uint8_t> side) {
  const std::size_t rows = states * side.size();
  PoolRows(accumulators, states, side);
  for (const DenseLayer& layer : network_->hidden) {
    if (next_rows_.size() < rows * layer.outputs) next_rows_.resize(rows * layer.outputs);
    const ConstMatrixMap weight(layer.weight.data(), layer.outputs, layer.inputs);
    const Eigen::Map<const Eigen::RowVectorXf> bias(layer.bias.data(), layer.outputs);
    const ConstMatrixMap in(rows_.data(), static_cast<Eigen::Index>(rows), layer.inputs);
    MatrixMap out(next_rows_.data(), static_cast<Eigen::Index>(rows), layer.outputs);
    out.noalias() = in * weight.transpose();
    out = (out.rowwise() + bias).cwiseMax(0.0f);
    rows_.swap(next_rows_);
  }
}

// logit_i = w_own . a_i + sum_j w_other . a_j needs no pooled rows.
void Inference::LogitsOfSums(std::span<const float> accumulators, std::size_t states,
                             std::span<const std::uint8_t> side) {
  const std::size_t seats = side.size();
  const std::size_t classes = network_->shape.classes;
  const DenseLayer& output = network_->output;
  std::array<float, kMaxSeats> as_other{};
  for (std::size_t c = 0; c < classes; ++c) {
    const float* weights = output.weight.data() + (kWinLogits + c) * output.inputs;
    const float bias = output.bias[kWinLogits + c];
    for (std::size_t s = 0; s < states; ++s) {
      float* logits = logits_.data() + s * seats * classes + c;
      for (std::size_t i = 0; i < seats; ++i) {
        const float* sums = accumulators.data() + (s * seats + i) * width_;
        const TwoSums dots = ReluDots(sums, weights, weights + width_, width_);
        logits[i * classes] = bias + dots.own;
        as_other[i] = dots.other;
      }
      for (std::size_t i = 0; i < seats; ++i) {
        for (std::size_t j = 0; j < seats; ++j) {
          if (side[j] != side[i]) logits[i * classes] += as_other[j];
        }
      }
    }
  }
}

void Inference::LogitsOfRows(std::size_t rows) {
  const DenseLayer& output = network_->output;
  const std::uint32_t classes = network_->shape.classes;
  const ConstMatrixMap in(rows_.data(), static_cast<Eigen::Index>(rows), output.inputs);
  const float* weights = output.weight.data() + std::size_t{kWinLogits} * output.inputs;
  const float* bias = output.bias.data() + kWinLogits;
  if (classes == 1) {
    const Eigen::Map<const Eigen::VectorXf> weight(weights, output.inputs);
    Eigen::Map<Eigen::VectorXf> logits(logits_.data(), static_cast<Eigen::Index>(rows));
    logits.noalias() = in * weight;
    logits.array() += *bias;
    return;
  }
  const ConstMatrixMap weight(weights, classes, output.inputs);
  MatrixMap logits(logits_.data(), static_cast<Eigen::Index>(rows), classes);
  logits.noalias() = in * weight.transpose();
  logits.rowwise() += Eigen::Map<const Eigen::RowVectorXf>(bias, classes);
}

void Inference::Values(std::span<const float> accumulators, std::size_t states,
                       std::span<const std::uint8_t> side, std::span<float> values) {
  const std::size_t numbers = side.size() * network_->shape.classes;  // of a state
  assert(values.size() >= states * numbers);
  if (logits_.size() < states * numbers) logits_.resize(states * numbers);
  if (network_->hidden.empty() && !network_->shape.max_pool) {
    LogitsOfSums(accumulators, states, side);
  } else {
    HiddenRows(accumulators, states, side);
    LogitsOfRows(states * side.size());
  }
  for (std::size_t s = 0; s < states; ++s) {
    SoftmaxBySide(std::span(logits_).subspan(s * numbers, numbers), side, network_->shape.classes,
                  values.subspan(s * numbers, numbers));
  }
}

void Inference::Outputs(std::span<const float> accumulators, std::size_t states,
                        std::span<const std::uint8_t> side, std::span<float> outputs) {
  HiddenRows(accumulators, states, side);
  const DenseLayer& layer = network_->output;
  const auto rows = static_cast<Eigen::Index>(states * side.size());
  const ConstMatrixMap weight(layer.weight.data(), layer.outputs, layer.inputs);
  const Eigen::Map<const Eigen::RowVectorXf> bias(layer.bias.data(), layer.outputs);
  const ConstMatrixMap in(rows_.data(), rows, layer.inputs);
  MatrixMap out(outputs.data(), rows, layer.outputs);
  out.noalias() = in * weight.transpose();
  out.rowwise() += bias;
}

}  // namespace berd
