#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "engine/berd/duel.h"
#include "search/agent.h"
#include "search/solver/duel_table.h"

namespace berd {

// Plays the duel without values perfectly from its table: no reply can make the final difference of
// scores worse than the table says. Of moves with the same final difference it takes one that comes
// nearest to the tokens it will gain (without that it could walk in circles until the third
// occurrence), or puts off longest those it will lose; ties at random.
class SolverAgent final : public Agent<Duel<false>> {
 public:
  // The table must fit the rules of the games.
  explicit SolverAgent(std::shared_ptr<const DuelTable> table) : table_(std::move(table)) {}

  void Choose(const Rules& rules, const Observation& seen, RandomStream& random,
              ActionList<Action>& path) override;
  // By win share: 1, 1/2 or 0.
  RankedBy Rank(const Rules& rules, const Observation& seen, std::size_t most,
                std::vector<RankedPath<Action>>& ranked) override;

 private:
  using State = Duel<false>::State;

  // A whole move or a placing decision, and what it leads to as the actor sees it.
  struct Line {
    std::vector<Action> path;
    int margin = 0;  // final difference
    int delay = 0;   // plies to the next finish that can be forced; less is better
  };

  // Fills `lines_`, best first.
  void Evaluate(const Rules& rules, const State& state);
  void AddLines(const Rules& rules, const State& before, const State& state,
                std::vector<Action>& path);

  std::shared_ptr<const DuelTable> table_;
  std::vector<Line> lines_;
};

}  // namespace berd
