#include "tests/search/plain_duel.h"

#include <algorithm>
#include <deque>
#include <tuple>

#include "tests/search/duel_positions.h"

namespace berd {

using DuelGame = Duel<false>;

namespace {

int DifferenceOf(const DuelRules& rules, const DuelGame::State& state) {
  std::array<std::int64_t, 2> scores{};
  DuelGame::scores(rules, state, scores);
  return static_cast<int>(scores[0] - scores[1]);
}

}  // namespace

PlainDuel::PlainDuel(const DuelRules& rules, const std::function<void(const State&)>& on_node) {
  std::deque<State> open;
  const auto node_of = [&](State state) {
    state.history.Clear();
    state.plies = 0;
    const auto [found, is_new] =
        nodes_.try_emplace(DuelGame::key(state), static_cast<Node>(turn_.size()));
    if (is_new) {
      turn_.push_back(static_cast<std::int16_t>(state.turn));
      difference_.push_back(static_cast<std::int16_t>(DifferenceOf(rules, state)));
      open.push_back(state);
    }
    return found->second;
  };
  ForEachDuelMove(rules, DuelGame::initial(rules),
                  [&](const State& state, const DuelLine&) { node_of(state); });
  // Nodes are opened in the order of their numbers.
  for (; !open.empty(); open.pop_front()) {
    const State state = open.front();
    on_node(state);
    first_.push_back(edges_.size());
    ForEachDuelMove(rules, state,
                    [&](const State& after, const DuelLine&) { edges_.push_back(node_of(after)); });
  }
  first_.push_back(edges_.size());
}

PlainDuel::Horizon PlainDuel::Solve(int plies) const {
  Horizon horizon{difference_, std::vector<std::uint16_t>(size())};
  std::vector<std::int16_t> next(size());
  for (int ply = 1; ply <= plies; ++ply) {
    bool changed = false;
    for (Node node = 0; node < size(); ++node) {
      const auto& margins = horizon.margins;
      int best = margins[node];
      bool first = true;
      for (const Node later : after(node)) {
        const int margin = margins[later];
        if (first || (turn_[node] == 0 ? margin > best : margin < best)) best = margin;
        first = false;
      }
      next[node] = static_cast<std::int16_t>(best);
      if (best == margins[node]) continue;
      changed = true;
      horizon.settled[node] = static_cast<std::uint16_t>(ply);
    }
    horizon.margins.swap(next);
    if (!changed) break;
  }
  return horizon;
}

// Tarjan's algorithm without recursion.
std::vector<std::uint32_t> PlainDuel::Components() const {
  constexpr std::uint32_t kNone = 0xffffffff;
  std::vector<std::uint32_t> component(size(), kNone);
  std::vector<std::uint32_t> low(size(), kNone);
  std::vector<std::uint32_t> number(size(), kNone);
  std::vector<Node> stack;
  std::vector<std::pair<Node, std::size_t>> path;  // a node and its next edge
  std::uint32_t numbers = 0;
  std::uint32_t components = 0;
  for (Node root = 0; root < size(); ++root) {
    if (number[root] != kNone) continue;
    path.emplace_back(root, 0);
    while (!path.empty()) {
      const Node node = path.back().first;
      if (path.back().second == 0) {
        number[node] = low[node] = numbers++;
        stack.push_back(node);
      }
      if (path.back().second < after(node).size()) {
        const Node later = after(node)[path.back().second++];
        if (number[later] == kNone) {
          path.emplace_back(later, 0);
        } else if (component[later] == kNone) {
          low[node] = std::min(low[node], number[later]);
        }
        continue;
      }
      path.pop_back();
      if (!path.empty()) low[path.back().first] = std::min(low[path.back().first], low[node]);
      if (low[node] != number[node]) continue;
      for (Node member = kNone; member != node; stack.pop_back()) {
        member = stack.back();
        component[member] = components;
      }
      ++components;
    }
  }
  return component;
}

std::uint64_t RealDuel::MemoKey(const State& state, std::span<const std::uint64_t> history) const {
  const std::uint64_t key = DuelGame::key(state);
  std::uint64_t sum = key;
  const auto component = components_[graph_.NodeOf(state)];
  for (const std::uint64_t before : history) {
    if (components_[graph_.NodeOfKey(before)] == component) sum += Mix64(before + 1);
  }
  return sum;
}

bool RealDuel::Search(const State& state, std::vector<std::uint64_t>& history) {
  if (state.phase == DuelPhase::kEnd) return DifferenceOf(rules_, state) >= margin_;
  if (--budget_ < 0) return false;
  const std::uint64_t memo_key = MemoKey(state, history);
  if (const auto known = memo_.find(memo_key); known != memo_.end()) return known->second;
  const bool a_moves = state.turn == 0;
  std::vector<std::tuple<int, int, State>> moves;
  ForEachDuelMove(rules_, state, [&](const State& after, const DuelLine&) {
    int margin = DifferenceOf(rules_, after);
    int settled = 0;
    if (after.phase != DuelPhase::kEnd) {
      const auto node = graph_.NodeOf(after);
      margin = hint_.margins[node];
      settled = hint_.settled[node];
    }
    moves.emplace_back(a_moves ? -margin : margin, settled, after);
  });
  std::stable_sort(moves.begin(), moves.end(), [](const auto& a, const auto& b) {
    return std::tie(std::get<0>(a), std::get<1>(a)) < std::tie(std::get<0>(b), std::get<1>(b));
  });
  bool at_least = !a_moves;
  for (const auto& [order, settled, after] : moves) {
    const bool finished = DifferenceOf(rules_, after) != DifferenceOf(rules_, state);
    std::vector<std::uint64_t> fresh;
    auto& later = finished ? fresh : history;
    later.push_back(DuelGame::key(after));
    const bool result = Search(after, later);
    later.pop_back();
    if (budget_ < 0) return false;
    if (result == a_moves) {
      at_least = result;
      break;
    }
  }
  memo_[memo_key] = at_least;
  return at_least;
}

std::optional<bool> RealDuel::AtLeast(const State& state, int margin, long budget) {
  memo_.clear();
  margin_ = margin;
  budget_ = budget;
  std::vector<std::uint64_t> history = {DuelGame::key(state)};
  const bool result = Search(state, history);
  if (budget_ < 0) return std::nullopt;
  return result;
}

}  // namespace berd
