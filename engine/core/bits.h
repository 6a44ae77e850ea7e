#pragma once

#include <bit>
#include <cassert>
#include <cstdint>

#if defined(__BMI2__)
#include <immintrin.h>
#endif

namespace berd {

// A set of squares: bit i stands for square i.
using SquareSet = std::uint64_t;

constexpr SquareSet SetOf(int square) { return SquareSet{1} << square; }
constexpr bool Has(SquareSet set, int square) { return (set >> square) & 1; }

// Index of the lowest member. Requires: set is not empty.
constexpr int Lowest(SquareSet set) {
  assert(set != 0);
  return std::countr_zero(set);
}

// Index of the member that has `rank` members below it. Requires: rank < popcount(set).
inline int NthMember(SquareSet set, int rank) {
  assert(rank < std::popcount(set));
#if defined(__BMI2__)
  return std::countr_zero(_pdep_u64(SquareSet{1} << rank, set));
#else
  for (; rank > 0; --rank) set &= set - 1;
  return std::countr_zero(set);
#endif
}

// Calls `visit(index)` for every member in ascending order.
template <class Set, class Visit>
constexpr void ForEachMember(Set set, Visit&& visit) {
  for (; set != 0; set = static_cast<Set>(set & (set - 1))) visit(std::countr_zero(set));
}

// Finalizer of SplitMix64 (Steele, Lea, Flood 2014): a bijection of 64-bit words that spreads
// every input bit over all output bits.
constexpr std::uint64_t Mix64(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

// The i-th number of a fixed pseudo-random sequence, for tables of hash keys.
constexpr std::uint64_t KeyConstant(std::uint64_t i) {
  return Mix64((i + 1) * 0x9e3779b97f4a7c15ULL);
}

}  // namespace berd
