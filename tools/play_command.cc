#include <algorithm>
#include <ctime>
#include <limits>
#include <ostream>

#include "engine/core/text.h"
#include "selfplay/agent_spec.h"
#include "selfplay/any_agent.h"
#include "tools/choice_text.h"
#include "tools/option_parser.h"
#include "tools/play/game_face.h"
#include "tools/play/game_record.h"
#include "tools/play/play_match.h"
#include "tools/play/play_table.h"
#include "tools/rules_argument.h"

namespace berd {

namespace {

constexpr std::int64_t kMostSeed = std::numeric_limits<std::int64_t>::max();

struct PlayOptions {
  std::string rules;
  std::string seat;
  std::vector<std::string> opponents;
  std::string seats;
  std::string hint;
  std::string dice = "auto";
  std::int64_t seed = -1;  // -1: from the clock
  std::string load;
  std::size_t number = 0;  // 0: the first, or where the match stands
  int match = 0;
  std::string save;
  std::string name;
  std::string color = "auto";
};

OptionParser MakeParser(PlayOptions& options) {
  OptionParser parser({.name = "play",
                       .summary = "Plays a game at the terminal: you against the computer, or any "
                                  "mix of people and agents.",
                       .arguments = "",
                       .example = "berd play --rules short --seat A --opponent greedy\n"
                                  "berd play --rules race:short:4x9 --seats "
                                  "human,human,greedy,net=bot.net\n"
                                  "berd play --load game.jsonl"});
  parser.Text("rules", "RULES", "rules string or preset (default race:short:2x9)", &options.rules);
  parser.Text("seat", "LETTERS", "your seat, or the seats of several people: A,C (default A)",
              &options.seat);
  parser.List("opponent", "AGENT",
              "who plays the other seats: random, greedy, net=FILE; several with commas, the last "
              "fills up (default greedy)",
              &options.opponents);
  parser.Text("seats", "LIST", "who plays every seat, from A: human or an agent, with commas",
              &options.seats);
  parser.Choice("dice", "who rolls", {"auto", "manual"}, &options.dice);
  parser.Text("hint", "AGENT", "who gives hints (default: a net that plays, else greedy)",
              &options.hint);
  parser.Integer("seed", "N", "of dice and agents; -1 takes one from the clock", &options.seed, -1,
                 kMostSeed);
  parser.Text("load", "FILE", "go on with a recorded game", &options.load);
  parser.Integer("number", "N",
                 "which game of the file; 0: the first, or the whole match if it is one",
                 &options.number, std::size_t{0}, std::size_t{1000000000});
  parser.Integer("match", "N", "play a match of N games, N odd (Bradspel only)", &options.match, 0,
                 999);
  parser.Text("save", "FILE", "write the record when the game is left, however that happens",
              &options.save);
  parser.Text("name", "TEXT", "a name for the record", &options.name);
  parser.Choice("color", "colours", {"auto", "always", "never"}, &options.color);
  return parser;
}

bool IsHumanWord(std::string_view word) { return word == "human" || word == "me"; }

// Splits a list of agents at commas; a comma inside an agent string, before one of its keys, does
// not count: "greedy,eps=0.1,random" are two.
std::vector<std::string> SplitAgents(std::string_view list) {
  std::vector<std::string> agents;
  const auto is_key = [](const AgentKind& kind, std::string_view name) {
    const auto named = [&](const AgentKey& key) { return key.name == name; };
    return std::any_of(kind.keys.begin(), kind.keys.end(), named) ||
           std::any_of(CommonAgentKeys().begin(), CommonAgentKeys().end(), named);
  };
  const AgentKind* kind = nullptr;
  for (const auto part : Split(list, ',')) {
    const auto name = part.substr(0, part.find('='));
    if (kind != nullptr && is_key(*kind, name)) {
      agents.back() += "," + std::string(part);
      continue;
    }
    agents.emplace_back(part);
    kind = nullptr;
    for (const auto& known : AgentKinds()) {
      if (known.name == name) kind = &known;
    }
  }
  return agents;
}

// One name a seat: as given, the last one again and again.
Result<std::vector<std::string>> FillSeats(std::vector<std::string> names, int seats) {
  if (names.size() > static_cast<std::size_t>(seats)) {
    return Fail("--seats names " + std::to_string(names.size()) + " players, the rules have " +
                std::to_string(seats));
  }
  names.resize(static_cast<std::size_t>(seats), names.back());
  return names;
}

Result<std::vector<bool>> HumanSeats(const std::string& text, const AnyRules& game) {
  const int seats = SeatsOf(game);
  const auto rules = CanonicalRules(game);
  std::vector<bool> human(static_cast<std::size_t>(seats), false);
  for (const auto letter : Split(text, ',')) {
    const auto seat = SeatOfPlayer(letter, rules, seats);
    if (!seat) return Fail("--seat: " + Quoted(letter) + " is not " + PlayerLetters(rules, seats));
    human[static_cast<std::size_t>(seat->index())] = true;
  }
  return human;
}

// "human" or an agent string for every seat.
Result<std::vector<std::string>> SeatNames(const PlayOptions& options, const AnyRules& game,
                                           const std::vector<std::string>& loaded) {
  const int seats = SeatsOf(game);
  const bool any = !options.seat.empty() || !options.opponents.empty();
  if (!options.seats.empty()) {
    if (any) return Fail("--seats says it all; leave out --seat and --opponent");
    return FillSeats(SplitAgents(options.seats), seats);
  }
  if (!any && loaded.size() == static_cast<std::size_t>(seats)) return loaded;
  const auto human = HumanSeats(options.seat.empty() ? "A" : options.seat, game);
  if (!human) return tl::unexpected(human.error());
  std::vector<std::string> opponents;
  for (const auto& list : options.opponents) {
    for (auto& agent : SplitAgents(list)) opponents.push_back(std::move(agent));
  }
  if (opponents.empty()) opponents.emplace_back("greedy");
  std::vector<std::string> names;
  std::size_t next = 0;
  for (const bool is_human : *human) {
    names.push_back(is_human ? "human" : opponents[std::min(next, opponents.size() - 1)]);
    if (!is_human) ++next;
  }
  return names;
}

Result<PlaySeat> MakeSeat(const std::string& name, const AnyRules& game) {
  if (IsHumanWord(name)) return PlaySeat{.name = "human", .agent = nullptr};
  const auto spec = ResolveAgent(name);
  if (!spec) return tl::unexpected(spec.error());
  auto agent = MakeAnyAgent(*spec, game);
  if (!agent) return tl::unexpected(agent.error());
  return PlaySeat{.name = ToString(*spec), .agent = *std::move(agent)};
}

// The game to play, from its rules or from a file; with the games of a match before it.
struct Start {
  AnyRules game;
  std::uint64_t seed;
  GameRecord record;
  int match = 0;
  std::vector<GameRecord> records;  // of a match
};

Result<Start> FindStart(const PlayOptions& options) {
  GameRecord record;
  std::vector<GameRecord> records;
  int match = options.match;
  if (!options.load.empty()) {
    auto loaded = LoadRecord(options.load, std::max<std::size_t>(options.number, 1));
    if (!loaded) return tl::unexpected(loaded.error());
    record = *std::move(loaded);
    if (match > 0) return Fail("--match: a recorded match knows its games; leave out --match");
  }
  if (record.match > 0 && options.number == 0) {
    auto loaded = LoadRecords(options.load);
    if (!loaded) return tl::unexpected(loaded.error());
    records = *std::move(loaded);
    match = record.match;
  }
  const std::string default_rules = options.load.empty() ? "race:short:2x9" : record.rules;
  auto game = ResolveRules(options.rules.empty() ? default_rules : options.rules);
  if (!game) return tl::unexpected(game.error());
  if (!options.load.empty() && CanonicalRules(*game) != record.rules) {
    return Fail(options.load + ": the game has the rules " + record.rules + ", not " +
                CanonicalRules(*game));
  }
  auto seed = static_cast<std::uint64_t>(options.seed);
  if (options.seed < 0) {
    seed = options.load.empty() ? static_cast<std::uint64_t>(std::time(nullptr)) : record.seed;
  }
  if (match > 0) {
    if (const auto ok = CheckMatch(*game, match); !ok) return Fail("--match", ok.error());
  }
  return Start{*std::move(game), seed, std::move(record), match, std::move(records)};
}

Result<PlaySeat> MakeHinter(const PlayOptions& options, const std::vector<std::string>& names,
                            const AnyRules& game) {
  if (!options.hint.empty()) return MakeSeat(options.hint, game);
  for (const auto& name : names) {
    if (name.starts_with("net=") || name.ends_with(".net")) return MakeSeat(name, game);
  }
  return MakeSeat("greedy", game);
}

}  // namespace

int RunPlayCommand(std::span<const std::string> args, Console& console) {
  PlayOptions options;
  const OptionParser parser = MakeParser(options);
  if (const auto exit_code = parser.Parse(args, console)) return *exit_code;
  const auto start = FindStart(options);
  if (!start) return parser.Complain(console, start.error().message);
  const auto names = SeatNames(options, start->game, start->record.seats);
  if (!names) return parser.Complain(console, names.error().message);
  PlayPlayers players;
  for (const auto& name : *names) {
    auto seat = MakeSeat(name, start->game);
    if (!seat) return parser.Complain(console, seat.error().message);
    players.seats.push_back(*std::move(seat));
  }
  auto hinter = MakeHinter(options, *names, start->game);
  if (!hinter) return parser.Complain(console, "--hint: " + hinter.error().message);
  if (hinter->human()) return parser.Complain(console, "--hint: must be an agent");
  players.hints = std::move(hinter->agent);
  players.hint_name = hinter->name;
  PlaySettings settings{
      .manual_dice = options.dice == "manual",
      .color = options.color == "always" || (options.color == "auto" && console.color),
      .save_path = options.save,
      .owned_path = options.load,
      .name = options.name.empty() ? start->record.name : options.name,
      .match = {}};
  if (start->match > 0) {
    return PlayMatch(console, {start->game, start->seed, start->match, start->records}, players,
                     settings);
  }
  Session session(start->game, start->seed);
  if (const auto ok = Replay(session, start->record.actions); !ok) {
    return parser.Complain(console, options.load + ": " + ok.error().message);
  }
  return PlayTable(console, std::move(session), players, std::move(settings)).Run();
}

}  // namespace berd
