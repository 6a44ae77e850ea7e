#include "selfplay/results_db.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <xxhash.h>

#include <array>
#include <cassert>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <optional>
#include <system_error>

#include "nn/file_system.h"

namespace berd {

namespace {

constexpr int kBusyMilliseconds = 10000;
// Marks the file as ours: "Berd" in ASCII.
constexpr std::int32_t kApplicationId = 0x42657264;

constexpr const char* kTables = R"(
CREATE TABLE arena_runs (
  id INTEGER PRIMARY KEY,
  time TEXT NOT NULL,
  program_version TEXT NOT NULL,
  rules TEXT NOT NULL,
  options TEXT NOT NULL,
  config_hash TEXT NOT NULL,
  seed INTEGER NOT NULL,
  threads INTEGER NOT NULL,
  games INTEGER NOT NULL,
  blocks INTEGER NOT NULL,
  shared_win_rate REAL NOT NULL,
  capped_rate REAL NOT NULL,
  decisions_per_game REAL NOT NULL,
  turns_per_game REAL NOT NULL,
  seconds REAL NOT NULL,
  games_per_s REAL NOT NULL,
  sprt TEXT
);
CREATE TABLE arena_agents (
  run INTEGER NOT NULL REFERENCES arena_runs (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  agent TEXT NOT NULL,
  file_hash TEXT,
  sides INTEGER NOT NULL,
  win_share REAL NOT NULL,
  ci95_low REAL NOT NULL,
  ci95_high REAL NOT NULL,
  mean_score REAL NOT NULL,
  elo REAL,
  elo_ci95_low REAL,
  elo_ci95_high REAL,
  equity REAL,
  equity_ci95_low REAL,
  equity_ci95_high REAL,
  win_share_adjusted REAL,
  win_share_adjusted_ci95_low REAL,
  win_share_adjusted_ci95_high REAL,
  win_share_variance_ratio REAL,
  equity_adjusted REAL,
  equity_adjusted_ci95_low REAL,
  equity_adjusted_ci95_high REAL,
  equity_variance_ratio REAL,
  PRIMARY KEY (run, position)
) WITHOUT ROWID;
CREATE INDEX arena_agents_agent ON arena_agents (agent);
)";

// Version 1 had no equity.
constexpr const char* kFromVersion1 = R"(
ALTER TABLE arena_agents ADD COLUMN equity REAL;
ALTER TABLE arena_agents ADD COLUMN equity_ci95_low REAL;
ALTER TABLE arena_agents ADD COLUMN equity_ci95_high REAL;
)";

// Version 2 had no luck-adjusted numbers.
constexpr const char* kFromVersion2 = R"(
ALTER TABLE arena_agents ADD COLUMN win_share_adjusted REAL;
ALTER TABLE arena_agents ADD COLUMN win_share_adjusted_ci95_low REAL;
ALTER TABLE arena_agents ADD COLUMN win_share_adjusted_ci95_high REAL;
ALTER TABLE arena_agents ADD COLUMN win_share_variance_ratio REAL;
ALTER TABLE arena_agents ADD COLUMN equity_adjusted REAL;
ALTER TABLE arena_agents ADD COLUMN equity_adjusted_ci95_low REAL;
ALTER TABLE arena_agents ADD COLUMN equity_adjusted_ci95_high REAL;
ALTER TABLE arena_agents ADD COLUMN equity_variance_ratio REAL;
)";

std::string Hex(std::uint64_t number) {
  std::array<char, 17> text;
  std::snprintf(text.data(), text.size(), "%016llx", static_cast<unsigned long long>(number));
  return text.data();
}

// Numbers that are not finite have no place in a table.
void BindReal(SQLite::Statement& statement, int index, double value) {
  if (std::isfinite(value)) {
    statement.bind(index, value);
  } else {
    statement.bind(index);
  }
}

void BindText(SQLite::Statement& statement, int index, const std::string& value) {
  if (value.empty()) {
    statement.bind(index);
  } else {
    statement.bind(index, value);
  }
}

std::int32_t Pragma(SQLite::Database& db, const std::string& name) {
  return db.execAndGet("PRAGMA " + name).getInt();
}

// Writers do not shut readers out in this mode. Where the file system cannot do it, or another
// process is just doing it, the file works without.
void TryWriteAheadLog(SQLite::Database& db) {
  try {
    db.exec("PRAGMA journal_mode = WAL");
  } catch (const SQLite::Exception&) {
  }
}

// Makes the tables in a new file; refuses files of others. Inside a transaction.
Result<void> EnsureTables(SQLite::Database& db) {
  const auto version = Pragma(db, "user_version");
  const auto application = Pragma(db, "application_id");
  const int tables = db.execAndGet("SELECT count(*) FROM sqlite_master").getInt();
  if (tables == 0 && version == 0 && application == 0) {
    db.exec(kTables);
    db.exec("PRAGMA user_version = " + std::to_string(kResultsVersion));
    db.exec("PRAGMA application_id = " + std::to_string(kApplicationId));
    return {};
  }
  if (application != kApplicationId) return Fail("is an SQLite file of another program");
  if (version == 1 || version == 2) {
    if (version == 1) db.exec(kFromVersion1);
    db.exec(kFromVersion2);
    db.exec("PRAGMA user_version = " + std::to_string(kResultsVersion));
    return {};
  }
  if (version != kResultsVersion) {
    return Fail("has version " + std::to_string(version) + " of the tables, this program knows " +
                std::to_string(kResultsVersion));
  }
  return {};
}

