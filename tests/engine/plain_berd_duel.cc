// The duel, and the results of all games.

#include <algorithm>
#include <numeric>
#include <set>

#include "tests/engine/plain_berd.h"
#include "tests/engine/plain_berd_parts.h"

namespace berd::plain {

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
