#pragma once

#include <cstdint>

#include "engine/core/random.h"
#include "nn/game_features.h"
#include "nn/network.h"

namespace berd {

struct Layers {
  std::uint32_t width;
  bool max_pool;
  std::vector<std::uint32_t> hidden;
};

// A random network for the game whose biases are random too.
template <Game G>
Network NetworkWithBiases(const Layers& layers, std::uint64_t seed) {
  Network network = RandomNetwork({.features = std::string(Features<G>::kName),
                                   .inputs = Features<G>::kInputs,
                                   .width = layers.width,
                                   .max_pool = layers.max_pool,
                                   .hidden = layers.hidden,
                                   .classes = kOutcomeClasses<G>},
                                  seed);
  RandomStream random(seed, 1, Purpose::kTest, 0);
  const auto fill = [&](AlignedFloats& bias) {
    for (float& b : bias) b = random.Unit() - 0.5f;
  };
  fill(network.encoder_bias);
  for (DenseLayer& layer : network.hidden) fill(layer.bias);
  fill(network.output.bias);
  return network;
}

}  // namespace berd
