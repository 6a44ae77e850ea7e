// Position strings back to states. Accepts what a game can print: counts of dice must agree with
// the number of placements, and the phase with pieces and dice.

#include <array>
#include <vector>

#include "engine/birth/birth.h"
#include "engine/birth/birth_strings.h"
#include "engine/core/text.h"

namespace berd {

namespace {

constexpr std::array<std::string_view, 6> kFields = {"n", "pos", "hand", "area", "turn", "phase"};
enum Field : std::size_t { kN, kPos, kHand, kArea, kTurn, kPhase };
using Fields = std::array<std::string_view, kFields.size()>;

// "n=… pos=… …", separated by single spaces.
Result<Fields> SplitFields(std::string_view text) {
  const auto parts = Split(text, ' ');
  Fields fields;
  for (std::size_t i = 0; i < kFields.size(); ++i) {
    const std::string key = std::string(kFields[i]) + "=";
    if (i >= parts.size()) return Fail("field '" + key + "' expected at the end");
    fields[i] = parts[i];
    if (!Consume(fields[i], key)) {
      return Fail("field '" + key + "' expected, not " + Quoted(parts[i]));
    }
  }
  if (parts.size() > kFields.size()) {
    return Fail("text after the last field: " + Quoted(parts[kFields.size()]));
  }
  return fields;
}

class Parser {
 public:
  explicit Parser(const BirthRules& rules) : rules_(rules), state_(Birth::initial(rules)) {}

  Result<BirthState> Parse(std::string_view text) {
    const auto fields = SplitFields(text);
    if (!fields) return tl::unexpected(fields.error());
    Result<void> ok = ParsePlacements((*fields)[kN]);
    if (ok) ok = ParsePieces((*fields)[kPos]);
    if (ok) ok = ParseHands((*fields)[kHand]);
    if (ok) ok = ParseAreas((*fields)[kArea]);
    if (ok) ok = ParseTurn((*fields)[kTurn]);
    if (ok) ok = ParsePhase((*fields)[kPhase]);
    if (ok) ok = CheckHands();
    if (ok) ok = CheckAreas();
    if (ok) ok = CheckPhase();
    if (!ok) return tl::unexpected(ok.error());
    return state_;
  }

 private:
  std::size_t players() const { return static_cast<std::size_t>(rules_.players); }
  static std::string Player(std::size_t seat) {
    return std::string("player ") + Letter(Seat(static_cast<int>(seat)));
  }
  // Dice that a player has thrown from its hand.
  int Thrown(std::size_t seat) const {
    const int rest = state_.placements % rules_.players;
    return state_.placements / rules_.players + (static_cast<int>(seat) < rest ? 1 : 0);
  }
  int Unrolled(std::size_t seat) const {
    return static_cast<int>(state_.unrolled >> 4 * seat & 15u);
  }
  int InAreas(std::size_t seat) const {
    int dice = 0;
    for (const auto& area : state_.areas) dice += dice_counts::Total(area[seat]);
    return dice;
  }
  // Dice of the value in question in the area in question.
  int Matching(std::size_t seat) const {
    return dice_counts::Count(state_.areas[state_.area][seat], state_.value);
  }

  Result<void> ParsePlacements(std::string_view text) {
    const auto most = static_cast<std::uint32_t>(rules_.placements());
    const auto number = ParseNumber(text, 0, most);
    if (!number) {
      return Fail("n=" + Quoted(text) + " is not a number of placements from 0 to " +
                  std::to_string(most));
    }
    state_.placements = static_cast<std::uint8_t>(*number);
    return {};
  }

  Result<void> ParsePieces(std::string_view text) {
    const auto parts = Split(text, ',');
    if (parts.size() != players()) {
      return Fail("pos=" + Quoted(text) + " must be " + std::to_string(players()) +
                  " sections joined by ','");
    }
    for (std::size_t seat = 0; seat < players(); ++seat) {
      const auto section = ParseNumber(parts[seat], 0, kBirthSections - 1);
      if (!section) {
        return Fail("pos: " + Quoted(parts[seat]) + " is not a section from 0 to 14");
      }
      if (Thrown(seat) == 0 && *section != seat) {
        return Fail("pos: the piece of " + Player(seat) + " has not moved, so it stands on " +
                    std::to_string(seat) + ", not " + std::to_string(*section));
      }
      for (std::size_t other = 0; other < seat; ++other) {
        if (state_.sections[other] == *section) {
          return Fail("pos: two pieces on section " + std::to_string(*section));
        }
      }
      state_.sections[seat] = static_cast<std::uint8_t>(*section);
    }
    return {};
  }

