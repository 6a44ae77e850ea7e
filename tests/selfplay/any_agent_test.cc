#include "selfplay/any_agent.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "search/play.h"
#include "selfplay/agent_factory.h"

namespace berd {
namespace {

std::unique_ptr<AnyAgent> AgentOf(const char* text, const AnyRules& game) {
  return *MakeAnyAgent(*ParseAgentSpec(text), game);
}

// Plays like PlayOn, through strings; the actions of the game.
std::vector<std::string> PlayByStrings(const AnyRules& game, const char* agent) {
  const auto position = InitialPosition(game);
  const auto player = AgentOf(agent, game);
  std::array<std::uint32_t, kMaxSeats> events{};
  std::uint32_t choices = 0;
  std::vector<std::string> actions;
  while (position->waits() != Waits::kEnd) {
    if (position->waits() == Waits::kChance) {
      const Seat turn = position->turn();
      RandomStream random(5, 0, Purpose::kChance,
                          ChanceIndex(turn, events[static_cast<std::size_t>(turn.index())]++));
      actions.push_back(position->ApplyChance(random));
      continue;
    }
    RandomStream random(5, 0, Purpose::kAgent, choices++);
    for (const auto& action : player->Choose(*position, random)) {
      EXPECT_TRUE(position->Apply(action)) << action;
      actions.push_back(action);
    }
  }
  return actions;
}

TEST(AnyAgent, PlaysLikeTheTypedAgent) {
  for (const auto* rules : {"race:short:4x3", "race:short:3x3:hidden", "race:short:4x2:trade",
                            "duel:3x3:3", "duel:3x3:3:hidden"}) {
    for (const auto* name : {"random", "greedy"}) {
      const auto game = *ParseGame(rules);
      VisitGame(game, [&]<class G>(const typename G::Rules& typed) {
        const auto agent = *MakeAgent<G>(*ParseAgentSpec(name), typed);
        const std::vector<Agent<G>*> agents(static_cast<std::size_t>(typed.seats()), agent.get());
        auto state = G::initial(typed);
        std::vector<std::string> actions;
        PlayOn<G>(typed, state, agents, {.seed = 5},
                  [&](const typename G::State& before, typename G::Action action) {
                    actions.push_back(G::action_name(typed, before, action));
                  });
        EXPECT_EQ(PlayByStrings(game, name), actions) << rules << " " << name;
      });
    }
  }
}

TEST(AnyAgent, RanksByTheNoviceWithoutAnOpinion) {
  const auto game = *ParseGame("race:short:2x3");
  const auto position =
      *ParsePosition(game, "n=4 home=0,2 board=0:A2,6:A1,16:B3 col=-;- turn=A phase=move:21");
  for (const auto* name : {"random", "greedy", "greedy,eps=0.5"}) {
    const auto ranking = AgentOf(name, game)->Rank(*position, 2);
    EXPECT_EQ(ranking.by, RankedBy::kNoviceScore);
    ASSERT_EQ(ranking.choices.size(), 2u);
    EXPECT_EQ(ranking.choices[0].actions.size(), 1u);
    EXPECT_EQ(ranking.choices[0].actions[0].substr(0, 4), "m:6/");
    EXPECT_GE(ranking.choices[0].value, ranking.choices[1].value);
  }
}

TEST(AnyAgent, RefusesWhatDoesNotFit) {
  const auto game = *ParseGame("race:short:2x3");
  EXPECT_FALSE(MakeAnyAgent(*ParseAgentSpec("net=/no/such/file"), game));
}

TEST(AnyAgent, HiddenValuesHaveNoTreeKeys) {
  for (const auto* key : {"batch=4", "gumbel"}) {
    const auto spec = *ParseAgentSpec("playouts,mcts=10," + std::string(key));
    EXPECT_TRUE(MakeAnyAgent(spec, *ParseGame("race:short:3x3")));
    const auto agent = MakeAnyAgent(spec, *ParseGame("race:short:3x3:hidden"));
    ASSERT_FALSE(agent) << key;
    EXPECT_NE(agent.error().message.find("does not go with hidden values"), std::string::npos)
        << agent.error().message;
  }
  EXPECT_TRUE(MakeAnyAgent(*ParseAgentSpec("playouts,mcts=10,threads=2"),
                           *ParseGame("race:short:3x3:hidden")));
}

}  // namespace
}  // namespace berd
