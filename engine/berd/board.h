#pragma once

#include <array>
#include <cassert>
#include <cstdint>
#include <type_traits>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "engine/berd/packed_counts.h"
#include "engine/berd/rules.h"
#include "engine/core/bits.h"
#include "engine/core/seat.h"

namespace berd {

// Where a token is, in one byte:
//   0 .. 63     active on that square
//   64 .. 127   captive in the stack on path square (place - 64)
//   128 .. 191  captive on corner k in the stack of seat h: 128 + 4h + k
//   192 .. 207  in the collection of seat (place - 192)
//   255         not placed yet
using Place = std::uint8_t;
inline constexpr int kPlaces = 208;
inline constexpr Place kNowhere = 255;
constexpr Place ActiveAt(int square) { return static_cast<Place>(square); }
constexpr Place CaptiveAt(int square) { return static_cast<Place>(64 + square); }
constexpr Place CaptiveAtCorner(int holder, int corner) {
  return static_cast<Place>(128 + 4 * holder + corner);
}
constexpr Place CollectedBy(int seat) { return static_cast<Place>(192 + seat); }

// Hash keys of unvalued tokens: a state's key is the sum over its tokens of (colour, place).
inline constexpr auto kTokenKeys = [] {
  std::array<std::array<std::uint64_t, kPlaces>, kMaxSeats> keys{};
  for (std::size_t color = 0; color < kMaxSeats; ++color) {
    for (std::size_t place = 0; place < kPlaces; ++place) {
      keys[color][place] = KeyConstant(color * kPlaces + place);
    }
  }
  return keys;
}();

// Places of the tokens of one colour by rank: rank r is the token of value 10 (r + 1).
using PlacesByRank = std::array<Place, 16>;

// The set of ranks whose token is at `place`.
inline std::uint16_t RanksAt(const PlacesByRank& places, Place place) {
#if defined(__SSE2__)
  const __m128i all = _mm_loadu_si128(reinterpret_cast<const __m128i*>(places.data()));
  const __m128i same = _mm_cmpeq_epi8(all, _mm_set1_epi8(static_cast<char>(place)));
  return static_cast<std::uint16_t>(_mm_movemask_epi8(same));
#else
  unsigned ranks = 0;
  for (unsigned rank = 0; rank < 16; ++rank) ranks |= (places[rank] == place ? 1u : 0u) << rank;
  return static_cast<std::uint16_t>(ranks);
#endif
}

// A set of tokens of any colours; with values also which ones. The captives that go along with a
// token, for example.
template <int kSeats, bool kValued>
struct TokenGroup {
  struct NoRanks {};
  typename PackedCounts<kSeats>::Word counts = 0;
  [[no_unique_address]] std::conditional_t<kValued, std::array<std::uint16_t, kSeats>, NoRanks>
      ranks{};
};

// The tokens of a Berd game: bitboards answer where stacks and Berds are, packed counts by square
// say what is in them, and in valued games one byte a token says where it is. The three views are
// kept in step by the members below, and so is the additive hash key.
//
// Squares are path squares (one stack each) or, if `kHasCorners`, corners (one stack per seat).
// kSquares is 16 or 64; kSeats is the most seats of the layout.
template <int kSeats, bool kValued, int kSquares, bool kHasCorners>
struct Board {
  using Counts = PackedCounts<kSeats>;
  using Word = typename Counts::Word;
  using Group = TokenGroup<kSeats, kValued>;
  struct Nothing {};
  static constexpr auto kSeatCount = static_cast<std::size_t>(kSeats);
  static constexpr auto kSquareCount = static_cast<std::size_t>(kSquares);

  std::uint64_t key = 0;
  std::array<SquareSet, kSeatCount> present{};  // squares with active tokens of the seat
  std::array<SquareSet, kSeatCount> berd{};     // … with two or more
  std::array<Word, kSquareCount> active{};      // active tokens by square and colour
  std::array<Word, kSquareCount> captive{};     // captives by path square and colour
  std::array<Word, kSeatCount> collected{};     // collections by seat and colour
  [[no_unique_address]] std::conditional_t<
      kHasCorners, std::array<std::array<Word, kCorners>, kSeatCount>, Nothing>
      corner_captive{};  // captives by holder and corner
  [[no_unique_address]] std::conditional_t<kValued, std::array<PlacesByRank, kSeatCount>, Nothing>
      place{};  // by colour and rank; unused ranks are kNowhere

  static std::uint64_t TokenKey(int color, int rank, Place where) {
    const std::uint64_t key =
        kTokenKeys[static_cast<std::size_t>(color)][static_cast<std::size_t>(where)];
    if constexpr (kValued) {
      // A sum over ranks must not be a function of the sum of ranks, so mix, do not multiply.
      return Mix64(key + static_cast<std::uint64_t>(rank));
    } else {
      return key;
    }
  }

