#include "selfplay/learner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "nn/record_file.h"
#include "tests/nn/faulty_file_system.h"
#include "tests/nn/temporary_folder.h"
#include "tests/selfplay/fake_trainer.h"

namespace berd {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

TrainerMaker FakeMaker(std::shared_ptr<FakeTrainerScript> script = nullptr) {
  if (script == nullptr) script = std::make_shared<FakeTrainerScript>();
  return [script](const Network& start, const TrainerOptions&) -> Result<std::unique_ptr<Trainer>> {
    return std::make_unique<FakeTrainer>(start, script);
  };
}

// The folder itself, without a final slash.
std::string RootOf(const TemporaryFolder& folder) {
  return std::filesystem::path(folder.Path("x")).parent_path().string();
}

// A run of nine rounds.
TrainConfig SmallConfig(const std::string& output) {
  TrainConfig config;
  config.rules = "race:short:2x2";
  config.output = output;
  config.threads = 1;
  config.width = 6;
  config.games = 43;
  config.round = 5;
  config.batch = 16;
  config.window = 3;
  config.seconds = 1e9;
  return config;
}

std::string Bytes(const std::string& path) {
  const auto bytes = ReadFile(path, std::uint64_t{1} << 30);
  EXPECT_TRUE(bytes) << bytes.error().message;
  return bytes.value_or("");
}

std::vector<std::string> Lines(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

// A learner that must be right.
Learner Right(Result<Learner> learner) {
  if (!learner) throw std::runtime_error(learner.error().message);
  return std::move(*learner);
}

Learner Continued(const TrainConfig& config, const TrainerMaker& maker = FakeMaker()) {
  const auto checkpoint = LoadCheckpoint(RunFiles(config.output).checkpoint);
  if (!checkpoint) throw std::runtime_error(checkpoint.error().message);
  return Right(Learner::Resume(config, *checkpoint, maker));
}

// Runs until `rounds` more rounds are played, or to the end.
Result<TrainEnd> RunRounds(Learner& learner, int rounds, FileSystem& files = RealFileSystem()) {
  std::atomic<bool> stop = rounds == 0;
  return learner.Run(
      [&](const TrainProgress&) {
        if (--rounds == 0) stop = true;
      },
      stop, files);
}

Result<TrainEnd> RunToTheEnd(Learner& learner, FileSystem& files = RealFileSystem()) {
  return RunRounds(learner, -1, files);
}

// The final network of an undisturbed run.
std::string WholeRun(TrainConfig config, const TemporaryFolder& folder) {
  config.output = RootOf(folder);
  auto learner = Right(Learner::Begin(config, FakeMaker()));
  const auto end = RunToTheEnd(learner);
  EXPECT_TRUE(end) << end.error().message;
  EXPECT_EQ(*end, TrainEnd::kFinished);
  return Bytes(RunFiles(config.output).network);
}

TEST(Learner, PlaysAllGamesAndWritesItsFiles) {
  const TemporaryFolder folder;
  const auto script = std::make_shared<FakeTrainerScript>();
  const TrainConfig config = SmallConfig(RootOf(folder));
  auto learner = Right(Learner::Begin(config, FakeMaker(script)));
  std::vector<TrainProgress> rounds;
  const std::atomic<bool> stop = false;
  const auto end = learner.Run([&](const TrainProgress& p) { rounds.push_back(p); }, stop);
  ASSERT_TRUE(end) << end.error().message;
  EXPECT_EQ(*end, TrainEnd::kFinished);
  EXPECT_THAT(folder.Names(), UnorderedElementsAre("checkpoint.berd", "final.net", "log.jsonl"));

  ASSERT_EQ(rounds.size(), 9u);
  EXPECT_EQ(rounds.front().games, 5);
  EXPECT_EQ(rounds.back().games, 43);  // the last round is shorter
  EXPECT_TRUE(rounds.back().checkpoint_written);
  EXPECT_EQ(rounds[0].examples_trained, 0) << "nothing to learn from in the first round";
  EXPECT_GT(rounds[1].examples_trained, 0);
  // The rate goes down in a straight line.
  ASSERT_EQ(script->learning_rates.size(), 9u);
  EXPECT_DOUBLE_EQ(script->learning_rates.front(), config.learning_rate.At(5.0 / 43));
  EXPECT_DOUBLE_EQ(script->learning_rates.back(), config.learning_rate.end);

  const auto network = LoadNetwork(RunFiles(config.output).network);
  ASSERT_TRUE(network) << network.error().message;
  EXPECT_EQ(network->rules, "race:short:2x2");
  EXPECT_THAT(network->description, HasSubstr(ConfigHash(config)));
  EXPECT_TRUE(EncodeNetwork(learner.network(), WeightFormat::kHalf) ==
              Bytes(RunFiles(config.output).network));

  const auto log = Lines(RunFiles(config.output).log);
  ASSERT_EQ(log.size(), 9u);
  const auto last = nlohmann::json::parse(log.back());
  EXPECT_EQ(last["round"], 9);
  EXPECT_EQ(last["games"], 43);
  EXPECT_GT(last["turns_per_game"].get<double>(), 1);
}

TEST(Learner, IsTheSameForAnyNumberOfThreads) {
  const tbb::global_control allow(tbb::global_control::max_allowed_parallelism, 4);
  const TemporaryFolder folder;
  TrainConfig config = SmallConfig("");
  const std::string one = WholeRun(config, folder);
  for (const int threads : {2, 4}) {
    config.threads = threads;
    EXPECT_TRUE(WholeRun(config, folder) == one) << threads << " threads";
  }
  config.seed = 2;
  EXPECT_FALSE(WholeRun(config, folder) == one);
}

TEST(Learner, GoesOnAsIfItHadNeverStopped) {
  const TemporaryFolder whole_folder;
  const std::string whole = WholeRun(SmallConfig(""), whole_folder);
  const auto whole_log = Lines(whole_folder.Path("log.jsonl"));
  for (const int stop_after : {0, 1, 2, 5, 8}) {
    SCOPED_TRACE(stop_after);
    const TemporaryFolder folder;
    TrainConfig config = SmallConfig(RootOf(folder));
    {
      auto learner = Right(Learner::Begin(config, FakeMaker()));
      const auto end = RunRounds(learner, stop_after);
      ASSERT_TRUE(end) << end.error().message;
      ASSERT_EQ(*end, TrainEnd::kStopped);
    }
    EXPECT_THAT(folder.Names(), Not(::testing::Contains("final.net")));
    config.threads = 2;  // does not matter
    auto learner = Continued(config);
    ASSERT_TRUE(RunToTheEnd(learner));
    EXPECT_TRUE(Bytes(folder.Path("final.net")) == whole);
    const auto log = Lines(folder.Path("log.jsonl"));
    ASSERT_EQ(log.size(), whole_log.size());
    for (std::size_t i = 0; i < log.size(); ++i) {
      EXPECT_EQ(nlohmann::json::parse(log[i])["win_loss"],
                nlohmann::json::parse(whole_log[i])["win_loss"]);
    }
  }
}

TEST(Learner, GoesOnManyTimes) {
  const TemporaryFolder whole_folder;
  const std::string whole = WholeRun(SmallConfig(""), whole_folder);
  const TemporaryFolder folder;
  const TrainConfig config = SmallConfig(RootOf(folder));
  auto learner = Right(Learner::Begin(config, FakeMaker()));
  int parts = 1;
  while (*RunRounds(learner, 2) == TrainEnd::kStopped) {
    learner = Continued(config);
    ++parts;
  }
  EXPECT_EQ(parts, 5);
  EXPECT_TRUE(Bytes(folder.Path("final.net")) == whole);
}

// A killed process: later rounds are lost, and so is what the log says of them.
TEST(Learner, GoesOnFromAnOlderCheckpoint) {
  const TemporaryFolder whole_folder;
  const std::string whole = WholeRun(SmallConfig(""), whole_folder);
  const TemporaryFolder folder;
  TrainConfig config = SmallConfig(RootOf(folder));
  config.seconds = 0;  // after every round
  std::vector<std::string> checkpoints;
  {
    auto learner = Right(Learner::Begin(config, FakeMaker()));
    const std::atomic<bool> stop = false;
    ASSERT_TRUE(learner.Run(
        [&](const TrainProgress& progress) {
          EXPECT_TRUE(progress.checkpoint_written);
          checkpoints.push_back(Bytes(folder.Path("checkpoint.berd")));
        },
        stop));
  }
  ASSERT_EQ(checkpoints.size(), 9u);
  for (const std::string& checkpoint : checkpoints) {
    ASSERT_TRUE(WriteFile(folder.Path("checkpoint.berd"), checkpoint));
    ASSERT_TRUE(WriteFile(folder.Path("final.net"), "older"));
    std::ofstream(folder.Path("log.jsonl"), std::ios::app) << "{\"rou";  // cut off
    auto learner = Continued(config);
    ASSERT_TRUE(RunToTheEnd(learner));
    EXPECT_TRUE(Bytes(folder.Path("final.net")) == whole);
    const auto log = Lines(folder.Path("log.jsonl"));
    ASSERT_EQ(log.size(), 9u);
    for (std::size_t i = 0; i < log.size(); ++i) {
      EXPECT_EQ(nlohmann::json::parse(log[i])["round"], i + 1);
    }
  }
}

TEST(Learner, WritesACheckpointBeforeTheFirstRound) {
  const TemporaryFolder whole_folder;
  const std::string whole = WholeRun(SmallConfig(""), whole_folder);
  const TemporaryFolder folder;
  const TrainConfig config = SmallConfig(RootOf(folder));
  auto learner = Right(Learner::Begin(config, FakeMaker()));
  std::string first;
  const std::atomic<bool> stop = false;
  ASSERT_TRUE(learner.Run(
      [&](const TrainProgress& progress) {
        if (progress.round == 1) first = Bytes(folder.Path("checkpoint.berd"));
      },
      stop));
  ASSERT_TRUE(WriteFile(folder.Path("checkpoint.berd"), first));
  const auto checkpoint = LoadCheckpoint(folder.Path("checkpoint.berd"));
  ASSERT_TRUE(checkpoint) << checkpoint.error().message;
  EXPECT_EQ(checkpoint->round, 0);
  auto again = Continued(config);
  ASSERT_TRUE(RunToTheEnd(again));
  EXPECT_TRUE(Bytes(folder.Path("final.net")) == whole);
}

TEST(Learner, RefusesACheckpointOfOtherSettings) {
  const TemporaryFolder folder;
  TrainConfig config = SmallConfig(RootOf(folder));
  auto learner = Right(Learner::Begin(config, FakeMaker()));
  ASSERT_TRUE(RunRounds(learner, 1));
  const auto checkpoint = LoadCheckpoint(folder.Path("checkpoint.berd"));
  ASSERT_TRUE(checkpoint) << checkpoint.error().message;
  const std::string hash = ConfigHash(config);
  config.batch = 17;
  const auto other = Learner::Resume(config, *checkpoint, FakeMaker());
  ASSERT_FALSE(other);
  EXPECT_THAT(other.error().message, AllOf(HasSubstr("belongs to a run with config " + hash),
                                           HasSubstr(ConfigHash(config)), HasSubstr("batch = 16")));
}

TEST(Learner, RefusesACheckpointOfAnotherShape) {
  const TemporaryFolder folder;
  const TrainConfig config = SmallConfig(RootOf(folder));
  auto learner = Right(Learner::Begin(config, FakeMaker()));
  ASSERT_TRUE(RunRounds(learner, 1));
  auto checkpoint = LoadCheckpoint(folder.Path("checkpoint.berd"));
  ASSERT_TRUE(checkpoint) << checkpoint.error().message;
  // As an older program with other features would have written it.
  NetworkShape shape = checkpoint->network.shape;
  shape.features = "race/0";
  shape.inputs = 10;
  checkpoint->network = RandomNetwork(shape, 1);
  const auto other = Learner::Resume(config, *checkpoint, FakeMaker());
  ASSERT_FALSE(other);
  EXPECT_THAT(other.error().message, HasSubstr("its network has features 'race/0'"));
}

TEST(Learner, RefusesAnOptimizerOrAWindowThatDoesNotFit) {
  const TemporaryFolder folder;
  const TrainConfig config = SmallConfig(RootOf(folder));
  auto learner = Right(Learner::Begin(config, FakeMaker()));
  ASSERT_TRUE(RunRounds(learner, 1));
  const auto checkpoint = LoadCheckpoint(folder.Path("checkpoint.berd"));
  ASSERT_TRUE(checkpoint) << checkpoint.error().message;
  auto broken = *checkpoint;
  broken.optimizer.pop_back();
  EXPECT_THAT(Learner::Resume(config, broken, FakeMaker()).error().message,
              HasSubstr("checkpoint: not a state of the fake optimiser"));
  broken = *checkpoint;
  broken.window.pop_back();
  EXPECT_THAT(Learner::Resume(config, broken, FakeMaker()).error().message,
              HasSubstr("checkpoint: replay window: cut off"));
}

TEST(Learner, RefusesExactDiceWhereValuesAreHidden) {
  const TemporaryFolder folder;
  TrainConfig config = SmallConfig(RootOf(folder));
  config.rules = "race:short:2x3:hidden";
  config.exact_dice = true;
  const auto learner = Learner::Begin(config, FakeMaker());
  ASSERT_FALSE(learner);
  EXPECT_THAT(learner.error().message,
              HasSubstr("'exact_dice' in [selfplay]: race:short:2x3:hidden hides values"));
}

TEST(Learner, RefusesShapesThatNoFileMayHold) {
  const TemporaryFolder folder;
  TrainConfig config = SmallConfig(RootOf(folder));
  config.hidden.assign(1000, 1);
  const auto learner = Learner::Begin(config, FakeMaker());
  ASSERT_FALSE(learner);
  EXPECT_THAT(learner.error().message, HasSubstr("[network]: 1000 hidden layers"));
}

TEST(Learner, PassesOnThatTheTrainerIsMissing) {
  const auto learner =
      Learner::Begin(SmallConfig(""),
                     [](const Network&, const TrainerOptions&) -> Result<std::unique_ptr<Trainer>> {
                       return Fail("the trainer is missing");
                     });
  ASSERT_FALSE(learner);
  EXPECT_EQ(learner.error().message, "the trainer is missing");
}

TEST(Learner, StopsAtALossThatIsNotANumberAndKeepsTheCheckpoint) {
  const TemporaryFolder whole_folder;
  const std::string whole = WholeRun(SmallConfig(""), whole_folder);
  const TemporaryFolder folder;
  TrainConfig config = SmallConfig(RootOf(folder));
  {
    auto learner = Right(Learner::Begin(config, FakeMaker()));
    ASSERT_TRUE(RunRounds(learner, 3));
  }
  config.seconds = 0;
  const auto script = std::make_shared<FakeTrainerScript>();
  script->nan_at_step = 2;
  auto learner = Continued(config, FakeMaker(script));
  const auto end = RunToTheEnd(learner);
  ASSERT_FALSE(end);
  EXPECT_THAT(end.error().message, AllOf(HasSubstr("the loss is not a number any more (round "),
                                         HasSubstr("learning_rate")));
  EXPECT_THAT(folder.Names(), UnorderedElementsAre("checkpoint.berd", "log.jsonl"));
  const auto checkpoint = LoadCheckpoint(folder.Path("checkpoint.berd"));
  ASSERT_TRUE(checkpoint) << checkpoint.error().message;
  auto again = Continued(config);
  ASSERT_TRUE(RunToTheEnd(again));
  EXPECT_TRUE(Bytes(folder.Path("final.net")) == whole);
}

TEST(Learner, AFullDiskLeavesTheLastCheckpoint) {
  const TemporaryFolder whole_folder;
  const std::string whole = WholeRun(SmallConfig(""), whole_folder);
  const std::uint64_t size = Bytes(whole_folder.Path("checkpoint.berd")).size();
  int refused = 0;
  for (const std::uint64_t room : {std::uint64_t{0}, std::uint64_t{100}, size / 2, 3 * size}) {
    SCOPED_TRACE(room);
    const TemporaryFolder folder;
    TrainConfig config = SmallConfig(RootOf(folder));
    {
      auto learner = Right(Learner::Begin(config, FakeMaker()));
      ASSERT_TRUE(RunRounds(learner, 4));
    }
    config.seconds = 0;
    FaultyFileSystem disk;
    auto learner = Continued(config);
    int rounds = 0;
    const std::atomic<bool> stop = false;
    const auto end = learner.Run(
        [&](const TrainProgress&) {
          // The log's first rounds are written before the disk is full.
          if (++rounds == 1) disk.capacity = room;
        },
        stop, disk);
    ASSERT_FALSE(end);
    EXPECT_THAT(end.error().message, AllOf(HasSubstr(folder.Path("checkpoint.berd")),
                                           HasSubstr("No space left on device")));
    EXPECT_THAT(folder.Names(), UnorderedElementsAre("checkpoint.berd", "log.jsonl"));
    const auto checkpoint = LoadCheckpoint(folder.Path("checkpoint.berd"));
    ASSERT_TRUE(checkpoint) << checkpoint.error().message;
    EXPECT_EQ(checkpoint->round, 4 + rounds);
    // With room again the run goes on as if nothing had happened.
    auto again = Continued(config);
    ASSERT_TRUE(RunToTheEnd(again));
    EXPECT_TRUE(Bytes(folder.Path("final.net")) == whole);
    ++refused;
  }
  EXPECT_EQ(refused, 4);
}

TEST(Learner, AFullDiskIsNoticedAtOnce) {
  const TemporaryFolder folder;
  auto learner = Right(Learner::Begin(SmallConfig(RootOf(folder)), FakeMaker()));
  FaultyFileSystem disk;
  disk.capacity = 50;
  const auto end = learner.Run({}, false, disk);
  ASSERT_FALSE(end);
  EXPECT_THAT(end.error().message, HasSubstr("No space left on device"));
}

TEST(Learner, AFailingDeviceLeavesTheOldFiles) {
  for (int FaultyFileSystem::*error :
       {&FaultyFileSystem::open_error, &FaultyFileSystem::sync_error,
        &FaultyFileSystem::close_error, &FaultyFileSystem::rename_error}) {
    const TemporaryFolder folder;
    const TrainConfig config = SmallConfig(RootOf(folder));
    auto learner = Right(Learner::Begin(config, FakeMaker()));
    FaultyFileSystem disk;
    std::atomic<bool> stop = false;
    std::string before;
    const auto end = learner.Run(
        [&](const TrainProgress& progress) {
          if (progress.round < 3) return;
          before = Bytes(folder.Path("checkpoint.berd"));
          disk.*error = EIO;
          stop = true;
        },
        stop, disk);
    ASSERT_FALSE(end);
    EXPECT_THAT(end.error().message,
                AllOf(HasSubstr(folder.Path("checkpoint.berd")), HasSubstr("Input/output error")));
    // After the rename an error comes too late.
    EXPECT_TRUE(error == &FaultyFileSystem::close_error ||
                Bytes(folder.Path("checkpoint.berd")) == before);
    const auto checkpoint = LoadCheckpoint(folder.Path("checkpoint.berd"));
    EXPECT_TRUE(checkpoint) << checkpoint.error().message;
  }
}

// ---- The checkpoint file

class CheckpointFile : public ::testing::Test {
 protected:
  void SetUp() override {
    auto learner = Right(Learner::Begin(SmallConfig(RootOf(folder_)), FakeMaker()));
    ASSERT_TRUE(RunRounds(learner, 3));
    bytes_ = Bytes(Path());
  }
  std::string Path() const { return folder_.Path("checkpoint.berd"); }
  std::string ErrorFor(const std::string& bytes) {
    std::ofstream(Path(), std::ios::binary | std::ios::trunc) << bytes;
    const auto checkpoint = LoadCheckpoint(Path());
    return checkpoint ? "" : checkpoint.error().message;
  }

  TemporaryFolder folder_;
  std::string bytes_;
};

TEST_F(CheckpointFile, RoundTrips) {
  const auto checkpoint = LoadCheckpoint(Path());
  ASSERT_TRUE(checkpoint) << checkpoint.error().message;
  EXPECT_EQ(checkpoint->round, 3);
  EXPECT_EQ(checkpoint->games, 15);
  EXPECT_GT(checkpoint->decisions, 15);
  EXPECT_GT(checkpoint->examples_trained, 0);
  EXPECT_GT(checkpoint->seconds, 0);
  EXPECT_EQ(checkpoint->config, ResolvedToml(SmallConfig(RootOf(folder_))));
  ASSERT_TRUE(SaveCheckpoint(*checkpoint, folder_.Path("copy")));
  EXPECT_TRUE(Bytes(folder_.Path("copy")) == bytes_);
}

TEST_F(CheckpointFile, HoldsAnyPath) {
  auto checkpoint = *LoadCheckpoint(Path());
  checkpoint.config = "output = \"not UTF-8: \xff\"";
  ASSERT_TRUE(SaveCheckpoint(checkpoint, Path()));
  EXPECT_TRUE(LoadCheckpoint(Path()));
}

TEST_F(CheckpointFile, RefusesWhatIsMissing) {
  const auto checkpoint = LoadCheckpoint(folder_.Path("none"));
  ASSERT_FALSE(checkpoint);
  EXPECT_THAT(checkpoint.error().message,
              AllOf(HasSubstr(folder_.Path("none")), HasSubstr("No such file")));
}

TEST_F(CheckpointFile, RefusesForeignFiles) {
  EXPECT_THAT(ErrorFor(""), HasSubstr("not a Berd checkpoint file"));
  EXPECT_THAT(ErrorFor(std::string(1000, 'x')), HasSubstr("not a Berd checkpoint file"));
  const auto network = RandomNetwork({.features = "t", .inputs = 3, .width = 2, .hidden = {}}, 1);
  EXPECT_THAT(ErrorFor(EncodeNetwork(network)),
              HasSubstr("not a Berd checkpoint file (it is a 'network' file)"));
}

TEST_F(CheckpointFile, RefusesEveryTruncation) {
  for (std::size_t size = 0; size < bytes_.size(); size += 1 + bytes_.size() / 97) {
    EXPECT_THAT(ErrorFor(bytes_.substr(0, size)), HasSubstr(Path())) << size;
  }
  EXPECT_NE(ErrorFor(bytes_.substr(0, bytes_.size() - 1)), "");
  EXPECT_NE(ErrorFor(bytes_ + "x"), "");
}

TEST_F(CheckpointFile, RefusesEveryFlippedByte) {
  for (std::size_t at = 0; at < bytes_.size(); at += 1 + bytes_.size() / 97) {
    std::string damaged = bytes_;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    EXPECT_NE(ErrorFor(damaged), "") << at;
  }
}

TEST_F(CheckpointFile, RefusesMissingRecords) {
  StringSink sink;
  RecordWriter writer(sink);
  ASSERT_TRUE(writer.Begin({.name = "checkpoint", .version = 1}));
  ASSERT_TRUE(writer.Seal());
  EXPECT_THAT(ErrorFor(sink.bytes()), HasSubstr("damaged: records are missing"));
}

TEST_F(CheckpointFile, RefusesNewerVersions) {
  StringSink sink;
  RecordWriter writer(sink);
  ASSERT_TRUE(writer.Begin({.name = "checkpoint", .version = 2}));
  ASSERT_TRUE(writer.Seal());
  EXPECT_THAT(ErrorFor(sink.bytes()), HasSubstr("version 2 of the checkpoint file is newer"));
}

}  // namespace
}  // namespace berd
