#include "tests/nn/train/reference_model.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace berd {
namespace {

using Vector = std::vector<double>;

Vector Relu(Vector v) {
  for (double& x : v) x = std::max(x, 0.0);
  return v;
}

Vector Apply(const DenseLayer& layer, const Vector& in) {
  Vector out(layer.outputs);
  for (std::size_t o = 0; o < layer.outputs; ++o) {
    out[o] = layer.bias[o];
    for (std::size_t i = 0; i < layer.inputs; ++i) {
      out[o] += double{layer.weight[o * layer.inputs + i]} * in[i];
    }
  }
  return out;
}

Vector Encode(const Network& network, const TrainingBatch& batch, std::size_t row) {
  const std::size_t width = network.shape.width;
  Vector sum(network.encoder_bias.begin(), network.encoder_bias.end());
  for (auto k = static_cast<std::size_t>(batch.row_begin[row]);
       k < static_cast<std::size_t>(batch.row_begin[row + 1]); ++k) {
    const auto feature = static_cast<std::size_t>(batch.feature[k]);
    for (std::size_t c = 0; c < width; ++c) {
      sum[c] += double{batch.weight[k]} * double{network.encoder[feature * width + c]};
    }
  }
  return Relu(sum);
}

}  // namespace

std::vector<double> ReferenceForward(const Network& network, const TrainingBatch& batch) {
  const auto seats = static_cast<std::size_t>(batch.seats);
  const std::size_t width = network.shape.width;
  Vector all;
  for (std::size_t p = 0; p < static_cast<std::size_t>(batch.examples); ++p) {
    std::vector<Vector> encoded;
    for (std::size_t i = 0; i < seats; ++i) {
      encoded.push_back(Encode(network, batch, p * seats + i));
    }
    for (std::size_t i = 0; i < seats; ++i) {
      Vector sum(width);
      Vector most(width);
      for (std::size_t j = 0; j < seats; ++j) {
        if (batch.side[j] == batch.side[i]) continue;
        for (std::size_t c = 0; c < width; ++c) {
          sum[c] += encoded[j][c];
          most[c] = std::max(most[c], encoded[j][c]);
        }
      }
      Vector z = encoded[i];
      z.insert(z.end(), sum.begin(), sum.end());
      if (network.shape.max_pool) z.insert(z.end(), most.begin(), most.end());
      for (const DenseLayer& layer : network.hidden) z = Relu(Apply(layer, z));
      const Vector out = Apply(network.output, z);
      all.insert(all.end(), out.begin(), out.end());
    }
  }
  return all;
}

ReferenceLoss ReferenceLossOf(const Network& network, const TrainingBatch& batch,
                              double margin_weight) {
  const Vector out = ReferenceForward(network, batch);
  const auto seats = static_cast<std::size_t>(batch.seats);
  const auto classes = static_cast<std::size_t>(batch.classes);
  const std::size_t outputs = network.shape.outputs();
  const auto sides =
      static_cast<std::size_t>(*std::max_element(batch.side.begin(), batch.side.end()) + 1);
  ReferenceLoss loss;
  double weights = 0;
  for (std::size_t p = 0; p < static_cast<std::size_t>(batch.examples); ++p) {
    Vector logit(sides * classes);
    Vector size(sides);
    Vector target(sides * classes);
    double squares = 0;
    for (std::size_t i = 0; i < seats; ++i) {
      const auto side = static_cast<std::size_t>(batch.side[i]);
      const std::size_t row = p * seats + i;
      for (std::size_t c = 0; c < classes; ++c) {
        logit[side * classes + c] += out[row * outputs + kWinLogits + c];
        target[side * classes + c] = batch.win[row * classes + c];
      }
      size[side] += 1;
      squares += std::pow(out[row * outputs + kMargin] - double{batch.margin[row]}, 2);
    }
    double sum = 0;
    for (std::size_t k = 0; k < logit.size(); ++k) {
      logit[k] /= size[k / classes];
      sum += std::exp(logit[k]);
    }
    double win = 0;
    for (std::size_t k = 0; k < logit.size(); ++k) win -= target[k] * (logit[k] - std::log(sum));
    const double weight = batch.example_weight[p];
    weights += weight;
    loss.win += weight * win;
    loss.margin += weight * squares / static_cast<double>(seats);
  }
  loss.win /= weights;
  loss.margin /= weights;
  loss.total = loss.win + margin_weight * loss.margin;
  return loss;
}

}  // namespace berd
