// Position and action strings of Brädspel.

#include <vector>

#include "engine/bradspel/bradspel.h"
#include "engine/bradspel/steps.h"
#include "engine/core/find_action.h"
#include "engine/core/text.h"
#include "engine/tables/notation.h"
#include "engine/tables/position.h"

namespace berd {
namespace {

using bradspel::kBar;
using bradspel::kOff;
using bradspel::Men;
using bradspel::Op;
using bradspel::PointSet;
using tables::Numbering;

constexpr std::array<std::string_view, 9> kEndings = {"none",     "sprangjan",      "jan",
                                                      "kronspel", "dubbelkronspel", "trappspel",
                                                      "uppspel",  "hemspel",        "cap"};

constexpr tables::PositionStyle kStyle = {.numbering = Numbering::kAscending, .start = "start"};

std::string EndingText(const BradspelOutcome& outcome) {
  return std::string(kEndings[static_cast<std::size_t>(outcome.ending)]) +
         (outcome.munk ? "+munk" : "");
}

// Walks over the sequences of steps that lead to the position and result of one play. An ending may
// be reached with more or fewer dice; a complete play has as many steps as the play has.
class PlayNames {
 public:
  PlayNames(const BradspelRules& rules, const BradspelState& state, tables::Play play,
            const BradspelState& target)
      : rules_(rules),
        roll_(kAllRolls[state.roll]),
        turn_(state.turn),
        target_(target.men),
        ending_(target.ending == BradspelEnding::kCap ? BradspelEnding::kNone : target.ending) {
    int high = 0;
    int low = 0;
    for (int step = 0; step < tables::kMostSteps; ++step) {
      const int from = tables::StepFrom(play, step);
      ++starts_left_[from];
      if (from != 0) ++(step == 0 || roll_.is_double() ? high : low);
    }
    // An ending leaves the number of dice open, a complete play does not.
    if (ending_ != BradspelEnding::kNone && !roll_.is_double()) high = low = 1;
    Walk(state.men, high, low, "");
  }
  const std::string& best() const { return best_; }

 private:
  void Walk(const std::array<Men, 2>& men, int left_high, int left_low, const std::string& name) {
    if (left_high > 0) WalkDie(men, roll_.high, left_high - 1, left_low, name);
    if (left_low > 0) WalkDie(men, roll_.low, left_high, left_low - 1, name);
  }

  void WalkDie(const std::array<Men, 2>& men, int die, int left_high, int left_low,
               const std::string& name) {
    const Men& own = men[turn_];
    const Men& other = men[1 - turn_];
    const auto sight = bradspel::Look(own, other);
    const PointSet landings =
        bradspel::Landings(sight, bradspel::BlastTargets(rules_, own, other, sight));
    ForEachMember(bradspel::StepStarts(sight.occupied, landings, die), [&](int from) {
      // A double makes the steps of its play in some order, so others need not be tried.
      if (roll_.is_double() && starts_left_[from] == 0) return;
      auto after = men;
      bradspel::MakeStep(after[turn_], after[1 - turn_], from, die);
      const int to = from > die ? from - die : kOff;
      const int hit = after[1 - turn_][kBar] - other[kBar];
      const auto ending = bradspel::TestEnd(after[turn_], after[1 - turn_], hit > 1);
      const bool stops = ending != BradspelEnding::kNone || left_high + left_low == 0;
      if (stops && (ending != ending_ || after != target_)) return;
      const std::string longer = name + (name.empty() ? "" : ",") +
                                 tables::StepText(from, to, Numbering::kAscending) +
                                 (hit == 0   ? ""
                                  : hit == 1 ? "*"
                                             : "!");
      if (stops) {
        if (best_.empty() || longer < best_) best_ = longer;
        return;
      }
      --starts_left_[from];
      Walk(after, left_high, left_low, longer);
      ++starts_left_[from];
    });
  }

