#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <istream>
#include <ostream>
#include <system_error>

#include "nn/trainer.h"
#include "selfplay/arena.h"
#include "selfplay/learner.h"
#include "tools/arena_report.h"
#include "tools/command.h"
#include "tools/option_parser.h"
#include "tools/status_line.h"

namespace berd {

namespace {

namespace fs = std::filesystem;

struct TrainOptions {
  std::string config;
  std::string output;
  std::vector<std::string> settings;
  bool resume = false;
};

std::atomic<bool> interrupted{false};

void OnInterrupt(int) { interrupted = true; }

// Makes Ctrl-C end the run after the present round; the second one ends it at once.
class InterruptGuard {
 public:
  InterruptGuard() {
    interrupted = false;
    struct sigaction action {};
    action.sa_handler = OnInterrupt;
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    sigaction(SIGINT, &action, &before_int_);
    sigaction(SIGTERM, &action, &before_term_);
  }
  ~InterruptGuard() {
    sigaction(SIGINT, &before_int_, nullptr);
    sigaction(SIGTERM, &before_term_, nullptr);
  }
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

 private:
  struct sigaction before_int_ {};
  struct sigaction before_term_ {};
};

std::string Duration(double seconds) {
  const long whole = std::lround(seconds);
  if (whole >= 3600)
    return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
  return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

// An earlier run in the folder is moved aside, never overwritten.
Result<void> PrepareFolder(const std::string& folder, Console& console) {
  std::error_code error;
  if (fs::exists(RunFiles(folder).config, error)) {
    int number = 1;
    std::string aside;
    const std::string bare = folder.substr(0, folder.find_last_not_of('/') + 1);
    do {
      aside = fmt::format("{}.old{}", bare, number++);
    } while (fs::exists(aside, error));
    fs::rename(folder, aside, error);
    if (error) return Fail(folder + ": cannot be moved aside: " + error.message());
    console.err << "The earlier run in " << folder << " is now " << aside
                << " (--resume goes on with a run instead).\n";
  }
  fs::create_directories(folder, error);
  if (error) return Fail(folder + ": cannot be made: " + error.message());
  return {};
}

void ShowProgress(const TrainProgress& p, Console& console, double& last_shown) {
  const bool last = p.games >= p.games_wanted;
  StatusLine status(console);
  if (!last && p.seconds - last_shown < status.interval()) return;
  last_shown = p.seconds;
  status.Show(fmt::format(
      "{:>9} of {} games  {:>6.0f}/s  {} left  loss {:.4f}  {:.1f} turns a game", p.games,
      p.games_wanted, p.games_per_s, Duration(p.seconds_left), p.win_loss, p.turns_per_game));
  if (last && console.interactive) console.err << "\n" << std::flush;  // the line stays
}

// How the new network does against the opponent of the config.
Result<void> Evaluate(const TrainConfig& config, const std::string& network, Console& console) {
  if (config.opponent.empty() || config.evaluation_games == 0) return {};
  const auto game = ParseGame(config.rules);
  const auto bot = ParseAgentSpec("net=" + network);
  const auto opponent = ParseAgentSpec(config.opponent);
  if (!game) return tl::unexpected(game.error());
  if (!bot) return tl::unexpected(bot.error());
  if (!opponent) return tl::unexpected(opponent.error());
  ArenaOptions options;
  options.games = static_cast<long>(config.evaluation_games);
  options.seed = static_cast<std::uint64_t>(config.seed) + 1;
  options.threads = static_cast<int>(config.threads);
  const std::vector<AgentSpec> agents = {*bot, *opponent};
  const auto result = RunArena(*game, agents, options);
  if (!result) return tl::unexpected(result.error());
  ArenaHeading heading;
  heading.rules = config.rules;
  heading.agents = {ToString(*bot), ToString(*opponent)};
  console.out << ArenaTable(heading, *result);
  const AgentResult& own = result->agents[0];
  console.out << fmt::format("arena: {} against {}: win share {:.3f} [{:.3f}, {:.3f}], {} games\n",
                             heading.agents[0], heading.agents[1], own.win_share, own.ci95.low,
                             own.ci95.high, result->games);
  return {};
}

int Train(const TrainConfig& config, bool resume, const OptionParser& parser, Console& console) {
  const RunFiles files(config.output);
  Result<Learner> learner = Fail("");
  if (resume) {
    std::error_code ignored;
    if (!fs::exists(files.checkpoint, ignored)) {
      return parser.Complain(console, "there is no run to go on with in " + config.output +
                                          " (no " + files.checkpoint +
                                          "); start it without --resume");
    }
    const auto checkpoint = LoadCheckpoint(files.checkpoint);
    if (!checkpoint) return parser.Complain(console, checkpoint.error().message);
    learner = Learner::Resume(config, *checkpoint, MakeTrainer);
  } else {
    learner = Learner::Begin(config, MakeTrainer);
  }
  if (!learner) return parser.Complain(console, learner.error().message);
  if (!resume) {
    if (auto ok = PrepareFolder(config.output, console); !ok) {
      return parser.Complain(console, ok.error().message);
    }
    if (auto ok = WriteFile(files.config, ResolvedToml(config)); !ok) {
      return parser.Complain(console, ok.error().message);
    }
  }
  console.err << fmt::format("Training {} (config {}) in {}\n", config.rules, ConfigHash(config),
                             config.output);
  const InterruptGuard guard;
  double last_shown = -1e9;
  const auto end = learner->Run(
      [&](const TrainProgress& progress) { ShowProgress(progress, console, last_shown); },
      interrupted);
  if (!end) return parser.Complain(console, end.error().message);
  if (*end == TrainEnd::kStopped) {
    console.err << "\nStopped; the run is saved. Go on with: berd train " << files.config
                << " --resume\n";
    return kExitFailed;
  }
  console.err << "The network is in " << files.network << "\n";
  if (auto ok = Evaluate(config, files.network, console); !ok) {
    return parser.Complain(console, ok.error().message);
  }
  console.out << fmt::format("Play against it: scripts/berd play --rules {} --opponent net={}\n",
                             config.rules, files.network);
  return kExitOk;
}

}  // namespace

int RunTrainCommand(std::span<const std::string> args, Console& console) {
  TrainOptions options;
  std::vector<std::string> arguments;
  OptionParser parser({
      .name = "train",
      .summary = "Trains a network by self-play as a config file says, then measures it.",
      .arguments = "CONFIG",
      .example =
          "berd train configs/quickstart.toml\n"
          "  berd train configs/quickstart.toml --set selfplay.games=5000 --output runs/try\n"
          "  berd train runs/try/config.toml --resume",
  });
  parser.Arguments(&arguments, 1, 1);
  parser.Text("output", "DIR", "folder of the run (default runs/<name of the config>)",
              &options.output);
  parser.List("set", "TABLE.KEY=VALUE", "replaces a setting of the config", &options.settings);
  parser.Flag("resume", "goes on from the run's last checkpoint", &options.resume);
  if (auto exit_code = parser.Parse(args, console)) return *exit_code;
  auto config = LoadTrainConfig(arguments[0], options.settings);
  if (!config) return parser.Complain(console, config.error().message);
  if (!options.output.empty()) config->output = options.output;
  return Train(*config, options.resume, parser, console);
}

}  // namespace berd
