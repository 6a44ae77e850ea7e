#pragma once

// Between the packed tokens of a board and the token lists of the notation.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "engine/berd/board.h"
#include "engine/berd/notation.h"
#include "engine/core/error.h"
#include "engine/core/game.h"

namespace berd {

// The tokens of these counts, which stand at `place`.
template <int kSeats, bool kValued, int kSquares, bool kHasCorners>
TokenList ListTokens([[maybe_unused]] const Board<kSeats, kValued, kSquares, kHasCorners>& board,
                     typename PackedCounts<kSeats>::Word counts, [[maybe_unused]] Place place,
                     bool masked) {
  TokenList tokens;
  PackedCounts<kSeats>::ForEach(counts, [&](int color, int count) {
    ColorTokens part{color, count, 0, masked};
    if constexpr (kValued) part.ranks = board.Ranks(color, place);
    tokens.push_back(part);
  });
  return tokens;
}

template <class Counts>
typename Counts::Word Pack(const TokenList& list) {
  using Word = typename Counts::Word;
  Word word = 0;
  for (const auto& part : list) {
    word = static_cast<Word>(word + static_cast<Word>(part.count) * Counts::One(part.color));
  }
  return word;
}

// Enters tokens into key and place table (not into the counts); false if one of them is somewhere
// already.
template <int kSeats, bool kValued, int kSquares, bool kHasCorners>
bool Book(Board<kSeats, kValued, kSquares, kHasCorners>& board, const TokenList& list,
          Place place) {
  for (const auto& part : list) {
    if constexpr (kValued) {
      bool fresh = true;
      ForEachMember(part.ranks, [&](int rank) {
        Place& at =
            board.place[static_cast<std::size_t>(part.color)][static_cast<std::size_t>(rank)];
        fresh &= at == kNowhere;
        at = place;
        board.key += board.TokenKey(part.color, rank, place);
      });
      if (!fresh) return false;
    } else {
      board.key += static_cast<std::uint64_t>(part.count) * board.TokenKey(part.color, 0, place);
    }
  }
  return true;
}

// Makes the legal action of that name.
template <Game G>
Result<void> ApplyNamed(const typename G::Rules& rules, typename G::State& state,
                        std::string_view name) {
  const auto action = G::parse_action(rules, state, name);
  if (!action) return tl::unexpected(action.error());
  G::apply(rules, state, *action);
  return {};
}

}  // namespace berd