  const BradspelRules& rules_;
  const Roll& roll_;
  std::size_t turn_;
  const std::array<Men, 2>& target_;
  const BradspelEnding ending_;  // kNone for a complete play
  Men starts_left_;              // steps of the play that are still to be made, by starting point
  std::string best_;
};

// The munk is not read here: it follows from the men, and the canonical string shows it.
Result<BradspelEnding> ParseEnding(std::string_view text) {
  const std::string_view kind = text.substr(0, text.find('+'));
  for (std::size_t i = 1; i < kEndings.size(); ++i) {
    if (kind == kEndings[i]) return static_cast<BradspelEnding>(i);
  }
  const std::span<const std::string_view> known(kEndings.begin() + 1, kEndings.end());
  return Fail("unknown ending " + Quoted(text) + "; it is " + JoinAlternatives(known) +
              ", patterns and hemspel perhaps with +munk");
}

Result<void> CheckBoard(const BradspelState& state) {
  for (int point = 1; point <= tables::kPoints; ++point) {
    const int tongue = tables::Renumber(point, Numbering::kAscending);
    if (state.men[0][point] > 0 && state.men[1][Op(point)] > 0) {
      const int across = tables::Renumber(Op(point), Numbering::kAscending);
      return Fail("tongue " + std::to_string(tongue) + " of W (" + std::to_string(across) +
                  " of B) holds men of both sides");
    }
    for (std::size_t seat = 0; seat < 2; ++seat) {
      if (tongue >= 2 && tongue <= 11 && state.men[seat][point] > 1) {
        return Fail("tongue " + std::to_string(tongue) + " of " + tables::kSideLetters[seat] +
                    " holds two men; 2 to 11 hold one each");
      }
    }
  }
  return {};
}

// What contradicts the rules in a position put together from its fields.
Result<void> Check(const BradspelState& state) {
  if (auto ok = CheckBoard(state); !ok) return ok;
  const bool won = state.ending != BradspelEnding::kNone && state.ending != BradspelEnding::kCap;
  for (std::size_t seat = 0; seat < 2; ++seat) {
    if (state.men[seat][kOff] == tables::kMen && !(won && state.turn == seat)) {
      const std::string name(1, tables::kSideLetters[seat]);
      return Fail(name + " has borne off all men, so it must be turn=" + name +
                  " and phase=end:hemspel");
    }
  }
  if (!won) return {};
  const bool blast = state.ending == BradspelEnding::kSprangjan;
  const auto right = bradspel::TestEnd(state.men[state.turn], state.men[1 - state.turn], blast);
  if (right == state.ending) return {};
  if (right == BradspelEnding::kNone) {
    return Fail("phase=end:" + EndingText(Bradspel::outcome(state)) + ": " +
                tables::kSideLetters[state.turn] + " has not won in this position");
  }
  BradspelState corrected = state;
  corrected.ending = right;
  return Fail("the ending is " + EndingText(Bradspel::outcome(corrected)) + ", not " +
              EndingText(Bradspel::outcome(state)));
}

}  // namespace

std::string Bradspel::position(const Rules&, const State& state) {
  return tables::PositionText(state, kStyle, EndingText(outcome(state)));
}

Result<BradspelState> Bradspel::parse(const Rules& rules, std::string_view text) {
  return tables::ParsePosition<Bradspel>(rules, text, kStyle, ParseEnding, Check);
}

std::string Bradspel::action_name(const Rules& rules, const State& state, Action action) {
  if (state.phase == tables::Phase::kStart) return action == 0 ? "start:B" : "start:W";
  if (state.phase == tables::Phase::kRoll) {
    return "roll:" + tables::RollText(static_cast<int>(action));
  }
  if (action == tables::kPass) return "pass";
  State after = state;
  apply(rules, after, action);
  return PlayNames(rules, state, action, after).best();
}

Result<tables::Play> Bradspel::parse_action(const Rules& rules, const State& state,
                                            std::string_view text) {
  return FindAction<Bradspel>(rules, state, text);
}

}  // namespace berd
