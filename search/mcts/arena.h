#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <type_traits>
#include <vector>

namespace berd::mcts {

// Blocks of memory, handed out one after another and all taken back at once. Thread-safe but for
// Reset. A thread asks for a block once in thousands of nodes, so a mutex will do here.
class Arena {
 public:
  static constexpr std::size_t kBlock = std::size_t{1} << 18;

  struct Block {
    std::unique_ptr<std::byte[]> bytes;
    std::size_t size = 0;
  };

  // A block of at least `least` bytes.
  Block& Next(std::size_t least) {
    const std::lock_guard lock(mutex_);
    if (used_ == blocks_.size()) blocks_.push_back(std::make_unique<Block>());
    Block& block = *blocks_[used_++];
    if (block.size < least) {
      block.size = std::max(least, kBlock);
      block.bytes = std::make_unique_for_overwrite<std::byte[]>(block.size);
    }
    return block;
  }

  void Reset() { used_ = 0; }
  std::size_t blocks() const { return used_; }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<Block>> blocks_;
  std::size_t used_ = 0;
};

// Bump allocation from an arena's blocks, for one thread.
class Allocator {
 public:
  // Goes on in a new block of this arena.
  void Attach(Arena& arena) {
    arena_ = &arena;
    next_ = end_ = nullptr;
  }

  // Memory for `count` objects, which begin their life with default values and end it with the
  // arena: they need no destructor.
  template <class T>
  T* Make(std::size_t count = 1) {
    static_assert(std::is_trivially_destructible_v<T> && alignof(T) <= kAlign);
    T* const first = reinterpret_cast<T*>(Take(count * sizeof(T)));
    std::uninitialized_default_construct_n(first, count);
    return first;
  }

 private:
  static constexpr std::size_t kAlign = alignof(std::max_align_t);

  std::byte* Take(std::size_t bytes) {
    bytes = (bytes + kAlign - 1) / kAlign * kAlign;
    if (static_cast<std::size_t>(end_ - next_) < bytes) {
      Arena::Block& block = arena_->Next(bytes);
      next_ = block.bytes.get();
      end_ = next_ + block.size;
    }
    std::byte* const taken = next_;
    next_ += bytes;
    return taken;
  }

  Arena* arena_ = nullptr;
  std::byte* next_ = nullptr;
  std::byte* end_ = nullptr;
};

}  // namespace berd::mcts
