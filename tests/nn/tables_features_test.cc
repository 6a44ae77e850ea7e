// What the sets of the tables games say, compared with the rules of the games.

#include "nn/tables_features.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "nn/backgammon_features.h"
#include "nn/bradspel_features.h"
#include "tests/engine/tables_positions.h"

namespace berd {
namespace {

template <Game G>
auto SetsOf(const typename G::Rules& rules, const typename G::State& state, int seat) {
  return Features<G>::Sets(rules, Features<G>::Note(rules, state), state, seat);
}

template <Game G>
std::map<std::uint32_t, float> AllFeatures(const typename G::Rules& rules,
                                           const typename G::State& state, int seat) {
  std::map<std::uint32_t, float> features;
  ForEachFeature<G>(rules, state, Features<G>::Note(rules, state), seat, [&](Feature feature) {
    // Sums that should be 0 may differ from it by rounding.
    if (std::abs(feature.weight) > 1e-5f) features[feature.index] = feature.weight;
  });
  return features;
}

// Sides that change places see the same.
template <Game G>
void ExpectSameAfterExchange(const std::string& text) {
  const auto rules = RulesOf<G>(text);
  VisitTables<G>(rules, 3, 600, [&](const auto& state) {
    if (state.phase == tables::Phase::kStart || state.phase == tables::Phase::kEnd) return;
    auto exchanged = state;
    std::swap(exchanged.men[0], exchanged.men[1]);
    exchanged.turn ^= 1;
    for (int seat = 0; seat < 2; ++seat) {
      const auto expected = AllFeatures<G>(rules, state, seat);
      const auto found = AllFeatures<G>(rules, exchanged, 1 - seat);
      ASSERT_EQ(found.size(), expected.size()) << G::position(rules, state);
      for (const auto& [index, weight] : expected) {
        ASSERT_TRUE(found.contains(index)) << index << " in " << G::position(rules, state);
        ASSERT_NEAR(found.at(index), weight, 1e-5) << index << " in " << G::position(rules, state);
      }
    }
  });
}

TEST(TablesFeatures, AreTheSameAfterAnExchangeOfSides) {
  ExpectSameAfterExchange<Backgammon>("backgammon");
  ExpectSameAfterExchange<Bradspel>("bradspel");
}

// How many of 36 throws allow a play that hits a blot.
template <Game G>
int RollsThatHit(const typename G::Rules& rules, typename G::State state) {
  int rolls = 0;
  const auto other = static_cast<std::size_t>(1 - state.turn);
  ActionList<typename G::Action> plays;
  for (std::size_t roll = 0; roll < kRolls; ++roll) {
    state.phase = tables::Phase::kPlay;
    state.roll = static_cast<std::uint8_t>(roll);
    G::legal(rules, state, plays);
    bool hits = false;
    for (const auto play : plays) {
      auto after = state;
      G::apply(rules, after, play);
      for (int point = 1; point <= tables::kPoints; ++point) {
        hits |= state.men[other][point] == 1 && after.men[other][point] == 0;
      }
    }
    if (hits) rolls += kAllRolls[roll].weight;
  }
  return rolls;
}

// The duty to play both dice, and blasts, are left out on purpose: hence "nearly".
template <Game G, class Track>
void ExpectShots(const std::string& text, int least_percent) {
  using F = Features<G>;
  const auto rules = RulesOf<G>(text);
  int compared = 0;
  int equal = 0;
  VisitTables<G>(rules, 4, 1500, [&](const auto& state) {
    if (state.phase != tables::Phase::kRoll) return;
    const auto facts = F::Note(rules, state);
    if (facts.race) return;
    const auto& shots = facts.front[state.turn].shots;
    const auto sets = SetsOf<G>(rules, state, state.turn);
    ASSERT_EQ(sets[F::kTarget], shots.once);
    ASSERT_EQ(sets[F::kTarget] & sets[F::kTargetFar], 0u);
    ASSERT_EQ(sets[F::kTargetTwice] & ~sets[F::kTarget], 0u);
    const auto of_other = SetsOf<G>(rules, state, 1 - state.turn);
    ASSERT_EQ(of_other[F::kThreatened], Track::Across(shots.once));
    ++compared;
    equal += shots.rolls == RollsThatHit<G>(rules, state);
  });
  EXPECT_GT(compared, 300);
  EXPECT_GE(100 * equal, least_percent * compared) << equal << " of " << compared;
}

TEST(TablesFeatures, ShotsAreNearlyThoseOfTheRules) {
  ExpectShots<Backgammon, BackgammonTrack>("backgammon", 85);
  ExpectShots<Bradspel, BradspelTrack>("bradspel", 70);
}

// A race is a position after which nobody can be hit.
template <Game G>
void ExpectRaces(const std::string& text) {
  const auto rules = RulesOf<G>(text);
  bool race = false;
  int races = 0;
  VisitTables<G>(rules, 5, 4000, [&](const auto& state) {
    if (state.turns == 0) race = false;
    if (race) {
      ASSERT_EQ(state.men[0][tables::kBar] + state.men[1][tables::kBar], 0);
      ++races;
    }
    race = state.phase != tables::Phase::kEnd && Features<G>::Note(rules, state).race;
  });
  EXPECT_GT(races, 10);
}

TEST(TablesFeatures, NobodyIsHitInARace) {
  ExpectRaces<Backgammon>("backgammon");
  ExpectRaces<Bradspel>("bradspel");
}

TEST(TablesFeatures, SeesAPrimeAndTheMenBehindIt) {
  const auto rules = RulesOf<Backgammon>("backgammon");
  const auto state =
      At<Backgammon>(rules,
                     "n=9 w=13:3,9:2,8:2,7:2,6:2,5:2,4:2/0/0 b=22:2,13:5,8:3,6:5/0/0 "
                     "turn=B phase=roll");
  using F = Features<Backgammon>;
  const auto white = SetsOf<Backgammon>(rules, state, 0);
  // B's 22 is W's 3; the six points 4 .. 9 begin right before it.
  EXPECT_EQ(white[F::kBlocking6], SetOf(4));
  EXPECT_EQ(white[F::kBlocking4], SetOf(4) | SetOf(5) | SetOf(6));
  EXPECT_EQ(white[F::kTrapping], SetOf(3));
  EXPECT_EQ(white[F::kEnemyEscapes], 0u);
  const auto black = SetsOf<Backgammon>(rules, state, 1);
  EXPECT_EQ(black[F::kBlocked6], SetOf(21));
  EXPECT_EQ(black[F::kTrapped], SetOf(22));
}

TEST(TablesFeatures, SeesJanAndPatternsComing) {
  const auto rules = RulesOf<Bradspel>("bradspel");
  using F = Features<Bradspel>;
  const auto plane = [](BradspelTrack::ExtraPlane extra) {
    return static_cast<std::size_t>(F::kTablesPlanes) + extra;
  };
  // Tongues 20 .. 24 are points 5 .. 1. W lacks one man of a kronspel.
  const auto state = At<Bradspel>(rules,
                                  "n=40 w=19:1,20:3,21:3,22:3,23:3,24:2/0/0 "
                                  "b=1:2,2:1,3:1,4:1,13:8/2/0 turn=W phase=roll");
  const auto white = SetsOf<Bradspel>(rules, state, 0);
  EXPECT_EQ(white[plane(BradspelTrack::kPatterns) + 3], SetOf(14));
  EXPECT_EQ(white[plane(BradspelTrack::kPatterns) + 0], SetOf(2));
  // B has two men on the bar and two free entry tongues: one more hit is a jan.
  EXPECT_EQ(white[plane(BradspelTrack::kEnemyJan)], SetOf(7 + 0 + 6));
  EXPECT_EQ(SetsOf<Bradspel>(rules, state, 1)[plane(BradspelTrack::kJan)], SetOf(13));
}

}  // namespace
}  // namespace berd
