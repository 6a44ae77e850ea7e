#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "engine/birth/birth.h"
#include "nn/features.h"

namespace berd {

// Features of Birth, in the frame of one seat: the others are numbered by how many seats they come
// after it, so that one encoder serves two and three players. Squares are the five areas, then the
// hand and the piece of each seat.
template <>
struct Features<Birth> {
  using State = BirthState;
  using Rules = BirthRules;

  static constexpr int HandOf(int seat) { return kBirthAreas + 2 * seat; }
  static constexpr int PieceOf(int seat) { return HandOf(seat) + 1; }
  static constexpr bool IsArea(int square) { return square < kBirthAreas; }
  // Requires: not an area.
  static constexpr bool IsHand(int square) { return (square - kBirthAreas) % 2 == 0; }
  static constexpr int OwnerOf(int square) { return (square - kBirthAreas) / 2; }

  // Dice of one value of one player in one place: at least 1, at least 2, (number - 2) / 2 beyond.
  // Inputs of a player's dice are values by these.
  static constexpr std::uint32_t kSteps = 3;
  static constexpr std::uint32_t kDice = kSteps * dice_counts::kValues;

  // How the seat stands in the contest for an area (Score).
  enum Contest : std::uint32_t {
    kAhead,  // scores there alone, with others, or not while others do
    kTied,
    kBehind,
    kPipMargin,   // pips more than the best other player, in tens
    kDiceMargin,  // dice more than the best other player, of 3
    kMargins,     // 13 inputs: what counts, half the pips or the dice, -6 .. 6
    kContests = kMargins + 13,
  };

  enum Sum : std::uint32_t {
    kScore,  // as it stands now: own, of the players after the seat; of the scale
    kScoreOfNext,
    kScoreOfLast,
    kLeadOnNext,
    kLeadOnLast,
    kRelative,  // own, in contests alone
    kHandDice,  // own dice in hand, of 11, and their pips, of 38
    kHandPips,
    kOthersDice,  // the same of all others
    kOthersPips,
    kSums,
  };

  // Members of the first three are 6 * area + value - 1, then 30 + value - 1 for a landing on
  // section 0, which brings a Break.
  enum SetPlane : std::uint32_t {
    kReach,    // values in hand by the area where they land now
    kMatch,    // … where dice of that value lie that will be rerolled or ejected (Play 4)
    kExposed,  // own dice that another player's value matches
    kLead,     // a number: 32 + own score less the best other one, in steps of 4
    kSetPlanes,
  };

  enum SetSum : std::uint32_t {
    kReachCount,  // of 6
    kMatchCount,
    kExposedCount,
    kLeadShare,  // like the sums
    kSetSums,
  };

  enum Global : std::uint32_t {
    kTurnOffset,  // 3 inputs: whose turn it is, in seats after this one
    kPhase = kTurnOffset + kMostBirthPlayers,  // 7 inputs
    kPlacementsLeft = kPhase + 7,              // of all, and of one player's
    kLastRounds,                               // 1 at the end, 1/2 two rounds before it
    kUnrolled,                                 // 5 inputs by area: own dice that Birth will throw
    kUnrolledOfOthers = kUnrolled + kBirthAreas,   // 5 inputs
    kEjectFrom = kUnrolledOfOthers + kBirthAreas,  // 5 inputs by area
    kThree = kEjectFrom + kBirthAreas,             // the rules
    kAdvanced,
    kRelativeOnly,
    kBack,
    kOpening,
    kCustom,
    kGlobals,
  };

  static constexpr std::string_view kName = "birth/1";
  static constexpr std::uint32_t kFrame = 64;
  static constexpr std::uint32_t kFirstContest = kBirthAreas * kMostBirthPlayers * kDice;
  static constexpr std::uint32_t kFirstHand = kFirstContest + kBirthAreas * kContests;
  static constexpr std::uint32_t kFirstPiece = kFirstHand + kMostBirthPlayers * kDice;
  static constexpr std::uint32_t kFirstSet = kFirstPiece + kMostBirthPlayers * kBirthSections;
  static constexpr std::uint32_t kFirstSum = kFirstSet + kSetPlanes * kFrame;
  static constexpr std::uint32_t kFirstSetSum = kFirstSum + kSums;
  static constexpr std::uint32_t kFirstGlobal = kFirstSetSum + kSetSums;
  static constexpr std::uint32_t kInputs = kFirstGlobal + kGlobals;

