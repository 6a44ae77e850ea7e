// A rules string, a line break, any bytes as a position of these rules. What is accepted prints
// back as it was and can be played on, whether a game can reach it or not.

#include "tests/fuzz/play_on.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace berd;
  const std::string input(reinterpret_cast<const char*>(data), size);
  std::string_view text(input);
  const auto game = ParseGame(fuzz::TakeLine(text));
  if (!game) return 0;
  VisitGame(*game, [&]<class G>(const typename G::Rules& rules) {
    if (fuzz::TooManyPrices(rules)) return;
    const auto state = G::parse(rules, text);
    if (!state) return fuzz::RequireGoodError(state.error());
    fuzz::Require(G::position(rules, *state) == text, "prints differently", std::string(text));
    fuzz::PlayOn<G>(rules, *state, 50, 1);
  });
  return 0;
}
