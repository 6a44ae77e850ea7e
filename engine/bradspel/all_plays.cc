#include "engine/bradspel/all_plays.h"

#include <algorithm>

namespace berd::bradspel {

using tables::Play;
using tables::StepFrom;
using tables::StepOf;

namespace {

// The play with one more step of a double, starting points descending.
Play Insert(Play play, int steps, int from) {
  int at = steps;
  for (; at > 0 && StepFrom(play, at - 1) < from; --at) {
    const int behind = StepFrom(play, at - 1);
    play ^= StepOf(behind, at - 1) | StepOf(behind, at);
  }
  return play | StepOf(from, at);
}

}  // namespace

AllPlays::AllPlays(const BradspelRules& rules, const BradspelState& state)
    : rules_(rules), roll_(kAllRolls[state.roll]) {
  if (IsDouble()) {
    // With up to 8 points there are no more than 970 plays, each found at most twice.
    const int points = std::popcount(AtLeast(state.men[state.turn], 1) & ~PointBit(kOff));
    slots_used_ = points <= 8 ? 2048 : kSlots;
    std::fill_n(slots_.begin(), slots_used_, 0);
  }
  const Node root{{state.men[state.turn], state.men[1 - state.turn]}, 0, 0, 0};
  Walk(root, IsDouble() ? tables::kMostSteps : 1, IsDouble() ? 0 : 1);
  Choose();
}

void AllPlays::Walk(const Node& node, int left_high, int left_low) {
  bool goes_on = false;
  if (left_high > 0) goes_on |= WalkDie(node, false, left_high - 1, left_low);
  if (left_low > 0) goes_on |= WalkDie(node, true, left_high, left_low - 1);
  if (!goes_on && node.steps > 0) Add(node, false);
}

// Makes every step of a die; false if there is none.
bool AllPlays::WalkDie(const Node& node, bool low, int left_high, int left_low) {
  const int die = low ? roll_.low : roll_.high;
  const Sight sight = Look(node.men[0], node.men[1]);
  const PointSet blasts = BlastTargets(rules_, node.men[0], node.men[1], sight);
  const PointSet starts = StepStarts(sight.occupied, Landings(sight, blasts), die);
  ForEachMember(starts, [&](int from) {
    Node after = node;
    MakeStep(after.men[0], after.men[1], from, die);
    ++after.steps;
    after.reduction += std::max(die - from, 0);
    after.play =
        IsDouble() ? Insert(node.play, node.steps, from) : node.play | StepOf(from, low ? 1 : 0);
    const bool blast = from > die && tables::HasPoint(sight.bands, from - die);
    const BradspelEnding ending = TestEnd(after.men[0], after.men[1], blast);
    if (ending == BradspelEnding::kSprangjan) after.play |= kBlastLast;
    if (IsDouble() && Seen(after.play)) return;
    if (ending != BradspelEnding::kNone) {
      Add(after, true);
    } else {
      Walk(after, left_high, left_low);
    }
  });
  return starts != 0;
}

void AllPlays::Add(const Node& node, bool ended) {
  found_.push_back({node.play, ended, static_cast<std::uint8_t>(node.steps),
                    static_cast<std::uint8_t>(node.reduction)});
  if (!IsDouble()) positions_.push_back(tables::HashMen(node.men, node.play & kBlastLast));
}

// Notes a play; whether it was there. A play is never 0.
bool AllPlays::Seen(Play play) {
  const std::uint32_t mask = slots_used_ - 1;
  for (std::uint32_t at = (play * 0x9e3779b1u) >> 16 & mask;; at = (at + 1) & mask) {
    if (slots_[at] == play) return true;
    if (slots_[at] == 0) {
      slots_[at] = play;
      return false;
    }
  }
}

// Keeps the legal ones (Legal plays): endings, and of the complete plays those with the most dice,
// with the larger die if with one of two, with the least reduction.
void AllPlays::Choose() {
  const auto rank = [&](const Found& found) {
    // With one of two dice the smaller die is in the second field.
    const int smaller = !IsDouble() && found.steps == 1 && StepFrom(found.play, 0) == 0 ? 1 : 0;
    return (tables::kMostSteps - found.steps) * 1024 + smaller * 512 + found.reduction;
  };
  int best = 1 << 20;
  for (const Found& found : found_) {
    if (!found.ended) best = std::min(best, rank(found));
  }
  if (!IsDouble()) std::fill_n(slots_.begin(), kPairSlots, 0);
  for (std::size_t i = 0; i < found_.size(); ++i) {
    if (!found_[i].ended && rank(found_[i]) != best) continue;
    if (IsDouble() || LeadsElsewhere(i)) plays_.push_back(found_[i].play);
  }
}

// Notes the position that a play with two dice leads to; false if another play led there.
bool AllPlays::LeadsElsewhere(std::size_t found) {
  std::size_t at = positions_[found] % kPairSlots;
  for (; slots_[at] != 0; at = (at + 1) % kPairSlots) {
    if (positions_[slots_[at] - 1] == positions_[found]) return false;
  }
  slots_[at] = static_cast<std::uint32_t>(found + 1);
  return true;
}

}  // namespace berd::bradspel