  // Scores at the end of random and of novice games are 12 to 21 points (standard deviation, by the
  // rules) ahead of the mean of the others.
  static float MarginScale(const Rules&) { return 20; }

  static int Squares(const Rules& rules) { return HandOf(rules.players); }
  static int Members(const Rules&) { return kFrame; }

  static SquareSet OccupiedSquares(const Rules& rules, const State& state) {
    SquareSet occupied = 0;
    for (int area = 0; area < kBirthAreas; ++area) {
      const auto& dice = state.areas[Idx(area)];
      if ((dice[0] | dice[1] | dice[2]) != 0) occupied |= SetOf(area);
    }
    for (int seat = 0; seat < rules.players; ++seat) {
      if (state.hands[Idx(seat)] != 0) occupied |= SetOf(HandOf(seat));
      occupied |= SetOf(PieceOf(seat));
    }
    return occupied;
  }

  static SquareSet ChangedSquares(const Rules&, const State& a, const State& b) {
    SquareSet changed = 0;
    for (int area = 0; area < kBirthAreas; ++area) {
      if (a.areas[Idx(area)] != b.areas[Idx(area)]) changed |= SetOf(area);
    }
    for (int seat = 0; seat < kMostBirthPlayers; ++seat) {
      if (a.hands[Idx(seat)] != b.hands[Idx(seat)]) changed |= SetOf(HandOf(seat));
      if (a.sections[Idx(seat)] != b.sections[Idx(seat)]) changed |= SetOf(PieceOf(seat));
    }
    return changed;
  }

  static std::uint64_t SquareCode(const Rules&, const State& state, int square) {
    if (!IsArea(square)) {
      return IsHand(square) ? state.hands[Idx(OwnerOf(square))]
                            : state.sections[Idx(OwnerOf(square))];
    }
    const auto& dice = state.areas[Idx(square)];
    return Mix64(dice[0] | std::uint64_t{dice[1]} << 24) + dice[2];
  }

  static void AddSquare(const Rules& rules, const State& state, int seat, int square,
                        FeatureList& list) {
    if (IsArea(square)) return AddArea(rules, state, seat, square, list);
    const std::uint32_t after = SeatsAfter(rules, seat, OwnerOf(square));
    if (IsHand(square)) {
      AddDice(state.hands[Idx(OwnerOf(square))], kFirstHand + after * kDice, list);
    } else {
      const std::uint32_t section = state.sections[Idx(OwnerOf(square))];
      list.push_back({kFirstPiece + after * kBirthSections + section, 1});
    }
  }

  static void AddSums(const Rules& rules, const State& state, int seat, int square,
                      std::array<float, kSums>& sums) {
    if (!IsArea(square)) {
      if (!IsHand(square)) return;
      const DiceCounts hand = state.hands[Idx(OwnerOf(square))];
      const bool own = OwnerOf(square) == seat;
      sums[own ? kHandDice : kOthersDice] += static_cast<float>(dice_counts::Total(hand)) / 11;
      sums[own ? kHandPips : kOthersPips] += static_cast<float>(dice_counts::Pips(hand)) / 38;
      return;
    }
    const auto contest = ContestOf(rules, state, square);
    const auto points = [&](int who) {
      const auto rank = contest.rank[Idx(who)];
      const int relative = rank == contest.best ? contest.pips[Idx(who)] : 0;
      const int number = rules.relative ? 0 : kBirthAreaNumbers[Idx(square)];
      return static_cast<float>(relative + number * contest.dice[Idx(who)]) / MarginScale(rules);
    };
    const float own = points(seat);
    sums[kScore] += own;
    if (contest.rank[Idx(seat)] == contest.best) {
      sums[kRelative] += static_cast<float>(contest.pips[Idx(seat)]) / MarginScale(rules);
    }
    for (int after = 1; after < rules.players; ++after) {
      const float other = points((seat + after) % rules.players);
      const auto offset = static_cast<std::uint32_t>(after - 1);
      sums[kScoreOfNext + offset] += other;
      sums[kLeadOnNext + offset] += own - other;
    }
  }

