#pragma once

#include <cstdint>

namespace berd::race_action {

// Actions of the race by phase. All fit in 32 bits; within one phase the numbers are unique.
//   kOrder   the seat drawn                    kCorner  the corner
//   kRoll    index in kAllRolls                kCarry   how many captives of the class go along
//   kAnswer  kAccept or kDecline
//   kMove, kTrade, kPrice, kPay: as packed below.
using Action = std::uint32_t;

inline constexpr Action kDecline = 0;
inline constexpr Action kAccept = 1;

// kMove: the square, the die, whether it finishes, and in valued games the rank of the token.
constexpr Action Move(int from, int die, bool finish, int rank) {
  return static_cast<Action>(from << 8 | die << 5 | (finish ? 1 : 0) << 4 | rank);
}
constexpr int From(Action move) { return static_cast<int>(move >> 8); }
constexpr int DieOf(Action move) { return static_cast<int>(move >> 5 & 7); }
constexpr bool Finishes(Action move) { return (move >> 4 & 1) != 0; }
constexpr int Rank(Action action) { return static_cast<int>(action & 15); }

// A token named by where it is: a square, or the collection of the player concerned.
inline constexpr int kCollection = 64;
constexpr Action Token(int where, int color, int rank) {
  return static_cast<Action>(where << 8 | color << 4 | rank);
}
constexpr int Where(Action token) { return static_cast<int>(token >> 8 & 127); }
constexpr int Color(Action token) { return static_cast<int>(token >> 4 & 15); }

// kPay: a token, or cash.
inline constexpr Action kPayCash = 1u << 16;

// kTrade: a captive and the counterpart, or nothing.
inline constexpr Action kNoOffer = 1u << 20;
constexpr Action Offer(int square, int color, int rank, int counterpart) {
  return static_cast<Action>(square << 12 | color << 8 | rank << 4 | counterpart);
}
constexpr int OfferSquare(Action offer) { return static_cast<int>(offer >> 12 & 63); }
constexpr int OfferColor(Action offer) { return static_cast<int>(offer >> 8 & 15); }
constexpr int OfferRank(Action offer) { return static_cast<int>(offer >> 4 & 15); }
constexpr int OfferCounterpart(Action offer) { return static_cast<int>(offer & 15); }

// kPrice: an amount of cash, or a token.
inline constexpr Action kPriceToken = 1u << 30;
constexpr Action PriceCash(std::uint32_t amount) { return amount; }
constexpr Action PriceToken(int where, int color, int rank) {
  return kPriceToken | Token(where, color, rank);
}
constexpr bool IsToken(Action price) { return (price & kPriceToken) != 0; }

}  // namespace berd::race_action