  // Counts of every seat, joined by `separator`.
  Result<void> ParseSeats(std::string_view text, char separator, BirthState::BySeat& dice) const {
    const auto parts = Split(text, separator);
    if (parts.size() != players()) {
      return Fail(Quoted(text) + " must be the counts of " + std::to_string(players()) +
                  " players joined by '" + separator + "'");
    }
    for (std::size_t seat = 0; seat < players(); ++seat) {
      const auto counts = birth_strings::ParseCounts(parts[seat]);
      if (!counts) {
        return Fail(Quoted(parts[seat]) + " must be six counts from 0 to 11 joined by '.'");
      }
      dice[seat] = *counts;
    }
    return {};
  }

  Result<void> ParseHands(std::string_view text) {
    const auto ok = ParseSeats(text, ';', state_.hands);
    return ok ? ok : Fail("hand", ok.error());
  }

  Result<void> ParseAreas(std::string_view text) {
    const auto parts = Split(text, ',');
    if (parts.size() != kBirthAreas) return Fail("area: five areas joined by ',' expected");
    for (std::size_t area = 0; area < kBirthAreas; ++area) {
      const std::string name = std::to_string(kBirthAreaNumbers[area]);
      std::string_view counts = parts[area];
      if (!Consume(counts, name + ":")) {
        return Fail("area: " + Quoted(parts[area]) + " must start with '" + name + ":'");
      }
      const auto ok = ParseSeats(counts, '/', state_.areas[area]);
      if (!ok) return Fail("area " + name, ok.error());
    }
    return {};
  }

  Result<std::size_t> ParseSeat(std::string_view text) const {
    const char last = Letter(Seat(rules_.players - 1));
    if (text.size() != 1 || text[0] < 'A' || text[0] > last) {
      return Fail("player " + Quoted(text) + " is not a letter from A to " + std::string(1, last));
    }
    return static_cast<std::size_t>(text[0] - 'A');
  }

  Result<void> ParseTurn(std::string_view text) {
    const auto seat = ParseSeat(text);
    if (!seat) return Fail("turn", seat.error());
    state_.turn = static_cast<std::uint8_t>(*seat);
    return {};
  }

  Result<void> ParsePhase(std::string_view text) {
    static constexpr std::array<std::string_view, 7> kNames = {"deal",  "opening", "play", "birth",
                                                               "eject", "break",   "end"};
    const auto parts = Split(text, ':');
    std::size_t name = 0;
    while (name < kNames.size() && kNames[name] != parts[0]) ++name;
    if (name == kNames.size()) {
      return Fail("unknown phase " + Quoted(parts[0]) + DidYouMean(parts[0], kNames) +
                  " (phases: " + JoinAlternatives(kNames) + ")");
    }
    static constexpr std::array<std::size_t, 7> kParts = {2, 2, 1, 4, 3, 1, 1};
    if (parts.size() != kParts[name]) {
      return Fail("phase " + Quoted(text) + " must have " + std::to_string(kParts[name]) +
                  " parts joined by ':'");
    }
    state_.phase = static_cast<BirthPhase>(name);
    if (parts.size() == 2) {
      if (const auto seat = ParseSeat(parts[1]); !seat) return Fail("phase", seat.error());
      if (parts[1][0] != Letter(Seat(state_.turn))) {
        return Fail("turn is that of phase " + Quoted(text));
      }
    }
    if (parts.size() >= 3) return ParsePlace(parts);
    return {};
  }

  // Area, value and letters of birth and eject.
  Result<void> ParsePlace(const std::vector<std::string_view>& parts) {
    std::size_t area = 0;
    while (area < kBirthAreas && std::to_string(kBirthAreaNumbers[area]) != parts[1]) ++area;
    if (area == kBirthAreas) {
      return Fail("phase: " + Quoted(parts[1]) + " is not an area; areas are 1, 2, 3, 5 and 8");
    }
    const auto value = ParseNumber(parts[2], 1, dice_counts::kValues);
    if (!value) return Fail("phase: " + Quoted(parts[2]) + " is not a value from 1 to 6");
    state_.area = static_cast<std::uint8_t>(area);
    state_.value = static_cast<std::uint8_t>(*value);
    if (parts.size() == 3) return {};
    std::size_t next = 0;
    for (std::size_t i = 0; i < parts[3].size(); ++i) {
      const auto seat = ParseSeat(parts[3].substr(i, 1));
      if (!seat) return Fail("phase", seat.error());
      if (*seat < next) return Fail("phase: the letters " + Quoted(parts[3]) + " must ascend");
      next = *seat + 1;
      const int missing = kBirthDice - InAreas(*seat) - dice_counts::Total(state_.hands[*seat]);
      if (missing < 1 || missing > kBirthDice) {
        return Fail(Player(*seat) + " has no dice left to roll");
      }
      state_.unrolled = static_cast<std::uint16_t>(state_.unrolled | missing << 4 * *seat);
    }
    if (parts[3].empty()) return Fail("phase: letters of players still to roll expected");
    return {};
  }

