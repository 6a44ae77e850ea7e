#pragma once

#include <array>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "engine/core/random.h"

namespace berd {

// Deals out the outcomes of the first two chance events of rolled out games in proportion to their
// weights. Of T1 games in a row (T1 the sum of the weights of the first event) each outcome of the
// first event gets its weight, and so does each of the second where T2 divides T1; T1 * T2 games in
// a row have all pairs. For two dice these are 36 and 1296. The order is random, so every single
// game has the exact probabilities. Not thread-safe.
class OutcomeOrder {
 public:
  static constexpr int kEvents = 2;
  // Events with more than this many equally likely cases are left to chance.
  static constexpr std::uint32_t kMostCases = 1296;

  explicit OutcomeOrder(std::uint64_t seed) : seed_(seed) {}

  // The case, 0 .. cases - 1, of event 0 or 1 in a game. `first_cases` is the number of cases of
  // event 0. Requires: 0 < cases <= kMostCases.
  std::uint32_t Case(int event, std::uint64_t game, std::uint32_t cases,
                     std::uint32_t first_cases) {
    const std::uint64_t round = game / first_cases;
    const std::uint64_t place = game % first_cases;
    const std::uint64_t slot = event == 0 ? place : round + place;
    return Order(event, cases)[slot % cases];
  }

 private:
  // A random order of 0 .. cases - 1, the same for equal seeds.
  const std::vector<std::uint32_t>& Order(int event, std::uint32_t cases) {
    auto& order = orders_[static_cast<std::size_t>(event)];
    if (order.size() == cases) return order;
    order.resize(cases);
    std::iota(order.begin(), order.end(), 0u);
    RandomStream random(seed_, 0, Purpose::kRollout, static_cast<std::uint32_t>(event));
    for (std::uint32_t i = cases; i > 1; --i) std::swap(order[i - 1], order[random.Below(i)]);
    return order;
  }

  std::uint64_t seed_;
  std::array<std::vector<std::uint32_t>, kEvents> orders_;
};

}  // namespace berd
