#include "tests/engine/plain_birth.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>

namespace berd::plain_birth {

namespace {

const std::vector<int> kAreas = {1, 2, 3, 5, 8};

std::string Join(const std::vector<std::string>& parts, const std::string& separator) {
  std::string joined;
  for (std::size_t i = 0; i < parts.size(); ++i) joined += (i > 0 ? separator : "") + parts[i];
  return joined;
}

std::string CountsText(const std::vector<int>& counts) {
  std::vector<std::string> parts;
  for (const int count : counts) parts.push_back(std::to_string(count));
  return Join(parts, ".");
}

std::vector<std::string> SplitAt(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::stringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

std::string LetterOf(int seat) { return std::string(1, "ABC"[seat]); }

}  // namespace

Rules RulesOf(const std::string& text) {
  Rules rules;
  const auto parts = SplitAt(text, ':');
  rules.players = std::stoi(parts.at(1));
  std::set<std::string> options;
  if (parts.size() > 2) {
    for (const auto& option : SplitAt(parts[2], '+')) options.insert(option);
  }
  rules.advanced = options.count("advanced") > 0;
  rules.relative = options.count("relative") > 0;
  rules.opening = options.count("opening") > 0;
  if (options.count("back") > 0) {
    rules.sections = {1, 1, 1, 5, 5, 5, 2, 2, 2, 8, 8, 8, 3, 3, 3};
    rules.circle = {1, 5, 2, 8, 3};
  } else {
    rules.sections = {1, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 5, 5, 8};
    rules.circle = {1, 2, 3, 5, 8};
  }
  return rules;
}

Game::Game(const Rules& rules) : rules_(rules) {
  for (int seat = 0; seat < rules.players; ++seat) pieces_.push_back(seat);
}

void Game::SetUp(const std::vector<DieObject>& dice, const std::vector<int>& pieces, int turn,
                 int placements) {
  dice_ = dice;
  pieces_ = pieces;
  turn_ = turn;
  placements_ = placements;
  phase_ = "play";
}

// Indices of dice.
std::vector<int> Game::DiceOf(int owner, int area) const {
  std::vector<int> found;
  for (std::size_t i = 0; i < dice_.size(); ++i) {
    if (dice_[i].owner == owner && dice_[i].area == area) found.push_back(static_cast<int>(i));
  }
  return found;
}

std::vector<int> Game::CountsOf(int owner, int area) const {
  std::vector<int> counts(6, 0);
  for (const auto& die : dice_) {
    if (die.owner == owner && die.area == area)
      ++counts.at(static_cast<std::size_t>(die.value - 1));
  }
  return counts;
}

std::string Game::Position() const {
  std::vector<std::string> pieces;
  std::vector<std::string> hands;
  std::vector<std::string> areas;
  for (const int piece : pieces_) pieces.push_back(std::to_string(piece));
  for (int seat = 0; seat < rules_.players; ++seat) {
    hands.push_back(CountsText(CountsOf(seat, kHand)));
  }
  for (const int area : kAreas) {
    std::vector<std::string> seats;
    for (int seat = 0; seat < rules_.players; ++seat) {
      seats.push_back(CountsText(CountsOf(seat, area)));
    }
    areas.push_back(std::to_string(area) + ":" + Join(seats, "/"));
  }
  std::string phase = phase_;
  if (phase_ == "deal" || phase_ == "opening") phase += ":" + LetterOf(turn_);
  if (phase_ == "birth" || phase_ == "eject") {
    phase += ":" + std::to_string(area_) + ":" + std::to_string(value_);
  }
  if (phase_ == "birth") {
    phase += ":";
    for (const int seat : rolling_) phase += LetterOf(seat);
  }
  return "n=" + std::to_string(placements_) + " pos=" + Join(pieces, ",") +
         " hand=" + Join(hands, ";") + " area=" + Join(areas, ",") + " turn=" + LetterOf(turn_) +
         " phase=" + phase;
}

// Whose dice are thrown.
int Game::Roller() const { return phase_ == "birth" ? *rolling_.begin() : turn_; }

int Game::DiceToThrow() const {
  if (phase_ == "deal") return 11;
  return static_cast<int>(DiceOf(Roller(), phase_ == "birth" ? kCup : kHand).size());
}

std::string Game::ChancePrefix() const { return phase_ == "birth" ? "dice:" : "hand:"; }

std::map<std::string, long> Game::CountOutcomes() const {
  std::map<std::string, long> outcomes;
  std::vector<int> faces(static_cast<std::size_t>(DiceToThrow()), 0);
  while (true) {
    std::vector<int> counts(6, 0);
    for (const int face : faces) ++counts[static_cast<std::size_t>(face)];
    ++outcomes[ChancePrefix() + CountsText(counts)];
    std::size_t i = 0;
    while (i < faces.size() && ++faces[i] == 6) faces[i++] = 0;
    if (i == faces.size()) return outcomes;
  }
}

std::vector<std::string> Game::Legal() const {
  std::set<std::string> legal;
  if (phase_ == "opening") legal = {"keep", "reroll"};
  if (phase_ == "play") {
    for (const int i : DiceOf(turn_, kHand)) {
      legal.insert("v:" + std::to_string(dice_[static_cast<std::size_t>(i)].value));
    }
  }
  if (phase_ == "eject") {
    for (int i = 0; i < 5; ++i) {
      if (rules_.circle[static_cast<std::size_t>(i)] != area_) continue;
      for (const int step : {1, 4}) {
        legal.insert("to:" +
                     std::to_string(rules_.circle[static_cast<std::size_t>((i + step) % 5)]));
      }
    }
  }
  // Three dice have 56 outcomes.
  if (IsChance() && DiceToThrow() <= 2) {
    for (const auto& outcome : CountOutcomes()) legal.insert(outcome.first);
  }
  return {legal.begin(), legal.end()};
}

void Game::Next() {
  turn_ = (turn_ + 1) % rules_.players;
  phase_ = placements_ == 11 * rules_.players ? "end" : "play";
}

void Game::EndTurn() {
  const bool at_start = pieces_[static_cast<std::size_t>(turn_)] == 0;
  if (at_start && !DiceOf(turn_, kHand).empty()) {
    phase_ = "break";
  } else {
    Next();
  }
}

void Game::Place(int value) {
  int& piece = pieces_[static_cast<std::size_t>(turn_)];
  std::set<int> others(pieces_.begin(), pieces_.end());
  others.erase(piece);
  do {
    piece = (piece + value) % 15;
  } while (others.count(piece) > 0);
  const int area = rules_.sections[static_cast<std::size_t>(piece)];
  bool own = false;
  bool foreign = false;
  for (const auto& die : dice_) {
    if (die.area != area || die.value != value) continue;
    (die.owner == turn_ ? own : foreign) = true;
  }
  for (auto& die : dice_) {
    if (die.owner == turn_ && die.area == kHand && die.value == value) {
      die.area = area;
      break;
    }
  }
  ++placements_;
  area_ = area;
  value_ = value;
  if (rules_.advanced && foreign) {
    phase_ = "eject";
  } else if (!rules_.advanced && (own || foreign)) {
    phase_ = "birth";
    for (auto& die : dice_) {
      if (die.area != area || die.value != value) continue;
      die.area = kCup;
      rolling_.insert(die.owner);
    }
  } else {
    EndTurn();
  }
}

// The opening decisions of `seat` and later, or the first turn.
void Game::AfterOpening(int seat) {
  const bool more = rules_.opening && seat < rules_.players;
  turn_ = more ? seat : 0;
  phase_ = more ? "opening" : "play";
}

void Game::Apply(const std::string& action) {
  const auto colon = action.find(':');
  const std::string word = action.substr(0, colon);
  const std::string rest = colon == std::string::npos ? "" : action.substr(colon + 1);
  if (word == "keep") {
    AfterOpening(turn_ + 1);
  } else if (word == "reroll") {
    phase_ = "deal";
  } else if (word == "v") {
    Place(std::stoi(rest));
  } else if (word == "to") {
    for (auto& die : dice_) {
      if (die.area == area_ && die.value == value_ && die.owner != turn_)
        die.area = std::stoi(rest);
    }
    EndTurn();
  } else {
    std::vector<int> faces;
    const auto counts = SplitAt(rest, '.');
    for (int face = 1; face <= 6; ++face) {
      faces.insert(faces.end(), std::stoul(counts.at(static_cast<std::size_t>(face - 1))), face);
    }
    const int from = phase_ == "birth" ? kCup : kHand;
    const int seat = Roller();
    auto thrown = DiceOf(seat, from);
    const bool first = phase_ == "deal" && thrown.empty();
    for (int i = 0; first && i < 11; ++i) {
      thrown.push_back(static_cast<int>(dice_.size()));
      dice_.push_back({seat, 0, kHand});
    }
    if (faces.size() != thrown.size()) throw std::runtime_error("wrong number of dice: " + action);
    for (std::size_t i = 0; i < faces.size(); ++i) {
      auto& die = dice_[static_cast<std::size_t>(thrown[i])];
      die.value = faces[i];
      if (from == kCup) die.area = area_;
    }
    if (phase_ == "break") {
      Next();
    } else if (phase_ == "birth") {
      rolling_.erase(seat);
      if (rolling_.empty()) EndTurn();
    } else if (!first) {
      AfterOpening(seat + 1);
    } else if (seat + 1 < rules_.players) {
      ++turn_;
    } else {
      AfterOpening(0);
    }
  }
}

long Game::RelativeScore(int seat, int area) const {
  // The contest key: higher is better; only colours with dice take part.
  std::map<int, std::pair<long, long>> keys;
  std::map<int, long> sums;
  for (int s = 0; s < rules_.players; ++s) {
    const auto dice = DiceOf(s, area);
    if (dice.empty()) continue;
    for (const int i : dice) sums[s] += dice_[static_cast<std::size_t>(i)].value;
    keys[s] = rules_.advanced ? std::pair<long, long>(static_cast<long>(dice.size()), -sums[s])
                              : std::pair<long, long>(sums[s], 0);
  }
  if (keys.count(seat) == 0) return 0;
  for (const auto& [other, key] : keys) {
    if (key > keys[seat]) return 0;
  }
  return sums[seat];
}

std::vector<long> Game::Scores() const {
  std::vector<long> scores;
  for (int seat = 0; seat < rules_.players; ++seat) {
    long score = 0;
    for (const int area : kAreas) {
      score += RelativeScore(seat, area);
      if (!rules_.relative) score += area * static_cast<long>(DiceOf(seat, area).size());
    }
    scores.push_back(score);
  }
  return scores;
}

std::vector<std::string> Game::WinShares() const {
  const auto scores = Scores();
  const long best = *std::max_element(scores.begin(), scores.end());
  const auto winners = std::count(scores.begin(), scores.end(), best);
  std::vector<std::string> shares;
  for (const long score : scores) {
    shares.push_back(score < best ? "0" : winners == 1 ? "1" : "1/" + std::to_string(winners));
  }
  return shares;
}

}  // namespace berd::plain_birth
