#include <istream>
#include <ostream>
#include <string>
#include <variant>
#include <vector>

#include "search/solver/duel_table.h"
#include "tools/command.h"
#include "tools/option_parser.h"
#include "tools/rules_argument.h"

namespace berd {

namespace {

// The rules in which positions are read: those of the table, or other ones that it fits.
Result<DuelRules> RulesForPositions(const std::string& text, const DuelTable& table) {
  if (text.empty()) return table.rules();
  const auto game = ResolveRules(text);
  if (!game) return tl::unexpected(game.error());
  const auto* const duel = std::get_if<GameWithRules<Duel<false>>>(&*game);
  if (duel == nullptr) {
    return Fail("the table is for " + table.rules().ToString() + ", not for " +
                CanonicalRules(*game));
  }
  if (const auto fits = table.Fits(duel->rules); !fits) return tl::unexpected(fits.error());
  return duel->rules;
}

}  // namespace

int RunProbeCommand(std::span<const std::string> args, Console& console) {
  std::vector<std::string> files;
  std::string rules_text;
  bool margins = false;
  OptionParser parser(
      {.name = "probe",
       .summary = "Reads positions of a solved duel from standard input, a line each, and prints "
                  "what each is worth to player A when both play well: 1, 0 or -1.",
       .arguments = "FILE",
       .example = "berd probe duel-3x3-5.table < positions.txt\n"
                  "echo 'n=0 board=- col=-;- lat=0,0 turn=A phase=place:0' | "
                  "berd probe duel-3x3-5.table"});
  parser.Text("rules", "RULES", "read positions of these rules: fewer tokens, or another cap",
              &rules_text);
  parser.Flag("margins", "print the final difference of scores, A's less B's", &margins);
  parser.Arguments(&files, 1, 1);
  if (const auto exit_code = parser.Parse(args, console)) return *exit_code;
  const auto table = DuelTable::Open(files[0]);
  if (!table) return parser.Complain(console, table.error().message);
  const auto rules = RulesForPositions(rules_text, **table);
  if (!rules) return parser.Complain(console, rules.error().message);

  std::string line;
  for (int number = 1; std::getline(console.in, line); ++number) {
    const auto state = Duel<false>::parse(*rules, line);
    if (!state) {
      console.out.flush();
      console.err << "berd probe: line " << number << ": " << state.error().message << "\n";
      return kExitUsage;
    }
    const int margin = (*table)->Margin(*rules, *state);
    console.out << (margins ? margin : margin > 0 ? 1 : margin < 0 ? -1 : 0) << "\n";
  }
  return kExitOk;
}

}  // namespace berd