  bool IsPresent(int seat, int square) const { return Has(present[At(seat)], square); }
  int ActiveCount(int seat, int square) const { return Counts::Count(active[At(square)], seat); }
  std::uint16_t Ranks(int color, Place where) const requires kValued {
    return RanksAt(place[At(color)], where);
  }

  // Puts a token that was nowhere on a square as active (`rank` is ignored without values).
  void Enter(int color, int rank, int square) {
    key += TokenKey(color, rank, ActiveAt(square));
    if constexpr (kValued) place[At(color)][At(rank)] = ActiveAt(square);
    AddActive(color, square, 1);
  }

  // Counts only: key and places are the caller's business.
  void AddActive(int color, int square, int number) {
    Word& word = active[At(square)];
    word = static_cast<Word>(word + number * Counts::One(color));
    present[At(color)] |= SetOf(square);
    if (Counts::Count(word, color) >= 2) berd[At(color)] |= SetOf(square);
  }
  void RemoveActive(int color, int square) {
    Word& word = active[At(square)];
    word = static_cast<Word>(word - Counts::One(color));
    const int left = Counts::Count(word, color);
    if (left < 2) berd[At(color)] &= ~SetOf(square);
    if (left == 0) present[At(color)] &= ~SetOf(square);
  }

  // Changes the place of one token in key and place table (not in the counts).
  void Rebook(int color, int rank, Place from, Place to) {
    key += TokenKey(color, rank, to) - TokenKey(color, rank, from);
    if constexpr (kValued) {
      assert(place[At(color)][At(rank)] == from);
      place[At(color)][At(rank)] = to;
    }
  }

  // The same for all tokens of a group that stand at one place.
  void Rebook(const Group& group, Place from, Place to) {
    Counts::ForEach(group.counts,
                    [&](int color, int number) { RebookColor(group, color, number, from, to); });
  }

  void RebookColor(const Group& group, int color, int number, Place from, Place to) {
    if constexpr (kValued) {
      ForEachMember(group.ranks[At(color)], [&](int rank) { Rebook(color, rank, from, to); });
    } else {
      const auto& keys = kTokenKeys[At(color)];
      key += static_cast<std::uint64_t>(number) * (keys[At(to)] - keys[At(from)]);
    }
  }

  // The group of all tokens of these counts that stand at `where`.
  Group GroupAt(Word counts, Place where) const {
    Group group;
    group.counts = counts;
    if constexpr (kValued) {
      Counts::ForEach(counts,
                      [&](int color, int) { group.ranks[At(color)] = Ranks(color, where); });
    }
    return group;
  }

  // A unit of one active token of `seat` and `captives` (standing at place `from_captives`) lands
  // on a path square that it may land on (§4): enters it, merges, or captures what is there. The
  // token and the captives must have been taken off their square's counts before.
  void LandOnPath(int seat, int rank, Place from_active, const Group& captives, Place from_captives,
                  std::uint32_t own_side, int square) {
    Rebook(seat, rank, from_active, ActiveAt(square));
    Rebook(captives, from_captives, CaptiveAt(square));
    const Word there = active[At(square)];
    if (there != 0 && (there & Counts::Fields(own_side)) == 0) Capture(own_side, square);
    captive[At(square)] = static_cast<Word>(captive[At(square)] + captives.counts);
    AddActive(seat, square, 1);
  }

  void Collect(int seat, int rank, Place from_active, const Group& captives, Place from_captives) {
    Rebook(seat, rank, from_active, CollectedBy(seat));
    Rebook(captives, from_captives, CollectedBy(seat));
    collected[At(seat)] =
        static_cast<Word>(collected[At(seat)] + captives.counts + Counts::One(seat));
  }

 private:
  template <class Index>
  static constexpr std::size_t At(Index index) {
    return static_cast<std::size_t>(index);
  }

  // Turns the stack of another side into captives and frees the tokens of the own side inside it.
  void Capture(std::uint32_t own_side, int square) {
    const Word own_fields = Counts::Fields(own_side);
    const Word enemies = active[At(square)];
    const Word freed = captive[At(square)] & own_fields;
    const Group freed_group = GroupAt(freed, CaptiveAt(square));
    const Group enemy_group = GroupAt(enemies, ActiveAt(square));
    Counts::ForEach(enemies, [&](int color, int) {
      present[At(color)] &= ~SetOf(square);
      berd[At(color)] &= ~SetOf(square);
    });
    active[At(square)] = 0;
    captive[At(square)] = static_cast<Word>((captive[At(square)] & ~own_fields) + enemies);
    Rebook(enemy_group, ActiveAt(square), CaptiveAt(square));
    Rebook(freed_group, CaptiveAt(square), ActiveAt(square));
    Counts::ForEach(freed, [&](int color, int number) { AddActive(color, square, number); });
  }
};

}  // namespace berd
