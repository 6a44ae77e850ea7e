// The reference novice, rules page §11, on positions worked out by hand.

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "engine/games.h"

namespace berd {
namespace {

double Score(const std::string& rules, const std::string& position, const std::string& action) {
  return VisitGame(*ParseGame(rules), [&]<class G>(const typename G::Rules& parsed) {
    const auto state = G::parse(parsed, position);
    EXPECT_TRUE(state) << (state ? "" : state.error().message);
    if (!state) return -1e9;
    const auto found = G::parse_action(parsed, *state, action);
    EXPECT_TRUE(found) << (found ? "" : found.error().message);
    return found ? G::novice_score(parsed, *state, *found) : -1e9;
  });
}

TEST(Novice, SubMovesOfTheRace) {
  const std::string rules = "race:short:2x9";
  const std::string position =
      "n=4 home=0,2 board=0:A2,5:A1,8:A1,9:B1/A1,12:B1,13:A2,20:A1|B3,28:A1 col=-;B4 turn=A "
      "phase=move:4";
  const std::string fixed =
      "n=4 home=0,2 board=0:A2,5:A1,8:A1,9:B1/A1,12:B1,13:A2,16:B3,28:A1 col=A1;B4 turn=A "
      "phase=move:4";
  EXPECT_FALSE(VisitGame(*ParseGame(rules), [&]<class G>(const typename G::Rules& parsed) {
    return G::parse(parsed, position).has_value();  // 20 is no corner
  }));
  // From the home corner: L - 32 = 0 squares done; two tokens there, but a corner leaves no blot.
  EXPECT_NEAR(Score(rules, fixed, "m:0/4"), 0, 1e-9);
  // Takes B with one captive inside: 40 + 3·2; the only own token of a path square +3; 5 squares.
  EXPECT_NEAR(Score(rules, fixed, "m:5/4"), 46 + 3 + 0.1, 1e-9);
  // From a corner takes a single token.
  EXPECT_NEAR(Score(rules, fixed, "m:8/4"), 43 + 0.16, 1e-9);
  // Leaves one of two behind.
  EXPECT_NEAR(Score(rules, fixed, "m:13/4"), -6 + 0.26, 1e-9);
  // Finishes.
  EXPECT_NEAR(Score(rules, fixed, "m:28/4!"), 20 + 3 + 0.56, 1e-9);
}

TEST(Novice, MergesOnPathAndOnOwnCornerStackOnly) {
  const std::string rules = "race:short:4x2:team=2";
  const std::string position =
      "n=0 home=0,1,2,3 board=4:A1,6:A1,8:B2|C1,10:C1,24:D2 col=-;-;-;- turn=A phase=move:4";
  // Corner 8 has stacks of an enemy and of the partner only.
  EXPECT_NEAR(Score(rules, position, "m:4/4"), 3 + 0.08, 1e-9);
  // The partner's stack on a path square is of the own side.
  EXPECT_NEAR(Score(rules, position, "m:6/4"), 10 + 3 + 0.12, 1e-9);
}

TEST(Novice, GoalCountsOnlyItsValue) {
  const std::string rules = "race:short:2x3:goal=20";
  const std::string position =
      "n=0 home=0,2 board=28:A{10}/B{20},29:A{20},30:A{30},16:B{10.30} col=-;- turn=A "
      "phase=move:5";
  const std::string sorted =
      "n=0 home=0,2 board=16:B{10.30},28:A{10}/B{20},29:A{20},30:A{30} col=-;- turn=A "
      "phase=move:5";
  EXPECT_NEAR(Score(rules, sorted, "m:28/5@10!"), 20 + 3 + 0.56, 1e-9);  // the captive counts
  EXPECT_NEAR(Score(rules, sorted, "m:29/5@20!"), 20 + 3 + 0.58, 1e-9);
  EXPECT_NEAR(Score(rules, sorted, "m:30/5@30!"), -1 + 3 + 0.60, 1e-9);
  EXPECT_NEAR(Score(rules, sorted, "m:30/5@30"), 0 + 3 + 0.60, 1e-9);  // plays on
  EXPECT_FALSE(VisitGame(*ParseGame(rules), [&]<class G>(const typename G::Rules& parsed) {
    return G::parse(parsed, position).has_value();  // squares must ascend
  }));
}

TEST(Novice, Carries) {
  const std::string rules = "race:short:2x9";
  const auto carry = [&](const std::string& own, const std::string& count) {
    return Score(rules,
                 "n=0 home=0,2 board=1:" + own + "/B3,16:B6 col=" + (own == "A3" ? "A6" : "A7") +
                     ";- turn=A phase=carry:-:1/4:-",
                 "carry:" + count);
  };
  // Three own tokens: two stay, nothing is carried.
  EXPECT_GT(carry("A3", "0"), carry("A3", "1"));
  EXPECT_GT(carry("A3", "1"), carry("A3", "3"));
  // Two own tokens: one stays, everything is carried.
  EXPECT_LT(carry("A2", "0"), carry("A2", "1"));
  EXPECT_LT(carry("A2", "1"), carry("A2", "3"));
}

TEST(Novice, Payments) {
  const std::string rules = "race:short:2x9";
  const std::string position =
      "n=0 home=0,2 board=1:A3,10:B1,12:B2,16:B3,19:B1/A1,21:B1 col=A4;A1B1 turn=A "
      "phase=pay:-:0:B";
  EXPECT_NEAR(Score(rules, position, "pay:10/B"), 5 + 0.6, 1e-9);
  EXPECT_NEAR(Score(rules, position, "pay:12/B"), 5 + 0.4 - 3, 1e-9);
  EXPECT_NEAR(Score(rules, position, "pay:16/B"), 5 + 3.2, 1e-9);  // home: the whole way
  EXPECT_NEAR(Score(rules, position, "pay:19/A"), 4, 1e-9);
  EXPECT_NEAR(Score(rules, position, "pay:21/B"), 5 + 2.7, 1e-9);
  EXPECT_NEAR(Score(rules, position, "pay:col/A"), 0, 1e-9);
  EXPECT_NEAR(Score(rules, position, "pay:col/B"), 0, 1e-9);
}

TEST(Novice, PaymentsWithValuesAndCash) {
  const std::string rules = "race:short:2x3:points+trade";
  const std::string position =
      "n=0 home=0,2 board=1:A{20},14:B{10.30},16:B{20}/A{30} col=A{10};- cash=200,200 turn=A "
      "phase=pay:-:10:B";
  EXPECT_NEAR(Score(rules, position, "pay:14/B30"), 5 + 0.2 - 3 - 0.3, 1e-9);
  EXPECT_NEAR(Score(rules, position, "pay:14/B10"), 5 + 0.2 - 3 - 0.1, 1e-9);
  EXPECT_NEAR(Score(rules, position, "pay:16/A30"), 4 - 0.3, 1e-9);
  EXPECT_NEAR(Score(rules, position, "pay:cash"), 3, 1e-9);
}

TEST(Novice, OffersNothingAndAcceptsFairPrices) {
  const std::string plain = "race:short:2x3:trade";
  const std::string board = "n=0 home=0,2 board=1:A2,5:B3/A1 col=-;- cash=50,50 turn=A phase=";
  EXPECT_GT(Score(plain, board + "trade:0", "offer:none"),
            Score(plain, board + "trade:0", "offer:5/A>B"));
  const auto accepts = [](const std::string& rules, const std::string& position) {
    return Score(rules, position, "accept") > Score(rules, position, "decline");
  };
  EXPECT_TRUE(accepts(plain, board + "answer:1:5/A>B:10"));
  EXPECT_TRUE(accepts(plain, board + "answer:3:5/A>B:50"));
  EXPECT_FALSE(accepts(plain, board + "answer:1:5/A>B:5"));
  EXPECT_FALSE(accepts(plain, board + "answer:1:5/A>B:0"));
  const std::string token =
      "n=0 home=0,2 board=1:A1,5:B2/A1 col=A1B1;- cash=50,50 turn=A phase=answer:1:5/A>B:";
  EXPECT_TRUE(accepts(plain, token + "col/B"));
  EXPECT_TRUE(accepts(plain, token + "col/A"));
  const std::string valued = "race:short:2x3:points+trade";
  const std::string points =
      "n=0 home=0,2 board=1:A{10.30},5:B{10.20.30}/A{20} col=-;- cash=200,200 turn=A "
      "phase=answer:1:5/A20>B:";
  EXPECT_TRUE(accepts(valued, points + "20"));
  EXPECT_FALSE(accepts(valued, points + "10"));
}

TEST(Novice, Duel) {
  const std::string rules = "duel:3x3:5";
  const std::string position =
      "n=6 board=a1:A2,c1:A1,a2:B1/A1,b2:B1,b3:B3,c3:A1 col=-;- lat=1,0 turn=A phase=move";
  EXPECT_NEAR(Score(rules, position, "m:a1-a2"), 40 + 6 - 6 + 0.5, 1e-9);
  EXPECT_NEAR(Score(rules, position, "m:a1-b1"), -6, 1e-9);
  EXPECT_NEAR(Score(rules, position, "m:c1-b1"), 3, 1e-9);
  EXPECT_NEAR(Score(rules, position, "m:c1-c2"), 3 + 0.5, 1e-9);
  EXPECT_NEAR(Score(rules, position, "m:c3-off"), 20 + 3 + 0.5, 1e-9);
  const std::string merge = "n=6 board=a1:A2,b1:A3,b2:B2,b3:B3 col=-;- lat=1,0 turn=A phase=move";
  EXPECT_NEAR(Score(rules, merge, "m:a1-b1"), 10 - 6, 1e-9);
  EXPECT_NEAR(Score(rules, merge, "m:b1-a1"), 10, 1e-9);
}

}  // namespace
}  // namespace berd
