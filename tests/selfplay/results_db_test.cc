#include "selfplay/results_db.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <thread>
#include <vector>

namespace berd {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;

// A path in a new empty folder.
std::string FreshPath(const std::string& name) {
  const auto folder = std::filesystem::path(testing::TempDir()) / ("results_" + name);
  std::filesystem::remove_all(folder);
  return (folder / "deeper" / "results.sqlite").string();
}

ArenaRecord Example() {
  ArenaRecord record;
  record.time = "2026-01-31T12:00:00Z";
  record.program_version = "0.1.0";
  record.rules = "race:short:2x9";
  record.options = R"({"seed":7,"games":8})";
  record.agents = {{"net=a.net", "0123456789abcdef"}, {"random", ""}};
  record.result.seed = 7;
  record.result.threads = 2;
  record.result.games = 8;
  record.result.blocks = 4;
  record.result.games_per_s = 100;
  AgentResult agent;
  agent.win_share = 0.75;
  agent.ci95 = {0.5, 1};
  agent.mean_score = 8.5;
  agent.elo = 190.8;
  agent.elo_ci95 = {0, std::numeric_limits<double>::infinity()};
  record.result.agents = {agent, agent};
  record.result.agents[1].win_share = 0.25;
  return record;
}

TEST(ResultsDb, StoresRunsAndAgents) {
  const auto path = FreshPath("rows");
  EXPECT_EQ(*AddToResults(path, Example()), 1);
  EXPECT_EQ(*AddToResults(path, Example()), 2);

  SQLite::Database db(path);
  EXPECT_EQ(db.execAndGet("PRAGMA user_version").getInt(), kResultsVersion);
  EXPECT_EQ(db.execAndGet("SELECT count(*) FROM arena_runs").getInt(), 2);
  SQLite::Statement run(db, "SELECT * FROM arena_runs WHERE id = 2");
  ASSERT_TRUE(run.executeStep());
  EXPECT_EQ(run.getColumn("time").getString(), "2026-01-31T12:00:00Z");
  EXPECT_EQ(run.getColumn("program_version").getString(), "0.1.0");
  EXPECT_EQ(run.getColumn("rules").getString(), "race:short:2x9");
  EXPECT_EQ(run.getColumn("seed").getInt64(), 7);
  EXPECT_EQ(run.getColumn("threads").getInt(), 2);
  EXPECT_EQ(run.getColumn("games").getInt(), 8);
  EXPECT_EQ(run.getColumn("blocks").getInt(), 4);
  EXPECT_EQ(run.getColumn("config_hash").getString(), ConfigHash(Example()));
  EXPECT_TRUE(run.getColumn("sprt").isNull());

  SQLite::Statement agents(db, "SELECT * FROM arena_agents WHERE run = 2 ORDER BY position");
  ASSERT_TRUE(agents.executeStep());
  EXPECT_EQ(agents.getColumn("agent").getString(), "net=a.net");
  EXPECT_EQ(agents.getColumn("file_hash").getString(), "0123456789abcdef");
  EXPECT_EQ(agents.getColumn("win_share").getDouble(), 0.75);
  EXPECT_EQ(agents.getColumn("ci95_low").getDouble(), 0.5);
  EXPECT_EQ(agents.getColumn("mean_score").getDouble(), 8.5);
  EXPECT_EQ(agents.getColumn("elo").getDouble(), 190.8);
  EXPECT_TRUE(agents.getColumn("elo_ci95_high").isNull());  // unbounded
  ASSERT_TRUE(agents.executeStep());
  EXPECT_EQ(agents.getColumn("agent").getString(), "random");
  EXPECT_TRUE(agents.getColumn("file_hash").isNull());
  EXPECT_FALSE(agents.executeStep());
}

TEST(ResultsDb, StoresTheDecisionOfASequentialTest) {
  const auto path = FreshPath("sprt");
  auto record = Example();
  record.result.sprt.emplace(SprtOptions{.elo0 = 0, .elo1 = 200}, 1, 2);
  ASSERT_TRUE(AddToResults(path, record));
  for (int i = 0; i < 100; ++i) record.result.sprt->Add(1);
  ASSERT_TRUE(AddToResults(path, record));
  SQLite::Database db(path);
  EXPECT_EQ(db.execAndGet("SELECT sprt FROM arena_runs WHERE id = 1").getString(), "none");
  EXPECT_EQ(db.execAndGet("SELECT sprt FROM arena_runs WHERE id = 2").getString(), "H1");
}

TEST(ResultsDb, TakesSeveralWritersAtOnce) {
  const auto path = FreshPath("writers");
  constexpr int kWriters = 4;
  constexpr int kRuns = 10;
  std::vector<int> stored(kWriters);
  {
    std::vector<std::jthread> writers;
    writers.reserve(kWriters);
    for (int& count : stored) {
      writers.emplace_back([&count, &path] {
        for (int i = 0; i < kRuns; ++i) count += AddToResults(path, Example()).has_value();
      });
    }
  }
  for (const int count : stored) EXPECT_EQ(count, kRuns);
  SQLite::Database db(path);
  EXPECT_EQ(db.execAndGet("SELECT count(*) FROM arena_runs").getInt(), kWriters * kRuns);
  EXPECT_EQ(db.execAndGet("SELECT count(*) FROM arena_agents").getInt(), 2 * kWriters * kRuns);
}

TEST(ResultsDb, LeavesFilesOfOthersAlone) {
  const auto path = FreshPath("foreign");
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  {
    SQLite::Database db(path, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    db.exec("CREATE TABLE recipes (name TEXT)");
  }
  EXPECT_THAT(AddToResults(path, Example()).error().message, HasSubstr("of another program"));
  SQLite::Database db(path);
  EXPECT_FALSE(db.tableExists("arena_runs"));
}

TEST(ResultsDb, RefusesLaterVersions) {
  const auto path = FreshPath("later");
  ASSERT_TRUE(AddToResults(path, Example()));
  SQLite::Database(path, SQLite::OPEN_READWRITE).exec("PRAGMA user_version = 99");
  EXPECT_THAT(AddToResults(path, Example()).error().message, HasSubstr("version 99"));
}

const std::vector<std::string> kColumnsOfVersion3 = {"win_share_adjusted",
                                                     "win_share_adjusted_ci95_low",
                                                     "win_share_adjusted_ci95_high",
                                                     "win_share_variance_ratio",
                                                     "equity_adjusted",
                                                     "equity_adjusted_ci95_low",
                                                     "equity_adjusted_ci95_high",
                                                     "equity_variance_ratio"};

void DropColumns(SQLite::Database& db, const std::vector<std::string>& columns) {
  for (const auto& column : columns) db.exec("ALTER TABLE arena_agents DROP COLUMN " + column);
}

// Numbers of the agents' rows, "null" where there is none.
std::string ColumnOf(SQLite::Database& db, const std::string& column) {
  return db
      .execAndGet("SELECT group_concat(coalesce(" + column +
                  ", 'null'), ' ') FROM (SELECT * FROM arena_agents ORDER BY run, position)")
      .getString();
}

ArenaRecord ExampleWithoutLuck() {
  ArenaRecord record = Example();
  LuckAdjusted share;
  share.mean = 0.625;
  share.ci95 = {0.5, 0.75};
  share.variance_ratio = 4;
  record.result.agents[0].win_share_adjusted = share;
  LuckAdjusted equity;
  equity.mean = 1.25;
  equity.ci95 = {1, std::numeric_limits<double>::infinity()};
  equity.variance_ratio = std::numeric_limits<double>::quiet_NaN();
  record.result.agents[0].equity_adjusted = equity;
  return record;
}

TEST(ResultsDb, StoresResultsWithoutLuck) {
  const auto path = FreshPath("luck");
  ASSERT_TRUE(AddToResults(path, ExampleWithoutLuck()));
  SQLite::Database db(path);
  EXPECT_EQ(ColumnOf(db, "win_share_adjusted"), "0.625 null");
  EXPECT_EQ(ColumnOf(db, "win_share_adjusted_ci95_low"), "0.5 null");
  EXPECT_EQ(ColumnOf(db, "win_share_adjusted_ci95_high"), "0.75 null");
  EXPECT_EQ(ColumnOf(db, "win_share_variance_ratio"), "4.0 null");
  EXPECT_EQ(ColumnOf(db, "equity_adjusted"), "1.25 null");
  EXPECT_EQ(ColumnOf(db, "equity_adjusted_ci95_low"), "1.0 null");
  EXPECT_EQ(ColumnOf(db, "equity_adjusted_ci95_high"), "null null");
  EXPECT_EQ(ColumnOf(db, "equity_variance_ratio"), "null null");
}

TEST(ResultsDb, BringsFilesOfVersion2UpToDate) {
  const auto path = FreshPath("second");
  ASSERT_TRUE(AddToResults(path, Example()));
  {
    SQLite::Database db(path, SQLite::OPEN_READWRITE);
    DropColumns(db, kColumnsOfVersion3);
    db.exec("PRAGMA user_version = 2");
  }
  ASSERT_EQ(*AddToResults(path, ExampleWithoutLuck()), 2);
  SQLite::Database db(path);
  EXPECT_EQ(db.execAndGet("PRAGMA user_version").getInt(), kResultsVersion);
  EXPECT_EQ(ColumnOf(db, "win_share_adjusted"), "null null 0.625 null");
  EXPECT_EQ(ColumnOf(db, "equity_adjusted_ci95_low"), "null null 1.0 null");
}

TEST(ResultsDb, BringsFilesOfVersion1UpToDate) {
  const auto path = FreshPath("first");
  ASSERT_TRUE(AddToResults(path, Example()));
  {
    SQLite::Database db(path, SQLite::OPEN_READWRITE);
    DropColumns(db, kColumnsOfVersion3);
    DropColumns(db, {"equity", "equity_ci95_low", "equity_ci95_high"});
    db.exec("PRAGMA user_version = 1");
  }
  ArenaRecord record = Example();
  record.result.for_points = true;
  record.result.agents[0].equity = 0.25;
  ASSERT_EQ(*AddToResults(path, record), 2);
  SQLite::Database db(path);
  EXPECT_EQ(db.execAndGet("SELECT count(*) FROM arena_agents WHERE run = 1").getInt(), 2);
  EXPECT_TRUE(
      db.execAndGet("SELECT equity FROM arena_agents WHERE run = 1 AND position = 0").isNull());
  EXPECT_EQ(
      db.execAndGet("SELECT equity FROM arena_agents WHERE run = 2 AND position = 0").getDouble(),
      0.25);
}

TEST(ResultsDb, SaysWhyAFileCannotBeWritten) {
  EXPECT_THAT(AddToResults("/dev/null/results.sqlite", Example()).error().message,
              HasSubstr("/dev/null"));
  const auto path = FreshPath("text");
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  std::ofstream(path) << std::string(4096, 'x');
  EXPECT_THAT(AddToResults(path, Example()).error().message, HasSubstr("not a database"));
}

TEST(ConfigHash, ChangesWithEverythingThatChangesTheGames) {
  const auto hash = ConfigHash(Example());
  EXPECT_THAT(hash, MatchesRegex("[0-9a-f]{16}"));
  auto record = Example();
  record.time = "2027-01-01T00:00:00Z";
  record.result.threads = 8;
  EXPECT_EQ(ConfigHash(record), hash);
  record = Example();
  record.rules = "race:short:2x8";
  EXPECT_NE(ConfigHash(record), hash);
  record = Example();
  record.agents[0].file_hash = "0123456789abcdee";
  EXPECT_NE(ConfigHash(record), hash);
  record = Example();
  record.options = R"({"seed":8,"games":8})";
  EXPECT_NE(ConfigHash(record), hash);
}

TEST(HashFile, IsXxh3OfTheContent) {
  const auto path = testing::TempDir() + "hashed";
  std::ofstream(path) << "";
  EXPECT_EQ(*HashFile(path), "2d06800538d394c2");  // XXH3 of nothing
  std::ofstream(path) << "berd";
  EXPECT_NE(*HashFile(path), "2d06800538d394c2");
  EXPECT_FALSE(HashFile("/no/such/file"));
}

}  // namespace
}  // namespace berd
