#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/berd/rules.h"
#include "engine/core/any_game.h"
#include "tools/play/position_view.h"

namespace berd {

// A move action taken apart: race `m:16/5@20!`, duel `m:b1-b2@20`.
struct MoveText {
  std::string from;
  std::string to;     // square; "off" in the duel, "" when a race token finishes
  int die = 0;        // race only
  std::string value;  // of the own token, "" without
  bool finishes = false;
};
std::optional<MoveText> ReadMove(std::string_view action, const BerdRules& rules);

// Words for actions in one position, seen with the eyes of one player: whatever the view hides, the
// words leave out. Games without words of their own show the action strings.
class ActionWords {
 public:
  // `viewer`: nobody sees everything.
  ActionWords(const AnyPosition& position, std::optional<Seat> viewer);

  // What the deciding player is asked: "Which captives go along with 16/5? B, 2 there".
  std::string Question() const;
  // What an action of the deciding player does, for a menu: "to 21, captures B2".
  std::string Effect(std::string_view action) const;
  // The same told of another player, without subject: "plays 16/5 to 21, capturing B2". Empty if
  // the viewer learns nothing.
  std::string Story(std::string_view action) const;

  const PositionView& view() const { return view_; }

 private:
  struct Trade {
    std::string square;
    char redeemed = 'A';
    std::string token;  // class
    char counterpart = 'B';
    char turn = 'A';
    bool turn_redeems = false;
    char redeemer() const { return redeemed; }
    char holder() const { return turn_redeems ? counterpart : turn; }
  };

  Trade ReadTrade(std::string_view text) const;
  std::string Landing(const MoveText& move, bool story) const;
  std::string MoveEffect(std::string_view action) const;
  std::string MoveStory(std::string_view action) const;
  std::string CarriedClass() const;
  std::string CarryQuestion() const;
  std::string Payment(std::string_view action) const;
  std::string Price(std::string_view price, const Trade& trade) const;
  std::string TradeStory(std::string_view action) const;
  bool SameSide(char a, char b) const;
  bool SeesAll(char seat) const { return !hidden_ || !viewer_ || Letter(*viewer_) == seat; }
  // The token class without its value if the viewer may not see it.
  std::string Shown(std::string_view token, bool seen) const;

  std::optional<BerdRules> rules_;
  std::optional<Seat> viewer_;
  PositionView view_;
  std::string phase_;
  char actor_ = 'A';
  char turn_ = 'A';
  bool hidden_ = false;
};

}  // namespace berd
