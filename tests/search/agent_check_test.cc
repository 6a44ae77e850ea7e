#include "search/solver/agent_check.h"

#include <gtest/gtest.h>

#include "search/random_agent.h"
#include "search/solver/duel_solver.h"
#include "search/solver/solver_agent.h"
#include "tests/search/duel_positions.h"
#include "tests/search/temporary_table.h"

namespace berd {
namespace {

using DuelGame = Duel<false>;

// Goes through small steps one by one, and plays the worst that the table knows.
class WorstAgent final : public Agent<DuelGame> {
 public:
  explicit WorstAgent(std::shared_ptr<const DuelTable> table) : solver_(std::move(table)) {}
  void Choose(const Rules& rules, const Observation& seen, RandomStream&,
              ActionList<Action>& path) override {
    std::vector<RankedPath<Action>> ranked;
    solver_.Rank(rules, seen, 1000, ranked);
    path.clear();
    path.push_back(ranked.back().path.front());
  }

 private:
  SolverAgent solver_;
};

TEST(AgentCheck, TellsPerfectPlayFromRandomAndWorst) {
  const TemporaryTable file;
  const DuelRules rules = DuelRulesFor("duel:3x3:2");
  ASSERT_TRUE(SolveDuel(rules, file.path(), {.threads = 2}));
  const auto table = *DuelTable::Open(file.path());
  const AgentMaker<Duel<false>> random = [] { return std::make_unique<RandomAgent<DuelGame>>(); };
  const AgentMaker<Duel<false>> solver = [&] { return std::make_unique<SolverAgent>(table); };
  const AgentMaker<Duel<false>> worst = [&] { return std::make_unique<WorstAgent>(table); };
  AgentCheckOptions options{.positions = 300, .seed = 4};
  const auto positions = DrawDuelPositions(rules, random, options);
  ASSERT_EQ(positions.size(), 300u);

  const auto perfect = CheckAgent(*table, rules, positions, solver, options);
  EXPECT_EQ(perfect.all.kept, 300u);
  EXPECT_TRUE(perfect.misses.empty());
  EXPECT_GT(perfect.critical.positions, 30u);
  EXPECT_EQ(perfect.won.positions + perfect.tied.positions, perfect.critical.positions);

  const auto chance = CheckAgent(*table, rules, positions, random, options);
  EXPECT_EQ(chance.critical.positions, perfect.critical.positions);
  EXPECT_LT(chance.critical.kept, chance.critical.positions);
  EXPECT_GT(chance.critical.kept, 0u);
  EXPECT_EQ(chance.misses.size(), 300 - chance.all.kept);
  // Where nothing can be lost nothing is.
  EXPECT_EQ(chance.all.kept - chance.critical.kept, 300 - chance.critical.positions);
  options.threads = 3;
  EXPECT_EQ(CheckAgent(*table, rules, positions, random, options).misses, chance.misses);

  EXPECT_LT(CheckAgent(*table, rules, positions, worst, options).critical.kept,
            chance.critical.kept);
}

}  // namespace
}  // namespace berd
