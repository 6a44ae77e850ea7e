#pragma once

#include <algorithm>
#include <bit>
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
    nodes_.reserve(1024);
    leaves_.reserve(1024);
  }

  // Enumerates the afterstates of `root`. Requires: root waits for a decision. False when the bound
  // was exceeded; then the list is incomplete and must not be used.
  bool Enumerate(const Rules& rules, const State& root) {
    nodes_.clear();
    leaves_.clear();
    seen_.clear();
    seat_ = G::actor(root);
    turns_ = G::turns(root);
    bool complete = Expand(rules, root, kRoot);
    for (std::size_t next = 0; complete && next < nodes_.size(); ++next) {
      if (!nodes_[next].leaf) {
        // The copy keeps the parent valid while the vector grows.
        const State parent = nodes_[next].state;
        complete = Expand(rules, parent, static_cast<std::uint32_t>(next));
      }
    }
    return complete;
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

  bool Expand(const Rules& rules, const State& from, std::uint32_t parent) {
    G::legal(rules, from, actions_);
    for (const Action action : actions_) {
      if (nodes_.size() >= most_) return false;
      nodes_.push_back({from, parent, action, false});
      Node& child = nodes_.back();
      G::apply(rules, child.state, action);
      if (!seen_.insert(G::key(child.state))) {
        nodes_.pop_back();
        continue;
      }
      child.leaf = G::waits(child.state) != Waits::kDecision ||
                   G::turns(child.state) != turns_ || G::actor(child.state) != seat_;
      if (child.leaf) leaves_.push_back(static_cast<std::uint32_t>(nodes_.size() - 1));
    }
    return true;
  }

  std::size_t most_;
  KeySet seen_;
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> leaves_;
  ActionList<Action> actions_;
  Seat seat_;
  std::uint32_t turns_ = 0;
};

}  // namespace berd
