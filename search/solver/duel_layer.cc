#include "search/solver/duel_layer.h"

#include <xxhash.h>

#include <bit>
#include <vector>

#include "engine/core/bits.h"

namespace berd {

namespace {

static_assert(std::endian::native == std::endian::little, "tables are little-endian");

constexpr std::uint32_t kSectionMark = 0x4c445542;  // "BUDL"

struct SectionHeader {
  std::uint32_t mark = kSectionMark;
  std::uint8_t own = 0;
  std::uint8_t other = 0;
  std::uint8_t margin_width = 0;
  std::uint8_t distance_width = 0;
  std::uint32_t boards = 0;
  std::uint32_t margin_patterns = 0;
  std::uint32_t distance_patterns = 0;
  std::uint32_t unused = 0;
  std::uint64_t payload_bytes = 0;
  std::uint64_t payload_hash = 0;
  std::uint64_t unused_too = 0;
  std::uint64_t unused_three = 0;
  std::uint64_t header_hash = 0;  // of what stands before it
};
static_assert(sizeof(SectionHeader) == kDuelSectionAlignment);
static_assert(sizeof(DuelPlane::Pattern) == 16);

std::uint64_t HashOf(const SectionHeader& header) {
  return XXH3_64bits(&header, offsetof(SectionHeader, header_hash));
}

std::size_t RoundUp(std::size_t bytes) {
  return (bytes + kDuelSectionAlignment - 1) / kDuelSectionAlignment * kDuelSectionAlignment;
}

std::size_t PatternBytes(std::uint32_t patterns) {
  return RoundUp(std::size_t{patterns} * sizeof(DuelPlane::Pattern));
}
std::size_t CodeBytes(std::uint32_t boards, int width) {
  return RoundUp(std::size_t{boards} * static_cast<std::size_t>(width) + 3);
}

// Gives equal patterns equal numbers, in the order of their first occurrence.
class PatternNumbers {
 public:
  std::uint32_t Of(const DuelPlane::Pattern& pattern) {
    if (patterns_.size() * 2 >= slots_.size()) Grow();
    std::uint32_t& slot = Slot(pattern);
    if (slot == kEmpty) {
      slot = static_cast<std::uint32_t>(patterns_.size());
      patterns_.push_back(pattern);
    }
    return slot;
  }
  const std::vector<DuelPlane::Pattern>& patterns() const { return patterns_; }

 private:
  static constexpr std::uint32_t kEmpty = 0xffffffff;

  std::uint32_t& Slot(const DuelPlane::Pattern& pattern) {
    const auto words = std::bit_cast<std::array<std::uint64_t, 2>>(pattern);
    std::size_t at = Mix64(Mix64(words[0]) + words[1]) & (slots_.size() - 1);
    while (slots_[at] != kEmpty && patterns_[slots_[at]] != pattern) {
      at = (at + 1) & (slots_.size() - 1);
    }
    return slots_[at];
  }
  void Grow() {
    slots_.assign(slots_.size() * 4, kEmpty);
    for (std::uint32_t i = 0; i < patterns_.size(); ++i) Slot(patterns_[i]) = i;
  }

