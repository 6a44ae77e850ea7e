#include "tools/speed.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <memory>
#include <thread>

#include "engine/core/afterstates.h"
#include "engine/games.h"
#include "nn/net_evaluator.h"
#include "nn/trainer.h"
#include "search/greedy_agent.h"
#include "search/oneply.h"
#include "search/play.h"
#include "selfplay/learner.h"

namespace berd {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::array<std::string_view, 12> kRules = {"race:short:2x4",
                                                     "race:short:2x9",
                                                     "race:short:4x9",
                                                     "race:short:16x9",
                                                     "race:short:4x9:points",
                                                     "race:short:4x9:trade",
                                                     "duel:3x3:5",
                                                     "duel:4x4:6",
                                                     "backgammon",
                                                     "bradspel",
                                                     "birth:2",
                                                     "birth:3"};

// Networks that one-ply speed is measured with: the small one and the shape of the shipped ones.
struct MeasuredShape {
  std::string_view name;
  std::uint32_t width;
  std::vector<std::uint32_t> hidden;
};
const std::vector<MeasuredShape>& Shapes() {
  static const std::vector<MeasuredShape> kShapes = {{"64", 64, {}}, {"128-32", 128, {32}}};
  return kShapes;
}

// The small network is the one that figures without a suffix are about.
std::string Suffix(const MeasuredShape& shape) {
  return shape.hidden.empty() ? "" : "/net=" + std::string(shape.name);
}

template <Game G>
std::shared_ptr<const Network> TestNetwork(const MeasuredShape& measured) {
  NetworkShape shape;
  shape.features = std::string(Features<G>::kName);
  shape.inputs = Features<G>::kInputs;
  shape.width = measured.width;
  shape.hidden = measured.hidden;
  shape.classes = kOutcomeClasses<G>;
  return std::make_shared<const Network>(RandomNetwork(shape, 1));
}

// Plays one uniformly random game of small steps; returns its number of decisions.
template <Game G>
std::int64_t RandomGame(const typename G::Rules& rules, std::uint64_t game,
                        typename G::State& state) {
  RandomStream random(1, game, Purpose::kTest, 0);
  std::int64_t decisions = 0;
  state = G::initial(rules);
  while (true) {
    const Waits waits = G::waits(state);
    if (waits == Waits::kEnd) return decisions;
    if (waits == Waits::kChance) {
      G::apply(rules, state, G::sample_chance(rules, state, random));
    } else {
      G::apply(rules, state, G::sample_legal(rules, state, random));
      ++decisions;
    }
  }
}

// Decisions met in random games that go from afterstate to afterstate.
template <Game G>
std::vector<typename G::State> DecisionStates(const typename G::Rules& rules, std::size_t wanted) {
  std::vector<typename G::State> states;
  Afterstates<G> afterstates;
  for (std::uint64_t game = 0; states.size() < wanted; ++game) {
    RandomStream random(2, game, Purpose::kTest, 0);
    auto state = G::initial(rules);
    while (G::waits(state) != Waits::kEnd && states.size() < wanted) {
      if (G::waits(state) == Waits::kChance) {
        G::apply(rules, state, G::sample_chance(rules, state, random));
        continue;
      }
      states.push_back(state);
      if (afterstates.Enumerate(rules, state)) {
        state = afterstates[random.Below(static_cast<std::uint32_t>(afterstates.size()))];
      } else {
        G::apply(rules, state, G::sample_legal(rules, state, random));
      }
    }
  }
  return states;
}

class Meter {
 public:
  explicit Meter(const SpeedOptions& options) : options_(options) {}

  bool Wants(const std::string& name) const { return name.starts_with(options_.only); }

  // Calls `work` (which returns how much it did) until the time is over, after one call to warm up.
  template <class Work>
  void Measure(const std::string& name, Work&& work) {
    if (!Wants(name)) return;
    work();
    const auto start = Clock::now();
    double done = 0;
    double seconds = 0;
    while (seconds < options_.seconds) {
      done += static_cast<double>(work());
      seconds = std::chrono::duration<double>(Clock::now() - start).count();
    }
    Report({name, done / seconds});
  }

  void Report(Speed speed) {
    if (options_.on_figure) options_.on_figure(speed);
    speeds_.push_back(std::move(speed));
  }

  const SpeedOptions& options() const { return options_; }
  std::vector<Speed> Take() { return std::move(speeds_); }

