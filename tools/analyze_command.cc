#include <fstream>
#include <istream>
#include <nlohmann/json.hpp>
#include <ostream>

#include "engine/core/text.h"
#include "selfplay/any_agent.h"
#include "tools/analyze/report.h"
#include "tools/choice_text.h"
#include "tools/command.h"
#include "tools/option_parser.h"
#include "tools/rules_argument.h"
#include "tools/status_line.h"

namespace berd {

namespace {

constexpr int kListedByDefault = 20;
// Needs no file. More exploration than in play: all choices should be known about equally well.
constexpr std::string_view kDefaultAgent = "playouts,mcts=2000,cpuct=2";

struct AnalyzeOptions {
  std::string rules;
  std::string agent;
  AnalysisQuestion question;
  std::string file;
  int most = -1;  // -1: kListedByDefault for people, all for programs
  bool json = false;
};

OptionParser MakeParser(AnalyzeOptions& options) {
  OptionParser parser(
      {.name = "analyze",
       .summary = "Says what a position is worth: all choices of a decision, best first; all "
                  "outcomes of a roll and their luck; the error of a play.",
       .arguments = "",
       .example = "berd analyze --rules race:short:2x9 --agent configs/nets/race_short_2x9.net "
                  "--roll 31\n"
                  "berd analyze --rules backgammon --agent net=bot.net,plies=2 --position \"n=0 "
                  "w=24:2,13:5,8:3,6:5/0/0 b=24:2,13:5,8:3,6:5/0/0 turn=W phase=play:31\" "
                  "--played \"8/5 6/5\"\n"
                  "berd analyze --rules birth:3 --agent net=bot.net --position - --json < "
                  "positions.txt"});
  parser.Text("rules", "RULES", "a rules string or a preset (berd info)", &options.rules);
  parser.Text("position", "TEXT",
              "a position string, or with hidden numbers the view of the player to act; -: a "
              "position a line from standard input (default the initial position)",
              &options.question.position);
  parser.Text("file", "FILE", "a position a line from this file", &options.file);
  parser.Text("agent", "AGENT",
              "who judges: net=FILE with plies, rollout or mcts, playouts, solver=FILE, greedy "
              "(default " +
                  std::string(kDefaultAgent) + ")",
              &options.agent);
  parser.Text("roll", "OUTCOME", "what was rolled in the position, as 31: its luck, and what then",
              &options.question.roll);
  parser.Text("played", "ACTIONS", "what was played, as \"16/5 21/3\": its error and rank",
              &options.question.played);
  parser.Integer("most", "N",
                 "choices or outcomes listed; 0: all; -1: " + std::to_string(kListedByDefault) +
                     " choices and all outcomes, with --json all",
                 &options.most, -1, 1000000);
  parser.Flag("json", "print one JSON object a position instead", &options.json);
  return parser;
}

// Answers questions, one after another.
class Analyzer {
 public:
  Analyzer(const AnalyzeOptions& options, const AnyRules& game, AnyAgent& agent, std::string name,
           Console& console)
      : options_(options),
        game_(game),
        agent_(agent),
        name_(std::move(name)),
        console_(console),
        status_(console) {}

  Result<void> One(const AnalysisQuestion& question) {
    const auto show = [this](std::size_t done, std::size_t all) {
      if (!console_.interactive) return;
      status_.Show("outcome " + std::to_string(done + 1) + " of " + std::to_string(all));
    };
    const auto report = Analyse(game_, question, agent_, name_, show);
    status_.Finish();
    if (!report) return tl::unexpected(report.error());
    if (options_.json) {
      console_.out << ReportJson(*report, MostOf(*report)).dump() << "\n";
    } else {
      console_.out << (any_ ? "\n" : "") << ReportText(*report, MostOf(*report));
    }
    console_.out.flush();
    any_ = true;
    return {};
  }

  // A position a line; empty lines and those that begin with # are passed over.
  Result<void> Lines(std::istream& in, const std::string& source) {
    std::string line;
    for (int number = 1; std::getline(in, line); ++number) {
      line.erase(line.find_last_not_of(" \t\r") + 1);
      if (line.empty() || line[0] == '#') continue;
      AnalysisQuestion question = options_.question;
      question.position = line;
      if (auto ok = One(question); !ok) {
        return Fail(source + " line " + std::to_string(number), ok.error());
      }
    }
    if (!any_) return Fail(source + ": no position in it");
    return {};
  }

 private:
  std::size_t MostOf(const AnalysisReport& report) const {
    if (options_.most >= 0) return static_cast<std::size_t>(options_.most);
    return options_.json || report.chance ? 0 : kListedByDefault;
  }

  const AnalyzeOptions& options_;
  const AnyRules& game_;
  AnyAgent& agent_;
  std::string name_;
  Console& console_;
  StatusLine status_;
  bool any_ = false;
};

Result<void> Run(AnalyzeOptions options, Console& console) {
  if (options.rules.empty()) return Fail("--rules is missing; `berd info` lists presets");
  const auto game = ResolveRules(options.rules);
  if (!game) return tl::unexpected(game.error());
  if (!options.file.empty() && !options.question.position.empty()) {
    return Fail("--position and --file exclude each other");
  }
  const bool many = !options.file.empty() || options.question.position == "-";
  if (many && !options.question.played.empty()) {
    return Fail("--played goes with one position");
  }
  if (options.agent.empty()) {
    options.agent = kDefaultAgent;
    console.err << "berd analyze: no --agent, so " << kDefaultAgent
                << " judges by random games: a rough guide; a network knows more (net=FILE)\n";
  }
  const auto spec = ResolveAgent(options.agent);
  if (!spec) return Fail("--agent", spec.error());
  const auto agent = MakeAnyAgent(*spec, *game);
  if (!agent) return Fail("--agent", agent.error());
  Analyzer analyzer(options, *game, **agent, ToString(*spec), console);
  if (!options.file.empty()) {
    std::ifstream in(options.file);
    if (!in) return Fail("--file: cannot open " + options.file);
    return analyzer.Lines(in, options.file);
  }
  if (many) return analyzer.Lines(console.in, "standard input");
  return analyzer.One(options.question);
}

}  // namespace

int RunAnalyzeCommand(std::span<const std::string> args, Console& console) {
  AnalyzeOptions options;
  const OptionParser parser = MakeParser(options);
  if (const auto exit_code = parser.Parse(args, console)) return *exit_code;
  const auto ok = Run(options, console);
  if (!ok) return parser.Complain(console, ok.error().message);
  return kExitOk;
}

}  // namespace berd