  std::vector<DuelPlane::Pattern> patterns_;
  std::vector<std::uint32_t> slots_ = std::vector<std::uint32_t>(1024, kEmpty);
};

int WidthFor(std::size_t patterns) {
  int width = 1;
  while (width < 4 && patterns > std::size_t{1} << (8 * width)) ++width;
  return width;
}

// Appends patterns and codes.
template <class PatternOf>
std::uint32_t EncodePlane(std::span<const DuelScores> scores, PatternOf&& pattern_of,
                          std::string& payload, std::uint8_t& width) {
  PatternNumbers numbers;
  std::vector<std::uint32_t> codes(scores.size());
  for (std::size_t board = 0; board < scores.size(); ++board) {
    codes[board] = numbers.Of(pattern_of(scores[board]));
  }
  const auto& patterns = numbers.patterns();
  const auto count = static_cast<std::uint32_t>(patterns.size());
  const std::size_t start = payload.size();
  const auto bytes = static_cast<std::size_t>(width = static_cast<std::uint8_t>(WidthFor(count)));
  const std::size_t codes_start = start + PatternBytes(count);
  payload.resize(codes_start + CodeBytes(static_cast<std::uint32_t>(scores.size()), width));
  std::memcpy(payload.data() + start, patterns.data(), count * sizeof(DuelPlane::Pattern));
  for (std::size_t board = 0; board < codes.size(); ++board) {
    std::memcpy(payload.data() + codes_start + board * bytes, &codes[board], bytes);
  }
  return count;
}

}  // namespace

Result<std::string> EncodeDuelLayer(DuelLayer layer, std::span<const DuelScores> scores) {
  SectionHeader header;
  header.own = static_cast<std::uint8_t>(layer.own);
  header.other = static_cast<std::uint8_t>(layer.other);
  header.boards = static_cast<std::uint32_t>(scores.size());
  std::string section(sizeof header, '\0');
  int longest = 0;
  header.margin_patterns = EncodePlane(
      scores,
      [](const DuelScores& board) {
        DuelPlane::Pattern pattern;
        for (std::size_t i = 0; i < kDuelCounters; ++i) {
          pattern[i] = static_cast<std::int8_t>(duel_score::Margin(board[i]));
        }
        return pattern;
      },
      section, header.margin_width);
  header.distance_patterns = EncodePlane(
      scores,
      [&](const DuelScores& board) {
        DuelPlane::Pattern pattern;
        for (std::size_t i = 0; i < kDuelCounters; ++i) {
          const int distance = duel_score::Distance(board[i]);
          longest = distance > longest ? distance : longest;
          pattern[i] = static_cast<std::int8_t>(distance - DuelLayerView::kDistanceBias);
        }
        return pattern;
      },
      section, header.distance_width);
  if (longest > 255) {
    return Fail("a distance of " + std::to_string(longest) + " plies does not fit the table");
  }
  header.payload_bytes = section.size() - sizeof header;
  header.payload_hash = XXH3_64bits(section.data() + sizeof header, header.payload_bytes);
  header.header_hash = HashOf(header);
  std::memcpy(section.data(), &header, sizeof header);
  return section;
}

Result<DuelSection> DecodeDuelLayer(std::string_view bytes) {
  SectionHeader header;
  if (bytes.size() < sizeof header) return Fail("cut off");
  std::memcpy(&header, bytes.data(), sizeof header);
  if (header.mark != kSectionMark || header.header_hash != HashOf(header)) {
    return Fail("damaged: a layer's header does not agree with its checksum");
  }
  const auto is_width = [](int width) { return width >= 1 && width <= 4; };
  if (!is_width(header.margin_width) || !is_width(header.distance_width)) {
    return Fail("damaged: codes of an impossible size");
  }
  if (bytes.size() - sizeof header < header.payload_bytes) return Fail("cut off");
  const char* const payload = bytes.data() + sizeof header;
  const std::string name = std::to_string(header.own) + "+" + std::to_string(header.other);
  if (XXH3_64bits(payload, header.payload_bytes) != header.payload_hash) {
    return Fail("damaged: layer " + name + " does not agree with its checksum");
  }
  DuelSection section;
  DuelLayerView& view = section.view;
  view.layer = {header.own, header.other};
  view.boards = header.boards;
  view.margin_patterns = header.margin_patterns;
  view.distance_patterns = header.distance_patterns;
  std::size_t at = 0;
  const auto plane = [&](std::uint32_t patterns, int width) {
    const auto* const list = reinterpret_cast<const DuelPlane::Pattern*>(payload + at);
    at += PatternBytes(patterns);
    const auto* const codes = reinterpret_cast<const std::uint8_t*>(payload + at);
    at += CodeBytes(header.boards, width);
    return DuelPlane(list, codes, width);
  };
  view.margins = plane(header.margin_patterns, header.margin_width);
  view.distances = plane(header.distance_patterns, header.distance_width);
  if (at != header.payload_bytes) return Fail("damaged: layer " + name + " has a wrong size");
  section.bytes = sizeof header + header.payload_bytes;
  return section;
}

}  // namespace berd
