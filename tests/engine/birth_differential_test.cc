// The plain implementation of Birth against the conformance vectors, and the engine against both,
// in lockstep: positions, legal actions, chance, scores and win shares after every small step.

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "engine/birth/birth.h"
#include "engine/core/find_action.h"
#include "tests/engine/birth_positions.h"
#include "tests/engine/plain_birth.h"
#include "tests/engine/vector_lines.h"

namespace berd {
namespace {

std::vector<std::string> Names(const BirthRules& rules, const BirthState& state) {
  std::vector<std::string> names;
  for (const auto& entry : NamedActions<Birth>(rules, state)) names.push_back(entry.first);
  return names;
}

std::vector<long> Scores(const BirthRules& rules, const BirthState& state) {
  std::vector<std::int64_t> scores(static_cast<std::size_t>(rules.seats()));
  Birth::scores(rules, state, scores);
  return {scores.begin(), scores.end()};
}

std::vector<std::string> WinShares(const BirthRules& rules, const BirthState& state) {
  std::vector<WinShare> shares(static_cast<std::size_t>(rules.seats()));
  Birth::win_shares(rules, state, shares);
  std::vector<std::string> texts;
  for (const auto share : shares) {
    texts.push_back(std::to_string(share.numerator) +
                    (share.denominator == 1 ? "" : "/" + std::to_string(share.denominator)));
  }
  return texts;
}

// --- Vectors -------------------------------------------------------------------------------------

TEST(PlainBirth, PassesTheConformanceVectors) {
  int games = 0;
  for (const VectorLine& line : ReadVectors("birth")) {
    plain_birth::Game game(plain_birth::RulesOf(line.rules));
    for (const VectorStep& step : line.steps) {
      ASSERT_EQ(game.Position(), step.position) << line.rules;
      ASSERT_EQ(game.Legal(), step.legal) << line.rules << "\n" << step.position;
      game.Apply(step.action);
    }
    ASSERT_TRUE(game.IsEnd());
    ASSERT_EQ(game.Position(), line.end) << line.rules;
    ASSERT_EQ(game.Scores(), line.scores) << line.end;
    ASSERT_EQ(game.WinShares(), line.win_shares) << line.end;
    ++games;
  }
  EXPECT_GE(games, 21);
}

TEST(Birth, PassesTheConformanceVectors) {
  int games = 0;
  for (const VectorLine& line : ReadVectors("birth")) {
    const auto rules = ParseBirthRules(line.rules);
    ASSERT_TRUE(rules) << rules.error().message;
    ASSERT_EQ(rules->ToString(), line.rules);
    auto state = Birth::initial(*rules);
    for (const VectorStep& step : line.steps) {
      ASSERT_EQ(Birth::position(*rules, state), step.position) << line.rules;
      const auto parsed = Birth::parse(*rules, step.position);
      ASSERT_TRUE(parsed) << parsed.error().message;
      ASSERT_EQ(*parsed, state) << step.position;
      auto legal = Names(*rules, state);
      if (legal.size() > 36) legal.clear();
      ASSERT_EQ(legal, step.legal) << line.rules << "\n" << step.position;
      const auto action = Birth::parse_action(*rules, state, step.action);
      ASSERT_TRUE(action) << action.error().message;
      ASSERT_EQ(Birth::action_name(*rules, state, *action), step.action);
      Birth::apply(*rules, state, *action);
    }
    ASSERT_EQ(Birth::waits(state), Waits::kEnd);
    ASSERT_EQ(Birth::position(*rules, state), line.end) << line.rules;
    ASSERT_EQ(*Birth::parse(*rules, line.end), state);
    ASSERT_EQ(Scores(*rules, state), line.scores) << line.end;
    ASSERT_EQ(WinShares(*rules, state), line.win_shares) << line.end;
    ++games;
  }
  EXPECT_GE(games, 21);
}

// --- Random games --------------------------------------------------------------------------------

// Counts of what happened, to prove that the test has seen it.
using Events = std::map<std::string, long>;

plain_birth::Rules PlainRules(const BirthRules& rules) {
  const std::string text = rules.ToString();
  auto plain = plain_birth::RulesOf(text);
  if (!rules.custom) return plain;
  plain.sections.assign(rules.layout.sections.begin(), rules.layout.sections.end());
  plain.circle.assign(rules.layout.circle.begin(), rules.layout.circle.end());
  return plain;
}

void CompareChance(const BirthRules& rules, const BirthState& state,
                   const plain_birth::Game& game) {
  const int dice = Birth::DiceToThrow(state);
  ASSERT_EQ(dice, game.DiceToThrow());
  ActionList<Outcome<Birth::Action>> outcomes;
  ASSERT_EQ(Birth::chance(rules, state, outcomes), dice <= 5);
  if (dice > 3) return;  // more sequences of faces than a game has time for
  std::map<std::string, long> weights;
  for (const auto& outcome : outcomes) {
    weights[Birth::action_name(rules, state, outcome.action)] = outcome.weight;
  }
  ASSERT_EQ(weights, game.CountOutcomes());
}

// Everything the two say about the present position.
void Compare(const BirthRules& rules, const BirthState& state, const plain_birth::Game& game) {
  const std::string position = game.Position();
  ASSERT_EQ(Birth::position(rules, state), position);
  ASSERT_EQ(Birth::waits(state), game.IsEnd()      ? Waits::kEnd
                                 : game.IsChance() ? Waits::kChance
                                                   : Waits::kDecision);
  ASSERT_EQ(Birth::turn(state).index(), game.turn());
  const bool inside = game.phase() == "birth" || game.phase() == "eject" || game.phase() == "break";
  ASSERT_EQ(static_cast<int>(Birth::turns(state)), game.placements() - (inside ? 1 : 0));
  const auto parsed = Birth::parse(rules, position);
  ASSERT_TRUE(parsed) << parsed.error().message << "\n" << position;
  ASSERT_EQ(*parsed, state) << position;
  ASSERT_EQ(Scores(rules, state), game.Scores()) << position;
  if (game.IsEnd()) {
    ASSERT_EQ(WinShares(rules, state), game.WinShares()) << position;
  } else if (game.IsChance()) {
    CompareChance(rules, state, game);
  } else {
    ASSERT_EQ(Names(rules, state), game.Legal()) << position;
  }
}

// Plays random games until `positions` have been compared.
void PlayInLockstep(const BirthRules& rules, std::uint64_t seed, long positions, Events& events) {
  SCOPED_TRACE(rules.ToString());
  for (std::uint64_t number = 0; positions > 0; ++number) {
    RandomStream random(seed, number, Purpose::kTest, 0);
    auto state = Birth::initial(rules);
    plain_birth::Game game(PlainRules(rules));
    for (; positions > 0; --positions) {
      ASSERT_NO_FATAL_FAILURE(Compare(rules, state, game));
      ++events[game.phase()];
      if (game.IsEnd()) break;
      const auto action = AnyBirthStep(rules, state, number % 2 == 1, random);
      const std::string name = Birth::action_name(rules, state, action);
      ASSERT_EQ(*Birth::parse_action(rules, state, name), action);
      if (game.phase() == "play") {
        const int section = state.sections[state.turn];
        const int value = static_cast<int>(action);
        const int landing = Birth::Landing(rules, state, state.turn, value);
        const int steps = (landing - section + 15) % 15;
        if (steps != value) ++events[steps == 0 ? "jump around the ring" : "jump"];
      }
      if (game.phase() == "birth" && (state.unrolled & (state.unrolled - 1)) != 0) {
        ++events["dice of several colours"];
      }
      Birth::apply(rules, state, action);
      game.Apply(name);
    }
  }
}

void PlayAllRules(std::uint64_t seed, long positions, Events& events) {
  for (const auto& rules : TestedBirthRules()) {
    ASSERT_NO_FATAL_FAILURE(PlayInLockstep(rules, seed, positions, events));
  }
  for (const char* const event : {"deal", "opening", "play", "birth", "eject", "break", "end",
                                  "jump", "dice of several colours"}) {
    EXPECT_GT(events[event], 20) << event;
  }
}

TEST(Birth, AgreesWithThePlainImplementation) {
  Events events;
  PlayAllRules(1, 400, events);
}

// 34 rules, 4,000 positions each.
TEST(Birth, SlowAgreesWithThePlainImplementation) {
  Events events;
  PlayAllRules(2, 4000, events);
  EXPECT_GT(events["jump around the ring"], 0);
}

}  // namespace
}  // namespace berd
