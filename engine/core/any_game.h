#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/core/find_action.h"
#include "engine/core/game.h"

namespace berd {

// One outcome of a chance event; its probability is weight / (sum of all weights).
struct NamedOutcome {
  std::string name;
  std::uint32_t weight;
};

// One position of some game, for the command line, the protocol, the server and bindings: the same
// functions as the Game concept with strings for actions. One virtual call a step; searches and
// self-play use the game's own type instead. Thread-compatible.
class AnyPosition {
 public:
  virtual ~AnyPosition() = default;

  virtual std::unique_ptr<AnyPosition> Clone() const = 0;
  virtual int seats() const = 0;
  virtual std::string rules() const = 0;  // canonical rules string
  virtual Waits waits() const = 0;
  virtual Seat turn() const = 0;
  virtual Seat actor() const = 0;
  virtual std::uint32_t turns() const = 0;
  virtual std::uint64_t key() const = 0;

  // Names of the legal actions, or at a chance event of the outcomes, sorted by bytes; empty at the
  // end and where chance has too many outcomes to list.
  virtual std::vector<std::string> Actions() const = 0;
  // The outcomes of a chance event, sorted by bytes; empty where there are too many to list, and
  // elsewhere.
  virtual std::vector<NamedOutcome> Outcomes() const = 0;
  // Makes the action or outcome of that name; an error leaves the position as it was.
  virtual Result<void> Apply(std::string_view action) = 0;
  // Draws an outcome of the chance event with its exact probability, makes it and returns its name.
  virtual std::string ApplyChance(RandomStream& random) = 0;

  virtual std::string Position() const = 0;
  virtual std::string View(Seat seat) const = 0;
  virtual std::vector<std::int64_t> Scores() const = 0;
  virtual std::vector<WinShare> WinShares() const = 0;  // requires Waits::kEnd
};

// The adapter for one game type.
template <Game G>
class PositionOf final : public AnyPosition {
 public:
  using Rules = typename G::Rules;
  using State = typename G::State;

  PositionOf(const Rules& rules, const State& state) : rules_(rules), state_(state) {}

  const Rules& game_rules() const { return rules_; }
  const State& state() const { return state_; }

  std::unique_ptr<AnyPosition> Clone() const override {
    return std::make_unique<PositionOf>(*this);
  }
  int seats() const override { return rules_.seats(); }
  std::string rules() const override { return rules_.ToString(); }
  Waits waits() const override { return G::waits(state_); }
  Seat turn() const override { return G::turn(state_); }
  Seat actor() const override { return G::actor(state_); }
  std::uint32_t turns() const override { return G::turns(state_); }
  std::uint64_t key() const override { return G::key(state_); }

  std::vector<std::string> Actions() const override {
    std::vector<std::string> names;
    for (auto& entry : NamedActions<G>(rules_, state_)) names.push_back(std::move(entry.first));
    return names;
  }
  std::vector<NamedOutcome> Outcomes() const override {
    std::vector<NamedOutcome> named;
    if (G::waits(state_) != Waits::kChance) return named;
    ActionList<Outcome<typename G::Action>> outcomes;
    if (!G::chance(rules_, state_, outcomes)) return named;
    for (const auto& [outcome, weight] : outcomes) {
      named.push_back({G::action_name(rules_, state_, outcome), weight});
    }
    std::sort(named.begin(), named.end(),
              [](const auto& a, const auto& b) { return a.name < b.name; });
    return named;
  }
  Result<void> Apply(std::string_view action) override {
    const auto found = G::parse_action(rules_, state_, action);
    if (!found) return tl::unexpected(found.error());
    G::apply(rules_, state_, *found);
    return {};
  }
  std::string ApplyChance(RandomStream& random) override {
    const auto outcome = G::sample_chance(rules_, state_, random);
    std::string name = G::action_name(rules_, state_, outcome);
    G::apply(rules_, state_, outcome);
    return name;
  }

  std::string Position() const override { return G::position(rules_, state_); }
  std::string View(Seat seat) const override { return G::view(rules_, state_, seat); }
  std::vector<std::int64_t> Scores() const override {
    std::vector<std::int64_t> scores(static_cast<std::size_t>(seats()));
    G::scores(rules_, state_, scores);
    return scores;
  }
  std::vector<WinShare> WinShares() const override {
    std::vector<WinShare> shares(static_cast<std::size_t>(seats()));
    G::win_shares(rules_, state_, shares);
    return shares;
  }

 private:
  Rules rules_;
  State state_;
};

}  // namespace berd
