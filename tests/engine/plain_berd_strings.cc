// Position and action strings of the plain implementation.

#include <algorithm>

#include "tests/engine/plain_berd.h"
#include "tests/engine/plain_berd_parts.h"

namespace berd::plain {

namespace {

std::string Letter(int seat) { return std::string(1, static_cast<char>('A' + seat)); }

std::string OrDash(const std::string& text) { return text.empty() ? "-" : text; }

std::string DiceString(const std::vector<int>& dice) {
  std::string text;
  for (const int die : dice) text += std::to_string(die);
  return OrDash(text);
}

}  // namespace

std::string Game::SquareName(int square) const {
  if (!rules_.duel) return std::to_string(square);
  return std::string(1, static_cast<char>('a' + square % rules_.width)) +
         std::to_string(square / rules_.width + 1);
}

int Game::SquareNumber(const std::string& name) const {
  if (!rules_.duel) return std::stoi(name);
  return (name[1] - '1') * rules_.width + (name[0] - 'a');
}

std::string Game::ClassName(int token) const {
  const Token& t = tokens_.at(static_cast<std::size_t>(token));
  return Letter(t.colour) + (rules_.valued() ? std::to_string(t.value) : "");
}

void Game::ParseClass(const std::string& text, int& colour, int& value) const {
  colour = text[0] - 'A';
  value = rules_.valued() ? std::stoi(text.substr(1)) : 0;
}

Move Game::ParseMove(const std::string& text) const {
  Move move;
  move.text = text;
  std::string rest = text;
  if (rest.back() == '!') {
    move.finish = true;
    rest.pop_back();
  }
  const auto at = rest.find('@');
  if (at != std::string::npos) {
    move.value = std::stoi(rest.substr(at + 1));
    rest = rest.substr(0, at);
  }
  const auto ends = Parts(rest, rules_.duel ? '-' : '/');
  move.from = SquareNumber(ends[0]);
  if (!rules_.duel) {
    move.die = std::stoi(ends[1]);
  } else if (ends[1] != "off") {
    move.to = SquareNumber(ends[1]);
  }
  return move;
}

// A group of tokens, which are in order of colour and value. `viewer` < 0 sees all; else the viewer
// sees its own colour, and everything if `all_seen`.
std::string Game::Group(const std::vector<int>& tokens, int viewer, bool all_seen) const {
  std::string text;
  for (int colour = 0; colour < rules_.players; ++colour) {
    std::vector<std::string> values;
    for (const int i : tokens) {
      const Token& token = tokens_.at(static_cast<std::size_t>(i));
      if (token.colour != colour) continue;
      const bool seen = viewer < 0 || all_seen || viewer == colour;
      values.push_back(seen ? std::to_string(token.value) : "?");
    }
    if (values.empty()) continue;
    text += Letter(colour);
    if (!rules_.valued()) {
      text += std::to_string(values.size());
      continue;
    }
    text += "{";
    for (std::size_t i = 0; i < values.size(); ++i) text += (i > 0 ? "." : "") + values[i];
    text += "}";
  }
  return OrDash(text);
}

std::string Game::PrintBoard(int viewer) const {
  std::string board;
  const int squares = rules_.duel ? rules_.width * rules_.width : rules_.length;
  for (int square = 0; square < squares; ++square) {
    std::string entry;
    for (int owner = 0; owner < (IsCorner(square) ? rules_.players : 1); ++owner) {
      const auto stack = Stack(square, owner);
      if (stack.empty()) continue;
      const auto active = ActiveOf(stack);
      const auto captives = CaptivesOf(stack);
      // Tokens being placed are out of the other player's sight.
      if (viewer >= 0 && phase_ == Phase::kPlace && viewer != turn_ &&
          tokens_.at(static_cast<std::size_t>(active[0])).colour == turn_) {
        continue;
      }
      entry += (entry.empty() ? "" : "|") + Group(active, viewer, false);
      if (!captives.empty()) {
        // Nobody's own captives stand in a stack in which it is active: the mask is all or nothing.
        const bool seen = viewer < 0 || HasActive(stack, viewer);
        entry += "/" + Group(captives, seen ? -1 : rules_.players, false);
      }
    }
    if (!entry.empty()) board += (board.empty() ? "" : ",") + SquareName(square) + ":" + entry;
  }
  return OrDash(board);
}

std::string Game::PrintPhase(int viewer) const {
  const bool seen = viewer < 0 || viewer == turn_;
  const auto masked = [&](const std::string& text) { return seen ? text : std::string("?"); };
  switch (phase_) {
    case Phase::kOrder: {
      std::string ranked;
      for (const int seat : order_) ranked += Letter(seat);
      return "order:" + OrDash(ranked);
    }
    case Phase::kCorner: {
      std::string ranked;
      for (const int seat : order_) ranked += Letter(seat);
      return "corner:" + ranked;
    }
    case Phase::kPlace:
      return "place:" + std::to_string(placings_);
    case Phase::kTrade:
      return "trade:" + std::to_string(offers_);
    case Phase::kPrice:
      return "price:" + std::to_string(offers_) + ":" + offer_;
    case Phase::kAnswer:
      return "answer:" + std::to_string(offers_) + ":" + offer_ + ":" + price_;
    case Phase::kRoll:
      return "roll";
    case Phase::kMove:
      return rules_.duel ? "move" : "move:" + DiceString(dice_);
    case Phase::kCarry: {
      std::string counts;
      for (const int count : counts_) counts += (counts.empty() ? "" : ",") + std::to_string(count);
      std::string move = move_.text;
      if (!seen) {
        const auto at = move.find('@');
        move = move.substr(0, at) + "@?" + (move_.finish ? "!" : "");
      }
      return "carry:" + (rules_.duel ? "" : DiceString(dice_) + ":") + move + ":" +
             masked(OrDash(counts));
    }
    case Phase::kPay: {
      std::string payers;
      for (const int seat : payers_) payers += Letter(seat);
      return "pay:" + DiceString(dice_) + ":" + masked(std::to_string(finished_value_)) + ":" +
             payers;
    }
    case Phase::kEnd:
      return "end";
  }
  return "";
}

std::string Game::Print(int viewer) const {
  std::string text = "n=" + std::to_string(turns_);
  if (!rules_.duel) {
    std::string homes;
    for (const int home : homes_) {
      homes += (homes.empty() ? "" : ",") + (home < 0 ? "?" : std::to_string(home));
    }
    text += " home=" + homes;
  }
  text += " board=" + PrintBoard(viewer) + " col=";
  for (int seat = 0; seat < rules_.players; ++seat) {
    const bool seen = viewer < 0 || viewer == seat || phase_ == Phase::kEnd;
    text += (seat > 0 ? ";" : "") + Group(Collection(seat), seen ? -1 : rules_.players, false);
  }
  if (rules_.trade) {
    std::string cash;
    for (const long amount : cash_) cash += (cash.empty() ? "" : ",") + std::to_string(amount);
    text += " cash=" + cash;
  }
  if (rules_.duel) {
    text += " lat=" + std::to_string(sideways_[0]) + "," + std::to_string(sideways_[1]);
  }
  const bool before_start = phase_ == Phase::kOrder || phase_ == Phase::kCorner;
  text += " turn=" + (before_start ? "?" : IsEnd() ? "-" : Letter(turn_));
  return text + " phase=" + PrintPhase(viewer);
}

// --- Reading a position --------------------------------------------------------------------------

// Puts the tokens of a group where `where` says.
void Game::AddGroup(const std::string& text, const Token& where) {
  if (text == "-") return;
  const auto put = [&](int colour, int value) {
    for (Token& token : tokens_) {
      if (token.place != Place::kNowhere || token.colour != colour || token.value != value)
        continue;
      token.place = where.place;
      token.square = where.square;
      token.owner = where.owner;
      token.captive = where.captive;
      return;
    }
  };
  std::size_t at = 0;
  while (at < text.size()) {
    const int colour = text[at++] - 'A';
    if (rules_.valued()) {
      const auto close = text.find('}', at);
      for (const auto& value : Parts(text.substr(at + 1, close - at - 1), '.')) {
        put(colour, std::stoi(value));
      }
      at = close + 1;
    } else {
      int count = 0;
      while (at < text.size() && text[at] >= '0' && text[at] <= '9') {
        count = 10 * count + (text[at++] - '0');
      }
      for (; count > 0; --count) put(colour, 0);
    }
  }
}

void Game::ParsePhase(const std::string& text) {
  const auto parts = Parts(text, ':');
  const auto dice = [&](const std::string& digits) {
    dice_.clear();
    for (const char c : digits) {
      if (c != '-') dice_.push_back(c - '0');
    }
  };
  const auto letters = [](const std::string& names) {
    std::vector<int> seats;
    for (const char c : names) {
      if (c != '-') seats.push_back(c - 'A');
    }
    return seats;
  };
  const std::string& name = parts[0];
  if (name == "order" || name == "corner") {
    phase_ = name == "order" ? Phase::kOrder : Phase::kCorner;
    order_ = letters(parts[1]);
  } else if (name == "place") {
    phase_ = Phase::kPlace;
    placings_ = std::stoi(parts[1]);
  } else if (name == "trade" || name == "price" || name == "answer") {
    phase_ = name == "trade" ? Phase::kTrade : name == "price" ? Phase::kPrice : Phase::kAnswer;
    offers_ = std::stoi(parts[1]);
    if (parts.size() > 2) offer_ = parts[2];
    if (parts.size() > 3) price_ = parts[3];
  } else if (name == "roll") {
    phase_ = Phase::kRoll;
  } else if (name == "move") {
    phase_ = Phase::kMove;
    if (!rules_.duel) dice(parts[1]);
  } else if (name == "carry") {
    phase_ = Phase::kCarry;
    if (!rules_.duel) dice(parts[1]);
    move_ = ParseMove(parts[rules_.duel ? 1 : 2]);
    counts_.clear();
    const std::string& counts = parts[rules_.duel ? 2 : 3];
    if (counts != "-") {
      for (const auto& count : Parts(counts, ',')) counts_.push_back(std::stoi(count));
    }
  } else if (name == "pay") {
    phase_ = Phase::kPay;
    dice(parts[1]);
    finished_value_ = std::stoi(parts[2]);
    payers_ = letters(parts[3]);
  } else {
    phase_ = Phase::kEnd;
  }
}

Game Game::FromPosition(const std::string& rules, const std::string& position) {
  Game game(rules);
  for (Token& token : game.tokens_) token = {.colour = token.colour, .value = token.value};
  for (const auto& field : Parts(position, ' ')) {
    const auto equals = field.find('=');
    const std::string name = field.substr(0, equals);
    const std::string value = field.substr(equals + 1);
    if (name == "n") game.turns_ = std::stol(value);
    if (name == "turn") game.turn_ = value[0] >= 'A' ? value[0] - 'A' : -1;
    if (name == "turn" && value == "?") game.turn_ = -1;
    if (name == "phase") game.ParsePhase(value);
    if (name == "home" || name == "cash" || name == "lat") {
      const auto numbers = Parts(value, ',');
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (name == "home") game.homes_[i] = numbers[i] == "?" ? -1 : std::stoi(numbers[i]);
        if (name == "cash") game.cash_[i] = std::stol(numbers[i]);
        if (name == "lat") game.sideways_[i] = std::stoi(numbers[i]);
      }
    }
    if (name == "col") {
      const auto groups = Parts(value, ';');
      for (std::size_t i = 0; i < groups.size(); ++i) {
        game.AddGroup(groups[i], {.place = Place::kCollected, .owner = static_cast<int>(i)});
      }
    }
    if (name == "board" && value != "-") {
      for (const auto& entry : Parts(value, ',')) {
        const auto colon = entry.find(':');
        const int square = game.SquareNumber(entry.substr(0, colon));
        for (const auto& stack : Parts(entry.substr(colon + 1), '|')) {
          const int owner = game.IsCorner(square) ? stack[0] - 'A' : -1;
          const auto groups = Parts(stack, '/');
          Token where{.place = Place::kBoard, .square = square, .owner = owner};
          game.AddGroup(groups[0], where);
          where.captive = true;
          if (groups.size() > 1) game.AddGroup(groups[1], where);
        }
      }
    }
  }
  if (game.rules_.duel && (game.phase_ == Phase::kMove || game.phase_ == Phase::kCarry)) {
    game.CountPosition();
  }
  return game;
}

}  // namespace berd::plain
