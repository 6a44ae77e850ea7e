#include <algorithm>
#include <array>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/text.h"
#include "selfplay/agent_spec.h"
#include "selfplay/arena.h"
#include "selfplay/results_db.h"
#include "tools/arena_report.h"
#include "tools/command.h"
#include "tools/interrupt.h"
#include "tools/option_parser.h"
#include "tools/rules_argument.h"
#include "tools/status_line.h"

namespace berd {

namespace {

constexpr long kGames = 4000;
constexpr long kSequentialGames = 400000;

struct ArenaArguments {
  std::string rules;
  std::vector<std::string> agents;
  long games = 0;
  std::string sprt;
  std::int64_t seed = 1;
  int threads = 0;
  int match = 1;
  std::string luck;
  int random_opening = 0;
  std::string db = "runs/results.sqlite";
  bool no_db = false;
  bool json = false;
};

// Takes `--a AGENT`, `--b AGENT`, … `--p AGENT` out of the words (an option of one letter with two
// dashes is nothing for the option parser). The error is a message.
Result<std::vector<std::string>> TakeAgents(std::vector<std::string>& words) {
  std::array<std::optional<std::string>, kMaxSeats> named;
  std::vector<std::string> rest;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    const bool agent = word.starts_with("--") && word.size() >= 3 && word[2] >= 'a' &&
                       word[2] < 'a' + kMaxSeats && (word.size() == 3 || word[3] == '=');
    if (!agent) {
      rest.push_back(word);
      continue;
    }
    const std::string option = "option '" + word.substr(0, 3) + "'";
    auto& name = named[static_cast<std::size_t>(word[2] - 'a')];
    if (name) return Fail(option + " is given twice");
    if (word.size() > 3) {
      name = word.substr(4);
    } else if (i + 1 < words.size() && !words[i + 1].starts_with("--")) {
      name = words[++i];
    } else {
      return Fail(option + " needs a value");
    }
  }
  std::vector<std::string> agents;
  for (std::size_t i = 0; i < named.size(); ++i) {
    if (!named[i]) continue;
    if (agents.size() < i) {
      const char missing = static_cast<char>('a' + agents.size());
      return Fail(std::string("'--") + static_cast<char>('a' + i) + "' without '--" + missing +
                  "': name the agents in order");
    }
    agents.push_back(*named[i]);
  }
  words = std::move(rest);
  return agents;
}

// What the options ask for, checked.
struct ArenaPlan {
  AnyRules game;
  std::vector<AgentSpec> agents;
  ArenaOptions options;
};

// `FILE`, or as agents are written `net=FILE`.
Result<std::string> ParseLuck(const std::string& text) {
  if (!text.starts_with("net=")) return text;
  auto agent = ParseAgentSpec(text);
  if (!agent) return Fail("'--luck'", agent.error());
  if (!agent->options.empty()) {
    return Fail("'--luck " + text +
                "': a network and nothing more, as in --luck net=" + agent->argument);
  }
  return agent->argument;
}

Result<ArenaPlan> MakePlan(const ArenaArguments& arguments) {
  if (arguments.rules.empty()) return Fail("'--rules' is missing, for example race:short:2x9");
  if (arguments.agents.empty()) return Fail("'--a' is missing: name at least one agent");
  auto game = ResolveRules(arguments.rules);
  if (!game) return tl::unexpected(game.error());
  ArenaPlan plan{*std::move(game), {}, {}};
  for (const auto& text : arguments.agents) {
    auto agent = ParseAgentSpec(text);
    if (!agent) return tl::unexpected(agent.error());
    plan.agents.push_back(*std::move(agent));
  }
  plan.options.seed = static_cast<std::uint64_t>(arguments.seed);
  plan.options.threads = arguments.threads;
  plan.options.match = arguments.match;
  plan.options.random_opening = arguments.random_opening;
  if (!arguments.luck.empty()) {
    const auto luck = ParseLuck(arguments.luck);
    if (!luck) return tl::unexpected(luck.error());
    plan.options.luck = *luck;
  }
  plan.options.games = arguments.sprt.empty() ? kGames : kSequentialGames;
  if (arguments.games > 0) plan.options.games = arguments.games;
  if (!arguments.sprt.empty()) {
    const auto sprt = ParseSprt(arguments.sprt);
    if (!sprt) return tl::unexpected(sprt.error());
    plan.options.sprt = *sprt;
  }
  return plan;
}

// A run for the results file. Networks are hashed before the games, for a file may be replaced
// while they are played.
ArenaRecord StartRecord(const ArenaPlan& plan) {
  ArenaRecord record;
  record.time = UtcNow();
  record.program_version = BERD_VERSION;
  record.rules = CanonicalRules(plan.game);
  nlohmann::ordered_json options = {{"seed", plan.options.seed}, {"games", plan.options.games}};
  if (plan.options.match > 1) options["match"] = plan.options.match;
  if (plan.options.random_opening > 0) options["random_opening"] = plan.options.random_opening;
  if (const auto& luck = plan.options.luck) {
    options["luck"] = *luck;
    options["luck_hash"] = HashFile(*luck).value_or("");
  }
  if (const auto& sprt = plan.options.sprt) {
    options["sprt"] = {sprt->elo0, sprt->elo1, sprt->alpha, sprt->beta};
  }
  record.options = options.dump();
  for (const AgentSpec& agent : plan.agents) {
    std::string hash;
    if (!agent.argument.empty()) hash = HashFile(agent.argument).value_or("");
    record.agents.push_back({ToString(agent), hash});
  }
  return record;
}

bool HasTeams(const AnyRules& game) {
  for (int seat = 1; seat < SeatsOf(game); ++seat) {
    for (int other = 0; other < seat; ++other) {
      if (SideOf(game, Seat(seat)) == SideOf(game, Seat(other))) return true;
    }
  }
  return false;
}

// Whether an agent makes the same choice every time that it meets a position.
bool PlaysAlike(const AgentSpec& agent, bool hidden) {
  return agent.kind == "net" && !hidden && agent.Number("eps", 0) == 0;
}

// Without dice agents that always play alike play the same games in every block.
bool RepeatsItself(const ArenaPlan& plan) {
  if (plan.options.random_opening > 0) return false;
  const bool dice = VisitGame(
      plan.game, []<class G>(const typename G::Rules& /*rules*/) { return G::kFacts.dice; });
  return !dice && std::ranges::all_of(plan.agents, [&](const AgentSpec& agent) {
    return PlaysAlike(agent, HidesValues(plan.game));
  });
}

int Run(const ArenaArguments& arguments, const OptionParser& parser, Console& console) {
  auto plan = MakePlan(arguments);
  if (!plan) return parser.Complain(console, plan.error().message);
  ArenaRecord record = StartRecord(*plan);
  if (RepeatsItself(*plan)) {
    console.err << "note: there are no dice and these agents always play alike, so all blocks are "
                   "the same games; '--random-opening 4' gives each block another start\n";
  }
  StatusLine status(console);
  plan->options.progress_seconds = status.interval();
  plan->options.on_progress = [&](const ArenaProgress& now) { status.Show(ProgressLine(now)); };
  plan->options.stop = InterruptGuard::raised;
  auto result = [&] {
    const InterruptGuard guard;
    return RunArena(plan->game, plan->agents, plan->options);
  }();
  status.Finish();
  if (!result) return parser.Complain(console, result.error().message);
  if (result->stopped) {
    console.err << "berd arena: stopped after " << result->games << " games\n";
    if (result->games == 0) return kExitFailed;
  } else if (!plan->options.sprt && result->games != plan->options.games) {
    console.err << plan->options.games << " games were rounded up to " << result->games << ": "
                << result->blocks << " whole blocks of " << result->block_games << "\n";
  }

  ArenaHeading heading{record.rules, {}, HasTeams(plan->game), plan->options.luck.value_or("")};
  for (const auto& agent : record.agents) heading.agents.push_back(agent.agent);
  if (arguments.json) {
    constexpr auto kReplace = nlohmann::json::error_handler_t::replace;
    console.out << ArenaJson(heading, *result).dump(-1, ' ', false, kReplace) << std::endl;
  } else {
    console.out << ArenaTable(heading, *result) << std::flush;
  }
  if (arguments.no_db) return kExitOk;
  record.result = *std::move(result);
  const auto run = AddToResults(arguments.db, record);
  if (!run) {
    console.err << "berd arena: the result was not recorded: " << run.error().message << "\n";
    return kExitUsage;
  }
  console.err << "recorded as run " << *run << " in " << arguments.db << "\n";
  return kExitOk;
}

}  // namespace

