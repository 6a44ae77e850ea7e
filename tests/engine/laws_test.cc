// Laws that every game keeps (see engine/core/game.h), on every game type and all tested rules.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <vector>

#include "engine/core/afterstates.h"
#include "engine/core/find_action.h"
#include "engine/games.h"
#include "tests/engine/plain_berd.h"
#include "tests/engine/plausible.h"
#include "tests/engine/random_positions.h"

namespace berd {

// For the names of parametrised tests.
void PrintTo(const Preset& preset, std::ostream* out);
void PrintTo(const Preset& preset, std::ostream* out) { *out << preset.rules; }

namespace {

// First word of the names of the actions at hand: move, carry, pay, …
template <Game G>
std::string KindOfStep(const typename G::Rules& rules, const typename G::State& state) {
  const std::string position = G::position(rules, state);
  const auto phase = position.find("phase=") + 6;
  return position.substr(phase, position.find(':', phase) - phase);
}

TEST(Laws, StatesAreCopiedLikeBytes) {
  ForTestedRules([]<class G>(const typename G::Rules& rules) {
    static_assert(std::is_trivially_copyable_v<typename G::State>);
    long number = 0;
    VisitPositions<G>(rules, 11, 400, [&](const auto& state) {
      if (++number % 40 != 1) return;
      const std::string before = G::position(rules, state);
      const std::uint64_t key = G::key(state);
      auto copy = state;
      RandomStream random(12, static_cast<std::uint64_t>(number), Purpose::kTest, 0);
      for (int step = 0; step < 20 && G::waits(copy) != Waits::kEnd; ++step) {
        G::apply(rules, copy, AnyStep<G>(rules, copy, false, random));
      }
      ASSERT_EQ(G::position(rules, state), before);
      ASSERT_EQ(G::key(state), key);
    });
  });
}

TEST(Laws, ChanceWeightsSumToTheirTotal) {
  ForTestedRules([]<class G>(const typename G::Rules& rules) {
    ActionList<Outcome<typename G::Action>> outcomes;
    VisitPositions<G>(rules, 21, 600, [&](const auto& state) {
      if (G::waits(state) != Waits::kChance) return;
      ASSERT_TRUE(G::chance(rules, state, outcomes));
      std::uint32_t total = 0;
      for (std::size_t i = 0; i < outcomes.size(); ++i) {
        total += outcomes[i].weight;
        ASSERT_GT(outcomes[i].weight, 0u);
        if (i > 0) {
          ASSERT_LT(outcomes[i - 1].action, outcomes[i].action);
        }
        const std::string name = G::action_name(rules, state, outcomes[i].action);
        if (name.starts_with("roll:")) {
          ASSERT_EQ(outcomes[i].weight, name[5] == name[6] ? 1u : 2u) << name;
        }
      }
      if (KindOfStep<G>(rules, state) == "roll") {
        ASSERT_EQ(total, 36u);
        ASSERT_EQ(outcomes.size(), 21u);
      } else {
        ASSERT_EQ(total, outcomes.size());  // the next rank: all that are left alike
      }
    });
  });
}

TEST(Laws, SampledChanceFollowsTheWeights) {
  for (const auto text : {"race:short:2x2", "race:n=2:6x3:setup=rolled"}) {
    VisitGame(*ParseGame(text), []<class G>(const typename G::Rules& rules) {
      const auto state = G::initial(rules);
      ActionList<Outcome<typename G::Action>> outcomes;
      ASSERT_TRUE(G::chance(rules, state, outcomes));
      std::vector<long> counts(outcomes.size());
      std::vector<double> weights;
      for (const auto& outcome : outcomes) weights.push_back(outcome.weight);
      RandomStream random(22, 0, Purpose::kTest, 0);
      for (int i = 0; i < 36000; ++i) {
        const auto action = G::sample_chance(rules, state, random);
        std::size_t index = 0;
        while (outcomes[index].action != action) ++index;
        ++counts[index];
      }
      ExpectPlausible(counts, weights);
    });
  }
}

TEST(Laws, ActionsAscendAndSamplesAreAmongThem) {
  ForTestedRules([]<class G>(const typename G::Rules& rules) {
    ActionList<typename G::Action> actions;
    RandomStream random(31, 0, Purpose::kTest, 0);
    VisitPositions<G>(rules, 32, 1500, [&](const auto& state) {
      G::legal(rules, state, actions);
      if (G::waits(state) != Waits::kDecision) {
        ASSERT_TRUE(actions.empty());
        return;
      }
      ASSERT_FALSE(actions.empty()) << G::position(rules, state);
      for (std::size_t i = 1; i < actions.size(); ++i) {
        ASSERT_LT(actions[i - 1], actions[i]) << G::position(rules, state);
      }
      for (int i = 0; i < 3; ++i) {
        const auto sample = G::sample_legal(rules, state, random);
        ASSERT_TRUE(std::binary_search(actions.begin(), actions.end(), sample))
            << G::position(rules, state);
      }
    });
  });
}

TEST(Laws, SampledActionsAreUniform) {
  ForTestedRules([]<class G>(const typename G::Rules& rules) {
    std::map<std::string, int> tested;  // states by kind of step
    ActionList<typename G::Action> actions;
    RandomStream random(33, 0, Purpose::kTest, 0);
    VisitPositions<G>(rules, 34, 1500, [&](const auto& state) {
      if (G::waits(state) != Waits::kDecision) return;
      G::legal(rules, state, actions);
      if (actions.size() < 2 || actions.size() > 40 || random.Below(4) != 0) return;
      if (++tested[KindOfStep<G>(rules, state)] > 3) return;
      std::vector<long> counts(actions.size());
      for (std::size_t i = 0; i < 40 * actions.size(); ++i) {
        const auto sample = G::sample_legal(rules, state, random);
        const auto at = std::lower_bound(actions.begin(), actions.end(), sample);
        ++counts[static_cast<std::size_t>(at - actions.begin())];
      }
      SCOPED_TRACE(G::position(rules, state));
      ExpectPlausible(counts, std::vector<double>(counts.size(), 1.0));
    });
  });
}

template <Game G>
void ExpectParsedIsTheSame(const typename G::Rules& rules, const typename G::State& state) {
  const std::string position = G::position(rules, state);
  const auto parsed = G::parse(rules, position);
  ASSERT_TRUE(parsed) << parsed.error().message;
  ASSERT_EQ(G::position(rules, *parsed), position);
  ASSERT_EQ(G::key(*parsed), G::key(state)) << position;
  ASSERT_EQ(G::waits(*parsed), G::waits(state)) << position;
  ASSERT_EQ(G::turns(*parsed), G::turns(state)) << position;
  if (G::waits(state) == Waits::kEnd) return;
  ASSERT_EQ(NamedActions<G>(rules, *parsed), NamedActions<G>(rules, state)) << position;
  if (G::waits(state) == Waits::kDecision) {
    ASSERT_EQ(G::actor(*parsed), G::actor(state)) << position;
  }
}

TEST(Laws, PositionsRoundTrip) {
  ForTestedRules([]<class G>(const typename G::Rules& rules) {
    long number = 0;
    VisitPositions<G>(rules, 41, 500, [&](const auto& state) {
      if (++number % 4 != 0) return;
      ASSERT_NO_FATAL_FAILURE(ExpectParsedIsTheSame<G>(rules, state));
      // … and go on alike.
      auto one = state;
      auto other = *G::parse(rules, G::position(rules, state));
      RandomStream random(42, static_cast<std::uint64_t>(number), Purpose::kTest, 0);
      for (int step = 0; step < 6 && G::waits(one) != Waits::kEnd; ++step) {
        const auto action = AnyStep<G>(rules, one, false, random);
        G::apply(rules, one, action);
        G::apply(rules, other, action);
        // A duel that was set up from a string has no history to repeat.
        if (!G::kFacts.dice && G::waits(one) != G::waits(other)) return;
        ASSERT_EQ(G::key(one), G::key(other)) << G::position(rules, state);
      }
    });
  });
}

TEST(Laws, ActionNamesRoundTrip) {
  ForTestedRules([]<class G>(const typename G::Rules& rules) {
    long number = 0;
    VisitPositions<G>(rules, 51, 600, [&](const auto& state) {
      if (++number % 12 != 0 || G::waits(state) == Waits::kEnd) return;
      const auto named = NamedActions<G>(rules, state);
      std::set<std::string> names;
      for (const auto& [name, action] : named) {
        ASSERT_TRUE(names.insert(name).second) << name;
        if (named.size() > 100) continue;
        const auto found = G::parse_action(rules, state, name);
        ASSERT_TRUE(found) << found.error().message;
        ASSERT_EQ(*found, action);
      }
      const auto wrong = G::parse_action(rules, state, "m:a9-off@33");
      ASSERT_FALSE(wrong);
      ASSERT_THAT(wrong.error().message,
                  ::testing::HasSubstr("is not legal here; legal: " + *names.begin()));
    });
  });
}

TEST(Laws, TokensAndCashAreConserved) {
  for (const auto text : TestedRules()) {
    VisitGame(*ParseGame(text), [&]<class G>(const typename G::Rules& rules) {
      long number = 0;
      VisitPositions<G>(rules, 61, 800, [&](const auto& state) {
        if (++number % 10 != 0) return;
        const std::string position = G::position(rules, state);
        const auto game = plain::Game::FromPosition(std::string(text), position);
        const auto phase = game.phase();
        if (phase == plain::Phase::kOrder || phase == plain::Phase::kCorner ||
            phase == plain::Phase::kPlace) {
          return;
        }
        for (const auto& token : game.tokens()) {
          ASSERT_NE(token.place, plain::Place::kNowhere) << position;
        }
        // Printing again from the token list gives the same string: nothing was there twice.
        ASSERT_EQ(game.Position(), position);
        const auto cash = position.find(" cash=");
        if (cash == std::string::npos) return;
        long sum = 0;
        std::size_t at = cash + 6;
        for (int seat = 0; seat < rules.seats(); ++seat) {
          std::size_t length = 0;
          sum += std::stol(position.substr(at), &length);
          at += length + 1;
        }
        ASSERT_EQ(sum, static_cast<long>(game.rules().cash) * rules.seats()) << position;
      });
    });
  }
}

TEST(Laws, WinSharesSumToOne) {
  ForTestedRules([]<class G>(const typename G::Rules& rules) {
    for (std::uint64_t game = 0; game < 3; ++game) {
      RandomStream random(71, game, Purpose::kTest, 0);
      auto state = G::initial(rules);
      while (G::waits(state) != Waits::kEnd) {
        G::apply(rules, state, AnyStep<G>(rules, state, game == 1, random));
      }
      const auto seats = static_cast<std::size_t>(rules.seats());
      std::vector<WinShare> shares(seats);
      std::vector<std::int64_t> scores(seats);
      G::win_shares(rules, state, shares);
      G::scores(rules, state, scores);
      std::map<int, WinShare> of_side;
      std::map<int, std::int64_t> score_of_side;
      for (int seat = 0; seat < rules.seats(); ++seat) {
        const auto i = static_cast<std::size_t>(seat);
        const int side = G::side(rules, Seat(seat));
        if (of_side.count(side) > 0) {
          ASSERT_EQ(of_side[side], shares[i]);
        }
        of_side[side] = shares[i];
        score_of_side[side] += scores[i];
      }
      int winners = 0;
      std::int64_t best = 0;
      for (const auto& [side, score] : score_of_side) best = std::max(best, score);
      for (const auto& [side, share] : of_side) {
        winners += share.numerator > 0 ? 1 : 0;
        ASSERT_EQ(share.numerator > 0, score_of_side[side] == best);
      }
      for (const auto& [side, share] : of_side) {
        if (share.numerator == 0) {
          ASSERT_EQ(share, (WinShare{0, 1}));
        } else {
          ASSERT_EQ(share, (WinShare{1, static_cast<std::uint16_t>(winners)}));
        }
      }
    }
  });
}

TEST(Laws, SameSeedSameGame) {
  ForTestedRules([]<class G>(const typename G::Rules& rules) {
    const auto play = [&](std::uint64_t seed) {
      std::vector<std::uint64_t> keys;
      VisitPositions<G>(rules, seed, 300,
                        [&](const auto& state) { keys.push_back(G::key(state)); });
      return keys;
    };
    const auto keys = play(81);
    ASSERT_EQ(keys, play(81));
    ASSERT_NE(keys, play(82));
  });
}

// --- Keys ----------------------------------------------------------------------------------------

// Equal keys exactly for equal positions (but for the counter), along random games.
template <Game G>
void ExpectKeysTellPositionsApart(const typename G::Rules& rules, long positions, bool parse_each) {
  std::unordered_map<std::uint64_t, std::string> position_of;
  std::unordered_map<std::string, std::uint64_t> key_of;
  VisitPositions<G>(rules, 91, positions, [&](const auto& state) {
    const std::uint64_t key = G::key(state);
    const std::string full = G::position(rules, state);
    const std::string position = WithoutCounter(full);
    ASSERT_EQ(position_of.emplace(key, position).first->second, position);
    ASSERT_EQ(key_of.emplace(position, key).first->second, key) << position;
    if (!parse_each) return;
    const auto parsed = G::parse(rules, full);
    ASSERT_TRUE(parsed) << parsed.error().message;
    ASSERT_EQ(G::key(*parsed), key) << full;
  });
}

TEST(Laws, KeysTellPositionsApart) {
  ForTestedRules([]<class G>(const typename G::Rules& rules) {
    ExpectKeysTellPositionsApart<G>(rules, 300, false);
  });
}

// A hundred thousand positions of each preset; a CTest test each.
class SlowPreset : public ::testing::TestWithParam<Preset> {};

TEST_P(SlowPreset, KeysTellPositionsApart) {
  VisitGame(*ParseGame(GetParam().rules), []<class G>(const typename G::Rules& rules) {
    ExpectKeysTellPositionsApart<G>(rules, 100000, true);
  });
}

INSTANTIATE_TEST_SUITE_P(Berd, SlowPreset, ::testing::ValuesIn(BerdPresets()),
                         [](const auto& preset) {
                           std::string name(preset.param.name);
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(Laws, SlowKeysTellPositionsApartOnAllRules) {
  ForTestedRules([]<class G>(const typename G::Rules& rules) {
    ExpectKeysTellPositionsApart<G>(rules, 8000, true);
  });
}

// --- Afterstates ---------------------------------------------------------------------------------

// The set of positions in which the walk of one seat's own small steps ends; strings instead of
// keys, recursion instead of buffers. `bound` is used up by the positions seen.
template <Game G>
class PlainWalk {
 public:
  PlainWalk(const typename G::Rules& rules, std::size_t bound) : rules_(rules), bound_(bound) {}

  // False if the bound was reached.
  bool Walk(const typename G::State& root) {
    seat_ = G::actor(root);
    turns_ = G::turns(root);
    return Visit(root);
  }
  const std::set<std::string>& leaves() const { return leaves_; }

 private:
  bool Visit(const typename G::State& from) {
    ActionList<typename G::Action> actions(32);
    G::legal(rules_, from, actions);
    for (const auto action : actions) {
      auto child = from;
      G::apply(rules_, child, action);
      std::string position = G::position(rules_, child);
      if (!seen_.insert(position).second) continue;
      if (seen_.size() > bound_) return false;
      const bool goes_on = G::waits(child) == Waits::kDecision && G::turns(child) == turns_ &&
                           G::actor(child) == seat_;
      if (!goes_on) {
        leaves_.insert(std::move(position));
      } else if (!Visit(child)) {
        return false;
      }
    }
    return true;
  }

  const typename G::Rules& rules_;
  std::size_t bound_;
  Seat seat_;
  std::uint32_t turns_ = 0;
  std::set<std::string> seen_;
  std::set<std::string> leaves_;
};

// Compares the enumerator with the plain walk from every `stride`-th decision of random games,
// where the walk is not longer than `bound`, until `comparisons` are made.
template <Game G>
void ExpectAfterstatesAreAllThereAre(const typename G::Rules& rules, long comparisons, int stride,
                                     std::size_t bound) {
  Afterstates<G> afterstates(bound + 4096);  // the bound also counts states seen twice
  ActionList<typename G::Action> path;
  const auto compare = [&](const typename G::State& state) {
    PlainWalk<G> walk(rules, bound);
    if (!walk.Walk(state)) return;
    --comparisons;
    const std::string position = G::position(rules, state);
    ASSERT_TRUE(afterstates.Enumerate(rules, state)) << position;
    std::set<std::string> found;
    for (std::size_t i = 0; i < afterstates.size(); ++i) {
      const std::string leaf = G::position(rules, afterstates[i]);
      ASSERT_TRUE(found.insert(leaf).second) << position << "\ntwice: " << leaf;
      if (i % 16 != 0) continue;
      afterstates.Path(i, path);
      ASSERT_EQ(path[0], afterstates.FirstAction(i));
      auto replay = state;
      for (const auto action : path) G::apply(rules, replay, action);
      ASSERT_EQ(G::position(rules, replay), leaf) << position;
    }
    ASSERT_EQ(found, walk.leaves()) << position;
  };
  long number = 0;
  for (std::uint64_t part = 0; comparisons > 0 && !::testing::Test::HasFatalFailure(); ++part) {
    VisitPositions<G>(rules, 1000 + part, 500, [&](const auto& state) {
      if (G::waits(state) != Waits::kDecision || ++number % stride != 0) return;
      if (comparisons > 0 && !::testing::Test::HasFatalFailure()) compare(state);
    });
  }
}

TEST(Laws, AfterstatesAreAllThereAre) {
  ForTestedRules([]<class G>(const typename G::Rules& rules) {
    ExpectAfterstatesAreAllThereAre<G>(rules, 12, 20, 400);
  });
}

TEST_P(SlowPreset, AfterstatesAreAllThereAre) {
  VisitGame(*ParseGame(GetParam().rules), []<class G>(const typename G::Rules& rules) {
    ExpectAfterstatesAreAllThereAre<G>(rules, 100000, 1, 100);
    ExpectAfterstatesAreAllThereAre<G>(rules, 200, 11, 6000);
  });
}

TEST(Laws, SlowAfterstatesAreAllThereAreOnAllRules) {
  ForTestedRules([]<class G>(const typename G::Rules& rules) {
    ExpectAfterstatesAreAllThereAre<G>(rules, 600, 3, 1000);
  });
}

TEST(Afterstates, SaysWhenThereAreTooMany) {
  VisitGame(*ParseGame("race:short:4x9:points"), []<class G>(const typename G::Rules& rules) {
    auto state = G::initial(rules);
    G::apply(rules, state, 0);  // 11: four dice
    Afterstates<G> few(100);
    EXPECT_FALSE(few.Enumerate(rules, state));
    Afterstates<G> enough;
    EXPECT_TRUE(enough.Enumerate(rules, state));
    EXPECT_GT(enough.size(), 100u);
  });
}

}  // namespace
}  // namespace berd
