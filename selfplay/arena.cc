#include "selfplay/arena.h"

#include <tbb/enumerable_thread_specific.h>
#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_pipeline.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <chrono>
#include <mutex>
#include <string>
#include <utility>

namespace berd {

namespace {

using Clock = std::chrono::steady_clock;

// The numbers of one block, sums over its games.
struct BlockOutcome {
  std::vector<double> share;  // by agent: mean win share of one of its sides
  std::vector<double> score;  // by agent: mean score of one of its seats
  std::vector<double> equity;
  std::vector<double> share_luck;  // to be taken off
  std::vector<double> equity_luck;
  long shared_wins = 0;
  long capped = 0;
  long decisions = 0;
  long turns = 0;
};

BlockOutcome PlayBlock(const LineUp& line_up, GamePlayer& player, std::uint64_t seed, long block) {
  const auto agents = static_cast<std::size_t>(line_up.agents());
  const auto seats = static_cast<std::size_t>(line_up.seats());
  const std::vector<double> zero(agents);
  BlockOutcome sum{zero, zero, zero, zero, zero};
  std::array<int, kMaxSeats> player_on_seat{};
  const auto number = static_cast<std::uint64_t>(block);
  for (int rotation = 0; rotation < line_up.block_games(); ++rotation) {
    for (std::size_t seat = 0; seat < seats; ++seat) {
      player_on_seat[seat] = line_up.PlayerOnSeat(static_cast<int>(seat), rotation);
    }
    const GameSeeds seeds = {seed, number,
                             number * static_cast<std::uint64_t>(line_up.block_games()) +
                                 static_cast<std::uint64_t>(rotation)};
    const GameOutcome game = player.Play(seeds, std::span(player_on_seat).first(seats));
    for (std::size_t seat = 0; seat < seats; ++seat) {
      const auto agent = static_cast<std::size_t>(line_up.AgentOfPlayer(player_on_seat[seat]));
      sum.share[agent] += game.share[seat];
      sum.score[agent] += game.score[seat];
      sum.equity[agent] += game.equity[seat];
      sum.share_luck[agent] += game.share_luck[seat];
      sum.equity_luck[agent] += game.equity_luck[seat];
    }
    sum.shared_wins += game.winning_sides > 1;
    sum.capped += game.capped;
    sum.decisions += game.decisions;
    sum.turns += game.turns;
  }
  for (std::size_t agent = 0; agent < agents; ++agent) {
    const double seats_played = line_up.SidesOf(static_cast<int>(agent)) *
                                static_cast<double>(seats) / line_up.sides() *
                                line_up.block_games();
    sum.share[agent] /= seats_played;
    sum.score[agent] /= seats_played;
    sum.equity[agent] /= seats_played;
    sum.share_luck[agent] /= seats_played;
    sum.equity_luck[agent] /= seats_played;
  }
  return sum;
}

// Collects blocks in their order. One thread at a time.
class Tally {
 public:
  Tally(const LineUp& line_up, const ArenaOptions& options)
      : line_up_(line_up),
        options_(options),
        shares_(static_cast<std::size_t>(line_up.agents())),
        scores_(shares_.size()),
        equities_(shares_.size()),
        adjusted_shares_(shares_.size()),
        adjusted_equities_(shares_.size()),
        start_(Clock::now()),
        reported_(start_) {
    if (options.sprt) {
      sprt_.emplace(*options.sprt, line_up.SidesOf(0), line_up.sides());
    }
  }

  // False when no more blocks are wanted; this one then no longer counts.
  bool Add(const BlockOutcome& block) {
    if (Decided()) return false;
    ++blocks_;
    for (std::size_t agent = 0; agent < shares_.size(); ++agent) {
      shares_[agent].Add(block.share[agent]);
      scores_[agent].Add(block.score[agent]);
      equities_[agent].Add(block.equity[agent]);
      adjusted_shares_[agent].Add(block.share[agent] - block.share_luck[agent]);
      adjusted_equities_[agent].Add(block.equity[agent] - block.equity_luck[agent]);
    }
    totals_.shared_wins += block.shared_wins;
    totals_.capped += block.capped;
    totals_.decisions += block.decisions;
    totals_.turns += block.turns;
    if (sprt_) sprt_->Add(block.share[0]);
    if (options_.on_progress) Report();
    return !Decided();
  }

