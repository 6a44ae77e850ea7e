#include "nn/network.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "nn/file_bytes.h"
#include "nn/record_file.h"
#include "tests/nn/faulty_file_system.h"
#include "tests/nn/temporary_folder.h"

namespace berd {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

NetworkShape SmallShape() {
  return {.features = "test/1", .inputs = 3, .width = 2, .max_pool = true, .hidden = {2}};
}

Network SmallNetwork() {
  Network network = RandomNetwork(SmallShape(), 7);
  network.rules = "race:short:2x4";
  network.description = "made by a test";
  return network;
}

std::vector<AlignedFloats> Arrays(const Network& network) {
  std::vector<AlignedFloats> arrays;
  VisitArrays(network, [&](const AlignedFloats& array) { arrays.push_back(array); });
  return arrays;
}

void ExpectEqual(const Network& a, const Network& b) {
  EXPECT_EQ(a.shape, b.shape);
  EXPECT_EQ(a.rules, b.rules);
  EXPECT_EQ(a.description, b.description);
  EXPECT_EQ(Arrays(a), Arrays(b));
  ASSERT_EQ(a.hidden.size(), b.hidden.size());
  for (std::size_t i = 0; i < a.hidden.size(); ++i) {
    EXPECT_EQ(a.hidden[i].inputs, b.hidden[i].inputs);
    EXPECT_EQ(a.hidden[i].outputs, b.hidden[i].outputs);
  }
}

std::string ErrorOf(std::string_view bytes) {
  const auto network = DecodeNetwork(bytes, "x.net");
  return network ? "" : network.error().message;
}

// A network file with chosen records, its container in order.
std::string Forge(const std::vector<Record>& records, std::uint32_t version = 2) {
  StringSink sink;
  RecordWriter writer(sink);
  EXPECT_TRUE(writer.Begin({.name = "network", .version = version}));
  for (const Record& record : records) EXPECT_TRUE(writer.Add(record.tag, record.bytes));
  EXPECT_TRUE(writer.Seal());
  return sink.Take();
}

std::string ShapeRecord(const NetworkShape& shape, std::uint64_t hash) {
  ByteWriter out;
  out.Put(hash);
  out.PutText(shape.features);
  out.Put(shape.inputs);
  out.Put(shape.width);
  out.Put(static_cast<std::uint8_t>(shape.max_pool));
  out.Put(static_cast<std::uint32_t>(shape.hidden.size()));
  out.PutArray(std::span(shape.hidden));
  out.Put(shape.classes);
  out.Put(static_cast<std::uint8_t>(WeightFormat::kFloat));
  out.PutText("");
  out.PutText("");
  return out.Take();
}

std::string ShapeRecord(const NetworkShape& shape) {
  return ShapeRecord(shape, ArchitectureHash(shape));
}

TEST(Network, IsTheSameForTheSameSeed) {
  EXPECT_EQ(Arrays(RandomNetwork(SmallShape(), 1)), Arrays(RandomNetwork(SmallShape(), 1)));
  EXPECT_NE(Arrays(RandomNetwork(SmallShape(), 1)), Arrays(RandomNetwork(SmallShape(), 2)));
}

TEST(Network, HasWeightsOfHesVariance) {
  const NetworkShape shape{.features = "t", .inputs = 400, .width = 64, .hidden = {96}};
  const Network network = RandomNetwork(shape, 3);
  const auto variance = [](const AlignedFloats& weights) {
    double sum = 0;
    for (const float w : weights) sum += double{w} * double{w};
    return sum / static_cast<double>(weights.size());
  };
  EXPECT_NEAR(variance(network.encoder), 2.0 / 20, 0.003);
  EXPECT_NEAR(variance(network.hidden[0].weight), 2.0 / 128, 0.001);
  EXPECT_NEAR(variance(network.output.weight), 1.0 / 96, 0.002);
  EXPECT_THAT(network.encoder_bias, ::testing::Each(0.0f));
  EXPECT_EQ(CountWeights(shape), 400 * 64 + 64 + 128 * 96 + 96 + 96 * 3 + 3);
  NetworkShape classes = shape;
  classes.classes = 6;
  EXPECT_EQ(CountWeights(classes), CountWeights(shape) + 5 * 97);
}

TEST(NetworkFile, RoundTripInMemory) {
  const auto decoded = DecodeNetwork(EncodeNetwork(SmallNetwork()), "x.net");
  ASSERT_TRUE(decoded) << decoded.error().message;
  ExpectEqual(*decoded, SmallNetwork());
  EXPECT_EQ(EncodeNetwork(*decoded), EncodeNetwork(SmallNetwork()));
}

TEST(NetworkFile, RoundTripWithoutHiddenLayers) {
  const Network network =
      RandomNetwork({.features = "t", .inputs = 5, .width = 4, .max_pool = false, .hidden = {}}, 1);
  const auto decoded = DecodeNetwork(EncodeNetwork(network), "x.net");
  ASSERT_TRUE(decoded) << decoded.error().message;
  ExpectEqual(*decoded, network);
}

TEST(NetworkFile, HalfWeightsAreRounded) {
  Network network =
      RandomNetwork({.features = "t", .inputs = 50, .width = 32, .hidden = {}, .classes = 3}, 1);
  network.encoder[0] = 60000;
  network.encoder[1] = 0;
  const std::string bytes = EncodeNetwork(network, WeightFormat::kHalf);
  EXPECT_LT(bytes.size(), EncodeNetwork(network).size() * 6 / 10);
  const auto decoded = DecodeNetwork(bytes, "x.net");
  ASSERT_TRUE(decoded) << decoded.error().message;
  EXPECT_EQ(decoded->shape, network.shape);
  const auto expected = Arrays(network);
  const auto got = Arrays(*decoded);
  for (std::size_t a = 0; a < expected.size(); ++a) {
    ASSERT_EQ(got[a].size(), expected[a].size());
    for (std::size_t i = 0; i < expected[a].size(); ++i) {
      // Eleven bits of mantissa; less below 2^-14.
      EXPECT_NEAR(got[a][i], expected[a][i], std::abs(expected[a][i]) / 2048 + 1e-7)
          << a << " " << i;
    }
  }
  EXPECT_EQ(EncodeNetwork(*decoded, WeightFormat::kHalf), bytes);
  network.encoder[0] = 1e6f;
  EXPECT_THAT(ErrorOf(EncodeNetwork(network, WeightFormat::kHalf)), HasSubstr("not a finite"));
}

TEST(NetworkFile, RoundTripOnDisk) {
  const TemporaryFolder folder;
  const std::string path = folder.Path("x.net");
  ASSERT_TRUE(SaveNetwork(SmallNetwork(), path));
  const auto loaded = LoadNetwork(path);
  ASSERT_TRUE(loaded) << loaded.error().message;
  ExpectEqual(*loaded, SmallNetwork());
}

TEST(NetworkFile, RefusesEveryChangedByte) {
  const std::string bytes = EncodeNetwork(SmallNetwork());
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    for (const int change : {0x01, 0x80, 0xff}) {
      std::string damaged = bytes;
      damaged[at] = static_cast<char>(damaged[at] ^ change);
      EXPECT_THAT(ErrorOf(damaged), StartsWith("x.net: ")) << at;
    }
  }
}

