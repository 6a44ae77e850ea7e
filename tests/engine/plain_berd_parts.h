#pragma once

#include <algorithm>
#include <string>
#include <vector>

// Small helpers of the plain implementation.
namespace berd::plain {

inline std::vector<std::string> Parts(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == separator) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

inline bool StartsWith(const std::string& text, const std::string& start) {
  return text.rfind(start, 0) == 0;
}

inline void SortUnique(std::vector<std::string>& strings) {
  std::sort(strings.begin(), strings.end());
  strings.erase(std::unique(strings.begin(), strings.end()), strings.end());
}

template <class T>
T& At(std::vector<T>& list, int i) {
  return list.at(static_cast<std::size_t>(i));
}
template <class T>
const T& At(const std::vector<T>& list, int i) {
  return list.at(static_cast<std::size_t>(i));
}

}  // namespace berd::plain