  // By seat.
  struct Facts {
    std::array<SquareSet, kMostBirthPlayers> reach{};
    std::array<SquareSet, kMostBirthPlayers> match{};
    std::array<SquareSet, kMostBirthPlayers> exposed{};
    std::array<int, kMostBirthPlayers> lead{};
  };

  static Facts Note(const Rules& rules, const State& state) {
    Facts facts;
    for (int seat = 0; seat < rules.players; ++seat) NoteReach(rules, state, seat, facts);
    std::array<std::int64_t, kMostBirthPlayers> scores{};
    const auto players = std::span(scores).first(Idx(rules.players));
    Birth::scores(rules, state, players);
    for (int seat = 0; seat < rules.players; ++seat) {
      std::int64_t best_other = 0;
      for (int other = 0; other < rules.players; ++other) {
        if (other != seat) best_other = std::max(best_other, scores[Idx(other)]);
      }
      facts.lead[Idx(seat)] = static_cast<int>(scores[Idx(seat)] - best_other);
    }
    return facts;
  }
  static Facts NoteNear(const Rules& rules, const State&, const Facts&, const State& state) {
    return Note(rules, state);
  }

  using SetArray = std::array<SquareSet, kSetPlanes>;

  static SetArray Sets(const Rules&, const Facts& facts, const State&, int seat) {
    const int step = std::clamp(32 + (facts.lead[Idx(seat)] + 1024) / 4 - 256, 0, 63);
    return {facts.reach[Idx(seat)], facts.match[Idx(seat)], facts.exposed[Idx(seat)], SetOf(step)};
  }

  static int Frame(const State&, int) { return 0; }
  static std::uint32_t FrameIndex(const Rules&, int, int, int square) {
    return static_cast<std::uint32_t>(square);
  }
  static void AddSetSums(const Rules& rules, std::uint32_t plane, std::uint32_t frame_index,
                         std::array<float, kSetSums>& sums) {
    if (plane == kLead) {
      sums[kLeadShare] += 4 * (static_cast<float>(frame_index) - 32) / MarginScale(rules);
    } else if (frame_index < kFirstBreak) {
      sums[kReachCount + plane] += 1.0f / 6;
    }
  }

  static bool SameGlobals(const Rules&, const State& a, const Facts&, const State& b,
                          const Facts&) {
    return a.phase == b.phase && a.turn == b.turn && a.placements == b.placements &&
           a.area == b.area && a.unrolled == b.unrolled;
  }

  template <std::size_t kSize>
  static void FillGlobals(const Rules& rules, const State& state, const Facts&, int seat,
                          std::array<float, kSize>& globals) {
    const auto flag = [&](std::uint32_t global, bool on) { globals[global] = on ? 1.0f : 0.0f; };
    flag(kTurnOffset + SeatsAfter(rules, seat, state.turn), true);
    flag(kPhase + static_cast<std::uint32_t>(state.phase), true);
    const auto left = static_cast<float>(rules.placements() - state.placements);
    const auto players = static_cast<float>(rules.players);
    globals[kPlacementsLeft] = left / static_cast<float>(rules.placements());
    globals[kLastRounds] = 1 / (1 + left / (2 * players));
    if (state.phase == BirthPhase::kBirth) {
      for (int other = 0; other < rules.players; ++other) {
        const std::uint32_t global = other == seat ? kUnrolled : kUnrolledOfOthers;
        globals[global + state.area] += static_cast<float>(state.unrolled >> 4 * other & 15) / 4;
      }
    }
    if (state.phase == BirthPhase::kEject) globals[kEjectFrom + state.area] = 1;
    flag(kThree, rules.players == 3);
    flag(kAdvanced, rules.advanced);
    flag(kRelativeOnly, rules.relative);
    flag(kBack, rules.back);
    flag(kOpening, rules.opening);
    flag(kCustom, rules.custom);
  }

 private:
  static constexpr std::uint32_t kFirstBreak = kBirthAreas * dice_counts::kValues;

  template <class Index>
  static constexpr std::size_t Idx(Index index) {
    return static_cast<std::size_t>(index);
  }

  static std::uint32_t SeatsAfter(const Rules& rules, int seat, int other) {
    return static_cast<std::uint32_t>(other - seat + (other < seat ? rules.players : 0));
  }

