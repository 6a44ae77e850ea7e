// The two forward passes: inference for play, and LibTorch for training.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "nn/net_evaluator.h"
#include "nn/train/torch_trainer.h"
#include "tests/nn/network_with_biases.h"
#include "tests/nn/played_positions.h"

namespace berd {
namespace {

// One example a state; the targets do not matter here.
template <Game G>
TrainingBatch BatchOf(const typename G::Rules& rules,
                      const std::vector<typename G::State>& states) {
  TrainingBatch batch;
  batch.clear();
  batch.classes = kOutcomeClasses<G>;
  batch.seats = rules.seats();
  for (int seat = 0; seat < rules.seats(); ++seat) batch.side.push_back(G::side(rules, Seat(seat)));
  for (const auto& state : states) {
    for (int seat = 0; seat < rules.seats(); ++seat) {
      ForEachFeature<G>(rules, state, Features<G>::Note(rules, state), seat, [&](Feature feature) {
        batch.feature.push_back(feature.index);
        batch.weight.push_back(feature.weight);
      });
      batch.row_begin.push_back(static_cast<std::int64_t>(batch.feature.size()));
      batch.win.resize(batch.win.size() + kOutcomeClasses<G>, 1.0f);
      batch.margin.push_back(0);
    }
    batch.example_weight.push_back(1);
    ++batch.examples;
  }
  return batch;
}

template <Game G>
void ExpectAgreement(const typename G::Rules& rules, const Layers& layers) {
  const Network network = NetworkWithBiases<G>(layers, 11);
  TorchTrainer trainer(network, {});
  NetEvaluator<G> evaluator(std::make_shared<const Network>(network), rules);
  int compared = 0;
  VisitDecisions<G>(rules, 3, 12, 5, [&](const auto& parent, const auto& children) {
    std::vector<const typename G::State*> pointers;
    for (const auto& child : children) pointers.push_back(&child);
    const auto numbers =
        children.size() * static_cast<std::size_t>(rules.seats()) * network.shape.outputs();
    std::vector<float> outputs(numbers);
    evaluator.Outputs(rules, parent, pointers, outputs);
    const auto expected = trainer.Forward(BatchOf<G>(rules, children));
    ASSERT_EQ(expected.size(), numbers);
    for (std::size_t i = 0; i < numbers; ++i) EXPECT_NEAR(outputs[i], expected[i], 1e-4) << i;
    ++compared;
  });
  EXPECT_EQ(compared, 12);
}

TEST(ForwardPasses, Agree) {
  const std::vector<Layers> kLayers = {
      {64, false, {}}, {64, true, {}}, {48, false, {32}}, {17, true, {5, 3}}};
  for (const auto* text :
       {"race:short:2x9", "race:short:4x9:team=2", "race:short:4x9:points", "race:n=15:16x11",
        "duel:3x3:5", "duel:4x4:6:points", "backgammon", "bradspel", "birth:3"}) {
    for (const Layers& layers : kLayers) {
      SCOPED_TRACE(std::string(text) + " width " + std::to_string(layers.width));
      VisitGame(*ParseGame(text), [&]<class G>(const typename G::Rules& rules) {
        ExpectAgreement<G>(rules, layers);
      });
    }
  }
}

}  // namespace
}  // namespace berd
