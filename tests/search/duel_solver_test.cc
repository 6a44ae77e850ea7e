#include "search/solver/duel_solver.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/core/random.h"
#include "search/solver/duel_check.h"
#include "search/solver/duel_table.h"
#include "tests/search/duel_positions.h"
#include "tests/search/plain_duel.h"
#include "tests/search/temporary_table.h"

namespace berd {
namespace {

using DuelGame = Duel<false>;
using ::testing::HasSubstr;

// The table of some rules, solved once a process.
std::shared_ptr<const DuelTable> SolvedTable(const std::string& text) {
  static std::map<std::string, std::shared_ptr<const DuelTable>> tables;
  auto& table = tables[text];
  if (table == nullptr) {
    const TemporaryTable file;
    const auto solved = SolveDuel(DuelRulesFor(text), file.path(), {.threads = 2});
    EXPECT_TRUE(solved) << solved.error().message;
    table = *DuelTable::Open(file.path());  // the mapping outlives the file
  }
  return table;
}

// Against plain minimax over all states the engine reaches, with the default cap of 300 plies.
void ExpectPlainValues(const std::string& text) {
  const DuelRules rules = DuelRulesFor(text);
  const auto table = SolvedTable(text);
  std::vector<int> margins;
  const PlainDuel plain(
      rules, [&](const DuelGame::State& state) { margins.push_back(table->Margin(rules, state)); });
  const auto horizon = plain.Solve(300);
  ASSERT_EQ(margins.size(), plain.size());
  std::size_t wrong = 0;
  int settled = 0;
  for (std::size_t node = 0; node < plain.size(); ++node) {
    wrong += margins[node] != horizon.margins[node] ? 1 : 0;
    settled = std::max(settled, int{horizon.settled[node]});
  }
  EXPECT_EQ(wrong, 0u) << "of " << plain.size();
  const auto counts = CheckDuelTable(*table, 2);
  ASSERT_TRUE(counts) << counts.error().message;
  EXPECT_LE(settled, LongestForcedPlay(*counts));
  testing::Test::RecordProperty("states", static_cast<int>(plain.size()));
  testing::Test::RecordProperty("settled", settled);
}

TEST(DuelSolver, AgreesWithPlainMinimaxForOneToken) {
  ExpectPlainValues("duel:3x3:1");
  ExpectPlainValues("duel:4x4:1:color");
}
TEST(DuelSolver, AgreesWithPlainMinimaxForTwoTokens) {
  ExpectPlainValues("duel:3x3:2");
  ExpectPlainValues("duel:3x3:2:color");
}
TEST(DuelSolver, SlowAgreesWithPlainMinimaxForThreeTokens) { ExpectPlainValues("duel:3x3:3"); }

// Against minimax along whole histories with the rule of the third occurrence, from `samples`
// positions of random games, each as a game set up from it. Positions that need more than `budget`
// are left out; returns the share of those that were decided.
double ExpectRealValues(const std::string& text, int samples, long budget) {
  const DuelRules rules = DuelRulesFor(text);
  const auto table = SolvedTable(text);
  const PlainDuel plain(rules, [](const DuelGame::State&) {});
  const auto hint = plain.Solve(300);
  RealDuel real(rules, plain, hint);
  int asked = 0;
  int decided = 0;
  for (int sample = 0; sample < samples; ++sample) {
    RandomStream random(7, static_cast<std::uint64_t>(sample), Purpose::kTest, 0);
    auto state = DuelGame::initial(rules);
    const auto steps = 2 * rules.width - 2 + static_cast<int>(random.Below(12));
    for (int step = 0; step < steps && state.phase != DuelPhase::kEnd; ++step) {
      DuelGame::apply(rules, state, DuelGame::sample_legal(rules, state, random));
    }
    if (state.phase != DuelPhase::kMove) continue;
    // As if set up from the string: no history, the position counted once.
    state = *DuelGame::parse(rules, DuelGame::position(rules, state));
    const int margin = table->Margin(rules, state);
    const auto not_less = real.AtLeast(state, margin, budget);
    const auto more = real.AtLeast(state, margin + 1, budget);
    EXPECT_TRUE(not_less.value_or(true)) << DuelGame::position(rules, state);
    EXPECT_FALSE(more.value_or(false)) << DuelGame::position(rules, state);
    ++asked;
    decided += not_less && more ? 1 : 0;
  }
  EXPECT_GT(asked, samples / 4);
  return static_cast<double>(decided) / asked;
}

TEST(DuelSolver, AgreesWithTheRuleOfTheThirdOccurrence) {
  EXPECT_GT(ExpectRealValues("duel:3x3:1", 100, 20000), 0.99);
  EXPECT_GT(ExpectRealValues("duel:3x3:2", 300, 20000), 0.5);
}

TEST(DuelSolver, SlowAgreesWithTheRuleOfTheThirdOccurrence) {
  EXPECT_GT(ExpectRealValues("duel:3x3:3", 100, 100000), 0.5);
}

TEST(DuelSolver, LongerGamesAreKnownFromTheTable) {
  const DuelRules rules = DuelRulesFor("duel:3x3:2");
  const auto table = SolvedTable("duel:3x3:2");
  EXPECT_EQ(EvaluateDuelSetups(*table, rules).game, 0);
  const auto at = [&](const std::string& position) {
    return table->Margin(rules, *DuelGame::parse(rules, position));
  };
  // A finishes one token more, or has won already.
  EXPECT_EQ(at("n=9 board=a1:B2 col=A2;- lat=0,1 turn=- phase=end"), 2);
  EXPECT_EQ(at("n=8 board=a1:B2,b3:A1 col=A1;- lat=2,1 turn=A phase=move"), 2);
  // The two stacks may capture each other round and round.
  EXPECT_EQ(at("n=21 board=b1:A1,a2:B1,b2:A1/B1 col=-;- lat=0,1 turn=B phase=move"),
            at("n=24 board=b1:A1,a2:B1,b2:A1/B1 col=-;- lat=0,1 turn=B phase=move"));
}

// A table for more tokens knows the smaller duels.
TEST(DuelTable, KnowsFewerTokens) {
  const DuelRules rules = DuelRulesFor("duel:3x3:1");
  const auto large = SolvedTable("duel:3x3:2");
  const auto small = SolvedTable("duel:3x3:1");
  ASSERT_TRUE(large->Fits(rules));
  EXPECT_FALSE(small->Fits(DuelRulesFor("duel:3x3:2")));
  EXPECT_FALSE(large->Fits(DuelRulesFor("duel:3x3:2:color")));
  EXPECT_FALSE(large->Fits(DuelRulesFor("duel:3x3:1:points")));
  EXPECT_EQ(EvaluateDuelSetups(*large, rules).margins, EvaluateDuelSetups(*small, rules).margins);
}

TEST(DuelSolver, GoesOnAfterAStop) {
  const DuelRules rules = DuelRulesFor("duel:3x3:2");
  const TemporaryTable file;
  const std::string& path = file.path();
  int rounds = 0;
  const auto stopped =
      SolveDuel(rules, path, {.threads = 1, .stop = [&] { return ++rounds > 20; }});
  ASSERT_TRUE(stopped);
  EXPECT_TRUE(stopped->stopped);
  EXPECT_FALSE(std::filesystem::exists(path));
  // A layer that was being written when the process was killed.
  std::ofstream(path + ".part", std::ios::app | std::ios::binary) << "half a layer";
  const auto resumed = SolveDuel(rules, path, {.threads = 1});
  ASSERT_TRUE(resumed) << resumed.error().message;
  EXPECT_FALSE(resumed->stopped);
  EXPECT_GT(resumed->layers_found, 0);
  const auto table = DuelTable::Open(path);
  ASSERT_TRUE(table) << table.error().message;
  EXPECT_TRUE(CheckDuelTable(**table, 1));
  EXPECT_FALSE(std::filesystem::exists(path + ".part"));
}

TEST(DuelSolver, RefusesWhatItCannotSolve) {
  const TemporaryTable file;
  const auto complaint = [](const std::string& text, const std::string& path) {
    const auto solved = SolveDuel(DuelRulesFor(text), path, {.threads = 1});
    return solved ? std::string("fine") : solved.error().message;
  };
  EXPECT_THAT(complaint("duel:3x3:2:points", file.path()), HasSubstr("without values"));
  EXPECT_THAT(complaint("duel:4x4:8", file.path()), HasSubstr("memory"));
  EXPECT_THAT(complaint("duel:3x3:1", "/nowhere/x"), HasSubstr("/nowhere/x.part: cannot open"));
}

TEST(DuelTable, NoticesDamage) {
  const TemporaryTable temporary;
  const std::string& path = temporary.path();
  ASSERT_TRUE(SolveDuel(DuelRulesFor("duel:3x3:1"), path, {.threads = 1}));
  std::ifstream file(path, std::ios::binary);
  const std::string whole((std::istreambuf_iterator<char>(file)), {});
  const auto complaint = [&](const std::string& bytes) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
    const auto table = DuelTable::Open(path);
    return table ? std::string("fine") : table.error().message;
  };
  EXPECT_EQ(complaint(whole), "fine");
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string bytes = whole;
    bytes[at] = static_cast<char>(bytes[at] ^ 4);
    EXPECT_NE(complaint(bytes), "fine") << at;
  }
  for (const std::size_t size : {std::size_t{0}, std::size_t{100}, kDuelTableHeaderBytes,
                                 kDuelTableHeaderBytes + 70, whole.size() - 1}) {
    EXPECT_NE(complaint(whole.substr(0, size)), "fine") << size;
  }
  EXPECT_THAT(complaint(whole + "x"), HasSubstr("bytes after the end"));
  std::filesystem::remove(path);
  EXPECT_THAT(DuelTable::Open(path).error().message, HasSubstr("cannot open"));
}

