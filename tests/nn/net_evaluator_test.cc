#include "nn/net_evaluator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/text.h"
#include "search/evaluator.h"
#include "tests/nn/network_with_biases.h"
#include "tests/nn/played_positions.h"

namespace berd {
namespace {

using ::testing::HasSubstr;

static_assert(Evaluator<NetEvaluator<Race<Race2>>, Race<Race2>>);
static_assert(Evaluator<NetEvaluator<Duel<true>>, Duel<true>>);

const std::vector<Layers>& AllLayers() {
  static const std::vector<Layers> kLayers = {{64, false, {}},     {64, true, {}},
                                              {96, false, {32}},   {96, true, {32}},
                                              {17, false, {5, 3}}, {17, true, {5, 3}}};
  return kLayers;
}

template <Game G>
std::shared_ptr<const Network> TestNetwork(const Layers& layers) {
  return std::make_shared<const Network>(NetworkWithBiases<G>(layers, 5));
}

template <Game G>
int SideOf(const typename G::Rules& rules, std::size_t seat) {
  return G::side(rules, Seat(static_cast<int>(seat)));
}

// The formula of nn/network.h in plain loops: shape.outputs() for each seat.
template <Game G>
std::vector<double> PlainOutputs(const Network& network, const typename G::Rules& rules,
                                 const typename G::State& state) {
  const std::size_t width = network.shape.width;
  const auto seats = static_cast<std::size_t>(rules.seats());
  std::vector<std::vector<double>> encoded(seats);
  for (std::size_t i = 0; i < seats; ++i) {
    auto& a = encoded[i];
    a.assign(network.encoder_bias.begin(), network.encoder_bias.end());
    ForEachFeature<G>(
        rules, state, Features<G>::Note(rules, state), static_cast<int>(i), [&](Feature feature) {
          for (std::size_t k = 0; k < width; ++k) {
            a[k] += double{feature.weight} * double{network.encoder[feature.index * width + k]};
          }
        });
    for (double& value : a) value = std::max(value, 0.0);
  }
  std::vector<double> outputs;
  for (std::size_t i = 0; i < seats; ++i) {
    std::vector<double> z = encoded[i];
    z.resize(network.shape.pooled(), 0.0);
    for (std::size_t j = 0; j < seats; ++j) {
      if (SideOf<G>(rules, j) == SideOf<G>(rules, i)) continue;
      for (std::size_t k = 0; k < width; ++k) {
        z[width + k] += encoded[j][k];
        if (network.shape.max_pool) z[2 * width + k] = std::max(z[2 * width + k], encoded[j][k]);
      }
    }
    const auto dense = [&](const DenseLayer& layer) {
      std::vector<double> out(layer.bias.begin(), layer.bias.end());
      for (std::size_t o = 0; o < layer.outputs; ++o) {
        for (std::size_t k = 0; k < layer.inputs; ++k) {
          out[o] += double{layer.weight[o * layer.inputs + k]} * z[k];
        }
      }
      return out;
    };
    for (const auto& layer : network.hidden) {
      z = dense(layer);
      for (double& value : z) value = std::max(value, 0.0);
    }
    z = dense(network.output);
    outputs.insert(outputs.end(), z.begin(), z.end());
  }
  return outputs;
}

// Softmax over sides and classes of a win of the mean logits of the sides' seats; by seat and
// class.
template <Game G>
std::vector<double> PlainValues(const typename G::Rules& rules,
                                const std::vector<double>& outputs) {
  constexpr std::size_t kClasses = kOutcomeClasses<G>;
  constexpr std::size_t kOutputs = kWinLogits + kClasses;
  const auto seats = static_cast<std::size_t>(rules.seats());
  std::map<std::pair<int, std::size_t>, std::vector<double>> logits;
  for (std::size_t seat = 0; seat < seats; ++seat) {
    for (std::size_t c = 0; c < kClasses; ++c) {
      logits[{SideOf<G>(rules, seat), c}].push_back(outputs[seat * kOutputs + kWinLogits + c]);
    }
  }
  std::map<std::pair<int, std::size_t>, double> weight;
  double total = 0;
  for (const auto& [of, list] : logits) {
    double sum = 0;
    for (const double logit : list) sum += logit;
    total += weight[of] = std::exp(sum / static_cast<double>(list.size()));
  }
  std::vector<double> values;
  for (std::size_t seat = 0; seat < seats; ++seat) {
    for (std::size_t c = 0; c < kClasses; ++c) {
      values.push_back(weight[{SideOf<G>(rules, seat), c}] / total);
    }
  }
  return values;
}

template <Game G>
void ExpectDistribution(const typename G::Rules& rules, std::span<const float> values) {
  constexpr std::size_t kClasses = kOutcomeClasses<G>;
  std::map<std::pair<int, std::size_t>, float> by_side;
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_GE(values[i], 0);
    const auto [at, first] =
        by_side.insert({{SideOf<G>(rules, i / kClasses), i % kClasses}, values[i]});
    if (!first) {
      EXPECT_EQ(at->second, values[i]);
    }
  }
  float sum = 0;
  for (const auto& [of, value] : by_side) sum += value;
  EXPECT_NEAR(sum, 1, 1e-5);
}

template <class State>
std::vector<const State*> Pointers(const std::vector<State>& states) {
  std::vector<const State*> pointers;
  for (const State& state : states) pointers.push_back(&state);
  return pointers;
}

// Afterstates that are not at an end: an evaluator is not asked about others.
template <Game G>
std::vector<typename G::State> Open(const std::vector<typename G::State>& states) {
  std::vector<typename G::State> open;
  for (const auto& state : states) {
    if (G::waits(state) != Waits::kEnd) open.push_back(state);
  }
  return open;
}

// Compares values by differences from the parent with values of each state by itself and with
// plain loops.
template <Game G>
void ExpectAgreement(const typename G::Rules& rules, const Layers& layers, long decisions) {
  const auto network = TestNetwork<G>(layers);
  NetEvaluator<G> evaluator(network, rules);
  const auto seats = static_cast<std::size_t>(rules.seats());
  const std::size_t size = seats * kOutcomeClasses<G>;
  VisitDecisions<G>(rules, 7, decisions, 6, [&](const auto& parent, const auto& children) {
    if (::testing::Test::HasFailure()) return;
    const auto states = Open<G>(children);
    std::vector<float> values(states.size() * size);
    std::vector<float> outputs(states.size() * seats * network->shape.outputs());
    evaluator.Evaluate(rules, parent, Pointers(states), values);
    evaluator.Outputs(rules, parent, Pointers(states), outputs);
    for (std::size_t s = 0; s < states.size(); ++s) {
      const auto plain = PlainOutputs<G>(*network, rules, states[s]);
      double largest = 1;
      for (std::size_t i = 0; i < plain.size(); ++i) {
        largest = std::max(largest, std::abs(plain[i]));
      }
      for (std::size_t i = 0; i < plain.size(); ++i) {
        EXPECT_NEAR(outputs[s * plain.size() + i], plain[i], 1e-5 * largest);
      }
      const auto expected = PlainValues<G>(rules, plain);
      const typename G::State* one = &states[s];
      std::vector<float> alone(size);
      evaluator.Evaluate(rules, states[s], std::span(&one, 1), alone);
      for (std::size_t i = 0; i < size; ++i) {
        EXPECT_NEAR(values[s * size + i], alone[i], 1e-5);
        EXPECT_NEAR(values[s * size + i], expected[i], 1e-5 * largest);
      }
      ExpectDistribution<G>(rules, std::span(values).subspan(s * size, size));
    }
    if (::testing::Test::HasFailure()) ADD_FAILURE() << "after " << G::position(rules, parent);
  });
}

TEST(NetEvaluator, AgreesWithPlainLoopsForEveryGame) {
  ForFeatureRules([]<class G>(const typename G::Rules& rules) {
    ExpectAgreement<G>(rules, {20, true, {6}}, rules.seats() > 8 ? 4 : 12);
  });
}

TEST(NetEvaluator, AgreesWithPlainLoopsForEveryShape) {
  for (const auto* text :
       {"race:short:2x9", "race:short:4x5:team=2", "race:short:4x4:points",
        "race:n=2:6x3:setup=rolled", "duel:3x3:5", "backgammon", "bradspel", "birth:3"}) {
    SCOPED_TRACE(text);
    VisitGame(*ParseGame(text), []<class G>(const typename G::Rules& rules) {
      for (const Layers& layers : AllLayers()) ExpectAgreement<G>(rules, layers, 10);
    });
  }
}

TEST(NetEvaluator, RefusesNetworksForOtherFeatures) {
  using Plain = Race<Race2>;
  using Valued = Race<Race4Valued>;
  const auto network = TestNetwork<Plain>({8, false, {}});
  const auto rules = std::get<RaceRules>(*ParseRules("race:short:2x4"));
  const auto valued = std::get<RaceRules>(*ParseRules("race:short:2x4:points"));
  EXPECT_TRUE(NetEvaluator<Plain>::Fits(*network, rules));
  const auto fits = NetEvaluator<Valued>::Fits(*network, valued);
  ASSERT_FALSE(fits);
  EXPECT_THAT(fits.error().message, HasSubstr("the network has features 'race/2', but "
                                              "race:short:2x4:points needs 'race-values/2'"));
}

// ---- Equivariance: who is called A must not matter

// A renaming of the seats that turns the board: seat i becomes seat[i], square s becomes Square(s).
struct Turn {
  std::vector<int> seat;
  int shift = 0;    // race: squares forward
  int squares = 0;  // duel: 0; race: L