std::string SprtText(const ArenaResult& result) {
  if (!result.sprt) return "";
  switch (result.sprt->decision()) {
    case SprtDecision::kH0:
      return "H0";
    case SprtDecision::kH1:
      return "H1";
    case SprtDecision::kNone:
      break;
  }
  return "none";
}

std::int64_t InsertRun(SQLite::Database& db, const ArenaRecord& record) {
  SQLite::Statement insert(
      db,
      "INSERT INTO arena_runs (time, program_version, rules, options, config_hash, seed, threads, "
      "games, blocks, shared_win_rate, capped_rate, decisions_per_game, turns_per_game, seconds, "
      "games_per_s, sprt) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  const ArenaResult& result = record.result;
  int index = 0;
  for (const std::string& text :
       {record.time, record.program_version, record.rules, record.options, ConfigHash(record)}) {
    insert.bind(++index, text);
  }
  insert.bind(++index, static_cast<std::int64_t>(result.seed));
  insert.bind(++index, result.threads);
  insert.bind(++index, static_cast<std::int64_t>(result.games));
  insert.bind(++index, static_cast<std::int64_t>(result.blocks));
  for (const double number : {result.shared_win_rate, result.capped_rate, result.decisions_per_game,
                              result.turns_per_game, result.seconds, result.games_per_s}) {
    insert.bind(++index, number);
  }
  BindText(insert, ++index, SprtText(result));
  insert.exec();
  return db.getLastInsertRowid();
}

// Four columns from `index` on.
void BindAdjusted(SQLite::Statement& statement, int index,
                  const std::optional<LuckAdjusted>& adjusted) {
  if (!adjusted) {
    for (int column = 0; column < 4; ++column) statement.bind(index + column);
    return;
  }
  BindReal(statement, index, adjusted->mean);
  BindReal(statement, index + 1, adjusted->ci95.low);
  BindReal(statement, index + 2, adjusted->ci95.high);
  BindReal(statement, index + 3, adjusted->variance_ratio);
}

void InsertAgents(SQLite::Database& db, std::int64_t run, const ArenaRecord& record) {
  SQLite::Statement insert(
      db,
      "INSERT INTO arena_agents VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
      "?, ?, ?, ?, ?, ?, ?, ?)");
  for (std::size_t i = 0; i < record.agents.size(); ++i) {
    const AgentResult& agent = record.result.agents[i];
    insert.reset();
    insert.bind(1, run);
    insert.bind(2, static_cast<int>(i));
    insert.bind(3, record.agents[i].agent);
    BindText(insert, 4, record.agents[i].file_hash);
    insert.bind(5, agent.sides);
    insert.bind(6, agent.win_share);
    insert.bind(7, agent.ci95.low);
    insert.bind(8, agent.ci95.high);
    insert.bind(9, agent.mean_score);
    BindReal(insert, 10, agent.elo);
    BindReal(insert, 11, agent.elo_ci95.low);
    BindReal(insert, 12, agent.elo_ci95.high);
    if (record.result.for_points) {
      BindReal(insert, 13, agent.equity);
      BindReal(insert, 14, agent.equity_ci95.low);
      BindReal(insert, 15, agent.equity_ci95.high);
    } else {
      for (int index = 13; index <= 15; ++index) insert.bind(index);
    }
    BindAdjusted(insert, 16, agent.win_share_adjusted);
    BindAdjusted(insert, 20, agent.equity_adjusted);
    insert.exec();
  }
}

Result<std::int64_t> Add(const std::string& path, const ArenaRecord& record) {
  SQLite::Database db(path, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE, kBusyMilliseconds);
  // Takes the write lock at once, so that two processes do not both make the tables.
  SQLite::Transaction transaction(db, SQLite::TransactionBehavior::IMMEDIATE);
  if (auto ok = EnsureTables(db); !ok) return tl::unexpected(ok.error());
  const std::int64_t run = InsertRun(db, record);
  InsertAgents(db, run, record);
  transaction.commit();
  TryWriteAheadLog(db);
  return run;
}

}  // namespace

std::string UtcNow() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  std::array<char, 32> text;
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text.data();
}

Result<std::string> HashFile(const std::string& path) {
  constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 32;
  const auto bytes = ReadFile(path, kMostBytes);
  if (!bytes) return tl::unexpected(bytes.error());
  return Hex(XXH3_64bits(bytes->data(), bytes->size()));
}

std::string ConfigHash(const ArenaRecord& record) {
  std::string text = record.rules + "\n" + record.options + "\n";
  for (const auto& [agent, file_hash] : record.agents) {
    text += agent;
    text += "\t";
    text += file_hash;
    text += "\n";
  }
  return Hex(XXH3_64bits(text.data(), text.size()));
}

Result<std::int64_t> AddToResults(const std::string& path, const ArenaRecord& record) {
  assert(record.agents.size() == record.result.agents.size());
  const auto directory = std::filesystem::path(path).parent_path();
  if (!directory.empty()) {
    std::error_code error;
    std::filesystem::create_directories(directory, error);
    if (error) return Fail(directory.string() + ": cannot make directory: " + error.message());
  }
  try {
    auto run = Add(path, record);
    if (!run) return Fail(path, run.error());
    return run;
  } catch (const SQLite::Exception& error) {
    return Fail(path + ": " + error.what());
  }
}

}  // namespace berd
