#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include "engine/core/error.h"
#include "search/solver/duel_score.h"

namespace berd {

// Sixteen numbers a board, one for each pair of sideways counters, where boards with equal numbers
// share one pattern: a list of patterns and a code of `width` bytes a board. A view into memory
// that must outlive it.
class DuelPlane {
 public:
  using Pattern = std::array<std::int8_t, kDuelCounters>;

  DuelPlane() = default;
  DuelPlane(const Pattern* patterns, const std::uint8_t* codes, int width)
      : patterns_(patterns),
        codes_(codes),
        width_(static_cast<std::size_t>(width)),
        mask_(static_cast<std::uint32_t>((std::uint64_t{1} << (8 * width)) - 1)) {}

  // The code may be read beyond its width: three more bytes follow the codes.
  std::uint32_t Code(std::uint32_t board) const {
    std::uint32_t code;
    std::memcpy(&code, codes_ + board * width_, sizeof code);
    return code & mask_;
  }
  const Pattern& operator[](std::uint32_t board) const { return patterns_[Code(board)]; }

 private:
  const Pattern* patterns_ = nullptr;
  const std::uint8_t* codes_ = nullptr;
  std::size_t width_ = 1;
  std::uint32_t mask_ = 0;
};

// A solved layer, a view. Distances are stored less 128.
struct DuelLayerView {
  DuelLayer layer;
  std::uint32_t boards = 0;
  std::uint32_t margin_patterns = 0;
  std::uint32_t distance_patterns = 0;
  DuelPlane margins;
  DuelPlane distances;

  int Margin(std::uint32_t board, std::size_t counters) const { return margins[board][counters]; }
  int Distance(std::uint32_t board, std::size_t counters) const {
    return distances[board][counters] + kDistanceBias;
  }
  static constexpr int kDistanceBias = 128;
};

// A layer as it is written into a file: header with checksums, patterns, codes. A multiple of
// kDuelSectionAlignment bytes. The error says that a distance is too great for this layout.
Result<std::string> EncodeDuelLayer(DuelLayer layer, std::span<const DuelScores> scores);

inline constexpr std::size_t kDuelSectionAlignment = 64;

struct DuelSection {
  DuelLayerView view;
  std::size_t bytes = 0;  // of the whole section
};

// The section at the beginning of `bytes`, which must be aligned to 16 bytes. The error says that
// it is cut off or damaged.
Result<DuelSection> DecodeDuelLayer(std::string_view bytes);

}  // namespace berd
