#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "engine/berd/duel.h"
#include "engine/berd/rules.h"

namespace berd {

inline DuelRules DuelRulesFor(const std::string& text) {
  return std::get<DuelRules>(ParseRules(text).value());
}

// A state together with the whole moves (carries included) that are legal in it.
using DuelLine = std::vector<Duel<false>::Action>;

template <class Visit>
void ForEachDuelMove(const DuelRules& rules, const Duel<false>::State& state, Visit&& visit,
                     DuelLine line = {}) {
  ActionList<Duel<false>::Action> actions;
  Duel<false>::legal(rules, state, actions);
  for (const auto action : actions) {
    Duel<false>::State after = state;
    Duel<false>::apply(rules, after, action);
    line.push_back(action);
    if (after.phase == DuelPhase::kCarry || after.phase == DuelPhase::kPlace) {
      ForEachDuelMove(rules, after, visit, line);
    } else {
      visit(std::as_const(after), std::as_const(line));
    }
    line.pop_back();
  }
}

}  // namespace berd
