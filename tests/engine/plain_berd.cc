#include "tests/engine/plain_berd.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace berd::plain {

namespace {

std::vector<std::string> Parts(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == separator) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

bool StartsWith(const std::string& text, const std::string& start) {
  return text.rfind(start, 0) == 0;
}

void SortUnique(std::vector<std::string>& strings) {
  std::sort(strings.begin(), strings.end());
  strings.erase(std::unique(strings.begin(), strings.end()), strings.end());
}

template <class T>
T& At(std::vector<T>& list, int i) {
  return list.at(static_cast<std::size_t>(i));
}
template <class T>
const T& At(const std::vector<T>& list, int i) {
  return list.at(static_cast<std::size_t>(i));
}

}  // namespace

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

// --- Moving --------------------------------------------------------------------------------------

std::vector<std::string> Game::Moves() const {
  std::vector<std::string> moves;
  for (const Token& token : tokens_) {
    if (token.place != Place::kBoard || token.captive || token.colour != turn_) continue;
    for (const int die : dice_) {
      std::string move = "m:" + std::to_string(token.square) + "/" + std::to_string(die);
      if (rules_.valued()) move += "@" + std::to_string(token.value);
      const bool finishes = die >= DistanceToGo(turn_, token.square);
      if (finishes) moves.push_back(move + "!");
      if (!finishes || rules_.goal > 0) {
        if (MayLand((token.square + die) % rules_.length)) moves.push_back(move);
      }
    }
  }
  SortUnique(moves);
  return moves;
}

// The active token that the move names.
int Game::FindOwn(const Move& move) const {
  for (const int i : ActiveOf(StackOfMover(move.from))) {
    if (At(tokens_, i).colour == turn_ && At(tokens_, i).value == move.value) return i;
  }
  return -1;
}

// The captives below the moving token, one list a class: by colour, then value.
std::vector<std::vector<int>> Game::CarryClasses(const Move& move) const {
  std::vector<std::vector<int>> classes;
  for (const int i : CaptivesOf(StackOfMover(move.from))) {  // tokens are in that order
    const Token& token = At(tokens_, i);
    if (classes.empty() || At(tokens_, classes.back()[0]).colour != token.colour ||
        At(tokens_, classes.back()[0]).value != token.value) {
      classes.emplace_back();
    }
    classes.back().push_back(i);
  }
  return classes;
}

void Game::BeginMove(const Move& move) {
  if (!rules_.duel) dice_.erase(std::find(dice_.begin(), dice_.end(), move.die));
  const auto stack = StackOfMover(move.from);
  const auto captives = CaptivesOf(stack);
  const bool some_stay = ActiveOf(stack).size() > 1;
  if (some_stay && !captives.empty()) {
    move_ = move;
    counts_.clear();
    phase_ = Phase::kCarry;
    return;
  }
  std::vector<int> unit = {FindOwn(move)};
  unit.insert(unit.end(), captives.begin(), captives.end());
  FinishMove(move, unit);
}

// The unit arrives. unit[0] is the own token.
void Game::FinishMove(const Move& move, const std::vector<int>& unit) {
  const bool off = rules_.duel ? move.to < 0 : move.finish;
  if (off) {
    for (const int i : unit) {
      Token& token = At(tokens_, i);
      token.place = Place::kCollected;
      token.owner = turn_;
      token.captive = false;
    }
  } else {
    const int to = rules_.duel ? move.to : (move.from + move.die) % rules_.length;
    for (const int i : unit) {
      At(tokens_, i).square = to;
      At(tokens_, i).owner = IsCorner(to) ? turn_ : -1;
    }
    // Whatever stands here now belongs to the mover's side.
    for (const int i : StackOfMover(to)) {
      At(tokens_, i).captive = rules_.Side(At(tokens_, i).colour) != rules_.Side(turn_);
    }
  }
  if (rules_.duel) {
    const bool sideways = !off && move.to / rules_.width == move.from / rules_.width;
    At(sideways_, turn_) = sideways ? At(sideways_, turn_) + 1 : 0;
    AfterDuelMove();
    return;
  }
  if (off && rules_.goal == 0) {
    finished_value_ = At(tokens_, unit[0]).value;
    payers_.clear();
    for (int i = 1; i < rules_.players; ++i) {
      const int seat = (turn_ + i) % rules_.players;
      if (rules_.Side(seat) != rules_.Side(turn_) && IsActivePlayer(seat)) payers_.push_back(seat);
    }
    if (!payers_.empty()) {
      phase_ = Phase::kPay;
      return;
    }
  }
  AfterSubMove();
}

