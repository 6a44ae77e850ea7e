#include "selfplay/agent_spec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "nn/net_evaluator.h"
#include "search/play.h"
#include "selfplay/agent_factory.h"
#include "selfplay/network_cache.h"

namespace berd {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string Complaint(std::string_view text) {
  const auto spec = ParseAgentSpec(text);
  return spec ? "fine" : spec.error().message;
}

TEST(AgentSpec, ReadsKindsArgumentsAndKeys) {
  EXPECT_EQ(*ParseAgentSpec("random"), (AgentSpec{"random", "", {}}));
  EXPECT_EQ(*ParseAgentSpec("greedy,eps=0.25"), (AgentSpec{"greedy", "", {{"eps", "0.25"}}}));
  EXPECT_EQ(*ParseAgentSpec("net=runs/a=b.net,eps=1"),
            (AgentSpec{"net", "runs/a=b.net", {{"eps", "1"}}}));
  EXPECT_EQ(*ParseAgentSpec("gnubg:2ply,eps=0.1"), (AgentSpec{"gnubg:2ply", "", {{"eps", "0.1"}}}));
}

TEST(AgentSpec, GnubgAloneIsTheNetworkAlone) {
  EXPECT_EQ(*ParseAgentSpec("gnubg"), *ParseAgentSpec("gnubg:0ply"));
  EXPECT_EQ(ToString(*ParseAgentSpec("gnubg,eps=0.5")), "gnubg:0ply,eps=0.5");
}

TEST(AgentSpec, RoundTrips) {
  for (const std::string text : {"random", "greedy", "greedy,eps=0.5", "net=a b/c.net,eps=1e-3",
                                 "gnubg:0ply", "gnubg:1ply,eps=0.5"}) {
    const auto spec = ParseAgentSpec(text);
    ASSERT_TRUE(spec) << text;
    EXPECT_EQ(ToString(*spec), text);
    EXPECT_EQ(*ParseAgentSpec(ToString(*spec)), *spec);
  }
}

TEST(AgentSpec, GivesValuesByKey) {
  const auto spec = *ParseAgentSpec("greedy,eps=0.25");
  EXPECT_TRUE(spec.Has("eps"));
  EXPECT_FALSE(spec.Has("plies"));
  EXPECT_EQ(spec.Text("eps"), "0.25");
  EXPECT_EQ(spec.Number("eps", 0), 0.25);
  EXPECT_EQ(spec.Number("plies", 1), 1);
}

TEST(AgentSpec, NamesTheNearestKindAndKey) {
  EXPECT_THAT(Complaint("gredy"), AllOf(HasSubstr("unknown kind 'gredy'"), HasSubstr("'greedy'")));
  EXPECT_THAT(Complaint("champion.net"), HasSubstr("known: random, greedy, net, playouts, gnubg,"));
  EXPECT_THAT(Complaint("gnubg:3ply"), HasSubstr("unknown kind 'gnubg:3ply'; did you mean"));
  EXPECT_THAT(Complaint(""), HasSubstr("unknown kind ''"));
  EXPECT_THAT(Complaint("random,epz=0.1"),
              AllOf(HasSubstr("agent 'random,epz=0.1'"), HasSubstr("unknown key 'epz'"),
                    HasSubstr("did you mean 'eps'")));
}

TEST(AgentSpec, ChecksValues) {
  EXPECT_THAT(Complaint("random=3"), HasSubstr("'random' takes no value"));
  EXPECT_THAT(Complaint("gnubg=1"), HasSubstr("'gnubg' takes no value"));
  EXPECT_THAT(Complaint("net"), HasSubstr("net=FILE"));
  EXPECT_THAT(Complaint("net="), HasSubstr("net=FILE"));
  EXPECT_THAT(Complaint("solver"), HasSubstr("solver=FILE"));
  EXPECT_THAT(Complaint("greedy,eps"), HasSubstr("'eps' needs a value"));
  for (const std::string value : {"", "-0.1", "1.5", "nan", "0.1x", "inf"}) {
    EXPECT_THAT(Complaint("greedy,eps=" + value), HasSubstr("must be a number from 0 to 1"))
        << value;
  }
  for (const std::string value : {"0", "1.5", "2000", "1e2", "-1"}) {
    EXPECT_THAT(Complaint("net=a.net,samples=" + value),
                HasSubstr("must be a whole number from 1 to 1024"))
        << value;
  }
  EXPECT_THAT(Complaint("greedy,samples=4"), HasSubstr("unknown key 'samples'"));
  EXPECT_THAT(Complaint("net=a.net,smples=4"), HasSubstr("did you mean 'samples'"));
  EXPECT_THAT(Complaint("greedy,eps=0.1,eps=0.2"), HasSubstr("'eps' is given twice"));
  EXPECT_THAT(Complaint("greedy,"), HasSubstr("unknown key ''"));
}

TEST(AgentSpec, ThreadsAndLimitsBelongToSearches) {
  EXPECT_TRUE(ParseAgentSpec("net=a.net,mcts=10,threads=2,prior=0.2"));
  EXPECT_TRUE(ParseAgentSpec("net=a.net,plies=3,threads=2"));
  EXPECT_THAT(Complaint("net=a.net,threads=2"), HasSubstr("'threads' needs mcts=N, plies=2"));
  EXPECT_TRUE(ParseAgentSpec("net=a.net,rollout=36,threads=2,seconds=1.5"));
  EXPECT_TRUE(ParseAgentSpec("net=a.net,mcts=10,threads=2,nodes=99,seconds=0.5"));
  EXPECT_TRUE(ParseAgentSpec("playouts,seconds=0.5"));
  EXPECT_TRUE(ParseAgentSpec("playouts,mcts=1000,gumbel,seconds=0.5"));
  EXPECT_THAT(Complaint("playouts,gumbel,seconds=0.5"), HasSubstr("needs mcts=N, too"));
  EXPECT_THAT(Complaint("net=a.net,seconds=1"), HasSubstr("'seconds' needs mcts=N, plies=2"));
  EXPECT_THAT(Complaint("net=a.net,plies=2,seconds=0"), HasSubstr("must be a number from 0.001"));
  EXPECT_THAT(Complaint("net=a.net,nodes=5"), HasSubstr("'nodes' needs mcts=N, or plies=2"));
  EXPECT_THAT(Complaint("net=a.net,plies=2,threads=2,nodes=99"),
              HasSubstr("'threads' does not go with it"));
  EXPECT_THAT(Complaint("net=a.net,prior=0.2"), HasSubstr("'prior' needs mcts=N"));
}

TEST(AgentSpec, ReadsFilters) {
  const auto filter = [](std::string_view text) {
    const auto filters =
        ParseAgentSpec("net=a,plies=3,filter=" + std::string(text))->Filters("filter");
    EXPECT_EQ(filters.size(), 1u);
    return filters.at(0);
  };
  EXPECT_EQ(filter("5/0.25").count, 5);
  EXPECT_EQ(filter("5/0.25").margin, 0.25);
  EXPECT_TRUE(filter("0").all());
  EXPECT_TRUE(ParseAgentSpec("net=a,plies=2")->Filters("filter").empty());
  const auto two = ParseAgentSpec("net=a,plies=3,filter=5/0.25:2/0.04")->Filters("filter");
  ASSERT_EQ(two.size(), 2u);
  EXPECT_EQ(two[0].count, 5);
  EXPECT_EQ(two[1].margin, 0.04);
  EXPECT_THAT(Complaint("net=a,plies=2,filter=5/0.25:2/0.04"),
              HasSubstr("'filter' has 2 parts, one for each ply, but plies=2 filters 1"));
  EXPECT_THAT(Complaint("net=a,rollout=36,filter=5/0.25:2/0.04"), HasSubstr("is one COUNT"));
  for (const std::string value : {"", "5", "5/", "/0.1", "0/0.1", "-1/0.1", "5/-0.1", "1001/1",
                                  "5/0.1/2", "5/x", "5.5/0.1", "5/0.1:", "5/0.1:3"}) {
    EXPECT_THAT(Complaint("net=a,plies=2,filter=" + value), HasSubstr("must be COUNT/MARGIN"))
        << value;
  }
}

TEST(AgentSpec, RefusesKeysThatDoNothing) {
  EXPECT_EQ(Complaint("net=a,plies=3,filter=0,paranoid,nodes=10"), "fine");
  EXPECT_EQ(Complaint("net=a,rollout=36,truncate=5,se=0.01,filter=2/0.1"), "fine");
  EXPECT_THAT(Complaint("net=a,filter=0"),
              HasSubstr("'filter' needs plies=2 or more, or rollout=N"));
  EXPECT_THAT(Complaint("net=a,plies=1,paranoid"), HasSubstr("'paranoid' needs plies=2 or more"));
  EXPECT_THAT(Complaint("net=a,rollout=36,nodes=5"),
              HasSubstr("'nodes' needs mcts=N, or plies=2 or more"));
  EXPECT_EQ(Complaint("net=a,rollout=36,raw"), "fine");
  EXPECT_THAT(Complaint("net=a,raw"), HasSubstr("'raw' needs rollout=N"));
  EXPECT_THAT(Complaint("net=a,truncate=5"), HasSubstr("'truncate' needs rollout=N"));
  EXPECT_THAT(Complaint("net=a,rollout=36,plies=2"), HasSubstr("'plies' does not go with it"));
  EXPECT_THAT(Complaint("net=a,plies=9"), HasSubstr("must be a whole number from 1 to 8"));
  EXPECT_THAT(Complaint("net=a,plies=2,paranoid=1"), HasSubstr("'paranoid' takes no value"));
}

// ---- Agents made from specs

using Small = Race<Race2>;

const AnyRules& SmallGame() {
  static const AnyRules kGame = *ParseGame("race:short:2x2");
  return kGame;
}
const RaceRules& SmallRules() { return std::get<GameWithRules<Small>>(SmallGame()).rules; }

Network NetworkFor(std::string features, std::uint32_t inputs) {
  NetworkShape shape;
  shape.features = std::move(features);
  shape.inputs = inputs;
  shape.width = 8;
  return RandomNetwork(shape, 1);
}

TEST(AgentFactory, MakesEveryKind) {
  const std::string path = testing::TempDir() + "factory.net";
  ASSERT_TRUE(
      SaveNetwork(NetworkFor(std::string(Features<Small>::kName), Features<Small>::kInputs), path));
  const std::vector<std::string> texts = {
      "random",
      "greedy",
      "net=" + path,
      "greedy,eps=0.5",
      "net=" + path + ",plies=2,filter=4/0.1,nodes=5000",
      "net=" + path + ",plies=2,filter=0,paranoid",
      "net=" + path + ",plies=3,filter=3/0.1:2/0.05,seconds=9",
      "net=" + path + ",rollout=4,truncate=2,threads=2,seconds=9",
      "net=" + path + ",mcts=20,nodes=100,seconds=9",
      "playouts,mcts=20",
      "net=" + path + ",rollout=4,truncate=2,filter=2/0.1,raw"};
  for (const std::string& text : texts) {
    const auto agent = MakeAgent<Small>(*ParseAgentSpec(text), SmallRules());
    ASSERT_TRUE(agent) << agent.error().message;
    auto state = Small::initial(SmallRules());
    std::vector<Agent<Small>*> seats = {agent->get(), agent->get()};
    EXPECT_GT(PlayOn<Small>(SmallRules(), state, seats, GameSeeds{1, 2, 3}), 0) << text;
    EXPECT_EQ(Small::waits(state), Waits::kEnd);
  }
}

TEST(AgentFactory, SaysWhatIsWrongWithANetwork) {
  const auto missing = MakeAgent<Small>(*ParseAgentSpec("net=/no/such.net"), SmallRules());
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error().message, HasSubstr("/no/such.net: cannot open"));

