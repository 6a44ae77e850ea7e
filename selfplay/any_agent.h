#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/core/any_game.h"
#include "engine/games.h"
#include "search/agent.h"
#include "selfplay/agent_spec.h"

namespace berd {

// One alternative of a decision, with the names of its actions (search/agent.h).
struct RankedChoice {
  std::vector<std::string> actions;
  double value = 0;
  RankedDepth depth = {};
  std::vector<float> values = {};  // by seat and class (search/values.h), empty where not known
  bool valued = true;              // a tree search without a look at it does not know its value
};

struct Ranking {
  RankedBy by = RankedBy::kNothing;
  bool own = true;                    // false: by the reference novice, the agent has no opinion
  std::vector<RankedChoice> choices;  // best first
  SearchSummary<std::string> search = {};
};

// An agent for positions of one game, with strings for actions: for the command line, the protocol,
// the server and bindings. It uses only what the deciding seat sees. Not thread-safe.
class AnyAgent {
 public:
  virtual ~AnyAgent() = default;

  // Another game begins (Agent::NewGame).
  virtual void NewGame() = 0;

  // One or more actions that the actor takes one after another in this turn; in games with hidden
  // values exactly one. Requires: the position is one of the agent's game and waits for a decision.
  virtual std::vector<std::string> Choose(const AnyPosition& position, RandomStream& random) = 0;

  // The best `most` alternatives; by the reference novice's score where the agent itself has no
  // opinion. With hidden values each alternative is one action. Requires: as above.
  virtual Ranking Rank(const AnyPosition& position, std::size_t most) = 0;

  // What the seat on turn expects of a position that waits for chance, by seat and class
  // (search/values.h), or what an end is worth; empty if the agent has no opinion. Requires: the
  // position waits for no decision.
  virtual std::vector<float> Expect(const AnyPosition& position) = 0;
};

// Makes the agent of a spec for a game: loads what it needs and checks that it fits.
Result<std::unique_ptr<AnyAgent>> MakeAnyAgent(const AgentSpec& spec, const AnyRules& game);

}  // namespace berd
