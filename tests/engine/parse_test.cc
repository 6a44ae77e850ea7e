// Positions that contradict the rules page are refused with the reason.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "engine/games.h"

namespace berd {
namespace {

struct Refused {
  const char* rules;
  const char* position;
  const char* reason;
};

TEST(Parse, RefusesWithTheReason) {
  const Refused kTable[] = {
      // Fields.
      {"race:short:2x2", "", "field 'n=' expected"},
      {"race:short:2x2", "n=0", "field 'home=' expected at the end"},
      {"race:short:2x2", "n=0 home=0,2 board=0:A2,16:B2 col=-;- turn=A phase=roll x=1",
       "text after the last field: 'x=1'"},
      {"race:short:2x2", "n=0 home=0,2  board=0:A2,16:B2 col=-;- turn=A phase=roll",
       "field 'board=' expected, not ''"},
      {"race:short:2x2", "n=01 home=0,2 board=0:A2,16:B2 col=-;- turn=A phase=roll",
       "n='01' is not a number from 0 to 2000 (the cap)"},
      {"race:short:2x2:cap=5", "n=6 home=0,2 board=0:A2,16:B2 col=-;- turn=A phase=roll",
       "not a number from 0 to 5"},
      {"race:short:2x2:cap=5", "n=5 home=0,2 board=0:A2,16:B2 col=-;- turn=A phase=roll",
       "the cap is reached, so the phase must be end"},
      {"race:short:2x2", "n=0 home=0 board=0:A2,16:B2 col=-;- turn=A phase=roll",
       "must have 2 corners"},
      {"race:short:2x2", "n=0 home=0,1 board=0:A2,16:B2 col=-;- turn=A phase=roll",
       "home of B is 2 with setup=fixed, not 1"},
      {"race:short:2x2", "n=0 home=0,2 board=0:A2,16:B2 col=- turn=A phase=roll",
       "must have 2 groups"},
      {"race:short:2x2", "n=0 home=0,2 board=0:A2,16:B2 col=-;- turn=C phase=roll",
       "player 'C' is not a letter from A to B"},
      {"race:short:2x2", "n=0 home=0,2 board=0:A2,16:B2 col=-;- turn=A phase=rolls",
       "unknown phase 'rolls'"},
      // Tokens.
      {"race:short:2x2", "n=0 home=0,2 board=0:A1,16:B2 col=-;- turn=A phase=roll",
       "player A has 1 tokens on the board and in collections, not 2"},
      {"race:short:2x2", "n=0 home=0,2 board=0:A2,16:B2 col=A1;- turn=A phase=roll",
       "player A has 3 tokens"},
      {"race:short:2x2", "n=0 home=0,2 board=0:A3,16:B2 col=-;- turn=A phase=roll",
       "number of tokens from 1 to 2 expected"},
      {"race:short:2x2", "n=0 home=0,2 board=0:A02,16:B2 col=-;- turn=A phase=roll",
       "number of tokens from 1 to 2 expected"},
      {"race:short:2x2", "n=0 home=0,2 board=32:A2,16:B2 col=-;- turn=A phase=roll",
       "square '32' is not a number from 0 to 31"},
      {"race:short:2x2", "n=0 home=0,2 board=16:B2,1:A2 col=-;- turn=A phase=roll",
       "is not written canonically; right is 'n=0 home=0,2 board=1:A2,16:B2"},
      {"race:short:2x2", "n=0 home=0,2 board=0:-/A2,16:B2 col=-;- turn=A phase=roll",
       "a stack needs an active token"},
      {"race:short:2x2", "n=0 home=0,2 board=1:A1B2,3:A1 col=-;- turn=A phase=roll",
       "active tokens of two sides"},
      {"race:short:2x2", "n=0 home=0,2 board=1:A1/A1,16:B2 col=-;- turn=A phase=roll",
       "a captive of the holder's own side"},
      {"race:short:2x2", "n=0 home=0,2 board=1:A1|B1,16:A1|B1 col=-;- turn=A phase=roll",
       "two stacks on square 1"},
      {"race:short:4x2:team=2",
       "n=0 home=0,1,2,3 board=8:A1C2,16:B2,17:A1,24:D2 col=-;-;-;- turn=A phase=roll",
       "on a corner every player has a stack of its own"},
      {"race:short:2x2:points",
       "n=0 home=0,2 board=0:A{10.10},16:B{10.20} col=-;- turn=A phase=roll", "values must ascend"},
      {"race:short:2x2:points",
       "n=0 home=0,2 board=0:A{10},1:A{10},16:B{10.20} col=-;- turn=A phase=roll",
       "a token is in two places"},
      {"race:short:2x2:points",
       "n=0 home=0,2 board=0:A{10.30},16:B{10.20} col=-;- turn=A phase=roll",
       "value '30' is not a multiple of 10 from 10 to 20"},
      {"race:short:2x2:hidden",
       "n=0 home=0,2 board=0:A{10.?},16:B{10.20} col=-;- turn=A phase=roll", "value '?'"},
      // Phases.
      {"race:short:2x2", "n=0 home=0,2 board=0:A2 col=B2;- turn=A phase=roll",
       "the game is over, so the phase must be end"},
      {"race:short:2x2", "n=0 home=0,2 board=0:A2,16:B2 col=-;- turn=- phase=end",
       "two sides are still active and the cap is not reached"},
      {"race:short:3x1", "n=0 home=0,1,2 board=0:A1,16:C1/B1 col=-;-;- turn=B phase=roll",
       "turn player B is not active"},
      {"race:short:2x2", "n=0 home=0,2 board=0:A2,16:B2 col=-;- turn=A phase=move:35",
       "the larger first"},
      {"race:short:2x2", "n=0 home=0,2 board=0:A2,16:B2 col=-;- turn=A phase=move:55555",
       "one to four equal faces"},
      {"race:short:2x2", "n=0 home=0,2 board=0:A2,16:B2 col=-;- turn=A phase=move:-",
       "are not one to four equal faces"},
      {"race:short:2x2", "n=0 home=0,2 board=1:A2,3:B2 col=-;- turn=A phase=move:2",
       "no sub-move is possible with these dice"},
      {"race:short:2x2",
       "n=0 home=0,2 board=1:A1/B1,16:A1,20:B1 col=-;- turn=A phase=carry:3:1/2:-",
       "nothing is left to ask"},
      {"race:short:2x3",
       "n=0 home=0,2 board=1:A2/B2,16:A1,20:B1 col=-;- turn=A phase=carry:3:1/2:0",
       "nothing is left to ask"},
      {"race:short:2x3", "n=0 home=0,2 board=1:A2/B2,16:A1,20:B1 col=-;- turn=A phase=carry:3:1:-",
       "'1' is not a move"},
      {"race:short:2x2", "n=0 home=0,2 board=16:A1|B2 col=A1;- turn=A phase=pay:-:10:B",
       "the value is 0 in a game without values"},
      {"race:short:2x2", "n=0 home=0,2 board=16:A2|B2 col=-;- turn=A phase=pay:-:0:B",
       "the turn player has not finished a token"},
      {"race:short:2x2", "n=0 home=0,2 board=16:A1|B2 col=A1;- turn=A phase=pay:-:0:A",
       "player A does not have to pay"},
      {"race:short:2x2", "n=0 home=0,2 board=16:A1|B2 col=A1;- turn=A phase=pay:53:0:B",
       "a die must have been used"},
      {"race:short:2x2", "n=0 home=0,2 board=16:A1|B2 col=A1;- turn=A phase=pay:5555:0:B",
       "a die must have been used"},
      {"race:short:4x2",
       "n=0 home=0,1,2,3 board=8:A1|B2,16:C2,24:D2 col=A1;-;-;- turn=A phase=pay:-:0:BD",
       "player C has to pay too"},
      {"race:short:4x2",
       "n=0 home=0,1,2,3 board=8:A1|B2,16:C2,24:D2 col=A1;-;-;- turn=A phase=pay:-:0:DC",
       "is not written canonically"},
      {"race:short:4x2:goal=10",
       "n=0 home=0,1,2,3 board=8:A{10}|B{10.20},16:C{10.20},24:D{10.20} col=A{20};-;-;- turn=A "
       "phase=pay:-:20:B",
       "nobody pays in a goal game"},
      {"race:short:2x2:points",
       "n=0 home=0,2 board=8:A{10},16:B{10.20} col=A{20};- turn=A phase=pay:-:10:B",
       "has not collected an own token of value 10"},
      // Trade.
      {"race:short:2x2:trade", "n=0 home=0,2 board=0:A2,16:B2 col=-;- cash=50,51 turn=A phase=roll",
       "must be 2 amounts that sum to 100"},
      {"race:short:2x2:trade", "n=0 home=0,2 board=0:A2,16:B2 col=-;- cash=50 turn=A phase=roll",
       "must be 2 amounts that sum to 100"},
      {"race:short:2x2:trade",
       "n=0 home=0,2 board=0:A2,16:B2 col=-;- cash=50,50 turn=A phase=trade:0",
       "no captive can be redeemed"},
      {"race:short:2x2:trade",
       "n=0 home=0,2 board=1:A2/B1,16:B1 col=-;- cash=50,50 turn=A phase=trade:3",
       "offers made '3' is out of range"},
      {"race:short:2x2:trade",
       "n=0 home=0,2 board=1:A2/B1,16:B1 col=-;- cash=50,50 turn=A phase=price:1:1/B>A",
       "is not legal here"},
      {"race:short:2x2", "n=0 home=0,2 board=1:A2/B1,16:B1 col=-;- turn=A phase=trade:0",
       "unknown phase 'trade:0'"},
      // Setup.
      {"race:short:2x2", "n=0 home=0,2 board=0:A2,16:B2 col=-;- turn=? phase=order:-",
       "exists only with setup=rolled"},
      {"race:short:3x1:setup=rolled", "n=0 home=?,?,? board=- col=-;-;- turn=? phase=order:AA",
       "a player is ranked twice"},
      {"race:short:3x1:setup=rolled", "n=0 home=?,?,? board=- col=-;-;- turn=? phase=order:AB",
       "all players are ranked already"},
      {"race:short:3x1:setup=rolled", "n=0 home=0,?,? board=0:A1 col=-;-;- turn=? phase=corner:BAC",
       "homes must be chosen in rank order"},
      {"race:short:3x1:setup=rolled", "n=0 home=0,?,? board=1:A1 col=-;-;- turn=? phase=corner:ABC",
       "all tokens of A stand on its home corner"},
      {"race:short:3x1:setup=rolled", "n=0 home=0,?,? board=- col=A1;-;- turn=? phase=corner:ABC",
       "all tokens of A stand on its home corner"},
      {"race:short:2x1:setup=rolled", "n=0 home=0,? board=0:A1 col=-;- turn=A phase=roll",
       "a player has no home yet"},
      {"race:n=1:5x1:setup=rolled",
       "n=0 home=0,0,0,0,0 board=0:A1|B1|C1|D1|E1 col=-;-;-;-;- turn=A phase=roll",
       "more than four homes at corner 0"},
      {"race:short:2x1:setup=rolled+cap=9",
       "n=0 home=0,? board=0:A1 col=-;- turn=A phase=corner:AB", "turn is ? while corner is open"},
      // The duel.
      {"duel:3x3:2", "n=0 board=a1:A2,a3:B2 col=-;- lat=0,4 turn=A phase=move",
       "must be two numbers from 0 to 3"},
      {"duel:3x3:2", "n=0 board=d1:A2,a3:B2 col=-;- lat=0,0 turn=A phase=move",
       "square 'd1' is not one from a1 to c3"},
      {"duel:3x3:2", "n=0 board=a1:A1,a3:B2 col=-;- lat=0,0 turn=A phase=move",
       "player A has 1 tokens on the board and in collections, not 2"},
      {"duel:3x3:2", "n=0 board=a1:A2,a3:B2,b1:A2 col=-;- lat=0,0 turn=A phase=move",
       "player A has more than 2 tokens"},
      {"duel:3x3:2", "n=0 board=a1:A2 col=B2;- lat=0,0 turn=A phase=move",
       "only one player is active, so the phase must be end"},
      {"duel:3x3:2", "n=300 board=a1:A2,a3:B2 col=-;- lat=0,0 turn=A phase=move",
       "the cap is reached, so the phase must be end"},
      {"duel:3x3:2", "n=7 board=a1:A2,a2:B2 col=-;- lat=3,0 turn=A phase=move",
       "player A has no legal move, so it is not on turn"},
      {"duel:3x3:2", "n=7 board=a1:A1B1,a2:B1,c1:A1 col=-;- lat=0,0 turn=A phase=move",
       "active tokens of two sides"},
      {"duel:3x3:2", "n=0 board=a2:A1 col=-;- lat=0,0 turn=A phase=place:1",
       "do not agree with this stage of placing"},
      {"duel:3x3:2", "n=0 board=b1:A1 col=-;- lat=0,0 turn=A phase=place:1",
       "do not agree with this stage of placing"},
      {"duel:3x3:2", "n=0 board=a1:A1 col=-;- lat=0,0 turn=B phase=place:0",
       "do not agree with this stage of placing"},
      {"duel:3x3:2", "n=0 board=- col=-;- lat=0,0 turn=A phase=place:2",
       "is not a number from 0 to 1"},
      {"duel:3x3:2:points", "n=0 board=a1:A{20} col=-;- lat=0,0 turn=A phase=place:1",
       "do not agree with this stage of placing"},
      {"duel:3x3:2", "n=1 board=- col=-;- lat=0,0 turn=A phase=place:0",
       "no moves have been made while placing"},
      {"duel:3x3:2", "n=4 board=a1:A2,a3:B2 col=-;- lat=0,0 turn=A phase=carry:a1-a2:-",
       "nothing is left to ask"},
  };
  for (const auto& [rules, position, reason] : kTable) {
    const auto game = ParseGame(rules);
    ASSERT_TRUE(game) << game.error().message;
    const auto parsed = ParsePosition(*game, position);
    ASSERT_FALSE(parsed) << rules << "\n" << position;
    EXPECT_THAT(parsed.error().message, ::testing::HasSubstr(reason)) << position;
    EXPECT_THAT(parsed.error().message, ::testing::StartsWith("position")) << position;
    EXPECT_EQ(parsed.error().message.find('\n'), std::string::npos) << position;
  }
}

// Unreachable, but nothing on the rules page speaks against them.
TEST(Parse, AcceptsConsistentPositionsThatNoGameReaches) {
  const std::pair<const char*, const char*> kTable[] = {
      {"race:short:2x2", "n=0 home=0,2 board=16:A2|B2 col=-;- turn=B phase=move:4444"},
      {"race:short:2x2", "n=0 home=0,2 board=- col=A1B1;A1B1 turn=- phase=end"},
      {"race:short:2x3", "n=0 home=0,2 board=8:A1/B2,16:A2|B1 col=-;- turn=A phase=move:66"},
      {"duel:4x4:8", "n=3 board=a1:A1/B7,b1:B1/A7 col=-;- lat=3,3 turn=A phase=move"},
  };
  for (const auto& [rules, position] : kTable) {
    const auto parsed = ParsePosition(*ParseGame(rules), position);
    ASSERT_TRUE(parsed) << parsed.error().message;
    EXPECT_EQ((*parsed)->Position(), position);
  }
}

}  // namespace
}  // namespace berd
