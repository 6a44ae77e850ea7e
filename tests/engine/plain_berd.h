#pragma once

#include <map>
#include <string>
#include <vector>

// A second implementation of the rules of Berd for tests, written from the rules page alone and
// sharing nothing with engine/. It is slow and as plain as possible: a game is a list of tokens
// that know where they are, an action is its string. Where it and the engine differ, the rules page
// says which is wrong.
//
// Every function here trusts its input: rules strings are valid, positions possible, actions legal.
namespace berd::plain {

struct Rules {
  bool duel = false;
  int n = 7;       // race: squares between corners
  int length = 0;  // race: squares of the path
  int width = 0;   // duel: columns and rows
  int players = 2;
  int tokens = 0;  // of each player
  bool color = false;
  bool points = false;
  bool hidden = false;
  int teams = 0;  // 0: everybody plays alone
  bool trade = false;
  int price = 0;
  int cash = 0;
  int step = 0;
  int goal = 0;  // 0: no goal
  bool rolled = false;
  long cap = 0;

  bool valued() const { return points || hidden || goal > 0; }
  int Side(int seat) const { return teams > 0 ? seat % teams : seat; }
  int SideCount() const { return teams > 0 ? teams : players; }
};

Rules ParseRules(const std::string& text);

enum class Place { kNowhere, kBoard, kCollected };

struct Token {
  int colour = 0;
  int value = 0;  // 0 in unvalued games
  Place place = Place::kNowhere;
  int square = -1;  // on the board: race 0 .. L-1; duel row * width + column
  int owner = -1;   // on a corner: whose stack it stands in; collected: by whom; elsewhere -1
  bool captive = false;
};

enum class Phase {
  kOrder,
  kCorner,
  kPlace,
  kTrade,
  kPrice,
  kAnswer,
  kRoll,
  kMove,
  kCarry,
  kPay,
  kEnd
};

// A move action taken apart.
struct Move {
  int from = -1;
  int die = 0;    // race
  int to = -1;    // duel; -1: off the board
  int value = 0;  // 0 in unvalued games
  bool finish = false;
  std::string text;  // without "m:"
};

class Game {
 public:
  // The initial position.
  explicit Game(const std::string& rules);
  // The game that stands at a position string.
  static Game FromPosition(const std::string& rules, const std::string& position);

  const Rules& rules() const { return rules_; }
  const std::vector<Token>& tokens() const { return tokens_; }
  Phase phase() const { return phase_; }
  bool IsChance() const { return phase_ == Phase::kOrder || phase_ == Phase::kRoll; }
  bool IsEnd() const { return phase_ == Phase::kEnd; }
  // At most one side is active, or all goal tokens are collected.
  bool IsOver() const;
  long turns() const { return turns_; }
  int Turn() const { return turn_; }
  int Actor() const;  // requires a decision

  std::string Position() const { return Print(-1); }
  std::string View(int seat) const { return Print(rules_.hidden ? seat : -1); }
  // All legal actions or all outcomes, sorted by bytes.
  std::vector<std::string> Legal() const;
  void Apply(const std::string& action);

  std::vector<long> Scores() const;
  std::vector<std::string> WinShares() const;
  // What the reference novice thinks of a legal action.
  double NoviceScore(const std::string& action) const;

  bool IsCorner(int square) const;
  int DistanceToGo(int seat, int square) const;

 private:
  // --- The board.
  // The stack of a square; on a corner the one of `owner`.
  std::vector<int> Stack(int square, int owner) const;
  std::vector<int> ActiveOf(const std::vector<int>& stack) const;
  std::vector<int> CaptivesOf(const std::vector<int>& stack) const;
  std::vector<int> StackOfMover(int square) const;
  std::vector<int> Collection(int seat) const;
  bool HasActive(const std::vector<int>& stack, int seat) const;
  bool IsActivePlayer(int seat) const;
  int ColourOfSquare(int square) const;  // -1: none
  int Home(int seat) const { return homes_[static_cast<std::size_t>(seat)] * (rules_.n + 1); }
  bool MayLand(int square) const;
  int FindOwn(const Move& move) const;
  void PutActive(int token, int square);

  // --- Moving.
  Move ParseMove(const std::string& text) const;
  std::vector<std::string> Moves() const;
  std::vector<std::string> DuelMoves() const;
  std::vector<std::vector<int>> CarryClasses(const Move& move) const;
  void BeginMove(const Move& move);
  void FinishMove(const Move& move, const std::vector<int>& unit);
  void AfterSubMove();
  void StartTurn(int seat);
  void AfterDuelMove();
  bool OneSideLeft() const;

  // --- Payments and trade.
  std::vector<std::string> Payments() const;
  void Pay(const std::string& what);
  std::vector<std::string> Offers() const;
  std::vector<std::string> Prices() const;
  void OpenTradeWindow();
  void Redeem();
  struct Offer {
    int square, colour, value, counterpart, redeemer, holder;
  };
  Offer ParseOffer(const std::string& text) const;

  // --- Strings.
  std::string SquareName(int square) const;
  int SquareNumber(const std::string& name) const;
  std::string ClassName(int token) const;
  void ParseClass(const std::string& text, int& colour, int& value) const;
  std::string Group(const std::vector<int>& tokens, int viewer, bool all_seen) const;
  void AddGroup(const std::string& text, const Token& where);
  std::string Print(int viewer) const;
  std::string PrintBoard(int viewer) const;
  std::string PrintPhase(int viewer) const;
  void ParsePhase(const std::string& text);

  // --- The duel.
  void PlaceTokens(const std::string& what);
  void CountPosition();
  std::string RepetitionKey() const;

  Rules rules_;
  std::vector<Token> tokens_;
  std::vector<int> homes_;  // corner of each seat, -1: not chosen
  std::vector<long> cash_;
  long turns_ = 0;
  int turn_ = -1;
  Phase phase_ = Phase::kEnd;
  std::vector<int> order_;  // seats, best rank first
  int offers_ = 0;
  std::string offer_;  // `square/class>counterpart`
  std::string price_;  // price action without "price:"
  std::vector<int> dice_;
  Move move_;
  std::vector<int> counts_;
  int finished_value_ = 0;
  std::vector<int> payers_;
  int placings_ = 0;
  std::vector<int> sideways_ = {0, 0};
  std::map<std::string, int> occurrences_;
};

}  // namespace berd::plain
