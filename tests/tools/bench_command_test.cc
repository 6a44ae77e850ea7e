#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/tools/run_command.h"
#include "tools/speed.h"

namespace berd {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;
using Json = nlohmann::json;

CommandRun Bench(std::vector<std::string> args) {
  args.insert(args.begin(), "bench");
  return RunCommand(args);
}

TEST(BenchCommand, PrintsOneJsonObject) {
  const auto run = Bench({"--only", "net_evals_per_s/batch", "--seconds", "0.01", "--json"});
  ASSERT_EQ(run.exit_code, kExitOk) << run.err;
  ASSERT_EQ(LinesOf(run.out).size(), 1u);
  const auto json = Json::parse(run.out);
  EXPECT_EQ(json.size(), 2u);
  EXPECT_TRUE(json["signature"].is_number_unsigned());
  std::vector<std::string> names;
  for (const auto& [name, value] : json["metrics"].items()) {
    names.push_back(name);
    EXPECT_GT(value.get<double>(), 0);
  }
  EXPECT_THAT(names, ElementsAre("net_evals_per_s/batch1", "net_evals_per_s/batch1/net=128-32",
                                 "net_evals_per_s/batch64", "net_evals_per_s/batch64/net=128-32"));
  // The figures for people go to the other stream.
  EXPECT_EQ(LinesOf(run.err).size(), 4u);
}

TEST(BenchCommand, PrintsFiguresAndASignature) {
  const auto run = Bench({"--only", "random_decisions_per_s/race:short:2x4", "--seconds", "0.01"});
  ASSERT_EQ(run.exit_code, kExitOk) << run.err;
  const auto lines = LinesOf(run.out);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_THAT(lines[0], StartsWith("random_decisions_per_s/race:short:2x4 "));
  EXPECT_THAT(lines[1], StartsWith("signature "));
  EXPECT_THAT(run.err, IsEmpty());
}

TEST(BenchCommand, HasTheFiguresThatScriptsRelyOn) {
  for (const auto* name :
       {"random_decisions_per_s/race:short:2x9", "random_games_per_s/race:short:4x9",
        "afterstates_per_s/race:short:2x9", "oneply_decisions_per_s/race:short:2x4"}) {
    const auto run = Bench({"--only", name, "--seconds", "0.01", "--json"});
    ASSERT_EQ(run.exit_code, kExitOk) << run.err;
    EXPECT_TRUE(Json::parse(run.out)["metrics"].contains(name)) << run.out;
  }
}

TEST(BenchCommand, RefusesAPrefixOfNothing) {
  const auto run = Bench({"--only", "random_decsions", "--seconds", "0.01"});
  EXPECT_EQ(run.exit_code, kExitUsage);
  EXPECT_THAT(run.err, HasSubstr("no figure's name begins with 'random_decsions'"));
  EXPECT_EQ(Bench({"--seconds", "0"}).exit_code, kExitUsage);
}

TEST(BehaviourSignature, IsTheSameEveryTime) {
  const std::uint64_t signature = BehaviourSignature();
  EXPECT_NE(signature, 0u);
  EXPECT_EQ(BehaviourSignature(), signature);
}

TEST(MeasureSpeeds, ReportsEachFigureAsItIsReady) {
  std::vector<std::string> names;
  SpeedOptions options;
  options.only = "afterstates_per_s/duel";
  options.seconds = 0.01;
  options.on_figure = [&](const Speed& speed) { names.push_back(speed.name); };
  const auto speeds = MeasureSpeeds(options);
  EXPECT_THAT(names, ElementsAre("afterstates_per_s/duel:3x3:5", "afterstates_per_s/duel:4x4:6"));
  ASSERT_EQ(speeds.size(), 2u);
  EXPECT_EQ(speeds[0].name, names[0]);
}

}  // namespace
}  // namespace berd
