#include "selfplay/self_play.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <cmath>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "nn/game_features.h"
#include "nn/net_evaluator.h"
#include "selfplay/td_game.h"

namespace berd {
namespace {

using ::testing::ElementsAreArray;
using ::testing::HasSubstr;

std::shared_ptr<const Network> SmallNetwork(const SelfPlay& self_play, std::uint64_t seed = 3) {
  NetworkShape shape = self_play.EmptyShape();
  shape.width = 8;
  return std::make_shared<const Network>(RandomNetwork(shape, seed));
}

std::unique_ptr<SelfPlay> Make(std::string_view rules) { return MakeSelfPlay(*ParseGame(rules)); }

// All examples of the window.
TrainingBatch Everything(const SelfPlay& self_play) {
  std::vector<std::uint32_t> all(self_play.examples());
  std::iota(all.begin(), all.end(), 0u);
  TrainingBatch batch;
  self_play.Fill(all, batch);
  return batch;
}

void ExpectSame(const TrainingBatch& a, const TrainingBatch& b) {
  EXPECT_EQ(a.examples, b.examples);
  EXPECT_EQ(a.seats, b.seats);
  EXPECT_EQ(a.side, b.side);
  EXPECT_EQ(a.row_begin, b.row_begin);
  EXPECT_EQ(a.feature, b.feature);
  EXPECT_EQ(a.weight, b.weight);  // bit by bit
  EXPECT_EQ(a.win, b.win);
  EXPECT_EQ(a.margin, b.margin);
  EXPECT_EQ(a.example_weight, b.example_weight);
}

struct Round {
  RoundStats stats;
  TrainingBatch batch;
};

constexpr std::int64_t kGames = 10;

Round PlayWithThreads(std::string_view rules, int threads, const SelfPlayOptions& options) {
  const auto self_play = Make(rules);
  Round round;
  tbb::task_arena arena(threads);
  arena.execute(
      [&] { round.stats = self_play->Play(SmallNetwork(*self_play), 7, kGames, options); });
  self_play->Commit(1);
  round.batch = Everything(*self_play);
  return round;
}

void ExpectTheSameForAnyNumberOfThreads(std::string_view rules, const SelfPlayOptions& options) {
  SCOPED_TRACE(std::string(rules));
  // More threads than the machine may have cores.
  const tbb::global_control allow(tbb::global_control::max_allowed_parallelism, 4);
  const Round one = PlayWithThreads(rules, 1, options);
  EXPECT_GT(one.batch.examples, kGames);
  EXPECT_EQ(one.stats.games, kGames);
  EXPECT_EQ(one.stats.examples, one.batch.examples);
  for (const int threads : {2, 4}) {
    const Round more = PlayWithThreads(rules, threads, options);
    ExpectSame(more.batch, one.batch);
    EXPECT_EQ(more.stats.decisions, one.stats.decisions);
    EXPECT_EQ(more.stats.turns, one.stats.turns);
    EXPECT_EQ(more.stats.capped, one.stats.capped);
  }
}

TEST(SelfPlay, IsTheSameForAnyNumberOfThreads) {
  for (const auto* rules :
       {"race:short:2x3", "race:short:4x2:team=2", "race:short:3x2:hidden", "duel:3x3:3"}) {
    ExpectTheSameForAnyNumberOfThreads(rules, {.seed = 9, .exploration = 0.1});
  }
}

TEST(SelfPlay, IsTheSameForAnyNumberOfThreadsWithExactDice) {
  ExpectTheSameForAnyNumberOfThreads("race:short:2x2", {.seed = 9, .exact_dice = true});
}

TEST(SelfPlay, DependsOnSeedGameAndNetwork) {
  const auto play = [](std::uint64_t seed, std::uint64_t first, std::uint64_t network) {
    const auto self_play = Make("race:short:2x3");
    self_play->Play(SmallNetwork(*self_play, network), first, 5, {.seed = seed});
    self_play->Commit(1);
    return Everything(*self_play).feature;
  };
  const auto base = play(1, 0, 3);
  EXPECT_EQ(play(1, 0, 3), base);
  EXPECT_NE(play(2, 0, 3), base);
  EXPECT_NE(play(1, 5, 3), base);
  EXPECT_NE(play(1, 0, 4), base);
}

TEST(SelfPlay, RoundsOfGamesJoinSeamlessly) {
  const auto whole = Make("race:short:2x3");
  whole->Play(SmallNetwork(*whole), 0, 8, {});
  whole->Commit(1);
  const auto parts = Make("race:short:2x3");
  parts->Play(SmallNetwork(*parts), 0, 3, {});
  parts->Commit(2);
  parts->Play(SmallNetwork(*parts), 3, 5, {});
  parts->Commit(2);
  ExpectSame(Everything(*parts), Everything(*whole));
}

TEST(SelfPlay, WindowKeepsTheNewestRounds) {
  const auto self_play = Make("race:short:2x2");
  const auto network = SmallNetwork(*self_play);
  EXPECT_EQ(self_play->examples(), 0u);
  EXPECT_EQ(self_play->newest(), 0u);
  std::vector<std::size_t> sizes;
  for (std::uint64_t round = 0; round < 5; ++round) {
    const std::size_t before = self_play->examples();
    const auto stats = self_play->Play(network, round * 4, 4, {});
    EXPECT_EQ(self_play->examples(), before) << "examples wait until Commit";
    self_play->Commit(3);
    sizes.push_back(static_cast<std::size_t>(stats.examples));
    EXPECT_EQ(self_play->newest(), sizes.back());
    std::size_t expected = 0;
    for (std::size_t i = sizes.size() > 3 ? sizes.size() - 3 : 0; i < sizes.size(); ++i) {
      expected += sizes[i];
    }
    EXPECT_EQ(self_play->examples(), expected);
  }
  // The newest round is at the end.
  const auto alone = Make("race:short:2x2");
  alone->Play(network, 16, 4, {});
  alone->Commit(1);
  std::vector<std::uint32_t> last(self_play->newest());
  std::iota(last.begin(), last.end(),
            static_cast<std::uint32_t>(self_play->examples() - self_play->newest()));
  TrainingBatch batch;
  self_play->Fill(last, batch);
  ExpectSame(batch, Everything(*alone));
}

TEST(SelfPlay, CommitWithoutPlayAddsNothing) {
  const auto self_play = Make("race:short:2x2");
  const auto network = SmallNetwork(*self_play);
  self_play->Play(network, 0, 4, {});
  self_play->Commit(1);
  self_play->Play(network, 4, 4, {});
  self_play->Commit(1);
  self_play->Commit(1);
  EXPECT_EQ(self_play->examples(), 0u);
  EXPECT_EQ(self_play->newest(), 0u);
}

TEST(SelfPlay, FillAgreesWithTheFeaturesOfItsStates) {
  for (const auto* rules : {"race:short:2x3", "race:short:3x2:points", "duel:3x3:3"}) {
    SCOPED_TRACE(rules);
    VisitGame(*ParseGame(rules), []<class G>(const typename G::Rules& game) {
      const auto self_play = MakeSelfPlay(AnyRules(GameWithRules<G>{game}));
      const auto network = SmallNetwork(*self_play);
      const SelfPlayOptions options{.seed = 2};
      self_play->Play(network, 11, 1, options);
      self_play->Commit(1);
      TdGame<G, NetEvaluator<G>> player{NetEvaluator<G>(network, game)};
      std::vector<TdExample<G>> examples;
      player.Play(game, 11, options, examples);
      ASSERT_EQ(self_play->examples(), examples.size());

      const std::vector<std::uint32_t> chosen = {3, 0, 3, 1};
      TrainingBatch batch;
      batch.examples = 99;  // whatever it held before
      batch.side = {4, 4};
      self_play->Fill(chosen, batch);
      EXPECT_EQ(batch.examples, 4);
      EXPECT_EQ(batch.seats, game.seats());
      const auto seats = static_cast<std::size_t>(game.seats());
      ASSERT_EQ(batch.row_begin.size(), chosen.size() * seats + 1);
      EXPECT_THAT(batch.example_weight, ElementsAreArray({1, 1, 1, 1}));
      for (std::size_t row = 0; row < chosen.size() * seats; ++row) {
        const auto& example = examples[chosen[row / seats]];
        const std::size_t seat = row % seats;
        EXPECT_EQ(batch.side[seat], G::side(game, Seat(static_cast<int>(seat))));
        EXPECT_EQ(batch.win[row], example.values[seat]);
        EXPECT_EQ(batch.margin[row], example.margin[seat]);
        auto at = static_cast<std::size_t>(batch.row_begin[row]);
        ForEachFeature<G>(game, example.state, Features<G>::Note(game, example.state),
                          static_cast<int>(seat), [&](Feature feature) {
                            EXPECT_EQ(batch.feature[at], feature.index);
                            EXPECT_EQ(batch.weight[at], feature.weight);
                            ++at;
                          });
        EXPECT_EQ(static_cast<std::int64_t>(at), batch.row_begin[row + 1]);
      }
    });
  }
}

std::unique_ptr<SelfPlay> WithThreeRounds(std::string_view rules) {
  auto self_play = Make(rules);
  for (std::uint64_t round = 0; round < 3; ++round) {
    self_play->Play(SmallNetwork(*self_play), 3 * round, 3, {});
    self_play->Commit(3);
  }
  return self_play;
}

TEST(SelfPlay, WindowSurvivesARoundTrip) {
  for (const auto* rules : {"race:short:2x2", "race:short:3x2:points", "duel:3x3:3"}) {
    SCOPED_TRACE(rules);
    const auto self_play = WithThreeRounds(rules);
    const std::string bytes = self_play->EncodeWindow();
    const auto copy = Make(rules);
    ASSERT_TRUE(copy->DecodeWindow(bytes));
    EXPECT_EQ(copy->newest(), self_play->newest());
    ExpectSame(Everything(*copy), Everything(*self_play));
    EXPECT_TRUE(copy->EncodeWindow() == bytes);
    // Both drop the same round next.
    for (const auto* one : {&copy, &self_play}) {
      (*one)->Play(SmallNetwork(**one), 9, 3, {});
      (*one)->Commit(3);
    }
    ExpectSame(Everything(*copy), Everything(*self_play));
  }
}

TEST(SelfPlay, AnEmptyWindowSurvivesARoundTrip) {
  const auto self_play = WithThreeRounds("race:short:2x2");
  ASSERT_TRUE(self_play->DecodeWindow(Make("race:short:2x2")->EncodeWindow()));
  EXPECT_EQ(self_play->examples(), 0u);
}

TEST(SelfPlay, RefusesBytesThatAreCutOff) {
  const auto self_play = WithThreeRounds("race:short:2x2");
  const std::string bytes = self_play->EncodeWindow();
  const auto other = WithThreeRounds("race:short:2x2");
  const TrainingBatch before = Everything(*other);
  int refused = 0;
  for (std::size_t size = 0; size < bytes.size(); size += size < 40 ? 1 : 61) {
    const auto ok = other->DecodeWindow(std::string_view(bytes).substr(0, size));
    if (ok) {  // exactly at the end of a round
      ASSERT_TRUE(other->DecodeWindow(bytes));
      continue;
    }
    ++refused;
    EXPECT_THAT(ok.error().message, HasSubstr("replay window: cut off"));
    ExpectSame(Everything(*other), before);
  }
  EXPECT_GT(refused, 20);
}

TEST(SelfPlay, RefusesExamplesOfAnotherGame) {
  const auto ok =
      Make("race:short:2x2")->DecodeWindow(WithThreeRounds("duel:3x3:3")->EncodeWindow());
  ASSERT_FALSE(ok);
  EXPECT_THAT(ok.error().message, HasSubstr("replay window: its examples have"));
}

TEST(SelfPlay, RefusesLengthsThatOverflow) {
  std::string bytes = Make("race:short:2x2")->EncodeWindow();
  bytes.append(8, '\xff');
  EXPECT_FALSE(Make("race:short:2x2")->DecodeWindow(bytes));
}

TEST(SelfPlay, NamesTheInputsOfItsGame) {
  EXPECT_EQ(Make("race:short:2x2")->EmptyShape().features, Features<Race<Race2>>::kName);
  EXPECT_EQ(Make("duel:3x3:3:points")->EmptyShape().inputs, Features<Duel<true>>::kInputs);
}

}  // namespace
}  // namespace berd
