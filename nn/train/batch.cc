#include "nn/train/batch.h"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <set>

#include "engine/core/seat.h"

namespace berd {
namespace {

void Require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "berd: bug: a training batch is wrong: %s\n", what);
  std::abort();
}

}  // namespace

void CheckBatch(const TrainingBatch& batch, const NetworkShape& shape) {
  const auto examples = static_cast<std::size_t>(batch.examples);
  const auto seats = static_cast<std::size_t>(batch.seats);
  const std::size_t rows = examples * seats;
  Require(batch.examples >= 0 && batch.seats >= 2 && batch.seats <= kMaxSeats,
          "number of examples or seats");
  Require(batch.side.size() == seats, "size of side");
  const std::set<std::int32_t> sides(batch.side.begin(), batch.side.end());
  Require(sides.size() >= 2 && *sides.begin() == 0 &&
              *sides.rbegin() == static_cast<std::int32_t>(sides.size()) - 1,
          "the sides must be 0, 1, ..., at least two");
  Require(batch.classes == shape.classes, "number of classes");
  Require(batch.win.size() == rows * shape.classes && batch.margin.size() == rows,
          "size of win or margin");
  Require(batch.example_weight.size() == examples, "size of example_weight");
  Require(batch.row_begin.size() == rows + 1 && batch.row_begin.front() == 0 &&
              batch.row_begin.back() == static_cast<std::int64_t>(batch.feature.size()) &&
              batch.weight.size() == batch.feature.size(),
          "size of row_begin, feature or weight");
  Require(std::is_sorted(batch.row_begin.begin(), batch.row_begin.end()), "row_begin decreases");
  const double weights =
      std::accumulate(batch.example_weight.begin(), batch.example_weight.end(), 0.0);
  Require(examples == 0 || weights > 0, "the example weights do not sum to more than 0");
  // Without branches, so that it becomes vector code: this runs over every feature of every batch.
  std::uint64_t beyond = 0;
  for (const std::int64_t feature : batch.feature) {
    beyond |= static_cast<std::uint64_t>(static_cast<std::uint64_t>(feature) >=
                                         std::uint64_t{shape.inputs});
  }
  Require(beyond == 0, "a feature is not an input of the network");
}

}  // namespace berd
