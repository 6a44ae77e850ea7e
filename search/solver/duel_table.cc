#include "search/solver/duel_table.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <variant>

#include "engine/core/text.h"

namespace berd {

namespace {

using DuelGame = Duel<false>;

constexpr std::string_view kMark = "BERDDUEL";
constexpr std::uint32_t kVersion = 1;

struct Header {
  std::array<char, 8> mark{};
  std::uint32_t version = 0;
  std::uint32_t unused = 0;
  std::array<char, 104> rules{};  // without the cap, filled up with zeros
  std::uint64_t hash = 0;         // of what stands before it
};
static_assert(sizeof(Header) == kDuelTableHeaderBytes);

std::uint64_t HashOf(const Header& header) { return XXH3_64bits(&header, offsetof(Header, hash)); }

tl::unexpected<Error> SystemError(const std::string& path, const char* what) {
  return Fail(path + ": cannot " + what + ": " + std::generic_category().message(errno));
}

// Maps a whole regular file for reading.
Result<std::string_view> MapFile(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return SystemError(path, "open");
  struct stat info = {};
  if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) {
    close(fd);
    return Fail(path + ": not a file");
  }
  const auto size = static_cast<std::size_t>(info.st_size);
  if (size < kDuelTableHeaderBytes) {
    close(fd);
    return Fail(path + ": not a duel table");
  }
  void* const data = mmap(nullptr, size, PROT_READ, MAP_SHARED, fd, 0);
  close(fd);
  if (data == MAP_FAILED) return SystemError(path, "map");
  return std::string_view(static_cast<const char*>(data), size);
}

void Unmap(std::string_view bytes) { munmap(const_cast<char*>(bytes.data()), bytes.size()); }

}  // namespace

std::string DuelTableHeader(const DuelRules& rules) {
  DuelRules endless = rules;
  endless.cap = DuelRules().cap;
  const std::string text = endless.ToString();
  Header header;
  std::copy(kMark.begin(), kMark.end(), header.mark.begin());
  header.version = kVersion;
  std::copy(text.begin(), text.end(), header.rules.begin());
  header.hash = HashOf(header);
  std::string bytes(sizeof header, '\0');
  std::memcpy(bytes.data(), &header, sizeof header);
  return bytes;
}

Result<DuelRules> ParseDuelTableHeader(std::string_view bytes) {
  Header header;
  if (bytes.size() < sizeof header) return Fail("not a duel table");
  std::memcpy(&header, bytes.data(), sizeof header);
  if (!std::equal(kMark.begin(), kMark.end(), header.mark.begin())) {
    return Fail("not a duel table");
  }
  if (header.version > kVersion) {
    return Fail("version " + std::to_string(header.version) +
                " of the duel table is newer than this program, which reads up to " +
                std::to_string(kVersion));
  }
  if (header.hash != HashOf(header)) {
    return Fail("damaged: the header does not agree with its checksum");
  }
  const auto end = std::find(header.rules.begin(), header.rules.end(), '\0');
  const auto parsed = ParseRules(std::string_view(header.rules.begin(), end));
  if (!parsed) return tl::unexpected(parsed.error());
  const auto* const rules = std::get_if<DuelRules>(&*parsed);
  if (rules == nullptr || rules->valued() || !DuelIndex::Fits(rules->squares, rules->tokens)) {
    return Fail("damaged: no duel that can be solved");
  }
  return *rules;
}

std::vector<DuelLayer> DuelLayersInOrder(int tokens) {
  std::vector<DuelLayer> layers;
  for (int total = 2; total <= 2 * tokens; ++total) {
    for (int own = 1; 2 * own <= total; ++own) {
      if (total - own > tokens) continue;
      layers.push_back({own, total - own});
      if (2 * own != total) layers.push_back({total - own, own});
    }
  }
  return layers;
}

DuelTable::DuelTable(std::string_view bytes, const DuelRules& rules)
    : bytes_(bytes),
      rules_(rules),
      index_(rules.squares, rules.tokens),
      layers_(At(rules.tokens + 1), std::vector<DuelLayerView>(At(rules.tokens + 1))) {}

