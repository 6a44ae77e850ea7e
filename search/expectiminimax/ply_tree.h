#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/core/bits.h"
#include "search/expectiminimax/expansion.h"
#include "search/expectiminimax/options.h"
#include "search/expectiminimax/value_cache.h"
#include "search/oneply.h"

namespace berd {

// Indices of candidates by falling worth, as far as the filter lets them pass. `order` is replaced;
// equals keep their order.
inline void FilterByWorth(std::span<const float> worth, const MoveFilter& filter,
                          std::vector<std::uint32_t>& order) {
  order.resize(worth.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::uint32_t>(i);
  const auto better = [&](std::uint32_t a, std::uint32_t b) {
    return worth[a] > worth[b] || (worth[a] == worth[b] && a < b);
  };
  if (filter.all()) return std::sort(order.begin(), order.end(), better);
  const std::size_t count = std::min(order.size(), static_cast<std::size_t>(filter.count));
  const auto end = order.begin() + static_cast<std::ptrdiff_t>(count);
  std::partial_sort(order.begin(), end, order.end(), better);
  order.resize(count);
  while (worth[order.front()] - worth[order.back()] > static_cast<float>(filter.margin)) {
    order.pop_back();
  }
}

// The inner part of an expectiminimax search (docs/decisions/0010): what a state is worth when one
// looks so many plies further. Nothing is allocated per node once the buffers of a depth have
// grown. Not thread-safe; copies are independent.
template <Game G, Evaluator<G> E>
class PlyTree {
 public:
  using Rules = typename G::Rules;
  using State = typename G::State;
  using Values = std::array<float, kMostValues<G>>;

  PlyTree(const E& evaluator, const ExpectiminimaxOptions& options)
      : evaluator_(evaluator), options_(options), cache_(options.cache_entries) {}

  using Deadline = std::optional<std::chrono::steady_clock::time_point>;

  // A new search for the seat. Requires: the rules live until the next one.
  void Begin(const Rules& rules, Seat searcher, const Deadline& deadline = {}) {
    deadline_ = deadline;
    rules_ = &rules;
    searcher_ = searcher;
    size_ = ValuesPerState<G>(rules);
    stats_ = {};
    cache_.Clear();
  }

  // Values of `state`, which follows a decision at the root, from `depth` plies further, 0 ..
  // kMostPlies - 1; false (and no values) when a limit of the search was reached. Requires:
  // Begin or ForgetValues since a call with another depth.
  bool Value(const State& state, int depth, std::span<float> values) {
    plies_ = depth + 1;
    return Look(state, depth, values);
  }

  // The same for one of `samples` states that are averaged over, guesses of the same hidden state:
  // adds to `sum` what sample number `sample` contributes and to `weight` how much of the mean it
  // is. If the samples wait for chance, every outcome is followed from one of them (from some, if
  // there are more samples than outcomes): since they are drawn alike the mean stays unbiased, at
  // the price of one sample.
  bool AddSample(const State& state, int depth, std::size_t sample, std::size_t samples,
                 std::span<float> sum, float& weight) {
    plies_ = depth + 1;
    Values values;
    float share = 1.0f / static_cast<float>(samples);
    float part_of_mean = share;
    if (depth == 0 || samples == 1 || G::waits(state) != Waits::kChance) {
      if (!Look(state, depth, values)) return false;
    } else {
      if (Exhausted() || !Search(state, depth, values, {sample, samples})) return false;
      const Expansion<G>& expansion = levels_[static_cast<std::size_t>(depth)].expansion;
      if (expansion.share() > 0) {
        // As many samples follow the same outcomes.
        const std::size_t parts = std::min(samples, expansion.outcomes().size());
        const std::size_t alike = (samples - 1 - sample % parts) / parts + 1;
        share = 1.0f / static_cast<float>(alike);
        part_of_mean = share * expansion.share();
      }
    }
    AddWeighted(values, share, sum);
    weight += part_of_mean;
    return true;
  }

  // Forgets the values of the states searched so far.
  void ForgetValues() { cache_.Clear(); }

  // Values of states near another, ends included, by the evaluator. Counted.
  void Evaluate(const State& near, std::span<const State* const> states,
                StateValues<G, E>& values) {
    stats_.evaluations += states.size();
    ++stats_.calls;
    values.Evaluate(*rules_, near, states, evaluator_);
  }

  // What a seat that decides maximises.
  float WorthTo(Seat actor, std::span<const float> values) const {
    if (options_.paranoid && G::side(*rules_, actor) != G::side(*rules_, searcher_)) {
      return -Utility<G>(*rules_, values, searcher_);
    }
    return Utility<G>(*rules_, values, actor);
  }

  // Whether a limit is reached.
  bool Exhausted() const {
    if (options_.most_nodes != 0 && stats_.nodes >= options_.most_nodes) return true;
    return deadline_ && std::chrono::steady_clock::now() >= *deadline_;
  }

  ExpectiminimaxOptions& options() { return options_; }
  const ExpectiminimaxOptions& options() const { return options_; }
  SearchStats& stats() { return stats_; }
  E& evaluator() { return evaluator_; }

 private:
  using Group = typename Expansion<G>::Group;

  // The same for any state of the tree.
  bool Look(const State& state, int depth, std::span<float> values) {
    if (G::waits(state) == Waits::kEnd) {
      FinalValues<G>(*rules_, state, values);
      return true;
    }
    if (depth == 0) return EvaluateOne(state, values);
    if (Exhausted()) return false;
    std::uint64_t key = 0;
    if (cache_.enabled()) {
      // Equal keys may differ in the number of turns, which matters near the cap.
      key = Mix64(G::key(state) + G::turns(state) * 0x9e3779b97f4a7c15ULL);
      ++stats_.cache_probes;
      if (const auto found = cache_.Find(key, depth); !found.empty()) {
        ++stats_.cache_hits;
        std::copy_n(found.begin(), size_, values.begin());
        return true;
      }
    }
    if (!Search(state, depth, values)) return false;
    if (cache_.enabled()) cache_.Store(key, depth, values.first(size_));
    return true;
  }

  // The buffers of one depth.
  struct Level {
    Expansion<G> expansion;
    StateValues<G, E> values;
    std::vector<const State*> pointers;
    std::vector<float> worth;
    std::vector<std::uint32_t> order;
  };

  bool EvaluateOne(const State& state, std::span<float> values) {
    const State* one = &state;
    ++stats_.evaluations;
    ++stats_.calls;
    evaluator_.Evaluate(*rules_, state, std::span(&one, 1), values.first(size_));
    return true;
  }

  // Values, or the share of them that a part of the outcomes has.
  bool Search(const State& state, int depth, std::span<float> values,
              const typename Expansion<G>::Part& part = {}) {
    Level& level = levels_[static_cast<std::size_t>(depth)];
    Expansion<G>& expansion = level.expansion;
    if (!expansion.Expand(*rules_, state, {options_.chance_samples, options_.seed}, choices_,
                          part)) {
      return EvaluateOne(state, values);
    }
    stats_.nodes += expansion.nodes();
    if (HidesValues(*rules_)) return SearchBySight(level, state, depth, values);
    const auto groups = expansion.groups();
    const auto states = expansion.states();
    if (depth == 1 || !options_.FilterAt(plies_ - depth).all()) {
      level.pointers.clear();
      for (const State& child : states) level.pointers.push_back(&child);
      Evaluate(state, level.pointers, level.values);
    }
    std::fill_n(values.begin(), size_, 0.0f);
    const float scale = 1.0f / static_cast<float>(expansion.total_weight());
    for (const Group& group : groups) {
      const float weight = static_cast<float>(group.weight) * scale;
      if (depth == 1) {
        AddBestLeaf(level, group, weight, values);
      } else if (!AddBestDeep(level, group, depth, weight, values)) {
        return false;
      }
    }
    return true;
  }

  // Where values are hidden: seats that decide take what they value highest of what they think they
  // can have, and whether it was wise is told by the true state.
  bool SearchBySight(Level& level, const State& state, int depth, std::span<float> values) {
    const Expansion<G>& expansion = level.expansion;
    const auto groups = expansion.groups();
    level.pointers.clear();
    for (const State& child : expansion.states()) level.pointers.push_back(&child);
    Evaluate(state, level.pointers, level.values);
    level.pointers.clear();
    for (const Group& group : groups) {
      level.pointers.push_back(&expansion.true_states()[BestOf(level, group)]);
    }
    if (depth == 1) Evaluate(state, level.pointers, level.values);
    std::fill_n(values.begin(), size_, 0.0f);
    const float scale = 1.0f / static_cast<float>(expansion.total_weight());
    Values found;
    for (std::size_t g = 0; g < groups.size(); ++g) {
      const float weight = static_cast<float>(groups[g].weight) * scale;
      if (depth == 1) {
        AddWeighted(level.values[g], weight, values);
        continue;
      }
      if (!Look(*level.pointers[g], depth - 1, found)) return false;
      AddWeighted(found, weight, values);
    }
    return true;
  }

  void AddWeighted(std::span<const float> part, float weight, std::span<float> sum) const {
    for (std::size_t i = 0; i < size_; ++i) sum[i] += weight * part[i];
  }

  void AddBestLeaf(const Level& level, const Group& group, float weight, std::span<float> sum) {
    AddWeighted(level.values[BestOf(level, group)], weight, sum);
  }

  // The state of a group that the deciding seat values highest, by level.values.
  std::size_t BestOf(const Level& level, const Group& group) const {
    std::size_t best = group.first;
    if (group.count == 1) return best;
    float most = WorthTo(group.actor, level.values[best]);
    for (std::size_t i = group.first + 1; i < group.first + group.count; ++i) {
      const float worth = WorthTo(group.actor, level.values[i]);
      if (worth > most) {
        most = worth;
        best = i;
      }
    }
    return best;
  }

  // Searches the candidates that pass the filter one ply less deep; adds the best one's values.
  bool AddBestDeep(Level& level, const Group& group, int depth, float weight,
                   std::span<float> sum) {
    const MoveFilter& filter = options_.FilterAt(plies_ - depth);
    level.worth.assign(group.count, 0.0f);
    if (!filter.all() && group.count > 1) {
      for (std::size_t i = 0; i < group.count; ++i) {
        level.worth[i] = WorthTo(group.actor, level.values[group.first + i]);
      }
    }
    FilterByWorth(level.worth, filter, level.order);
    std::array<Values, 2> found{};  // the best so far, and the one at hand
    std::size_t best = 1;
    float most = 0;
    for (std::size_t i = 0; i < level.order.size(); ++i) {
      const State& child = level.expansion.states()[group.first + level.order[i]];
      if (!Look(child, depth - 1, found[1 - best])) return false;
      const float worth = group.count > 1 ? WorthTo(group.actor, found[1 - best]) : 0;
      if (i == 0 || worth > most) {
        most = worth;
        best = 1 - best;
      }
    }
    AddWeighted(found[best], weight, sum);
    return true;
  }

  E evaluator_;
  ExpectiminimaxOptions options_;
  ValueCache<kMostValues<G>> cache_;
  Choices<G> choices_;
  // By depth; that of depth 0 is not used.
  std::array<Level, static_cast<std::size_t>(ExpectiminimaxOptions::kMostPlies)> levels_;
  const Rules* rules_ = nullptr;
  Seat searcher_;
  Deadline deadline_;
  int plies_ = 1;         // of the search at hand
  std::size_t size_ = 0;  // of the values of one state
  SearchStats stats_;
};

}  // namespace berd