  ArenaResult Finish(int threads) const {
    ArenaResult result;
    result.blocks = blocks_;
    result.block_games = line_up_.block_games();
    result.games = blocks_ * result.block_games;
    result.seed = options_.seed;
    result.threads = threads;
    result.seconds = Seconds(Clock::now() - start_);
    result.games_per_s =
        result.seconds > 0 ? static_cast<double>(result.games) / result.seconds : 0;
    const double games = static_cast<double>(std::max(result.games, 1L));
    result.shared_win_rate = static_cast<double>(totals_.shared_wins) / games;
    result.capped_rate = static_cast<double>(totals_.capped) / games;
    result.decisions_per_game = static_cast<double>(totals_.decisions) / games;
    result.turns_per_game = static_cast<double>(totals_.turns) / games;
    result.sprt = sprt_;
    for (std::size_t i = 0; i < shares_.size(); ++i) {
      const int own = line_up_.SidesOf(static_cast<int>(i));
      const int sides = line_up_.sides();
      AgentResult agent;
      agent.sides = own;
      agent.win_share = shares_[i].mean();
      agent.ci95 = ShareInterval(shares_[i]);
      // All the agent's sides together cannot win more than the game.
      agent.ci95.high = std::min(agent.ci95.high, 1.0 / own);
      if (own == sides) agent.ci95.low = agent.ci95.high;  // there is nobody else
      agent.mean_score = scores_[i].mean();
      agent.equity = equities_[i].mean();
      agent.equity_ci95 = MeanInterval(equities_[i]);
      agent.elo = EloOf(agent.win_share, own, sides);
      agent.elo_ci95 = {EloOf(agent.ci95.low, own, sides), EloOf(agent.ci95.high, own, sides)};
      if (options_.luck) Adjust(i, own, sides, agent);
      result.agents.push_back(agent);
    }
    return result;
  }

 private:
  static LuckAdjusted Adjusted(const RunningMean& raw, const Interval& raw_ci95,
                               const RunningMean& adjusted) {
    // Where there was no luck at all the interval stays what it is, also for blocks all alike.
    if (adjusted.mean() == raw.mean() && adjusted.variance() == raw.variance()) {
      return {raw.mean(), raw_ci95, 1};
    }
    return {adjusted.mean(), MeanInterval(adjusted), raw.variance() / adjusted.variance()};
  }

  void Adjust(std::size_t i, int own, int sides, AgentResult& agent) const {
    agent.win_share_adjusted = Adjusted(shares_[i], agent.ci95, adjusted_shares_[i]);
    agent.equity_adjusted = Adjusted(equities_[i], agent.equity_ci95, adjusted_equities_[i]);
    const auto elo = [&](double share) {
      return EloOf(std::clamp(share, 0.0, 1.0 / own), own, sides);
    };
    const LuckAdjusted& share = *agent.win_share_adjusted;
    agent.elo_adjusted = elo(share.mean);
    agent.elo_ci95_adjusted = {elo(share.ci95.low), elo(share.ci95.high)};
  }

  static double Seconds(Clock::duration time) {
    return std::chrono::duration<double>(time).count();
  }
  bool Decided() const { return sprt_ && sprt_->decision() != SprtDecision::kNone; }

  void Report() {
    const auto now = Clock::now();
    if (Seconds(now - reported_) < options_.progress_seconds) return;
    reported_ = now;
    ArenaProgress progress;
    progress.games = blocks_ * line_up_.block_games();
    progress.games_most = BlocksFor(line_up_, options_.games) * line_up_.block_games();
    progress.seconds = Seconds(now - start_);
    progress.games_per_s = static_cast<double>(progress.games) / progress.seconds;
    progress.seconds_left =
        static_cast<double>(progress.games_most - progress.games) / progress.games_per_s;
    progress.win_share = shares_[0].mean();
    options_.on_progress(progress);
  }

