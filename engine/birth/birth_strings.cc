// Position and action strings (rules page of Birth, "Strings").

#include "engine/birth/birth_strings.h"

#include <array>

#include "engine/core/find_action.h"
#include "engine/core/text.h"

namespace berd {

namespace birth_strings {

std::string CountsString(DiceCounts dice) {
  std::string text;
  for (int value = 1; value <= dice_counts::kValues; ++value) {
    if (value > 1) text += '.';
    text += std::to_string(dice_counts::Count(dice, value));
  }
  return text;
}

std::optional<DiceCounts> ParseCounts(std::string_view text) {
  const auto parts = Split(text, '.');
  if (parts.size() != dice_counts::kValues) return std::nullopt;
  DiceCounts dice = 0;
  int value = 0;
  for (const auto part : parts) {
    const auto count = ParseNumber(part, 0, kBirthDice);
    if (!count) return std::nullopt;
    dice += *count * dice_counts::One(++value);
  }
  return dice;
}

}  // namespace birth_strings

namespace {

using birth_strings::CountsString;

std::string AreaName(int area) {
  return std::to_string(kBirthAreaNumbers[static_cast<std::size_t>(area)]);
}

std::string PhaseString(const BirthState& state) {
  const std::string place = AreaName(state.area) + ":" + std::to_string(state.value);
  switch (state.phase) {
    case BirthPhase::kDeal:
      return std::string("deal:") + Letter(Seat(state.turn));
    case BirthPhase::kOpening:
      return std::string("opening:") + Letter(Seat(state.turn));
    case BirthPhase::kPlay:
      return "play";
    case BirthPhase::kBirth: {
      std::string letters;
      for (int seat = 0; seat < kMostBirthPlayers; ++seat) {
        if ((state.unrolled >> 4 * seat & 15) != 0) letters += Letter(Seat(seat));
      }
      return "birth:" + place + ":" + letters;
    }
    case BirthPhase::kEject:
      return "eject:" + place;
    case BirthPhase::kBreak:
      return "break";
    case BirthPhase::kEnd:
      return "end";
  }
  return "";
}

}  // namespace

std::string Birth::position(const Rules& rules, const State& state) {
  const auto players = static_cast<std::size_t>(rules.players);
  std::string text = "n=" + std::to_string(state.placements) + " pos=";
  for (std::size_t seat = 0; seat < players; ++seat) {
    text += (seat > 0 ? "," : "") + std::to_string(state.sections[seat]);
  }
  text += " hand=";
  for (std::size_t seat = 0; seat < players; ++seat) {
    text += (seat > 0 ? ";" : "") + CountsString(state.hands[seat]);
  }
  text += " area=";
  for (std::size_t area = 0; area < kBirthAreas; ++area) {
    text += (area > 0 ? "," : "") + AreaName(static_cast<int>(area));
    for (std::size_t seat = 0; seat < players; ++seat) {
      text += (seat > 0 ? '/' : ':') + CountsString(state.areas[area][seat]);
    }
  }
  return text + " turn=" + Letter(Seat(state.turn)) + " phase=" + PhaseString(state);
}

std::string Birth::action_name(const Rules&, const State& state, Action action) {
  switch (state.phase) {
    case BirthPhase::kDeal:
    case BirthPhase::kBreak:
      return "hand:" + CountsString(action);
    case BirthPhase::kBirth:
      return "dice:" + CountsString(action);
    case BirthPhase::kOpening:
      return action == kKeep ? "keep" : "reroll";
    case BirthPhase::kPlay:
      return "v:" + std::to_string(action);
    case BirthPhase::kEject:
      return "to:" + AreaName(static_cast<int>(action));
    case BirthPhase::kEnd:
      break;
  }
  return "";
}

Result<Birth::Action> Birth::parse_action(const Rules& rules, const State& state,
                                          std::string_view text) {
  if (waits(state) != Waits::kChance) return FindAction<Birth>(rules, state, text);
  // Outcomes may be too many to list, so they are read instead of looked for.
  const int dice = DiceToThrow(state);
  const std::string_view prefix = state.phase == BirthPhase::kBirth ? "dice:" : "hand:";
  std::string_view rest = text;
  if (Consume(rest, prefix)) {
    const auto counts = birth_strings::ParseCounts(rest);
    // No wrap: six counts of at most 11 each.
    if (counts && dice_counts::Total(*counts) == dice) return *counts;
  }
  return Fail("action " + Quoted(text) + " is not legal here; legal: '" + std::string(prefix) +
              "' and six counts joined by '.' whose sum is " + std::to_string(dice));
}

}  // namespace berd
