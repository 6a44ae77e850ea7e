#pragma once

#include <tbb/blocked_range.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "search/expectiminimax/ply_tree.h"

namespace berd {

// The search of a decision, plies deeper and deeper (docs/decisions/0010). One candidate is one
// afterstate; in games with hidden values one action, which stands for its best continuation in
// each of several sampled states. Not thread-safe; it may use threads of its own.
template <Game G, Evaluator<G> E>
class Expectiminimax {
 public:
  using Rules = typename G::Rules;
  using State = typename G::State;
  using Action = typename G::Action;
  using Observation = typename G::Observation;
  using Values = std::array<float, kMostValues<G>>;

  struct Candidate {
    std::size_t index = 0;  // of the choice, or with hidden values of the legal action
    int depth = 0;          // plies of the iteration that its values come from; 0: not looked at
    float worth = 0;        // utility for the deciding seat
    Values values{};
  };

  Expectiminimax(const E& evaluator, const ExpectiminimaxOptions& options)
      : tree_(evaluator, options),
        arena_(std::min(options.threads, tbb::info::default_concurrency())) {
    for (int i = 1; i < options.threads; ++i) {
      helpers_.push_back(std::make_unique<PlyTree<G, E>>(evaluator, options));
    }
  }

  ExpectiminimaxOptions& options() { return tree_.options(); }
  const SearchStats& stats() { return tree_.stats(); }

  // Searches where nothing is hidden (or as if nothing were). Requires: root waits for a decision.
  void Search(const Rules& rules, const State& root) {
    rules_ = &rules;
    hidden_ = false;
    Begin(root);
    choices_.Enumerate(rules, root);
    samples_ = 1;
    states_.clear();
    for (std::size_t i = 0; i < choices_.size(); ++i) states_.push_back(choices_[i]);
    candidates_.assign(states_.size(), {});
    Run([&] {
      Evaluate(root, states_);
      for (std::size_t i = 0; i < candidates_.size(); ++i) AddValues(candidates_[i], values_[i]);
    });
  }

  // Searches as the observing seat; averages over `samples` states that agree with what it sees.
  // Requires: the rules hide values; the seat decides.
  void SearchHidden(const Rules& rules, const Observation& seen, int samples,
                    RandomStream& random) {
    rules_ = &rules;
    hidden_ = true;
    Begin(seen.state);
    G::legal(rules, seen.state, actions_);
    samples_ = static_cast<std::size_t>(samples);
    states_.resize(actions_.size() * samples_);
    candidates_.assign(actions_.size(), {});
    Run([&] {
      for (std::size_t sample = 0; sample < samples_; ++sample) {
        AddSample(G::sample_hidden(rules, seen, random), sample);
      }
    });
  }

  // Values of one state that waits for chance, or the mean over samples that may each be the true
  // one, looked at as deeply as a candidate; false where a limit was reached. `seat`: who wants to
  // know.
  bool Value(const Rules& rules, std::span<const State> samples, Seat seat,
             std::span<float> values) {
    StartClock();
    tree_.Begin(rules, seat, deadline_);
    return MeanValue(tree_, samples, tree_.options().plies, values);
  }

  // The candidates of the last search: those searched most deeply first, among them the best first.
  std::span<const Candidate> candidates() const { return candidates_; }

  // The states that a candidate stands for: one, or with hidden values one of each sample.
  std::span<const State> StatesOf(const Candidate& candidate) const {
    return std::span(states_).subspan(candidate.index * samples_, samples_);
  }

  // Actions that lead to a candidate: with hidden values just one, else the whole turn's.
  void Path(const Candidate& candidate, ActionList<Action>& path) const {
    if (!hidden_) return choices_.Path(candidate.index, path);
    path.clear();
    path.push_back(actions_[candidate.index]);
  }

 private:
  void Begin(const State& root) {
    seat_ = G::actor(root);
    size_ = ValuesPerState<G>(*rules_);
    StartClock();
    tree_.Begin(*rules_, seat_, deadline_);
  }

  void StartClock() {
    deadline_.reset();
    if (const auto time = tree_.options().time)
      deadline_ = std::chrono::steady_clock::now() + *time;
  }

  // All iterations; `look` fills in the values of the first one.
  template <class Look>
  void Run(Look&& look) {
    for (std::size_t i = 0; i < candidates_.size(); ++i) candidates_[i].index = i;
    SearchStats& stats = tree_.stats();
    stats.nodes += candidates_.size() * samples_;
    stats.complete = true;
    if (candidates_.size() == 1 && !tree_.options().value_forced) return;
    look();
    for (Candidate& candidate : candidates_) Finish(candidate, 1);
    stats.depth = 1;
    Sort(candidates_.size());
    for (int plies = 2; plies <= tree_.options().plies && stats.complete; ++plies) Deepen(plies);
  }

  // Looks at the candidates that pass the filter again, best first. What is cut short by a limit
  // still counts: the candidates that were done include the best one of the iteration before.
  void Deepen(int plies) {
    worth_.clear();
    for (const Candidate& candidate : candidates_) {
      if (candidate.depth == plies - 1) worth_.push_back(candidate.worth);
    }
    FilterByWorth(worth_, tree_.options().filter, order_);
    const std::size_t done = SearchCandidates(plies);
    SearchStats& stats = tree_.stats();
    stats.complete = done == order_.size();
    if (done > 0) stats.depth = plies;
    Sort(done);
  }

