#include "tests/engine/plain_berd.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "tests/engine/plain_berd_parts.h"

namespace berd::plain {

// --- Rules ---------------------------------------------------------------------------------------

Rules ParseRules(const std::string& text) {
  Rules rules;
  const auto parts = Parts(text, ':');
  rules.duel = parts[0] == "duel";
  if (rules.duel) {
    rules.width = parts[1][0] - '0';
    rules.tokens = std::stoi(parts[2]);
    rules.cap = 300;
  } else {
    if (parts[1] == "long") rules.n = 11;
    if (StartsWith(parts[1], "n=")) rules.n = std::stoi(parts[1].substr(2));
    rules.length = 4 * (rules.n + 1);
    const auto counts = Parts(parts[2], 'x');
    rules.players = std::stoi(counts[0]);
    rules.tokens = std::stoi(counts[1]);
    rules.cap = 2000;
  }
  if (parts.size() < 4) return rules;
  for (const auto& flag : Parts(parts[3], '+')) {
    const auto equals = flag.find('=');
    const std::string name = flag.substr(0, equals);
    const std::string value = equals == std::string::npos ? "" : flag.substr(equals + 1);
    if (name == "color") rules.color = true;
    if (name == "points") rules.points = true;
    if (name == "hidden") rules.hidden = true;
    if (name == "team") rules.teams = std::stoi(value);
    if (name == "goal") rules.goal = std::stoi(value);
    if (name == "setup") rules.rolled = value == "rolled";
    if (name == "cap") rules.cap = std::stol(value);
    if (name == "trade") {
      rules.trade = true;
      const auto numbers =
          Parts(value.empty() ? (rules.points ? "0/200/10" : "10/50/5") : value, '/');
      rules.price = std::stoi(numbers[0]);
      rules.cash = std::stoi(numbers[1]);
      rules.step = std::stoi(numbers[2]);
    }
  }
  return rules;
}

// --- Beginning -----------------------------------------------------------------------------------

Game::Game(const std::string& text) : rules_(ParseRules(text)) {
  for (int seat = 0; seat < rules_.players; ++seat) {
    for (int i = 1; i <= rules_.tokens; ++i) {
      Token token;
      token.colour = seat;
      token.value = rules_.valued() ? 10 * i : 0;
      tokens_.push_back(token);
    }
  }
  homes_.assign(static_cast<std::size_t>(rules_.players), -1);
  cash_.assign(static_cast<std::size_t>(rules_.players), rules_.cash);
  if (rules_.duel) {
    turn_ = 0;
    phase_ = Phase::kPlace;
    return;
  }
  if (rules_.rolled) {
    phase_ = Phase::kOrder;
    return;
  }
  for (int seat = 0; seat < rules_.players; ++seat) {
    At(homes_, seat) = rules_.players == 2 ? 2 * seat : seat % 4;
  }
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    PutActive(static_cast<int>(i), Home(tokens_[i].colour));
  }
  StartTurn(0);
}

// --- The board -----------------------------------------------------------------------------------

bool Game::IsCorner(int square) const { return !rules_.duel && square % (rules_.n + 1) == 0; }

int Game::DistanceToGo(int seat, int square) const {
  const int distance = (Home(seat) - square + rules_.length) % rules_.length;
  return distance == 0 ? rules_.length : distance;
}

std::vector<int> Game::Stack(int square, int owner) const {
  std::vector<int> stack;
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    const Token& token = tokens_[i];
    if (token.place != Place::kBoard || token.square != square) continue;
    if (IsCorner(square) && token.owner != owner) continue;
    stack.push_back(static_cast<int>(i));
  }
  return stack;
}

std::vector<int> Game::ActiveOf(const std::vector<int>& stack) const {
  std::vector<int> active;
  for (const int i : stack) {
    if (!At(tokens_, i).captive) active.push_back(i);
  }
  return active;
}

std::vector<int> Game::CaptivesOf(const std::vector<int>& stack) const {
  std::vector<int> captives;
  for (const int i : stack) {
    if (At(tokens_, i).captive) captives.push_back(i);
  }
  return captives;
}

