#include "selfplay/arena.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "search/greedy_agent.h"
#include "search/random_agent.h"
#include "selfplay/game_player.h"

namespace berd {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

LineUp LineUpOf(const std::vector<int>& side_of_seat, int agents) {
  return *LineUp::Make(side_of_seat, agents);
}

// Which agent sits where in a game, as letters.
std::string Seating(const LineUp& line_up, int rotation) {
  std::string text;
  for (int seat = 0; seat < line_up.seats(); ++seat) {
    text += static_cast<char>('a' + line_up.AgentOfPlayer(line_up.PlayerOnSeat(seat, rotation)));
  }
  return text;
}

std::vector<std::string> Seatings(const LineUp& line_up) {
  std::vector<std::string> all;
  all.reserve(static_cast<std::size_t>(line_up.block_games()));
  for (int game = 0; game < line_up.block_games(); ++game) all.push_back(Seating(line_up, game));
  return all;
}

TEST(LineUp, RotatesEveryAgentOverEverySeat) {
  EXPECT_THAT(Seatings(LineUpOf({0, 1}, 2)), ElementsAre("ab", "ba"));
  EXPECT_THAT(Seatings(LineUpOf({0, 1, 2}, 3)), ElementsAre("abc", "bca", "cab"));
}

TEST(LineUp, FillsSeatsWithTheLastAgent) {
  EXPECT_THAT(Seatings(LineUpOf({0, 1, 2, 3}, 2)), ElementsAre("abbb", "bbba", "bbab", "babb"));
  EXPECT_THAT(Seatings(LineUpOf({0, 1, 2, 3}, 3)), ElementsAre("abcc", "bcca", "ccab", "cabc"));
  EXPECT_THAT(Seatings(LineUpOf({0, 1}, 1)), ElementsAre("aa", "aa"));
  const auto line_up = LineUpOf({0, 1, 2, 3, 4}, 2);
  EXPECT_EQ(line_up.SidesOf(0), 1);
  EXPECT_EQ(line_up.SidesOf(1), 4);
}

TEST(LineUp, GivesAnAgentAWholeTeam) {
  EXPECT_THAT(Seatings(LineUpOf({0, 1, 0, 1}, 2)), ElementsAre("abab", "baba"));
  EXPECT_THAT(Seatings(LineUpOf({0, 1, 2, 0, 1, 2}, 2)), ElementsAre("abbabb", "bbabba", "babbab"));
}

TEST(LineUp, HasOnePlayerPerSeat) {
  for (const auto& sides : {std::vector<int>{0, 1, 0, 1}, {0, 1, 2, 3}, {1, 0, 2, 1, 0, 2}}) {
    const auto line_up = LineUpOf(sides, 2);
    for (int rotation = 0; rotation < line_up.block_games(); ++rotation) {
      std::set<int> players;
      for (int seat = 0; seat < line_up.seats(); ++seat) {
        players.insert(line_up.PlayerOnSeat(seat, rotation));
      }
      EXPECT_THAT(players, SizeIs(sides.size()));
      EXPECT_EQ(*players.begin(), 0);
      EXPECT_EQ(*players.rbegin(), line_up.seats() - 1);
    }
  }
}

TEST(LineUp, RefusesMoreAgentsThanSides) {
  EXPECT_THAT(LineUp::Make(std::vector<int>{0, 1}, 3).error().message,
              HasSubstr("3 agents for 2 seats"));
  EXPECT_THAT(LineUp::Make(std::vector<int>{0, 1, 0, 1}, 3).error().message,
              HasSubstr("3 agents for 2 teams"));
  EXPECT_THAT(LineUp::Make(std::vector<int>{0, 1}, 0).error().message, HasSubstr("no agent"));
  EXPECT_FALSE(LineUp::Make(std::vector<int>{0, 1, 1}, 2));
}

// ---- Blocks and statistics, on games that are not played

// Games by a formula; remembers what it was asked for.
class ScriptedPlayer final : public GamePlayer {
 public:
  struct Call {
    GameSeeds seeds;
    std::vector<int> player_on_seat;
  };
  struct Log {
    std::mutex mutex;
    std::vector<Call> calls;
  };
  using Script = GameOutcome (*)(const GameSeeds&, std::span<const int>);

