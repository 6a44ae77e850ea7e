// The turn of the race: sub-moves, carries, payments, trades.

#include <algorithm>
#include <numeric>
#include <set>

#include "tests/engine/plain_berd.h"
#include "tests/engine/plain_berd_parts.h"

namespace berd::plain {

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

}  // namespace berd::plain
