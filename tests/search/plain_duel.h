#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "engine/berd/duel.h"
#include "engine/berd/rules.h"

namespace berd {

// The duel solved in the plainest way, for tests: all states that the engine reaches, as a graph,
// and minimax over plies. Shares nothing with the solver but the rules. Nodes are states in which a
// player is to move or the game is over; edges are whole moves.
class PlainDuel {
 public:
  using State = Duel<false>::State;
  using Node = std::uint32_t;

  // Explores everything that can be reached from the start; sees every node's state once.
  explicit PlainDuel(const DuelRules& rules, const std::function<void(const State&)>& on_node);

  std::size_t size() const { return turn_.size(); }
  int turn(Node node) const { return turn_[node]; }
  std::span<const Node> after(Node node) const {
    return std::span(edges_).subspan(first_[node], first_[node + 1] - first_[node]);
  }
  Node NodeOfKey(std::uint64_t key) const { return nodes_.at(key); }
  Node NodeOf(const State& state) const { return NodeOfKey(Duel<false>::key(state)); }

  // Values of games that end after `plies` more plies, if not before: the score difference, A less
  // B. `settled` is the number of plies at which the value of a node changed last.
  struct Horizon {
    std::vector<std::int16_t> margins;
    std::vector<std::uint16_t> settled;
  };
  Horizon Solve(int plies) const;

  // Strongly connected components, by number; moves lead to the same or a lower one.
  std::vector<std::uint32_t> Components() const;

 private:
  std::unordered_map<std::uint64_t, Node> nodes_;
  std::vector<std::int16_t> turn_;
  std::vector<std::int16_t> difference_;
  std::vector<std::size_t> first_;
  std::vector<Node> edges_;
};

// Minimax with the rule of the third occurrence as the engine applies it, along whole histories.
// What may still matter of a history are the positions in the component of the present one, so
// results are remembered by state and those.
class RealDuel {
 public:
  using State = Duel<false>::State;

  // `hint` orders the moves, nothing else.
  RealDuel(const DuelRules& rules, const PlainDuel& graph, const PlainDuel::Horizon& hint)
      : rules_(rules), graph_(graph), hint_(hint), components_(graph.Components()) {}

  // Whether A can make the final difference at least `margin`; nothing when more than `budget`
  // positions had to be looked at.
  std::optional<bool> AtLeast(const State& state, int margin, long budget);

 private:
  bool Search(const State& state, std::vector<std::uint64_t>& history);
  std::uint64_t MemoKey(const State& state, std::span<const std::uint64_t> history) const;

  const DuelRules& rules_;
  const PlainDuel& graph_;
  const PlainDuel::Horizon& hint_;
  std::vector<std::uint32_t> components_;
  std::unordered_map<std::uint64_t, bool> memo_;
  int margin_ = 0;
  long budget_ = 0;
};

}  // namespace berd
