// Position and action strings of backgammon.

#include <vector>

#include "engine/backgammon/backgammon.h"
#include "engine/core/find_action.h"
#include "engine/core/text.h"
#include "engine/tables/notation.h"
#include "engine/tables/position.h"

namespace berd {
namespace {

using tables::kBar;
using tables::kOff;
using tables::Men;
using tables::Numbering;
using tables::PointSet;
using tables::SideText;

constexpr std::array<std::string_view, 5> kEndings = {"none", "single", "gammon", "backgammon",
                                                      "cap"};

constexpr tables::PositionStyle kStyle = {.numbering = Numbering::kDescending, .start = "open"};

std::string EndingText(BackgammonEnding ending) {
  return std::string(kEndings[static_cast<std::size_t>(ending)]);
}

std::string OpeningText(std::uint32_t action) {
  const bool black = action < 15;
  for (std::uint32_t roll = 0, unequal = action % 15; roll < kRolls; ++roll) {
    if (kAllRolls[roll].is_double()) continue;
    if (unequal-- == 0) {
      return std::string("open:") + (black ? 'B' : 'W') + tables::RollText(static_cast<int>(roll));
    }
  }
  return "open:?";
}

// Walks over all orders of steps that lead to the position of one play.
class PlayNames {
 public:
  PlayNames(const BackgammonState& state, tables::Play play, const std::array<Men, 2>& target)
      : roll_(kAllRolls[state.roll]), turn_(state.turn), target_(target) {
    for (int step = 0; step < tables::kMostSteps; ++step) {
      ++starts_left_[tables::StepFrom(play, step)];
    }
  }

  // `left` dice of each kind remain; a double counts as the larger die only.
  void Walk(const std::array<Men, 2>& men, int left_high, int left_low, const std::string& name) {
    if (left_high > 0) WalkDie(men, roll_.high, left_high - 1, left_low, name);
    if (left_low > 0) WalkDie(men, roll_.low, left_high, left_low - 1, name);
  }
  const std::string& best() const { return best_; }

 private:
  void WalkDie(const std::array<Men, 2>& men, int die, int left_high, int left_low,
               const std::string& name) {
    const Men& own = men[turn_];
    const Men& other = men[1 - turn_];
    PointSet open = 0;
    for (int point = 1; point <= tables::kPoints; ++point) {
      open |= other[kBar - point] < 2 ? tables::PointBit(point) : 0;
    }
    const PointSet starts =
        backgammon::StepStarts(AtLeast(own, 1) & ~tables::PointBit(kOff), open, die);
    ForEachMember(starts, [&](int from) {
      // A double makes the steps of its play in some order, so others need not be tried.
      if (roll_.is_double() && starts_left_[from] == 0) return;
      auto after = men;
      backgammon::MakeStep(after[turn_], after[1 - turn_], from, die);
      const bool hit = after[1 - turn_][kBar] > other[kBar];
      const int to = from > die ? from - die : kOff;
      const bool stops = left_high + left_low == 0;
      if (stops && after != target_) return;
      const std::string longer = name + (name.empty() ? "" : ",") +
                                 tables::StepText(from, to, Numbering::kDescending) +
                                 (hit ? "*" : "");
      if (stops) {
        if (best_.empty() || longer < best_) best_ = longer;
        return;
      }
      --starts_left_[from];
      Walk(after, left_high, left_low, longer);
      ++starts_left_[from];
    });
  }

  const Roll& roll_;
  std::size_t turn_;
  const std::array<Men, 2>& target_;
  Men starts_left_;  // steps of the play that are still to be made, by starting point
  std::string best_;
};

Result<BackgammonEnding> ParseEnding(std::string_view text) {
  for (std::size_t i = 1; i < kEndings.size(); ++i) {
    if (text == kEndings[i]) return static_cast<BackgammonEnding>(i);
  }
  return Fail("unknown ending " + Quoted(text) + "; it is single, gammon, backgammon or cap");
}

// What contradicts the rules in a position put together from its fields.
Result<void> Check(const BackgammonState& state) {
  for (int point = 1; point <= tables::kPoints; ++point) {
    if (state.men[0][point] > 0 && state.men[1][kBar - point] > 0) {
      return Fail("point " + std::to_string(point) + " of W (" + std::to_string(kBar - point) +
                  " of B) holds men of both sides");
    }
  }
  const bool won =
      state.ending != BackgammonEnding::kNone && state.ending != BackgammonEnding::kCap;
  for (std::size_t seat = 0; seat < 2; ++seat) {
    const bool all_off = state.men[seat][kOff] == tables::kMen;
    const std::string name(1, tables::kSideLetters[seat]);
    if (all_off && !(won && state.turn == seat)) {
      return Fail(name + " has borne off all men, so it must be turn=" + name +
                  " and phase=end:single, end:gammon or end:backgammon");
    }
    if (won && state.turn == seat && !all_off) {
      return Fail("phase=end:" + EndingText(state.ending) + " needs 15 men of " + name + " off");
    }
  }
  if (won) {
    const auto right = backgammon::EndingOf(state.men[1 - state.turn]);
    if (right != state.ending) {
      return Fail("the ending is " + EndingText(right) + ", not " + EndingText(state.ending));
    }
  }
  return {};
}

}  // namespace

std::string Backgammon::position(const Rules&, const State& state) {
  return tables::PositionText(state, kStyle, EndingText(state.ending));
}

Result<BackgammonState> Backgammon::parse(const Rules& rules, std::string_view text) {
  return tables::ParsePosition<Backgammon>(rules, text, kStyle, ParseEnding, Check);
}

std::string Backgammon::action_name(const Rules& rules, const State& state, Action action) {
  if (state.phase == tables::Phase::kStart) return OpeningText(action);
  if (state.phase == tables::Phase::kRoll) {
    return "roll:" + tables::RollText(static_cast<int>(action));
  }
  if (action == tables::kPass) return "pass";
  State after = state;
  apply(rules, after, action);
  int high = 0;
  int low = 0;
  for (int step = 0; step < tables::kMostSteps; ++step) {
    if (tables::StepFrom(action, step) == 0) continue;
    ++(kAllRolls[state.roll].is_double() || step == 0 ? high : low);
  }
  PlayNames names(state, action, after.men);
  names.Walk(state.men, high, low, "");
  return names.best();
}

Result<tables::Play> Backgammon::parse_action(const Rules& rules, const State& state,
                                              std::string_view text) {
  return FindAction<Backgammon>(rules, state, text);
}

}  // namespace berd
