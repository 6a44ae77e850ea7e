#include "tools/play/words_birth.h"

#include "engine/birth/birth.h"
#include "engine/birth/birth_strings.h"
#include "engine/core/text.h"
#include "tools/play/game_face.h"

namespace berd {

namespace {

const PositionOf<Birth>& BirthOf(const AnyPosition& position) {
  return dynamic_cast<const PositionOf<Birth>&>(position);
}

// A value from 1 to 6, an area number, at the end of an action.
int NumberOf(std::string_view action) {
  return static_cast<int>(ParseNumber(ActionTail(action), 0, 100).value_or(0));
}

std::string AreaText(std::size_t area) { return "area " + std::to_string(kBirthAreaNumbers[area]); }

class Words final : public GameWords {
 public:
  explicit Words(const PositionOf<Birth>& position)
      : rules_(position.game_rules()), state_(position.state()) {}

  std::string Question() const override {
    switch (state_.phase) {
      case BirthPhase::kOpening:
        return "your hand is " + DiceText(state_.hands[state_.turn], " ") +
               ". Keep it, or roll it again once?";
      case BirthPhase::kEject:
        return "where do the " + std::to_string(state_.value) + "s of the others in " +
               AreaText(state_.area) + " go?";
      default:
        return "which value do you play?";
    }
  }

  std::string Effect(std::string_view action) const override {
    if (action.starts_with("to:")) return "area " + std::string(ActionTail(action));
    if (!action.starts_with("v:")) return "";
    const Placement placement = PlacementOf(NumberOf(action));
    std::string text =
        "to section " + std::to_string(placement.section) + ", " + AreaText(placement.area);
    if (placement.jump) text += ", a jump";
    if (placement.dice > 0) {
      const std::string dice =
          std::to_string(placement.dice) + (placement.dice == 1 ? " die" : " dice");
      text += rules_.advanced ? "; Eject of " + dice : "; Birth, " + dice + " rolled again";
    }
    if (placement.breaks) text += "; Break, your hand is rolled again";
    return text;
  }

  std::string Story(std::string_view action) const override {
    std::string_view counts = action;
    if (Consume(counts, "hand:") || Consume(counts, "dice:")) {
      const auto dice = DiceText(birth_strings::ParseCounts(counts).value_or(0), " ");
      if (state_.phase == BirthPhase::kDeal) return "rolls the hand " + dice;
      if (state_.phase == BirthPhase::kBreak) return "has the new hand " + dice;
      return "rolls " + dice + " for " + Letter(NextToRoll());
    }
    if (action == "keep") return "keeps the hand";
    if (action == "reroll") return "rolls the hand again";
    if (action.starts_with("to:")) {
      return "ejects the " + std::to_string(state_.value) + "s of the others from " +
             AreaText(state_.area) + " to area " + std::string(ActionTail(action));
    }
    const int value = NumberOf(action);
    const Placement placement = PlacementOf(value);
    std::string text = "plays a " + std::to_string(value) + " to section " +
                       std::to_string(placement.section) + ", " + AreaText(placement.area);
    if (placement.jump) text += ", by a jump";
    if (placement.dice > 0 && !rules_.advanced) {
      text += ", Birth of " + std::to_string(placement.dice) + " dice";
    } else if (placement.dice > 0) {
      text += ", Eject";
    }
    return placement.breaks ? text + ", Break" : text;
  }

  OutcomeQuestion AskOutcome(char turn, std::span<const std::string>) const override {
    const int dice = Birth::DiceToThrow(state_);
    const char whose = state_.phase == BirthPhase::kBirth ? Letter(NextToRoll()) : turn;
    const std::string count = std::to_string(dice) + (dice == 1 ? " die" : " dice");
    return {count + " of " + whose,
            "Type " + count + ", each from 1 to 6, as 1135; Enter lets the program roll."};
  }

  // "114", or the counts "2.0.0.1.0.0".
  std::optional<std::string> ReadOutcome(std::string_view typed,
                                         std::span<const std::string>) const override {
    const std::string plain = PlainTyping(ActionTail(typed));
    auto dice = birth_strings::ParseCounts(plain);
    if (!dice) {
      if (plain.size() > dice_counts::kMostDice) return std::nullopt;
      dice = 0;
      for (const char c : plain) {
        if (c < '1' || c > '6') return std::nullopt;
        *dice += dice_counts::One(c - '0');
      }
    }
    if (dice_counts::Total(*dice) != Birth::DiceToThrow(state_)) return std::nullopt;
    return (state_.phase == BirthPhase::kBirth ? "dice:" : "hand:") +
           birth_strings::CountsString(*dice);
  }

 private:
  // What comes of playing a value.
  struct Placement {
    int section = 0;
    std::size_t area = 0;
    bool jump = false;
    int dice = 0;  // rolled again by Birth, the new one included, or moved by Eject
    bool breaks = false;
  };

  Placement PlacementOf(int value) const {
    Placement placement;
    const int seat = state_.turn;
    placement.section = Birth::Landing(rules_, state_, seat, value);
    placement.area = rules_.area_of[static_cast<std::size_t>(placement.section)];
    const int straight = (state_.sections[state_.turn] + value) % kBirthSections;
    placement.jump = placement.section != straight;
    for (int other = 0; other < rules_.players; ++other) {
      if (rules_.advanced && other == seat) continue;
      placement.dice +=
          dice_counts::Count(state_.areas[placement.area][static_cast<std::size_t>(other)], value);
    }
    if (!rules_.advanced && placement.dice > 0) ++placement.dice;
    placement.breaks = placement.section == 0 && dice_counts::Total(state_.hands[state_.turn]) > 1;
    return placement;
  }

  // Whose dice a Birth rolls next: colour by colour.
  Seat NextToRoll() const {
    int seat = 0;
    while (seat + 1 < kMostBirthPlayers && (state_.unrolled >> 4 * seat & 15) == 0) ++seat;
    return Seat(seat);
  }

  BirthRules rules_;
  BirthState state_;
};

}  // namespace

std::unique_ptr<GameWords> BirthWords(const AnyPosition& position, std::optional<Seat> /*viewer*/) {
  return std::make_unique<Words>(BirthOf(position));
}

std::string DiceText(DiceCounts dice, std::string_view gap) {
  std::string text;
  for (int value = 1; value <= dice_counts::kValues; ++value) {
    for (int i = dice_counts::Count(dice, value); i > 0; --i) {
      if (!text.empty()) text += gap;
      text += std::to_string(value);
    }
  }
  return text.empty() ? "-" : text;
}

}  // namespace berd
