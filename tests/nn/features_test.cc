#include "nn/features.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "nn/differing_elements.h"
#include "nn/game_features.h"
#include "tests/nn/played_positions.h"

namespace berd {
namespace {

constexpr long kPositions = 120;

// The largest weight that a network should have to live with. With all of 176 tokens in one stack
// a weight can be larger; such positions do not come up.
constexpr float kLargestWeight = 16;

void ExpectWellFormed(const FeatureList& list, std::uint32_t inputs) {
  EXPECT_LT(list.size(), FeatureList::capacity());
  for (std::size_t i = 0; i < list.size(); ++i) {
    EXPECT_LT(list[i].index, inputs);
    EXPECT_TRUE(std::isfinite(list[i].weight)) << "feature " << list[i].index;
    EXPECT_LE(std::abs(list[i].weight), kLargestWeight) << "feature " << list[i].index;
    if (i > 0) {
      EXPECT_LT(list[i - 1].index, list[i].index);
    }
  }
}

template <Game G>
FeatureList OfSquare(const typename G::Rules& rules, const typename G::State& state, int seat,
                     int square) {
  FeatureList list;
  Features<G>::AddSquare(rules, state, seat, square, list);
  return list;
}

template <Game G>
FeatureSums<G> SumsOfSquare(const typename G::Rules& rules, const typename G::State& state,
                            int seat, int square) {
  FeatureSums<G> sums{};
  Features<G>::AddSums(rules, state, seat, square, sums);
  return sums;
}

template <Game G>
FeatureGlobals<G> Globals(const typename G::Rules& rules, const typename G::State& state,
                          int seat) {
  FeatureGlobals<G> globals;
  Features<G>::FillGlobals(rules, state, Features<G>::Note(rules, state), seat, globals.value);
  return globals;
}

bool SameLists(const FeatureList& a, const FeatureList& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

TEST(Features, ListsAreAscendingAndInRange) {
  ForFeatureRules([]<class G>(const typename G::Rules& rules) {
    VisitPositions<G>(rules, 1, kPositions, [&](const auto& state) {
      if (G::waits(state) == Waits::kEnd || ::testing::Test::HasFailure()) return;
      for (int seat = 0; seat < rules.seats(); ++seat) {
        ForEachMember(Features<G>::OccupiedSquares(rules, state), [&](int square) {
          ExpectWellFormed(OfSquare<G>(rules, state, seat, square), Features<G>::kInputs);
        });
        const auto globals = Globals<G>(rules, state, seat).value;
        for (std::size_t i = 0; i < globals.size(); ++i) {
          EXPECT_TRUE(std::isfinite(globals[i])) << "global " << i;
          EXPECT_LE(std::abs(globals[i]), kLargestWeight) << "global " << i;
          if (i >= Features<G>::kGlobals) {
            EXPECT_EQ(globals[i], 0) << "global " << i;
          }
        }
      }
      if (::testing::Test::HasFailure()) ADD_FAILURE() << G::position(rules, state);
    });
  });
}

TEST(Features, OfDifferentSquaresHaveDifferentIndices) {
  ForFeatureRules([]<class G>(const typename G::Rules& rules) {
    VisitPositions<G>(rules, 2, kPositions / 2, [&](const auto& state) {
      if (G::waits(state) == Waits::kEnd) return;
      for (int seat = 0; seat < rules.seats(); ++seat) {
        std::set<std::uint32_t> indices;
        std::size_t count = 0;
        ForEachFeature<G>(rules, state, Features<G>::Note(rules, state), seat,
                          [&](Feature feature) {
                            ASSERT_LT(feature.index, Features<G>::kInputs);
                            indices.insert(feature.index);
                            ++count;
                          });
        ASSERT_EQ(indices.size(), count) << G::position(rules, state) << " seat " << seat;
      }
    });
  });
}

TEST(Features, SquaresThatAreNotOccupiedHaveNone) {
  ForFeatureRules([]<class G>(const typename G::Rules& rules) {
    VisitPositions<G>(rules, 3, kPositions / 2, [&](const auto& state) {
      const SquareSet occupied = Features<G>::OccupiedSquares(rules, state);
      for (int square = 0; square < Features<G>::Squares(rules); ++square) {
        if (Has(occupied, square)) continue;
        for (int seat = 0; seat < rules.seats(); ++seat) {
          ASSERT_TRUE(OfSquare<G>(rules, state, seat, square).empty());
          ASSERT_EQ(SumsOfSquare<G>(rules, state, seat, square), FeatureSums<G>{});
        }
      }
    });
  });
}

// What the evaluator relies on when it works by differences.
template <Game G>
void ExpectDifferencesSuffice(const typename G::Rules& rules, const typename G::State& from,
                              const typename G::State& to) {
  using F = Features<G>;
  const auto where = [&] {
    return "\nfrom " + G::position(rules, from) + "\nto   " + G::position(rules, to);
  };
  const auto from_facts = F::Note(rules, from);
  const auto to_facts = F::Note(rules, to);
  const auto near_facts = F::NoteNear(rules, from, from_facts, to);
  bool same_frames = true;
  for (int seat = 0; seat < rules.seats(); ++seat) {
    same_frames &= F::Frame(from, seat) == F::Frame(to, seat);
    ASSERT_EQ(F::Sets(rules, near_facts, to, seat), F::Sets(rules, to_facts, to, seat)) << where();
    FeatureGlobals<G> globals;
    F::FillGlobals(rules, to, near_facts, seat, globals.value);
    ASSERT_EQ(globals.value, Globals<G>(rules, to, seat).value) << where();
    if (F::SameGlobals(rules, from, from_facts, to, near_facts)) {
      ASSERT_EQ(globals.value, Globals<G>(rules, from, seat).value) << where();
    }
  }
  if (!same_frames) return;
  const SquareSet changed = F::ChangedSquares(rules, from, to);
  for (int square = 0; square < F::Squares(rules); ++square) {
    const bool same_code = F::SquareCode(rules, from, square) == F::SquareCode(rules, to, square);
    if (Has(changed, square) && !same_code) continue;
    for (int seat = 0; seat < rules.seats(); ++seat) {
      ASSERT_TRUE(
          SameLists(OfSquare<G>(rules, from, seat, square), OfSquare<G>(rules, to, seat, square)))
          << "seat " << seat << " square " << square << where();
      ASSERT_EQ(SumsOfSquare<G>(rules, from, seat, square),
                SumsOfSquare<G>(rules, to, seat, square))
          << "seat " << seat << " square " << square << where();
    }
  }
}

// Most afterstates of a move share their globals: SameGlobals must be of use.
TEST(Features, MostAfterstatesShareTheirGlobals) {
  VisitGame(*ParseGame("race:short:2x9"), []<class G>(const typename G::Rules& rules) {
    using F = Features<G>;
    int same = 0;
    int all = 0;
    VisitDecisions<G>(rules, 4, 200, 1000, [&](const auto&, const auto& children) {
      const auto facts = F::Note(rules, children[0]);
      for (const auto& child : children) {
        same += F::SameGlobals(rules, children[0], facts, child, F::Note(rules, child));
        ++all;
      }
    });
    EXPECT_GT(same, all / 2);
  });
}

TEST(Features, ChangedSquaresCoverEveryDifference) {
  ForFeatureRules([]<class G>(const typename G::Rules& rules) {
    VisitDecisions<G>(rules, 4, kPositions / 4, 12, [&](const auto& parent, const auto& children) {
      for (const auto& child : children) {
        if (::testing::Test::HasFatalFailure()) return;
        ExpectDifferencesSuffice<G>(rules, parent, child);
      }
    });
  });
}

// Between any two states of a game, not only a parent and its afterstates.
TEST(Features, ChangedSquaresCoverDistantStatesToo) {
  ForFeatureRules([]<class G>(const typename G::Rules& rules) {
    std::vector<typename G::State> states;
    VisitPositions<G>(rules, 5, 60, [&](const auto& state) {
      if (G::waits(state) != Waits::kEnd) states.push_back(state);
    });
    for (std::size_t i = 0; i < states.size(); i += 7) {
      for (std::size_t j = 0; j < states.size(); j += 11) {
        if (::testing::Test::HasFatalFailure()) return;
        ExpectDifferencesSuffice<G>(rules, states[i], states[j]);
      }
    }
  });
}

// ---- Relations between squares

// Whether the stack on a path square is the seat's and can be captured by others.
template <class G>
bool IsOpen(const RaceRules& rules, const typename G::State& state, int seat, int square) {
  if (Has(rules.corner_set, square) || !state.tokens.IsPresent(seat, square)) return false;
  for (int mate = 0; mate < rules.players; ++mate) {
    if (rules.side(mate) != rules.side(seat)) continue;
    const int count = state.tokens.ActiveCount(mate, square);
    const bool on_own_color = Has(rules.own_color[static_cast<std::size_t>(mate)], square);
    if (count >= 2 || (count == 1 && on_own_color)) return false;
  }
  return true;
}

// Dice with which a stack of `seat` lands on a square.
template <class G>
int DiceTo(const RaceRules& rules, const typename G::State& state, int seat, int square) {
  int dice = 0;
  for (int die = 1; die <= 6; ++die) {
    const int from = (square + 2 * rules.squares - die) % rules.squares;
    if (state.tokens.IsPresent(seat, from) &&
        rules.Distance(from, state.home[static_cast<std::size_t>(seat)]) > die) {
      ++dice;
    }
  }
  return dice;
}

TEST(Features, RaceSetsSayWhoCanHitWhom) {
  ForFeatureRules([]<class G>(const typename G::Rules& rules) {
    if constexpr (std::is_same_v<typename G::Rules, RaceRules>) {
      using F = Features<G>;
      VisitPositions<G>(rules, 7, 60, [&](const auto& state) {
        if (::testing::Test::HasFailure()) return;
        for (int seat = 0; seat < rules.players; ++seat) {
          if (state.home[static_cast<std::size_t>(seat)] == kNoHome) continue;
          const auto sets = F::Sets(rules, F::Note(rules, state), state, seat);
          for (int square = 0; square < rules.squares; ++square) {
            int threats = 0;
            bool far = false;
            bool target = false;
            for (int other = 0; other < rules.players; ++other) {
              if (rules.side(other) == rules.side(seat)) continue;
              threats += DiceTo<G>(rules, state, other, square);
              for (int steps = 7; steps <= std::min(12, rules.squares - 1); ++steps) {
                const int from = (square + 2 * rules.squares - steps) % rules.squares;
                far |= state.tokens.IsPresent(other, from);
              }
              target |= IsOpen<G>(rules, state, other, square);
            }
            if (!IsOpen<G>(rules, state, seat, square)) {
              threats = 0;
              far = false;
            }
            const int hits = target ? DiceTo<G>(rules, state, seat, square) : 0;
            EXPECT_EQ(Has(sets[F::kThreatened], square), threats >= 1);
            EXPECT_EQ(Has(sets[F::kThreatenedTwice], square), threats >= 2);
            EXPECT_EQ(Has(sets[F::kThreatenedFar], square), far);
            EXPECT_EQ(Has(sets[F::kTarget], square), hits >= 1);
            EXPECT_EQ(Has(sets[F::kTargetTwice], square), hits >= 2);
          }
        }
        if (::testing::Test::HasFailure()) ADD_FAILURE() << G::position(rules, state);
      });
    }
  });
}

// Squares of the other player's stacks that the player on turn can move to, by the rules.
template <class G>
SquareSet Captures(const DuelRules& rules, const typename G::State& state) {
  ActionList<typename G::Action> actions;
  G::legal(rules, state, actions);
  SquareSet captures = 0;
  for (const auto action : actions) {
    const std::string name = G::action_name(rules, state, action);  // m:a1-b1
    const std::string to = name.substr(name.find('-') + 1, 2);
    if (to == "of") continue;  // off the board
    const int square = (to[1] - '1') * rules.width + (to[0] - 'a');
    if (state.tokens.IsPresent(1 - state.turn, square)) captures |= SetOf(square);
  }
  return captures;
}

TEST(Features, DuelSetsSayWhoCanCaptureWhom) {
  ForFeatureRules([]<class G>(const typename G::Rules& rules) {
    if constexpr (std::is_same_v<typename G::Rules, DuelRules>) {
      using F = Features<G>;
      int compared = 0;
      VisitPositions<G>(rules, 8, 200, [&](const auto& state) {
        if (state.phase != DuelPhase::kMove) return;
        const SquareSet captures = Captures<G>(rules, state);
        EXPECT_EQ(F::Sets(rules, F::Note(rules, state), state, state.turn)[F::kTarget], captures)
            << G::position(rules, state);
        EXPECT_EQ(F::Sets(rules, F::Note(rules, state), state, 1 - state.turn)[F::kThreatened],
                  captures)
            << G::position(rules, state);
        ++compared;
      });
      EXPECT_GT(compared, 20);
    }
  });
}

TEST(Features, NamesTellFeatureSetsApart) {
  EXPECT_NE(Features<Race<Race2>>::kName, Features<Race<Race4Valued>>::kName);
  EXPECT_NE(Features<Race<Race2>>::kName, Features<Duel<false>>::kName);
  EXPECT_NE(Features<Duel<true>>::kName, Features<Duel<false>>::kName);
  // One network serves every number of seats.
  EXPECT_EQ(Features<Race<Race2>>::kName, Features<Race<Race16>>::kName);
  EXPECT_EQ(Features<Race<Race2>>::kInputs, Features<Race<Race16>>::kInputs);
}

TEST(Features, MarginsOfFinishedGamesAreOfOrderOne) {
  ForFeatureRules([]<class G>(const typename G::Rules& rules) {
    const float scale = Features<G>::MarginScale(rules);
    EXPECT_GT(scale, 0);
    const auto seats = static_cast<std::size_t>(rules.seats());
    std::vector<std::int64_t> scores(seats);
    VisitPositions<G>(rules, 6, kPositions, [&](const auto& state) {
      G::scores(rules, state, scores);
      std::int64_t all = 0;
      for (const auto score : scores) all += score;
      // In Berd nobody can have more than all that everybody began with.
      for (const auto score : scores) {
        const auto others = static_cast<float>(all - score) / static_cast<float>(seats - 1);
        EXPECT_LE(std::abs(static_cast<float>(score) - others),
                  scale * static_cast<float>(std::max<std::size_t>(seats, 4)));
      }
    });
  });
}

template <class T, std::size_t kSize>
void ExpectFindsEveryDifference() {
  std::array<T, kSize> a{};
  for (std::size_t i = 0; i < kSize; ++i) a[i] = static_cast<T>(7 * i + 1);
  auto b = a;
  EXPECT_EQ(DifferingElements(a, b), 0u);
  SquareSet expected = 0;
  for (const std::size_t i : {std::size_t{0}, kSize / 3, kSize / 2, kSize - 1}) {
    b[i] = static_cast<T>(b[i] ^ T{1} << (8 * sizeof(T) - 1));
    expected |= SetOf(static_cast<int>(i));
    EXPECT_EQ(DifferingElements(a, b), expected) << kSize << " of " << sizeof(T) << " bytes";
  }
}

TEST(DifferingElements, FindsEveryDifference) {
  ExpectFindsEveryDifference<std::uint8_t, 16>();
  ExpectFindsEveryDifference<std::uint8_t, 64>();
  ExpectFindsEveryDifference<std::uint16_t, 32>();
  ExpectFindsEveryDifference<std::uint16_t, 64>();
  ExpectFindsEveryDifference<std::uint32_t, 64>();
  ExpectFindsEveryDifference<std::uint64_t, 64>();
}

}  // namespace
}  // namespace berd
