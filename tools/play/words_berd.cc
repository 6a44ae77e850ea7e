#include "tools/play/words_berd.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "engine/berd/rules.h"
#include "engine/core/text.h"
#include "tools/play/draw_board.h"
#include "tools/play/position_view.h"

namespace berd {

namespace {

int ToInt(std::string_view text) {
  return static_cast<int>(ParseNumber(text, 0, 1000000).value_or(0));
}

// Removes what follows the first `mark`, and gives it back.
std::string TakeTail(std::string& text, char mark) {
  const auto at = text.find(mark);
  if (at == std::string::npos) return "";
  std::string tail = text.substr(at + 1);
  text.resize(at);
  return tail;
}

std::string Plural(int count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

GroupView WholeStack(const StackView& stack) {
  GroupView all = stack.active;
  all.insert(all.end(), stack.captives.begin(), stack.captives.end());
  return all;
}

// A move action taken apart: race `m:16/5@20!`, duel `m:b1-b2@20`.
struct MoveText {
  std::string from;
  std::string to;     // square; "off" in the duel, "" when a race token finishes
  int die = 0;        // race only
  std::string value;  // of the own token, "" without
  bool finishes = false;
};

std::optional<MoveText> ReadMove(std::string_view action, const BerdRules& rules) {
  if (!Consume(action, "m:")) return std::nullopt;
  std::string text(action);
  MoveText move;
  if (!text.empty() && text.back() == '!') {
    move.finishes = true;
    text.pop_back();
  }
  move.value = TakeTail(text, '@');
  if (const auto* race = std::get_if<RaceRules>(&rules)) {
    move.die = ToInt(TakeTail(text, '/'));
    move.from = text;
    if (!move.finishes) move.to = std::to_string((ToInt(text) + move.die) % race->squares);
  } else {
    move.to = TakeTail(text, '-');
    move.from = text;
    move.finishes = move.to == "off";
  }
  return move;
}

// Words for the race and the duel.
class BerdActionWords final : public GameWords {
 public:
  BerdActionWords(const AnyPosition& position, std::optional<Seat> viewer);

  std::string Question() const override;
  std::string Effect(std::string_view action) const override;
  std::string Story(std::string_view action) const override;

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

BerdActionWords::BerdActionWords(const AnyPosition& position, std::optional<Seat> viewer)
    : viewer_(viewer), view_(ReadPosition(SeenPosition(position, viewer))), phase_(view_.Phase()) {
  if (auto rules = ParseRules(position.rules())) rules_ = *std::move(rules);
  if (position.waits() == Waits::kDecision) actor_ = Letter(position.actor());
  if (position.waits() != Waits::kEnd) turn_ = Letter(position.turn());
  if (rules_) hidden_ = std::visit([](const auto& rules) { return rules.hidden(); }, *rules_);
}

bool BerdActionWords::SameSide(char a, char b) const {
  return std::visit([&](const auto& rules) { return rules.side(a - 'A') == rules.side(b - 'A'); },
                    *rules_);
}

std::string BerdActionWords::Shown(std::string_view token, bool seen) const {
  return std::string(seen ? token : token.substr(0, 1));
}

// ---- Moves and carries

std::string BerdActionWords::Landing(const MoveText& move, bool story) const {
  const auto* race = std::get_if<RaceRules>(&*rules_);
  const auto* place = view_.At(move.to);
  if (race != nullptr && Has(race->corner_set, ToInt(move.to))) return "corner " + move.to;
  if (place == nullptr) return move.to;
  const StackView& stack = place->stacks[0];
  if (SameSide(stack.active[0].color, turn_)) {
    return move.to + (story ? ", joining " : ", joins ") + GroupText(stack.active);
  }
  return move.to + (story ? ", capturing " : ", captures ") + GroupText(WholeStack(stack));
}

std::string BerdActionWords::MoveEffect(std::string_view action) const {
  const auto move = ReadMove(action, *rules_);
  if (!move) return "";
  if (move->finishes) return "finishes";
  const auto* stack = view_.StackOf(move->from, turn_);
  std::string effect = "to " + Landing(*move, false);
  const auto* race = std::get_if<RaceRules>(&*rules_);
  const bool from_path = race == nullptr || !Has(race->corner_set, ToInt(move->from));
  if (stack != nullptr && from_path) {
    const auto* own = FindColor(stack->active, turn_);
    if (own != nullptr && own->count == 2) effect += "; leaves one alone on " + move->from;
  }
  return effect;
}

std::string BerdActionWords::MoveStory(std::string_view action) const {
  const auto move = ReadMove(action, *rules_);
  if (!move) return "";
  std::string text = move->from;
  if (move->die > 0) text += "/" + std::to_string(move->die);
  if (!move->value.empty() && SeesAll(turn_)) text += " with " + (turn_ + move->value);
  if (move->finishes) return "finishes from " + text;
  return "plays " + text + " to " + Landing(*move, true);
}

std::string BerdActionWords::CarriedClass() const {
  const auto parts = Split(view_.PhaseDetail(), ':');
  if (parts.size() < 2) return "";
  const auto move = ReadMove("m:" + std::string(parts[parts.size() - 2]), *rules_);
  const auto counts = parts.back();
  std::size_t asked = counts == "-" ? 0 : Split(counts, ',').size();
  const auto* stack = move ? view_.StackOf(move->from, turn_) : nullptr;
  if (stack == nullptr) return "";
  for (const auto& tokens : stack->captives) {
    if (tokens.values.empty()) {
      if (asked-- == 0) return std::string(1, tokens.color);
      continue;
    }
    for (const auto& value : tokens.values) {
      if (asked-- == 0) return tokens.color + value;
    }
  }
  return "";
}

std::string BerdActionWords::CarryQuestion() const {
  const auto parts = Split(view_.PhaseDetail(), ':');
  if (parts.size() < 2) return "how many captives go along?";
  return "how many captives " + CarriedClass() + " go along with " +
         std::string(parts[parts.size() - 2]) + "?";
}

// ---- Payments and trades

std::string BerdActionWords::Payment(std::string_view action) const {
  Consume(action, "pay:");
  if (action == "cash") return "cash";
  const auto slash = action.find('/');
  const std::string square(action.substr(0, slash));
  const std::string_view token = action.substr(slash + 1);
  const bool seen = SeesAll(actor_) || SeesAll(turn_);
  if (square == "col") return Shown(token, seen) + " from the collection";
  // A captive of the own colour in an own stack does not exist: it is freed by the capture.
  const bool own = !token.empty() && token[0] == actor_;
  return (own ? "the own token " : "the captive ") + Shown(token, seen) + " on " + square;
}

BerdActionWords::Trade BerdActionWords::ReadTrade(std::string_view text) const {
  Trade trade;
  trade.turn = turn_;
  const auto slash = text.find('/');
  const auto arrow = text.find('>');
  if (slash == std::string_view::npos || arrow == std::string_view::npos) return trade;
  trade.square = text.substr(0, slash);
  trade.token = text.substr(slash + 1, arrow - slash - 1);
  trade.redeemed = trade.token[0];
  trade.counterpart = text[arrow + 1];
  trade.turn_redeems = trade.redeemed == turn_;
  return trade;
}

std::string BerdActionWords::Price(std::string_view price, const Trade& trade) const {
  const auto slash = price.find('/');
  if (slash == std::string_view::npos) return "cash " + std::string(price);
  const std::string token(price.substr(slash + 1));
  if (price.substr(0, slash) == "col") {
    return "the token " + token + " of " + trade.redeemer() + "'s collection";
  }
  return "the captive " + token + " on " + std::string(price.substr(0, slash));
}

std::string BerdActionWords::TradeStory(std::string_view action) const {
  if (Consume(action, "offer:")) {
    if (action == "none") return "";
    const auto trade = ReadTrade(action);
    const std::string token = trade.token + " on " + trade.square;
    return trade.turn_redeems ? std::string("wants back ") + token + " from " + trade.counterpart
                              : std::string("offers ") + trade.counterpart + " its " + token;
  }
  if (Consume(action, "price:")) {
    return "for " + Price(action, ReadTrade(Split(view_.PhaseDetail(), ':').back()));
  }
  return action == "accept" ? "accepts" : "declines";
}

// ---- All kinds

std::string BerdActionWords::Question() const {
  if (phase_ == "move") {
    std::string question = "your move";
    for (const char die : view_.PhaseDetail()) {
      question += (question == "your move" ? " with " : " ") + std::string(1, die);
    }
    return question;
  }
  if (phase_ == "carry") return CarryQuestion();
  if (phase_ == "pay") return std::string("what do you give to ") + turn_ + "?";
  if (phase_ == "corner") return "which corner is your home?";
  if (phase_ == "trade") return "offer a trade before you roll?";
  const auto detail = view_.PhaseDetail();
  const auto parts = Split(detail, ':');
  if (phase_ == "price" && parts.size() >= 2) {
    const auto trade = ReadTrade(parts[1]);
    return std::string("what is ") + trade.redeemer() + " to give to " + trade.holder() + " for " +
           trade.token + "?";
  }
  if (phase_ == "answer" && parts.size() >= 3) {
    const auto trade = ReadTrade(parts[1]);
    const std::string price = Price(detail.substr(parts[0].size() + parts[1].size() + 2), trade);
    return std::string(1, trade.redeemer()) + " gives " + price + " and gets back " + trade.token +
           " from " + trade.holder() + "'s stack on " + trade.square + ". Agreed?";
  }
  if (phase_ == "place") {
    const auto placed = ToInt(detail);
    const bool valued = std::visit([](const auto& rules) { return rules.valued(); }, *rules_);
    return valued
               ? "where does your token " + std::to_string(10 * (placed + 1)) + " stand?"
               : std::string("how many tokens on column ") + static_cast<char>('a' + placed) + "?";
  }
  return "choose";
}

std::string BerdActionWords::Effect(std::string_view action) const {
  if (phase_ == "move") return MoveEffect(action);
  if (phase_ == "carry") {
    const int count = ToInt(action.substr(action.find(':') + 1));
    return count == 0 ? "leave behind" : "take " + Plural(count, "captive") + " along";
  }
  if (phase_ == "pay") return Payment(action);
  if (Consume(action, "corner:")) {
    const auto& race = std::get<RaceRules>(*rules_);
    return "square " + std::to_string(race.corner_square(ToInt(action)));
  }
  if (Consume(action, "offer:")) {
    if (action == "none") return "no offer, roll the dice";
    const auto trade = ReadTrade(action);
    const std::string token = trade.token + " on " + trade.square;
    return trade.turn_redeems ? std::string("buy your ") + token + " free from " + trade.counterpart
                              : std::string("let ") + trade.counterpart + " buy " + token + " free";
  }
  if (Consume(action, "price:")) {
    const auto parts = Split(view_.PhaseDetail(), ':');
    return Price(action, ReadTrade(parts.back()));
  }
  if (Consume(action, "place:")) {
    return ToInt(action) > 0 || action == "0" ? Plural(ToInt(action), "token")
                                              : "column " + std::string(action);
  }
  return "";
}

std::string BerdActionWords::Story(std::string_view action) const {
  if (Consume(action, "roll:")) return "rolls " + std::string(action);
  if (Consume(action, "order:")) return std::string(action) + " is next in the order";
  if (phase_ == "move") return MoveStory(action);
  if (phase_ == "carry") {
    if (!SeesAll(turn_)) return "";
    const auto count = action.substr(action.find(':') + 1);
    return (count == "0" ? "leaving " : "taking " + std::string(count) + " ") + CarriedClass() +
           (count == "0" ? " behind" : " along");
  }
  if (phase_ == "pay") return std::string("pays ") + turn_ + " " + Payment(action);
  if (Consume(action, "corner:")) return "takes corner " + std::string(action) + " as home";
  if (Consume(action, "place:")) {
    if (!SeesAll(actor_)) return "";
    const int placed = ToInt(view_.PhaseDetail());
    const bool count = action[0] >= '0' && action[0] <= '9';
    return count ? "places " + std::string(action) + " on " + static_cast<char>('a' + placed)
                 : "places " + std::to_string(10 * (placed + 1)) + " on " + std::string(action);
  }
  return TradeStory(action);
}

}  // namespace

std::unique_ptr<GameWords> BerdWords(const AnyPosition& position, std::optional<Seat> viewer) {
  return std::make_unique<BerdActionWords>(position, viewer);
}

}  // namespace berd
