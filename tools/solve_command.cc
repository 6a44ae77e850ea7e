#include <chrono>
#include <filesystem>
#include <functional>
#include <iomanip>
#include <nlohmann/json.hpp>
#include <ostream>
#include <sstream>
#include <string>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include "search/solver/duel_check.h"
#include "search/solver/duel_solver.h"
#include "search/solver/duel_table.h"
#include "tools/command.h"
#include "tools/interrupt.h"
#include "tools/option_parser.h"
#include "tools/rules_argument.h"
#include "tools/status_line.h"

namespace berd {

namespace {

using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

struct SolveArguments {
  std::string rules;
  std::string out;
  int threads = 0;
  int memory = 16;
  bool json = false;
};

double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Shows now and then how far it is.
class SolveProgressPrinter {
 public:
  explicit SolveProgressPrinter(Console& console) : status_(console) {}

  void operator()(const DuelSolveProgress& now) {
    if (SecondsSince(last_) < status_.interval()) return;
    last_ = Clock::now();
    std::ostringstream line;
    line << "layer " << now.layer.own << "+" << now.layer.other << " (" << now.boards
         << " boards): round " << now.round << ", " << now.changed << " changed; " << now.done
         << " of " << now.all << " boards solved, " << std::fixed << std::setprecision(0)
         << SecondsSince(start_) << " s";
    status_.Show(line.str());
  }
  void Finish() { status_.Finish(); }