  static void AddDice(DiceCounts dice, std::uint32_t first, FeatureList& list) {
    for (std::uint32_t step = 0; step < kSteps; ++step) {
      for (int value = 1; value <= dice_counts::kValues; ++value) {
        const int more = dice_counts::Count(dice, value) - static_cast<int>(step);
        if (more <= 0) continue;
        const std::uint32_t index =
            first + step * dice_counts::kValues + static_cast<std::uint32_t>(value - 1);
        list.push_back({index, step + 1 < kSteps ? 1.0f : static_cast<float>(more) / 2});
      }
    }
  }

  // The contest for an area, by seat; the highest rank scores its pips (Score).
  struct AreaContest {
    std::array<int, kMostBirthPlayers> pips{};
    std::array<int, kMostBirthPlayers> dice{};
    std::array<int, kMostBirthPlayers> rank{};
    int best = 0;
  };

  static AreaContest ContestOf(const Rules& rules, const State& state, int area) {
    AreaContest contest;
    for (int seat = 0; seat < rules.players; ++seat) {
      const DiceCounts dice = state.areas[Idx(area)][Idx(seat)];
      const int pips = contest.pips[Idx(seat)] = dice_counts::Pips(dice);
      const int count = contest.dice[Idx(seat)] = dice_counts::Total(dice);
      const int rank = contest.rank[Idx(seat)] = rules.advanced ? 512 * count - pips : pips;
      contest.best = std::max(contest.best, rank);
    }
    return contest;
  }

  static void AddArea(const Rules& rules, const State& state, int seat, int area,
                      FeatureList& list) {
    const auto place = static_cast<std::uint32_t>(area);
    for (int after = 0; after < rules.players; ++after) {
      const std::uint32_t group = place * kMostBirthPlayers + static_cast<std::uint32_t>(after);
      AddDice(state.areas[Idx(area)][Idx((seat + after) % rules.players)], group * kDice, list);
    }
    const auto contest = ContestOf(rules, state, area);
    if (contest.best == 0) return;
    int best_other = 0;
    int pips = 0;
    int dice = 0;
    for (int other = 0; other < rules.players; ++other) {
      if (other == seat) continue;
      best_other = std::max(best_other, contest.rank[Idx(other)]);
      pips = std::max(pips, contest.pips[Idx(other)]);
      dice = std::max(dice, contest.dice[Idx(other)]);
    }
    pips = contest.pips[Idx(seat)] - pips;
    dice = contest.dice[Idx(seat)] - dice;
    const std::uint32_t first = kFirstContest + place * kContests;
    const int own = contest.rank[Idx(seat)];
    list.push_back({first + (own > best_other ? kAhead : own == best_other ? kTied : kBehind), 1});
    if (pips != 0) list.push_back({first + kPipMargin, static_cast<float>(pips) / 10});
    if (dice != 0) list.push_back({first + kDiceMargin, static_cast<float>(dice) / 3});
    const int margin = std::clamp(rules.advanced ? dice : pips / 2, -6, 6);
    list.push_back({first + kMargins + static_cast<std::uint32_t>(margin + 6), 1});
  }

  // Whether the hand of the seat is about to be thrown again.
  static bool HandIsOld(const State& state, int seat) {
    return state.turn == seat &&
           (state.phase == BirthPhase::kBreak || state.phase == BirthPhase::kDeal);
  }

  static void NoteReach(const Rules& rules, const State& state, int seat, Facts& facts) {
    if (HandIsOld(state, seat)) return;
    ForEachMember(dice_counts::ValueBits(state.hands[Idx(seat)]), [&](int bit) {
      const int value = dice_counts::ValueOfBit(bit);
      const int section = Birth::Landing(rules, state, seat, value);
      const int area = rules.area_of[Idx(section)];
      const SquareSet member = SetOf(dice_counts::kValues * area + value - 1);
      facts.reach[Idx(seat)] |= member;
      if (section == 0) facts.reach[Idx(seat)] |= SetOf(kFirstBreak) << (value - 1);
      for (int other = 0; other < rules.players; ++other) {
        if (rules.advanced && other == seat) continue;
        if (dice_counts::Count(state.areas[Idx(area)][Idx(other)], value) == 0) continue;
        facts.match[Idx(seat)] |= member;
        if (other != seat) facts.exposed[Idx(other)] |= member;
      }
    });
  }
};

}  // namespace berd