int RunArenaCommand(std::span<const std::string> args, Console& console) {
  ArenaArguments arguments;
  OptionParser parser(
      {.name = "arena",
       .summary =
           "Measures agents against each other: win shares, Elo, intervals. Seats (teams, "
           "where there are any) go to the agents in order, the rest to the agent named last.",
       .arguments = "--a AGENT [--b AGENT [--c AGENT …]]",
       .example =
           "berd arena --rules race:short:2x9 --a net=champion.net --b greedy --games 10000\n"
           "berd arena --rules race:short:4x9 --a net=new.net --b net=old.net --sprt 0,5\n"
           "berd arena --rules backgammon --a net=new.net --b net=old.net --luck old.net"});
  parser.Text("rules", "RULES", "a rules string or a preset (berd info)", &arguments.rules);
  parser.Integer("games", "N",
                 "games, rounded up to whole blocks; 0: " + std::to_string(kGames) +
                     ", or with --sprt at most " + std::to_string(kSequentialGames),
                 &arguments.games, 0, 1000000000L);
  parser.Text("sprt", "E0,E1",
              "stop when sure that the first agent is at most E0 or at least E1 Elo better; "
              "E0,E1,ALPHA,BETA sets the error rates too (0.05)",
              &arguments.sprt);
  parser.Integer("seed", "N", "of dice and agents", &arguments.seed, 0,
                 std::numeric_limits<std::int64_t>::max());
  parser.Integer("threads", "N", "0: all cores", &arguments.threads, 0, 1024);
  parser.Integer("match", "N",
                 "brädspel: play matches of N games (odd); the better total wins, on a tie the "
                 "better wins",
                 &arguments.match, 1, 1001);
  parser.Text("luck", "FILE",
              "also show the results with the luck of the dice taken off, as this network tells it",
              &arguments.luck);
  parser.Integer("random-opening", "K",
                 "the first K decisions of every game are random, the same in all games of a block",
                 &arguments.random_opening, 0, 1000);
  parser.Text("db", "FILE", "SQLite file that collects results", &arguments.db);
  parser.Flag("no-db", "do not record the result", &arguments.no_db);
  parser.Flag("json", "print one JSON object instead of the table", &arguments.json);

  std::vector<std::string> words(args.begin(), args.end());
  auto agents = TakeAgents(words);
  if (!agents) return parser.Complain(console, agents.error().message);
  arguments.agents = *std::move(agents);
  if (const auto exit_code = parser.Parse(words, console)) return *exit_code;
  return Run(arguments, parser, console);
}

}  // namespace berd
