#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/error.h"
#include "nn/aligned_floats.h"
#include "nn/file_system.h"

namespace berd {

// Shape of a network (design page, "Evaluators"). Every seat is described by sparse features in its
// own frame; one shared encoder turns them into a vector; a seat's own vector and the pooled
// vectors of the other seats go through shared dense layers to the seat's margin, a choice logit
// and one logit for each class of a win (docs/decisions/0008; games that are just won have one
// class).
//
//   a_i = relu(E x_i + e)                       encoder, `width` numbers
//   z_i = [a_i ; sum over other sides' seats j of a_j ; (max_pool: their elementwise maximum)]
//   z_i = relu(W z_i + b)                       for each of `hidden`
//   out = O z_i + o                             outputs() numbers
//   values = softmax over all seats and classes c of out[kWinLogits + c]
//
// With teams the logits of a side's seats are averaged before the softmax.
struct NetworkShape {
  // Names the set of features and its version, e.g. "race/2": a network is refused for others.
  std::string features;
  std::uint32_t inputs = 0;
  std::uint32_t width = 64;
  bool max_pool = false;
  std::vector<std::uint32_t> hidden;  // may be empty
  std::uint32_t classes = 1;          // of a win

  std::uint32_t outputs() const;
  std::uint32_t pooled() const { return (max_pool ? 3 : 2) * width; }
  std::uint32_t last() const { return hidden.empty() ? pooled() : hidden.back(); }
  friend bool operator==(const NetworkShape&, const NetworkShape&) = default;
};

// Numbers a seat's row gives.
enum NetworkOutput : std::uint32_t {
  kMargin = 0,       // expected (own side's score - mean of the others) / scale of the game
  kChoiceLogit = 1,  // how likely a strong player would have chosen this state (the mover's row)
  kWinLogits = 2,    // the first of NetworkShape::classes
};

inline std::uint32_t NetworkShape::outputs() const { return kWinLogits + classes; }

// One dense layer, row-major: weight[out * inputs + in].
struct DenseLayer {
  std::uint32_t inputs = 0;
  std::uint32_t outputs = 0;
  AlignedFloats weight;
  AlignedFloats bias;
};

// The weights of a network: plain data. `encoder` is stored by input, encoder[in * width + k], so
// that one feature adds one contiguous row.
struct Network {
  NetworkShape shape;
  std::string rules;        // canonical rules string it was trained on, "" if for many
  std::string description;  // free text: how it was made
  AlignedFloats encoder;
  AlignedFloats encoder_bias;
  std::vector<DenseLayer> hidden;
  DenseLayer output;
};

// Calls `visit` with every array of weights (AlignedFloats, const or not) in the order of the
// file: encoder, encoder_bias, then weight and bias of each hidden layer and of the output.
template <class N, class Visit>
void VisitArrays(N& network, Visit visit) {
  visit(network.encoder);
  visit(network.encoder_bias);
  for (auto& layer : network.hidden) {
    visit(layer.weight);
    visit(layer.bias);
  }
  visit(network.output.weight);
  visit(network.output.bias);
}

// Number of weights and biases. Requires: CheckShape(shape).
std::uint64_t CountWeights(const NetworkShape& shape);

// A network whose weights are zero, laid out for `shape`.
Network ZeroNetwork(const NetworkShape& shape);

// A network with random weights and zero biases, the same for the same seed on every machine.
// Weights are uniform with the variance of He et al., "Delving deep into rectifiers" (2015):
// 2 / fan-in before a relu, 1 / fan-in in the output layer. The encoder's fan-in is taken as
// sqrt(inputs), about the number of features that are active at once.
Network RandomNetwork(const NetworkShape& shape, std::uint64_t seed);

// What is wrong with a shape: sizes of zero, or beyond what a file may hold.
Result<void> CheckShape(const NetworkShape& shape);

// Identifies shape and set of features, as written into files.
std::uint64_t ArchitectureHash(const NetworkShape& shape);

// Files: docs/reference/network-file.md. Saving replaces the file as a whole or leaves it as it was
// (AtomicFile in nn/file_system.h). Weights are stored in 32 bits, or rounded to 16 bits, which
// halves the file and costs nothing in strength (kHalf requires weights of at most 65,504). Loading
// refuses files of another format or version, damaged ones and shapes that do not match their
// weights, with a message that says which.
enum class WeightFormat : std::uint8_t { kFloat = 0, kHalf = 1 };
Result<void> SaveNetwork(const Network& network, const std::string& path,
                         WeightFormat format = WeightFormat::kFloat,
                         FileSystem& files = RealFileSystem());
Result<Network> LoadNetwork(const std::string& path);

// The same in memory, as used inside checkpoints. `name` stands for the file in messages.
// EncodeNetwork requires arrays of the sizes that the shape asks for.
std::string EncodeNetwork(const Network& network, WeightFormat format = WeightFormat::kFloat);
Result<Network> DecodeNetwork(std::string_view bytes, const std::string& name);

}  // namespace berd
