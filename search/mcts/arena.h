#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <new>
#include <type_traits>
#include <vector>

namespace berd::mcts {

// Memory from the system, not initialised, in large pages where there is much of it: a graph is
// read here and there, and small pages would cost a second miss each time.
class LargeMemory {
 public:
  static constexpr std::size_t kLargePage = std::size_t{1} << 21;

  LargeMemory() = default;
  // Room for at least `size` bytes.
  explicit LargeMemory(std::size_t size) {
    const std::size_t align = size < kLargePage ? kLine : kLargePage;
    size_ = (size + align - 1) / align * align;
    bytes_.reset(static_cast<std::byte*>(std::aligned_alloc(align, size_)));
    if (bytes_ == nullptr) throw std::bad_alloc();
    // A wish: without it everything works as well, only slower.
    if (align == kLargePage) madvise(bytes_.get(), size_, MADV_HUGEPAGE);
  }

  std::byte* get() const { return bytes_.get(); }
  std::size_t size() const { return size_; }

 private:
  static constexpr std::size_t kLine = 64;
  struct Free {
    void operator()(std::byte* bytes) const { std::free(bytes); }
  };
  std::unique_ptr<std::byte, Free> bytes_;
  std::size_t size_ = 0;
};

// Blocks of memory, handed out one after another and all taken back at once. Thread-safe but for
// Reset. A thread asks for a block once in thousands of nodes, so a mutex will do here.
class Arena {
 public:
  // The first few blocks are small, for small searches.
  static constexpr std::size_t kSmallBlock = std::size_t{1} << 18;
  static constexpr std::size_t kSmallBlocks = 8;

  // A block of at least `least` bytes.
  LargeMemory& Next(std::size_t least) {
    const std::lock_guard lock(mutex_);
    if (used_ == blocks_.size()) blocks_.push_back(std::make_unique<LargeMemory>());
    const std::size_t usual = used_ < kSmallBlocks ? kSmallBlock : LargeMemory::kLargePage;
    LargeMemory& block = *blocks_[used_++];
    if (block.size() < least) block = LargeMemory(std::max(least, usual));
    return block;
  }

  void Reset() { used_ = 0; }
  std::size_t blocks() const { return used_; }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<LargeMemory>> blocks_;
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
    static_assert(std::is_trivially_destructible_v<T> && alignof(T) <= 64);
    T* const first = reinterpret_cast<T*>(Take(count * sizeof(T), alignof(T)));
    std::uninitialized_default_construct_n(first, count);
    return first;
  }

  // Takes the last object made back.
  template <class T>
  void TakeBack(T* last) {
    next_ = reinterpret_cast<std::byte*>(last);
  }

 private:
  std::byte* Take(std::size_t bytes, std::size_t align) {
    std::size_t padding = (0 - reinterpret_cast<std::uintptr_t>(next_)) & (align - 1);
    if (static_cast<std::size_t>(end_ - next_) < padding + bytes) {
      LargeMemory& block = arena_->Next(bytes);
      next_ = block.get();
      end_ = next_ + block.size();
      padding = 0;
    }
    std::byte* const taken = next_ + padding;
    next_ = taken + bytes;
    return taken;
  }

  Arena* arena_ = nullptr;
  std::byte* next_ = nullptr;
  std::byte* end_ = nullptr;
};

}  // namespace berd::mcts