void Game::AfterSubMove() {
  if (IsOver()) {
    phase_ = Phase::kEnd;
    turn_ = -1;
    return;
  }
  phase_ = Phase::kMove;
  if (Moves().empty()) {
    ++turns_;
    StartTurn(turn_ + 1);
  }
}

// The next turn is that of `seat`, or of the next one that is active.
void Game::StartTurn(int seat) {
  if (turns_ == rules_.cap) {
    phase_ = Phase::kEnd;
    turn_ = -1;
    return;
  }
  turn_ = seat % rules_.players;
  while (!IsActivePlayer(turn_)) turn_ = (turn_ + 1) % rules_.players;
  offers_ = 0;
  OpenTradeWindow();
}

// --- Payments ------------------------------------------------------------------------------------

std::vector<std::string> Game::Payments() const {
  const int payer = payers_[0];
  std::vector<std::string> payments;
  for (const int i : Collection(payer)) payments.push_back("pay:col/" + ClassName(i));
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    const Token& token = tokens_[i];
    if (token.place != Place::kBoard) continue;
    const auto stack = Stack(token.square, token.owner);
    if (!HasActive(stack, payer)) continue;
    const std::string pay =
        "pay:" + SquareName(token.square) + "/" + ClassName(static_cast<int>(i));
    if (token.captive) {
      payments.push_back(pay);
    } else if (token.colour == payer) {
      const bool last = ActiveOf(stack).size() == 1;
      if (!last || CaptivesOf(stack).empty()) payments.push_back(pay);
    }
  }
  if (rules_.trade) {
    const long due = rules_.points ? finished_value_ : rules_.price;
    if (At(cash_, payer) >= due) payments.emplace_back("pay:cash");
  }
  return payments;
}

void Game::Pay(const std::string& what) {
  const int payer = payers_[0];
  if (what == "cash") {
    const long due = rules_.points ? finished_value_ : rules_.price;
    At(cash_, payer) -= due;
    At(cash_, turn_) += due;
  } else {
    const auto parts = Parts(what, '/');
    int colour = 0;
    int value = 0;
    ParseClass(parts[1], colour, value);
    const auto from = parts[0] == "col" ? Collection(payer) : Stack(SquareNumber(parts[0]), payer);
    for (const int i : from) {
      Token& token = At(tokens_, i);
      if (token.colour != colour || token.value != value) continue;
      token.place = Place::kCollected;
      token.owner = turn_;
      token.captive = false;
      break;
    }
  }
  payers_.erase(payers_.begin());
  if (payers_.empty()) AfterSubMove();
}

// --- Trade ---------------------------------------------------------------------------------------

std::vector<std::string> Game::Offers() const {
  std::vector<std::string> offers;
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    const Token& captive = tokens_[i];
    if (captive.place != Place::kBoard || !captive.captive) continue;
    const auto stack = Stack(captive.square, captive.owner);
    const std::string offer =
        "offer:" + SquareName(captive.square) + "/" + ClassName(static_cast<int>(i)) + ">";
    for (int holder = 0; holder < rules_.players; ++holder) {
      if (!HasActive(stack, holder)) continue;
      const int redeemer = captive.colour;
      if (turn_ == redeemer) offers.push_back(offer + static_cast<char>('A' + holder));
      if (turn_ == holder) offers.push_back(offer + static_cast<char>('A' + redeemer));
    }
  }
  return offers;
}

// With a captive to trade in and offers left the window stays open; else the dice are thrown.
void Game::OpenTradeWindow() {
  phase_ = rules_.trade && offers_ < 3 && !Offers().empty() ? Phase::kTrade : Phase::kRoll;
}

Game::Offer Game::ParseOffer(const std::string& text) const {
  Offer offer{};
  const auto sides = Parts(text, '>');
  const auto parts = Parts(sides[0], '/');
  offer.square = SquareNumber(parts[0]);
  ParseClass(parts[1], offer.colour, offer.value);
  offer.counterpart = sides[1][0] - 'A';
  offer.redeemer = offer.colour;
  offer.holder = turn_ == offer.redeemer ? offer.counterpart : turn_;
  return offer;
}

std::vector<std::string> Game::Prices() const {
  const Offer offer = ParseOffer(offer_);
  std::vector<std::string> prices;
  for (long k = 0; k <= At(cash_, offer.redeemer); k += rules_.step) {
    prices.push_back("price:" + std::to_string(k));
  }
  for (const int i : Collection(offer.redeemer)) prices.push_back("price:col/" + ClassName(i));
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    const Token& token = tokens_[i];
    if (token.place != Place::kBoard || !token.captive || token.colour != offer.holder) continue;
    if (!HasActive(Stack(token.square, token.owner), offer.redeemer)) continue;
    prices.push_back("price:" + SquareName(token.square) + "/" + ClassName(static_cast<int>(i)));
  }
  return prices;
}

