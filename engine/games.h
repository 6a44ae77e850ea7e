#pragma once

#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "engine/backgammon/backgammon.h"
#include "engine/berd/duel.h"
#include "engine/berd/race.h"
#include "engine/birth/birth.h"
#include "engine/bradspel/bradspel.h"
#include "engine/core/any_game.h"
#include "engine/core/error.h"
#include "engine/core/preset.h"

namespace berd {

// A game type together with rules that fit it: what a rules string stands for.
template <Game G>
struct GameWithRules {
  using Type = G;
  typename G::Rules rules;
};

// Every game type of this program. A new game adds its types here and a line to the table in
// games.cc.
using AnyRules = std::variant<GameWithRules<Race<Race2>>, GameWithRules<Race<Race4>>,
                              GameWithRules<Race<Race16>>, GameWithRules<Race<Race4Valued>>,
                              GameWithRules<Race<Race16Valued>>, GameWithRules<Duel<false>>,
                              GameWithRules<Duel<true>>, GameWithRules<Backgammon>,
                              GameWithRules<Bradspel>, GameWithRules<Birth>>;

// The presets of all games, in the order of the published lists.
std::vector<Preset> Presets();

// The game of a rules string. The error says what is wrong with the string.
Result<AnyRules> ParseGame(std::string_view rules);

// Calls `visit.template operator()<G>(rules)` for the game type G that these rules need. This is
// the one way from a rules string to code that is written once for every game:
//
//   VisitGame(*game, [&]<class G>(const typename G::Rules& rules) { … });
template <class Visit>
decltype(auto) VisitGame(const AnyRules& game, Visit&& visit) {
  return std::visit(
      [&]<class With>(const With& with) -> decltype(auto) {
        return std::forward<Visit>(visit).template operator()<typename With::Type>(with.rules);
      },
      game);
}

std::string CanonicalRules(const AnyRules& game);
int SeatsOf(const AnyRules& game);
// Seats of one side have equal numbers.
int SideOf(const AnyRules& game, Seat seat);
// Some seats do not see some values.
bool HidesValues(const AnyRules& game);

// The initial position, and the position of a string.
std::unique_ptr<AnyPosition> InitialPosition(const AnyRules& game);
Result<std::unique_ptr<AnyPosition>> ParsePosition(const AnyRules& game, std::string_view text);

}  // namespace berd
