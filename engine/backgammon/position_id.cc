#include "engine/backgammon/position_id.h"

#include <array>

#include "engine/core/text.h"

namespace berd {
namespace {

constexpr std::string_view kDigits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::size_t kLength = 14;
constexpr int kBits = 80;

using Key = std::array<std::uint8_t, kBits / 8 + 2>;  // whole groups of three bytes

std::string Encode(const Key& key) {
  std::string id;
  for (std::size_t at = 0; at < key.size(); at += 3) {
    const unsigned group = static_cast<unsigned>(key[at]) << 16 |
                           static_cast<unsigned>(key[at + 1]) << 8 | key[at + 2];
    for (int shift = 18; shift >= 0; shift -= 6) id += kDigits[group >> shift & 63];
  }
  return id.substr(0, kLength);
}

Result<Key> Decode(std::string_view id) {
  if (id.size() != kLength) {
    return Fail("must have 14 characters, not " + std::to_string(id.size()));
  }
  std::array<unsigned, 16> digits{};
  for (std::size_t i = 0; i < id.size(); ++i) {
    const auto digit = kDigits.find(id[i]);
    if (digit == std::string_view::npos) {
      return Fail("character " + std::to_string(i + 1) + " " + Quoted(id.substr(i, 1)) +
                  " is not one of A-Z, a-z, 0-9, + and /");
    }
    digits[i] = static_cast<unsigned>(digit);
  }
  Key key{};
  for (std::size_t at = 0, digit = 0; at < key.size(); at += 3, digit += 4) {
    const unsigned group =
        digits[digit] << 18 | digits[digit + 1] << 12 | digits[digit + 2] << 6 | digits[digit + 3];
    for (std::size_t i = 0; i < 3; ++i) {
      key[at + i] = static_cast<std::uint8_t>(group >> (16 - 8 * i));
    }
  }
  return key;
}

}  // namespace

std::string PositionId(const BackgammonState& state) {
  Key key{};
  std::size_t bit = 0;
  for (const int seat : {1 - state.turn, int{state.turn}}) {
    for (int point = 1; point <= tables::kBar; ++point, ++bit) {
      for (int man = state.men[static_cast<std::size_t>(seat)][point]; man > 0; --man, ++bit) {
        key[bit / 8] = static_cast<std::uint8_t>(key[bit / 8] | 1 << bit % 8);
      }
    }
  }
  return Encode(key);
}

Result<BackgammonState> ParsePositionId(const BackgammonRules& rules, std::string_view id,
                                        Seat on_turn) {
  const std::string place = "position ID " + Quoted(id);
  const auto key = Decode(id);
  if (!key) return Fail(place, key.error());
  BackgammonState state;
  state.phase = tables::Phase::kRoll;
  state.turn = static_cast<std::uint8_t>(on_turn.index());
  std::size_t bit = 0;
  for (const int seat : {1 - state.turn, int{state.turn}}) {
    tables::Men& men = state.men[static_cast<std::size_t>(seat)];
    int left = tables::kMen;
    for (int point = 1; point <= tables::kBar; ++point, ++bit) {
      for (; bit < kBits && (*key)[bit / 8] >> bit % 8 & 1; ++bit) {
        if (--left < 0) return Fail(place + ": a side has more than 15 men");
        ++men[point];
      }
    }
    men[tables::kOff] = static_cast<std::uint8_t>(left);
  }
  for (; bit < 8 * key->size(); ++bit) {
    if ((*key)[bit / 8] >> bit % 8 & 1) return Fail(place + ": there are men after the last bar");
  }
  // The checks of a position string: no shared points, nobody done.
  const auto checked = Backgammon::parse(rules, Backgammon::position(rules, state));
  if (!checked) return Fail(place, checked.error());
  return state;
}

}  // namespace berd