 private:
  StatusLine status_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_ = start_;
};

Result<DuelRules> DuelRulesOf(const AnyRules& game) {
  if (const auto* duel = std::get_if<GameWithRules<Duel<false>>>(&game)) return duel->rules;
  return Fail("only the duel without values can be solved, not " + CanonicalRules(game));
}

// Solves unless the table is there already. Whether it is complete now.
Result<bool> SolveUnlessDone(const SolveArguments& arguments, const DuelRules& rules,
                             Console& console) {
  std::error_code error;  // what cannot be seen is reported when it is opened for writing
  if (std::filesystem::exists(arguments.out, error)) {
    const auto table = DuelTable::Open(arguments.out);
    if (!table) return tl::unexpected(table.error());
    if (DuelTableHeader((*table)->rules()) != DuelTableHeader(rules)) {
      return Fail(arguments.out + ": is the table of " + (*table)->rules().ToString() +
                  "; choose another file");
    }
    console.err << arguments.out << " is complete; it is checked again\n";
    return true;
  }
  SolveProgressPrinter progress(console);
  const InterruptGuard guard;
  const auto solved = SolveDuel(rules, arguments.out,
                                {.threads = arguments.threads,
                                 .memory = static_cast<std::uint64_t>(arguments.memory) << 30,
                                 .on_progress = std::ref(progress),
                                 .stop = InterruptGuard::raised});
  progress.Finish();
  if (!solved) return tl::unexpected(solved.error());
  if (solved->layers_found > 0) {
    console.err << solved->layers_found << " layers were solved by an earlier run\n";
  }
  return !solved->stopped;
}

int Sign(int margin) { return margin > 0 ? 1 : margin < 0 ? -1 : 0; }

std::string ColumnsText(const DuelSetup& setup) {
  std::string text;
  for (const int number : setup.columns) text += (text.empty() ? "" : ",") + std::to_string(number);
  return text;
}

// Everything that is reported about a table.
struct SolveReport {
  DuelRules rules;
  std::size_t bytes;
  std::vector<DuelLayerCount> layers;
  DuelValueCounts values;
  DuelSetupValues setups;
  int longest;
};

Json ReportJson(const SolveReport& report) {
  Json setups = Json::array();
  for (std::size_t a = 0; a < report.setups.setups.size(); ++a) {
    Json replies = Json::object();
    for (std::size_t b = 0; b < report.setups.setups.size(); ++b) {
      replies[ColumnsText(report.setups.setups[b])] = Sign(report.setups.margins[a][b]);
    }
    setups.push_back({{"columns", ColumnsText(report.setups.setups[a])},
                      {"value", Sign(report.setups.best[a])},
                      {"margin", report.setups.best[a]},
                      {"replies", std::move(replies)}});
  }
  Json layers = Json::array();
  for (const DuelLayerCount& layer : report.layers) {
    Json margins = Json::object();
    for (int margin = -kMostDuelMargin; margin <= kMostDuelMargin; ++margin) {
      const auto states = layer.by_margin[DuelLayerCount::PlaceOf(margin)];
      if (states > 0) margins[std::to_string(margin)] = states;
    }
    layers.push_back({{"own", layer.layer.own},
                      {"other", layer.layer.other},
                      {"boards", layer.boards},
                      {"states", layer.states},
                      {"longest", layer.longest},
                      {"margins", std::move(margins)}});
  }
  return {{"rules", report.rules.ToString()},
          {"game_value", Sign(report.setups.game)},
          {"game_margin", report.setups.game},
          {"states", report.values.states()},
          {"values",
           {{"1", report.values.wins}, {"0", report.values.ties}, {"-1", report.values.losses}}},
          {"longest_forced_play", report.longest},
          {"bytes", report.bytes},
          {"setups", std::move(setups)},
          {"layers", std::move(layers)}};
}

void PrintReport(const SolveReport& report, std::ostream& out) {
  const auto word = [](int margin) {
    return margin > 0 ? "A wins" : margin < 0 ? "B wins" : "a tie";
  };
  const auto signed_text = [](int margin) {
    return (margin > 0 ? "+" : "") + std::to_string(margin);
  };
  const DuelSetupValues& setups = report.setups;
  const DuelValueCounts& values = report.values;
  out << report.rules.ToString() << ": " << word(setups.game) << " (" << signed_text(setups.game)
      << ") when both play well\n"
      << values.states() << " states: A wins " << values.wins << ", ties " << values.ties
      << ", B wins " << values.losses << "\n"
      << "no forced play is longer than " << report.longest << " plies\n"
      << "\nA's setup  value  margins against B's setups (same order)\n";
  for (std::size_t a = 0; a < setups.setups.size(); ++a) {
    out << "  " << std::left << std::setw(9) << ColumnsText(setups.setups[a]) << std::right
        << std::setw(5) << signed_text(setups.best[a]) << " ";
    for (const int margin : setups.margins[a]) out << std::setw(3) << signed_text(margin);
    out << "\n";
  }
  out << "\nlayer   boards      states     longest\n";
  for (const DuelLayerCount& layer : report.layers) {
    out << "  " << layer.layer.own << "+" << layer.layer.other << std::setw(10) << layer.boards
        << std::setw(13) << layer.states << std::setw(9) << layer.longest << "\n";
  }
}

int Run(const SolveArguments& arguments, const OptionParser& parser, Console& console) {
  if (arguments.rules.empty()) {
    return parser.Complain(console, "'--rules' is missing, for example duel:3x3:3");
  }
  if (arguments.out.empty()) {
    return parser.Complain(console, "'--out' is missing: name the file of the table");
  }
  const auto game = ResolveRules(arguments.rules);
  if (!game) return parser.Complain(console, game.error().message);
  const auto rules = DuelRulesOf(*game);
  if (!rules) return parser.Complain(console, rules.error().message);
  const auto done = SolveUnlessDone(arguments, *rules, console);
  if (!done) return parser.Complain(console, done.error().message);
  if (!*done) {
    console.err << "berd solve: stopped; the same command goes on after the last finished layer\n";
    return kExitFailed;
  }
  const auto table = DuelTable::Open(arguments.out);
  if (!table) return parser.Complain(console, table.error().message);
  auto layers = CheckDuelTable(**table, arguments.threads);
  if (!layers) {
    console.err << "berd solve: " << arguments.out << ": " << layers.error().message << "\n";
    return kExitFailed;
  }
  SolveReport report{
      *rules, (*table)->bytes(), *std::move(layers), {}, EvaluateDuelSetups(**table, *rules), 0};
  report.values = CountDuelValues(rules->tokens, report.layers);
  report.longest = LongestForcedPlay(report.layers);
  if (report.longest > static_cast<int>(rules->cap)) {
    console.err << "berd solve: some forced play may take up to " << report.longest
                << " plies, more than the cap of " << rules->cap << "\n";
  }
  if (arguments.json) {
    console.out << ReportJson(report).dump() << std::endl;
  } else {
    PrintReport(report, console.out);
  }
  return kExitOk;
}

}  // namespace

int RunSolveCommand(std::span<const std::string> args, Console& console) {
  SolveArguments arguments;
  OptionParser parser({.name = "solve",
                       .summary = "Solves a duel without values completely: writes the table of "
                                  "all positions, proves it and says what the game is worth.",
                       .arguments = "",
                       .example = "berd solve --rules duel:3x3:5 --out duel-3x3-5.table"});
  parser.Text("rules", "RULES", "a duel, as a rules string or a preset", &arguments.rules);
  parser.Text("out", "FILE",
              "the table; FILE.part collects finished layers, so that a stopped run can go on",
              &arguments.out);
  parser.Integer("threads", "N", "0: all cores", &arguments.threads, 0, 1024);
  parser.Integer("memory", "GIB", "refuse to begin if more memory is needed", &arguments.memory, 1,
                 4096);
  parser.Flag("json", "print one JSON object instead of the tables", &arguments.json);
  if (const auto exit_code = parser.Parse(args, console)) return *exit_code;
  return Run(arguments, parser, console);
}

}  // namespace berd