  ScriptedPlayer(Script script, Log& log) : script_(script), log_(log) {}
  GameOutcome Play(const GameSeeds& seeds, std::span<const int> player_on_seat) override {
    const std::lock_guard lock(log_.mutex);
    log_.calls.push_back({seeds, {player_on_seat.begin(), player_on_seat.end()}});
    return script_(seeds, player_on_seat);
  }

 private:
  Script script_;
  Log& log_;
};

// The seat with this player wins.
GameOutcome WonBy(int player, std::span<const int> player_on_seat) {
  GameOutcome outcome;
  for (std::size_t seat = 0; seat < player_on_seat.size(); ++seat) {
    outcome.share[seat] = player_on_seat[seat] == player ? 1 : 0;
    outcome.score[seat] = 10 + player_on_seat[seat];
  }
  return outcome;
}

ArenaResult PlayScript(const LineUp& line_up, ScriptedPlayer::Script script,
                       const ArenaOptions& options, ScriptedPlayer::Log& log) {
  return PlayArena(
      line_up, [&] { return std::make_unique<ScriptedPlayer>(script, log); }, options);
}

TEST(Arena, GivesAllGamesOfABlockTheSameDice) {
  ScriptedPlayer::Log log;
  const auto line_up = LineUpOf({0, 1, 2}, 2);
  PlayScript(
      line_up, [](const GameSeeds&, std::span<const int> seats) { return WonBy(0, seats); },
      {.games = 30, .seed = 7, .threads = 2}, log);
  ASSERT_THAT(log.calls, SizeIs(30));
  std::map<std::uint64_t, int> games_with_dice;
  std::map<std::uint64_t, std::set<std::vector<int>>> seatings;
  std::set<std::uint64_t> games;
  for (const auto& call : log.calls) {
    EXPECT_EQ(call.seeds.seed, 7u);
    ++games_with_dice[call.seeds.dice];
    seatings[call.seeds.dice].insert(call.player_on_seat);
    games.insert(call.seeds.game);
  }
  EXPECT_THAT(games, SizeIs(30));
  EXPECT_THAT(games_with_dice, SizeIs(10));
  for (const auto& [dice, count] : games_with_dice) {
    EXPECT_EQ(count, 3);
    EXPECT_THAT(seatings[dice], SizeIs(3));
  }
}

TEST(Arena, RoundsUpToWholeBlocks) {
  const auto line_up = LineUpOf({0, 1, 2, 3}, 2);
  EXPECT_EQ(BlocksFor(line_up, 1), 1);
  EXPECT_EQ(BlocksFor(line_up, 4), 1);
  EXPECT_EQ(BlocksFor(line_up, 5), 2);
}

TEST(Arena, ComputesStatisticsFromBlockMeans) {
  // Player 0 wins in blocks 0 and 1 both games, in block 2 one, in block 3 shares both.
  ScriptedPlayer::Log log;
  const auto result = PlayScript(
      LineUpOf({0, 1}, 2),
      [](const GameSeeds& seeds, std::span<const int> seats) {
        GameOutcome outcome = WonBy(seeds.dice == 2 && seeds.game % 2 == 1 ? 1 : 0, seats);
        outcome.decisions = 100;
        outcome.turns = 10 + static_cast<long>(seeds.dice);
        outcome.capped = seeds.game == 5;
        if (seeds.dice == 3) {
          outcome.share = {0.5, 0.5};
          outcome.winning_sides = 2;
        }
        return outcome;
      },
      {.games = 8, .threads = 1}, log);
  EXPECT_EQ(result.games, 8);
  EXPECT_EQ(result.blocks, 4);
  EXPECT_EQ(result.block_games, 2);
  // Block means 1, 1, .5, .5: mean .75, variance 1/12, standard error sqrt(1/48), t(3) = 3.182446.
  const double half = 3.182446 * std::sqrt(1.0 / 48);
  EXPECT_NEAR(result.agents[0].win_share, 0.75, 1e-12);
  EXPECT_NEAR(result.agents[0].ci95.low, 0.75 - half, 1e-6);
  EXPECT_EQ(result.agents[0].ci95.high, 1);
  EXPECT_NEAR(result.agents[1].win_share, 0.25, 1e-12);
  EXPECT_NEAR(result.agents[1].ci95.high, 0.25 + half, 1e-6);
  EXPECT_NEAR(result.agents[0].elo, 400 * std::log10(3), 1e-9);
  EXPECT_NEAR(result.agents[0].elo_ci95.low, EloOf(0.75 - half, 1, 2), 1e-3);
  EXPECT_TRUE(std::isinf(result.agents[0].elo_ci95.high));
  EXPECT_DOUBLE_EQ(result.agents[0].mean_score, 10);
  EXPECT_DOUBLE_EQ(result.agents[1].mean_score, 11);
  EXPECT_DOUBLE_EQ(result.shared_win_rate, 0.25);
  EXPECT_DOUBLE_EQ(result.capped_rate, 0.125);
  EXPECT_DOUBLE_EQ(result.decisions_per_game, 100);
  EXPECT_DOUBLE_EQ(result.turns_per_game, 11.5);
}

TEST(Arena, TakesTheLuckOffBlockByBlock) {
  // Block means 1, 1, .5, .5 as above, luck .25, .25, -.2, -.3; three points for each win.
  ScriptedPlayer::Log log;
  ArenaOptions options{.games = 8, .threads = 1};
  options.luck = "scripted";
  const auto result = PlayScript(
      LineUpOf({0, 1}, 2),
      [](const GameSeeds& seeds, std::span<const int> seats) {
        GameOutcome outcome = WonBy(seeds.dice >= 2 && seeds.game % 2 == 1 ? 1 : 0, seats);
        const std::array<double, 4> luck{0.25, 0.25, -0.2, -0.3};
        for (std::size_t seat = 0; seat < 2; ++seat) {
          const double sign = seats[seat] == 0 ? 1 : -1;
          outcome.share_luck[seat] = sign * luck[seeds.dice];
          outcome.equity_luck[seat] = 6 * outcome.share_luck[seat];
          outcome.equity[seat] = 6 * outcome.share[seat] - 3;
        }
        return outcome;
      },
      options, log);
  // Adjusted .75, .75, .7, .8: mean .75, variance .005 / 3.
  const LuckAdjusted& share = *result.agents[0].win_share_adjusted;
  EXPECT_NEAR(result.agents[0].win_share, 0.75, 1e-12);
  EXPECT_NEAR(share.mean, 0.75, 1e-12);
  EXPECT_NEAR(share.ci95.high, 0.75 + 3.182446 * std::sqrt(0.005 / 3 / 4), 1e-6);
  EXPECT_NEAR(share.variance_ratio, (1.0 / 12) / (0.005 / 3), 1e-9);
  EXPECT_NEAR(result.agents[0].elo_adjusted, 400 * std::log10(3), 1e-9);
  const LuckAdjusted& equity = *result.agents[1].equity_adjusted;
  EXPECT_NEAR(equity.mean, -1.5, 1e-12);
  EXPECT_NEAR(equity.variance_ratio, share.variance_ratio, 1e-9);
}

TEST(Arena, KeepsTheIntervalWhereThereWasNoLuck) {
  // All won: the raw interval is the one for equal blocks.
  ScriptedPlayer::Log log;
  ArenaOptions options{.games = 20};
  options.luck = "scripted";
  const auto result = PlayScript(
      LineUpOf({0, 1}, 2),
      [](const GameSeeds&, std::span<const int> seats) { return WonBy(0, seats); }, options, log);
  EXPECT_LT(result.agents[0].ci95.low, 0.9);
  EXPECT_EQ(result.agents[0].win_share_adjusted->ci95, result.agents[0].ci95);
  EXPECT_EQ(result.agents[0].win_share_adjusted->variance_ratio, 1);
}

TEST(Arena, AveragesOverTheSeatsOfAnAgent) {
  // Four seats, the last three by agent b: player 2 always wins.
  ScriptedPlayer::Log log;
  const auto result = PlayScript(
      LineUpOf({0, 1, 2, 3}, 2),
      [](const GameSeeds&, std::span<const int> seats) { return WonBy(2, seats); }, {.games = 400},
      log);
  EXPECT_EQ(result.agents[0].win_share, 0);
  EXPECT_EQ(result.agents[1].sides, 3);
  EXPECT_NEAR(result.agents[1].win_share, 1.0 / 3, 1e-12);
  EXPECT_NEAR(result.agents[1].mean_score, 12, 1e-12);
  EXPECT_LE(result.agents[1].ci95.high, 1.0 / 3);
  EXPECT_GT(result.agents[1].ci95.low, 0.3);
}

TEST(Arena, ReportsProgress) {
  ScriptedPlayer::Log log;
  std::vector<ArenaProgress> reports;
  ArenaOptions options{.games = 100, .threads = 2};
  options.on_progress = [&](const ArenaProgress& progress) { reports.push_back(progress); };
  options.progress_seconds = 0;
  PlayScript(
      LineUpOf({0, 1}, 2),
      [](const GameSeeds&, std::span<const int> seats) { return WonBy(0, seats); }, options, log);
  ASSERT_THAT(reports, SizeIs(50));
  EXPECT_EQ(reports[9].games, 20);
  EXPECT_EQ(reports[9].games_most, 100);
  EXPECT_EQ(reports[9].win_share, 1);
  EXPECT_GT(reports[9].games_per_s, 0);
  EXPECT_GE(reports[9].seconds_left, 0);
  EXPECT_EQ(reports[49].seconds_left, 0);
}

TEST(Arena, StopsWhenAsked) {
  ScriptedPlayer::Log log;
  int asked = 0;
  ArenaOptions options{.games = 1000, .threads = 1};
  options.stop = [&] { return ++asked > 5; };
  const auto result = PlayScript(
      LineUpOf({0, 1}, 2),
      [](const GameSeeds&, std::span<const int> seats) { return WonBy(0, seats); }, options, log);
  EXPECT_TRUE(result.stopped);
  EXPECT_EQ(result.blocks, 5);
  EXPECT_EQ(result.games, 10);
  EXPECT_EQ(result.agents[0].win_share, 1);
}

// A block mean of .75 or .25 for the first player, three to one.
GameOutcome Lopsided(const GameSeeds& seeds, std::span<const int> seats) {
  RandomStream random(seeds.seed, seeds.game, Purpose::kTest, 0);
  return WonBy(random.Below(8) < 5 ? 0 : 1, seats);
}

TEST(Arena, StopsASequentialTestAtTheSameBlockForAnyNumberOfThreads) {
  std::set<long> blocks;
  std::set<double> shares;
  for (const int threads : {1, 2, 5}) {
    ScriptedPlayer::Log log;
    ArenaOptions options{.games = 100000, .threads = threads};
    options.sprt = SprtOptions{.elo0 = 0, .elo1 = 30};
    const auto result = PlayScript(LineUpOf({0, 1}, 2), Lopsided, options, log);
    ASSERT_TRUE(result.sprt);
    EXPECT_EQ(result.sprt->decision(), SprtDecision::kH1);
    EXPECT_LT(log.calls.size(), 10000u);
    blocks.insert(result.blocks);
    shares.insert(result.agents[0].win_share);
  }
  EXPECT_THAT(blocks, SizeIs(1));
  EXPECT_THAT(shares, SizeIs(1));
}

TEST(Arena, SaysWhenASequentialTestDidNotDecide) {
  ScriptedPlayer::Log log;
  ArenaOptions options{.games = 10};
  options.sprt = SprtOptions{};
  const auto result = PlayScript(LineUpOf({0, 1}, 2), Lopsided, options, log);
  EXPECT_EQ(result.games, 10);
  EXPECT_EQ(result.sprt->decision(), SprtDecision::kNone);
}

// ---- Real games

ArenaResult Play(std::string_view rules, const std::vector<std::string>& agents,
                 const ArenaOptions& options) {
  std::vector<AgentSpec> specs;
  specs.reserve(agents.size());
  for (const auto& agent : agents) specs.push_back(*ParseAgentSpec(agent));
  return *RunArena(*ParseGame(rules), specs, options);
}

// Takes the legal action that comes first: plays without chance of its own.
template <Game G>
class FirstActionAgent final : public Agent<G> {
 public:
  void Choose(const typename G::Rules& rules, const typename G::Observation& seen, RandomStream&,
              ActionList<typename G::Action>& path) override {
    G::legal(rules, seen.state, actions_);
    path.clear();
    path.push_back(actions_[0]);
  }

