#include "engine/games.h"

#include <array>
#include <span>

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

// The first word of a rules string and what reads the whole.
struct GameEntry {
  std::string_view name;
  Result<AnyRules> (*parse)(std::string_view text);
  std::span<const Preset> presets;
};

// For games with one layout.
template <class G, auto kParse>
Result<AnyRules> ParseAs(std::string_view text) {
  return kParse(text).map([](const auto& rules) -> AnyRules { return GameWithRules<G>{rules}; });
}

Result<AnyRules> ParseBerd(std::string_view text) {
  const auto rules = ParseRules(text);
  if (!rules) return tl::unexpected(rules.error());
  if (const auto* race = std::get_if<RaceRules>(&*rules)) return FitRace(*race);
  return FitDuel(std::get<DuelRules>(*rules));
}

const std::array<GameEntry, 5>& Games() {
  static const std::array<GameEntry, 5> kGames = {{
      {"race", ParseBerd, BerdPresets()},
      {"duel", ParseBerd, {}},  // among those of the race
      {"bradspel", ParseAs<Bradspel, ParseBradspelRules>, kBradspelPresets},
      {"birth", ParseAs<Birth, ParseBirthRules>, kBirthPresets},
      {"backgammon", ParseAs<Backgammon, ParseBackgammonRules>, kBackgammonPresets},
  }};
  return kGames;
}

}  // namespace

std::vector<Preset> Presets() {
  std::vector<Preset> presets;
  for (const GameEntry& game : Games()) {
    presets.insert(presets.end(), game.presets.begin(), game.presets.end());
  }
  return presets;
}

Result<AnyRules> ParseGame(std::string_view text) {
  const std::string_view name = text.substr(0, text.find(':'));
  std::vector<std::string_view> names;
  for (const GameEntry& game : Games()) {
    if (game.name == name) return game.parse(text);
    names.push_back(game.name);
  }
  const std::string near = DidYouMean(name, names);
  return Fail("rules " + Quoted(text) + ": unknown game " + Quoted(name) +
              (near.empty() ? "; known: " + JoinAlternatives(names) : near) +
              " (a rules string looks like 'race:short:4x9' or 'duel:3x3:5')");
}

std::string CanonicalRules(const AnyRules& game) {
  return VisitGame(game, []<class G>(const typename G::Rules& rules) { return rules.ToString(); });
}

int SeatsOf(const AnyRules& game) {
  return VisitGame(game, []<class G>(const typename G::Rules& rules) { return rules.seats(); });
}

int SideOf(const AnyRules& game, Seat seat) {
  return VisitGame(game,
                   [&]<class G>(const typename G::Rules& rules) { return G::side(rules, seat); });
}

bool HidesValues(const AnyRules& game) {
  return VisitGame(game, []<class G>(const typename G::Rules& rules) {
    return HidesValues<typename G::Rules>(rules);
  });
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