 private:
  const SpeedOptions& options_;
  std::vector<Speed> speeds_;
};

template <Game G>
void MeasureRandomPlay(const typename G::Rules& rules, Meter& meter) {
  const std::string name = rules.ToString();
  typename G::State state;
  std::uint64_t game = 0;
  meter.Measure("random_decisions_per_s/" + name, [&] {
    std::int64_t decisions = 0;
    for (int i = 0; i < 20; ++i) decisions += RandomGame<G>(rules, game++ % 1000, state);
    return decisions;
  });
  meter.Measure("random_games_per_s/" + name, [&] {
    for (int i = 0; i < 20; ++i) RandomGame<G>(rules, game++ % 1000, state);
    return 20;
  });
}

template <Game G>
void MeasureDecisions(const typename G::Rules& rules, Meter& meter) {
  const std::string name = rules.ToString();
  bool wanted = meter.Wants("afterstates_per_s/" + name);
  for (const auto& shape : Shapes()) {
    wanted |= meter.Wants("oneply_decisions_per_s/" + name + Suffix(shape));
  }
  if (!wanted) return;
  const auto states = DecisionStates<G>(rules, 2000);
  std::size_t next = 0;
  const auto some = [&](auto&& work) {
    std::size_t done = 0;
    for (int i = 0; i < 50; ++i) done += work(states[next++ % states.size()]);
    return done;
  };
  Afterstates<G> afterstates;
  meter.Measure("afterstates_per_s/" + name, [&] {
    return some([&](const auto& state) {
      afterstates.Enumerate(rules, state);
      return afterstates.size();
    });
  });
  for (const auto& shape : Shapes()) {
    const NetEvaluator<G> evaluator(TestNetwork<G>(shape), rules);
    OnePly<G, NetEvaluator<G>> look(evaluator);
    meter.Measure("oneply_decisions_per_s/" + name + Suffix(shape), [&] {
      return some([&](const auto& state) {
        look.Look(rules, state);
        return look.Best(G::actor(state)) < look.size() ? 1u : 0u;
      });
    });
  }
}

// Evaluations of unrelated states, one at a time and in batches.
template <Game G>
void MeasureNetwork(const typename G::Rules& rules, Meter& meter) {
  const auto states = DecisionStates<G>(rules, 2048);
  for (const auto& shape : Shapes()) {
    NetEvaluator<G> evaluator(TestNetwork<G>(shape), rules);
    for (const std::size_t batch : {std::size_t{1}, std::size_t{64}}) {
      std::vector<const typename G::State*> some(batch);
      std::vector<float> values(batch * ValuesPerState<G>(rules));
      std::size_t next = 0;
      meter.Measure(fmt::format("net_evals_per_s/batch{}{}", batch, Suffix(shape)), [&] {
        for (auto& state : some) state = &states[next++ % states.size()];
        evaluator.Evaluate(rules, *some[0], some, values);
        return batch;
      });
    }
  }
}

// Self-play with learning, whole games a second, for the small network.
void MeasureSelfPlay(std::string_view rules, int threads, Meter& meter) {
  const std::string name = fmt::format("selfplay_games_per_s/{}/threads={}", rules, threads);
  if (!meter.Wants(name)) return;
  TrainConfig config;
  config.rules = rules;
  config.threads = threads;
  config.games = std::int64_t{1} << 30;
  config.round = 1000;
  config.seconds = 1e9;
  std::error_code ignored;
  const auto folder = std::filesystem::temp_directory_path(ignored) /
                      fmt::format("berd-bench-{}-{}", getpid(), threads);
  std::filesystem::create_directories(folder, ignored);
  config.output = folder.string();
  auto learner = Learner::Begin(config, MakeTrainer);
  if (!learner) {
    std::filesystem::remove_all(folder, ignored);
    if (meter.options().on_missing)
      meter.options().on_missing(name + ": " + learner.error().message);
    return;
  }
  std::atomic<bool> stop = false;
  std::int64_t games_before = 0;
  double seconds_before = 0;
  double per_second = 0;
  const double wanted = 4 * meter.options().seconds;
  (void)learner->Run(
      [&](const TrainProgress& progress) {
        if (progress.round == 3) {  // warm
          games_before = progress.games;
          seconds_before = progress.seconds;
        }
        if (progress.round < 6 || progress.seconds - seconds_before < wanted) return;
        per_second = static_cast<double>(progress.games - games_before) /
                     (progress.seconds - seconds_before);
        stop = true;
      },
      stop);
  std::filesystem::remove_all(folder, ignored);
  meter.Report({name, per_second});
}

// Order-dependent combination of numbers.
class Digest {
 public:
  void Add(std::uint64_t number) { value_ = Mix64(value_ ^ number) + 0x9e3779b97f4a7c15ULL; }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0;
};

template <Game G>
void AddBehaviour(const typename G::Rules& rules, Digest& digest) {
  typename G::State state;
  for (std::uint64_t game = 0; game < 20; ++game) {
    digest.Add(static_cast<std::uint64_t>(RandomGame<G>(rules, game, state)));
    digest.Add(G::key(state));
  }
  GreedyAgent<G> greedy;
  const std::vector<Agent<G>*> agents(static_cast<std::size_t>(rules.seats()), &greedy);
  for (std::uint64_t game = 0; game < 5; ++game) {
    state = G::initial(rules);
    digest.Add(static_cast<std::uint64_t>(
        PlayOn<G>(rules, state, agents, {.seed = 3, .dice = game, .game = game})));
    digest.Add(G::key(state));
  }
  Afterstates<G> afterstates;
  for (const auto& decision : DecisionStates<G>(rules, 100)) {
    if (!afterstates.Enumerate(rules, decision)) continue;
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < afterstates.size(); ++i) sum += Mix64(G::key(afterstates[i]));
    digest.Add(sum);
  }
}

template <class Visit>
void ForEachMeasuredGame(Visit&& visit) {
  for (const auto rules : kRules) VisitGame(*ParseGame(rules), visit);
}

}  // namespace

std::vector<Speed> MeasureSpeeds(const SpeedOptions& options) {
  Meter meter(options);
  ForEachMeasuredGame([&]<class G>(const typename G::Rules& rules) {
    MeasureRandomPlay<G>(rules, meter);
    MeasureDecisions<G>(rules, meter);
  });
  VisitGame(*ParseGame("race:short:2x9"),
            [&]<class G>(const typename G::Rules& rules) { MeasureNetwork<G>(rules, meter); });
  const int cores = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  MeasureSelfPlay("race:short:2x9", 1, meter);
  if (cores > 1) MeasureSelfPlay("race:short:2x9", 2, meter);
  if (cores > 2) MeasureSelfPlay("race:short:2x9", cores, meter);
  return meter.Take();
}

std::uint64_t BehaviourSignature() {
  Digest digest;
  ForEachMeasuredGame(
      [&]<class G>(const typename G::Rules& rules) { AddBehaviour<G>(rules, digest); });
  return digest.value() >> 32;
}

}  // namespace berd
