#include "engine/birth/birth.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>

#include "engine/core/bits.h"

namespace berd {

namespace {

using dice_counts::Count;
using dice_counts::One;
using dice_counts::OnlyValue;

template <class Index>
constexpr std::size_t Idx(Index index) {
  return static_cast<std::size_t>(index);
}

// The seat whose unrolled dice come next (seat order). Requires: there are some.
int NextToRoll(const BirthState& state) { return Lowest(state.unrolled) / 4; }

void PassTurn(const BirthRules& rules, BirthState& state) {
  const int next = state.turn + 1;
  state.turn = static_cast<std::uint8_t>(next == rules.players ? 0 : next);
  state.phase = state.placements == rules.placements() ? BirthPhase::kEnd : BirthPhase::kPlay;
}

// Play 5: a Break if the piece stands on section 0, else the next seat.
void FinishTurn(const BirthRules& rules, BirthState& state) {
  state.area = state.value = 0;
  if (state.sections[state.turn] == 0 && state.hands[state.turn] != 0) {
    state.phase = BirthPhase::kBreak;
  } else {
    PassTurn(rules, state);
  }
}

// Play 4, normal rules: takes all dice of the value out of the area.
void StartBirth(BirthState& state, int area, int value) {
  std::uint32_t unrolled = 0;
  for (int seat = 0; seat < kMostBirthPlayers; ++seat) {
    DiceCounts& dice = state.areas[Idx(area)][Idx(seat)];
    unrolled |= static_cast<std::uint32_t>(Count(dice, value)) << 4 * seat;
    dice -= OnlyValue(dice, value);
  }
  state.unrolled = static_cast<std::uint16_t>(unrolled);
}

void ApplyPlay(const BirthRules& rules, BirthState& state, int value) {
  const int seat = state.turn;
  assert(Count(state.hands[Idx(seat)], value) > 0);
  const int section = Birth::Landing(rules, state, seat, value);
  const int area = rules.area_of[Idx(section)];
  auto& dice = state.areas[Idx(area)];
  DiceCounts matching = dice[0] | dice[1] | dice[2];
  if (rules.advanced) {
    matching = 0;
    for (int other = 0; other < kMostBirthPlayers; ++other) {
      if (other != seat) matching |= dice[Idx(other)];
    }
  }
  state.hands[Idx(seat)] -= One(value);
  dice[Idx(seat)] += One(value);
  state.sections[Idx(seat)] = static_cast<std::uint8_t>(section);
  ++state.placements;
  if (OnlyValue(matching, value) == 0) return FinishTurn(rules, state);
  state.area = static_cast<std::uint8_t>(area);
  state.value = static_cast<std::uint8_t>(value);
  state.phase = rules.advanced ? BirthPhase::kEject : BirthPhase::kBirth;
  if (!rules.advanced) StartBirth(state, area, value);
}

void ApplyBirth(const BirthRules& rules, BirthState& state, DiceCounts dice) {
  const int seat = NextToRoll(state);
  state.areas[state.area][Idx(seat)] += dice;
  state.unrolled = static_cast<std::uint16_t>(state.unrolled & ~(15u << 4 * seat));
  if (state.unrolled == 0) FinishTurn(rules, state);
}

// Play 4, advanced rules: the dice of the others go to the chosen neighbour.
void MoveEjected(BirthState& state, std::size_t to) {
  for (int other = 0; other < kMostBirthPlayers; ++other) {
    if (other == state.turn) continue;
    DiceCounts& dice = state.areas[state.area][Idx(other)];
    const DiceCounts ejected = OnlyValue(dice, state.value);
    dice -= ejected;
    state.areas[to][Idx(other)] += ejected;
  }
}

// After the deal of the last seat, and after an opening decision.
void StartOpeningOrPlay(const BirthRules& rules, BirthState& state, int next) {
  if (rules.opening && next < rules.players) {
    state.turn = static_cast<std::uint8_t>(next);
    state.phase = BirthPhase::kOpening;
  } else {
    state.turn = 0;
    state.phase = BirthPhase::kPlay;
  }
}

void ApplyDeal(const BirthRules& rules, BirthState& state, DiceCounts dice) {
  DiceCounts& hand = state.hands[state.turn];
  const bool first = hand == 0;
  hand = dice;
  if (!first) return StartOpeningOrPlay(rules, state, state.turn + 1);
  if (++state.turn == rules.players) StartOpeningOrPlay(rules, state, 0);
}

}  // namespace

BirthState Birth::initial(const Rules& rules) {
  State state;
  for (int seat = 0; seat < rules.players; ++seat) {
    state.sections[Idx(seat)] = static_cast<std::uint8_t>(seat);
  }
  return state;
}

int Birth::Landing(const Rules& rules, const State& state, int seat, int value) {
  // Pieces of the others, as a set of sections.
  std::uint32_t others = 0;
  for (int other = 0; other < rules.players; ++other) {
    if (other != seat) others |= 1u << state.sections[Idx(other)];
  }
  int section = state.sections[Idx(seat)];
  do {
    section += value;
    if (section >= kBirthSections) section -= kBirthSections;
  } while (others >> section & 1);
  return section;
}

int Birth::DiceToThrow(const State& state) {
  switch (state.phase) {
    case BirthPhase::kBirth:
      return static_cast<int>(state.unrolled >> 4 * NextToRoll(state) & 15u);
    case BirthPhase::kBreak:
      return dice_counts::Total(state.hands[state.turn]);
    default:
      return kBirthDice;
  }
}

void Birth::legal(const Rules& rules, const State& state, ActionList<Action>& actions) {
  actions.clear();
  switch (state.phase) {
    case BirthPhase::kPlay:
      ForEachMember(dice_counts::ValueBits(state.hands[state.turn]), [&](int bit) {
        actions.push_back(static_cast<Action>(dice_counts::ValueOfBit(bit)));
      });
      break;
    case BirthPhase::kEject:
      for (const auto area : rules.neighbours[state.area]) actions.push_back(area);
      break;
    case BirthPhase::kOpening:
      actions.push_back(kKeep);
      actions.push_back(kReroll);
      break;
    default:
      break;
  }
}

Birth::Action Birth::sample_legal(const Rules& rules, const State& state, RandomStream& random) {
  if (state.phase == BirthPhase::kPlay) {
    const DiceCounts values = dice_counts::ValueBits(state.hands[state.turn]);
    const auto rank = random.Below(static_cast<std::uint32_t>(std::popcount(values)));
    return static_cast<Action>(dice_counts::ValueOfBit(NthMember(values, static_cast<int>(rank))));
  }
  const auto choice = random.Below(2);
  return state.phase == BirthPhase::kEject ? rules.neighbours[state.area][choice] : choice;
}

bool Birth::chance(const Rules&, const State& state, ActionList<Outcome<Action>>& outcomes) {
  outcomes.clear();
  if (waits(state) != Waits::kChance) return true;
  const int dice = DiceToThrow(state);
  if (dice_counts::Outcomes(dice) > kMostListed) return false;
  dice_counts::ListOutcomes(dice, outcomes);
  return true;
}

Birth::Action Birth::sample_chance(const Rules&, const State& state, RandomStream& random) {
  return dice_counts::Throw(DiceToThrow(state), random);
}

void Birth::apply(const Rules& rules, State& state, Action action) {
  switch (state.phase) {
    case BirthPhase::kPlay:
      return ApplyPlay(rules, state, static_cast<int>(action));
    case BirthPhase::kBirth:
      return ApplyBirth(rules, state, action);
    case BirthPhase::kEject:
      MoveEjected(state, action);
      return FinishTurn(rules, state);
    case BirthPhase::kBreak:
      state.hands[state.turn] = action;
      return PassTurn(rules, state);
    case BirthPhase::kDeal:
      return ApplyDeal(rules, state, action);
    case BirthPhase::kOpening:
      if (action == kKeep) {
        StartOpeningOrPlay(rules, state, state.turn + 1);
      } else {
        state.phase = BirthPhase::kDeal;
      }
      return;
    case BirthPhase::kEnd:
      assert(false);
  }
}

// A sum of independent hashes of words, which the processor works on side by side. The number of
// placements is the turn counter and stays out.
std::uint64_t Birth::key(const State& state) {
  std::uint64_t key = 0;
  std::uint64_t next = 0;
  const auto add = [&](std::uint64_t word) { key += Mix64(word ^ KeyConstant(next++)); };
  for (std::size_t seat = 0; seat < kMostBirthPlayers; ++seat) {
    // Words of two areas and 8 bits of the hand each hold 24 + 24 + 8 bits.
    const DiceCounts hand = state.hands[seat];
    const auto dice = [&](std::size_t area) { return std::uint64_t{state.areas[area][seat]}; };
    add(dice(0) | dice(1) << 24 | std::uint64_t{hand & 0xffff} << 48);
    add(dice(2) | dice(3) << 24 | std::uint64_t{hand >> 16} << 48);
    add(dice(4) | std::uint64_t{state.sections[seat]} << 24);
  }
  add(static_cast<std::uint64_t>(state.phase) | std::uint64_t{state.turn} << 8 |
      std::uint64_t{state.area} << 16 | std::uint64_t{state.value} << 24 |
      std::uint64_t{state.unrolled} << 32);
  return key;
}

}  // namespace berd
