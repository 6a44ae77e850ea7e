#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/core/error.h"
#include "engine/games.h"
#include "nn/file_system.h"
#include "nn/trainer.h"
#include "selfplay/checkpoint.h"
#include "selfplay/self_play.h"
#include "selfplay/train_config.h"

namespace berd {

// Where a run stands, after each round.
struct TrainProgress {
  std::int64_t round = 0;
  std::int64_t games = 0;
  std::int64_t games_wanted = 0;
  std::int64_t decisions = 0;
  std::int64_t examples_trained = 0;
  double seconds = 0;      // of this run, earlier parts included
  double games_per_s = 0;  // over the last seconds
  double seconds_left = 0;
  double win_loss = 0;  // mean cross-entropy over the round's batches, nats
  double margin_loss = 0;
  double turns_per_game = 0;
  double capped_rate = 0;
  bool checkpoint_written = false;
};

enum class TrainEnd { kFinished, kStopped };

// Names of the files in a run's folder.
struct RunFiles {
  explicit RunFiles(const std::string& folder);
  std::string config;      // config.toml, resolved
  std::string checkpoint;  // checkpoint.berd
  std::string network;     // final.net
  std::string log;         // log.jsonl, one line for every round played
};

// Makes a trainer; a test puts its own in.
using TrainerMaker =
    std::function<Result<std::unique_ptr<Trainer>>(const Network&, const TrainerOptions&)>;

// TD(lambda) by parallel self-play. Rounds overlap: while round r is played with network r, the
// learner takes its steps on the window of the rounds before, which gives network r + 1. So all
// cores are busy, and everything is a function of config and seed alone, whatever the number of
// threads. Between rounds a checkpoint is written every `seconds`; a run that goes on from one
// ends with the same network, bit by bit, as one that was never stopped.
class Learner {
 public:
  // A run from its beginning, and one from its checkpoint (errors: damaged, or of another config).
  static Result<Learner> Begin(const TrainConfig& config, const TrainerMaker& make_trainer);
  static Result<Learner> Resume(const TrainConfig& config, const Checkpoint& checkpoint,
                                const TrainerMaker& make_trainer);

  // Works until the games are played or `stop` becomes true, then writes a last checkpoint, and at
  // the end the network. A run from its beginning writes a first checkpoint before any game. An
  // error (a full disk, a loss that is not a number) leaves the files of the last checkpoint as
  // they were.
  Result<TrainEnd> Run(const std::function<void(const TrainProgress&)>& on_round,
                       const std::atomic<bool>& stop, FileSystem& files = RealFileSystem());

  const Network& network() const { return *network_; }
  const TrainConfig& config() const { return config_; }

 private:
  Learner(const TrainConfig& config, AnyRules game);
  static Result<Learner> Make(const TrainConfig& config, const Network* start,
                              const TrainerMaker& make_trainer);

  RoundStats PlayAndLearn(Result<void>& learned);
  Result<void> Learn();
  Result<void> Save(FileSystem& files);
  Network FinalNetwork() const;
  Result<void> CutLog(FileSystem& files) const;
  double Progress() const;

  TrainConfig config_;
  RunFiles files_;
  std::unique_ptr<SelfPlay> self_play_;
  std::unique_ptr<Trainer> trainer_;
  std::shared_ptr<const Network> network_;
  Checkpoint state_;  // counters; network, optimiser and window are filled in when it is saved
  TrainingLoss loss_;
};

}  // namespace berd
