#pragma once

#include <vector>

#include "nn/trainer.h"

namespace berd {

// The model and the loss of nn/network.h and nn/trainer.h once more, as plain loops in double
// precision, with nothing shared with the trainer.

// out[(p * seats + i) * outputs + k]
std::vector<double> ReferenceForward(const Network& network, const TrainingBatch& batch);

// win + margin_weight * margin, and its parts.
struct ReferenceLoss {
  double win = 0;
  double margin = 0;
  double total = 0;
};
ReferenceLoss ReferenceLossOf(const Network& network, const TrainingBatch& batch,
                              double margin_weight);

}  // namespace berd
