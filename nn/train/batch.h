#pragma once

#include <cstdint>

#include "nn/trainer.h"

namespace berd {

// Ends the program with a message if the batch does not fit a network of this many inputs (see
// Trainer): going on would read or write outside of arrays.
void CheckBatch(const TrainingBatch& batch, std::int64_t inputs);

}  // namespace berd