  // All dice are there: in the hand as the placements say, the others in the areas.
  Result<void> CheckHands() const {
    const bool deal = state_.phase == BirthPhase::kDeal;
    const bool first_deal = deal && state_.hands[state_.turn] == 0;
    if (deal && !first_deal && !rules_.opening) {
      return Fail(Player(state_.turn) + " is dealt its first dice, so its hand is empty");
    }
    for (std::size_t seat = 0; seat < players(); ++seat) {
      const int dice = dice_counts::Total(state_.hands[seat]);
      const int right = first_deal && seat >= state_.turn ? 0 : kBirthDice - Thrown(seat);
      if (dice != right) {
        return Fail(Player(seat) + " has " + std::to_string(dice) + " dice in hand, not " +
                    std::to_string(right));
      }
    }
    return {};
  }

  Result<void> CheckAreas() const {
    for (std::size_t seat = 0; seat < players(); ++seat) {
      const int dice = InAreas(seat);
      const int right = Thrown(seat) - Unrolled(seat);
      if (dice != right) {
        return Fail(Player(seat) + " has " + std::to_string(dice) + " dice in the areas, not " +
                    std::to_string(right));
      }
    }
    return {};
  }

  Result<void> CheckPhase() const {
    const bool over = state_.placements == rules_.placements();
    switch (state_.phase) {
      case BirthPhase::kOpening:
        if (!rules_.opening) return Fail("phase opening: the rules have no 'opening'");
        [[fallthrough]];
      case BirthPhase::kDeal:
        return state_.placements == 0 ? Result<void>() : Fail("n must be 0 before the first turn");
      case BirthPhase::kPlay:
        if (over) return Fail("all hands are empty, so the phase must be end");
        return CheckTurn(state_.placements);
      case BirthPhase::kEnd:
        if (!over) return Fail("phase end: not all hands are empty");
        return CheckTurn(state_.placements);
      default:
        break;
    }
    if (state_.placements == 0) return Fail("no die has been placed, so the phase is too early");
    if (auto ok = CheckTurn(state_.placements - 1); !ok) return ok;
    if (state_.phase == BirthPhase::kBreak) return CheckBreak();
    if (rules_.advanced != (state_.phase == BirthPhase::kEject)) {
      return Fail(rules_.advanced ? "phase birth: the advanced rules have eject instead"
                                  : "phase eject: the normal rules have birth instead");
    }
    if (rules_.area_of[state_.sections[state_.turn]] != state_.area) {
      return Fail("phase: the piece of " + Player(state_.turn) + " stands in another area");
    }
    return rules_.advanced ? CheckEject() : CheckBirth();
  }

  Result<void> CheckTurn(int placements) const {
    const int right = placements % rules_.players;
    if (state_.turn == right) return {};
    return Fail("after " + std::to_string(state_.placements) + " placements turn must be " +
                std::string(1, Letter(Seat(right))));
  }

  Result<void> CheckBreak() const {
    if (state_.sections[state_.turn] != 0) {
      return Fail("phase break: the piece of " + Player(state_.turn) + " is not on section 0");
    }
    if (state_.hands[state_.turn] == 0) {
      return Fail("phase break: " + Player(state_.turn) + " has no dice in hand");
    }
    return {};
  }

  Result<void> CheckEject() const {
    int others = 0;
    for (std::size_t seat = 0; seat < players(); ++seat) {
      if (seat != state_.turn) others += Matching(seat);
    }
    if (Matching(state_.turn) == 0 || others == 0) {
      return Fail("phase eject: dice of that value of " + Player(state_.turn) +
                  " and of another player must lie in the area");
    }
    return {};
  }

  // Colours roll in seat order. Those before the first letter have rolled or had nothing to roll,
  // those after it still have all their dice of the value out of the area.
  Result<void> CheckBirth() const {
    const auto first = static_cast<std::size_t>(Lowest(state_.unrolled)) / 4;
    int dice = 0;  // that were or may have been rerolled, those of the turn player included
    for (std::size_t seat = 0; seat < players(); ++seat) {
      const int rolled = seat < first ? dice_counts::Total(state_.areas[state_.area][seat]) : 0;
      if (seat >= first && Matching(seat) != 0) {
        return Fail("phase birth: dice of value " + std::to_string(state_.value) + " of " +
                    Player(seat) + " must be out of the area until they are rolled");
      }
      if (seat == state_.turn && rolled + Unrolled(seat) == 0) {
        return Fail("phase birth: " + Player(seat) + " has a die to roll, that just placed");
      }
      dice += rolled + Unrolled(seat);
    }
    if (dice < 2) return Fail("phase birth: a single die is not rerolled");
    return {};
  }

  const BirthRules& rules_;
  BirthState state_;
};

}  // namespace

Result<BirthState> Birth::parse(const Rules& rules, std::string_view text) {
  auto state = Parser(rules).Parse(text);
  if (!state) return Fail("position", state.error());
  // Every part was read in its one canonical form; this proves it.
  const std::string canonical = position(rules, *state);
  if (canonical != text) {
    return Fail("position " + Quoted(text) + " is not written canonically; right is '" + canonical +
                "'");
  }
  return state;
}

}  // namespace berd