// The accepted trade takes place.
void Game::Redeem() {
  const Offer offer = ParseOffer(offer_);
  for (const int i : CaptivesOf(Stack(offer.square, offer.holder))) {
    if (At(tokens_, i).colour != offer.colour || At(tokens_, i).value != offer.value) continue;
    PutActive(i, Home(offer.redeemer));
    break;
  }
  const auto parts = Parts(price_, '/');
  if (parts.size() == 1) {
    At(cash_, offer.redeemer) -= std::stol(price_);
    At(cash_, offer.holder) += std::stol(price_);
    return;
  }
  int colour = 0;
  int value = 0;
  ParseClass(parts[1], colour, value);
  const bool collected = parts[0] == "col";
  const auto from = collected ? Collection(offer.redeemer)
                              : CaptivesOf(Stack(SquareNumber(parts[0]), offer.redeemer));
  for (const int i : from) {
    if (At(tokens_, i).colour != colour || At(tokens_, i).value != value) continue;
    if (collected) {
      At(tokens_, i).owner = offer.holder;
    } else {
      PutActive(i, Home(offer.holder));
    }
    break;
  }
}

// --- The duel ------------------------------------------------------------------------------------

void Game::PlaceTokens(const std::string& what) {
  const int base_row = turn_ == 0 ? 0 : rules_.width - 1;
  std::vector<int> left;
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    if (tokens_[i].colour == turn_ && tokens_[i].place == Place::kNowhere) {
      left.push_back(static_cast<int>(i));
    }
  }
  bool complete = false;
  if (rules_.valued()) {
    PutActive(left[0], base_row * rules_.width + (what[0] - 'a'));
    ++placings_;
    complete = placings_ == rules_.tokens;
  } else {
    const int count = std::stoi(what);
    for (int i = 0; i < count; ++i) PutActive(At(left, i), base_row * rules_.width + placings_);
    ++placings_;
    if (placings_ == rules_.width - 1) {
      complete = true;
      for (auto i = static_cast<std::size_t>(count); i < left.size(); ++i) {
        PutActive(left[i], base_row * rules_.width + rules_.width - 1);
      }
    }
  }
  if (!complete) return;
  placings_ = 0;
  if (turn_ == 0) {
    turn_ = 1;
    return;
  }
  turn_ = 0;
  phase_ = Phase::kMove;
  CountPosition();
}

std::vector<std::string> Game::DuelMoves() const {
  std::vector<std::string> moves;
  const int w = rules_.width;
  for (const Token& token : tokens_) {
    if (token.place != Place::kBoard || token.captive || token.colour != turn_) continue;
    const int row = token.square / w;
    const int column = token.square % w;
    const std::string start = "m:" + SquareName(token.square) + "-";
    const std::string end = rules_.valued() ? "@" + std::to_string(token.value) : "";
    const int forward_row = turn_ == 0 ? row + 1 : row - 1;
    if (forward_row < 0 || forward_row >= w) {
      moves.push_back(start + "off" + end);
    } else if (MayLand(forward_row * w + column)) {
      moves.push_back(start + SquareName(forward_row * w + column) + end);
    }
    if (At(sideways_, turn_) >= 3) continue;
    for (const int to_column : {column - 1, column + 1}) {
      if (to_column < 0 || to_column >= w) continue;
      if (MayLand(row * w + to_column)) {
        moves.push_back(start + SquareName(row * w + to_column) + end);
      }
    }
  }
  SortUnique(moves);
  return moves;
}

void Game::AfterDuelMove() {
  ++turns_;
  const int mover = turn_;
  const auto end = [&] {
    phase_ = Phase::kEnd;
    turn_ = -1;
  };
  if (OneSideLeft()) return end();
  phase_ = Phase::kMove;
  turn_ = 1 - mover;
  if (turns_ == rules_.cap) return end();
  if (DuelMoves().empty()) {
    turn_ = mover;
    if (DuelMoves().empty()) return end();
  }
  CountPosition();
  if (occurrences_[RepetitionKey()] == 3) end();
}

void Game::CountPosition() { ++occurrences_[RepetitionKey()]; }

std::string Game::RepetitionKey() const {
  return PrintBoard(-1) + " " + Group(Collection(0), -1, true) + ";" +
         Group(Collection(1), -1, true) + " " + std::to_string(turn_) + " " +
         std::to_string(sideways_[0]) + std::to_string(sideways_[1]);
}

