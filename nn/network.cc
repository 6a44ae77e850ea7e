#include "nn/network.h"

#include <xxhash.h>

#include <Eigen/Core>
#include <array>
#include <cassert>
#include <cmath>
#include <optional>
#include <span>
#include <utility>

#include "engine/core/random.h"
#include "nn/file_bytes.h"
#include "nn/record_file.h"

namespace berd {
namespace {

constexpr FileKind kNetworkFile{.name = "network", .version = 2};
constexpr std::uint32_t kShapeTag = 1;
constexpr std::uint32_t kWeightsTag = 2;
constexpr std::uint64_t kMaxShapeBytes = 1 << 20;

// Bounds of a shape in a file: far above any network for this game, and low enough that nothing
// overflows and that memory is not filled on the word of a file.
constexpr std::uint32_t kMaxInputs = 1 << 22;
constexpr std::uint32_t kMaxWidth = 1 << 14;
constexpr std::size_t kMaxHiddenLayers = 16;
constexpr std::uint32_t kMaxClasses = 64;
constexpr std::uint64_t kMaxWeights = std::uint64_t{1} << 26;
static_assert(kMaxWeights * sizeof(float) <= kMaxRecordBytes);

DenseLayer ZeroLayer(std::uint32_t inputs, std::uint32_t outputs) {
  return {.inputs = inputs,
          .outputs = outputs,
          .weight = AlignedFloats(std::size_t{inputs} * outputs),
          .bias = AlignedFloats(outputs)};
}

// Fills with the uniform distribution of this variance around zero. sqrt is exactly rounded, so the
// numbers do not depend on the mathematical library.
void FillUniform(std::span<float> weights, float variance, std::uint64_t seed,
                 std::uint32_t layer) {
  RandomStream random(seed, 0, Purpose::kLearner, layer);
  const float bound = std::sqrt(3.0f * variance);
  for (float& weight : weights) weight = bound * (2.0f * random.Unit() - 1.0f);
}

std::string EncodeShape(const Network& network, WeightFormat format) {
  const NetworkShape& shape = network.shape;
  ByteWriter out;
  out.Put(ArchitectureHash(shape));
  out.PutText(shape.features);
  out.Put(shape.inputs);
  out.Put(shape.width);
  out.Put(static_cast<std::uint8_t>(shape.max_pool));
  out.Put(static_cast<std::uint32_t>(shape.hidden.size()));
  out.PutArray(std::span(shape.hidden));
  out.Put(shape.classes);
  out.Put(static_cast<std::uint8_t>(format));
  out.PutText(network.rules);
  out.PutText(network.description);
  return out.Take();
}

// Shape and texts of a network; the weights are still missing.
Result<Network> DecodeShape(std::string_view bytes, const std::string& name, WeightFormat& format) {
  ByteReader in(bytes);
  Network network;
  NetworkShape& shape = network.shape;
  const auto hash = in.Get<std::uint64_t>();
  shape.features = in.GetText();
  shape.inputs = in.Get<std::uint32_t>();
  shape.width = in.Get<std::uint32_t>();
  const auto max_pool = in.Get<std::uint8_t>();
  shape.max_pool = max_pool != 0;
  shape.hidden = in.GetArray<std::uint32_t>(in.Get<std::uint32_t>());
  shape.classes = in.Get<std::uint32_t>();
  const auto format_number = in.Get<std::uint8_t>();
  network.rules = in.GetText();
  network.description = in.GetText();
  if (!in.AtEnd() || max_pool > 1 || format_number > 1) {
    return Fail(name + ": damaged: the shape does not fit its record");
  }
  format = static_cast<WeightFormat>(format_number);
  if (auto checked = CheckShape(shape); !checked) return Fail(name, checked.error());
  if (hash != ArchitectureHash(shape)) {
    return Fail(name + ": the architecture hash does not match the shape");
  }
  return network;
}

std::uint64_t WeightBytes(const NetworkShape& shape, WeightFormat format) {
  return CountWeights(shape) *
         (format == WeightFormat::kHalf ? sizeof(Eigen::half) : sizeof(float));
}

Result<void> DecodeWeights(std::string_view bytes, WeightFormat format, const std::string& name,
                           Network& network) {
  const std::uint64_t expected = WeightBytes(network.shape, format);
  if (bytes.size() != expected) {
    return Fail(name + ": " + std::to_string(bytes.size()) +
                " bytes of weights where the shape needs " + std::to_string(expected));
  }
  Network decoded = ZeroNetwork(network.shape);
  ByteReader in(bytes);
  bool finite = true;
  VisitArrays(decoded, [&](AlignedFloats& array) {
    if (format == WeightFormat::kHalf) {
      for (float& weight : array) {
        weight = static_cast<float>(Eigen::numext::bit_cast<Eigen::half>(in.Get<std::uint16_t>()));
      }
    } else {
      in.GetArray(std::span(array));
    }
    for (const float weight : array) finite = finite && std::isfinite(weight);
  });
  if (!finite) return Fail(name + ": a weight is not a finite number");
  decoded.rules = std::move(network.rules);
  decoded.description = std::move(network.description);
  network = std::move(decoded);
  return {};
}

// One record that must be there and have this tag.
Result<std::string> Expect(RecordReader& reader, std::uint32_t tag, std::uint64_t max_bytes,
                           const std::string& name) {
  auto record = reader.Next(max_bytes);
  if (!record) return tl::make_unexpected(record.error());
  if (!*record || (*record)->tag != tag) {
    return Fail(name + ": damaged: no record " + std::to_string(tag) + " where it belongs");
  }
  return std::move((*record)->bytes);
}

}  // namespace

Result<void> CheckShape(const NetworkShape& shape) {
  if (shape.inputs == 0 || shape.inputs > kMaxInputs) {
    return Fail(std::to_string(shape.inputs) + " inputs; there must be 1 to " +
                std::to_string(kMaxInputs));
  }
  if (shape.hidden.size() > kMaxHiddenLayers) {
    return Fail(std::to_string(shape.hidden.size()) + " hidden layers; there may be " +
                std::to_string(kMaxHiddenLayers));
  }
  if (shape.classes == 0 || shape.classes > kMaxClasses) {
    return Fail(std::to_string(shape.classes) + " classes of a win; there must be 1 to " +
                std::to_string(kMaxClasses));
  }
  std::vector<std::uint32_t> widths = shape.hidden;
  widths.push_back(shape.width);
  for (const std::uint32_t width : widths) {
    if (width == 0 || width > kMaxWidth) {
      return Fail("a layer of width " + std::to_string(width) + "; it must be 1 to " +
                  std::to_string(kMaxWidth));
    }
  }
  const std::uint64_t weights = CountWeights(shape);
  if (weights > kMaxWeights) {
    return Fail(std::to_string(weights) + " weights; there may be " + std::to_string(kMaxWeights));
  }
  return {};
}

std::uint64_t CountWeights(const NetworkShape& shape) {
  std::uint64_t count = std::uint64_t{shape.inputs + 1} * shape.width;
  std::uint64_t inputs = shape.pooled();
  for (const std::uint32_t outputs : shape.hidden) {
    count += (inputs + 1) * outputs;
    inputs = outputs;
  }
  return count + (inputs + 1) * shape.outputs();
}

std::uint64_t ArchitectureHash(const NetworkShape& shape) {
  std::string text = "features=" + shape.features + ";inputs=" + std::to_string(shape.inputs) +
                     ";width=" + std::to_string(shape.width) +
                     ";max_pool=" + (shape.max_pool ? "1" : "0") + ";hidden=";
  for (const std::uint32_t outputs : shape.hidden) text += std::to_string(outputs) + ",";
  text += ";classes=" + std::to_string(shape.classes);
  return XXH3_64bits(text.data(), text.size());
}

Network ZeroNetwork(const NetworkShape& shape) {
  Network network;
  network.shape = shape;
  network.encoder.resize(std::size_t{shape.inputs} * shape.width);
  network.encoder_bias.resize(shape.width);
  std::uint32_t inputs = shape.pooled();
  for (const std::uint32_t outputs : shape.hidden) {
    network.hidden.push_back(ZeroLayer(inputs, outputs));
    inputs = outputs;
  }
  network.output = ZeroLayer(inputs, shape.outputs());
  return network;
}

Network RandomNetwork(const NetworkShape& shape, std::uint64_t seed) {
  Network network = ZeroNetwork(shape);
  std::uint32_t layer = 0;
  FillUniform(network.encoder, 2.0f / std::sqrt(static_cast<float>(shape.inputs)), seed, layer++);
  for (DenseLayer& dense : network.hidden) {
    FillUniform(dense.weight, 2.0f / static_cast<float>(dense.inputs), seed, layer++);
  }
  FillUniform(network.output.weight, 1.0f / static_cast<float>(network.output.inputs), seed, layer);
  return network;
}

std::string EncodeNetwork(const Network& network, WeightFormat format) {
  ByteWriter weights;
  weights.Reserve(WeightBytes(network.shape, format));
  VisitArrays(network, [&](const AlignedFloats& array) {
    if (format == WeightFormat::kHalf) {
      for (const float weight : array) {
        weights.Put(Eigen::numext::bit_cast<std::uint16_t>(static_cast<Eigen::half>(weight)));
      }
    } else {
      weights.PutArray(std::span(array));
    }
  });
  assert(weights.bytes().size() == WeightBytes(network.shape, format));

  // A string takes everything, so no step can fail.
  StringSink sink;
  RecordWriter writer(sink);
  (void)writer.Begin(kNetworkFile);
  (void)writer.Add(kShapeTag, EncodeShape(network, format));
  (void)writer.Add(kWeightsTag, weights.bytes());
  (void)writer.Seal();
  return sink.Take();
}

Result<Network> DecodeNetwork(std::string_view bytes, const std::string& name) {
  auto reader = RecordReader::Open(bytes, kNetworkFile, name);
  if (!reader) return tl::make_unexpected(reader.error());
  if (reader->version() != kNetworkFile.version) {
    return Fail(name + ": version " + std::to_string(reader->version()) +
                " of the network file, made by an older program, which this one does not read; "
                "train the network again");
  }
  const auto shape = Expect(*reader, kShapeTag, kMaxShapeBytes, name);
  if (!shape) return tl::make_unexpected(shape.error());
  auto format = WeightFormat::kFloat;
  auto network = DecodeShape(*shape, name, format);
  if (!network) return network;
  const auto weights = Expect(*reader, kWeightsTag, WeightBytes(network->shape, format), name);
  if (!weights) return tl::make_unexpected(weights.error());
  // Also reads the seal.
  const auto end = reader->Next();
  if (!end) return tl::make_unexpected(end.error());
  if (*end) return Fail(name + ": damaged: a record too many");
  if (auto decoded = DecodeWeights(*weights, format, name, *network); !decoded) {
    return tl::make_unexpected(decoded.error());
  }
  return network;
}

Result<void> SaveNetwork(const Network& network, const std::string& path, WeightFormat format,
                         FileSystem& files) {
  return WriteFile(path, EncodeNetwork(network, format), files);
}

Result<Network> LoadNetwork(const std::string& path) {
  const auto bytes = ReadFile(path, 2 * kMaxRecordBytes);
  if (!bytes) return tl::make_unexpected(bytes.error());
  return DecodeNetwork(*bytes, path);
}

}  // namespace berd
