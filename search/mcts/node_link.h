#pragma once

#include <cstdint>

namespace berd::mcts {

// A pointer to the first node of a list, which says without a look at the node whether it may be
// the one wanted: nodes begin at multiples of 64, and the low bits hold five bits of the key and
// whether others follow.
template <class Node>
class NodeLink {
 public:
  NodeLink() = default;
  // A node before those of another list.
  NodeLink(Node* node, NodeLink next)
      : bits_(reinterpret_cast<std::uintptr_t>(node) | TagOf(node->key) |
              (next.empty() ? 0 : kMore)) {
    static_assert(alignof(Node) >= 64);
  }

  bool empty() const { return bits_ == 0; }
  Node* node() const {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): a pointer with its tag is what this class is.
    return reinterpret_cast<Node*>(bits_ & ~std::uintptr_t{63});
  }
  // Whether the first node may have this key.
  bool MayBe(std::uint64_t key) const { return (bits_ & kTag) == TagOf(key); }
  bool has_more() const { return (bits_ & kMore) != 0; }
  friend bool operator==(NodeLink, NodeLink) = default;

 private:
  static constexpr std::uintptr_t kTag = 31;
  static constexpr std::uintptr_t kMore = 32;
  // Not the bits that choose the bucket.
  static std::uintptr_t TagOf(std::uint64_t key) { return static_cast<std::uintptr_t>(key >> 59); }

  std::uintptr_t bits_ = 0;
};

}  // namespace berd::mcts