std::vector<int> Game::StackOfMover(int square) const { return Stack(square, turn_); }

std::vector<int> Game::Collection(int seat) const {
  std::vector<int> collection;
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    if (tokens_[i].place == Place::kCollected && tokens_[i].owner == seat) {
      collection.push_back(static_cast<int>(i));
    }
  }
  return collection;
}

bool Game::HasActive(const std::vector<int>& stack, int seat) const {
  for (const int i : ActiveOf(stack)) {
    if (At(tokens_, i).colour == seat) return true;
  }
  return false;
}

bool Game::IsActivePlayer(int seat) const {
  for (const Token& token : tokens_) {
    if (token.place == Place::kBoard && !token.captive && token.colour == seat) return true;
  }
  return false;
}

int Game::ColourOfSquare(int square) const {
  if (!rules_.color) return -1;
  if (rules_.duel) {
    const std::string name = SquareName(square);
    if (rules_.width == 3) return name == "b1" ? 0 : name == "b3" ? 1 : -1;
    if (name == "b1" || name == "c3") return 0;
    if (name == "c4" || name == "b2") return 1;
    return -1;
  }
  for (int side = 0; side < 4; ++side) {
    for (int colour = 0; colour < 4; ++colour) {
      const int j = (colour - side + 4) % 4;
      const int eighths = (2 * j + 1) * (rules_.n + 1);
      const int offset = eighths / 8 + (eighths % 8 > 0 ? 1 : 0);
      if (square != side * (rules_.n + 1) + offset) continue;
      // The seat of that colour.
      if (rules_.players == 2) return colour == 0 ? 0 : colour == 2 ? 1 : -1;
      return colour < rules_.players ? colour : -1;
    }
  }
  return -1;
}

// May the turn player's side land on this square?
bool Game::MayLand(int square) const {
  if (IsCorner(square)) return true;
  const auto active = ActiveOf(Stack(square, -1));
  if (active.empty()) return true;
  if (rules_.Side(At(tokens_, active[0]).colour) == rules_.Side(turn_)) return true;
  for (const int i : active) {
    const int colour = At(tokens_, i).colour;
    int same = 0;
    for (const int j : active) same += At(tokens_, j).colour == colour ? 1 : 0;
    if (same >= 2) return false;                         // a Berd
    if (colour == ColourOfSquare(square)) return false;  // protected by colour
  }
  return true;
}

void Game::PutActive(int token, int square) {
  Token& t = At(tokens_, token);
  t.place = Place::kBoard;
  t.square = square;
  t.owner = IsCorner(square) ? t.colour : -1;
  t.captive = false;
}

bool Game::OneSideLeft() const {
  std::set<int> sides;
  for (int seat = 0; seat < rules_.players; ++seat) {
    if (IsActivePlayer(seat)) sides.insert(rules_.Side(seat));
  }
  return sides.size() <= 1;
}

bool Game::IsOver() const {
  int collected = 0;
  for (const Token& token : tokens_) {
    collected += token.place == Place::kCollected && token.value == rules_.goal ? 1 : 0;
  }
  return OneSideLeft() || (rules_.goal > 0 && collected == rules_.players);
}

// --- Whose turn, what is legal -------------------------------------------------------------------

int Game::Actor() const {
  switch (phase_) {
    case Phase::kCorner:
      for (const int seat : order_) {
        if (At(homes_, seat) < 0) return seat;
      }
      return -1;
    case Phase::kAnswer:
      return ParseOffer(offer_).counterpart;
    case Phase::kPay:
      return payers_[0];
    default:
      return turn_;
  }
}

