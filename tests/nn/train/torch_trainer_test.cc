#include "nn/train/torch_trainer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "tests/nn/train/random_batch.h"
#include "tests/nn/train/reference_model.h"

namespace berd {
namespace {

using ::testing::HasSubstr;

struct Case {
  const char* name;
  NetworkShape shape;
  std::vector<std::int32_t> side;
};

// Tiny networks of every kind; widths that are and are not multiples of the vector length.
std::vector<Case> Cases() {
  return {
      {"Plain", {.features = "t", .inputs = 9, .width = 5, .hidden = {}}, {0, 1}},
      {"Hidden", {.features = "t", .inputs = 9, .width = 16, .hidden = {7, 3}}, {0, 1}},
      {"MaxPool",
       {.features = "t", .inputs = 9, .width = 6, .max_pool = true, .hidden = {4}},
       {0, 1, 2, 3}},
      {"Teams", {.features = "t", .inputs = 9, .width = 20, .hidden = {4}}, {0, 1, 0, 1}},
      {"UnevenTeamsMaxPool",
       {.features = "t", .inputs = 9, .width = 5, .max_pool = true, .hidden = {}},
       {0, 1, 1, 2, 0}},
      {"Classes", {.features = "t", .inputs = 9, .width = 16, .hidden = {4}, .classes = 3}, {0, 1}},
      {"ClassesTeams",
       {.features = "t", .inputs = 9, .width = 6, .hidden = {}, .classes = 2},
       {0, 1, 0, 2}},
  };
}

// A random network whose biases are random too.
Network TestNetwork(const NetworkShape& shape, std::uint64_t seed) {
  Network network = RandomNetwork(shape, seed);
  RandomStream random(seed, 1, Purpose::kTest, 0);
  const auto fill = [&](AlignedFloats& bias) {
    for (float& b : bias) b = random.Unit() - 0.5f;
  };
  fill(network.encoder_bias);
  for (DenseLayer& layer : network.hidden) fill(layer.bias);
  fill(network.output.bias);
  return network;
}

std::vector<float> Weights(const Network& network) {
  std::vector<float> all;
  VisitArrays(network, [&](const AlignedFloats& a) { all.insert(all.end(), a.begin(), a.end()); });
  return all;
}

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

class EveryKind : public ::testing::TestWithParam<Case> {};

TEST_P(EveryKind, ForwardAgreesWithPlainLoops) {
  const Network network = TestNetwork(GetParam().shape, 3);
  const TrainingBatch batch = RandomBatch(5, 40, GetParam().side, 9, 4, GetParam().shape.classes);
  TorchTrainer trainer(network, {});
  const std::vector<float> out = trainer.Forward(batch);
  const std::vector<double> expected = ReferenceForward(network, batch);
  ASSERT_EQ(out.size(), expected.size());
  for (std::size_t i = 0; i < out.size(); ++i) EXPECT_NEAR(out[i], expected[i], 1e-5) << i;
}

TEST_P(EveryKind, GradientAgreesWithFiniteDifferences) {
  constexpr double kMarginWeight = 0.7;
  // Seeds with which no unit is so near its kink that it changes sign on the way.
  const Network network = TestNetwork(GetParam().shape, 6);
  const TrainingBatch batch = RandomBatch(6, 12, GetParam().side, 9, 4, GetParam().shape.classes);
  TorchTrainer trainer(network, {.margin_weight = kMarginWeight});
  const std::vector<float> gradient = Weights(trainer.Gradient(batch));

  Network moved = network;
  std::size_t at = 0;
  double largest = 0;
  VisitArrays(moved, [&](AlignedFloats& array) {
    for (float& weight : array) {
      const float kept = weight;
      const float above = kept + 1e-4f;
      const float below = kept - 1e-4f;
      weight = above;
      const double high = ReferenceLossOf(moved, batch, kMarginWeight).total;
      weight = below;
      const double low = ReferenceLossOf(moved, batch, kMarginWeight).total;
      weight = kept;
      const double slope = (high - low) / (double{above} - double{below});
      EXPECT_NEAR(gradient[at], slope, 2e-5 + 1e-3 * std::abs(slope)) << at;
      largest = std::max(largest, std::abs(slope));
      ++at;
    }
  });
  EXPECT_EQ(at, gradient.size());
  EXPECT_GT(largest, 0.01);
}

TEST_P(EveryKind, ReportsTheLossBeforeTheStep) {
  const Network network = TestNetwork(GetParam().shape, 5);
  const TrainingBatch batch = RandomBatch(7, 30, GetParam().side, 9, 4, GetParam().shape.classes);
  TorchTrainer trainer(network, {});
  const TrainingLoss loss = trainer.Step(batch);
  const ReferenceLoss expected = ReferenceLossOf(network, batch, 0.1);
  EXPECT_NEAR(loss.win, expected.win, 1e-5);
  EXPECT_NEAR(loss.margin, expected.margin, 1e-5);
  EXPECT_LT(ReferenceLossOf(trainer.Export(), batch, 0.1).total, expected.total);
}

TEST_P(EveryKind, ExportsWhatItStartedFrom) {
  Network network = TestNetwork(GetParam().shape, 6);
  network.rules = "race:short:2x4";
  network.description = "text";
  const Network exported = TorchTrainer(network, {}).Export();
  EXPECT_EQ(Weights(exported), Weights(network));
  EXPECT_EQ(exported.shape, network.shape);
  EXPECT_EQ(exported.rules, network.rules);
  EXPECT_EQ(exported.description, network.description);
}

TEST_P(EveryKind, GoesOnExactlyFromItsState) {
  const TrainerOptions options{.learning_rate = 0.01, .weight_decay = 0.01};
  TorchTrainer whole(TestNetwork(GetParam().shape, 7), options);
  TorchTrainer first(TestNetwork(GetParam().shape, 7), options);
  std::vector<TrainingBatch> batches;
  for (std::uint64_t b = 0; b < 20; ++b) {
    batches.push_back(RandomBatch(100 + b, 16, GetParam().side, 9, 3, GetParam().shape.classes));
  }
  for (const TrainingBatch& batch : batches) whole.Step(batch);
  for (std::size_t b = 0; b < 10; ++b) first.Step(batches[b]);
  TorchTrainer second(first.Export(), options);
  ASSERT_TRUE(second.DecodeOptimizer(first.EncodeOptimizer()));
  for (std::size_t b = 10; b < 20; ++b) second.Step(batches[b]);
  EXPECT_EQ(Weights(second.Export()), Weights(whole.Export()));
  EXPECT_EQ(second.EncodeOptimizer(), whole.EncodeOptimizer());
}

INSTANTIATE_TEST_SUITE_P(TorchTrainer, EveryKind, ::testing::ValuesIn(Cases()),
                         [](const auto& info) { return std::string(info.param.name); });

// A larger network and batch, so that the matrix library really blocks and splits.
NetworkShape LargerShape() {
  return {.features = "t", .inputs = 300, .width = 64, .max_pool = true, .hidden = {32}};
}

TEST(TorchTrainer, IsDeterministic) {
  std::vector<float> weights[2];
  for (auto& result : weights) {
    TorchTrainer trainer(RandomNetwork(LargerShape(), 1), {});
    for (std::uint64_t b = 0; b < 5; ++b) trainer.Step(RandomBatch(b, 500, {0, 1, 2}, 300, 10));
    result = Weights(trainer.Export());
  }
  EXPECT_EQ(weights[0], weights[1]);
}

TEST(TorchTrainer, ThreadsChangeOnlyTheLastBits) {
  TorchTrainer one(RandomNetwork(LargerShape(), 1), {.threads = 1});
  TorchTrainer two(RandomNetwork(LargerShape(), 1), {.threads = 2});
  const TrainingBatch batch = RandomBatch(3, 2000, {0, 1, 2}, 300, 10);
  const std::vector<float> a = Weights(one.Gradient(batch));
  const std::vector<float> b = Weights(two.Gradient(batch));
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a[i], b[i], 1e-5) << i;
}

// The first seat's share grows with the weights of its own features and shrinks with the other's:
// win share = sigmoid(own - other), margin = own - other.
TrainingBatch ToyBatch(std::uint64_t seed) {
  TrainingBatch batch = RandomBatch(seed, 256, {0, 1}, 20, 5);
  for (std::size_t p = 0; p < 256; ++p) {
    double value[2] = {0, 0};
    for (std::size_t i = 0; i < 2; ++i) {
      const std::size_t row = 2 * p + i;
      for (auto k = static_cast<std::size_t>(batch.row_begin[row]);
           k < static_cast<std::size_t>(batch.row_begin[row + 1]); ++k) {
        batch.weight[k] = 1;
        value[i] += 0.1 * static_cast<double>(batch.feature[k] - 10);
      }
    }
    const double share = 1 / (1 + std::exp(value[1] - value[0]));
    batch.win[2 * p] = static_cast<float>(share);
    batch.win[2 * p + 1] = static_cast<float>(1 - share);
    batch.margin[2 * p] = static_cast<float>(value[0] - value[1]);
    batch.margin[2 * p + 1] = static_cast<float>(value[1] - value[0]);
  }
  return batch;
}

// Cross-entropy that even a perfect prediction has: the targets' own entropy.
double Entropy(const TrainingBatch& batch) {
  double sum = 0;
  double weights = 0;
  for (std::size_t p = 0; p < batch.example_weight.size(); ++p) {
    for (std::size_t i = 0; i < 2; ++i) {
      const double share = batch.win[2 * p + i];
      if (share > 0) sum -= double{batch.example_weight[p]} * share * std::log(share);
    }
    weights += double{batch.example_weight[p]};
  }
  return sum / weights;
}

TEST(TorchTrainer, LearnsAToyGame) {
  TorchTrainer trainer(
      RandomNetwork({.features = "t", .inputs = 20, .width = 32, .hidden = {16}}, 1),
      {.learning_rate = 3e-3});
  for (std::uint64_t b = 0; b < 1500; ++b) trainer.Step(ToyBatch(b));
  trainer.SetLearningRate(3e-4);
  for (std::uint64_t b = 1500; b < 2000; ++b) trainer.Step(ToyBatch(b));
  const TrainingBatch unseen = ToyBatch(1000000);
  trainer.SetLearningRate(0);
  const TrainingLoss loss = trainer.Step(unseen);
  EXPECT_LT(loss.win - Entropy(unseen), 0.005);
  EXPECT_LT(loss.margin, 0.02);
}

TEST(TorchTrainer, WeightsExamples) {
  const Network network = RandomNetwork(LargerShape(), 2);
  TrainingBatch both = RandomBatch(1, 2, {0, 1}, 300, 10);
  both.example_weight = {0, 3};
  TrainingBatch second = both;
  second.examples = 1;
  second.feature.erase(second.feature.begin(), second.feature.begin() + both.row_begin[2]);
  second.weight.erase(second.weight.begin(), second.weight.begin() + both.row_begin[2]);
  second.row_begin = {0, both.row_begin[3] - both.row_begin[2],
                      both.row_begin[4] - both.row_begin[2]};
  second.win.erase(second.win.begin(), second.win.begin() + 2);
  second.margin.erase(second.margin.begin(), second.margin.begin() + 2);
  second.example_weight = {1};
  const TrainingLoss a = TorchTrainer(network, {}).Step(both);
  const TrainingLoss b = TorchTrainer(network, {}).Step(second);
  EXPECT_NEAR(a.win, b.win, 1e-6);
  EXPECT_NEAR(a.margin, b.margin, 1e-6);
}

TEST(TorchTrainer, DecaysWeightsButNotBiases) {
  Network network = TestNetwork({.features = "t", .inputs = 9, .width = 5, .hidden = {}}, 1);
  TorchTrainer trainer(network, {.learning_rate = 0.1, .weight_decay = 0.5});
  // No gradient reaches the choice logit: only the decay changes it.
  trainer.Step(RandomBatch(1, 10, {0, 1}, 9, 3));
  const Network after = trainer.Export();
  for (std::size_t i = 0; i < 10; ++i) {
    const std::size_t at = kChoiceLogit * 10 + i;
    EXPECT_FLOAT_EQ(after.output.weight[at], 0.95f * network.output.weight[at]);
  }
  EXPECT_EQ(after.output.bias[kChoiceLogit], network.output.bias[kChoiceLogit]);
}

TEST(TorchTrainer, KnowsWhichInputsItHasSeen) {
  const Network network = RandomNetwork(LargerShape(), 1);
  TorchTrainer trainer(network, {});
  EXPECT_EQ(trainer.SeenInputs(), std::vector<bool>(network.shape.inputs, false));
  const TrainingBatch batch = RandomBatch(2, 50, {0, 1}, 100, 4);
  trainer.Step(batch);
  std::vector<bool> active(network.shape.inputs, false);
  for (const std::int64_t feature : batch.feature) active[static_cast<std::size_t>(feature)] = true;
  EXPECT_EQ(trainer.SeenInputs(), active);
  // The others' rows are as they were.
  const Network after = trainer.Export();
  for (std::size_t input = 0; input < active.size(); ++input) {
    const auto row = [&](const Network& n) {
      const std::size_t width = n.shape.width;
      const auto first = n.encoder.begin() + static_cast<std::ptrdiff_t>(input * width);
      return std::vector<float>(first, first + static_cast<std::ptrdiff_t>(width));
    };
    EXPECT_EQ(row(after) == row(network), !active[input]) << input;
  }
  TorchTrainer resumed(after, {});
  ASSERT_TRUE(resumed.DecodeOptimizer(trainer.EncodeOptimizer()));
  EXPECT_EQ(resumed.SeenInputs(), active);
}

TEST(TorchTrainer, LeavesEverythingAloneWhenTheLossIsNotFinite) {
  TorchTrainer trainer(RandomNetwork(LargerShape(), 1), {});
  const TrainingBatch good = RandomBatch(2, 20, {0, 1}, 300, 10);
  trainer.Step(good);
  const std::vector<float> weights = Weights(trainer.Export());
  const std::string state = trainer.EncodeOptimizer();
  for (const float bad :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    for (auto member : {&TrainingBatch::margin, &TrainingBatch::win, &TrainingBatch::weight}) {
      TrainingBatch batch = good;
      (batch.*member)[6] = bad;
      const TrainingLoss loss = trainer.Step(batch);
      EXPECT_FALSE(std::isfinite(loss.win + loss.margin));
      EXPECT_EQ(Weights(trainer.Export()), weights);
      EXPECT_EQ(trainer.EncodeOptimizer(), state);
    }
  }
  trainer.Step(good);
  EXPECT_NE(trainer.EncodeOptimizer(), state);
}

// The square of the error still fits a double, its gradient no float.
TEST(TorchTrainer, LeavesEverythingAloneWhenTheGradientIsNotFinite) {
  TorchTrainer trainer(RandomNetwork(LargerShape(), 1), {.margin_weight = 1e6});
  TrainingBatch batch = RandomBatch(2, 20, {0, 1}, 300, 10);
  const std::string state = trainer.EncodeOptimizer();
  batch.margin[6] = 3e38f;
  EXPECT_TRUE(std::isnan(trainer.Step(batch).win));
  EXPECT_EQ(trainer.EncodeOptimizer(), state);
}

TEST(TorchTrainer, DoesNothingForAnEmptyBatch) {
  TorchTrainer trainer(RandomNetwork(LargerShape(), 1), {});
  const std::string state = trainer.EncodeOptimizer();
  const TrainingBatch empty = RandomBatch(1, 0, {0, 1}, 300, 10);
  EXPECT_EQ(trainer.Step(empty).win, 0);
  EXPECT_TRUE(trainer.Forward(empty).empty());
  EXPECT_EQ(trainer.EncodeOptimizer(), state);
}

TEST(TorchTrainer, RefusesForeignOptimizerStates) {
  TorchTrainer trainer(RandomNetwork(LargerShape(), 1), {});
  trainer.Step(RandomBatch(1, 20, {0, 1}, 300, 10));
  const std::string state = trainer.EncodeOptimizer();
  NetworkShape other_shape = LargerShape();
  other_shape.width = 48;
  TorchTrainer other(RandomNetwork(other_shape, 1), {});
  EXPECT_THAT(other.DecodeOptimizer(state).error().message, HasSubstr("another shape"));
  EXPECT_THAT(trainer.DecodeOptimizer("something").error().message, HasSubstr("not a state"));
  std::string newer = state;
  newer[4] = 2;
  EXPECT_THAT(trainer.DecodeOptimizer(newer).error().message, HasSubstr("version 2"));
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{5}, std::size_t{20}, state.size() / 2, state.size() - 1}) {
    EXPECT_FALSE(trainer.DecodeOptimizer(state.substr(0, size))) << size;
  }
  EXPECT_FALSE(trainer.DecodeOptimizer(state + "x"));
  EXPECT_EQ(trainer.EncodeOptimizer(), state);
}

TEST(TorchTrainerDeathTest, EndsTheProgramForBatchesThatDoNotFit) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  TorchTrainer trainer(RandomNetwork(LargerShape(), 1), {});
  TrainingBatch batch = RandomBatch(1, 4, {0, 1}, 300, 10);
  batch.feature[2] = 300;
  EXPECT_DEATH(trainer.Step(batch), "not an input");
  batch.feature[2] = -1;
  EXPECT_DEATH(trainer.Step(batch), "not an input");
  batch = RandomBatch(1, 4, {0, 2}, 300, 10);
  EXPECT_DEATH(trainer.Step(batch), "sides");
}

TEST(TorchTrainer, ComesOutOfTheLibrary) {
  const Network network = RandomNetwork(LargerShape(), 1);
  auto trainer = MakeTrainer(network, {});
  ASSERT_TRUE(trainer) << trainer.error().message;
  EXPECT_EQ(Weights((*trainer)->Export()), Weights(network));
  Network bad = network;
  bad.shape.hidden = {0};
  EXPECT_THAT(MakeTrainer(bad, {}).error().message, HasSubstr("width 0"));
}

}  // namespace
}  // namespace berd
