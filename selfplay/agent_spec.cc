#include "selfplay/agent_spec.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <limits>
#include <optional>

#include "engine/core/text.h"

namespace berd {

namespace {

constexpr std::array<AgentKey, 1> kCommonKeys = {{
    {"eps", AgentValue::kReal, 0, 1, "probability of a uniformly random afterstate instead"},
}};

constexpr AgentKey kMctsKey = {"mcts", AgentValue::kInteger, 1, 1e9,
                               "simulations of a tree search"};
constexpr AgentKey kGumbelKey = {"gumbel", AgentValue::kOptionalInteger, 2, 4096,
                                 "sequential halving at the root, among so many choices (16)"};
constexpr AgentKey kCpuctKey = {"cpuct", AgentValue::kReal, 0, 100, "exploration of the search"};
constexpr AgentKey kPriorKey = {
    "prior", AgentValue::kReal, 0.001, 100,
    "difference of values that changes the prior by a factor of e (0.1)"};
constexpr AgentKey kThreadsKey = {"threads", AgentValue::kInteger, 1, 256,
                                  "threads of one search (1)"};
constexpr AgentKey kSecondsKey = {"seconds", AgentValue::kReal, 0.001, 1e6,
                                  "most time of one search, in seconds"};
constexpr AgentKey kNodesKey = {"nodes", AgentValue::kInteger, 1, 1e15, "most nodes of a search"};
constexpr AgentKey kBatchKey = {"batch", AgentValue::kInteger, 1, 255,
                                "leaves that a thread values together (1)"};

constexpr std::array<AgentKey, 16> kNetKeys = {{
    {"samples", AgentValue::kInteger, 1, 1024,
     "guesses of the hidden values averaged over (8, or 24)"},
    {"plies", AgentValue::kInteger, 1, ExpectiminimaxOptions::kMostPlies, "plies looked at (1)"},
    {"filter", AgentValue::kFilters, 0, 1000, "which candidates are looked at deeper (8/0.16)"},
    {"paranoid", AgentValue::kNone, 0, 0, "all other sides play against the searching one"},
    kNodesKey,
    kSecondsKey,
    {"rollout", AgentValue::kInteger, 1, 1e6, "games rolled out for each candidate"},
    {"truncate", AgentValue::kInteger, 1, 1000, "decisions of a rolled out game (to its end)"},
    {"raw", AgentValue::kNone, 0, 0, "games rolled out count as the dice fell, luck and all"},
    {"se", AgentValue::kReal, 0, 1, "standard error at which a rollout stops early (0)"},
    kMctsKey,
    kGumbelKey,
    kCpuctKey,
    kPriorKey,
    kThreadsKey,
    kBatchKey,
}};

constexpr std::array<AgentKey, 7> kPlayoutKeys = {
    {kMctsKey, kNodesKey, kSecondsKey, kGumbelKey, kCpuctKey, kThreadsKey, kBatchKey}};

constexpr std::string_view kGnubg = "gnubg";
constexpr std::string_view kGnubgDefault = "gnubg:0ply";

constexpr std::array<AgentKind, 9> kKinds = {{
    {"random", AgentValue::kNone, {}, "uniform over the distinct afterstates"},
    {"greedy", AgentValue::kNone, {}, "the reference novice of the rules page"},
    {"net", AgentValue::kFile, kNetKeys,
     "the afterstate that the network in this file values highest"},
    {"playouts", AgentValue::kNone, kPlayoutKeys, "tree search with random games"},
    {kGnubg, AgentValue::kNone, {}, "the same as gnubg:0ply"},
    {kGnubgDefault, AgentValue::kNone, {}, "GNU Backgammon by its network alone"},
    {"gnubg:1ply", AgentValue::kNone, {}, "GNU Backgammon that looks one throw ahead"},
    {"gnubg:2ply", AgentValue::kNone, {}, "GNU Backgammon that looks two throws ahead"},
    {"solver", AgentValue::kFile, {}, "perfectly, from the table of a solved duel"},
}};

std::optional<double> ParseReal(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(number)) {
    return std::nullopt;
  }
  return number;
}

// `COUNT/MARGIN` or `0`.
std::optional<MoveFilter> ParseFilter(std::string_view text) {
  const auto slash = text.find('/');
  const std::string_view count = text.substr(0, slash);
  MoveFilter filter{.count = 0, .margin = 0};
  const auto [end, error] =
      std::from_chars(count.data(), count.data() + count.size(), filter.count);
  if (error != std::errc{} || end != count.data() + count.size() || filter.count < 0) {
    return std::nullopt;
  }
  if (slash == std::string_view::npos) {
    return filter.all() ? std::optional(filter) : std::nullopt;
  }
  const auto margin = ParseReal(text.substr(slash + 1));
  if (!margin || *margin < 0 || filter.all()) return std::nullopt;
  filter.margin = *margin;
  return filter;
}

// One or more with colons between them; nothing if one is wrong or has a count beyond the key's.
std::vector<MoveFilter> ParseFilters(std::string_view text, double most_count) {
  std::vector<MoveFilter> filters;
  for (const auto part : Split(text, ':')) {
    const auto filter = ParseFilter(part);
    if (!filter || filter->count > most_count) return {};
    filters.push_back(*filter);
  }
  return filters;
}

std::string Shown(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", number);
  return text;
}

// What is wrong with a value, or "".
std::string Complaint(const AgentKey& key, std::string_view value) {
  if (key.value == AgentValue::kFile) return value.empty() ? "needs a file name" : "";
  if (key.value == AgentValue::kFilters) {
    if (!ParseFilters(value, key.high).empty()) return "";
    return "must be COUNT/MARGIN, such as 8/0.16, with a count of at most " + Shown(key.high) +
           ", or 0 for no filter, or one of these for each ply with colons between them, not " +
           Quoted(value);
  }
  const auto number = ParseReal(value);
  const bool whole = number && *number == std::floor(*number) &&
                     value.find_first_not_of("0123456789") == std::string_view::npos;
  if (number && *number >= key.low && *number <= key.high &&
      (key.value == AgentValue::kReal || whole)) {
    return "";
  }
  return std::string("must be ") +
         (key.value == AgentValue::kReal ? "a number" : "a whole number") + " from " +
         Shown(key.low) + " to " + Shown(key.high) + ", not " + Quoted(value);
}

struct Item {
  std::string_view name;
  std::string_view value;
  bool has_value;
};

Item SplitItem(std::string_view text) {
  const auto at = text.find('=');
  if (at == std::string_view::npos) return {text, {}, false};
  return {text.substr(0, at), text.substr(at + 1), true};
}

const AgentKey* FindKey(const AgentKind& kind, std::string_view name) {
  for (const auto keys : {kind.keys, std::span<const AgentKey>(kCommonKeys)}) {
    for (const AgentKey& key : keys) {
      if (key.name == name) return &key;
    }
  }
  return nullptr;
}

std::vector<std::string_view> KeyNames(const AgentKind& kind) {
  std::vector<std::string_view> names;
  for (const AgentKey& key : kind.keys) names.push_back(key.name);
  for (const AgentKey& key : kCommonKeys) names.push_back(key.name);
  return names;
}

// "; did you mean …?" or, when nothing is near, what there is.
std::string Suggestion(std::string_view word, std::span<const std::string_view> known) {
  const std::string near = DidYouMean(word, known);
  return near.empty() ? "; known: " + JoinAlternatives(known) : near;
}

const AgentKind* FindKind(std::string_view name) {
  const auto found = std::find_if(kKinds.begin(), kKinds.end(),
                                  [&](const auto& kind) { return kind.name == name; });
  return found == kKinds.end() ? nullptr : &*found;
}

Result<void> CheckArgument(const AgentKind& kind, const Item& item) {
  if (kind.argument == AgentValue::kNone) {
    if (item.has_value) return Fail("'" + std::string(kind.name) + "' takes no value");
    return {};
  }
  if (item.value.empty()) {
    return Fail("'" + std::string(kind.name) + "' needs a file name, " + std::string(kind.name) +
                "=FILE");
  }
  return {};
}

Result<void> CheckOption(const AgentKind& kind, const AgentSpec& spec, const Item& item) {
  const AgentKey* key = FindKey(kind, item.name);
  if (key == nullptr) {
    return Fail("unknown key " + Quoted(item.name) + Suggestion(item.name, KeyNames(kind)));
  }
  const std::string name = "'" + std::string(key->name) + "'";
  if (spec.Has(item.name)) return Fail(name + " is given twice");
  if (key->value == AgentValue::kNone) {
    if (item.has_value) return Fail(name + " takes no value");
    return {};
  }
  if (!item.has_value) {
    if (key->value == AgentValue::kOptionalInteger) return {};
    return Fail(name + " needs a value");
  }
  if (const auto complaint = Complaint(*key, item.value); !complaint.empty()) {
    return Fail(name + " " + complaint);
  }
  return {};
}

// Keys that do nothing without another one, or contradict it.
Result<void> CheckTogether(const AgentSpec& spec) {
  const bool searches = spec.Number("plies", 1) > 1;
  const bool rolls_out = spec.Has("rollout");
  const bool grows_tree = spec.Has("mcts") || spec.kind == "playouts";
  if (grows_tree && (searches || rolls_out)) {
    return Fail("'mcts' does not go with 'plies' or 'rollout': choose one search");
  }
  for (const std::string_view key : {"gumbel", "cpuct", "prior", "batch"}) {
    if (spec.Has(key) && !grows_tree) return Fail("'" + std::string(key) + "' needs mcts=N");
  }
  if (spec.Has("gumbel") && spec.Has("seconds") && !spec.Has("mcts")) {
    return Fail("'gumbel' plans a number of simulations: with 'seconds' it needs mcts=N, too");
  }
  for (const std::string_view key : {"threads", "seconds"}) {
    if (!spec.Has(key) || grows_tree || searches || rolls_out) continue;
    return Fail("'" + std::string(key) + "' needs mcts=N, plies=2 or more, or rollout=N");
  }
  if (spec.Has("threads") && spec.Has("nodes") && searches) {
    return Fail("'nodes' says where one thread stops: 'threads' does not go with it");
  }
  if (searches && rolls_out) return Fail("'rollout' plays by one ply: 'plies' does not go with it");
  if (spec.Has("filter") && !searches && !rolls_out) {
    return Fail("'filter' needs plies=2 or more, or rollout=N");
  }
  if (const auto filters = spec.Filters("filter"); filters.size() > 1) {
    if (rolls_out) return Fail("'filter' of a rollout is one COUNT/MARGIN");
    const auto plies = static_cast<std::size_t>(spec.Number("plies", 1));
    if (filters.size() > plies - 1) {
      return Fail("'filter' has " + std::to_string(filters.size()) +
                  " parts, one for each ply, but plies=" + std::to_string(plies) + " filters " +
                  std::to_string(plies - 1));
    }
  }
  if (spec.Has("nodes") && !searches && !grows_tree) {
    return Fail("'nodes' needs mcts=N, or plies=2 or more");
  }
  if (spec.Has("paranoid") && !searches) return Fail("'paranoid' needs plies=2 or more");
  for (const std::string_view key : {"truncate", "se", "raw"}) {
    if (spec.Has(key) && !rolls_out) return Fail("'" + std::string(key) + "' needs rollout=N");
  }
  return {};
}

}  // namespace

