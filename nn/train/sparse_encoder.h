#pragma once

#include <cstdint>

#include "nn/trainer.h"

namespace berd {

// The encoder and the pooling of a network (nn/network.h), forward and backward, as plain loops
// over vectors of 16 floats. With LibTorch's own operators a whole step of a 64-wide network for
// two seats takes 8 times (embedding_bag) or 4.5 times (sparse matrix product) as long.
//
// `stride` is the width rounded up to a multiple of kLanes; the columns added are zero in the
// weights, hence in the activations and gradients. One row of activations holds `parts` vectors of
// `stride` numbers:
//
//   z_i = [a_i ; sum over other sides' seats j of a_j ; (max_pool: their elementwise maximum)]
//
// Ranges of examples, and ranges of columns, are independent: threads may share the work, with the
// same result bit by bit. Stateless, thread-safe.
struct SparseEncoder {
  static constexpr std::int64_t kLanes = 16;

  std::int64_t stride = 0;
  std::int64_t parts = 2;

  std::int64_t row() const { return parts * stride; }

  // Activations z[rows][parts][stride] of the examples begin .. end - 1 from table[inputs][stride]
  // and bias[stride].
  void Forward(const TrainingBatch& batch, const float* table, const float* bias, float* z,
               std::int64_t begin, std::int64_t end) const;

  // For the examples begin .. end - 1: turns dz, the gradient by z, into the gradient by the
  // encoder's sums before the relu; it replaces the first part of each row of dz.
  void BackwardPool(const TrainingBatch& batch, const float* z, float* dz, std::int64_t begin,
                    std::int64_t end) const;

  // Adds, for the columns begin .. end - 1 (multiples of kLanes), the gradients by table and bias
  // of what BackwardPool left in dz.
  void BackwardTable(const TrainingBatch& batch, const float* dz, float* table_gradient,
                     float* bias_gradient, std::int64_t begin, std::int64_t end) const;
};

}  // namespace berd
