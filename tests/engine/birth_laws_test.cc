// Laws of the Game concept (engine/core/game.h) on Birth, under all rules.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/birth/birth.h"
#include "engine/core/afterstates.h"
#include "engine/core/any_game.h"
#include "engine/core/find_action.h"
#include "tests/engine/birth_positions.h"
#include "tests/engine/plausible.h"

namespace berd {
namespace {

static_assert(Game<Birth>);

// Positions of all rules; `number` of each.
template <class Visit>
void VisitAllRules(std::uint64_t seed, long number, Visit&& visit) {
  for (const auto& rules : TestedBirthRules()) {
    SCOPED_TRACE(rules.ToString());
    VisitBirthPositions(rules, seed, number, [&](const BirthState& state) {
      if (!::testing::Test::HasFatalFailure()) visit(rules, state);
    });
    if (::testing::Test::HasFatalFailure()) return;
  }
}

std::string WithoutCounter(const std::string& position) {
  return position.substr(position.find(' ') + 1);
}

// --- Throws --------------------------------------------------------------------------------------

TEST(BirthThrows, WeightsAgreeWithAllSequencesOfFaces) {
  ActionList<Outcome<DiceCounts>> outcomes;
  for (int dice = 1; dice <= 7; ++dice) {
    std::map<DiceCounts, std::uint32_t> sequences;
    const auto total = dice_counts::kPowersOfSix[static_cast<std::size_t>(dice)];
    for (std::uint32_t sequence = 0; sequence < total; ++sequence) {
      DiceCounts counts = 0;
      std::uint32_t rest = sequence;
      for (int i = 0; i < dice; ++i, rest /= 6) {
        counts += dice_counts::One(static_cast<int>(rest % 6) + 1);
      }
      ++sequences[counts];
    }
    outcomes.clear();
    dice_counts::ListOutcomes(dice, outcomes);
    std::map<DiceCounts, std::uint32_t> listed;
    for (const auto& outcome : outcomes) listed[outcome.action] = outcome.weight;
    EXPECT_EQ(listed, sequences) << dice;
    EXPECT_EQ(static_cast<int>(listed.size()), dice_counts::Outcomes(dice));
  }
}

TEST(BirthThrows, WeightsSumToAllSequences) {
  ActionList<Outcome<DiceCounts>> outcomes;
  for (int dice = 1; dice <= dice_counts::kMostDice; ++dice) {
    outcomes.clear();
    dice_counts::ListOutcomes(dice, outcomes);
    std::uint64_t total = 0;
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
      total += outcomes[i].weight;
      ASSERT_GT(outcomes[i].weight, 0u);
      ASSERT_EQ(dice_counts::Total(outcomes[i].action), dice);
      if (i > 0) {
        ASSERT_LT(outcomes[i - 1].action, outcomes[i].action);
      }
    }
    EXPECT_EQ(total, dice_counts::kPowersOfSix[static_cast<std::size_t>(dice)]);
    EXPECT_EQ(static_cast<int>(outcomes.size()), dice_counts::Outcomes(dice));
  }
}

// Samples `draws` throws per number of dice and groups them; all outcomes are listed here.
void ExpectThrowsFollowTheWeights(int dice, long draws) {
  ActionList<Outcome<DiceCounts>> outcomes;
  dice_counts::ListOutcomes(dice, outcomes);
  std::map<DiceCounts, std::size_t> cell_of;
  std::vector<double> weights;
  // Rare outcomes share the first cell, so that every cell expects enough.
  const double total = dice_counts::kPowersOfSix[static_cast<std::size_t>(dice)];
  weights.push_back(0);
  for (const auto& outcome : outcomes) {
    if (outcome.weight * static_cast<double>(draws) / total < 20) {
      cell_of[outcome.action] = 0;
      weights[0] += outcome.weight;
    } else {
      cell_of[outcome.action] = weights.size();
      weights.push_back(outcome.weight);
    }
  }
  RandomStream random(22, static_cast<std::uint64_t>(dice), Purpose::kTest, 0);
  std::vector<long> counts(weights.size());
  for (long i = 0; i < draws; ++i) ++counts[cell_of.at(dice_counts::Throw(dice, random))];
  if (weights[0] == 0) {
    ASSERT_EQ(counts[0], 0);
    weights.erase(weights.begin());
    counts.erase(counts.begin());
  }
  SCOPED_TRACE(dice);
  ExpectPlausible(counts, weights);
}

TEST(BirthThrows, SamplesFollowTheWeights) {
  for (int dice = 1; dice <= dice_counts::kMostDice; ++dice) {
    ExpectThrowsFollowTheWeights(dice, 40000);
  }
}

TEST(BirthThrows, SlowSamplesFollowTheWeights) {
  for (int dice = 1; dice <= dice_counts::kMostDice; ++dice) {
    ExpectThrowsFollowTheWeights(dice, 3000000);
  }
}

// --- Actions and chance --------------------------------------------------------------------------

TEST(BirthLaws, ChanceIsListedUpToFiveDice) {
  ActionList<Outcome<Birth::Action>> outcomes;
  std::set<int> seen;
  VisitAllRules(21, 300, [&](const BirthRules& rules, const BirthState& state) {
    if (Birth::waits(state) != Waits::kChance) {
      ASSERT_TRUE(Birth::chance(rules, state, outcomes));
      ASSERT_TRUE(outcomes.empty());
      return;
    }
    const int dice = Birth::DiceToThrow(state);
    ASSERT_GE(dice, 1);
    ASSERT_LE(dice, 11);
    seen.insert(dice);
    ASSERT_EQ(Birth::chance(rules, state, outcomes), dice <= 5);
    ASSERT_EQ(static_cast<int>(outcomes.size()), dice <= 5 ? dice_counts::Outcomes(dice) : 0);
    RandomStream random(23, 0, Purpose::kTest, 0);
    const auto sample = Birth::sample_chance(rules, state, random);
    ASSERT_EQ(dice_counts::Total(sample), dice);
    ASSERT_EQ(*Birth::parse_action(rules, state, Birth::action_name(rules, state, sample)), sample);
  });
  EXPECT_GE(seen.size(), 10u);
}

TEST(BirthLaws, ActionsAscendAndSamplesAreUniform) {
  ActionList<Birth::Action> actions;
  RandomStream random(31, 0, Purpose::kTest, 0);
  VisitAllRules(32, 300, [&](const BirthRules& rules, const BirthState& state) {
    Birth::legal(rules, state, actions);
    if (Birth::waits(state) != Waits::kDecision) {
      ASSERT_TRUE(actions.empty());
      return;
    }
    ASSERT_FALSE(actions.empty());
    ASSERT_TRUE(std::is_sorted(actions.begin(), actions.end()));
    ASSERT_EQ(std::adjacent_find(actions.begin(), actions.end()), actions.end());
    const bool many = random.Below(20) == 0;
    std::vector<long> counts(actions.size());
    for (std::size_t i = 0; i < (many ? 60 * actions.size() : 3); ++i) {
      const auto sample = Birth::sample_legal(rules, state, random);
      const auto at = std::lower_bound(actions.begin(), actions.end(), sample);
      ASSERT_TRUE(at != actions.end() && *at == sample);
      ++counts[static_cast<std::size_t>(at - actions.begin())];
    }
    SCOPED_TRACE(Birth::position(rules, state));
    if (many) ExpectPlausible(counts, std::vector<double>(counts.size(), 1.0));
  });
}

TEST(BirthLaws, ActionNamesRoundTrip) {
  VisitAllRules(51, 200, [&](const BirthRules& rules, const BirthState& state) {
    const auto named = NamedActions<Birth>(rules, state);
    std::set<std::string> names;
    for (const auto& [name, action] : named) {
      ASSERT_TRUE(names.insert(name).second) << name;
      if (named.size() > 21) continue;
      const auto found = Birth::parse_action(rules, state, name);
      ASSERT_TRUE(found) << found.error().message;
      ASSERT_EQ(*found, action);
    }
    const auto wrong = Birth::parse_action(rules, state, "v:7");
    ASSERT_FALSE(wrong);
    if (Birth::waits(state) == Waits::kEnd) return;
    ASSERT_NE(wrong.error().message.find("action 'v:7' is not legal here; legal: "),
              std::string::npos);
  });
}

// --- States --------------------------------------------------------------------------------------

TEST(BirthLaws, StatesAreCopiedLikeBytes) {
  VisitAllRules(11, 100, [&](const BirthRules& rules, const BirthState& state) {
    const auto before = state;
    auto copy = state;
    RandomStream random(12, state.placements, Purpose::kTest, 0);
    for (int step = 0; step < 10 && Birth::waits(copy) != Waits::kEnd; ++step) {
      Birth::apply(rules, copy, AnyBirthStep(rules, copy, false, random));
    }
    ASSERT_EQ(state, before);
    ASSERT_EQ(Birth::key(state), Birth::key(before));
  });
}

// Eleven dice a player once they are dealt, pieces apart, parts of other phases cleared.
TEST(BirthLaws, DiceAreConservedAndFieldsCleared) {
  VisitAllRules(61, 500, [&](const BirthRules& rules, const BirthState& state) {
    using enum BirthPhase;
    for (int seat = 0; seat < kMostBirthPlayers; ++seat) {
      const auto s = static_cast<std::size_t>(seat);
      int dice =
          dice_counts::Total(state.hands[s]) + static_cast<int>(state.unrolled >> 4 * seat & 15);
      for (const auto& area : state.areas) dice += dice_counts::Total(area[s]);
      const bool dealt = seat < rules.players && (state.phase != kDeal || dice > 0);
      ASSERT_EQ(dice, dealt ? 11 : 0) << Birth::position(rules, state);
    }
    ASSERT_EQ(state.unrolled != 0, state.phase == kBirth);
    if (state.phase != kBirth && state.phase != kEject) {
      ASSERT_EQ(state.area, 0);
      ASSERT_EQ(state.value, 0);
    }
    ASSERT_NE(state.sections[0], state.sections[1]);
    ASSERT_EQ(Birth::view(rules, state, Seat(0)), Birth::position(rules, state));
    RandomStream random(62, 0, Purpose::kTest, 0);
    ASSERT_EQ(Birth::sample_hidden(rules, Birth::observe(rules, state, Seat(1)), random), state);
  });
}

TEST(BirthLaws, PositionsRoundTrip) {
  VisitAllRules(41, 150, [&](const BirthRules& rules, const BirthState& state) {
    const std::string position = Birth::position(rules, state);
    const auto parsed = Birth::parse(rules, position);
    ASSERT_TRUE(parsed) << parsed.error().message;
    ASSERT_EQ(*parsed, state) << position;
    ASSERT_EQ(Birth::position(rules, *parsed), position);
    ASSERT_EQ(NamedActions<Birth>(rules, *parsed), NamedActions<Birth>(rules, state)) << position;
  });
}

TEST(BirthLaws, TurnsNeverFallAndEndAtAllPlacements) {
  for (const auto& rules : TestedBirthRules()) {
    std::uint32_t before = 0;
    VisitBirthPositions(rules, 62, 300, [&](const BirthState& state) {
      const auto turns = Birth::turns(state);
      ASSERT_TRUE(turns == before || turns == before + 1 || turns == 0);
      before = turns;
      if (Birth::waits(state) == Waits::kEnd) {
        ASSERT_EQ(static_cast<int>(turns), rules.placements());
      }
    });
  }
}

TEST(BirthLaws, WinSharesSumToOne) {
  VisitAllRules(71, 300, [&](const BirthRules& rules, const BirthState& state) {
    if (Birth::waits(state) != Waits::kEnd) return;
    const auto seats = static_cast<std::size_t>(rules.seats());
    std::vector<WinShare> shares(seats);
    std::vector<std::int64_t> scores(seats);
    Birth::win_shares(rules, state, shares);
    Birth::scores(rules, state, scores);
    const auto best = *std::max_element(scores.begin(), scores.end());
    const auto winners = std::count(scores.begin(), scores.end(), best);
    for (std::size_t seat = 0; seat < seats; ++seat) {
      const WinShare share{1, static_cast<std::uint16_t>(winners)};
      ASSERT_EQ(shares[seat], scores[seat] == best ? share : WinShare{});
    }
  });
}

TEST(BirthLaws, SameSeedSameGame) {
  const auto rules = *ParseBirthRules("birth:3");
  const auto play = [&](std::uint64_t seed) {
    std::vector<std::uint64_t> keys;
    VisitBirthPositions(rules, seed, 300,
                        [&](const BirthState& state) { keys.push_back(Birth::key(state)); });
    return keys;
  };
  EXPECT_EQ(play(81), play(81));
  EXPECT_NE(play(81), play(82));
}

// --- Keys and afterstates ------------------------------------------------------------------------

void ExpectKeysTellPositionsApart(long number) {
  for (const auto& rules : TestedBirthRules()) {
    std::unordered_map<std::uint64_t, std::string> position_of;
    std::unordered_map<std::string, std::uint64_t> key_of;
    VisitBirthPositions(rules, 91, number, [&](const BirthState& state) {
      const auto key = Birth::key(state);
      const std::string position = WithoutCounter(Birth::position(rules, state));
      ASSERT_EQ(position_of.emplace(key, position).first->second, position);
      ASSERT_EQ(key_of.emplace(position, key).first->second, key) << position;
    });
  }
}

TEST(BirthLaws, KeysTellPositionsApart) { ExpectKeysTellPositionsApart(300); }
TEST(BirthLaws, SlowKeysTellPositionsApart) { ExpectKeysTellPositionsApart(10000); }

// Every field of the state counts.
TEST(BirthLaws, KeysDependOnEveryByteButTheCounter) {
  const auto rules = *ParseBirthRules("birth:3");
  VisitBirthPositions(rules, 92, 60, [&](const BirthState& state) {
    std::array<unsigned char, sizeof(BirthState)> bytes;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      std::memcpy(bytes.data(), &state, bytes.size());
      bytes[i] ^= 1;
      BirthState other;
      std::memcpy(&other, bytes.data(), bytes.size());
      const bool counter = other.placements != state.placements;
      // The fourth byte of packed counts is always zero.
      if (!counter && other != state && !(i < 72 && i % 4 == 3)) {
        ASSERT_NE(Birth::key(other), Birth::key(state)) << i;
      } else if (counter) {
        ASSERT_EQ(Birth::key(other), Birth::key(state));
      }
    }
  });
}

