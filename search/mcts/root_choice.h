#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "engine/core/random.h"
#include "search/mcts/node.h"
#include "search/mcts/options.h"
#include "search/mcts/select.h"

namespace berd::mcts {

// Sequential halving (Danihelka et al., "Policy improvement by planning with Gumbel", 2022, and the
// schedule of its published code): the i-th simulation goes to an action that has sequence[i]
// visits so far. `considered` actions begin; after an equal share of the simulations for each
// halving the better half goes on, never fewer than two.
inline void HalvingSequence(std::int64_t considered, std::int64_t simulations,
                            std::vector<std::uint32_t>& sequence) {
  sequence.clear();
  std::int64_t left = std::max<std::int64_t>(considered, 1);
  const auto halvings = static_cast<std::int64_t>(std::ceil(std::log2(static_cast<double>(left))));
  std::uint32_t visits = 0;  // of each action still in
  while (static_cast<std::int64_t>(sequence.size()) < simulations) {
    const std::int64_t rounds =
        left == 1 ? simulations : std::max<std::int64_t>(1, simulations / (halvings * left));
    for (std::int64_t round = 0; round < rounds; ++round, ++visits) {
      sequence.insert(sequence.end(), static_cast<std::size_t>(left), visits);
    }
    if (left > 1) left = std::max<std::int64_t>(2, left / 2);
  }
  sequence.resize(static_cast<std::size_t>(simulations));
}

// A draw from the gamma distribution (Marsaglia and Tsang, "A simple method for generating gamma
// variables", 2000).
inline double DrawGamma(double shape, RandomStream& random) {
  const auto unit = [&] { return (static_cast<double>(random.Next()) + 0.5) * 0x1p-32; };
  if (shape < 1) return DrawGamma(shape + 1, random) * std::pow(unit(), 1 / shape);
  const double d = shape - 1.0 / 3;
  const double c = 1 / std::sqrt(9 * d);
  while (true) {
    constexpr double kTwoPi = 6.283185307179586;
    const double normal = std::sqrt(-2 * std::log(unit())) * std::cos(kTwoPi * unit());
    const double v = std::pow(1 + c * normal, 3);
    if (v > 0 && std::log(unit()) < 0.5 * normal * normal + d - d * v + d * std::log(v)) {
      return d * v;
    }
  }
}

// Chooses the edge of the root for every simulation of a search. Begin is called once before; the
// rest is thread-safe.
template <Game G>
class RootChooser {
 public:
  // Requires: the root is expanded. Gumbel needs a number of simulations; without one it is PUCT.
  void Begin(const Node<G>& root, const MctsOptions& options, std::int64_t simulations, float unit,
             std::uint64_t seed) {
    root_ = &root;
    options_ = options;
    unit_ = unit;
    gumbel_ = options.root == RootChoice::kGumbel && simulations <= kMostScheduled;
    const std::uint32_t count = Read(root.edge_count);
    first_visits_.resize(count);
    scores_.resize(count);
    for (std::uint32_t e = 0; e < count; ++e) first_visits_[e] = Read(root.edges[e].visits);
    RandomStream random(seed, 0, Purpose::kExploration, 0);
    if (gumbel_) {
      HalvingSequence(std::min<std::int64_t>(count, options.gumbel_considered), simulations,
                      sequence_);
      for (std::uint32_t e = 0; e < count; ++e) {
        const double unit_draw = (static_cast<double>(random.Next()) + 0.5) * 0x1p-32;
        const double noise = -std::log(-std::log(unit_draw));
        scores_[e] = static_cast<float>(noise) * options.gumbel_scale +
                     std::log(std::max(Read(root.edges[e].weight), 1e-30f));
      }
    } else if (options.noise > 0) {
      AddNoise(random);
    }
  }

  bool gumbel() const { return gumbel_; }

  std::uint32_t Choose(std::int64_t simulation, const PuctConstants& constants) const {
    if (gumbel_) {
      const auto index = static_cast<std::size_t>(simulation);
      return ChooseGumbel(index < sequence_.size() ? sequence_[index] : 0);
    }
    if (options_.noise <= 0) return SelectEdge(*root_, constants);
    return SelectEdge(*root_, constants, true, [&](std::uint32_t e) { return scores_[e]; });
  }

