#pragma once

#include <array>
#include <cstdint>

namespace berd {

// Philox4x32-10, the counter-based generator of Salmon, Moraes, Dror and Shaw, "Parallel random
// numbers: as easy as 1, 2, 3" (SC11): a keyed bijection of 128-bit counters.
constexpr std::array<std::uint32_t, 4> Philox(std::array<std::uint32_t, 4> counter,
                                              std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = std::uint64_t{0xD2511F53} * counter[0];
    const std::uint64_t b = std::uint64_t{0xCD9E8D57} * counter[2];
    counter = {
        static_cast<std::uint32_t>(b >> 32) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(b),
        static_cast<std::uint32_t>(a >> 32) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(a)};
    key[0] += 0x9E3779B9;
    key[1] += 0xBB67AE85;
  }
  return counter;
}

// What a stream of random numbers is used for. Streams of different purposes never overlap, so a
// new use of randomness does not change the dice of old runs.
enum class Purpose : std::uint8_t {
  kChance = 1,       // dice and draws of a game
  kAgent = 2,        // an agent's own coin flips
  kExploration = 3,  // random moves and noise of self-play
  kHidden = 4,       // sampling of hidden values
  kLearner = 5,      // network initialisation, order of training examples
  kTest = 6,
  kPlies = 7,    // outcomes drawn inside a tree where they are too many to list
  kRollout = 8,  // chance of rolled out games, and the order of stratified outcomes
};

// One stream of random numbers: a value with no shared state, cheap to create (so one is made per
// roll or decision) and determined by (seed, game, purpose, index) alone. This is what makes games
// independent of the number of threads, and lets two games share their dice.
//
// Bounds: game < 2^56; a stream holds 2^34 words. Thread-compatible.
class RandomStream {
 public:
  constexpr RandomStream(std::uint64_t seed, std::uint64_t game, Purpose purpose,
                         std::uint32_t index)
      : key_{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)},
        counter_{
            0, index, static_cast<std::uint32_t>(game),
            static_cast<std::uint32_t>(((game >> 32) << 8) | static_cast<std::uint64_t>(purpose))} {
  }

  // Uniform over all 32-bit words.
  constexpr std::uint32_t Next() {
    if (used_ == 4) {
      block_ = Philox(counter_, key_);
      ++counter_[0];
      used_ = 0;
    }
    return block_[static_cast<std::size_t>(used_++)];
  }

  // Uniform over all 64-bit words, such as seeds of what draws for itself.
  constexpr std::uint64_t Next64() {
    const std::uint64_t high = Next();
    return high << 32 | Next();
  }

  // Uniform over 0 .. bound - 1, exactly (Lemire, "Fast random integer generation in an interval",
  // 2019). Requires: bound > 0.
  constexpr std::uint32_t Below(std::uint32_t bound) {
    std::uint64_t product = std::uint64_t{Next()} * bound;
    if (static_cast<std::uint32_t>(product) < bound) [[unlikely]] {
      const std::uint32_t threshold = (0u - bound) % bound;
      while (static_cast<std::uint32_t>(product) < threshold) {
        product = std::uint64_t{Next()} * bound;
      }
    }
    return static_cast<std::uint32_t>(product >> 32);
  }

  // Uniform over the multiples of 2^-24 in [0, 1).
  constexpr float Unit() { return static_cast<float>(Next() >> 8) * 0x1p-24f; }

  // For the standard library's algorithms (UniformRandomBitGenerator).
  using result_type = std::uint32_t;
  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return 0xffffffff; }
  constexpr result_type operator()() { return Next(); }

 private:
  std::array<std::uint32_t, 2> key_;
  std::array<std::uint32_t, 4> counter_;
  std::array<std::uint32_t, 4> block_{};
  int used_ = 4;
};

}  // namespace berd