// A turn's own decisions: the value and, in the advanced rules, the area of an Eject.
TEST(BirthLaws, AfterstatesAreAllThereAre) {
  Afterstates<Birth> afterstates(256);
  VisitAllRules(93, 150, [&](const BirthRules& rules, const BirthState& state) {
    if (Birth::waits(state) != Waits::kDecision) return;
    std::set<std::string> expected;
    for (const auto& [name, action] : NamedActions<Birth>(rules, state)) {
      auto next = state;
      Birth::apply(rules, next, action);
      if (next.phase != BirthPhase::kEject) {
        expected.insert(Birth::position(rules, next));
        continue;
      }
      for (const auto& [to_name, to] : NamedActions<Birth>(rules, next)) {
        auto last = next;
        Birth::apply(rules, last, to);
        expected.insert(Birth::position(rules, last));
      }
    }
    ASSERT_TRUE(afterstates.Enumerate(rules, state));
    std::set<std::string> found;
    for (std::size_t i = 0; i < afterstates.size(); ++i) {
      found.insert(Birth::position(rules, afterstates[i]));
    }
    ASSERT_EQ(found, expected) << Birth::position(rules, state);
    ASSERT_EQ(found.size(), afterstates.size());
  });
}

TEST(BirthLaws, TheAdapterPlaysAGame) {
  const auto rules = *ParseBirthRules("birth:3:advanced+opening");
  const PositionOf<Birth> start(rules, Birth::initial(rules));
  const auto game = start.Clone();
  RandomStream random(101, 0, Purpose::kTest, 0);
  int steps = 0;
  for (; game->waits() != Waits::kEnd; ++steps) {
    if (game->waits() == Waits::kChance) {
      game->ApplyChance(random);
      continue;
    }
    const auto actions = game->Actions();
    const auto pick = random.Below(static_cast<std::uint32_t>(actions.size()));
    ASSERT_TRUE(game->Apply(actions[pick]));
  }
  EXPECT_GT(steps, 39);
  EXPECT_EQ(game->Scores().size(), 3u);
  EXPECT_EQ(game->turns(), 33u);
}

}  // namespace
}  // namespace berd
