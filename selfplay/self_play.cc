#include "selfplay/self_play.h"

#include <tbb/blocked_range.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "nn/net_evaluator.h"
#include "selfplay/td_game.h"

namespace berd {

namespace {

template <Game G>
class SelfPlayOf final : public SelfPlay {
 public:
  using Rules = typename G::Rules;
  using Evaluator = NetEvaluator<G>;

  explicit SelfPlayOf(const Rules& rules) : rules_(rules) {}

  RoundStats Play(const std::shared_ptr<const Network>& network, std::uint64_t first,
                  std::int64_t count, const SelfPlayOptions& options) override {
    tbb::enumerable_thread_specific<TdGame<G, Evaluator>> players(
        [&] { return TdGame<G, Evaluator>(Evaluator(network, rules_)); });
    if (games_.size() < static_cast<std::size_t>(count)) {
      games_.resize(static_cast<std::size_t>(count));
    }
    std::vector<RoundStats> stats(static_cast<std::size_t>(count));
    // Not a lambda of its own type: TBB's loop is then compiled once, not for every game.
    const std::function<void(std::int64_t)> play = [&](std::int64_t i) {
      const auto at = static_cast<std::size_t>(i);
      stats[at] = players.local().Play(rules_, first + at, options, games_[at]);
    };
    tbb::parallel_for(std::int64_t{0}, count, play);
    // In the order of the games, whatever thread played them.
    pending_.clear();
    RoundStats sum;
    for (std::size_t i = 0; i < stats.size(); ++i) {
      pending_.insert(pending_.end(), games_[i].begin(), games_[i].end());
      sum.decisions += stats[i].decisions;
      sum.turns += stats[i].turns;
      sum.capped += stats[i].capped;
    }
    sum.games = count;
    sum.examples = static_cast<std::int64_t>(pending_.size());
    return sum;
  }

  void Commit(std::size_t window) override {
    rounds_.push_back(std::move(pending_));
    pending_ = {};
    while (rounds_.size() > window) {
      pending_ = std::move(rounds_.front());  // its memory serves the next round
      pending_.clear();
      rounds_.pop_front();
    }
    CountRounds();
  }

  std::size_t examples() const override { return begins_.empty() ? 0 : begins_.back(); }
  std::size_t newest() const override { return rounds_.empty() ? 0 : rounds_.back().size(); }

  void Fill(std::span<const std::uint32_t> chosen, TrainingBatch& batch) const override {
    batch.clear();
    batch.seats = rules_.seats();
    batch.classes = kOutcomeClasses<G>;
    batch.side.clear();
    for (int seat = 0; seat < rules_.seats(); ++seat) {
      batch.side.push_back(G::side(rules_, Seat(seat)));
    }
    for (const std::uint32_t index : chosen) AddExample(At(index), batch);
  }

  std::string EncodeWindow() const override {
    std::string bytes;
    const auto put_number = [&](std::uint64_t number) {
      bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
    };
    put_number(sizeof(TdExample<G>));
    for (const auto& round : rounds_) {
      put_number(round.size());
      bytes.append(reinterpret_cast<const char*>(round.data()),
                   round.size() * sizeof(TdExample<G>));
    }
    return bytes;
  }

  Result<void> DecodeWindow(std::string_view bytes) override {
    const auto take_number = [&](std::uint64_t& number) {
      if (bytes.size() < sizeof number) return false;
      std::memcpy(&number, bytes.data(), sizeof number);
      bytes.remove_prefix(sizeof number);
      return true;
    };
    std::uint64_t size = 0;
    if (!take_number(size)) return Fail("replay window: cut off");
    if (size != sizeof(TdExample<G>)) {
      return Fail("replay window: its examples have " + std::to_string(size) +
                  " bytes, those of this game and program " + std::to_string(sizeof(TdExample<G>)));
    }
    std::deque<std::vector<TdExample<G>>> rounds;
    while (!bytes.empty()) {
      if (!take_number(size)) return Fail("replay window: cut off");
      if (size > bytes.size() / sizeof(TdExample<G>)) return Fail("replay window: cut off");
      auto& round = rounds.emplace_back(size);
      std::memcpy(static_cast<void*>(round.data()), bytes.data(), size * sizeof(TdExample<G>));
      bytes.remove_prefix(size * sizeof(TdExample<G>));
    }
    rounds_ = std::move(rounds);
    CountRounds();
    return {};
  }

  NetworkShape EmptyShape() const override {
    NetworkShape shape;
    shape.features = std::string(Features<G>::kName);
    shape.inputs = Features<G>::kInputs;
    shape.classes = kOutcomeClasses<G>;
    return shape;
  }

 private:
  void CountRounds() {
    begins_.assign(1, 0);
    for (const auto& round : rounds_) begins_.push_back(begins_.back() + round.size());
  }

  const TdExample<G>& At(std::size_t index) const {
    const auto after = std::upper_bound(begins_.begin(), begins_.end(), index);
    const auto round = static_cast<std::size_t>(after - begins_.begin()) - 1;
    return rounds_[round][index - begins_[round]];
  }

  void AddExample(const TdExample<G>& example, TrainingBatch& batch) const {
    const auto facts = Features<G>::Note(rules_, example.state);
    AllFeatures features;
    for (int seat = 0; seat < rules_.seats(); ++seat) {
      Evaluator::ListFeatures(rules_, example.state, facts, seat, features);
      for (const Feature& feature : features) {
        batch.feature.push_back(feature.index);
        batch.weight.push_back(feature.weight);
      }
      batch.row_begin.push_back(static_cast<std::int64_t>(batch.feature.size()));
      const auto first = example.values.begin() + seat * kOutcomeClasses<G>;
      batch.win.insert(batch.win.end(), first, first + kOutcomeClasses<G>);
      batch.margin.push_back(example.margin[static_cast<std::size_t>(seat)]);
    }
    batch.example_weight.push_back(1);
    ++batch.examples;
  }

  Rules rules_;
  std::vector<std::vector<TdExample<G>>> games_;
  std::vector<TdExample<G>> pending_;
  std::deque<std::vector<TdExample<G>>> rounds_;
  std::vector<std::size_t> begins_;
};

}  // namespace

std::unique_ptr<SelfPlay> MakeSelfPlay(const AnyRules& game) {
  return VisitGame(game, []<class G>(const typename G::Rules& rules) -> std::unique_ptr<SelfPlay> {
    return std::make_unique<SelfPlayOf<G>>(rules);
  });
}

}  // namespace berd
