#pragma once

#include <span>

#include "nn/trainer.h"

namespace berd {

// The loss of a checked batch (nn/train/batch.h) and its gradient by the network's outputs, the
// part of the objective that is particular to this game:
//
//   logit of a side and a class of a win = mean of its seats' logits
//   win    = - sum over sides and classes of target * log softmax(logits)
//   margin = mean over seats of (margin output - target)^2
//   total  = sum over examples of example_weight * (win + margin_weight * margin)
//            / sum of the example weights
//
// out and gradient: [examples][seats][kWinLogits + classes]. The choice logit has gradient 0; its
// loss, over the siblings of one decision, belongs here once batches carry decisions. Thread-safe.
TrainingLoss LossAndGradient(const TrainingBatch& batch, double margin_weight,
                             std::span<const float> out, std::span<float> gradient);

}  // namespace berd