DuelTable::~DuelTable() { Unmap(bytes_); }

Result<std::shared_ptr<const DuelTable>> DuelTable::Open(const std::string& path) {
  const auto bytes = MapFile(path);
  if (!bytes) return tl::unexpected(bytes.error());
  const auto rules = ParseDuelTableHeader(*bytes);
  if (!rules) {
    Unmap(*bytes);
    return Fail(path, rules.error());
  }
  std::shared_ptr<DuelTable> table(new DuelTable(*bytes, *rules));
  if (const auto ok = table->ReadLayers(path); !ok) return tl::unexpected(ok.error());
  return table;
}

Result<void> DuelTable::ReadLayers(const std::string& path) {
  std::string_view rest = bytes_.substr(kDuelTableHeaderBytes);
  for (const DuelLayer layer : DuelLayersInOrder(rules_.tokens)) {
    const auto section = DecodeDuelLayer(rest);
    if (!section) return Fail(path, section.error());
    if (section->view.layer != layer || section->view.boards != index_.boards(layer)) {
      return Fail(path + ": damaged: layers are not in order");
    }
    layers_[At(layer.own)][At(layer.other)] = section->view;
    rest.remove_prefix(section->bytes);
  }
  if (!rest.empty()) return Fail(path + ": damaged: bytes after the end");
  return {};
}

Result<void> DuelTable::Fits(const DuelRules& rules) const {
  if (rules.valued() || rules.width != rules_.width || rules.color != rules_.color ||
      rules.tokens > rules_.tokens) {
    return Fail("the table is for " + rules_.ToString() + ", not for " + rules.ToString());
  }
  return {};
}

DuelCells DuelCellsOf(const DuelIndex& index, const DuelRules& rules,
                      const Duel<false>::State& state) {
  using Counts = Duel<false>::Counts;
  DuelCells cells{};
  const int mover = state.turn;
  for (int square = 0; square < rules.squares; ++square) {
    const int seen = mover == 0 ? square : rules.squares - 1 - square;
    for (const int holder : {0, 1}) {
      const int active = state.tokens.ActiveCount(holder, square);
      if (active == 0) continue;
      const auto captives = state.tokens.captive[static_cast<std::size_t>(square)];
      cells[static_cast<std::size_t>(seen)] =
          index.CellOf(holder == mover, active, Counts::Count(captives, 1 - holder));
    }
  }
  return cells;
}

DuelTable::Place DuelTable::Find(const DuelRules& rules, const State& state) const {
  const DuelCells cells = DuelCellsOf(index_, rules, state);
  const auto mover = static_cast<std::size_t>(state.turn);
  return {&layer(index_.LayerOf(cells)), index_.Rank(cells),
          std::size_t{4} * state.sideways[mover] + state.sideways[1 - mover]};
}

int DuelTable::Margin(const DuelRules& rules, const State& state) const {
  const int now = CollectedDifference(state);
  if (state.phase == DuelPhase::kEnd) return now;
  if (state.phase == DuelPhase::kMove) {
    const Place place = Find(rules, state);
    const int gain = place.layer->Margin(place.board, place.counters);
    return state.turn == 0 ? now + gain : now - gain;
  }
  // Placing and carrying: the best of the next steps.
  ActionList<DuelGame::Action> actions;
  DuelGame::legal(rules, state, actions);
  int best = 0;
  for (std::size_t i = 0; i < actions.size(); ++i) {
    State after = state;
    DuelGame::apply(rules, after, actions[i]);
    const int margin = Margin(rules, after);
    if (i == 0 || (state.turn == 0 ? margin > best : margin < best)) best = margin;
  }
  return best;
}

int DuelTable::Distance(const DuelRules& rules, const State& state) const {
  const Place place = Find(rules, state);
  return place.layer->Distance(place.board, place.counters);
}

}  // namespace berd
