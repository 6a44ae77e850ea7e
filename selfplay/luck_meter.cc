#include "selfplay/luck_meter.h"

#include "nn/net_evaluator.h"
#include "selfplay/network_cache.h"

namespace berd {

namespace {

template <Game G>
Result<AnyLuckMeterMaker> Prepare(const std::string& file, const typename G::Rules& rules) {
  if constexpr (!G::kFacts.dice) {
    return Fail("luck: " + rules.ToString() + " has no dice, so there is no luck to take off");
  } else {
    using E = NetEvaluator<G>;
    const auto shared = SharedNetwork(file);
    if (!shared) return Fail("luck", shared.error());
    if (const auto fits = E::Fits(**shared, rules); !fits) {
      return Fail("luck: " + file, fits.error());
    }
    return AnyLuckMeterMaker(LuckMeterMaker<G>([network = *shared, rules] {
      return std::make_unique<LuckMeterOf<G, E>>(E(network, rules));
    }));
  }
}

}  // namespace

Result<AnyLuckMeterMaker> PrepareAnyLuckMeter(const std::string& file, const AnyRules& game) {
  return VisitGame(
      game, [&]<class G>(const typename G::Rules& rules) { return Prepare<G>(file, rules); });
}

}  // namespace berd
