#include "selfplay/gnubg_protocol.h"

#include <array>
#include <charconv>
#include <optional>
#include <vector>

#include "engine/core/text.h"

namespace berd::gnubg {
namespace {

using tables::kBar;
using tables::kOff;
using tables::kPoints;
using tables::Men;

std::string BoardLine(const BackgammonState& state, int first_die, int second_die) {
  const Men& own = state.men[state.turn];
  const Men& other = state.men[1 - state.turn];
  // No match, score 0-0.
  std::string line = "board:me:opp:0:0:0";
  const auto add = [&](int number) { line += ":" + std::to_string(number); };
  add(-other[kBar]);
  for (int point = 1; point <= kPoints; ++point) add(own[point] - other[kBar - point]);
  add(own[kBar]);
  add(1);  // my turn; then the dice of both sides
  for (const int die : {first_die, second_die, first_die, second_die}) add(die);
  // The cube at 1, open to both; not doubled. I move from 24 to 1 with positive men, home at 0.
  line += ":1:1:1:0:1:-1:0:25";
  add(own[kOff]);
  add(other[kOff]);
  return line + ":0:0:0:0:0:1";
}

// A part of a move: one or more men along a row of points.
struct Track {
  std::vector<int> points;
  std::vector<bool> hits;  // by points
  int men = 1;
};

bool EqualsWord(std::string_view text, std::string_view word) {
  if (text.size() != word.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if ((text[i] | 0x20) != word[i]) return false;
  }
  return true;
}

std::optional<int> ParsePoint(std::string_view text) {
  if (EqualsWord(text, "bar")) return kBar;
  if (EqualsWord(text, "off")) return kOff;
  const auto point = ParseNumber(text, kOff, kBar);
  return point ? std::optional(static_cast<int>(*point)) : std::nullopt;
}

// `13/7*/2(2)`.
std::optional<Track> ParseTrack(std::string_view text) {
  Track track;
  if (text.ends_with(')')) {
    const auto open = text.find('(');
    if (open == std::string_view::npos) return std::nullopt;
    const auto men = ParseNumber(text.substr(open + 1, text.size() - open - 2), 1, 4);
    if (!men) return std::nullopt;
    track.men = static_cast<int>(*men);
    text = text.substr(0, open);
  }
  for (std::string_view part : Split(text, '/')) {
    const bool hit = part.ends_with('*');
    if (hit) part.remove_suffix(1);
    const auto point = ParsePoint(part);
    if (!point || (!track.points.empty() && *point >= track.points.back())) return std::nullopt;
    track.points.push_back(*point);
    track.hits.push_back(hit);
  }
  if (track.points.size() < 2 || track.hits[0]) return std::nullopt;
  return track;
}

// Two sides while a move is carried out; counts may go below 0 until all of its steps are made.
class Board {
 public:
  explicit Board(const BackgammonState& state) {
    for (int point = kOff; point <= kBar; ++point) {
      Own(point) = state.men[state.turn][point];
      Other(point) = state.men[1 - state.turn][point];
    }
  }

  // False if a hit is marked where there is nothing to hit.
  bool Move(const Track& track) {
    for (std::size_t i = 1; i < track.points.size(); ++i) {
      const int to = track.points[i];
      Own(track.points[i - 1]) -= track.men;
      Own(to) += track.men;
      if (to != kOff && Other(kBar - to) == 1) {
        Other(kBar - to) = 0;
        ++Other(kBar);
        hit_[static_cast<std::size_t>(to)] = true;
      }
      if (track.hits[i] && !hit_[static_cast<std::size_t>(to)]) return false;
    }
    return true;
  }

  bool Equals(const Men& own, const Men& other) const {
    for (int point = kOff; point <= kBar; ++point) {
      const auto at = static_cast<std::size_t>(point);
      if (own_[at] != own[point] || other_[at] != other[point]) return false;
    }
    return true;
  }

 private:
  int& Own(int point) { return own_[static_cast<std::size_t>(point)]; }
  int& Other(int point) { return other_[static_cast<std::size_t>(point)]; }

  std::array<int, kBar + 1> own_{};
  std::array<int, kBar + 1> other_{};
  std::array<bool, kBar + 1> hit_{};
};

std::string Place(const BackgammonRules& rules, const BackgammonState& state,
                  std::string_view move) {
  return "gnubg's move " + Quoted(move) + " in position '" + Backgammon::position(rules, state) +
         "'";
}

}  // namespace

std::string BoardLine(const BackgammonState& state) {
  if (state.phase != tables::Phase::kPlay) return BoardLine(state, 0, 0);
  const Roll& roll = kAllRolls[state.roll];
  return BoardLine(state, roll.high, roll.low);
}

std::string EvaluationRequest(const BackgammonState& state, int plies) {
  return "evaluation fibsboard " + BoardLine(state, 0, 0) + " PLIES " + std::to_string(plies);
}

Result<tables::Play> ParseMove(const BackgammonRules& rules, const BackgammonState& state,
                               std::string_view move) {
  Board board(state);
  for (const auto part : Split(move, ' ')) {
    if (part.empty()) continue;
    const auto track = ParseTrack(part);
    if (!track) {
      return Fail(Place(rules, state, move) + ": cannot read " + Quoted(part) +
                  "; a step is written 8/5, bar/22, 6/off, 13/7*, 6/4(2) or 24/18/13");
    }
    if (!board.Move(*track)) {
      return Fail(Place(rules, state, move) + ": there is nothing to hit for " + Quoted(part));
    }
  }
  ActionList<tables::Play> plays;
  Backgammon::legal(rules, state, plays);
  for (const tables::Play play : plays) {
    BackgammonState after = state;
    Backgammon::apply(rules, after, play);
    if (board.Equals(after.men[state.turn], after.men[1 - state.turn])) return play;
  }
  return Fail(Place(rules, state, move) + " is not legal by our rules");
}

Result<Evaluation> ParseEvaluation(std::string_view answer) {
  std::array<double, 6> numbers{};
  std::size_t read = 0;
  for (const auto part : Split(answer, ' ')) {
    if (part.empty()) continue;
    double number = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), number);
    const bool whole = error == std::errc{} && end == part.data() + part.size();
    const double low = read == 5 ? -3 : 0;
    const double high = read == 5 ? 3 : 1;
    if (read == numbers.size() || !whole || !(number >= low && number <= high)) {
      return Fail("gnubg's evaluation " + Quoted(answer) +
                  ": must be five probabilities and an equity");
    }
    numbers[read++] = number;
  }
  if (read != numbers.size()) {
    return Fail("gnubg's evaluation " + Quoted(answer) + ": has " + std::to_string(read) +
                " numbers, not 6");
  }
  return Evaluation{numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5]};
}

}  // namespace berd::gnubg