  // The edge that the search is for: the best of those whose true value is not known, or what is
  // known if that is at least as good. Requires: an edge.
  std::uint32_t Best() const {
    const std::uint32_t known = Read(root_->best_exact);
    if (Read(root_->exact) && known != Node<G>::kNoEdge) return known;
    std::uint32_t best = Node<G>::kNoEdge;
    for (std::uint32_t e = 0; e < Read(root_->edge_count); ++e) {
      if (Read(root_->edges[e].exact)) continue;
      if (best == Node<G>::kNoEdge || IsBetter(e, best)) best = e;
    }
    if (known == Node<G>::kNoEdge) return best;
    return best == Node<G>::kNoEdge ||
                   Read(root_->edges[known].utility) >= Promise(*root_, root_->edges[best], {})
               ? known
               : best;
  }

 private:
  static constexpr std::int64_t kMostScheduled = 1 << 26;

  // Visits in this search, those under way included.
  std::uint32_t Visits(std::uint32_t e) const {
    const Edge<G>& edge = root_->edges[e];
    return Read(edge.visits) + Read(edge.pending) - first_visits_[e];
  }

  bool IsBetter(std::uint32_t a, std::uint32_t b) const {
    const Edge<G>& edge_a = root_->edges[a];
    const Edge<G>& edge_b = root_->edges[b];
    if (gumbel_) {
      if (Visits(a) != Visits(b)) return Visits(a) > Visits(b);
      const std::uint32_t most = MostVisits();
      return GumbelScore(a, most) > GumbelScore(b, most);
    }
    const std::uint32_t visits_a = Read(edge_a.visits);
    const std::uint32_t visits_b = Read(edge_b.visits);
    if (visits_a != visits_b) return visits_a > visits_b;
    return (visits_a > 0 || root_->has_estimates) && Read(edge_a.utility) > Read(edge_b.utility);
  }

  std::uint32_t MostVisits() const {
    std::uint32_t most = 0;
    for (std::uint32_t e = 0; e < Read(root_->edge_count); ++e) most = std::max(most, Visits(e));
    return most;
  }

  // The noise, the prior's logit, and once visited the utility on the paper's growing scale.
  float GumbelScore(std::uint32_t e, std::uint32_t most_visits) const {
    if (Visits(e) == 0) return scores_[e];
    const float scale = (options_.gumbel_visits + static_cast<float>(most_visits)) *
                        options_.gumbel_value_scale / unit_;
    return scores_[e] + scale * Read(root_->edges[e].utility);
  }

  // The best edge with that number of visits. Threads may have left none: then of those with the
  // fewest more, or the most.
  std::uint32_t ChooseGumbel(std::uint32_t wanted) const {
    const std::uint32_t most = MostVisits();
    std::uint32_t best = 0;
    std::uint32_t best_distance = 0xffffffff;
    float best_score = 0;
    for (std::uint32_t e = 0; e < Read(root_->edge_count); ++e) {
      if (Read(root_->edges[e].exact)) continue;
      const std::uint32_t visits = Visits(e);
      const std::uint32_t distance =
          visits >= wanted ? visits - wanted : 0x80000000u + (wanted - visits);
      const float score = GumbelScore(e, most);
      if (distance > best_distance || (distance == best_distance && score <= best_score)) continue;
      best = e;
      best_distance = distance;
      best_score = score;
    }
    return best;
  }

  void AddNoise(RandomStream& random) {
    double sum = 0;
    for (float& score : scores_) {
      score = static_cast<float>(DrawGamma(static_cast<double>(options_.noise_alpha), random));
      sum += static_cast<double>(score);
    }
    const auto scale = static_cast<float>(sum > 0 ? 1 / sum : 0);
    for (std::uint32_t e = 0; e < scores_.size(); ++e) {
      scores_[e] =
          (1 - options_.noise) * Read(root_->edges[e].weight) + options_.noise * scale * scores_[e];
    }
  }

  const Node<G>* root_ = nullptr;
  MctsOptions options_;
  float unit_ = 1;
  bool gumbel_ = false;
  std::vector<std::uint32_t> sequence_;
  std::vector<std::uint32_t> first_visits_;  // by edge, before this search
  std::vector<float> scores_;                // Gumbel: noise and logit; PUCT: the prior with noise
};

}  // namespace berd::mcts
