#include <gtest/gtest.h>

#include <initializer_list>

#include "engine/bradspel/match.h"

namespace berd {
namespace {

using enum BradspelEnding;

constexpr Seat kWhite(0);
constexpr Seat kBlack(1);

BradspelMatch Played(int games, std::initializer_list<BradspelOutcome> outcomes,
                     const BradspelRules& rules = {}) {
  BradspelMatch match(games, rules);
  for (const auto& outcome : outcomes) match.Add(outcome);
  return match;
}

TEST(BradspelMatch, AddsPoints) {
  const auto match = Played(5, {{kJan, false, kWhite},
                                {kUppspel, true, kBlack},
                                {kHemspel, false, kBlack},
                                {kSprangjan, false, kBlack}});
  EXPECT_EQ(match.points(kWhite), 4);
  EXPECT_EQ(match.points(kBlack), 3 + 1 + 6);
  EXPECT_EQ(match.played(), 4);
  EXPECT_FALSE(match.over());
  EXPECT_EQ(match.Leader(), kBlack);
  EXPECT_EQ(match.DecidingRank(), std::nullopt);
}

TEST(BradspelMatch, AllGamesArePlayed) {
  auto match = Played(3, {{kJan, false, kWhite}, {kJan, false, kWhite}});
  EXPECT_FALSE(match.over());
  match.Add({kHemspel, false, kBlack});
  EXPECT_TRUE(match.over());
  EXPECT_EQ(match.Leader(), kWhite);
}

TEST(BradspelMatch, TheLoserBeginsTheNextGame) {
  BradspelMatch match(5, {});
  EXPECT_EQ(match.starter(), std::nullopt);
  match.Add({kHemspel, false, kWhite});
  EXPECT_EQ(match.starter(), kBlack);
  match.Add({kHemspel, false, kBlack});
  EXPECT_EQ(match.starter(), kWhite);
  match.Add({kCap, false, kWhite});  // nobody lost
  EXPECT_EQ(match.starter(), std::nullopt);
}

TEST(BradspelMatch, BestWinBreaksATie) {
  // 4 : 2 + 1 + 1
  const auto match = Played(5, {{kHemspel, true, kWhite},
                                {kHemspel, false, kWhite},
                                {kJan, false, kBlack},
                                {kHemspel, false, kWhite},
                                {kCap, false, kWhite}});
  EXPECT_EQ(match.points(kWhite), match.points(kBlack));
  EXPECT_EQ(match.Leader(), kBlack);
  EXPECT_EQ(kBradspelRanks[static_cast<std::size_t>(match.DecidingRank().value())], "jan");
}

TEST(BradspelMatch, ThenTheSecondBestWin) {
  // Both a jan; 2 as a pattern beats 2 as a hemspel with munk.
  const auto match = Played(5, {{kHemspel, true, kWhite},
                                {kKronspel, false, kBlack},
                                {kJan, false, kBlack},
                                {kJan, false, kWhite},
                                {kCap, false, kWhite}});
  EXPECT_EQ(match.Leader(), kBlack);
  EXPECT_EQ(kBradspelRanks[static_cast<std::size_t>(match.DecidingRank().value())], "pattern");
}

TEST(BradspelMatch, ABlastRanksAboveAJanOfEqualPoints) {
  const BradspelRules rules{.sprangjan = 4};
  const auto match = Played(3, {{kJan, false, kWhite}, {kSprangjan, false, kBlack}}, rules);
  EXPECT_EQ(match.points(kBlack), 4);
  EXPECT_EQ(match.Leader(), kBlack);
}

TEST(BradspelMatch, PatternsAreOneRank) {
  const auto match = Played(
      3, {{kUppspel, false, kWhite}, {kDubbelkronspel, false, kBlack}, {kCap, false, kWhite}});
  EXPECT_TRUE(match.over());
  EXPECT_EQ(match.Leader(), std::nullopt);  // drawn
}

}  // namespace
}  // namespace berd
