#pragma once

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/core/game.h"

namespace berd {

// A set of 64-bit keys that is emptied in constant time: open addressing, linear probing, entries
// valid only in the generation that wrote them.
class KeySet {
 public:
  // Room for `most` keys at a load of at most one half.
  explicit KeySet(std::size_t most)
      : entries_(std::bit_ceil(2 * std::max<std::size_t>(most, 8))), mask_(entries_.size() - 1) {}

  void clear() {
    if (++generation_ == 0) {  // after 2^32 uses
      std::fill(entries_.begin(), entries_.end(), Entry{});
      generation_ = 1;
    }
  }

  // Adds the key; true if it was not there.
  bool insert(std::uint64_t key) {
    for (std::size_t at = Slot(key);; at = (at + 1) & mask_) {
      Entry& entry = entries_[at];
      if (entry.generation != generation_) {
        entry = {key, generation_};
        return true;
      }
      if (entry.key == key) return false;
    }
  }

 private:
  struct Entry {
    std::uint64_t key = 0;
    std::uint32_t generation = 0;
  };
  std::size_t Slot(std::uint64_t key) const { return (key ^ (key >> 32)) & mask_; }

  std::vector<Entry> entries_;
  std::size_t mask_;
  std::uint32_t generation_ = 1;
};

// A game may say which neighbouring actions commute, so that only one order is walked:
//   commute(rules, state, first, second)   `first` leads from `state` to a state where `second` is
//                                          legal; true only if `second` is legal in `state` too,
//                                          `first` after it, and both orders give the same state.
template <class G>
concept KnowsCommutingActions = Game<G> &&
    requires(const typename G::Rules& rules, const typename G::State& state,
             typename G::Action action) {
  { G::commute(rules, state, action, action) } -> std::same_as<bool>;
};

// A game in which every action of a decision ends the turn of the seat, and no two of them lead to
// the same state, says so by a constant kWholeTurns = true: there is nothing to tell apart.
template <class G>
inline constexpr bool kWholeTurns = false;
template <class G>
requires requires { G::kWholeTurns; }
inline constexpr bool kWholeTurns<G> = G::kWholeTurns;

// All distinct states that a seat can reach by its own decisions in the present turn: the walk
// stops at the next chance event, at another seat's decision, when a turn is completed, and at the
// end. Each afterstate comes with one path of actions that leads to it. States are told apart by
// their keys.
//
// The buffers belong to this object and are used again, so one object per thread enumerates
// without touching the heap once it has grown. Not thread-safe.
template <Game G>
class Afterstates {
 public:
  using Rules = typename G::Rules;
  using State = typename G::State;
  using Action = typename G::Action;

  static constexpr std::size_t kDefaultMost = 16384;

  // `most` bounds the number of states looked at in one enumeration (inner ones included).
  explicit Afterstates(std::size_t most = kDefaultMost) : most_(most), seen_(most) {
    nodes_.resize(256);
    leaves_.reserve(256);
  }

  // Enumerates the afterstates of `root`. Requires: root waits for a decision. False when the bound
  // was exceeded; then the list is incomplete and must not be used.
  bool Enumerate(const Rules& rules, const State& root) {
    count_ = 0;
    leaves_.clear();
    if constexpr (kWholeTurns<G>) return ExpandWhole(rules, root);
    seen_.clear();
    seat_ = G::actor(root);
    turns_ = G::turns(root);
    if (!Expand(rules, root, kRoot)) return false;
    for (std::size_t next = 0; next < count_; ++next) {
      if (nodes_[next].leaf) continue;
      if (!Expand(rules, root, static_cast<std::uint32_t>(next))) return false;
    }
    return true;
  }

  std::size_t size() const { return leaves_.size(); }
  const State& operator[](std::size_t i) const { return nodes_[leaves_[i]].state; }

  // Replaces `path` by actions that lead from the root to afterstate i.
  void Path(std::size_t i, ActionList<Action>& path) const {
    path.clear();
    for (std::uint32_t at = leaves_[i]; at != kRoot; at = nodes_[at].parent) {
      path.push_back(nodes_[at].action);
    }
    std::reverse(path.begin(), path.end());
  }

  // The first action of that path.
  Action FirstAction(std::size_t i) const {
    std::uint32_t at = leaves_[i];
    while (nodes_[at].parent != kRoot) at = nodes_[at].parent;
    return nodes_[at].action;
  }

 private:
  static constexpr std::uint32_t kRoot = 0xffffffff;
  struct Node {
    State state;
    std::uint32_t parent;
    Action action;
    bool leaf;
  };

  bool ExpandWhole(const Rules& rules, const State& root) {
    G::legal(rules, root, actions_);
    if (actions_.size() > most_) return false;
    if (actions_.size() > nodes_.size()) nodes_.resize(2 * actions_.size());
    for (const Action action : actions_) {
      Node& child = nodes_[count_];
      child.state = root;
      G::apply(rules, child.state, action);
      child.parent = kRoot;
      child.action = action;
      leaves_.push_back(static_cast<std::uint32_t>(count_++));
    }
    return true;
  }

  // Adds the children of a node (or of the root) that have not been seen.
  bool Expand(const Rules& rules, const State& root, std::uint32_t parent) {
    G::legal(rules, parent == kRoot ? root : nodes_[parent].state, actions_);
    if (count_ + actions_.size() > most_) return false;
    if (count_ + actions_.size() > nodes_.size()) {
      nodes_.resize(2 * (count_ + actions_.size()));
    }
    const State& from = parent == kRoot ? root : nodes_[parent].state;
    for (const Action action : actions_) {
      if (IsOtherOrder(rules, root, parent, action)) continue;
      Node& child = nodes_[count_];
      child.state = from;
      G::apply(rules, child.state, action);
      if (!seen_.insert(G::key(child.state))) continue;
      child.parent = parent;
      child.action = action;
      child.leaf = G::waits(child.state) != Waits::kDecision || G::turns(child.state) != turns_ ||
                   G::actor(child.state) != seat_;
      if (child.leaf) leaves_.push_back(static_cast<std::uint32_t>(count_));
      ++count_;
    }
    return true;
  }

  // Whether `action` after the action that led to `parent` is walked in the other order instead:
  // of two that commute, the smaller goes first.
  bool IsOtherOrder([[maybe_unused]] const Rules& rules, [[maybe_unused]] const State& root,
                    [[maybe_unused]] std::uint32_t parent, [[maybe_unused]] Action action) const {
    if constexpr (KnowsCommutingActions<G>) {
      if (parent == kRoot || action >= nodes_[parent].action) return false;
      const std::uint32_t before = nodes_[parent].parent;
      return G::commute(rules, before == kRoot ? root : nodes_[before].state, nodes_[parent].action,
                        action);
    } else {
      return false;
    }
  }

  std::size_t most_;
  KeySet seen_;
  std::vector<Node> nodes_;  // the first count_ are in use
  std::size_t count_ = 0;
  std::vector<std::uint32_t> leaves_;
  ActionList<Action> actions_;
  Seat seat_;
  std::uint32_t turns_ = 0;
};

}  // namespace berd