  std::string Letters(std::string_view text) const {
    std::string renamed(text);
    for (char& c : renamed) {
      if (c >= 'A' && c <= 'P') {
        c = static_cast<char>('A' + seat[static_cast<std::size_t>(c - 'A')]);
      }
    }
    return renamed;
  }
  // The items of a group in the order of their new letters.
  std::string Group(std::string_view group) const {
    std::string renamed = Letters(group);
    std::vector<std::string> items;
    for (const char c : renamed) {
      if (c >= 'A' && c <= 'P') items.emplace_back();
      if (items.empty()) return renamed;  // "-"
      items.back() += c;
    }
    std::sort(items.begin(), items.end());
    std::string joined;
    for (const auto& item : items) joined += item;
    return joined;
  }
  std::string Stack(std::string_view stack) const {
    const auto slash = stack.find('/');
    if (slash == std::string_view::npos) return Group(stack);
    return Group(stack.substr(0, slash)) + "/" + Group(stack.substr(slash + 1));
  }
  std::string Stacks(std::string_view stacks) const {
    std::vector<std::string> turned;
    for (const auto stack : Split(stacks, '|')) turned.push_back(Stack(stack));
    std::sort(turned.begin(), turned.end());
    std::string joined;
    for (const auto& stack : turned) joined += (joined.empty() ? "" : "|") + stack;
    return joined;
  }
  // Entries sorted by square: the number in a race, row and column in a 3x3 duel.
  std::string BoardField(std::string_view board) const {
    if (board == "-") return "-";
    std::map<int, std::string> entries;
    for (const auto entry : Split(board, ',')) {
      const auto colon = entry.find(':');
      const std::string square(entry.substr(0, colon));
      const std::string stacks = Stacks(entry.substr(colon + 1));
      if (squares > 0) {
        const int to = (std::stoi(square) + shift) % squares;
        entries[to] = std::to_string(to) + ":" + stacks;
      } else {
        const int column = 2 - (square[0] - 'a');
        const int row = 2 - (square[1] - '1');
        entries[3 * row + column] =
            std::string{static_cast<char>('a' + column), static_cast<char>('1' + row)} + ":" +
            stacks;
      }
    }
    std::string joined;
    for (const auto& [square, entry] : entries) joined += (joined.empty() ? "" : ",") + entry;
    return joined;
  }
  // A list with one entry a seat; `rename` for entries with letters in them.
  std::string BySeat(std::string_view list, char separator, bool rename) const {
    const auto parts = Split(list, separator);
    std::vector<std::string> moved(parts.size());
    for (std::size_t i = 0; i < parts.size(); ++i) {
      moved[static_cast<std::size_t>(seat[i])] = rename ? Group(parts[i]) : std::string(parts[i]);
    }
    std::string joined;
    for (std::size_t i = 0; i < moved.size(); ++i) {
      joined += (i == 0 ? "" : std::string(1, separator)) + moved[i];
    }
    return joined;
  }
  std::string Position(const std::string& position) const {
    std::string turned;
    for (const auto field : Split(position, ' ')) {
      const auto equals = field.find('=');
      const auto name = field.substr(0, equals);
      const auto value = field.substr(equals + 1);
      std::string changed(value);
      if (name == "board") changed = BoardField(value);
      if (name == "col") changed = BySeat(value, ';', true);
      if (name == "cash" || name == "lat") changed = BySeat(value, ',', false);
      if (name == "turn") changed = Letters(value);
      turned += (turned.empty() ? "" : " ") + std::string(name) + "=" + changed;
    }
    return turned;
  }
};

// Positions before a roll (in the duel: before a move), the same for every player after a turn of
// the board.
template <Game G>
void ExpectEquivariance(const typename G::Rules& rules, const Turn& turn) {
  const auto network = TestNetwork<G>({32, true, {8}});
  NetEvaluator<G> evaluator(network, rules);
  const auto seats = static_cast<std::size_t>(rules.seats());
  int compared = 0;
  VisitPositions<G>(rules, 8, 400, [&](const auto& state) {
    const std::string position = G::position(rules, state);
    if (!position.ends_with("phase=roll") && !position.ends_with("phase=move")) return;
    const std::string turned = turn.Position(position);
    const auto other = G::parse(rules, turned);
    ASSERT_TRUE(other) << other.error().message << "\n" << turned;
    ASSERT_EQ(G::position(rules, *other), turned);
    std::vector<float> shares(seats);
    std::vector<float> turned_shares(seats);
    const typename G::State* one = &state;
    evaluator.Evaluate(rules, state, std::span(&one, 1), shares);
    one = &*other;
    evaluator.Evaluate(rules, *other, std::span(&one, 1), turned_shares);
    for (std::size_t i = 0; i < seats; ++i) {
      EXPECT_NEAR(shares[i], turned_shares[static_cast<std::size_t>(turn.seat[i])], 1e-5)
          << position << "\n"
          << turned;
    }
    ++compared;
  });
  EXPECT_GT(compared, 20);
}

TEST(NetEvaluator, SeesTheSameRaceFromEverySeat) {
  for (const auto* text : {"race:short:2x4", "race:n=3:2x9", "race:short:2x5:color",
                           "race:short:2x4:points", "race:short:2x4:trade"}) {
    SCOPED_TRACE(text);
    VisitGame(*ParseGame(text), []<class G>(const typename G::Rules& rules) {
      if constexpr (std::is_same_v<typename G::Rules, RaceRules>) {
        ExpectEquivariance<G>(
            rules, {.seat = {1, 0}, .shift = rules.squares / 2, .squares = rules.squares});
      }
    });
  }
}

TEST(NetEvaluator, SeesTheSameRaceOfFourFromEverySeat) {
  for (const auto* text : {"race:short:4x3", "race:short:4x3:color", "race:short:4x3:team=2",
                           "race:short:4x3:color+points+team=2+trade", "race:short:4x3:goal=20"}) {
    SCOPED_TRACE(text);
    VisitGame(*ParseGame(text), []<class G>(const typename G::Rules& rules) {
      if constexpr (std::is_same_v<typename G::Rules, RaceRules>) {
        ExpectEquivariance<G>(
            rules, {.seat = {1, 2, 3, 0}, .shift = rules.squares / 4, .squares = rules.squares});
      }
    });
  }
}

TEST(NetEvaluator, SeesTheSameDuelFromBothSides) {
  for (const auto* text : {"duel:3x3:5", "duel:3x3:5:color", "duel:3x3:4:points"}) {
    SCOPED_TRACE(text);
    VisitGame(*ParseGame(text), []<class G>(const typename G::Rules& rules) {
      ExpectEquivariance<G>(rules, {.seat = {1, 0}});
    });
  }
}

}  // namespace
}  // namespace berd
