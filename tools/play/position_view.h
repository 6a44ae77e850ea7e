#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace berd {

// Tokens of one colour. In valued games `values` has one entry a token, "?" for one that the viewer
// does not see; in unvalued games it is empty.
struct TokensView {
  char color = 'A';
  int count = 0;
  std::vector<std::string> values;
};
using GroupView = std::vector<TokensView>;

struct StackView {
  GroupView active;
  GroupView captives;
};

// What stands on one square; on a corner there may be several stacks.
struct PlaceView {
  std::string square;
  std::vector<StackView> stacks;
};

// A position string or view (rules page §9) taken apart, for drawing and describing. Everything a
// player is shown comes from here, so nobody is shown what the view hides.
struct PositionView {
  std::vector<std::pair<std::string, std::string>> fields;
  std::vector<PlaceView> board;

  // The value of a field; "" if there is none.
  std::string_view Field(std::string_view key) const;
  // The field's parts, one a seat.
  std::string_view FieldOfSeat(std::string_view key, char separator, int seat) const;
  // "move" of `move:53`, and "53".
  std::string_view Phase() const;
  std::string_view PhaseDetail() const;
  // Nothing if the square is empty.
  const PlaceView* At(std::string_view square) const;
  // The stack on the square in which the seat has an active token.
  const StackView* StackOf(std::string_view square, char seat) const;
};

// Requires: `text` was printed by the engine.
PositionView ReadPosition(std::string_view text);
GroupView ReadGroup(std::string_view text);

int CountTokens(const GroupView& group);
const TokensView* FindColor(const GroupView& group, char color);

// "A2", "A", "A10,30", "A3?" for three tokens whose values are not seen.
std::string TokensText(const TokensView& tokens);
// Without values: "A2", "A".
std::string CountText(const TokensView& tokens);
// All colours, separated by blanks; "-" for none.
std::string GroupText(const GroupView& group);

// "A over B C2"
std::string StackText(const StackView& stack);

}  // namespace berd