std::vector<std::string> Game::Legal() const {
  std::vector<std::string> legal;
  switch (phase_) {
    case Phase::kOrder:
      for (int seat = 0; seat < rules_.players; ++seat) {
        if (std::find(order_.begin(), order_.end(), seat) == order_.end()) {
          legal.push_back(std::string("order:") + static_cast<char>('A' + seat));
        }
      }
      break;
    case Phase::kCorner:
      for (int corner = 0; corner < 4; ++corner) {
        if (std::count(homes_.begin(), homes_.end(), corner) < 4) {
          legal.push_back("corner:" + std::to_string(corner));
        }
      }
      break;
    case Phase::kPlace:
      if (rules_.valued()) {
        for (int column = 0; column < rules_.width; ++column) {
          legal.push_back(std::string("place:") + static_cast<char>('a' + column));
        }
      } else {
        int left = 0;
        for (const Token& token : tokens_) {
          left += token.colour == turn_ && token.place == Place::kNowhere ? 1 : 0;
        }
        for (int count = 0; count <= left; ++count)
          legal.push_back("place:" + std::to_string(count));
      }
      break;
    case Phase::kTrade:
      legal = Offers();
      legal.emplace_back("offer:none");
      break;
    case Phase::kPrice:
      legal = Prices();
      break;
    case Phase::kAnswer:
      legal = {"accept", "decline"};
      break;
    case Phase::kRoll:
      for (int high = 1; high <= 6; ++high) {
        for (int low = 1; low <= high; ++low) {
          legal.push_back("roll:" + std::to_string(high) + std::to_string(low));
        }
      }
      break;
    case Phase::kMove:
      legal = rules_.duel ? DuelMoves() : Moves();
      break;
    case Phase::kCarry: {
      const auto classes = CarryClasses(move_);
      const auto& next = classes.at(counts_.size());
      for (std::size_t k = 0; k <= next.size(); ++k) legal.push_back("carry:" + std::to_string(k));
      break;
    }
    case Phase::kPay:
      legal = Payments();
      break;
    case Phase::kEnd:
      break;
  }
  SortUnique(legal);
  return legal;
}

void Game::Apply(const std::string& action) {
  const std::string what = action.substr(action.find(':') + 1);
  switch (phase_) {
    case Phase::kOrder:
      order_.push_back(what[0] - 'A');
      if (static_cast<int>(order_.size()) == rules_.players - 1) {
        for (int seat = 0; seat < rules_.players; ++seat) {
          if (std::find(order_.begin(), order_.end(), seat) == order_.end()) {
            order_.push_back(seat);
            break;
          }
        }
        phase_ = Phase::kCorner;
      }
      break;
    case Phase::kCorner: {
      const int seat = Actor();
      At(homes_, seat) = std::stoi(what);
      for (std::size_t i = 0; i < tokens_.size(); ++i) {
        if (tokens_[i].colour == seat) PutActive(static_cast<int>(i), Home(seat));
      }
      if (Actor() < 0) StartTurn(order_[0]);
      break;
    }
    case Phase::kPlace:
      PlaceTokens(what);
      break;
    case Phase::kTrade:
      if (what == "none") {
        phase_ = Phase::kRoll;
        break;
      }
      ++offers_;
      offer_ = what;
      phase_ = Phase::kPrice;
      break;
    case Phase::kPrice:
      price_ = what;
      phase_ = Phase::kAnswer;
      break;
    case Phase::kAnswer:
      if (action == "accept") Redeem();
      OpenTradeWindow();
      break;
    case Phase::kRoll: {
      const int high = what[0] - '0';
      const int low = what[1] - '0';
      dice_ = high == low ? std::vector<int>(4, high) : std::vector<int>{high, low};
      phase_ = Phase::kMove;
      if (Moves().empty()) {
        ++turns_;
        StartTurn(turn_ + 1);
      }
      break;
    }
    case Phase::kMove:
      BeginMove(ParseMove(what));
      break;
    case Phase::kCarry: {
      counts_.push_back(std::stoi(what));
      const auto classes = CarryClasses(move_);
      if (counts_.size() < classes.size()) break;
      std::vector<int> unit = {FindOwn(move_)};
      for (std::size_t i = 0; i < classes.size(); ++i) {
        for (int k = 0; k < counts_[i]; ++k) unit.push_back(At(classes[i], k));
      }
      FinishMove(move_, unit);
      break;
    }
    case Phase::kPay:
      Pay(what);
      break;
    case Phase::kEnd:
      break;
  }
}

}  // namespace berd::plain
