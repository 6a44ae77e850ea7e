#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/core/error.h"
#include "engine/core/seat.h"
#include "engine/games.h"
#include "search/play.h"
#include "selfplay/agent_spec.h"
#include "selfplay/match_stats.h"
#include "selfplay/sprt.h"

namespace berd {

// Who plays which seats. There is one player per seat; player k sits on different seats in the
// games of a block. Sides (players without teams, else teams) are handed out whole: side s is
// played by the agent named s-th, and the sides that remain by the agent named last. In game r of a
// block everybody has moved on by r sides, so that after a block every agent has played every side.
class LineUp {
 public:
  // `side_of_seat` as G::side gives it. Errors: no agent, more agents than sides, or sides of
  // different sizes.
  static Result<LineUp> Make(std::span<const int> side_of_seat, int agents);

  int seats() const { return static_cast<int>(seat_side_.size()); }
  int sides() const { return sides_; }
  int agents() const { return agents_; }
  int block_games() const { return sides_; }
  int AgentOfPlayer(int player) const;
  // The player on `seat` in game `rotation` of a block.
  int PlayerOnSeat(int seat, int rotation) const;
  // Number of sides an agent plays in a game.
  int SidesOf(int agent) const;

 private:
  std::vector<int> seat_side_;    // 0 .. sides - 1
  std::vector<int> seat_member_;  // the seat's number among the seats of its side
  int sides_ = 0;
  int agents_ = 0;
};

// What one game comes to, by seat.
struct GameOutcome {
  std::array<double, kMaxSeats> share{};
  std::array<double, kMaxSeats> score{};
  std::array<double, kMaxSeats> equity{};  // points won less points lost
  // What luck added to share and equity; 0 where it is not measured.
  std::array<double, kMaxSeats> share_luck{};
  std::array<double, kMaxSeats> equity_luck{};
  int winning_sides = 1;
  long decisions = 0;
  long turns = 0;
  bool capped = false;  // ended by the cap on turns or plies
};

// Plays games between given players. One virtual call a game; the players' buffers live in it, so
// every thread has its own.
class GamePlayer {
 public:
  virtual ~GamePlayer() = default;
  virtual GameOutcome Play(const GameSeeds& seeds, std::span<const int> player_on_seat) = 0;
};
// Called from several threads.
using GamePlayerMaker = std::function<std::unique_ptr<GamePlayer>()>;

struct ArenaProgress {
  long games = 0;
  long games_most = 0;  // a sequential test may need fewer
  double seconds = 0;
  double games_per_s = 0;
  double seconds_left = 0;  // to games_most at this rate
  double win_share = 0;     // of the first agent
};

struct ArenaOptions {
  long games = 2000;  // rounded up to whole blocks; with `sprt` the most that are played
  std::uint64_t seed = 1;
  int threads = 0;  // 0: all cores
  int match = 1;    // brädspel: each game is a match of so many, an odd number
  std::optional<SprtOptions> sprt = std::nullopt;
  // Network file by which the luck of the dice is told and taken off the results as well
  // (docs/decisions/0012); not with `sprt` or matches.
  std::optional<std::string> luck = std::nullopt;
  int random_opening = 0;  // decisions at the start of every game, alike within a block
  // Called about once a `progress_seconds`, never from two threads at a time.
  std::function<void(const ArenaProgress&)> on_progress = nullptr;
  double progress_seconds = 1;
  // Asked before each block, from any thread; true ends the match after the blocks on their way.
  std::function<bool()> stop = nullptr;
};

// A mean over games with the luck of the dice taken off. Its expectation is that of the raw mean.
struct LuckAdjusted {
  double mean = 0;
  Interval ci95;              // from the block means, by MeanInterval
  double variance_ratio = 1;  // of raw block means to these; below 1 let the raw mean count.
                              // May be infinite
};

struct AgentResult {
  int sides = 1;         // played in each game
  double win_share = 0;  // mean over blocks, games and its sides; 1 / sides of the game is even
  Interval ci95;
  double mean_score = 0;  // of one seat
  double equity = 0;      // points won less points lost in a game, where wins differ in points
  Interval equity_ci95;
  double elo = 0;  // EloOf the win share: against the seats of the other agents
  Interval elo_ci95;
  // With options.luck:
  std::optional<LuckAdjusted> win_share_adjusted;
  std::optional<LuckAdjusted> equity_adjusted;
  double elo_adjusted = 0;  // EloOf the adjusted share, cut at 0 and 1 / sides
  Interval elo_ci95_adjusted;
};

struct ArenaResult {
  std::vector<AgentResult> agents;  // in the order named
  bool for_points = false;          // a game whose wins differ in points: there is an equity
  long games = 0;
  long blocks = 0;
  int block_games = 0;
  std::uint64_t seed = 0;
  int threads = 0;
  double shared_win_rate = 0;  // games whose win is shared by several sides
  double capped_rate = 0;
  double decisions_per_game = 0;  // small steps
  double turns_per_game = 0;      // completed turns, in the duel plies
  double seconds = 0;
  double games_per_s = 0;
  std::optional<Sprt> sprt;
  bool stopped = false;  // by options.stop; then there may be no games at all
};

// Plays blocks until options.games are reached, the sequential test decides or options.stop says
// so. A block is all rotations of the line-up on the same dice (GameSeeds.dice is the block's
// number). Blocks are counted in their order, whoever finishes first, so the result (but for times)
// is the same for any number of threads. Requires: a sequential test needs two agents.
ArenaResult PlayArena(const LineUp& line_up, const GamePlayerMaker& make_player,
                      const ArenaOptions& options);

// The same for agent strings on the game of a rules string.
Result<ArenaResult> RunArena(const AnyRules& game, std::span<const AgentSpec> agents,
                             const ArenaOptions& options);

// Whole blocks that `games` take.
long BlocksFor(const LineUp& line_up, long games);

}  // namespace berd
