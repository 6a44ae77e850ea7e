#pragma once

#include <array>
#include <cassert>
#include <cstddef>

namespace berd {

// A list with room for `kCapacity` values inside itself; no heap. Adding beyond the capacity is a
// bug (checked in debug builds).
template <class T, std::size_t kCapacity>
class BoundedList {
 public:
  using value_type = T;
  static constexpr std::size_t capacity() { return kCapacity; }

  void clear() { size_ = 0; }
  void push_back(const T& value) {
    assert(size_ < kCapacity);
    items_[size_++] = value;
  }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T& operator[](std::size_t i) { return items_[i]; }
  const T& operator[](std::size_t i) const { return items_[i]; }
  T* begin() { return items_.data(); }
  T* end() { return items_.data() + size_; }
  const T* begin() const { return items_.data(); }
  const T* end() const { return items_.data() + size_; }

 private:
  std::size_t size_ = 0;
  std::array<T, kCapacity> items_;
};

}  // namespace berd
