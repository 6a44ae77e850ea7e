#include <cstdint>
#include <cstdio>
#include <istream>
#include <ostream>
#include <string>
#include <variant>
#include <vector>

#include "search/solver/agent_check.h"
#include "search/solver/duel_table.h"
#include "selfplay/agent_factory.h"
#include "selfplay/agent_spec.h"
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

std::string ShareText(const AgentCheckResult::Count& count) {
  char text[64];
  std::snprintf(text, sizeof text, "%zu of %zu", count.kept, count.positions);
  std::string shown = text;
  if (count.positions == 0) return shown;
  std::snprintf(text, sizeof text, " (%.2f %%)",
                100.0 * static_cast<double>(count.kept) / static_cast<double>(count.positions));
  return shown + text;
}

struct ProbeAgents {
  std::string agent;            // "": positions are read, no agent is checked
  std::string from = "random";  // whose games the positions are from
  bool misses = false;
  AgentCheckOptions check = {};
};

// Prints how often an agent keeps the result of positions.
Result<void> CheckAgentOf(const ProbeAgents& options, const DuelTable& table,
                          const DuelRules& rules, Console& console) {
  const auto maker = [&](const std::string& text) -> Result<AgentMaker<Duel<false>>> {
    const auto spec = ParseAgentSpec(text);
    if (!spec) return tl::unexpected(spec.error());
    return PrepareAgent<Duel<false>>(*spec, rules);
  };
  const auto agent = maker(options.agent);
  if (!agent) return tl::unexpected(agent.error());
  const auto player = maker(options.from);
  if (!player) return tl::unexpected(player.error());
  const auto positions = DrawDuelPositions(rules, *player, options.check);
  const AgentCheckResult result = CheckAgent(table, rules, positions, *agent, options.check);
  console.out << "result kept in       " << ShareText(result.all) << "\n"
              << "where it can be lost " << ShareText(result.critical) << "\n"
              << "  of these, won      " << ShareText(result.won) << "\n"
              << "  of these, tied     " << ShareText(result.tied) << "\n";
  if (options.misses) {
    for (const std::string& position : result.misses) console.out << position << "\n";
  }
  return {};
}

}  // namespace

int RunProbeCommand(std::span<const std::string> args, Console& console) {
  std::vector<std::string> files;
  std::string rules_text;
  bool margins = false;
  OptionParser parser(
      {.name = "probe",
       .summary = "Reads positions of a solved duel from standard input, a line each, and prints "
                  "what each is worth to player A when both play well: 1, 0 or -1. With --agent it "
                  "checks an agent on positions of its own instead.",
       .arguments = "FILE",
       .example = "berd probe duel-3x3-5.table < positions.txt\n"
                  "echo 'n=0 board=- col=-;- lat=0,0 turn=A phase=place:0' | "
                  "berd probe duel-3x3-5.table\n"
                  "berd probe duel-3x3-5.table --agent playouts,mcts=1600 --positions 2000"});
  parser.Text("rules", "RULES", "read positions of these rules: fewer tokens, or another cap",
              &rules_text);
  ProbeAgents agents;
  parser.Text("agent", "AGENT",
              "instead of reading positions: how often this agent keeps what a position is worth",
              &agents.agent);
  parser.Text("from", "AGENT", "with --agent: whose games the positions are drawn from (random)",
              &agents.from);
  parser.Integer("positions", "N", "with --agent: how many", &agents.check.positions, 1,
                 std::size_t{10'000'000});
  parser.Integer("seed", "N", "with --agent: of games and agents", &agents.check.seed, 0,
                 std::uint64_t{1} << 53);
  parser.Integer("threads", "N", "with --agent: positions looked at side by side",
                 &agents.check.threads, 1, 256);
  parser.Flag("misses", "with --agent: print the positions in which it did not", &agents.misses);
  parser.Flag("margins", "print the final difference of scores, A's less B's", &margins);
  parser.Arguments(&files, 1, 1);
  if (const auto exit_code = parser.Parse(args, console)) return *exit_code;
  if (agents.agent.empty() && (agents.misses || agents.from != "random")) {
    return parser.Complain(
        console, "'--from' and '--misses' are for the check of an agent: '--agent' is missing");
  }
  const auto table = DuelTable::Open(files[0]);
  if (!table) return parser.Complain(console, table.error().message);
  const auto rules = RulesForPositions(rules_text, **table);
  if (!rules) return parser.Complain(console, rules.error().message);

  if (!agents.agent.empty()) {
    const auto ok = CheckAgentOf(agents, **table, *rules, console);
    return ok ? kExitOk : parser.Complain(console, ok.error().message);
  }
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