  const std::string path = testing::TempDir() + "foreign.net";
  ASSERT_TRUE(SaveNetwork(NetworkFor("chess/1", 10), path));
  const auto foreign = MakeAgent<Small>(*ParseAgentSpec("net=" + path), SmallRules());
  ASSERT_FALSE(foreign);
  EXPECT_THAT(foreign.error().message, AllOf(HasSubstr(path), HasSubstr("'chess/1'")));
}

TEST(AgentFactory, MakesGnubgForBackgammonOnly) {
  const auto agent = MakeAgent<Small>(*ParseAgentSpec("gnubg"), SmallRules());
  ASSERT_FALSE(agent);
  EXPECT_EQ(agent.error().message,
            "agent 'gnubg:0ply': gnubg plays backgammon only, not race:short:2x2");
}

TEST(NetworkCache, LoadsAFileOnceWhileItIsUsedAndAgainWhenItChanged) {
  const std::string path = testing::TempDir() + "cached.net";
  ASSERT_TRUE(SaveNetwork(NetworkFor("a/1", 4), path));
  const auto first = *SharedNetwork(path);
  EXPECT_EQ(*SharedNetwork(path), first);
  ASSERT_TRUE(SaveNetwork(NetworkFor("longer/1", 5), path));
  const auto second = *SharedNetwork(path);
  EXPECT_NE(second, first);
  EXPECT_EQ(second->shape.features, "longer/1");
  EXPECT_EQ(first->shape.features, "a/1");
}

}  // namespace
}  // namespace berd
