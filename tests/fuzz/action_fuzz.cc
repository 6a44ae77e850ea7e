// A rules string, a line break, a position (empty: the initial one), a line break, any bytes as an
// action. What is accepted is a legal action or possible outcome of exactly that name.

#include "tests/fuzz/play_on.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace berd;
  const std::string input(reinterpret_cast<const char*>(data), size);
  std::string_view text(input);
  const auto game = ParseGame(fuzz::TakeLine(text));
  if (!game) return 0;
  const std::string_view position = fuzz::TakeLine(text);
  VisitGame(*game, [&]<class G>(const typename G::Rules& rules) {
    if (fuzz::TooManyPrices(rules)) return;
    auto state =
        position.empty() ? Result<typename G::State>(G::initial(rules)) : G::parse(rules, position);
    if (!state) return;
    const auto action = G::parse_action(rules, *state, text);
    if (!action) return fuzz::RequireGoodError(action.error());
    fuzz::Require(G::action_name(rules, *state, *action) == text, "another action",
                  std::string(text));
    G::apply(rules, *state, *action);
    fuzz::PlayOn<G>(rules, *state, 5, 1);
  });
  return 0;
}
