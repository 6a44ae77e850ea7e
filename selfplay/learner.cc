#include "selfplay/learner.h"

#include <fmt/format.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <deque>
#include <fstream>
#include <nlohmann/json.hpp>

#include "engine/core/random.h"

namespace berd {

namespace {

using Clock = std::chrono::steady_clock;

double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Games per second over the last rounds, so that the estimate follows the games as they change.
class Rate {
 public:
  void Add(double seconds, std::int64_t games) {
    points_.push_back({seconds, games});
    while (points_.size() > 2 && points_.back().seconds - points_[1].seconds > 15) {
      points_.pop_front();
    }
  }
  double PerSecond() const {
    if (points_.size() < 2) return 0;
    const double seconds = points_.back().seconds - points_.front().seconds;
    const auto games = static_cast<double>(points_.back().games - points_.front().games);
    return seconds > 0 ? games / seconds : 0;
  }

 private:
  struct Point {
    double seconds;
    std::int64_t games;
  };
  std::deque<Point> points_;
};

std::string LogLine(const TrainProgress& p) {
  const nlohmann::ordered_json line = {
      {"round", p.round},
      {"games", p.games},
      {"seconds", std::round(p.seconds * 1000) / 1000},
      {"games_per_s", std::round(p.games_per_s)},
      {"win_loss", p.win_loss},
      {"margin_loss", p.margin_loss},
      {"turns_per_game", p.turns_per_game},
      {"capped_rate", p.capped_rate},
  };
  return line.dump() + "\n";
}

}  // namespace

RunFiles::RunFiles(const std::string& folder)
    : config(folder + "/config.toml"),
      checkpoint(folder + "/checkpoint.berd"),
      network(folder + "/final.net"),
      log(folder + "/log.jsonl") {}

Learner::Learner(const TrainConfig& config, AnyRules game)
    : config_(config), files_(config.output), self_play_(MakeSelfPlay(game)) {
  state_.config = ResolvedToml(config);
  state_.config_hash = ConfigHash(config);
}

Result<Learner> Learner::Make(const TrainConfig& config, const Network* start,
                              const TrainerMaker& make_trainer) {
  const auto game = ParseGame(config.rules);
  if (!game) return tl::unexpected(game.error());
  if (config.exact_dice && HidesValues(*game)) {
    return Fail("'exact_dice' in [selfplay]: " + config.rules +
                " hides values, and an exact expectation would choose by what nobody sees; "
                "leave it false");
  }
  Learner learner(config, *game);
  NetworkShape shape = learner.self_play_->EmptyShape();
  shape.width = static_cast<std::uint32_t>(config.width);
  shape.max_pool = config.max_pool;
  for (const auto outputs : config.hidden) {
    shape.hidden.push_back(static_cast<std::uint32_t>(outputs));
  }
  if (auto ok = CheckShape(shape); !ok) return Fail("[network]", ok.error());
  if (start != nullptr) {
    if (start->shape != shape) {
      return Fail("checkpoint: its network has features '" + start->shape.features +
                  "' or a shape that this program does not make from the config (it has '" +
                  shape.features + "')");
    }
    learner.network_ = std::make_shared<const Network>(*start);
  } else {
    Network network = RandomNetwork(shape, static_cast<std::uint64_t>(config.seed));
    network.rules = config.rules;
    network.description = "TD self-play, config " + learner.state_.config_hash;
    learner.network_ = std::make_shared<const Network>(std::move(network));
  }
  TrainerOptions options;
  options.learning_rate = config.learning_rate.start;
  options.weight_decay = config.weight_decay;
  options.margin_weight = config.margin_weight;
  auto trainer = make_trainer(*learner.network_, options);
  if (!trainer) return tl::unexpected(trainer.error());
  learner.trainer_ = std::move(*trainer);
  return learner;
}

Result<Learner> Learner::Begin(const TrainConfig& config, const TrainerMaker& make_trainer) {
  return Make(config, nullptr, make_trainer);
}

Result<Learner> Learner::Resume(const TrainConfig& config, const Checkpoint& checkpoint,
                                const TrainerMaker& make_trainer) {
  if (checkpoint.config_hash != ConfigHash(config)) {
    return Fail("the checkpoint belongs to a run with config " + checkpoint.config_hash + ", not " +
                ConfigHash(config) + "; the settings of the two differ. Its config was:\n" +
                checkpoint.config);
  }
  auto learner = Make(config, &checkpoint.network, make_trainer);
  if (!learner) return learner;
  if (auto ok = learner->trainer_->DecodeOptimizer(checkpoint.optimizer); !ok) {
    return Fail("checkpoint", ok.error());
  }
  if (auto ok = learner->self_play_->DecodeWindow(checkpoint.window); !ok) {
    return Fail("checkpoint", ok.error());
  }
  learner->state_ = checkpoint;
  learner->state_.optimizer.clear();
  learner->state_.window.clear();
  return learner;
}

double Learner::Progress() const {
  return std::min(1.0, static_cast<double>(state_.games) / static_cast<double>(config_.games));
}

// The steps of one round: `reuse` times as many examples as the newest round has, drawn uniformly
// from the window.
Result<void> Learner::Learn() {
  loss_ = {};
  if (self_play_->newest() == 0) return {};
  trainer_->SetLearningRate(config_.learning_rate.At(Progress()));
  const auto wanted =
      static_cast<std::int64_t>(config_.reuse * static_cast<double>(self_play_->newest()));
  const std::int64_t steps = std::max<std::int64_t>(1, wanted / config_.batch);
  const auto examples = static_cast<std::uint32_t>(self_play_->examples());
  RandomStream random(static_cast<std::uint64_t>(config_.seed),
                      static_cast<std::uint64_t>(state_.round), Purpose::kLearner, 0);
  std::vector<std::uint32_t> chosen(static_cast<std::size_t>(config_.batch));
  TrainingBatch batch;
  for (std::int64_t step = 0; step < steps; ++step) {
    for (auto& index : chosen) index = random.Below(examples);
    self_play_->Fill(chosen, batch);
    const TrainingLoss loss = trainer_->Step(batch);
    if (!std::isfinite(loss.win + loss.margin)) {
      return Fail(fmt::format(
          "the loss is not a number any more (round {}, step {}); a lower learning_rate in "
          "[learning] would help. The last checkpoint is kept",
          state_.round, step));
    }
    loss_.win += loss.win / static_cast<double>(steps);
    loss_.margin += loss.margin / static_cast<double>(steps);
    state_.examples_trained += batch.examples;
  }
  return {};
}

RoundStats Learner::PlayAndLearn(Result<void>& learned) {
  SelfPlayOptions options;
  options.seed = static_cast<std::uint64_t>(config_.seed);
  options.exploration = config_.exploration.At(Progress());
  options.lambda = config_.lambda.At(Progress());
  options.hidden_samples = static_cast<int>(config_.hidden_samples);
  options.exact_dice = config_.exact_dice;
  const std::int64_t count = std::min(config_.round, config_.games - state_.games);
  RoundStats stats;
  tbb::task_group play;
  play.run([&] {
    stats = self_play_->Play(network_, static_cast<std::uint64_t>(state_.games), count, options);
  });
  learned = Learn();
  play.wait();
  return stats;
}

Result<void> Learner::Save(FileSystem& files) {
  Checkpoint checkpoint = state_;
  checkpoint.network = *network_;
  checkpoint.optimizer = trainer_->EncodeOptimizer();
  checkpoint.window = self_play_->EncodeWindow();
  return SaveCheckpoint(checkpoint, files_.checkpoint, files);
}

// A run that was killed may have logged rounds after its last checkpoint, which are played again.
Result<void> Learner::CutLog(FileSystem& files) const {
  std::ifstream log(files_.log, std::ios::binary);
  std::string kept;
  std::string line;
  for (std::int64_t round = 0; round < state_.round && std::getline(log, line); ++round) {
    kept += line + "\n";
  }
  return WriteFile(files_.log, kept, files);
}

// The network as it is given away: what no game has shown it is left out.
Network Learner::FinalNetwork() const {
  Network network = trainer_->Export();
  const std::vector<bool> seen = trainer_->SeenInputs();
  const std::size_t width = network.shape.width;
  for (std::size_t input = 0; input < seen.size(); ++input) {
    if (!seen[input]) std::fill_n(network.encoder.data() + input * width, width, 0.0f);
  }
  return network;
}

Result<TrainEnd> Learner::Run(const std::function<void(const TrainProgress&)>& on_round,
                              const std::atomic<bool>& stop, FileSystem& files) {
  if (auto ok = CutLog(files); !ok) return tl::unexpected(ok.error());
  // From the first moment on there is something to go on from, and a disk that cannot be written is
  // noticed before hours of work.
  if (state_.round == 0) {
    if (auto ok = Save(files); !ok) return tl::unexpected(ok.error());
  }
  const double seconds_before = state_.seconds;
  const auto start = Clock::now();
  auto last_save = start;
  Rate rate;
  rate.Add(seconds_before, state_.games);
  std::ofstream log(files_.log, std::ios::app);
  tbb::task_arena arena(config_.threads > 0 ? static_cast<int>(config_.threads)
                                            : tbb::task_arena::automatic);
  while (state_.games < config_.games && !stop) {
    Result<void> learned;
    RoundStats stats;
    arena.execute([&] { stats = PlayAndLearn(learned); });
    if (!learned) return tl::unexpected(learned.error());
    network_ = std::make_shared<const Network>(trainer_->Export());
    self_play_->Commit(static_cast<std::size_t>(config_.window));
    ++state_.round;
    state_.games += stats.games;
    state_.decisions += stats.decisions;
    state_.seconds = seconds_before + SecondsSince(start);
    TrainProgress progress;
    rate.Add(state_.seconds, state_.games);
    const auto games = static_cast<double>(stats.games);
    progress.round = state_.round;
    progress.games = state_.games;
    progress.games_wanted = config_.games;
    progress.decisions = state_.decisions;
    progress.examples_trained = state_.examples_trained;
    progress.seconds = state_.seconds;
    progress.games_per_s = rate.PerSecond();
    progress.seconds_left =
        static_cast<double>(config_.games - state_.games) / std::max(1e-9, progress.games_per_s);
    progress.win_loss = loss_.win;
    progress.margin_loss = loss_.margin;
    progress.turns_per_game = static_cast<double>(stats.turns) / games;
    progress.capped_rate = static_cast<double>(stats.capped) / games;
    log << LogLine(progress) << std::flush;  // before the checkpoint that counts it
    if (SecondsSince(last_save) >= config_.seconds || state_.games >= config_.games) {
      if (auto ok = Save(files); !ok) return tl::unexpected(ok.error());
      last_save = Clock::now();
      progress.checkpoint_written = true;
    }
    if (on_round) on_round(progress);
  }
  if (state_.games < config_.games) {
    if (auto ok = Save(files); !ok) return tl::unexpected(ok.error());
    return TrainEnd::kStopped;
  }
  // The last round has not been learned from yet.
  if (auto learned = Learn(); !learned) return tl::unexpected(learned.error());
  network_ = std::make_shared<const Network>(FinalNetwork());
  if (auto ok = SaveNetwork(*network_, files_.network, WeightFormat::kHalf, files); !ok) {
    return tl::unexpected(ok.error());
  }
  return TrainEnd::kFinished;
}

}  // namespace berd