bool AgentSpec::Has(std::string_view key) const {
  return std::any_of(options.begin(), options.end(),
                     [&](const Option& option) { return option.key == key; });
}

std::string_view AgentSpec::Text(std::string_view key, std::string_view fallback) const {
  for (const Option& option : options) {
    if (option.key == key) return option.value;
  }
  return fallback;
}

double AgentSpec::Number(std::string_view key, double fallback) const {
  return Has(key) ? ParseReal(Text(key)).value_or(fallback) : fallback;
}

std::vector<MoveFilter> AgentSpec::Filters(std::string_view key) const {
  if (!Has(key)) return {};
  return ParseFilters(Text(key), std::numeric_limits<double>::infinity());
}

Result<AgentSpec> ParseAgentSpec(std::string_view text) {
  const std::string place = "agent " + Quoted(text);
  const auto parts = Split(text, ',');
  const Item first = SplitItem(parts[0]);
  const AgentKind* kind = FindKind(first.name);
  if (kind == nullptr) {
    std::array<std::string_view, kKinds.size()> names;
    std::transform(kKinds.begin(), kKinds.end(), names.begin(),
                   [](const AgentKind& known) { return known.name; });
    return Fail(place + ": unknown kind " + Quoted(first.name) + Suggestion(first.name, names));
  }
  if (auto ok = CheckArgument(*kind, first); !ok) return Fail(place, ok.error());
  // One agent has one name in results.
  const auto kind_name = kind->name == kGnubg ? kGnubgDefault : kind->name;
  AgentSpec spec{std::string(kind_name), std::string(first.value), {}};
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const Item item = SplitItem(parts[i]);
    if (auto ok = CheckOption(*kind, spec, item); !ok) return Fail(place, ok.error());
    spec.options.push_back({std::string(item.name), std::string(item.value)});
  }
  if (auto ok = CheckTogether(spec); !ok) return Fail(place, ok.error());
  return spec;
}

std::string ToString(const AgentSpec& spec) {
  std::string text = spec.kind;
  if (!spec.argument.empty()) text += "=" + spec.argument;
  for (const auto& [key, value] : spec.options) {
    text += "," + key;
    if (!value.empty()) text += "=" + value;
  }
  return text;
}

std::span<const AgentKind> AgentKinds() { return kKinds; }
std::span<const AgentKey> CommonAgentKeys() { return kCommonKeys; }

}  // namespace berd