TEST(NetworkFile, RefusesEveryTruncation) {
  const std::string bytes = EncodeNetwork(SmallNetwork());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_THAT(ErrorOf(bytes.substr(0, size)), StartsWith("x.net: ")) << size;
  }
}

TEST(NetworkFile, NamesForeignAndNewerFiles) {
  EXPECT_EQ(ErrorOf("PK\x03\x04 something else"), "x.net: not a Berd network file");
  EXPECT_EQ(ErrorOf(Forge({}, 3)),
            "x.net: version 3 of the network file is newer than this program, which reads up to 2");
  EXPECT_THAT(ErrorOf(Forge({}, 1)), HasSubstr("made by an older program"));
  const auto missing = LoadNetwork("/nowhere/x.net");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().message, "/nowhere/x.net: cannot open: No such file or directory");
}

TEST(NetworkFile, RefusesWeightsThatDoNotFitTheShape) {
  const NetworkShape shape = SmallShape();
  const std::size_t size = CountWeights(shape) * sizeof(float);
  EXPECT_EQ(ErrorOf(Forge({{1, ShapeRecord(shape)}, {2, std::string(size, '\0')}})), "");
  EXPECT_THAT(ErrorOf(Forge({{1, ShapeRecord(shape)}, {2, std::string(size - 4, '\0')}})),
              HasSubstr("bytes of weights where the shape needs " + std::to_string(size)));
  EXPECT_THAT(ErrorOf(Forge({{1, ShapeRecord(shape)}, {2, std::string(size + 4, '\0')}})),
              HasSubstr("at most " + std::to_string(size) + " are expected"));
}