  const LineUp& line_up_;
  const ArenaOptions& options_;
  long blocks_ = 0;
  std::vector<RunningMean> shares_;
  std::vector<RunningMean> scores_;
  std::vector<RunningMean> equities_;
  std::vector<RunningMean> adjusted_shares_;
  std::vector<RunningMean> adjusted_equities_;
  BlockOutcome totals_;  // without its vectors
  std::optional<Sprt> sprt_;
  Clock::time_point start_;
  Clock::time_point reported_;
};

}  // namespace

Result<LineUp> LineUp::Make(std::span<const int> side_of_seat, int agents) {
  LineUp line_up;
  line_up.agents_ = agents;
  std::vector<int> names;  // of the sides, in the order of their first seats
  std::vector<int> members;
  for (const int name : side_of_seat) {
    const auto side =
        static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
    if (side == names.size()) {
      names.push_back(name);
      members.push_back(0);
    }
    line_up.seat_side_.push_back(static_cast<int>(side));
    line_up.seat_member_.push_back(members[side]++);
  }
  line_up.sides_ = static_cast<int>(names.size());
  if (agents < 1) return Fail("line-up: no agent");
  if (agents > line_up.sides_) {
    const bool teams = names.size() < side_of_seat.size();
    return Fail("line-up: " + std::to_string(agents) + " agents for " +
                std::to_string(line_up.sides_) + (teams ? " teams" : " seats") +
                "; name at most one for each");
  }
  if (std::any_of(members.begin(), members.end(), [&](int n) { return n != members[0]; })) {
    return Fail("line-up: the sides have different numbers of seats");
  }
  return line_up;
}

int LineUp::AgentOfPlayer(int player) const {
  const int side = player / (seats() / sides_);
  return std::min(side, agents_ - 1);
}

int LineUp::PlayerOnSeat(int seat, int rotation) const {
  const auto at = static_cast<std::size_t>(seat);
  const int side = (seat_side_[at] + rotation) % sides_;
  return side * (seats() / sides_) + seat_member_[at];
}

int LineUp::SidesOf(int agent) const { return agent + 1 < agents_ ? 1 : sides_ - agents_ + 1; }

long BlocksFor(const LineUp& line_up, long games) {
  return (games + line_up.block_games() - 1) / line_up.block_games();
}

ArenaResult PlayArena(const LineUp& line_up, const GamePlayerMaker& make_player,
                      const ArenaOptions& options) {
  const int threads = options.threads > 0 ? options.threads : tbb::info::default_concurrency();
  const long most = BlocksFor(line_up, options.games);
  // Blocks on their way at any time: enough that a long game does not hold the others up.
  const auto in_flight = static_cast<std::size_t>(threads) * 16;

  // More threads than cores, if somebody asks for them.
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                  static_cast<std::size_t>(threads));
  tbb::task_arena arena(threads);
  tbb::enumerable_thread_specific<std::unique_ptr<GamePlayer>> players(make_player);
  // One stage of the pipeline hands blocks out, one counts them in their order; either runs in one
  // thread at a time, so the mutex is never waited for long. It makes plain to readers and tools
  // what passes between threads.
  std::mutex mutex;
  Tally tally(line_up, options);
  std::vector<BlockOutcome> outcomes(in_flight);  // of block b at b % in_flight
  bool enough = false;
  bool stopped = false;
  long next = 0;
  const auto hand_out = [&](tbb::flow_control& control) {
    const std::lock_guard lock(mutex);
    if (next < most && !enough) {
      stopped = options.stop && options.stop();
      if (!stopped) return next++;
    }
    control.stop();
    return 0L;
  };
  const auto play = [&](long block) {
    GamePlayer& player = *players.local();
    // An agent that waits for tasks of its own must not be given another block meanwhile.
    BlockOutcome outcome = tbb::this_task_arena::isolate(
        [&] { return PlayBlock(line_up, player, options.seed, block); });
    const std::lock_guard lock(mutex);
    outcomes[static_cast<std::size_t>(block) % in_flight] = std::move(outcome);
    return block;
  };
  const auto count = [&](long block) {
    const std::lock_guard lock(mutex);
    enough = !tally.Add(outcomes[static_cast<std::size_t>(block) % in_flight]);
  };
  using Mode = tbb::filter_mode;
  arena.execute([&] {
    tbb::parallel_pipeline(in_flight,
                           tbb::make_filter<void, long>(Mode::serial_in_order, hand_out) &
                               tbb::make_filter<long, long>(Mode::parallel, play) &
                               tbb::make_filter<long, void>(Mode::serial_in_order, count));
  });
  const std::lock_guard lock(mutex);
  ArenaResult result = tally.Finish(threads);
  result.stopped = stopped;
  return result;
}

}  // namespace berd
