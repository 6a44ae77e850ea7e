#include "engine/berd/rules.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "engine/core/text.h"

namespace berd {

namespace {

constexpr std::array<std::string_view, 4> kValueNames = {"", "points", "hidden", "goal"};

// One flag of the rules string, split at '='.
struct Flag {
  std::string_view text;
  std::string_view name;
  std::optional<std::string_view> value;
};

constexpr std::array<std::string_view, 8> kRaceFlags = {"color", "points", "hidden", "team",
                                                        "trade", "goal",   "setup",  "cap"};
constexpr std::array<std::string_view, 4> kDuelFlags = {"color", "points", "hidden", "cap"};

// Place of a flag in the fixed order; points and hidden share one.
int FlagOrder(std::string_view name) {
  if (name == "hidden") name = "points";
  return static_cast<int>(std::find(kRaceFlags.begin(), kRaceFlags.end(), name) -
                          kRaceFlags.begin());
}

Result<std::vector<Flag>> SplitFlags(std::string_view text, std::string_view game,
                                     std::span<const std::string_view> known) {
  if (text.empty()) return Fail("empty flag list after the last colon; leave the colon out");
  std::vector<Flag> flags;
  for (const auto part : Split(text, '+')) {
    const auto equals = part.find('=');
    Flag flag{part, part.substr(0, equals), std::nullopt};
    if (equals != std::string_view::npos) flag.value = part.substr(equals + 1);
    if (std::find(known.begin(), known.end(), flag.name) == known.end()) {
      if (std::find(kRaceFlags.begin(), kRaceFlags.end(), flag.name) != kRaceFlags.end()) {
        return Fail("flag " + Quoted(flag.name) + " is not allowed in " + std::string(game) +
                    "; it takes " + JoinAlternatives(known));
      }
      return Fail("unknown flag " + Quoted(flag.name) + DidYouMean(flag.name, known) +
                  " (flags of " + std::string(game) + ": " + JoinAlternatives(known) + ")");
    }
    for (const auto& earlier : flags) {
      if (earlier.name == flag.name) return Fail("flag " + Quoted(flag.name) + " is given twice");
    }
    if (!flags.empty()) {
      const int before = FlagOrder(flags.back().name);
      const int now = FlagOrder(flag.name);
      if (before == now) return Fail("'points' and 'hidden' exclude each other");
      if (before > now) {
        return Fail("flag " + Quoted(flag.name) + " must stand before " +
                    Quoted(flags.back().name) +
                    "; the order is color, points or hidden, team, "
                    "trade, goal, setup, cap");
      }
    }
    flags.push_back(flag);
  }
  return flags;
}

Result<std::uint32_t> FlagNumber(const Flag& flag, std::string_view value, std::uint32_t low,
                                 std::uint32_t high) {
  if (const auto number = ParseNumber(value, low, high)) return *number;
  return Fail("flag " + Quoted(flag.text) + ": " + Quoted(value) + " is not a number from " +
              std::to_string(low) + " to " + std::to_string(high) + " without leading zeros");
}

Result<void> NoValue(const Flag& flag) {
  if (flag.value) {
    return Fail("flag " + Quoted(flag.name) + " takes no value, but " + Quoted(flag.text) +
                " has one");
  }
  return {};
}

Result<void> NeedsValue(const Flag& flag, std::string_view example) {
  if (!flag.value) {
    return Fail("flag " + Quoted(flag.name) + " needs a value, as in '" + std::string(example) +
                "'");
  }
  return {};
}

Result<int> ParseBoard(std::string_view board) {
  if (board == "short") return 7;
  if (board == "long") return 11;
  std::string_view number = board;
  if (Consume(number, "n=")) {
    if (const auto n = ParseNumber(number, 1, 15)) return static_cast<int>(*n);
    return Fail("board " + Quoted(board) + ": n must be a number from 1 to 15");
  }
  return Fail("unknown board " + Quoted(board) + "; use 'short', 'long' or 'n=1' to 'n=15'");
}

Result<void> ParseTrade(const Flag& flag, RaceRules& rules) {
  const bool by_value = rules.values == Values::kPoints;
  rules.trade = true;
  rules.price = by_value ? 0 : 10;
  rules.cash = by_value ? 200 : 50;
  rules.step = by_value ? 10 : 5;
  if (!flag.value) return {};
  const auto parts = Split(*flag.value, '/');
  if (parts.size() != 3) {
    return Fail("flag " + Quoted(flag.text) +
                ": a value is written trade=<price>/<cash>/<step>, as in 'trade=10/50/5'");
  }
  const auto price = FlagNumber(flag, parts[0], 0, 100000);
  if (!price) return tl::unexpected(price.error());
  if (by_value && *price != 0) {
    return Fail("flag " + Quoted(flag.text) +
                ": with points the price must be 0 (the value of the finished token is paid)");
  }
  if (!by_value && *price == 0) {
    return Fail("flag " + Quoted(flag.text) + ": the price must be 1 to 100000 without points");
  }
  const auto cash = FlagNumber(flag, parts[1], 0, 100000);
  if (!cash) return tl::unexpected(cash.error());
  const auto step = FlagNumber(flag, parts[2], 1, 100000);
  if (!step) return tl::unexpected(step.error());
  rules.price = *price;
  rules.cash = *cash;
  rules.step = *step;
  return {};
}

Result<void> ApplyRaceFlag(const Flag& flag, RaceRules& rules) {
  if (flag.name == "color") {
    rules.color = true;
    return NoValue(flag);
  }
  if (flag.name == "points" || flag.name == "hidden") {
    rules.values = flag.name == "points" ? Values::kPoints : Values::kHidden;
    return NoValue(flag);
  }
  if (flag.name == "trade") return ParseTrade(flag, rules);
  if (flag.name == "team") {
    if (auto ok = NeedsValue(flag, "team=2"); !ok) return ok;
    const auto teams = FlagNumber(flag, *flag.value, 0, kMaxSeats);
    if (!teams) return tl::unexpected(teams.error());
    rules.teams = static_cast<int>(*teams);
    if (rules.teams < 2 || rules.teams >= rules.players || rules.players % rules.teams != 0) {
      return Fail("team=" + std::to_string(rules.teams) + " needs a number of teams from 2 to " +
                  std::to_string(rules.players - 1) + " that divides the " +
                  std::to_string(rules.players) + " players");
    }
    return {};
  }
  if (flag.name == "goal") {
    if (auto ok = NeedsValue(flag, "goal=20"); !ok) return ok;
    const auto goal = ParseNumber(*flag.value, 10, 10 * static_cast<unsigned>(rules.tokens));
    if (!goal || *goal % 10 != 0) {
      return Fail("goal=" + Quoted(*flag.value) + " must be a multiple of 10 from 10 to " +
                  std::to_string(10 * rules.tokens) + " (10 times the tokens)");
    }
    rules.goal = static_cast<int>(*goal);
    return {};
  }
  if (flag.name == "setup") {
    if (flag.value == "rolled") {
      rules.rolled_setup = true;
    } else if (flag.value != "fixed") {
      return Fail("flag " + Quoted(flag.text) + ": write 'setup=fixed' or 'setup=rolled'");
    }
    return {};
  }
  if (auto ok = NeedsValue(flag, "cap=2000"); !ok) return ok;
  const auto cap = FlagNumber(flag, *flag.value, 1, 1000000);
  if (!cap) return tl::unexpected(cap.error());
  rules.cap = *cap;
  return {};
}

Result<void> CheckRaceCombination(const RaceRules& rules) {
  const bool hidden = rules.values == Values::kHidden;
  if (hidden && rules.trade) {
    return Fail("'hidden' with 'trade': values that nobody may see cannot be bargained for");
  }
  if (hidden && rules.goal) {
    return Fail("'hidden' with 'goal': the goal value must be seen by everybody");
  }
  if (rules.trade && rules.goal) {
    return Fail("'trade' with 'goal': nobody pays in a goal game, so there is nothing to trade");
  }
  if (rules.values == Values::kPoints && rules.goal) {
    return Fail("'points' with 'goal': a goal game has open values already; leave 'points' out");
  }
  if (rules.color && rules.players > kColors) {
    return Fail("'color' in the race is for at most 4 players, not " +
                std::to_string(rules.players));
  }
  if (rules.color && rules.between_corners < 7) {
    return Fail("'color' in the race needs a board with n of at least 7, not " +
                std::to_string(rules.between_corners));
  }
  return {};
}

Result<RaceRules> ParseRace(std::span<const std::string_view> parts) {
  if (parts.size() < 3 || parts.size() > 4) {
    return Fail(
        "a race is written race:<board>:<players>x<tokens>[:<flags>], as in "
        "'race:short:4x9:color'");
  }
  RaceRules rules;
  const auto board = ParseBoard(parts[1]);
  if (!board) return tl::unexpected(board.error());
  rules.between_corners = *board;
  const auto counts = Split(parts[2], 'x');
  if (counts.size() != 2) {
    return Fail("players and tokens are written <P>x<N>, as in '4x9', not " + Quoted(parts[2]));
  }
  const auto players = ParseNumber(counts[0], 2, kMaxSeats);
  if (!players) {
    return Fail("the number of players must be 2 to 16, not " + Quoted(counts[0]));
  }
  const auto tokens = ParseNumber(counts[1], 1, kMaxTokens);
  if (!tokens) return Fail("the number of tokens must be 1 to 11, not " + Quoted(counts[1]));
  rules.players = static_cast<int>(*players);
  rules.tokens = static_cast<int>(*tokens);
  if (parts.size() == 4) {
    const auto flags = SplitFlags(parts[3], "a race", kRaceFlags);
    if (!flags) return tl::unexpected(flags.error());
    for (const auto& flag : *flags) {
      if (auto ok = ApplyRaceFlag(flag, rules); !ok) return tl::unexpected(ok.error());
    }
  }
  if (auto ok = CheckRaceCombination(rules); !ok) return tl::unexpected(ok.error());
  if (rules.goal > 0) rules.values = Values::kGoal;
  rules.Derive();
  return rules;
}

Result<DuelRules> ParseDuel(std::span<const std::string_view> parts) {
  if (parts.size() < 3 || parts.size() > 4) {
    return Fail("a duel is written duel:<size>:<tokens>[:<flags>], as in 'duel:3x3:5:color'");
  }
  DuelRules rules;
  if (parts[1] == "3x3") {
    rules.width = 3;
  } else if (parts[1] == "4x4") {
    rules.width = 4;
  } else {
    return Fail("the size of a duel is '3x3' or '4x4', not " + Quoted(parts[1]));
  }
  const auto tokens = ParseNumber(parts[2], 1, 8);
  if (!tokens) {
    return Fail("the number of tokens in a duel must be 1 to 8, not " + Quoted(parts[2]));
  }
  rules.tokens = static_cast<int>(*tokens);
  if (parts.size() == 4) {
    const auto flags = SplitFlags(parts[3], "a duel", kDuelFlags);
    if (!flags) return tl::unexpected(flags.error());
    for (const auto& flag : *flags) {
      if (flag.name == "cap") {
        if (auto ok = NeedsValue(flag, "cap=300"); !ok) return tl::unexpected(ok.error());
        const auto cap = FlagNumber(flag, *flag.value, 1, 1000000);
        if (!cap) return tl::unexpected(cap.error());
        rules.cap = *cap;
        continue;
      }
      if (auto ok = NoValue(flag); !ok) return tl::unexpected(ok.error());
      if (flag.name == "color") rules.color = true;
      if (flag.name == "points") rules.values = Values::kPoints;
      if (flag.name == "hidden") rules.values = Values::kHidden;
    }
  }
  rules.Derive();
  return rules;
}

void AppendFlag(std::string& flags, const std::string& flag) {
  flags += (flags.empty() ? ":" : "+") + flag;
}

}  // namespace

void RaceRules::Derive() {
  squares = kCorners * (between_corners + 1);
  board_set = squares == 64 ? ~SquareSet{0} : SetOf(squares) - 1;
  corner_set = 0;
  for (int corner = 0; corner < kCorners; ++corner) corner_set |= SetOf(corner_square(corner));
  path_set = board_set & ~corner_set;
  for (int corner = 0; corner < kCorners; ++corner) {
    for (int die = 0; die <= 6; ++die) {
      auto& stretch = home_stretch[static_cast<std::size_t>(corner)][static_cast<std::size_t>(die)];
      stretch = 0;
      for (int square = 0; square < squares; ++square) {
        if (Distance(square, corner) <= die) stretch |= SetOf(square);
      }
    }
  }
  for (int seat = 0; seat < players; ++seat) {
    const auto i = static_cast<std::size_t>(seat);
    fixed_home[i] = static_cast<std::uint8_t>(players == 2 ? 2 * seat : seat % kCorners);
    side_of[i] = 0;
    for (int other = 0; other < players; ++other) {
      if (side(other) == side(seat)) side_of[i] |= static_cast<std::uint16_t>(1 << other);
    }
    own_color[i] = 0;
    if (!color) continue;
    // §3: on the side that runs from corner s, colour c owns the square at offset o[(c-s) mod 4].
    const int hue = players == 2 && seat == 1 ? 2 : seat;
    for (int corner = 0; corner < kCorners; ++corner) {
      const int rank = (hue - corner + kColors) % kColors;
      const int offset = ((2 * rank + 1) * (between_corners + 1) + 7) / 8;
      own_color[i] |= SetOf(corner_square(corner) + offset);
    }
  }
}

std::string RaceRules::ToString() const {
  std::string text = "race:";
  if (between_corners == 7) {
    text += "short";
  } else if (between_corners == 11) {
    text += "long";
  } else {
    text += "n=" + std::to_string(between_corners);
  }
  text += ":" + std::to_string(players) + "x" + std::to_string(tokens);
  std::string flags;
  if (color) AppendFlag(flags, "color");
  if (values == Values::kPoints || values == Values::kHidden) {
    AppendFlag(flags, std::string(kValueNames[static_cast<std::size_t>(values)]));
  }
  if (teams > 0) AppendFlag(flags, "team=" + std::to_string(teams));
  if (trade) {
    const bool standard = values == Values::kPoints ? price == 0 && cash == 200 && step == 10
                                                    : price == 10 && cash == 50 && step == 5;
    AppendFlag(flags, standard ? "trade"
                               : "trade=" + std::to_string(price) + "/" + std::to_string(cash) +
                                     "/" + std::to_string(step));
  }
  if (goal > 0) AppendFlag(flags, "goal=" + std::to_string(goal));
  if (rolled_setup) AppendFlag(flags, "setup=rolled");
  if (cap != 2000) AppendFlag(flags, "cap=" + std::to_string(cap));
  return text + flags;
}

void DuelRules::Derive() {
  squares = width * width;
  board_set = SetOf(squares) - 1;
  left_column = right_column = 0;
  for (int row = 0; row < width; ++row) {
    left_column |= SetOf(row * width);
    right_column |= SetOf(row * width + width - 1);
  }
  const SquareSet first_row = SetOf(width) - 1;
  far_row = {first_row << (width * (width - 1)), first_row};
  own_color = {};
  if (!color) return;
  const auto square = [this](char column, int row) {
    return SetOf((row - 1) * width + (column - 'a'));
  };
  if (width == 3) {
    own_color = {square('b', 1), square('b', 3)};
  } else {
    own_color = {square('b', 1) | square('c', 3), square('c', 4) | square('b', 2)};
  }
}

std::string DuelRules::ToString() const {
  const std::string size = std::to_string(width);
  std::string flags;
  if (color) AppendFlag(flags, "color");
  if (valued()) AppendFlag(flags, std::string(kValueNames[static_cast<std::size_t>(values)]));
  if (cap != 300) AppendFlag(flags, "cap=" + std::to_string(cap));
  return "duel:" + size + "x" + size + ":" + std::to_string(tokens) + flags;
}

Result<BerdRules> ParseRules(std::string_view text) {
  const auto parts = Split(text, ':');
  const std::string place = "rules " + Quoted(text);
  if (parts[0] == "race") {
    auto rules = ParseRace(parts);
    if (!rules) return Fail(place, rules.error());
    return BerdRules(*rules);
  }
  if (parts[0] == "duel") {
    auto rules = ParseDuel(parts);
    if (!rules) return Fail(place, rules.error());
    return BerdRules(*rules);
  }
  return Fail(place +
              ": a Berd rules string begins with 'race:' or 'duel:', as in "
              "'race:short:4x9' or 'duel:3x3:5'");
}

std::span<const Preset> BerdPresets() {
  static constexpr std::array<Preset, 13> kPresets = {{
      {"short", "race:short:4x9", "the race on the short path"},
      {"long", "race:long:4x9", "the race on the long path"},
      {"color", "race:short:4x9:color", "squares of the own colour protect a stack"},
      {"points", "race:short:4x9:points", "tokens have open values that count"},
      {"hidden", "race:short:4x9:hidden", "tokens have values only their holders see"},
      {"duel", "duel:3x3:5", "two players without dice on a small board"},
      {"duel-color", "duel:3x3:5:color", "the duel with protecting squares"},
      {"duel-points", "duel:3x3:5:points", "the duel with open values"},
      {"duel-hidden", "duel:3x3:5:hidden", "the duel with hidden values"},
      {"teams", "race:short:4x9:team=2", "partners sit alternately and share the win"},
      {"trade", "race:short:4x9:trade", "captives are bought free with cash or tokens"},
      {"points-trade", "race:short:4x9:points+trade", "open values and trading"},
      {"goal", "race:short:4x9:goal=20", "only tokens of one value count"},
  }};
  return kPresets;
}

}  // namespace berd