TEST(NetworkFile, RefusesBadShapes) {
  NetworkShape shape = SmallShape();
  EXPECT_THAT(ErrorOf(Forge({{1, ShapeRecord(shape, 1)}})), HasSubstr("architecture hash"));
  shape.inputs = 0;
  EXPECT_THAT(ErrorOf(Forge({{1, ShapeRecord(shape)}})), HasSubstr("0 inputs"));
  shape.inputs = 4000000;
  shape.width = 16384;
  EXPECT_THAT(ErrorOf(Forge({{1, ShapeRecord(shape)}})), HasSubstr("weights; there may be"));
  shape = SmallShape();
  shape.hidden = {0};
  EXPECT_THAT(ErrorOf(Forge({{1, ShapeRecord(shape)}})), HasSubstr("a layer of width 0"));
  shape.classes = 0;
  EXPECT_THAT(ErrorOf(Forge({{1, ShapeRecord(shape)}})), HasSubstr("0 classes of a win"));
  shape.classes = 1;
  shape.hidden.assign(17, 1);
  EXPECT_THAT(ErrorOf(Forge({{1, ShapeRecord(shape)}})), HasSubstr("17 hidden layers"));
}

TEST(NetworkFile, RefusesWrongRecords) {
  const std::string shape = ShapeRecord(SmallShape());
  const std::string weights(CountWeights(SmallShape()) * sizeof(float), '\0');
  EXPECT_THAT(ErrorOf(Forge({})), HasSubstr("no record 1"));
  EXPECT_THAT(ErrorOf(Forge({{2, weights}})), HasSubstr("no record 1"));
  EXPECT_THAT(ErrorOf(Forge({{1, shape}})), HasSubstr("no record 2"));
  EXPECT_THAT(ErrorOf(Forge({{1, shape}, {2, weights}, {3, ""}})), HasSubstr("too many"));
  EXPECT_THAT(ErrorOf(Forge({{1, shape + "x"}, {2, weights}})), HasSubstr("does not fit"));
  for (std::size_t size = 0; size < shape.size(); ++size) {
    EXPECT_NE(ErrorOf(Forge({{1, shape.substr(0, size)}, {2, weights}})), "") << size;
  }
}

TEST(NetworkFile, RefusesNumbersThatAreNotFinite) {
  Network network = SmallNetwork();
  network.output.bias[1] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THAT(ErrorOf(EncodeNetwork(network)), HasSubstr("not a finite number"));
}

TEST(NetworkFile, KeepsTheOldFileWhenTheDiskIsFull) {
  const TemporaryFolder folder;
  const std::string path = folder.Path("x.net");
  ASSERT_TRUE(SaveNetwork(SmallNetwork(), path));
  const Network other = RandomNetwork(SmallShape(), 8);
  const std::size_t size = EncodeNetwork(other).size();
  for (std::size_t k = 0; k < size; ++k) {
    FaultyFileSystem files;
    files.capacity = k;
    const auto saved = SaveNetwork(other, path, WeightFormat::kFloat, files);
    ASSERT_FALSE(saved);
    EXPECT_EQ(saved.error().message, path + ": cannot write: No space left on device");
  }
  EXPECT_THAT(folder.Names(), ElementsAre("x.net"));
  const auto loaded = LoadNetwork(path);
  ASSERT_TRUE(loaded);
  ExpectEqual(*loaded, SmallNetwork());
}

}  // namespace
}  // namespace berd
