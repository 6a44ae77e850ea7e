#include "tools/play/game_record.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "engine/core/text.h"
#include "engine/games.h"

namespace berd {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostOutcomes = 36;  // longer lists of outcomes are left empty

std::string ShareString(WinShare share) {
  std::string text = std::to_string(share.numerator);
  return share.denominator == 1 ? text : text + "/" + std::to_string(share.denominator);
}

Result<GameRecord> DecodeRecord(const std::string& line) {
  GameRecord record;
  try {
    const Json json = Json::parse(line);
    if (!json.contains("steps")) return Fail("not a recorded game: it has no steps");
    record.rules = json.at("rules").get<std::string>();
    const auto game = ParseGame(record.rules);
    if (!game) return tl::unexpected(game.error());
    const auto position = InitialPosition(*game);
    for (const auto& step : json.at("steps")) {
      const std::string where = "step " + std::to_string(record.actions.size());
      const auto expected = step.at("pos").get<std::string>();
      if (const auto got = position->Position(); got != expected) {
        return Fail(where + ": the position should be " + Quoted(got) + ", not " +
                    Quoted(expected));
      }
      record.actions.push_back(step.at("act").get<std::string>());
      if (auto ok = position->Apply(record.actions.back()); !ok) return Fail(where, ok.error());
    }
    if (json.contains("agents")) record.seats = json["agents"].get<std::vector<std::string>>();
    record.seed = json.value("seed", std::uint64_t{0});
    record.name = json.value("name", "");
    record.date = json.value("date", "");
    record.match = json.value("match", 0);
  } catch (const Json::exception& error) {
    return Fail(std::string("not a recorded game: ") + error.what());
  }
  return record;
}

}  // namespace

std::string EncodeRecord(const GameRecord& record) {
  const auto game = ParseGame(record.rules);
  if (!game) return "";
  const auto position = InitialPosition(*game);
  Json json = {{"rules", record.rules}, {"name", record.name},    {"date", record.date},
               {"seed", record.seed},   {"agents", record.seats}, {"steps", Json::array()}};
  if (record.match > 0) json["match"] = record.match;
  for (const auto& action : record.actions) {
    auto legal = position->Actions();
    if (position->waits() == Waits::kChance && legal.size() > kMostOutcomes) legal.clear();
    json["steps"].push_back({{"pos", position->Position()}, {"legal", legal}, {"act", action}});
    if (!position->Apply(action)) break;
  }
  json["end"] = position->Position();
  if (position->waits() == Waits::kEnd) {
    json["score"] = position->Scores();
    json["win"] = Json::array();
    for (const auto share : position->WinShares()) json["win"].push_back(ShareString(share));
  } else {
    json["truncated"] = true;
  }
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result<void> SaveRecords(std::span<const GameRecord> records, const std::string& path) {
  const std::string temporary = path + ".tmp";
  const auto fail = [&]() -> Result<void> {
    auto error = Fail(path + ": cannot be written: " + std::strerror(errno));
    std::remove(temporary.c_str());
    return error;
  };
  errno = 0;
  {
    std::ofstream file(temporary, std::ios::binary);
    for (const auto& record : records) file << EncodeRecord(record) << "\n";
    file.close();
    if (!file) return fail();
  }
  if (std::rename(temporary.c_str(), path.c_str()) != 0) return fail();
  return {};
}

namespace {

// The games of a file from the `from`-th to the `to`-th, counted from 1.
Result<std::vector<GameRecord>> LoadSome(const std::string& path, std::size_t from,
                                         std::size_t to) {
  errno = 0;
  std::ifstream file(path);
  if (!file) return Fail(path + ": cannot be opened: " + std::strerror(errno));
  std::vector<GameRecord> records;
  std::string line;
  std::size_t games = 0;
  for (std::size_t at = 1; games < to && std::getline(file, line); ++at) {
    if (line.empty() || ++games < from) continue;
    auto record = DecodeRecord(line);
    if (!record) return Fail(path + ":" + std::to_string(at), record.error());
    records.push_back(*std::move(record));
  }
  if (file.bad()) return Fail(path + ": reading failed: " + std::strerror(errno));
  if (games == 0) return Fail(path + ": holds no games");
  if (games < from) {
    return Fail(path + ": there is no game " + std::to_string(from) + "; the file holds " +
                std::to_string(games));
  }
  return records;
}

}  // namespace

Result<GameRecord> LoadRecord(const std::string& path, std::size_t number) {
  auto records = LoadSome(path, number, number);
  if (!records) return tl::unexpected(records.error());
  return std::move(records->front());
}

Result<std::vector<GameRecord>> LoadRecords(const std::string& path) {
  return LoadSome(path, 1, std::numeric_limits<std::size_t>::max());
}

}  // namespace berd
