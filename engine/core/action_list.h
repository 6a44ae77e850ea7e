#pragma once

#include <cassert>
#include <cstddef>
#include <cstring>
#include <memory>
#include <type_traits>

namespace berd {

// A list of actions owned by the caller and filled again and again by `legal`. It allocates when it
// is made or grows; a caller that keeps it has no heap traffic per node. Growth doubles, so that
// the rare long list (all cash prices of a trade) needs no bound known beforehand.
template <class T>
class ActionList {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  using value_type = T;

  explicit ActionList(std::size_t capacity = 256)
      : items_(std::make_unique_for_overwrite<T[]>(capacity)), capacity_(capacity) {}

  void clear() { size_ = 0; }
  void push_back(T action) {
    if (size_ == capacity_) [[unlikely]]
      Grow();
    items_[size_++] = action;
  }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T operator[](std::size_t i) const {
    assert(i < size_);
    return items_[i];
  }
  T* begin() { return items_.get(); }
  T* end() { return items_.get() + size_; }
  const T* begin() const { return items_.get(); }
  const T* end() const { return items_.get() + size_; }

 private:
  void Grow() {
    const std::size_t larger = capacity_ == 0 ? 16 : 2 * capacity_;
    auto items = std::make_unique_for_overwrite<T[]>(larger);
    std::memcpy(items.get(), items_.get(), size_ * sizeof(T));
    items_ = std::move(items);
    capacity_ = larger;
  }

  std::unique_ptr<T[]> items_;
  std::size_t capacity_;
  std::size_t size_ = 0;
};

}  // namespace berd