// The check finds a wrong number, whatever the checksums say.
TEST(DuelCheck, FindsWrongNumbers) {
  const auto table = SolvedTable("duel:3x3:1");
  std::vector<DuelScores> scores(table->index().boards({1, 1}));
  const auto& layer = table->layer({1, 1});
  for (std::uint32_t board = 0; board < scores.size(); ++board) {
    for (std::size_t i = 0; i < kDuelCounters; ++i) {
      scores[board][i] = static_cast<std::int16_t>(
          duel_score::Score(layer.Margin(board, i), layer.Distance(board, i)));
    }
  }
  const auto check = [&] {
    const TemporaryTable file;
    std::ofstream(file.path(), std::ios::binary)
        << DuelTableHeader(table->rules()) << *EncodeDuelLayer({1, 1}, scores);
    return CheckDuelTable(**DuelTable::Open(file.path()), 1);
  };
  ASSERT_TRUE(check());
  for (const std::uint32_t board : {0u, 17u, 89u}) {
    auto& score = scores[board][3];
    const auto right = score;
    score = static_cast<std::int16_t>(duel_score::Score(right > 0 ? -1 : 1, 4));
    const auto checked = check();
    ASSERT_FALSE(checked);
    EXPECT_THAT(checked.error().message, HasSubstr("of layer 1+1 do not follow"));
    score = right;
  }
}

TEST(DuelScore, HoldsMarginAndDistance) {
  for (int margin = -16; margin <= 16; ++margin) {
    for (const int distance : {0, 1, 100, 255}) {
      if (margin == 0 && distance != 0) continue;
      const int score = duel_score::Score(margin, distance);
      EXPECT_EQ(duel_score::Margin(score), margin);
      EXPECT_EQ(duel_score::Distance(score), distance);
      EXPECT_EQ(duel_score::Before(score),
                margin == 0 ? 0 : duel_score::Score(margin, distance + 1));
    }
  }
  // A margin that comes sooner is better for the one who gains it.
  EXPECT_GT(duel_score::Score(1, 3), duel_score::Score(1, 5));
  EXPECT_LT(duel_score::Score(-1, 3), duel_score::Score(-1, 5));
}

}  // namespace
}  // namespace berd