  // Searches the first order_.size() candidates; returns how many were done before the first that
  // was not.
  std::size_t SearchCandidates(int plies) {
    const std::size_t count = order_.size();
    if (helpers_.empty() || tree_.options().most_nodes != 0) {
      std::size_t done = 0;
      while (done < count && SearchCandidate(tree_, candidates_[done], plies)) ++done;
      return done;
    }
    std::atomic<std::size_t> next = 0;
    std::atomic<std::size_t> stopped = count;
    const auto work = [&](PlyTree<G, E>& tree) {
      for (std::size_t i = next++; i < count; i = next++) {
        if (SearchCandidate(tree, candidates_[i], plies)) continue;
        for (std::size_t first = stopped; i < first && !stopped.compare_exchange_weak(first, i);) {
        }
        next = count;
        return;
      }
    };
    for (auto& helper : helpers_) {
      helper->options() = tree_.options();
      helper->Begin(*rules_, seat_, deadline_);
    }
    arena_.execute([&] {
      const tbb::blocked_range<std::size_t> range(0, helpers_.size() + 1, 1);
      tbb::parallel_for(
          range,
          [&](const auto& part) { work(part.begin() == 0 ? tree_ : *helpers_[part.begin() - 1]); },
          tbb::simple_partitioner());
    });
    for (auto& helper : helpers_) tree_.stats().Add(helper->stats());
    return stopped;
  }

  // What other candidates found is forgotten, so that it does not matter which thread searched
  // them.
  bool SearchCandidate(PlyTree<G, E>& tree, Candidate& candidate, int plies) {
    tree.ForgetValues();
    Candidate searched{.index = candidate.index};
    const auto values = std::span(searched.values).first(size_);
    if (!MeanValue(tree, StatesOf(candidate), plies, values)) return false;
    Finish(searched, plies);
    candidate = searched;
    return true;
  }

  static bool MeanValue(PlyTree<G, E>& tree, std::span<const State> samples, int plies,
                        std::span<float> values) {
    std::fill(values.begin(), values.end(), 0.0f);
    float weight = 0;
    for (std::size_t i = 0; i < samples.size(); ++i) {
      if (!tree.AddSample(samples[i], plies - 1, i, samples.size(), values, weight)) return false;
    }
    for (float& value : values) value /= weight;
    return true;
  }

  // One sampled state: what is best after each action.
  void AddSample(const State& state, std::size_t sample) {
    constexpr std::size_t kNone = ~std::size_t{0};
    choices_.Enumerate(*rules_, state);
    tree_.stats().nodes += choices_.size();
    sampled_.clear();
    for (std::size_t i = 0; i < choices_.size(); ++i) sampled_.push_back(choices_[i]);
    Evaluate(state, sampled_);
    best_.assign(actions_.size(), kNone);
    std::size_t worst = 0;
    for (std::size_t i = 0; i < sampled_.size(); ++i) {
      if (Worth(i) < Worth(worst)) worst = i;
      const Action* at =
          std::lower_bound(actions_.begin(), actions_.end(), choices_.FirstAction(i));
      std::size_t& best = best_[static_cast<std::size_t>(at - actions_.begin())];
      if (best == kNone || Worth(i) > Worth(best)) best = i;
    }
    for (std::size_t a = 0; a < actions_.size(); ++a) {
      // Without an afterstate of its own (others lead to all of them) it is not needed here.
      const std::size_t best = best_[a] == kNone ? worst : best_[a];
      states_[a * samples_ + sample] = sampled_[best];
      AddValues(candidates_[a], values_[best]);
    }
  }

  float Worth(std::size_t i) const { return tree_.WorthTo(seat_, values_[i]); }

  void Evaluate(const State& near, std::span<const State> states) {
    pointers_.clear();
    for (const State& state : states) pointers_.push_back(&state);
    tree_.Evaluate(near, pointers_, values_);
  }

  void AddValues(Candidate& candidate, std::span<const float> values) const {
    for (std::size_t i = 0; i < size_; ++i) {
      candidate.values[i] += values[i] / static_cast<float>(samples_);
    }
  }

  void Finish(Candidate& candidate, int plies) const {
    candidate.depth = plies;
    candidate.worth = Utility<G>(*rules_, candidate.values, seat_);
  }

  void Sort(std::size_t count) {
    std::stable_sort(candidates_.begin(), candidates_.begin() + static_cast<std::ptrdiff_t>(count),
                     [](const Candidate& a, const Candidate& b) { return a.worth > b.worth; });
  }

  PlyTree<G, E> tree_;
  std::vector<std::unique_ptr<PlyTree<G, E>>> helpers_;  // of further threads
  tbb::task_arena arena_;
  const Rules* rules_ = nullptr;
  Seat seat_;
  typename PlyTree<G, E>::Deadline deadline_;
  bool hidden_ = false;
  std::size_t size_ = 0;     // of the values of one state
  std::size_t samples_ = 1;  // states of a candidate
  Choices<G> choices_;
  ActionList<Action> actions_;  // with hidden values: the legal ones
  std::vector<Candidate> candidates_;
  std::vector<State> states_;  // [index of candidate][sample]
  std::vector<State> sampled_;
  std::vector<std::size_t> best_;
  std::vector<const State*> pointers_;
  StateValues<G, E> values_;
  std::vector<float> worth_;
  std::vector<std::uint32_t> order_;
};

}  // namespace berd
