#include "selfplay/train_config.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <xxhash.h>

#include <filesystem>

#include "engine/games.h"
#include "selfplay/agent_spec.h"
#include "selfplay/toml_reader.h"

namespace berd {

namespace {

constexpr std::int64_t kMost = std::int64_t{1} << 40;

Result<TrainConfig> Read(TomlReader& reader, const std::string& name,
                         std::span<const std::string> overrides) {
  for (const auto& assignment : overrides) {
    if (auto ok = reader.Override(assignment); !ok) return tl::unexpected(ok.error());
  }
  TrainConfig config;
  reader.Table("run");
  reader.Read("rules", &config.rules);
  reader.Read("output", &config.output);
  reader.Read("seed", &config.seed, 0, std::int64_t{1} << 53);
  reader.Read("threads", &config.threads, 0, 1024);
  const std::string rules_place = reader.Place("rules");
  reader.Table("network");
  reader.Read("width", &config.width, 1, 4096);
  reader.Read("hidden", &config.hidden, 1, 4096);
  reader.Read("max_pool", &config.max_pool);
  reader.Table("selfplay");
  reader.Read("games", &config.games, 1, kMost);
  reader.Read("round", &config.round, 1, 1000000);
  reader.Read("lambda", &config.lambda.start, &config.lambda.end, 0, 1);
  reader.Read("exploration", &config.exploration.start, &config.exploration.end, 0, 1);
  reader.Read("hidden_samples", &config.hidden_samples, 1, 1024);
  reader.Read("exact_dice", &config.exact_dice);
  reader.Table("learning");
  reader.Read("batch", &config.batch, 1, 1000000);
  reader.Read("learning_rate", &config.learning_rate.start, &config.learning_rate.end, 0, 1);
  reader.Read("window", &config.window, 1, 100000);
  reader.Read("reuse", &config.reuse, 0, 1000);
  reader.Read("weight_decay", &config.weight_decay, 0, 1);
  reader.Read("margin_weight", &config.margin_weight, 0, 1000);
  reader.Table("checkpoint");
  reader.Read("seconds", &config.seconds, 0.01, 1e9);
  reader.Table("evaluation");
  reader.Read("opponent", &config.opponent);
  const std::string opponent_place = reader.Place("opponent");
  reader.Read("games", &config.evaluation_games, 0, kMost);
  if (auto ok = reader.Finish(); !ok) return tl::unexpected(ok.error());
  if (config.rules.empty()) {
    return Fail(name + ": key 'rules' in [run] is missing, as in rules = \"race:short:2x4\"");
  }
  const auto game = ParseGame(config.rules);
  if (!game) return Fail(rules_place, game.error());
  config.rules = CanonicalRules(*game);
  if (!config.opponent.empty()) {
    const auto spec = ParseAgentSpec(config.opponent);
    if (!spec) return Fail(opponent_place, spec.error());
  }
  if (config.output.empty()) {
    config.output = "runs/" + std::filesystem::path(name).stem().string();
  }
  return config;
}

std::string Text(const Schedule& schedule) {
  return fmt::format("[{}, {}]", schedule.start, schedule.end);
}

// A TOML basic string.
std::string InQuotes(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) {
      quoted += fmt::format("\\u{:04x}", byte);
      continue;
    }
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "\"";
}

std::string LearningToml(const TrainConfig& config) {
  return fmt::format(
      "[network]\nwidth = {}\nhidden = {}\nmax_pool = {}\n\n"
      "[selfplay]\ngames = {}\nround = {}\nlambda = {}\nexploration = {}\nhidden_samples = {}\n"
      "exact_dice = {}\n\n"
      "[learning]\nbatch = {}\nlearning_rate = {}\nwindow = {}\nreuse = {}\nweight_decay = {}\n"
      "margin_weight = {}\n",
      config.width, config.hidden, config.max_pool, config.games, config.round, Text(config.lambda),
      Text(config.exploration), config.hidden_samples, config.exact_dice, config.batch,
      Text(config.learning_rate), config.window, config.reuse, config.weight_decay,
      config.margin_weight);
}

}  // namespace

Result<TrainConfig> LoadTrainConfig(const std::string& path,
                                    std::span<const std::string> overrides) {
  auto reader = TomlReader::Open(path);
  if (!reader) return tl::unexpected(reader.error());
  return Read(*reader, path, overrides);
}

Result<TrainConfig> ParseTrainConfig(std::string_view text, const std::string& name,
                                     std::span<const std::string> overrides) {
  auto reader = TomlReader::FromText(text, name);
  if (!reader) return tl::unexpected(reader.error());
  return Read(*reader, name, overrides);
}

std::string ResolvedToml(const TrainConfig& config) {
  return fmt::format(
      "[run]\nrules = {}\noutput = {}\nseed = {}\nthreads = {}\n\n{}\n"
      "[checkpoint]\nseconds = {}\n\n[evaluation]\nopponent = {}\ngames = {}\n",
      InQuotes(config.rules), InQuotes(config.output), config.seed, config.threads,
      LearningToml(config), config.seconds, InQuotes(config.opponent), config.evaluation_games);
}

std::string ConfigHash(const TrainConfig& config) {
  const std::string text =
      fmt::format("rules = {}\nseed = {}\n{}", config.rules, config.seed, LearningToml(config));
  return fmt::format("{:016x}", XXH3_64bits(text.data(), text.size()));
}

}  // namespace berd
