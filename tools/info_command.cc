#include <algorithm>
#include <iomanip>
#include <nlohmann/json.hpp>
#include <ostream>
#include <type_traits>

#include "tools/option_parser.h"
#include "tools/rules_argument.h"

namespace berd {

namespace {

using Json = nlohmann::ordered_json;

// Facts of a game over all its layouts.
struct GameSummary {
  std::string name;
  int min_seats;
  int max_seats;
  bool dice;
  bool hidden_values;
  int rules_version;
};

template <class G>
void AddGame(std::vector<GameSummary>& games) {
  const GameFacts facts = G::kFacts;
  for (auto& game : games) {
    if (game.name != facts.name) continue;
    game.min_seats = std::min(game.min_seats, facts.min_seats);
    game.max_seats = std::max(game.max_seats, facts.max_seats);
    game.hidden_values |= facts.hidden_values;
    return;
  }
  games.push_back({std::string(facts.name), facts.min_seats, facts.max_seats, facts.dice,
                   facts.hidden_values, facts.rules_version});
}

template <class... With>
std::vector<GameSummary> SummariesOf(std::type_identity<std::variant<With...>> /*games*/) {
  std::vector<GameSummary> games;
  (AddGame<typename With::Type>(games), ...);
  return games;
}

std::vector<GameSummary> AllGames() { return SummariesOf(std::type_identity<AnyRules>()); }

std::string SeatRange(const GameSummary& game) {
  const auto low = std::to_string(game.min_seats);
  return game.min_seats == game.max_seats ? low : low + ".." + std::to_string(game.max_seats);
}

void PrintList(std::ostream& out) {
  out << "Games\n";
  for (const auto& game : AllGames()) {
    out << "  " << std::left << std::setw(14) << game.name << std::setw(15)
        << SeatRange(game) + " players" << std::setw(14) << (game.dice ? "dice" : "no dice")
        << (game.hidden_values ? "hidden values possible" : "open") << "\n";
  }
  out << "\nPresets (a name or any rules string can stand after --rules)\n";
  for (const auto& preset : Presets()) {
    out << "  " << std::left << std::setw(16) << preset.name << std::setw(29) << preset.rules
        << preset.summary << "\n";
  }
  out << "\nThe rules string in full: docs/reference/rules-berd.md, section 2.\n";
}

Json ListJson() {
  Json list = {{"games", Json::array()}, {"presets", Json::array()}};
  for (const auto& game : AllGames()) {
    list["games"].push_back({{"name", game.name},
                             {"min_seats", game.min_seats},
                             {"max_seats", game.max_seats},
                             {"dice", game.dice},
                             {"hidden_values", game.hidden_values},
                             {"rules_version", game.rules_version}});
  }
  for (const auto& preset : Presets()) {
    list["presets"].push_back(
        {{"name", preset.name}, {"rules", preset.rules}, {"summary", preset.summary}});
  }
  return list;
}

// Everything about one set of rules, in the order in which it is printed.
Json RulesJson(const AnyRules& game) {
  return VisitGame(game, [&]<class G>(const typename G::Rules& rules) {
    const auto initial = G::initial(rules);
    Json facts = {{"rules", rules.ToString()},
                  {"game", std::string(G::kFacts.name)},
                  {"rules_version", G::kFacts.rules_version},
                  {"seats", rules.seats()}};
    Json sides = Json::array();
    int most = 0;
    for (int seat = 0; seat < rules.seats(); ++seat) {
      sides.push_back(G::side(rules, Seat(seat)));
      most = std::max(most, G::side(rules, Seat(seat)) + 1);
    }
    facts["teams"] = most < rules.seats() ? most : 0;
    facts["side_of_seat"] = std::move(sides);
    if constexpr (requires { rules.squares; }) facts["squares"] = rules.squares;
    facts["dice"] = bool{G::kFacts.dice};
    facts["hidden"] = HidesValues(game);
    facts["state_bytes"] = sizeof(typename G::State);
    facts["initial"] = G::position(rules, initial);
    return facts;
  });
}

void PrintRules(const Json& facts, std::ostream& out) {
  const auto line = [&](const char* label, const std::string& value) {
    out << std::left << std::setw(15) << label << value << "\n";
  };
  const auto yes_no = [&](const char* key) {
    return std::string(facts[key].get<bool>() ? "yes" : "no");
  };
  line("rules", facts["rules"].get<std::string>());
  line("game",
       facts["game"].get<std::string>() + ", rules version " + facts["rules_version"].dump());
  line("players", facts["seats"].dump());
  if (const int teams = facts["teams"].get<int>(); teams > 0) {
    std::string text = std::to_string(teams);
    for (int team = 0; team < teams; ++team) {
      text += team == 0 ? ": " : ", ";
      for (std::size_t seat = 0; seat < facts["side_of_seat"].size(); ++seat) {
        if (facts["side_of_seat"][seat] == team) text += Letter(Seat(static_cast<int>(seat)));
      }
    }
    line("teams", text);
  } else {
    line("teams", "none");
  }
  if (facts.contains("squares")) line("squares", facts["squares"].dump());
  line("dice", yes_no("dice"));
  line("hidden values", yes_no("hidden"));
  line("state", facts["state_bytes"].dump() + " bytes");
  line("initial", facts["initial"].get<std::string>());
}

}  // namespace

int RunInfoCommand(std::span<const std::string> args, Console& console) {
  std::vector<std::string> names;
  bool json = false;
  OptionParser parser({.name = "info",
                       .summary = "Lists games and presets; with a preset or a rules string, says "
                                  "what the rules come to.",
                       .arguments = "[RULES]",
                       .example = "berd info\nberd info race:short:4x9:color+team=2"});
  parser.Flag("json", "print one JSON object", &json);
  parser.Arguments(&names, 0, 1);
  if (const auto exit_code = parser.Parse(args, console)) return *exit_code;
  if (names.empty()) {
    if (json) {
      console.out << ListJson().dump() << "\n";
    } else {
      PrintList(console.out);
    }
    return kExitOk;
  }
  const auto game = ResolveRules(names[0]);
  if (!game) return parser.Complain(console, game.error().message);
  const auto facts = RulesJson(*game);
  if (json) {
    console.out << facts.dump() << "\n";
  } else {
    PrintRules(facts, console.out);
  }
  return kExitOk;
}

}  // namespace berd
