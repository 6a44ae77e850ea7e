// Any bytes as a rules string. What is accepted has a canonical form that stands for itself, and a
// game that can be played.

#include "tests/fuzz/play_on.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace berd;
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto game = ParseGame(text);
  if (!game) {
    fuzz::RequireGoodError(game.error());
    return 0;
  }
  const std::string canonical = CanonicalRules(*game);
  const auto again = ParseGame(canonical);
  fuzz::Require(again && CanonicalRules(*again) == canonical, "not canonical", canonical);
  VisitGame(*game, []<class G>(const typename G::Rules& rules) {
    if (!fuzz::TooManyPrices(rules)) fuzz::PlayOn<G>(rules, G::initial(rules), 25, 1);
  });
  return 0;
}
