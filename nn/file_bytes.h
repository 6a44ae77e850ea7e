#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace berd {

// Values as bytes, as the project's files hold them: integers and IEEE 754 floats little-endian,
// texts as a 32-bit length and UTF-8 bytes.
static_assert(std::endian::native == std::endian::little,
              "files are little-endian; swap bytes in ByteWriter and ByteReader to build here");

// Appends values to a string. Thread-compatible.
class ByteWriter {
 public:
  template <class T>
  void Put(T value) {
    static_assert(std::is_arithmetic_v<T>);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof(value));
  }
  // The values alone, without their number.
  template <class T>
  void PutArray(std::span<const T> values) {
    static_assert(std::is_arithmetic_v<T>);
    bytes_.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
  }
  // Requires: shorter than 4 GiB.
  void PutText(std::string_view text) {
    Put(static_cast<std::uint32_t>(text.size()));
    bytes_.append(text);
  }
  void Reserve(std::size_t size) { bytes_.reserve(size); }

  const std::string& bytes() const { return bytes_; }
  std::string Take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

// Takes values off the front of `bytes`, which must outlive the reader. After the first value that
// is not there, ok() is false for good and everything read is zero or empty; nothing is allocated
// for lengths that the bytes cannot hold. Thread-compatible.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}

  template <class T>
  T Get() {
    static_assert(std::is_arithmetic_v<T>);
    T value{};
    if (Has(sizeof(T))) {
      std::memcpy(&value, bytes_.data(), sizeof(T));
      bytes_.remove_prefix(sizeof(T));
    }
    return value;
  }
  template <class T>
  std::vector<T> GetArray(std::size_t count) {
    static_assert(std::is_arithmetic_v<T>);
    std::vector<T> values;
    if (ok_ && count > bytes_.size() / sizeof(T)) ok_ = false;
    if (!ok_ || count == 0) return values;
    values.resize(count);
    std::memcpy(values.data(), bytes_.data(), count * sizeof(T));
    bytes_.remove_prefix(count * sizeof(T));
    return values;
  }
  // Fills an array of known size.
  template <class T>
  void GetArray(std::span<T> values) {
    static_assert(std::is_arithmetic_v<T>);
    if (values.empty() || !Has(values.size_bytes())) return;
    std::memcpy(values.data(), bytes_.data(), values.size_bytes());
    bytes_.remove_prefix(values.size_bytes());
  }
  std::string GetText() {
    const auto size = Get<std::uint32_t>();
    if (!Has(size)) return {};
    std::string text(bytes_.substr(0, size));
    bytes_.remove_prefix(size);
    return text;
  }

  bool ok() const { return ok_; }
  std::size_t left() const { return bytes_.size(); }
  // All read, nothing missing and nothing left over.
  bool AtEnd() const { return ok_ && bytes_.empty(); }

 private:
  bool Has(std::size_t size) {
    ok_ = ok_ && size <= bytes_.size();
    return ok_;
  }

  std::string_view bytes_;
  bool ok_ = true;
};

}  // namespace berd
