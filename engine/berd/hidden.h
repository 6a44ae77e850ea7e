#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "engine/berd/board.h"
#include "engine/core/random.h"

namespace berd {

// Distributes the tokens `unseen` (ranks of one colour) over the places where they stand now:
// uniformly at random, or without `random` in one fixed way that depends on the places alone.
template <class Tokens>
void ArrangeUnseen(Tokens& tokens, int color, std::uint16_t unseen, RandomStream* random) {
  std::array<Place, 16> places;
  std::size_t count = 0;
  auto& by_rank = tokens.place[static_cast<std::size_t>(color)];
  ForEachMember(unseen,
                [&](int rank) { places[count++] = by_rank[static_cast<std::size_t>(rank)]; });
  std::sort(places.begin(), places.begin() + count);
  if (random != nullptr) {
    for (std::size_t left = count; left > 1; --left) {
      std::swap(places[left - 1], places[random->Below(static_cast<std::uint32_t>(left))]);
    }
  }
  std::size_t next = 0;
  ForEachMember(unseen, [&](int rank) {
    Place& place = by_rank[static_cast<std::size_t>(rank)];
    const Place to = places[next++];
    if (place != kNowhere) tokens.key -= Tokens::TokenKey(color, rank, place);
    place = to;
    if (place != kNowhere) tokens.key += Tokens::TokenKey(color, rank, place);
  });
}

}  // namespace berd
