#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "engine/games.h"
#include "test_paths.h"
#include "tests/nn/network_with_biases.h"
#include "tools/command.h"

namespace berd {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Json = nlohmann::json;

struct Output {
  int exit_code;
  std::string out;
  std::string err;
};

Output Arena(std::vector<std::string> args, bool record = false) {
  args.insert(args.begin(), "arena");
  if (!record) args.emplace_back("--no-db");
  std::istringstream in;
  std::ostringstream out;
  std::ostringstream err;
  Console console{in, out, err};
  const int exit_code = RunArenaCommand(args, console);
  return {exit_code, out.str(), err.str()};
}

std::string FreshDatabase(const std::string& name) {
  auto path = testing::TempDir() + "arena_" + name + ".sqlite";
  for (const char* suffix : {"", "-wal", "-shm", "-journal"}) {
    std::filesystem::remove(path + suffix);
  }
  return path;
}

TEST(ArenaCommand, PrintsATable) {
  const auto output = Arena({"--rules", "race:short:2x4", "--a", "greedy", "--b=random", "--games",
                             "200", "--threads", "2"});
  EXPECT_EQ(output.exit_code, kExitOk) << output.err;
  EXPECT_THAT(output.out, HasSubstr("race:short:2x4: 200 games in 100 blocks of 2, seed 1"));
  EXPECT_THAT(output.out, HasSubstr("\na greedy"));
  EXPECT_THAT(output.out, HasSubstr("\nb random"));
  EXPECT_THAT(output.out, HasSubstr("even share 0.5000"));
  EXPECT_THAT(output.err, IsEmpty());
}

TEST(ArenaCommand, PrintsOneJsonObject) {
  const auto output = Arena({"--rules", "race:short:4x2", "--a", "greedy", "--b", "random",
                             "--games", "40", "--seed", "5", "--threads", "1", "--json"});
  ASSERT_EQ(output.exit_code, kExitOk) << output.err;
  EXPECT_EQ(output.out.find('\n'), output.out.size() - 1);  // one line
  const auto json = Json::parse(output.out);
  EXPECT_EQ(json["rules"], "race:short:4x2");
  EXPECT_EQ(json["games"], 40);
  EXPECT_EQ(json["blocks"], 10);
  EXPECT_EQ(json["seed"], 5);
  EXPECT_EQ(json["threads"], 1);
  EXPECT_GT(json["games_per_s"].get<double>(), 0);
  EXPECT_FALSE(json.contains("sprt"));
  ASSERT_EQ(json["agents"].size(), 2u);
  const auto& greedy = json["agents"][0];
  EXPECT_EQ(greedy["agent"], "greedy");
  EXPECT_EQ(greedy["sides"], 1);
  ASSERT_EQ(greedy["ci95"].size(), 2u);
  EXPECT_LE(greedy["ci95"][0], greedy["win_share"]);
  EXPECT_GE(greedy["ci95"][1], greedy["win_share"]);
  EXPECT_TRUE(greedy["elo"].is_number());
  EXPECT_EQ(greedy["elo_ci95"].size(), 2u);
  EXPECT_GT(greedy["mean_score"].get<double>(), 0);
  EXPECT_EQ(json["agents"][1]["sides"], 3);
  EXPECT_NEAR(greedy["win_share"].get<double>() + 3 * json["agents"][1]["win_share"].get<double>(),
              1, 1e-9);
}

TEST(ArenaCommand, ShowsEquityWhereWinsAreWorthPoints) {
  const std::vector<std::string> words = {"--rules", "backgammon", "--a",     "greedy",
                                          "--b",     "random",     "--games", "40"};
  EXPECT_THAT(Arena(words).out, HasSubstr("points won less lost"));
  auto with_json = words;
  with_json.emplace_back("--json");
  const auto json = Json::parse(Arena(with_json).out);
  const auto& greedy = json["agents"][0];
  EXPECT_GT(greedy["equity"].get<double>(), 0);
  EXPECT_LT(greedy["equity_ci95"][0].get<double>(), greedy["equity"].get<double>());
  EXPECT_EQ(json["agents"][1]["equity"].get<double>(), -greedy["equity"].get<double>());
  const auto race = Arena(
      {"--rules", "race:short:2x2", "--a", "greedy", "--b", "random", "--games", "40", "--json"});
  EXPECT_FALSE(Json::parse(race.out)["agents"][0].contains("equity"));
}

constexpr const char* kRaceNet = BERD_SOURCE_DIR "/configs/nets/race_short_2x9.net";

TEST(ArenaCommand, ShowsResultsWithoutLuck) {
  const std::vector<std::string> words = {"--rules", "race:short:2x9", "--a", "greedy", "--b",
                                          "random",  "--games",        "20",  "--luck", kRaceNet};
  const auto table = Arena(words);
  ASSERT_EQ(table.exit_code, kExitOk) << table.err;
  EXPECT_THAT(table.out, HasSubstr(std::string("without luck, as told by ") + kRaceNet));
  EXPECT_THAT(table.out, HasSubstr("variance, 1 in"));
  auto with_json = words;
  with_json.emplace_back("--json");
  with_json[9] = std::string("net=") + kRaceNet;
  const auto json = Json::parse(Arena(with_json).out);
  EXPECT_EQ(json["luck"], kRaceNet);
  const auto& greedy = json["agents"][0];
  EXPECT_NE(greedy["win_share_adjusted"], greedy["win_share"]);
  EXPECT_LT(greedy["ci95_adjusted"][0], greedy["win_share_adjusted"]);
  EXPECT_GT(greedy["ci95_adjusted"][1], greedy["win_share_adjusted"]);
  EXPECT_GT(greedy["variance_ratio"].get<double>(), 0);
  EXPECT_GT(greedy["elo_adjusted"].get<double>(), 0);
  EXPECT_EQ(greedy["elo_ci95_adjusted"].size(), 2u);
  EXPECT_FALSE(greedy.contains("equity_adjusted"));
  const std::string net = BERD_SOURCE_DIR "/configs/nets/bradspel.net";
  const auto points = Json::parse(Arena({"--rules", "bradspel", "--a", "greedy", "--b", "random",
                                         "--games", "20", "--json", "--luck", net})
                                      .out)["agents"];
  EXPECT_NEAR(points[0]["equity_adjusted"].get<double>(),
              -points[1]["equity_adjusted"].get<double>(), 1e-4);
  EXPECT_GT(points[0]["equity_variance_ratio"].get<double>(), 0);
  EXPECT_EQ(points[0]["equity_ci95_adjusted"].size(), 2u);
  const auto plain =
      Arena({"--rules", "race:short:2x2", "--a", "greedy", "--games", "2", "--json"});
  EXPECT_FALSE(Json::parse(plain.out).contains("luck"));
  EXPECT_FALSE(Json::parse(plain.out)["agents"][0].contains("win_share_adjusted"));
}

TEST(ArenaCommand, LetsTheRawResultCountWhereAdjustingAddsVariance) {
  // Nobody gets home in three turns: all games are shared, and all variance is the network's.
  const auto output = Arena({"--rules", "race:short:2x9:cap=3", "--a", "greedy", "--b", "random",
                             "--games", "20", "--luck", kRaceNet});
  EXPECT_THAT(output.out, HasSubstr("let the raw figures count")) << output.err;
}

TEST(ArenaCommand, RecordsResultsWithoutLuck) {
  const auto path = FreshDatabase("luck");
  const auto output =
      Arena({"--rules", "race:short:2x9", "--a", "greedy", "--b", "random", "--games", "20",
             "--random-opening", "1", "--luck", kRaceNet, "--db", path},
            true);
  ASSERT_EQ(output.exit_code, kExitOk) << output.err;
  SQLite::Database db(path);
  const auto options = Json::parse(db.execAndGet("SELECT options FROM arena_runs").getString());
  EXPECT_EQ(options["luck"], kRaceNet);
  EXPECT_EQ(options["luck_hash"].get<std::string>().size(), 16u);
  EXPECT_EQ(options["random_opening"], 1);
  EXPECT_EQ(db.execAndGet("SELECT count(win_share_adjusted) FROM arena_agents").getInt(), 2);
}

TEST(ArenaCommand, SaysWhenAllBlocksAreTheSame) {
  const auto net = testing::TempDir() + "arena_duel.net";
  ASSERT_TRUE(SaveNetwork(
      NetworkWithBiases<Duel<false>>({.width = 4, .max_pool = false, .hidden = {}}, 3), net));
  const auto note = [&](const std::string& b, const std::vector<std::string>& more) {
    std::vector<std::string> words = {"--rules", "duel:3x3:3", "--a", "net=" + net, "--b",
                                      b,         "--games",    "4"};
    words.insert(words.end(), more.begin(), more.end());
    const auto output = Arena(words);
    EXPECT_EQ(output.exit_code, kExitOk) << output.err;
    return output.err;
  };
  EXPECT_THAT(note("net=" + net, {}), HasSubstr("'--random-opening 4'"));
  EXPECT_THAT(note("net=" + net, {"--random-opening", "2"}), IsEmpty());
  EXPECT_THAT(note("net=" + net + ",eps=0.1", {}), IsEmpty());
  EXPECT_THAT(note("greedy", {}), IsEmpty());
}

TEST(ArenaCommand, WritesNullForUnboundedNumbers) {
  const auto output = Arena({"--rules", "race:short:2x2", "--a", "random", "--json"});
  ASSERT_EQ(output.exit_code, kExitOk) << output.err;
  const auto json = Json::parse(output.out);
  EXPECT_TRUE(json["agents"][0]["elo"].is_null());
  EXPECT_EQ(json["agents"][0]["win_share"], 0.5);
}

TEST(ArenaCommand, TakesPresetsAndRoundsGamesUp) {
  const auto output = Arena(
      {"--rules", "race:short:3x1", "--a", "greedy", "--b", "random", "--games", "10", "--json"});
  ASSERT_EQ(output.exit_code, kExitOk) << output.err;
  EXPECT_EQ(Json::parse(output.out)["games"], 12);
  EXPECT_THAT(output.err, HasSubstr("10 games were rounded up to 12: 4 whole blocks of 3"));
}

TEST(ArenaCommand, GivesTeamsToAgents) {
  const auto output = Arena({"--rules", "race:short:4x2:team=2", "--a", "greedy", "--b", "random",
                             "--games", "100", "--json"});
  ASSERT_EQ(output.exit_code, kExitOk) << output.err;
  const auto json = Json::parse(output.out);
  EXPECT_EQ(json["blocks"], 50);
  EXPECT_NEAR(
      json["agents"][0]["win_share"].get<double>() + json["agents"][1]["win_share"].get<double>(),
      1, 1e-9);
}

TEST(ArenaCommand, StopsEarly) {
  const auto output = Arena(
      {"--rules", "race:short:2x9", "--a", "greedy", "--b", "random", "--sprt", "0,100", "--json"});
  ASSERT_EQ(output.exit_code, kExitOk) << output.err;
  const auto json = Json::parse(output.out);
  EXPECT_LT(json["games"], 2000);
  EXPECT_EQ(json["sprt"]["decision"], "H1");
  EXPECT_EQ(json["sprt"]["elo0"], 0);
  EXPECT_EQ(json["sprt"]["elo1"], 100);
  EXPECT_EQ(json["sprt"]["alpha"], 0.05);
  EXPECT_GE(json["sprt"]["evidence_h1"], json["sprt"]["bound_h1"]);
  const auto table =
      Arena({"--rules", "race:short:2x9", "--a", "greedy", "--b", "random", "--sprt", "0,100"});
  EXPECT_THAT(table.out, HasSubstr("H1 accepted"));
}

TEST(ArenaCommand, RecordsTheRun) {
  const auto path = FreshDatabase("records");
  const auto output = Arena({"--rules", "race:short:2x2", "--a", "greedy", "--b", "random,eps=1",
                             "--games", "20", "--seed", "3", "--db", path},
                            true);
  ASSERT_EQ(output.exit_code, kExitOk) << output.err;
  EXPECT_THAT(output.err, HasSubstr("recorded as run 1 in " + path));
  SQLite::Database db(path);
  SQLite::Statement run(db, "SELECT * FROM arena_runs");
  ASSERT_TRUE(run.executeStep());
  EXPECT_EQ(run.getColumn("rules").getString(), "race:short:2x2");
  EXPECT_EQ(run.getColumn("seed").getInt(), 3);
  EXPECT_EQ(run.getColumn("games").getInt(), 20);
  EXPECT_EQ(Json::parse(run.getColumn("options").getString())["games"], 20);
  EXPECT_EQ(
      db.execAndGet("SELECT group_concat(agent, ';') FROM (SELECT * FROM arena_agents ORDER BY 2)")
          .getString(),
      "greedy;random,eps=1");
}

TEST(ArenaCommand, PrintsTheResultEvenIfItCannotBeRecorded) {
  const auto output = Arena({"--rules", "race:short:2x2", "--a", "greedy", "--games", "2", "--json",
                             "--db", "/dev/null/x.sqlite"},
                            true);
  EXPECT_EQ(output.exit_code, kExitUsage);
  EXPECT_EQ(Json::parse(output.out)["games"], 2);
  EXPECT_THAT(output.err, HasSubstr("the result was not recorded: /dev/null"));
}

// A disk that is full: no file may grow beyond 8 blocks of 512 bytes.
TEST(ArenaCommand, PrintsTheResultWhenTheDiskIsFull) {
  const auto path = FreshDatabase("full");
  const std::string command =
      std::string("bash -c 'trap \"\" XFSZ; ulimit -f 4; exec " BERD_CLI_PATH
                  " arena --rules race:short:2x2 --a greedy --games 2 --json --db ") +
      path + "' 2>&1";
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::string text;
  for (int c; (c = std::fgetc(pipe.get())) != EOF;) text += static_cast<char>(c);
  EXPECT_THAT(text, HasSubstr("{\"rules\":\"race:short:2x2\",\"games\":2"));
  EXPECT_THAT(text, HasSubstr("the result was not recorded: " + path));
}

std::string Complaint(const std::vector<std::string>& args) {
  const auto output = Arena(args);
  EXPECT_EQ(output.exit_code, kExitUsage);
  EXPECT_THAT(output.out, IsEmpty());
  EXPECT_THAT(output.err, HasSubstr("berd arena: "));
  return output.err;
}

TEST(ArenaCommand, SaysWhatIsWrong) {
  const std::string rules = "race:short:2x2";
  EXPECT_THAT(Complaint({"--a", "greedy"}), HasSubstr("'--rules' is missing"));
  EXPECT_THAT(Complaint({"--rules", rules}), HasSubstr("'--a' is missing"));
  EXPECT_THAT(Complaint({"--rules", "race:short:2x99", "--a", "greedy"}), HasSubstr("2x99"));
  EXPECT_THAT(Complaint({"--rules", rules, "--a", "gredy"}), HasSubstr("did you mean 'greedy'"));
  EXPECT_THAT(Complaint({"--rules", rules, "--a", "greedy", "--c", "random"}),
              HasSubstr("'--c' without '--b'"));
  EXPECT_THAT(Complaint({"--rules", rules, "--a", "greedy", "--a", "random"}),
              HasSubstr("'--a' is given twice"));
  EXPECT_THAT(Complaint({"--rules", rules, "--a"}), HasSubstr("'--a' needs a value"));
  EXPECT_THAT(Complaint({"--rules", rules, "--a", "--b", "greedy"}),
              HasSubstr("'--a' needs a value"));
  EXPECT_THAT(Complaint({"--rules", rules, "--a", "net=/no/such.net"}),
              HasSubstr("/no/such.net: cannot open"));
  EXPECT_THAT(Complaint({"--rules", rules, "--a", "greedy", "--b", "greedy", "--c", "greedy"}),
              HasSubstr("3 agents for 2 seats"));
  EXPECT_THAT(Complaint({"--rules", rules, "--a", "greedy", "--gmes", "10"}),
              HasSubstr("did you mean '--games'"));
  EXPECT_THAT(Complaint({"--rules", rules, "--a", "greedy", "--games", "ten"}),
              HasSubstr("--games"));
  EXPECT_THAT(Complaint({"--rules", rules, "--a", "greedy", "--b", "random", "--sprt", "5"}),
              HasSubstr("two or four numbers"));
  EXPECT_THAT(Complaint({"--rules", rules, "--a", "greedy", "--sprt", "0,5"}),
              HasSubstr("needs two agents"));
  EXPECT_THAT(Complaint({"--rules", rules, "--q", "greedy"}), HasSubstr("'--q'"));
  EXPECT_THAT(Complaint({"--rules", rules, "--a", "greedy", "--luck", "/no/such.net"}),
              HasSubstr("/no/such.net: cannot open"));
  EXPECT_THAT(Complaint({"--rules", rules, "--a", "greedy", "--luck", "net=a.net,plies=2"}),
              HasSubstr("a network and nothing more"));
  EXPECT_THAT(Complaint({"--rules", rules, "--a", "greedy", "--b", "random", "--sprt", "0,5",
                         "--luck", kRaceNet}),
              HasSubstr("fixed number of games"));
  EXPECT_THAT(Complaint({"--rules", "duel:3x3:5", "--a", "greedy", "--luck", kRaceNet}),
              HasSubstr("has no dice"));
}

TEST(ArenaCommand, HasHelp) {
  const auto output = Arena({"--help"});
  EXPECT_EQ(output.exit_code, kExitOk);
  EXPECT_THAT(output.out, HasSubstr("--a AGENT"));
  EXPECT_THAT(output.out, HasSubstr("--sprt"));
}

}  // namespace
}  // namespace berd
