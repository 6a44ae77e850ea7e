#include "selfplay/analysis.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "selfplay/agent_spec.h"
#include "test_paths.h"

namespace berd {
namespace {

std::unique_ptr<AnyAgent> AgentOf(const std::string& text, const AnyRules& game) {
  return *MakeAnyAgent(*ParseAgentSpec(text), game);
}

const std::string kNets = BERD_SOURCE_DIR "/configs/nets/";

struct Case {
  const char* rules;
  const char* net;
  const char* position;  // before a roll
};
constexpr Case kCases[] = {
    {"backgammon", "backgammon.net",
     "n=0 w=24:2,13:5,8:3,6:5/0/0 b=24:2,13:5,8:3,6:5/0/0 turn=W phase=roll"},
    {"race:short:2x9", "race_short_2x9.net",
     "n=20 home=0,2 board=0:A3,5:A2/B1,9:B2,11:A1,16:B2,27:A1,30:B2 col=A2;B2 turn=A phase=roll"}};

TEST(Analysis, MeanOfOutcomesIsWhatOnePlyMoreExpects) {
  for (const auto& [rules, net, text] : kCases) {
    const auto game = *ParseGame(rules);
    const auto position = *ParsePosition(game, text);
    const auto agent = AgentOf("net=" + kNets + net, game);
    const auto chance = AnalyseChance(game, *position, *agent);
    ASSERT_TRUE(chance) << chance.error().message;
    EXPECT_EQ(chance->outcomes.size(), 21u);
    EXPECT_EQ(chance->total_weight, 36u);
    const auto expected =
        AgentOf("net=" + kNets + net + ",plies=2,filter=0", game)->Expect(*position);
    ASSERT_EQ(expected.size(), chance->values.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_NEAR(expected[i], chance->values[i], 1e-5) << rules;
    }
    EXPECT_NEAR(chance->mean, UtilityFrom(game, expected, chance->seat), 1e-5);
    // What the network says at once is something else, but not far off.
    const auto at_once = UtilityFrom(game, agent->Expect(*position), chance->seat);
    EXPECT_NE(at_once, chance->mean);
    EXPECT_NEAR(at_once, chance->mean, 0.2);
  }
}

TEST(Analysis, AllSearchersExpectMuchTheSame) {
  const Case& one = kCases[0];
  const auto game = *ParseGame(one.rules);
  const auto position = *ParsePosition(game, one.position);
  const auto share = [&](const std::string& keys) {
    return WinShareFrom(game, AgentOf("net=" + kNets + one.net + keys, game)->Expect(*position),
                        position->turn());
  };
  const double one_ply = share("");
  EXPECT_NEAR(share(",mcts=100"), one_ply, 1e-6);
  EXPECT_NEAR(share(",rollout=72,truncate=3"), one_ply, 0.1);
  EXPECT_NEAR(share(",rollout=1296,truncate=3,raw"), one_ply, 0.1);
  EXPECT_NE(share(",rollout=72,truncate=3,raw"), share(",rollout=72,truncate=3"));
  EXPECT_EQ(share(",eps=0.5"), one_ply);
}

TEST(Analysis, SaysWhyThereIsNoLuck) {
  const auto game = *ParseGame("race:short:2x3");
  const auto position = InitialPosition(game);
  for (const auto* name : {"greedy", "random"}) {
    EXPECT_FALSE(AnalyseChance(game, *position, *AgentOf(name, game)));
    EXPECT_TRUE(AgentOf(name, game)->Expect(*position).empty());
  }
}

TEST(Analysis, OutcomesHaveTheirWeights) {
  const auto game = *ParseGame("race:short:2x3");
  const auto outcomes = InitialPosition(game)->Outcomes();
  ASSERT_EQ(outcomes.size(), 21u);
  EXPECT_EQ(outcomes[0].name, "roll:11");
  EXPECT_EQ(outcomes[0].weight, 1u);
  EXPECT_EQ(outcomes[1].name, "roll:21");
  EXPECT_EQ(outcomes[1].weight, 2u);
}

}  // namespace
}  // namespace berd
