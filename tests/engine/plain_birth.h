#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

// A second implementation of Birth, written from the rules page for clarity: every die is an object
// with an owner, a value and a place. Slow; shares no code with the engine.
namespace berd::plain_birth {

struct Rules {
  int players = 2;
  bool advanced = false;
  bool relative = false;
  bool opening = false;
  std::vector<int> sections;  // area number of each
  std::vector<int> circle;
};

// Of a valid rules string.
Rules RulesOf(const std::string& text);

struct DieObject {
  int owner = 0;
  int value = 0;
  int area = 0;  // area number, or kHand, or kCup
};
inline constexpr int kHand = 0;
inline constexpr int kCup = -1;  // out of the area, to be rerolled

class Game {
 public:
  explicit Game(const Rules& rules);

  // Puts dice and pieces on the board and lets `turn` play.
  void SetUp(const std::vector<DieObject>& dice, const std::vector<int>& pieces, int turn,
             int placements);

  bool IsChance() const { return phase_ == "deal" || phase_ == "birth" || phase_ == "break"; }
  bool IsEnd() const { return phase_ == "end"; }
  const std::string& phase() const { return phase_; }
  int turn() const { return turn_; }
  int placements() const { return placements_; }

  std::string Position() const;
  // Sorted; at chance events all outcomes, or none if there are more than 36.
  std::vector<std::string> Legal() const;
  // Outcomes of a chance event with the number of face sequences that give them, by trying all.
  std::map<std::string, long> CountOutcomes() const;
  int DiceToThrow() const;
  void Apply(const std::string& action);

  std::vector<long> Scores() const;
  std::vector<std::string> WinShares() const;

 private:
  std::vector<int> CountsOf(int owner, int area) const;
  std::vector<int> DiceOf(int owner, int area) const;
  std::string ChancePrefix() const;
  int Roller() const;
  void Place(int value);
  void EndTurn();
  void Next();
  void AfterOpening(int seat);
  long RelativeScore(int seat, int area) const;

  Rules rules_;
  std::vector<DieObject> dice_;
  std::vector<int> pieces_;
  std::set<int> rolling_;  // colours still to roll
  std::string phase_ = "deal";
  int turn_ = 0;
  int placements_ = 0;
  int area_ = 0;
  int value_ = 0;
};

}  // namespace berd::plain_birth
