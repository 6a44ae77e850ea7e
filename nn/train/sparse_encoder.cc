#include "nn/train/sparse_encoder.h"

#include <algorithm>
#include <cstddef>

namespace berd {
namespace {

// A vector of kLanes floats at any float's address: one AVX-512 register, or whatever the processor
// has (GCC and clang split it).
using Lanes [[gnu::vector_size(64), gnu::aligned(4), gnu::may_alias]] = float;
using LanesMask [[gnu::vector_size(64)]] = std::int32_t;
constexpr std::int64_t kLanes = SparseEncoder::kLanes;

Lanes& At(float* p, std::int64_t vector) { return reinterpret_cast<Lanes*>(p)[vector]; }
const Lanes& At(const float* p, std::int64_t vector) {
  return reinterpret_cast<const Lanes*>(p)[vector];
}

// The features of one row of a batch.
struct Row {
  const std::int64_t* feature;
  const float* weight;
  std::int64_t size;

  Row(const TrainingBatch& batch, std::int64_t row) {
    const auto begin = batch.row_begin[static_cast<std::size_t>(row)];
    feature = batch.feature.data() + begin;
    weight = batch.weight.data() + begin;
    size = batch.row_begin[static_cast<std::size_t>(row) + 1] - begin;
  }
};

// relu(bias + sum of weighted table rows) for kCount vectors, held in registers.
template <int kCount>
void Encode(const Row& row, const float* table, const float* bias, std::int64_t stride,
            float* out) {
  Lanes sum[kCount];
  for (int v = 0; v < kCount; ++v) sum[v] = At(bias, v);
  for (std::int64_t k = 0; k < row.size; ++k) {
    const float* source = table + row.feature[k] * stride;
    const float weight = row.weight[k];
    for (int v = 0; v < kCount; ++v) sum[v] += weight * At(source, v);
  }
  const Lanes zero = {};
  for (int v = 0; v < kCount; ++v) At(out, v) = sum[v] > zero ? sum[v] : zero;
}

// table[feature] += weight * gradient for kCount vectors.
template <int kCount>
void Scatter(const Row& row, const float* gradient, std::int64_t stride, float* table,
             float* bias) {
  Lanes value[kCount];
  for (int v = 0; v < kCount; ++v) {
    value[v] = At(gradient, v);
    At(bias, v) += value[v];
  }
  for (std::int64_t k = 0; k < row.size; ++k) {
    float* target = table + row.feature[k] * stride;
    const float weight = row.weight[k];
    for (int v = 0; v < kCount; ++v) At(target, v) += weight * value[v];
  }
}

// Calls `block` with a compile-time number of vectors and the first column, for blocks as large as
// the registers allow.
template <class Block>
void ForBlocks(std::int64_t begin, std::int64_t end, Block block) {
  std::int64_t column = begin;
  const auto run = [&]<int kCount>() {
    for (; end - column >= kCount * kLanes; column += kCount * kLanes) {
      block.template operator()<kCount>(column);
    }
  };
  run.template operator()<16>();
  run.template operator()<8>();
  run.template operator()<4>();
  run.template operator()<2>();
  run.template operator()<1>();
}

}  // namespace

void SparseEncoder::Forward(const TrainingBatch& batch, const float* table, const float* bias,
                            float* z, std::int64_t begin, std::int64_t end) const {
  const std::int64_t seats = batch.seats;
  const std::int64_t vectors = stride / kLanes;
  for (std::int64_t example = begin; example < end; ++example) {
    float* rows = z + example * seats * row();
    for (std::int64_t i = 0; i < seats; ++i) {
      const Row features(batch, example * seats + i);
      ForBlocks(0, stride, [&]<int kCount>(std::int64_t column) {
        Encode<kCount>(features, table + column, bias + column, stride, rows + i * row() + column);
      });
    }
    for (std::int64_t i = 0; i < seats; ++i) {
      float* pooled = rows + i * row() + stride;
      // Activations are not negative, so zero is neutral for the maximum too.
      std::fill_n(pooled, row() - stride, 0.0f);
      for (std::int64_t j = 0; j < seats; ++j) {
        if (batch.side[static_cast<std::size_t>(j)] == batch.side[static_cast<std::size_t>(i)]) {
          continue;
        }
        const float* other = rows + j * row();
        for (std::int64_t v = 0; v < vectors; ++v) At(pooled, v) += At(other, v);
        if (parts < 3) continue;
        for (std::int64_t v = 0; v < vectors; ++v) {
          Lanes& best = At(pooled + stride, v);
          best = At(other, v) > best ? At(other, v) : best;
        }
      }
    }
  }
}

void SparseEncoder::BackwardPool(const TrainingBatch& batch, const float* z, float* dz,
                                 std::int64_t begin, std::int64_t end) const {
  const std::int64_t seats = batch.seats;
  const std::int64_t vectors = stride / kLanes;
  const Lanes zero = {};
  for (std::int64_t example = begin; example < end; ++example) {
    const float* rows = z + example * seats * row();
    float* gradients = dz + example * seats * row();
    for (std::int64_t i = 0; i < seats; ++i) {
      const float* by_sum = gradients + i * row() + stride;
      for (std::int64_t j = 0; j < seats; ++j) {
        if (batch.side[static_cast<std::size_t>(j)] == batch.side[static_cast<std::size_t>(i)]) {
          continue;
        }
        float* target = gradients + j * row();
        for (std::int64_t v = 0; v < vectors; ++v) At(target, v) += At(by_sum, v);
      }
      if (parts < 3) continue;
      // The gradient of a maximum goes to the first seat that has it.
      const float* best = rows + i * row() + 2 * stride;
      const float* by_max = by_sum + stride;
      for (std::int64_t v = 0; v < vectors; ++v) {
        LanesMask open = ~LanesMask{};
        for (std::int64_t j = 0; j < seats; ++j) {
          if (batch.side[static_cast<std::size_t>(j)] == batch.side[static_cast<std::size_t>(i)]) {
            continue;
          }
          const LanesMask hit = open & (At(rows + j * row(), v) == At(best, v));
          Lanes& target = At(gradients + j * row(), v);
          target += hit ? At(by_max, v) : zero;
          open &= ~hit;
        }
      }
    }
    for (std::int64_t i = 0; i < seats; ++i) {
      for (std::int64_t v = 0; v < vectors; ++v) {
        Lanes& gradient = At(gradients + i * row(), v);
        gradient = At(rows + i * row(), v) > zero ? gradient : zero;
      }
    }
  }
}

void SparseEncoder::BackwardTable(const TrainingBatch& batch, const float* dz,
                                  float* table_gradient, float* bias_gradient, std::int64_t begin,
                                  std::int64_t end) const {
  const std::int64_t rows = batch.examples * batch.seats;
  for (std::int64_t r = 0; r < rows; ++r) {
    const Row features(batch, r);
    ForBlocks(begin, end, [&]<int kCount>(std::int64_t column) {
      Scatter<kCount>(features, dz + r * row() + column, stride, table_gradient + column,
                      bias_gradient + column);
    });
  }
}

}  // namespace berd
