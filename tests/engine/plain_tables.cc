#include "tests/engine/plain_tables.h"

#include <algorithm>
#include <array>
#include <functional>
#include <sstream>
#include <tuple>
#include <vector>

namespace berd::plain {
namespace {

struct Side {
  std::map<int, int> on;  // by own number
  int bar = 0;
  int off = 0;
  friend bool operator<(const Side& a, const Side& b) {
    return std::tie(a.on, a.bar, a.off) < std::tie(b.on, b.bar, b.off);
  }

  int At(int number) const {
    const auto found = on.find(number);
    return found == on.end() ? 0 : found->second;
  }
  void Put(int number, int men) {
    on[number] += men;
    if (on[number] == 0) on.erase(number);
  }
};

// A position in the middle of a turn.
struct Node {
  Side own, other;
  std::vector<int> dice;  // unused, ascending
  int used = 0;
  int reduction = 0;
  std::string ending;
  friend bool operator<(const Node& a, const Node& b) {
    return std::tie(a.own, a.other, a.dice, a.used, a.reduction, a.ending) <
           std::tie(b.own, b.other, b.dice, b.used, b.reduction, b.ending);
  }
};

struct Step {
  std::string name;
  Node after;
};

// Names of the sequences that lead to a node: the smallest one that stops there, and the smallest
// one when further steps follow after a comma.
struct Names {
  std::string last, before_comma;
};

struct Turn {
  long n = 0;
  bool white = true;
  Node start;
};

Side ReadSide(std::string text) {
  Side side;
  std::replace(text.begin(), text.end(), '/', ' ');
  std::istringstream stream(text);
  std::string stacks;
  stream >> stacks >> side.bar >> side.off;
  if (stacks == "-") return side;
  std::replace(stacks.begin(), stacks.end(), ',', ' ');
  std::istringstream list(stacks);
  int number = 0;
  int men = 0;
  char colon = 0;
  while (list >> number >> colon >> men) side.on[number] = men;
  return side;
}

std::string WriteSide(const Side& side, bool descending) {
  std::vector<std::string> stacks;
  for (const auto& [number, men] : side.on) {
    stacks.push_back(std::to_string(number) + ":" + std::to_string(men));
  }
  if (descending) std::reverse(stacks.begin(), stacks.end());
  std::string text;
  for (const auto& stack : stacks) text += (text.empty() ? "" : ",") + stack;
  if (text.empty()) text = "-";
  return text + "/" + std::to_string(side.bar) + "/" + std::to_string(side.off);
}

Turn Read(const std::string& position) {
  std::istringstream stream(position);
  std::string n, w, b, turn, phase;
  stream >> n >> w >> b >> turn >> phase;
  Turn result;
  result.n = std::stol(n.substr(2));
  result.white = turn == "turn=W";
  result.start.own = ReadSide(w.substr(2));
  result.start.other = ReadSide(b.substr(2));
  if (!result.white) std::swap(result.start.own, result.start.other);
  const int high = phase[11] - '0';
  const int low = phase[12] - '0';
  result.start.dice = high == low ? std::vector<int>(4, high) : std::vector<int>{low, high};
  return result;
}

std::string Write(const Turn& turn, const Node& node, long cap, bool descending) {
  const Side& w = turn.white ? node.own : node.other;
  const Side& b = turn.white ? node.other : node.own;
  std::string text = "n=" + std::to_string(turn.n + 1) + " w=" + WriteSide(w, descending) +
                     " b=" + WriteSide(b, descending) + " turn=";
  if (!node.ending.empty()) {
    return text + (turn.white ? "W" : "B") + " phase=end:" + node.ending;
  }
  if (turn.n + 1 == cap) return text + "? phase=end:cap";
  return text + (turn.white ? "B" : "W") + " phase=roll";
}

Node WithoutDie(const Node& node, int die) {
  Node after = node;
  after.dice.erase(std::find(after.dice.begin(), after.dice.end(), die));
  ++after.used;
  return after;
}

using Steps = std::function<std::vector<Step>(const Node&)>;

// All nodes at which a turn may stop: where no step is left, and at endings.
std::map<Node, Names> Leaves(const Node& start, const Steps& steps) {
  std::map<Node, Names> leaves;
  std::map<Node, Names> level = {{start, {}}};
  while (!level.empty()) {
    std::map<Node, Names> next;
    for (const auto& [node, names] : level) {
      const auto here = node.ending.empty() ? steps(node) : std::vector<Step>();
      if (here.empty()) leaves[node] = names;
      for (const auto& step : here) {
        const std::string name = node.used == 0 ? step.name : names.before_comma + "," + step.name;
        const auto [at, fresh] = next.emplace(step.after, Names{name, name});
        if (fresh) continue;
        at->second.last = std::min(at->second.last, name);
        if (name + "," < at->second.before_comma + ",") at->second.before_comma = name;
      }
    }
    level = std::move(next);
  }
  return leaves;
}

// The duties: most dice, the larger of two, the least reduction; endings stand outside.
std::map<std::string, std::string> Legal(const Turn& turn, const Steps& steps, long cap,
                                         bool descending, bool endings_are_free) {
  const auto leaves = Leaves(turn.start, steps);
  const auto is_free = [&](const Node& node) { return endings_are_free && !node.ending.empty(); };
  // Smaller is better.
  const auto rank = [&](const Node& node) {
    const bool one_of_two = node.used == 1 && node.dice.size() == 1;
    return std::array<int, 3>{-node.used, one_of_two ? node.dice[0] : 0, node.reduction};
  };
  std::array<int, 3> best = {1, 0, 0};
  for (const auto& [node, names] : leaves) {
    if (!is_free(node)) best = std::min(best, rank(node));
  }
  std::map<std::string, std::string> name_of;  // by position
  for (const auto& [node, names] : leaves) {
    if (!is_free(node) && rank(node) != best) continue;
    const std::string name = node.used == 0 ? "pass" : names.last;
    const auto [at, fresh] = name_of.emplace(Write(turn, node, cap, descending), name);
    if (!fresh) at->second = std::min(at->second, name);
  }
  std::map<std::string, std::string> plays;
  for (const auto& [position, name] : name_of) plays[name] = position;
  return plays;
}

// ---- Backgammon -----------------------------------------------------------------------------

bool AllHome(const Side& side) {
  return side.bar == 0 && (side.on.empty() || side.on.rbegin()->first <= 6);
}

// One step of a die from a number (25: the bar), if it is legal.
void AddBackgammonStep(const Node& node, int from, int die, std::vector<Step>& steps) {
  const int to = from - die;
  Step step{from == 25 ? "bar/" : std::to_string(from) + "/", WithoutDie(node, die)};
  Side& own = step.after.own;
  Side& other = step.after.other;
  if (from == 25) {
    --own.bar;
  } else {
    own.Put(from, -1);
  }
  if (to >= 1) {
    const int men = node.other.At(25 - to);
    if (men >= 2) return;
    own.Put(to, 1);
    step.name += std::to_string(to) + (men == 1 ? "*" : "");
    other.Put(25 - to, -men);
    other.bar += men;
  } else {
    if (!AllHome(node.own)) return;
    if (to < 0 && node.own.on.rbegin()->first != from) return;
    ++own.off;
    step.name += "off";
  }
  if (own.off == 15) {
    const bool far = other.bar > 0 || (!other.on.empty() && other.on.rbegin()->first >= 19);
    step.after.ending = other.off > 0 ? "single" : far ? "backgammon" : "gammon";
  }
  steps.push_back(step);
}

std::vector<Step> BackgammonSteps(const Node& node) {
  std::vector<Step> steps;
  for (const int die : node.dice) {
    if (node.own.bar > 0) {
      AddBackgammonStep(node, 25, die, steps);
    } else {
      for (const auto& [from, men] : node.own.on) AddBackgammonStep(node, from, die, steps);
    }
  }
  return steps;
}

// ---- Brädspel -------------------------------------------------------------------------------

int Op(int t) { return t <= 12 ? t + 12 : t - 12; }

bool InWall(const Side& other, int t) {
  const auto band = [&](int tongue) {
    return tongue >= 1 && tongue <= 24 && other.At(Op(tongue)) >= 2;
  };
  int low = t;
  int high = t;
  while (band(low - 1)) --low;
  while (band(high + 1)) ++high;
  return band(t) && high - low + 1 >= 6;
}

bool ManyOnBar(const Node& node) {
  int accessible = 0;
  for (int t = 1; t <= 6; ++t) {
    if (node.own.At(t) == 0 && node.other.At(Op(t)) <= 1) ++accessible;
  }
  return node.own.bar > accessible;
}

std::string Pattern(const Side& own) {
  using Shape = std::map<int, int>;
  if (own.bar > 0 || own.off > 0) return "";
  if (own.on == Shape{{20, 3}, {21, 3}, {22, 3}, {23, 3}, {24, 3}}) return "kronspel";
  if (own.on == Shape{{22, 5}, {23, 5}, {24, 5}}) return "dubbelkronspel";
  if (own.on == Shape{{22, 3}, {23, 5}, {24, 7}}) return "trappspel";
  if (own.on == Shape{{24, 15}}) return "uppspel";
  return "";
}

std::string BradspelEnding(const Node& node, bool blast) {
  int room = 0;
  for (int t = 1; t <= 6; ++t) room += node.other.At(t) == 0 ? 1 : 0;
  if (node.other.bar > room) return blast ? "sprangjan" : "jan";
  const std::string munk = node.other.bar > 0 ? "+munk" : "";
  const std::string pattern = Pattern(node.own);
  if (!pattern.empty()) return pattern + munk;
  return node.own.off == 15 ? "hemspel" + munk : "";
}

void AddBradspelStep(const Node& node, int from, int die, const TablesOptions& options,
                     std::vector<Step>& steps) {
  const int to = from + die;
  Step step{from == 0 ? "bar/" : std::to_string(from) + "/", WithoutDie(node, die)};
  Side& own = step.after.own;
  Side& other = step.after.other;
  if (from == 0) {
    --own.bar;
  } else {
    own.Put(from, -1);
  }
  bool blast = false;
  if (to <= 24) {
    if (to <= 11 && node.own.At(to) > 0) return;
    const int men = node.other.At(Op(to));
    if (men >= 2) {
      if (node.own.off >= 14 || node.other.off >= 14) return;
      const bool wall = (from > 0 || options.entry_wall) && InWall(node.other, to);
      if (!wall && !(from == 0 && ManyOnBar(node))) return;
      blast = true;
    }
    own.Put(to, 1);
    other.Put(Op(to), -men);
    other.bar += men;
    step.name += std::to_string(to) + (men == 0 ? "" : men == 1 ? "*" : "!");
  } else {
    const int rearmost = node.own.on.begin()->first;
    if (node.own.bar > 0 || rearmost < 19 || from != rearmost) return;
    ++own.off;
    step.after.reduction += to - 25;
    step.name += "off";
  }
  step.after.ending = BradspelEnding(step.after, blast);
  steps.push_back(step);
}

}  // namespace

std::map<std::string, std::string> BackgammonPlays(const std::string& position,
                                                   const TablesOptions& options) {
  return Legal(Read(position), BackgammonSteps, options.cap, true, false);
}

std::map<std::string, std::string> BradspelPlays(const std::string& position,
                                                 const TablesOptions& options) {
  const auto steps = [&](const Node& node) {
    std::vector<Step> list;
    for (const int die : node.dice) {
      if (node.own.bar > 0) {
        AddBradspelStep(node, 0, die, options, list);
      } else {
        for (const auto& [from, men] : node.own.on) {
          AddBradspelStep(node, from, die, options, list);
        }
      }
    }
    return list;
  };
  return Legal(Read(position), steps, options.cap, false, true);
}

}  // namespace berd::plain
