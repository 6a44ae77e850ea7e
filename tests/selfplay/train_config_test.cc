#include "selfplay/train_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "nn/file_system.h"
#include "test_paths.h"
#include "tests/nn/temporary_folder.h"

namespace berd {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

Result<TrainConfig> Parse(const std::string& text, const std::vector<std::string>& settings = {}) {
  return ParseTrainConfig(text, "configs/x.toml", settings);
}

constexpr const char* kLeast = "[run]\nrules = \"race:short:2x4\"\n";

TrainConfig Right(const std::string& text, const std::vector<std::string>& settings = {}) {
  const auto config = Parse(text, settings);
  EXPECT_TRUE(config) << config.error().message;
  return config.value_or(TrainConfig{});
}

std::string ErrorOf(const std::string& text, const std::vector<std::string>& settings = {}) {
  const auto config = Parse(text, settings);
  return config ? "no error" : config.error().message;
}

TEST(TrainConfig, HasDefaultsForAllButTheRules) {
  const TrainConfig config = Right(kLeast);
  const TrainConfig defaults;
  EXPECT_EQ(config.rules, "race:short:2x4");
  EXPECT_EQ(config.output, "runs/x");
  EXPECT_EQ(config.seed, defaults.seed);
  EXPECT_EQ(config.threads, 0);
  EXPECT_EQ(config.width, defaults.width);
  EXPECT_THAT(config.hidden, IsEmpty());
  EXPECT_FALSE(config.max_pool);
  EXPECT_EQ(config.games, defaults.games);
  EXPECT_EQ(config.lambda.start, defaults.lambda.start);
  EXPECT_EQ(config.learning_rate.end, defaults.learning_rate.end);
  EXPECT_EQ(config.opponent, "greedy");
}

TEST(TrainConfig, ReadsEveryKey) {
  const TrainConfig config = Right(R"(
[run]
rules = "race:short:4x9:team=2"
output = "somewhere/else"
seed = 7
threads = 3
[network]
width = 32
hidden = [16, 8]
max_pool = true
[selfplay]
games = 11
round = 5
lambda = [0.75, 0.25]
exploration = 0.5
hidden_samples = 2
exact_dice = true
[learning]
batch = 64
learning_rate = [0.5, 0.25]
window = 9
reuse = 1.5
weight_decay = 0.125
margin_weight = 0
[checkpoint]
seconds = 12
[evaluation]
opponent = "greedy,eps=0.5"
games = 100
)");
  EXPECT_EQ(config.rules, "race:short:4x9:team=2");
  EXPECT_EQ(config.output, "somewhere/else");
  EXPECT_EQ(config.seed, 7);
  EXPECT_EQ(config.threads, 3);
  EXPECT_EQ(config.width, 32);
  EXPECT_THAT(config.hidden, ElementsAre(16, 8));
  EXPECT_TRUE(config.max_pool);
  EXPECT_EQ(config.games, 11);
  EXPECT_EQ(config.round, 5);
  EXPECT_EQ(config.lambda.start, 0.75);
  EXPECT_EQ(config.lambda.end, 0.25);
  EXPECT_EQ(config.exploration.start, 0.5);
  EXPECT_EQ(config.exploration.end, 0.5);
  EXPECT_EQ(config.hidden_samples, 2);
  EXPECT_TRUE(config.exact_dice);
  EXPECT_EQ(config.batch, 64);
  EXPECT_EQ(config.learning_rate.start, 0.5);
  EXPECT_EQ(config.learning_rate.end, 0.25);
  EXPECT_EQ(config.window, 9);
  EXPECT_EQ(config.reuse, 1.5);
  EXPECT_EQ(config.weight_decay, 0.125);
  EXPECT_EQ(config.margin_weight, 0);
  EXPECT_EQ(config.seconds, 12);
  EXPECT_EQ(config.opponent, "greedy,eps=0.5");
  EXPECT_EQ(config.evaluation_games, 100);
}

TEST(TrainConfig, RefusesUnknownKeysWithTheNearest) {
  EXPECT_EQ(ErrorOf(std::string(kLeast) + "[selfplay]\ngames = 5\nlamda = 0.5\n"),
            "configs/x.toml:5: unknown key 'lamda' in [selfplay]; did you mean 'lambda'?");
  EXPECT_EQ(ErrorOf(std::string(kLeast) + "zzzzzzzz = 1\n"),
            "configs/x.toml:3: unknown key 'zzzzzzzz' in [run]");
  // A key of another table is not a key of this one.
  EXPECT_THAT(ErrorOf(std::string(kLeast) + "batch = 1\n"), HasSubstr("unknown key 'batch'"));
}

TEST(TrainConfig, RefusesUnknownTables) {
  EXPECT_EQ(ErrorOf(std::string(kLeast) + "[learnig]\nbatch = 5\n"),
            "configs/x.toml:3: unknown table [learnig]; did you mean 'learning'?");
  EXPECT_EQ(ErrorOf("rules = \"race:short:2x4\"\n"), "configs/x.toml:1: unknown key 'rules'");
  EXPECT_THAT(ErrorOf("run = 5\n"), HasSubstr("configs/x.toml:1: 'run' must be a table [run]"));
  EXPECT_THAT(ErrorOf("[[run]]\nrules = \"race:short:2x4\"\n"), HasSubstr("'run' must be a table"));
  EXPECT_THAT(ErrorOf(std::string(kLeast) + "[run.more]\n"), HasSubstr("unknown key 'more'"));
}

struct WrongValue {
  const char* line;
  const char* message;
};

TEST(TrainConfig, RefusesWrongTypesAndRanges) {
  const WrongValue kWrong[] = {
      {"[selfplay]\ngames = \"many\"", "'games' in [selfplay] must be a whole number from 1 to"},
      {"[selfplay]\ngames = 1.5", "'games' in [selfplay] must be a whole number from 1 to"},
      {"[selfplay]\ngames = 0", "'games' in [selfplay] must be a whole number from 1 to"},
      {"[selfplay]\nround = 1000001", "must be a whole number from 1 to 1000000"},
      {"[selfplay]\nlambda = 1.1",
       "'lambda' in [selfplay] must be a number from 0 to 1, or two of them [start, end]"},
      {"[selfplay]\nlambda = [0.5]", "or two of them [start, end]"},
      {"[selfplay]\nlambda = [0.5, 2]", "or two of them [start, end]"},
      {"[selfplay]\nlambda = [0.5, 0.4, 0.3]", "or two of them [start, end]"},
      {"[selfplay]\nlambda = [0.5, \"a\"]", "or two of them [start, end]"},
      {"[selfplay]\nexploration = nan", "'exploration' in [selfplay] must be a number"},
      {"[selfplay]\nexact_dice = 1", "'exact_dice' in [selfplay] must be true or false"},
      {"[network]\nwidth = 5000", "'width' in [network] must be a whole number from 1 to 4096"},
      {"[network]\nhidden = 32", "must be a list of whole numbers from 1 to 4096"},
      {"[network]\nhidden = [32, 0]", "must be a list of whole numbers from 1 to 4096"},
      {"[learning]\nlearning_rate = -0.1", "'learning_rate' in [learning] must be a number"},
      {"[learning]\nreuse = inf", "'reuse' in [learning] must be a number from 0 to 1000"},
      {"[checkpoint]\nseconds = 0", "'seconds' in [checkpoint] must be a number from 0.01 to"},
      {"[evaluation]\nopponent = 5", "'opponent' in [evaluation] must be a text in quotes"},
      {"[evaluation]\ngames = -1", "'games' in [evaluation] must be a whole number from 0"},
  };
  for (const auto& [line, message] : kWrong) {
    EXPECT_THAT(ErrorOf(std::string(kLeast) + line + "\n"),
                AllOf(StartsWith("configs/x.toml:4: "), HasSubstr(message)));
  }
  EXPECT_THAT(ErrorOf("[run]\nrules = 4\n"), HasSubstr("'rules' in [run] must be a text"));
}

TEST(TrainConfig, RefusesWhatIsNoToml) {
  EXPECT_THAT(ErrorOf("[run]\nrules = race:short\n"), StartsWith("configs/x.toml:2: "));
  EXPECT_THAT(ErrorOf("[run\n"), StartsWith("configs/x.toml:1: "));
  EXPECT_THAT(ErrorOf(std::string(kLeast) + "rules = \"race:short:2x4\"\n"),
              StartsWith("configs/x.toml:3: "));
  EXPECT_THAT(ErrorOf("\xff\xfe"), StartsWith("configs/x.toml:"));
}

TEST(TrainConfig, AsksForTheRules) {
  const std::string wanted =
      "configs/x.toml: key 'rules' in [run] is missing, as in rules = \"race:short:2x4\"";
  EXPECT_EQ(ErrorOf(""), wanted);
  EXPECT_EQ(ErrorOf("[run]\nseed = 1\n"), wanted);
}

TEST(TrainConfig, SaysWhatIsWrongWithRulesAndOpponent) {
  EXPECT_THAT(ErrorOf("[run]\n\nrules = \"race:shrt:2x4\"\n"),
              AllOf(StartsWith("configs/x.toml:3: "), HasSubstr("'shrt'")));
  EXPECT_THAT(ErrorOf("[run]\nrules = \"rase:short:2x4\"\n"), HasSubstr("did you mean 'race'?"));
  EXPECT_THAT(ErrorOf(std::string(kLeast) + "[evaluation]\nopponent = \"gredy\"\n"),
              AllOf(StartsWith("configs/x.toml:4: "), HasSubstr("greedy")));
}

TEST(TrainConfig, WritesRulesInTheirCanonicalForm) {
  EXPECT_EQ(Right("[run]\nrules = \"race:n=7:2x4:setup=fixed+cap=2000\"\n").rules,
            "race:short:2x4");
}

TEST(TrainConfig, TakesSettingsOfTheCommandLine) {
  const TrainConfig config = Right(
      std::string(kLeast) + "[selfplay]\ngames = 5\n",
      {"selfplay.games=77", "run.rules=duel:3x3:5", "selfplay.lambda=[0.5,0.25]",
       "network.hidden=[8]", "network.max_pool=true", "evaluation.opponent=", "run.output=a=b"});
  EXPECT_EQ(config.games, 77);
  EXPECT_EQ(config.rules, "duel:3x3:5");
  EXPECT_EQ(config.lambda.start, 0.5);
  EXPECT_EQ(config.lambda.end, 0.25);
  EXPECT_THAT(config.hidden, ElementsAre(8));
  EXPECT_TRUE(config.max_pool);
  EXPECT_EQ(config.opponent, "");
  EXPECT_EQ(config.output, "a=b");
  // The last of equal ones counts.
  EXPECT_EQ(Right(kLeast, {"run.seed=2", "run.seed=3"}).seed, 3);
  EXPECT_EQ(Right("", {"run.rules=race:short:2x4"}).rules, "race:short:2x4");
}

TEST(TrainConfig, NamesTheSettingThatIsWrong) {
  EXPECT_THAT(ErrorOf(kLeast, {"games=5"}),
              HasSubstr("setting 'games=5' is not <table>.<key>=<value>"));
  EXPECT_THAT(ErrorOf(kLeast, {"run.seed"}), HasSubstr("is not <table>.<key>=<value>"));
  EXPECT_EQ(ErrorOf(kLeast, {"selfplay.gmaes=5"}),
            "setting 'selfplay.gmaes=5': unknown key 'gmaes' in [selfplay]; did you mean 'games'?");
  EXPECT_EQ(ErrorOf(kLeast, {"selfpaly.games=5"}),
            "setting 'selfpaly.games=5': unknown table [selfpaly]; did you mean 'selfplay'?");
  EXPECT_THAT(ErrorOf(kLeast, {"selfplay.games=many"}),
              StartsWith("setting 'selfplay.games=many': 'games' in [selfplay] must be a whole"));
  EXPECT_THAT(ErrorOf(kLeast, {"run.rules=race:short:1x4"}),
              StartsWith("setting 'run.rules=race:short:1x4': "));
  EXPECT_THAT(ErrorOf("run = 5\n", {"run.seed=5"}), HasSubstr("no such table"));
}

TEST(TrainConfig, HashIgnoresWhatDoesNotChangeTheResult) {
  const TrainConfig base = Right(kLeast);
  const std::string hash = ConfigHash(base);
  EXPECT_EQ(hash.size(), 16u);
  TrainConfig other = base;
  other.output = "elsewhere";
  other.threads = 5;
  other.seconds = 1;
  other.opponent = "random";
  other.evaluation_games = 1;
  EXPECT_EQ(ConfigHash(other), hash);
}

TEST(TrainConfig, HashCoversEverythingElse) {
  const std::string hash = ConfigHash(Right(kLeast));
  for (const auto* setting :
       {"run.rules=race:short:2x5", "run.seed=2", "network.width=63", "network.hidden=[64]",
        "network.max_pool=true", "selfplay.games=5", "selfplay.round=5", "selfplay.lambda=0.1",
        "selfplay.lambda=[0.9,0.61]", "selfplay.exploration=0.3", "selfplay.hidden_samples=3",
        "selfplay.exact_dice=true", "learning.batch=3", "learning.learning_rate=0.1",
        "learning.window=3", "learning.reuse=3", "learning.weight_decay=0.1",
        "learning.margin_weight=0.3"}) {
    EXPECT_NE(ConfigHash(Right(kLeast, {setting})), hash) << setting;
  }
}

TEST(TrainConfig, ResolvedTextReadsBackTheSame) {
  std::vector<TrainConfig> configs = {Right(kLeast)};
  TrainConfig odd;
  odd.rules = "race:short:4x9:color+points+team=2+trade=0/100/20";
  odd.output = "a \"quoted\" \\ folder\twith\nlines \x7f und Umlaute äöü";
  odd.seed = std::int64_t{1} << 53;
  odd.hidden = {3, 1, 2};
  odd.lambda = {1.0 / 3, 1e-17};
  odd.learning_rate = {1e-5, 0};
  odd.weight_decay = 0.1 + 0.2;
  odd.games = std::int64_t{1} << 40;
  odd.seconds = 1e9;
  odd.opponent = "";
  configs.push_back(odd);
  for (const TrainConfig& config : configs) {
    const std::string text = ResolvedToml(config);
    const TrainConfig again = Right(text);
    EXPECT_EQ(ResolvedToml(again), text);
    EXPECT_EQ(ConfigHash(again), ConfigHash(config));
    EXPECT_EQ(again.output, config.output);
    EXPECT_EQ(again.hidden, config.hidden);
    EXPECT_EQ(again.lambda.start, config.lambda.start);
    EXPECT_EQ(again.lambda.end, config.lambda.end);
    EXPECT_EQ(again.weight_decay, config.weight_decay);
    EXPECT_EQ(again.seconds, config.seconds);
  }
}

TEST(TrainConfig, ReadsFiles) {
  const TemporaryFolder folder;
  const auto load = [](const std::string& path) {
    const auto config = LoadTrainConfig(path, {});
    return config ? "no error" : config.error().message;
  };
  ASSERT_TRUE(WriteFile(folder.Path("good.toml"), kLeast));
  EXPECT_EQ(load(folder.Path("good.toml")), "no error");
  EXPECT_THAT(load(folder.Path("none.toml")),
              AllOf(HasSubstr("none.toml"), HasSubstr("cannot be opened")));
  ASSERT_TRUE(WriteFile(folder.Path("empty.toml"), ""));
  EXPECT_THAT(load(folder.Path("empty.toml")), HasSubstr("key 'rules' in [run] is missing"));
  EXPECT_THAT(load(std::filesystem::path(folder.Path("x")).parent_path().string()),
              AllOf(HasSubstr("berd_test_"), HasSubstr("cannot be read")));
}

TEST(TrainConfig, ReferenceNamesEveryKeyAndTable) {
  const auto page = ReadFile(BERD_SOURCE_DIR "/docs/reference/train-config.md", 1 << 20);
  ASSERT_TRUE(page) << page.error().message;
  std::istringstream lines(ResolvedToml(TrainConfig{}));
  for (std::string line; std::getline(lines, line);) {
    if (line.empty()) continue;
    const std::string key = line.substr(0, line.find(" = "));
    EXPECT_THAT(*page, HasSubstr(key.starts_with('[') ? "\n## " + key : "\n| `" + key + "` |"));
  }
}

TEST(TrainConfig, AllShippedConfigsLoad) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(BERD_SOURCE_DIR "/configs")) {
    if (entry.path().extension() != ".toml") continue;
    const auto config = LoadTrainConfig(entry.path().string(), {});
    EXPECT_TRUE(config) << config.error().message;
    ++files;
  }
  EXPECT_GT(files, 0);
}

}  // namespace
}  // namespace berd
