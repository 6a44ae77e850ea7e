#pragma once

#include <cstdint>

#include "nn/trainer.h"

namespace berd {

// Ends the program with a message if the batch does not fit a network of this shape (see Trainer):
// going on would read or write outside of arrays.
void CheckBatch(const TrainingBatch& batch, const NetworkShape& shape);

}  // namespace berd
