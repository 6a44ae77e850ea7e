#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/core/game.h"

namespace berd {

// What the values of a ranking are: nothing was ranked, the reference novice's score of a small
// step, or what is expected for the deciding seat: its win share, or its equity in points.
enum class RankedBy : std::uint8_t { kNothing, kNoviceScore, kWinShare, kEquity };

// What searches rank by in this game.
template <class G>
inline constexpr RankedBy kRankedByUtility =
    kOutcomeClasses<G> > 1 ? RankedBy::kEquity : RankedBy::kWinShare;

// How well a ranking knows one alternative. What a searcher does not count or know stays 0 or
// empty.
struct RankedDepth {
  std::uint32_t visits = 0;        // of tree searches
  int plies = 0;                   // looked at so deeply: 1 is a look at what the actions lead to
  int games = 0;                   // rolled out
  double standard_error = 0;       // of the value, in games rolled out
  double error_of_gap = 0;         // … and of its difference to the best one's, game by game
  std::optional<int> margin = {};  // solved: the actor's score at the end less the opponent's
};

// One alternative of a decision: the actions, one after another, and what they are worth.
template <class Action>
struct RankedPath {
  std::vector<Action> path;
  double value = 0;
  RankedDepth depth = {};
  std::vector<float> values = {};  // by seat and class (search/values.h), empty where not known
};

// What the search behind a ranking did. What a searcher does not count stays 0.
template <class Action>
struct SearchSummary {
  std::int64_t simulations = 0;
  double depth_mean = 0;  // of simulations: choices and outcomes from the root to their end
  std::int64_t depth_most = 0;
  std::uint64_t nodes = 0;        // states made, or kept in the graph
  std::uint64_t evaluations = 0;  // states given to the evaluator
  int plies = 0;                  // of the deepest iteration
  bool complete = true;           // no limit cut it short
  int games = 0;                  // rolled out for each candidate
  int samples = 0;                // guesses of what the seat does not see
  // Tree searches: what both sides do and what chance brings most often in the best case.
  std::vector<Action> line = {};
};

// Thrown by an agent that cannot choose because something outside this program failed, such as
// another program that it asks. The game must not be counted then; whoever plays games (RunArena,
// `berd play`) turns it into a message.
class AgentFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A player of a game. One virtual call a decision. An agent keeps buffers between calls and is not
// thread-safe: every thread uses its own.
template <Game G>
class Agent {
 public:
  using Rules = typename G::Rules;
  using Action = typename G::Action;
  using Observation = typename G::Observation;

  virtual ~Agent() = default;

  // Another game begins: what an agent keeps of the last one must not show in it. Agents that keep
  // nothing have nothing to do.
  virtual void NewGame() {}

  // Replaces `path` by one or more actions that the observing seat, which must be the actor, takes
  // one after another in the same turn. The caller applies them all, or only the first: then it
  // asks again. (In games with hidden values callers apply only the first, since what a move
  // uncovers may change the rest.) All randomness comes from `random`, so equal calls on agents
  // made alike choose alike. Throws AgentFailure if the agent depends on the world outside and that
  // fails.
  virtual void Choose(const Rules& rules, const Observation& seen, RandomStream& random,
                      ActionList<Action>& path) = 0;

  // Replaces `ranked` by the alternatives of the decision, best first and at most `most`, for hints
  // and analysis. An agent that has no opinion ranks nothing.
  virtual RankedBy Rank(const Rules& /*rules*/, const Observation& /*seen*/, std::size_t /*most*/,
                        std::vector<RankedPath<Action>>& ranked) {
    ranked.clear();
    return RankedBy::kNothing;
  }

  // What the last call of Rank did.
  virtual SearchSummary<Action> LastSearch() { return {}; }

  // Replaces `values` (search/values.h) by what the agent expects of a state that waits for chance,
  // without going through the outcomes, much as of a state after its own move. False if it has no
  // opinion. Requires: the observing seat is the one on turn.
  virtual bool Expect(const Rules& /*rules*/, const Observation& /*seen*/,
                      std::vector<float>& /*values*/) {
    return false;
  }
};

// Makes one more agent of a kind; every thread needs its own. What agents alike can share, such as
// the weights of a network, is loaded already and shared. Thread-safe.
template <Game G>
using AgentMaker = std::function<std::unique_ptr<Agent<G>>()>;

// Sorts by value, best first, equals in their order, and keeps `most`.
template <class Action>
void KeepBest(std::vector<RankedPath<Action>>& ranked, std::size_t most) {
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.value > b.value; });
  if (ranked.size() > most) ranked.resize(most);
}

}  // namespace berd
