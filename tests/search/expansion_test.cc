// The next ply below a state.

#include "search/expectiminimax/expansion.h"

#include <gtest/gtest.h>

#include <set>
#include <utility>
#include <vector>

#include "tests/search/search_positions.h"

namespace berd {
namespace {

template <Game G>
std::vector<std::uint64_t> KeysOf(std::span<const typename G::State> states) {
  std::vector<std::uint64_t> keys;
  for (const auto& state : states) keys.push_back(G::key(state));
  return keys;
}

// Parts of the outcomes are all outcomes together, and none twice.
TEST(Expansion, PartsMakeTheWhole) {
  using G = Race<Race2>;
  const auto rules = RulesOf<G>("race:short:2x3");
  Expansion<G> whole;
  Expansion<G> part;
  Choices<G> choices;
  int compared = 0;
  for (const auto& decision : LateDecisions<G>(rules, 10, 4)) {
    choices.Enumerate(rules, decision);
    const auto state = choices[0];
    if (G::waits(state) != Waits::kChance) continue;
    ASSERT_TRUE(whole.Expand(rules, state, {0, 0}, choices));
    std::multiset<std::pair<std::uint64_t, std::uint32_t>> expected;
    for (const auto& group : whole.groups()) {
      expected.emplace(G::key(whole.states()[group.first]), group.weight);
    }
    for (const std::size_t parts : {1u, 2u, 4u, 21u}) {
      std::multiset<std::pair<std::uint64_t, std::uint32_t>> found;
      for (std::size_t i = 0; i < parts; ++i) {
        ASSERT_TRUE(part.Expand(rules, state, {0, 0}, choices, {i, parts}));
        EXPECT_EQ(part.total_weight(), whole.total_weight());
        for (const auto& group : part.groups()) {
          found.emplace(G::key(part.states()[group.first]), group.weight);
        }
      }
      EXPECT_TRUE(found == expected) << parts;
      ++compared;
    }
    // More parts than outcomes: some are the same.
    ASSERT_TRUE(part.Expand(rules, state, {0, 0}, choices, {3, 50}));
    const auto keys = KeysOf<G>(part.states());
    ASSERT_TRUE(part.Expand(rules, state, {0, 0}, choices, {3 + whole.groups().size(), 50}));
    EXPECT_EQ(KeysOf<G>(part.states()), keys);
  }
  EXPECT_GE(compared, 20);
}

// Where values are hidden, what a seat thinks it can have is the same in states that look alike to
// it, and comes in the order of what it can have.
template <Game G>
void ExpectSight(const std::string& text) {
  SCOPED_TRACE(text);
  const auto rules = RulesOf<G>(text);
  Expansion<G> expansion;
  Choices<G> choices;
  RandomStream random(4, 0, Purpose::kTest, 0);
  int guessed_otherwise = 0;
  int alike = 0;
  for (const auto& state : LateDecisions<G>(rules, 40)) {
    const Seat actor = G::actor(state);
    ASSERT_TRUE(expansion.Expand(rules, state, {0, 0}, choices));
    const auto believed = KeysOf<G>(expansion.states());
    const auto real = KeysOf<G>(expansion.true_states());
    choices.Enumerate(rules, state);
    ASSERT_EQ(real.size(), choices.size());
    for (std::size_t i = 0; i < choices.size(); ++i) EXPECT_EQ(real[i], G::key(choices[i]));
    if (believed != real) ++guessed_otherwise;
    for (std::size_t i = 0; i < choices.size(); ++i) {
      // Nothing that everybody sees differs.
      const auto& a = expansion.states()[i];
      const auto& b = expansion.true_states()[i];
      ASSERT_EQ(G::waits(a), G::waits(b));
      ASSERT_EQ(G::turn(a), G::turn(b));
      ASSERT_EQ(G::turns(a), G::turns(b));
    }
    const auto other = G::sample_hidden(rules, G::observe(rules, state, actor), random);
    ASSERT_TRUE(expansion.Expand(rules, other, {0, 0}, choices));
    if (expansion.states().size() == believed.size() && G::key(other) != G::key(state)) {
      EXPECT_EQ(KeysOf<G>(expansion.states()), believed);
      ++alike;
    }
  }
  EXPECT_GT(guessed_otherwise, 5);
  EXPECT_GT(alike, 5);
}

TEST(Expansion, SeatsDecideByWhatTheySee) {
  ExpectSight<Race<Race4Valued>>("race:short:2x4:hidden");
  ExpectSight<Race<Race4Valued>>("race:short:3x3:hidden");
  ExpectSight<Duel<true>>("duel:3x3:4:hidden");
}

TEST(Expansion, WhereNothingIsHiddenBothListsAreOne) {
  using G = Race<Race4Valued>;
  const auto rules = RulesOf<G>("race:short:2x4:points");
  Expansion<G> expansion;
  Choices<G> choices;
  for (const auto& state : LateDecisions<G>(rules, 5)) {
    ASSERT_TRUE(expansion.Expand(rules, state, {0, 0}, choices));
    EXPECT_EQ(expansion.states().data(), expansion.true_states().data());
    EXPECT_EQ(expansion.states().size(), expansion.true_states().size());
  }
}

}  // namespace
}  // namespace berd
