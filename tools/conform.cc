#include "tools/conform.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <vector>

#include "engine/core/text.h"
#include "engine/games.h"

namespace berd {

namespace {

using Json = nlohmann::json;

std::string ShareString(WinShare share) {
  if (share.denominator == 1) return std::to_string(share.numerator);
  return std::to_string(share.numerator) + "/" + std::to_string(share.denominator);
}

template <class Range>
std::string Joined(const Range& range) {
  std::string text;
  for (const auto& item : range) text += (text.empty() ? "" : " ") + item;
  return text;
}

tl::unexpected<Error> Differs(const std::string& what, const std::string& expected,
                              const std::string& got) {
  return Fail(what + "\n    expected: " + expected + "\n    got:      " + got);
}

Result<void> ConformStep(AnyPosition& position, const Json& step, const std::string& where,
                         const AnyRules& game) {
  const auto& expected = step.at("pos").get_ref<const std::string&>();
  if (const auto got = position.Position(); got != expected) {
    return Differs(where + ": position", expected, got);
  }
  const auto parsed = ParsePosition(game, expected);
  if (!parsed) return Fail(where, parsed.error());
  if ((*parsed)->Position() != expected || (*parsed)->key() != position.key()) {
    return Differs(where + ": position after parsing", expected, (*parsed)->Position());
  }
  const auto legal = step.at("legal").get<std::vector<std::string>>();
  auto got = position.Actions();
  if (position.waits() == Waits::kChance && got.size() > 36) got.clear();
  if (got != legal) return Differs(where + ": legal actions", Joined(legal), Joined(got));
  if (auto ok = position.Apply(step.at("act").get_ref<const std::string&>()); !ok) {
    return Fail(where, ok.error());
  }
  return {};
}

Result<void> ConformGame(const AnyRules& game, const Json& record) {
  const auto position = InitialPosition(game);
  std::size_t number = 0;
  for (const auto& step : record.at("steps")) {
    if (auto ok = ConformStep(*position, step, "step " + std::to_string(number++), game); !ok) {
      return ok;
    }
  }
  const auto& end = record.at("end").get_ref<const std::string&>();
  if (const auto got = position->Position(); got != end) return Differs("end position", end, got);
  if (record.value("truncated", false)) return {};
  if (position->waits() != Waits::kEnd) return Fail("the game should be over, but is not");
  const auto scores = record.at("score").get<std::vector<std::int64_t>>();
  if (const auto got = position->Scores(); got != scores) {
    return Differs("scores", Json(scores).dump(), Json(got).dump());
  }
  std::vector<std::string> shares;
  for (const auto share : position->WinShares()) shares.push_back(ShareString(share));
  const auto win = record.at("win").get<std::vector<std::string>>();
  if (shares != win) return Differs("win shares", Joined(win), Joined(shares));
  return {};
}

Result<void> ConformViews(const AnyRules& game, const Json& record) {
  const auto position = ParsePosition(game, record.at("pos").get_ref<const std::string&>());
  if (!position) return tl::unexpected(position.error());
  const auto& views = record.at("views");
  if (views.size() != static_cast<std::size_t>((*position)->seats())) {
    return Fail("views of " + std::to_string((*position)->seats()) + " seats expected");
  }
  for (int seat = 0; seat < (*position)->seats(); ++seat) {
    const std::string letter(1, Letter(Seat(seat)));
    const auto& expected = views.at(letter).get_ref<const std::string&>();
    if (const auto got = (*position)->View(Seat(seat)); got != expected) {
      return Differs("view of " + letter, expected, got);
    }
  }
  return {};
}

}  // namespace

Result<void> ConformLine(std::string_view line, std::string& difference) {
  difference.clear();
  try {
    const Json record = Json::parse(line);
    const auto& rules = record.at("rules").get_ref<const std::string&>();
    const auto game = ParseGame(rules);
    if (!game) {
      difference = game.error().message;
      return {};
    }
    const auto ok = CanonicalRules(*game) != rules
                        ? Differs("rules string is not canonical", CanonicalRules(*game), rules)
                    : record.contains("views") ? ConformViews(*game, record)
                                               : ConformGame(*game, record);
    if (!ok) difference = rules + ": " + ok.error().message;
    return {};
  } catch (const Json::exception& error) {
    return Fail(std::string("not a vector line: ") + error.what());
  }
}

Result<ConformCount> ConformFile(const std::string& path,
                                 std::vector<ConformDifference>& differences) {
  std::ifstream file(path);
  if (!file) return Fail(path + ": cannot be opened: " + std::strerror(errno));
  ConformCount count;
  std::string line;
  std::string difference;
  for (long number = 1; std::getline(file, line); ++number) {
    if (line.empty()) continue;
    if (const auto ok = ConformLine(line, difference); !ok) {
      return Fail(path + ":" + std::to_string(number), ok.error());
    }
    ++(difference.empty() ? count.passed : count.failed);
    if (!difference.empty()) differences.push_back({number, difference});
  }
  if (file.bad()) return Fail(path + ": reading failed: " + std::strerror(errno));
  if (count.passed + count.failed == 0) return Fail(path + ": holds no vectors");
  return count;
}

}  // namespace berd