// --- Score ---------------------------------------------------------------------------------------

std::vector<long> Game::Scores() const {
  std::vector<long> scores;
  for (int seat = 0; seat < rules_.players; ++seat) {
    long score = 0;
    for (const int i : Collection(seat)) {
      const int value = At(tokens_, i).value;
      if (rules_.goal > 0) {
        score += value == rules_.goal ? 1 : 0;
      } else if (rules_.points || rules_.hidden) {
        score += value;
      } else {
        score += rules_.trade ? rules_.price : 1;
      }
    }
    if (rules_.trade) score += At(cash_, seat);
    scores.push_back(score);
  }
  return scores;
}

std::vector<std::string> Game::WinShares() const {
  const auto scores = Scores();
  std::vector<long> of_side(static_cast<std::size_t>(rules_.SideCount()), 0);
  for (int seat = 0; seat < rules_.players; ++seat) {
    At(of_side, rules_.Side(seat)) += At(scores, seat);
  }
  const long best = *std::max_element(of_side.begin(), of_side.end());
  const auto winners = std::count(of_side.begin(), of_side.end(), best);
  std::vector<std::string> shares;
  for (int seat = 0; seat < rules_.players; ++seat) {
    const bool won = At(of_side, rules_.Side(seat)) == best;
    shares.push_back(!won ? "0" : winners == 1 ? "1" : "1/" + std::to_string(winners));
  }
  return shares;
}

// --- The reference novice ------------------------------------------------------------------------

double Game::NoviceScore(const std::string& action) const {
  const std::string what = action.substr(action.find(':') + 1);
  const auto own_in = [&](const std::vector<int>& stack, int seat) {
    int own = 0;
    for (const int i : ActiveOf(stack)) own += At(tokens_, i).colour == seat ? 1 : 0;
    return own;
  };
  if (phase_ == Phase::kMove) {
    const Move move = ParseMove(what);
    const auto source = StackOfMover(move.from);
    const int own = own_in(source, turn_);
    double score = 0;
    if (rules_.duel ? move.to < 0 : move.finish) {
      bool has_goal = rules_.goal > 0 && move.value == rules_.goal;
      // The captives that the novice will carry (see below) belong to the unit too.
      if (rules_.goal > 0 && own - 1 < 2) {
        for (const int i : CaptivesOf(source)) {
          has_goal = has_goal || At(tokens_, i).value == rules_.goal;
        }
      }
      score = rules_.goal == 0 || has_goal ? 20 : -1;
    } else {
      const int to = rules_.duel ? move.to : (move.from + move.die) % rules_.length;
      const auto target = StackOfMover(to);
      if (!target.empty()) {
        const int side = rules_.Side(At(tokens_, ActiveOf(target)[0]).colour);
        score = side == rules_.Side(turn_) ? 10 : 40 + 3 * static_cast<double>(target.size());
      }
    }
    if (!IsCorner(move.from)) {
      if (own == 2) score -= 6;
      if (own == 1) score += 3;
    }
    if (rules_.duel) {
      const bool forward = move.to < 0 || move.to / rules_.width != move.from / rules_.width;
      return score + (forward ? 0.5 : 0);
    }
    return score + 0.02 * (rules_.length - DistanceToGo(turn_, move.from));
  }
  if (phase_ == Phase::kCarry) {
    const int own_staying = own_in(StackOfMover(move_.from), turn_) - 1;
    return own_staying >= 2 ? -std::stod(what) : std::stod(what);
  }
  if (phase_ == Phase::kPay) {
    if (what == "cash") return 3;
    const auto parts = Parts(what, '/');
    const int payer = payers_[0];
    int colour = 0;
    int value = 0;
    ParseClass(parts[1], colour, value);
    const double less = value / 100.0;
    if (parts[0] == "col") return 0 - less;
    if (colour != payer) return 4 - less;
    const int square = SquareNumber(parts[0]);
    const bool spoils = !IsCorner(square) && own_in(Stack(square, payer), payer) == 2;
    return 5 + 0.1 * DistanceToGo(payer, square) - (spoils ? 3 : 0) - less;
  }
  if (phase_ == Phase::kTrade) return what == "none" ? 1 : 0;
  if (phase_ == Phase::kAnswer) {
    const bool token = price_.find('/') != std::string::npos;
    const long fair = rules_.points ? ParseOffer(offer_).value : rules_.price;
    const bool likes = token || std::stol(price_) >= fair;
    return (action == "accept") == likes ? 1 : 0;
  }
  return 0;
}

}  // namespace berd::plain