 private:
  ActionList<typename G::Action> actions_;
};

TEST(Arena, PairsBlocks) {
  // Two agents that play alike and without chance of their own play the same game twice in a block,
  // once from each seat: every block mean is exactly even.
  using G = Race<Race2>;
  const auto rules = std::get<GameWithRules<G>>(*ParseGame("race:short:2x4")).rules;
  const AgentMaker<G> make = [] { return std::make_unique<FirstActionAgent<G>>(); };
  double seat_a = 0;
  for (const bool pair : {true, false}) {
    const auto result = *RunArena<G>(rules, {make, make}, {.games = pair ? 200 : 2});
    for (const auto& agent : result.agents) {
      EXPECT_NEAR(agent.win_share, 0.5, 1e-12);
      EXPECT_NEAR(agent.elo, 0, 1e-9);
    }
    EXPECT_DOUBLE_EQ(result.agents[0].mean_score, result.agents[1].mean_score);
    // The spread of the blocks is zero; the interval is the one for equal blocks.
    if (pair) {
      EXPECT_NEAR(result.agents[0].ci95.high, 0.5 + 0.5 * (1 - std::pow(0.025, 0.01)), 1e-9);
    }
    seat_a += result.agents[0].win_share;
  }
  EXPECT_NEAR(seat_a, 1, 1e-12);
}

TEST(Arena, OpensEachBlockAtRandom) {
  // The same players without dice: with random openings blocks differ, and each is still even.
  using G = Duel<false>;
  const auto rules = std::get<GameWithRules<G>>(*ParseGame("duel:3x3:5")).rules;
  const AgentMaker<G> make = [] { return std::make_unique<FirstActionAgent<G>>(); };
  const auto play = [&](const ArenaOptions& options) {
    auto result = *RunArena<G>(rules, {make, make}, options);
    EXPECT_NEAR(result.agents[0].win_share, 0.5, 1e-12);
    EXPECT_NEAR(result.agents[0].mean_score, result.agents[1].mean_score, 1e-12);
    return result;
  };
  const auto fixed = play({.games = 2});
  EXPECT_EQ(play({.games = 40}).decisions_per_game, fixed.decisions_per_game);
  std::set<double> decisions;
  for (const std::uint64_t seed : {1, 2, 3, 4, 5, 6}) {
    const auto opened = play({.games = 2, .seed = seed, .random_opening = 4});
    EXPECT_EQ(play({.games = 2, .seed = seed, .random_opening = 4}).decisions_per_game,
              opened.decisions_per_game);
    decisions.insert(opened.decisions_per_game);
  }
  EXPECT_GT(decisions.size(), 2u);
  const auto one = play({.games = 60, .threads = 1, .random_opening = 4});
  const auto three = play({.games = 60, .threads = 3, .random_opening = 4});
  EXPECT_EQ(one.decisions_per_game, three.decisions_per_game);
  EXPECT_EQ(one.shared_win_rate, three.shared_win_rate);
  const auto matches =
      Play("bradspel", {"greedy", "random"}, {.games = 20, .match = 3, .random_opening = 2});
  EXPECT_NE(matches.decisions_per_game,
            Play("bradspel", {"greedy", "random"}, {.games = 20, .match = 3}).decisions_per_game);
}

TEST(Arena, PlaysTheSameGamesOnAnyNumberOfThreads) {
  for (const std::string rules : {"race:short:2x4", "race:short:4x3:team=2", "duel:3x3:5:hidden",
                                  "race:short:3x2:hidden", "race:short:4x2:trade"}) {
    const auto one = Play(rules, {"greedy,eps=0.2", "random"}, {.games = 200, .threads = 1});
    for (const int threads : {2, 4}) {
      const auto more =
          Play(rules, {"greedy,eps=0.2", "random"}, {.games = 200, .threads = threads});
      EXPECT_EQ(more.threads, threads);
      for (std::size_t i = 0; i < one.agents.size(); ++i) {
        EXPECT_EQ(more.agents[i].win_share, one.agents[i].win_share) << rules;
        EXPECT_EQ(more.agents[i].ci95, one.agents[i].ci95) << rules;
        EXPECT_EQ(more.agents[i].mean_score, one.agents[i].mean_score) << rules;
      }
      EXPECT_EQ(more.decisions_per_game, one.decisions_per_game) << rules;
      EXPECT_EQ(more.turns_per_game, one.turns_per_game) << rules;
    }
  }
}

TEST(Arena, DependsOnTheSeed) {
  const auto one = Play("race:short:2x4", {"greedy", "random"}, {.games = 100, .seed = 1});
  const auto two = Play("race:short:2x4", {"greedy", "random"}, {.games = 100, .seed = 2});
  EXPECT_NE(one.decisions_per_game, two.decisions_per_game);
}

TEST(Arena, SharesOfAllSidesSumToOne) {
  for (const std::string rules :
       {"race:short:2x3", "race:short:3x2", "race:short:4x2:team=2", "race:short:6x2:team=3",
        "race:short:5x1:color", "duel:4x4:3", "race:short:16x1"}) {
    if (!ParseGame(rules)) continue;  // five players have no colours
    for (const auto& agents : {std::vector<std::string>{"greedy", "random"}, {"greedy"}}) {
      const auto result = Play(rules, agents, {.games = 60});
      double sum = 0;
      for (const auto& agent : result.agents) sum += agent.sides * agent.win_share;
      EXPECT_NEAR(sum, 1, 1e-9) << rules;
    }
  }
}

TEST(Arena, CountsTheCap) {
  const auto result = Play("race:short:2x4:cap=3", {"random"}, {.games = 20});
  EXPECT_EQ(result.capped_rate, 1);
  EXPECT_EQ(result.turns_per_game, 3);
  EXPECT_EQ(Play("race:short:2x1", {"random"}, {.games = 20}).capped_rate, 0);
}

TEST(Arena, CountsPointsWonLessPointsLost) {
  for (const std::string rules : {"backgammon", "bradspel"}) {
    const auto result = Play(rules, {"greedy", "random"}, {.games = 400});
    EXPECT_TRUE(result.for_points);
    const auto& greedy = result.agents[0];
    const auto& random = result.agents[1];
    EXPECT_NEAR(greedy.equity, greedy.mean_score - random.mean_score, 1e-6) << rules;
    EXPECT_NEAR(greedy.equity, -random.equity, 1e-9) << rules;
    EXPECT_GT(greedy.equity_ci95.low, 0) << rules;
    EXPECT_LT(greedy.equity_ci95.low, greedy.equity) << rules;
    EXPECT_GT(greedy.equity_ci95.high, greedy.equity) << rules;
  }
  // Games that nobody wins are worth nothing.
  const auto capped = Play("backgammon:cap=1", {"greedy", "random"}, {.games = 40});
  EXPECT_EQ(capped.agents[0].equity, 0);
  EXPECT_EQ(capped.agents[0].equity_ci95, (Interval{0, 0}));
  EXPECT_EQ(capped.agents[0].win_share, 0.5);
  EXPECT_FALSE(Play("birth:2", {"greedy", "random"}, {.games = 40}).for_points);
}

TEST(Arena, PlaysMatchesOfBradspel) {
  const auto games = Play("bradspel", {"greedy", "random"}, {.games = 200});
  const auto matches = Play("bradspel", {"greedy", "random"}, {.games = 200, .match = 5});
  EXPECT_EQ(matches.games, 200);
  EXPECT_GT(matches.turns_per_game, 4 * games.turns_per_game);
  EXPECT_NEAR(matches.agents[0].win_share + matches.agents[1].win_share, 1, 1e-9);
  // More games bring out more of the difference, and five times the points.
  EXPECT_GT(matches.agents[0].win_share, games.agents[0].win_share);
  EXPECT_GT(matches.agents[0].equity, 2 * games.agents[0].equity);
  const auto twins = Play("bradspel", {"greedy,eps=0", "greedy,eps=0"}, {.games = 60, .match = 3});
  EXPECT_GT(twins.agents[0].ci95.high, 0.5);
  EXPECT_LT(twins.agents[0].ci95.low, 0.5);
  for (const int threads : {1, 3}) {
    const auto again =
        Play("bradspel", {"greedy", "random"}, {.games = 200, .threads = threads, .match = 5});
    EXPECT_EQ(again.agents[0].win_share, matches.agents[0].win_share);
    EXPECT_EQ(again.agents[0].equity, matches.agents[0].equity);
  }
}

TEST(Arena, CountsSharedWins) {
  // Nobody gets home in one turn.
  const auto result = Play("race:short:2x4:cap=1", {"random", "random"}, {.games = 20});
  EXPECT_EQ(result.shared_win_rate, 1);
  EXPECT_EQ(result.agents[0].win_share, 0.5);
}

TEST(Arena, RefusesWhatCannotBePlayed) {
  const auto game = *ParseGame("race:short:2x2");
  const auto random = *ParseAgentSpec("random");
  const auto missing = *ParseAgentSpec("net=/no/such.net");
  EXPECT_THAT(RunArena(game, std::vector{random, random, random}, {}).error().message,
              HasSubstr("3 agents for 2 seats"));
  EXPECT_THAT(RunArena(game, std::vector{random, missing}, {}).error().message,
              HasSubstr("/no/such.net"));
  ArenaOptions options;
  options.match = 3;
  EXPECT_THAT(RunArena(game, std::vector{random}, options).error().message,
              HasSubstr("in bradspel only, not in race:short:2x2"));
  options.match = 4;
  EXPECT_THAT(RunArena(*ParseGame("bradspel"), std::vector{random}, options).error().message,
              HasSubstr("odd number of games"));
  options.match = 1;
  options.sprt = SprtOptions{};
  EXPECT_THAT(RunArena(game, std::vector{random}, options).error().message,
              HasSubstr("needs two agents"));
}

// What the rules page gives for orientation, from a prototype that carried captives at random.
void ExpectGreedyBeatsRandom(int tokens, double share, const ArenaOptions& options) {
  const auto result = Play("race:short:2x" + std::to_string(tokens), {"greedy", "random"}, options);
  const auto& greedy = result.agents[0];
  const double tolerance = 0.02 + (greedy.ci95.high - greedy.ci95.low) / 2;
  EXPECT_NEAR(greedy.win_share, share, tolerance) << tokens;
  EXPECT_EQ(result.capped_rate, 0);
}

TEST(Arena, GreedyBeatsRandom) {
  ExpectGreedyBeatsRandom(4, 0.76, {.games = 2000});
  ExpectGreedyBeatsRandom(9, 0.90, {.games = 1000});
}

TEST(Arena, GreedyBeatsRandomSlow) {
  const std::map<int, double> shares = {{1, 0.50}, {2, 0.65}, {4, 0.76}, {6, 0.84}, {9, 0.90}};
  for (const auto& [tokens, share] : shares) {
    ExpectGreedyBeatsRandom(tokens, share, {.games = 40000});
  }
}

TEST(Arena, EpsilonLeadsFromGreedyToRandom) {
  // eps=1 is a random player; more eps is weaker.
  const auto even = Play("race:short:2x4", {"greedy,eps=1", "random"}, {.games = 4000});
  EXPECT_LE(even.agents[0].ci95.low, 0.51);
  EXPECT_GE(even.agents[0].ci95.high, 0.49);
  const auto half = Play("race:short:2x9", {"greedy,eps=0.25", "greedy,eps=0.75"}, {.games = 1000});
  EXPECT_GT(half.agents[0].ci95.low, 0.5);
}

}  // namespace
}  // namespace berd
