#include "tools/play/tables_view.h"

#include "engine/backgammon/backgammon.h"
#include "engine/bradspel/bradspel.h"

namespace berd {

namespace {

constexpr const char* kCapName = "the allowed turns are over";

template <class State>
void ReadState(const State& state, TablesView& view) {
  view.men = state.men;
  view.turn = state.turn;
  view.over = state.phase == tables::Phase::kEnd;
  if (state.phase == tables::Phase::kPlay) view.dice = kAllRolls[state.roll];
}

std::string EndingName(BackgammonEnding ending) {
  switch (ending) {
    case BackgammonEnding::kSingle:
      return "a single game";
    case BackgammonEnding::kGammon:
      return "a gammon";
    case BackgammonEnding::kBackgammon:
      return "a backgammon";
    case BackgammonEnding::kCap:
      return kCapName;
    default:
      return "";
  }
}

std::string EndingName(const BradspelOutcome& outcome) {
  static constexpr std::array<std::string_view, 9> kNames = {
      "",          "sprangjan", "jan",     "kronspel", "double kronspel",
      "trappspel", "uppspel",   "hemspel", kCapName};
  return std::string(kNames[static_cast<std::size_t>(outcome.ending)]) +
         (outcome.munk ? " with munk" : "");
}

}  // namespace

TablesView ReadTables(const AnyPosition& position) {
  TablesView view;
  if (const auto* game = dynamic_cast<const PositionOf<Backgammon>*>(&position)) {
    ReadState(game->state(), view);
    const auto outcome = Backgammon::outcome(game->state());
    view.points = outcome.points();
    view.ending = EndingName(outcome.ending);
    return view;
  }
  const auto& game = dynamic_cast<const PositionOf<Bradspel>&>(position);
  ReadState(game.state(), view);
  const auto outcome = Bradspel::outcome(game.state());
  view.numbering = tables::Numbering::kAscending;
  view.same_way = true;
  view.points = outcome.points(game.game_rules());
  view.ending = EndingName(outcome);
  return view;
}

}  // namespace berd
