#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <numeric>
#include <span>
#include <vector>

namespace berd::mcts {

// In which order the listed outcomes of a chance event get their visits: each visit goes to the
// outcome with the largest weight / (visits + 1), the first of equals. After as many visits as the
// weights sum up to (less their common divisor) every outcome has had its share and the order
// begins again, so one round of it says all.
struct OutcomeTurns {
  std::vector<std::uint32_t> weights;
  std::vector<std::uint8_t> order;

  std::uint32_t At(std::uint32_t visit) const { return order[visit % order.size()]; }
};

// The orders of the lists of weights met so far: games have few different ones. Addresses stay. Not
// thread-safe.
class OutcomeTurnsCache {
 public:
  // Longer rounds are not written down.
  static constexpr std::uint32_t kMostRound = 4096;
  static constexpr std::size_t kMostOutcomes = 256;
  static constexpr std::size_t kMostLists = 64;

  // Null for lists that are too long, or when there are too many different ones. `weights` are
  // positive.
  const OutcomeTurns* Of(std::span<const std::uint32_t> weights) {
    for (const OutcomeTurns& turns : known_) {
      if (std::equal(weights.begin(), weights.end(), turns.weights.begin(), turns.weights.end())) {
        return turns.order.empty() ? nullptr : &turns;
      }
    }
    if (known_.size() == kMostLists) return nullptr;
    OutcomeTurns& turns = known_.emplace_back();
    turns.weights.assign(weights.begin(), weights.end());
    const std::uint64_t sum = std::accumulate(weights.begin(), weights.end(), std::uint64_t{0});
    std::uint32_t divisor = 0;
    for (const std::uint32_t weight : weights) divisor = std::gcd(divisor, weight);
    if (weights.empty() || weights.size() > kMostOutcomes || sum / divisor > kMostRound) {
      return nullptr;
    }
    WriteRound(static_cast<std::uint32_t>(sum / divisor), turns);
    return &turns;
  }

 private:
  static void WriteRound(std::uint32_t round, OutcomeTurns& turns) {
    std::vector<std::uint32_t> visits(turns.weights.size(), 0);
    turns.order.reserve(round);
    while (turns.order.size() < round) {
      std::size_t best = 0;
      for (std::size_t i = 1; i < visits.size(); ++i) {
        // w_i / (v_i + 1) > w_best / (v_best + 1), in whole numbers.
        if (std::uint64_t{turns.weights[i]} * (visits[best] + 1) >
            std::uint64_t{turns.weights[best]} * (visits[i] + 1)) {
          best = i;
        }
      }
      ++visits[best];
      turns.order.push_back(static_cast<std::uint8_t>(best));
    }
  }

  std::deque<OutcomeTurns> known_;
};

}  // namespace berd::mcts
