#include "search/solver/solver_agent.h"

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "search/greedy_agent.h"
#include "search/play.h"
#include "search/random_agent.h"
#include "search/solver/duel_solver.h"
#include "tests/search/duel_positions.h"
#include "tests/search/temporary_table.h"

namespace berd {
namespace {

using DuelGame = Duel<false>;

class SolverAgentTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    const TemporaryTable file;
    ASSERT_TRUE(SolveDuel(DuelRulesFor("duel:3x3:3"), file.path(), {.threads = 2}));
    table_ = *DuelTable::Open(file.path());  // the mapping outlives the file
  }
  static void TearDownTestSuite() { table_ = nullptr; }
  static std::shared_ptr<const DuelTable> table_;

  // Plays a game and expects that the solver's margin never falls, history and cap included;
  // returns the final difference, A less B.
  static int Play(const DuelRules& rules, std::array<Agent<DuelGame>*, 2> agents,
                  std::array<bool, 2> solver, std::uint64_t game) {
    auto state = DuelGame::initial(rules);
    int last = table_->Margin(rules, state);
    PlayOn<DuelGame>(
        rules, state, agents, {.seed = 5, .dice = 0, .game = game},
        [&](const DuelGame::State& before, DuelGame::Action action) {
          auto after = before;
          DuelGame::apply(rules, after, action);
          const int margin = table_->Margin(rules, after);
          EXPECT_TRUE(!solver[0] || margin >= last) << DuelGame::position(rules, before);
          EXPECT_TRUE(!solver[1] || margin <= last) << DuelGame::position(rules, before);
          last = margin;
        });
    return last;
  }
};

std::shared_ptr<const DuelTable> SolverAgentTest::table_;

TEST_F(SolverAgentTest, NeverLosesGround) {
  SolverAgent solver(table_);
  RandomAgent<DuelGame> random;
  GreedyAgent<DuelGame> greedy;
  int wins = 0;
  for (const std::string text : {"duel:3x3:3", "duel:3x3:2", "duel:3x3:1"}) {
    const DuelRules rules = DuelRulesFor(text);
    for (std::uint64_t game = 0; game < 200; ++game) {
      Agent<DuelGame>* const other = game % 2 == 0 ? static_cast<Agent<DuelGame>*>(&random)
                                                   : static_cast<Agent<DuelGame>*>(&greedy);
      wins += Play(rules, {&solver, other}, {true, false}, 2 * game) > 0 ? 1 : 0;
      wins += Play(rules, {other, &solver}, {false, true}, 2 * game + 1) < 0 ? 1 : 0;
    }
  }
  EXPECT_GT(wins, 600);  // of 1200
}

TEST_F(SolverAgentTest, KeepsTheValueAgainstItself) {
  SolverAgent solver(table_);
  SolverAgent other(table_);
  const DuelRules rules = DuelRulesFor("duel:3x3:3");
  const int value = table_->Margin(rules, DuelGame::initial(rules));
  for (std::uint64_t game = 0; game < 50; ++game) {
    EXPECT_EQ(Play(rules, {&solver, &other}, {true, true}, game), value);
  }
}

TEST_F(SolverAgentTest, RanksByWinShare) {
  SolverAgent solver(table_);
  const DuelRules rules = DuelRulesFor("duel:3x3:2");
  const auto state =
      *DuelGame::parse(rules, "n=8 board=a1:B2,b3:A1 col=A1;- lat=2,1 turn=A phase=move");
  std::vector<RankedPath<DuelGame::Action>> ranked;
  EXPECT_EQ(solver.Rank(rules, DuelGame::observe(rules, state, Seat(0)), 2, ranked),
            RankedBy::kWinShare);
  ASSERT_EQ(ranked.size(), 2u);
  EXPECT_EQ(DuelGame::action_name(rules, state, ranked[0].path[0]), "m:b3-off");
  EXPECT_EQ(ranked[0].value, 1.0);
}

}  // namespace
}  // namespace berd
