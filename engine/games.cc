#include "engine/games.h"

#include <array>

#include "engine/core/text.h"

namespace berd {

namespace {

// The smallest layout that fits.
AnyRules FitRace(const RaceRules& rules) {
  if (rules.valued()) {
    if (rules.players <= 4) return GameWithRules<Race<Race4Valued>>{rules};
    return GameWithRules<Race<Race16Valued>>{rules};
  }
  if (rules.players <= 2) return GameWithRules<Race<Race2>>{rules};
  if (rules.players <= 4) return GameWithRules<Race<Race4>>{rules};
  return GameWithRules<Race<Race16>>{rules};
}

AnyRules FitDuel(const DuelRules& rules) {
  if (rules.valued()) return GameWithRules<Duel<true>>{rules};
  return GameWithRules<Duel<false>>{rules};
}

}  // namespace

Result<AnyRules> ParseGame(std::string_view text) {
  static constexpr std::array<std::string_view, 2> kNames = {"race", "duel"};
  const std::string_view name = text.substr(0, text.find(':'));
  if (name == "race" || name == "duel") {
    const auto rules = ParseRules(text);
    if (!rules) return tl::unexpected(rules.error());
    if (const auto* race = std::get_if<RaceRules>(&*rules)) return FitRace(*race);
    return FitDuel(std::get<DuelRules>(*rules));
  }
  return Fail("rules " + Quoted(text) + ": unknown game " + Quoted(name) +
              DidYouMean(name, kNames) +
              " (a rules string looks like 'race:short:4x9' or 'duel:3x3:5')");
}

std::string CanonicalRules(const AnyRules& game) {
  return VisitGame(game, []<class G>(const typename G::Rules& rules) { return rules.ToString(); });
}

int SeatsOf(const AnyRules& game) {
  return VisitGame(game, []<class G>(const typename G::Rules& rules) { return rules.seats(); });
}

std::unique_ptr<AnyPosition> InitialPosition(const AnyRules& game) {
  return VisitGame(game,
                   []<class G>(const typename G::Rules& rules) -> std::unique_ptr<AnyPosition> {
                     return std::make_unique<PositionOf<G>>(rules, G::initial(rules));
                   });
}

Result<std::unique_ptr<AnyPosition>> ParsePosition(const AnyRules& game, std::string_view text) {
  return VisitGame(
      game, [&]<class G>(const typename G::Rules& rules) -> Result<std::unique_ptr<AnyPosition>> {
        auto state = G::parse(rules, text);
        if (!state) return tl::unexpected(state.error());
        return std::make_unique<PositionOf<G>>(rules, *state);
      });
}

}  // namespace berd
