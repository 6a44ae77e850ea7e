// The engine against the plain implementation, in lockstep: positions, views, legal actions,
// actors, scores, win shares and the novice's opinions after every small step.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "engine/core/find_action.h"
#include "engine/games.h"
#include "tests/engine/plain_berd.h"
#include "tests/engine/rules_list.h"

namespace berd {
namespace {

using plain::Phase;

// How a game is played, so that rare steps occur often enough.
enum class Style {
  kUniform,
  kGreedy,   // mostly the reference novice: captures, merges, payments
  kHunter,   // captures and corners whenever possible, carries everything, trades eagerly
  kShuffle,  // moves that keep tokens on the board: many turns, inactive players, repetitions
};
constexpr Style kStyles[] = {Style::kUniform, Style::kGreedy, Style::kHunter, Style::kShuffle};

// Counts of what happened, to prove that the test has seen it.
using Events = std::map<std::string, long>;

template <class Score>
std::string BestOf(const std::vector<std::string>& legal, RandomStream& random, Score&& score) {
  std::vector<std::string> best;
  double best_score = 0;
  for (const auto& action : legal) {
    const double value = score(action);
    if (best.empty() || value > best_score + 1e-9) {
      best.clear();
      best_score = value;
    }
    if (value > best_score - 1e-9) best.push_back(action);
  }
  return best[random.Below(static_cast<std::uint32_t>(best.size()))];
}

std::string Choose(const plain::Game& game, const std::vector<std::string>& legal, Style style,
                   RandomStream& random) {
  const auto any = [&] { return legal[random.Below(static_cast<std::uint32_t>(legal.size()))]; };
  if (game.IsChance() || style == Style::kUniform || random.Below(8) == 0) return any();
  if (style == Style::kGreedy) {
    return BestOf(legal, random, [&](const std::string& a) { return game.NoviceScore(a); });
  }
  switch (game.phase()) {
    case Phase::kTrade:
    case Phase::kAnswer:
      // Rarely "none" or "decline".
      return random.Below(4) == 0 ? legal.back() : legal.front();
    case Phase::kMove:
      return BestOf(legal, random, [&](const std::string& a) {
        const double score = game.NoviceScore(a);
        const bool off = a.back() == '!' || a.find("off") != std::string::npos;
        if (style == Style::kShuffle) return off ? -100.0 : score > 30 ? 50.0 : 0.0;
        // A hunter takes, or brings captives to corners.
        if (score > 30) return 100.0;
        if (game.rules().duel || off) return 1.0;
        const int from = std::stoi(a.substr(2));
        const int die = a[a.find('/') + 1] - '0';
        return game.IsCorner((from + die) % game.rules().length) ? 2.0 : 1.0;
      });
    case Phase::kCarry:
      return random.Below(3) == 0 ? any() : legal.back();
    default:
      return any();
  }
}

// --- What happened in a step ---------------------------------------------------------------------

struct Census {
  std::map<int, int> active;                                  // by seat
  std::map<std::pair<int, int>, std::map<int, int>> holders;  // (square, owner) → seat → tokens
  std::map<std::pair<int, int>, int> captives;
  std::vector<int> captives_of_color = std::vector<int>(16, 0);
};

Census Count(const plain::Game& game) {
  Census census;
  for (const auto& token : game.tokens()) {
    if (token.place != plain::Place::kBoard) continue;
    const std::pair<int, int> stack(token.square, token.owner);
    if (token.captive) {
      ++census.captives[stack];
      ++census.captives_of_color[static_cast<std::size_t>(token.colour)];
    } else {
      ++census.active[token.colour];
      ++census.holders[stack][token.colour];
    }
  }
  return census;
}

void NoteState(const plain::Game& game, const Census& census, Events& events) {
  static const char* const kNames[] = {"order", "corner", "place", "trade", "price", "answer",
                                       "roll",  "move",   "carry", "pay",   "end"};
  ++events[std::string("phase ") + kNames[static_cast<int>(game.phase())]];
  for (const auto& [stack, number] : census.captives) {
    if (game.IsCorner(stack.first)) ++events["captives on a corner"];
    if (census.holders.at(stack).size() > 1) ++events["captives in a joint stack"];
  }
}

void NoteStep(const plain::Game& before, const std::string& action, const plain::Game& after,
              Events& events) {
  const Census was = Count(before);
  const Census is = Count(after);
  NoteState(after, is, events);
  for (int seat = 0; seat < before.rules().players; ++seat) {
    const bool was_active = was.active.count(seat) > 0;
    const bool is_active = is.active.count(seat) > 0;
    const bool setup = before.phase() == Phase::kCorner || before.phase() == Phase::kPlace;
    if (was_active && !is_active && before.phase() == Phase::kPay) {
      ++events["payer becomes inactive"];
    }
    if (!was_active && is_active && before.phase() == Phase::kAnswer) {
      ++events["inactive player redeemed"];
    }
    if (!setup && !was_active && is_active && before.phase() != Phase::kAnswer) {
      ++events["team-mate freed by capture"];
    }
  }
  const int mover = before.Turn();
  const bool moving = before.phase() == Phase::kMove || before.phase() == Phase::kCarry;
  if (moving && mover >= 0) {
    const auto m = static_cast<std::size_t>(mover);
    if (is.captives_of_color[m] < was.captives_of_color[m]) ++events["own captive recovered"];
  }
  if (before.phase() == Phase::kMove && action.back() != '!' && !before.rules().duel) {
    const int from = std::stoi(action.substr(2));
    const int die = action[action.find('/') + 1] - '0';
    const int distance = before.DistanceToGo(mover, from);
    if (die > distance) ++events["plays on past home"];
    if (die == distance) ++events["plays on to home"];
  }
  if (before.phase() == Phase::kOrder) return;
  if (before.phase() == Phase::kCarry && after.phase() != Phase::kCarry) ++events["carry complete"];
  if (before.phase() == Phase::kRoll && after.phase() != Phase::kMove) ++events["no sub-move"];
  if (action == "pay:cash") ++events["pay cash"];
  if (before.phase() == Phase::kPay && action.rfind("pay:col/", 0) == 0) ++events["pay collection"];
  if (before.phase() == Phase::kPrice) {
    const bool col = action.rfind("price:col/", 0) == 0;
    const bool token = action.find('/') != std::string::npos;
    ++events[col ? "price collection" : token ? "price captive" : "price cash"];
  }
  if (before.phase() == Phase::kAnswer) ++events[action];
  if (before.phase() == Phase::kTrade && action != "offer:none") {
    const int square = std::stoi(action.substr(6));
    if (before.IsCorner(square)) ++events["offer on a corner"];
    const auto stack = was.holders.find({square, -1});
    if (stack != was.holders.end() && stack->second.size() > 1) ++events["offer in a joint stack"];
  }
  if (before.rules().duel && moving && after.phase() == Phase::kMove && after.Turn() == mover) {
    ++events["turn passes back"];
  }
  if (after.IsEnd()) {
    const bool one_side = [&] {
      std::set<int> sides;
      for (const auto& [seat, number] : is.active) sides.insert(before.rules().Side(seat));
      return sides.size() <= 1;
    }();
    const bool cap = after.turns() == before.rules().cap;
    if (one_side) ++events["end: one side left"];
    if (!one_side && cap) ++events["end: cap"];
    if (!one_side && !cap && before.rules().goal > 0) ++events["end: goal"];
    if (!one_side && !cap && before.rules().duel) ++events["end: repetition or no move"];
  }
}

// --- Positions out of nowhere --------------------------------------------------------------------

struct MadeStack {
  int square;
  int holder;
  std::vector<std::pair<int, int>> active;  // (colour, value)
  std::vector<std::pair<int, int>> captives;
};

std::string GroupText(std::vector<std::pair<int, int>> tokens, bool valued) {
  if (tokens.empty()) return "-";
  std::sort(tokens.begin(), tokens.end());
  std::string text;
  for (std::size_t i = 0; i < tokens.size();) {
    const int color = tokens[i].first;
    text += static_cast<char>('A' + color);
    int count = 0;
    std::string values;
    for (; i < tokens.size() && tokens[i].first == color; ++i, ++count) {
      values += (values.empty() ? "" : ".") + std::to_string(tokens[i].second);
    }
    text += valued ? "{" + values + "}" : std::to_string(count);
  }
  return text;
}

// Tokens scattered over collections and stacks, most of them many high and with captives, joint
// stacks and corners included; it is somebody's turn to throw (duel: to move).
std::string AnyPosition(const std::string& rules_text, RandomStream& random) {
  const plain::Game initial(rules_text);
  const plain::Rules& rules = initial.rules();
  const auto below = [&](int bound) {
    return static_cast<int>(random.Below(static_cast<std::uint32_t>(bound)));
  };
  const int squares = rules.duel ? rules.width * rules.width : rules.length;
  std::vector<MadeStack> stacks;
  std::vector<std::vector<std::pair<int, int>>> collected(static_cast<std::size_t>(rules.players));
  const int crowding = 1 + below(6);    // how readily tokens join a stack
  const int collecting = 2 + below(8);  // one in so many is collected
  for (const auto& token : initial.tokens()) {
    const std::pair<int, int> t(token.colour, token.value);
    if (below(collecting) == 0) {
      collected[static_cast<std::size_t>(below(rules.players))].push_back(t);
      continue;
    }
    if (!stacks.empty() && below(crowding) != 0) {
      MadeStack& stack = stacks[static_cast<std::size_t>(below(static_cast<int>(stacks.size())))];
      const bool own_side = rules.Side(stack.holder) == rules.Side(token.colour);
      const bool fits = stack.holder == token.colour || !initial.IsCorner(stack.square);
      if (!own_side || fits) {
        (own_side ? stack.active : stack.captives).push_back(t);
        continue;
      }
    }
    const int square = below(3) == 0 && !rules.duel ? below(4) * (rules.n + 1) : below(squares);
    MadeStack* there = nullptr;
    for (auto& stack : stacks) {
      if (stack.square != square) continue;
      if (!initial.IsCorner(square) || stack.holder == token.colour) there = &stack;
    }
    if (there == nullptr) {
      stacks.push_back({square, token.colour, {t}, {}});
    } else {
      const bool own_side = rules.Side(there->holder) == rules.Side(token.colour);
      (own_side ? there->active : there->captives).push_back(t);
    }
  }
  std::sort(stacks.begin(), stacks.end(), [](const MadeStack& a, const MadeStack& b) {
    return std::pair(a.square, a.holder) < std::pair(b.square, b.holder);
  });
  std::string board;
  int last = -1;
  std::vector<int> turns;  // seats with an active token
  for (const auto& stack : stacks) {
    std::string name = std::to_string(stack.square);
    if (rules.duel) {
      name = std::string(1, static_cast<char>('a' + stack.square % rules.width)) +
             std::to_string(stack.square / rules.width + 1);
    }
    board += stack.square == last ? "|" : (board.empty() ? "" : ",") + name + ":";
    last = stack.square;
    board += GroupText(stack.active, rules.valued());
    if (!stack.captives.empty()) board += "/" + GroupText(stack.captives, rules.valued());
    for (const auto& [color, value] : stack.active) turns.push_back(color);
  }
  std::string col;
  for (const auto& group : collected) {
    col += (&group == &collected[0] ? "" : ";") + GroupText(group, rules.valued());
  }
  // As in the initial position: n, homes and cash. With setup=rolled: homes at random.
  std::string start = initial.Position();
  if (rules.rolled) {
    std::string homes;
    for (int seat = 0; seat < rules.players; ++seat) {
      homes += (seat > 0 ? "," : "") + std::to_string((seat + seat / 4) % 4);
    }
    start = "n=0 home=" + homes + " board=" + start.substr(start.find(" board=") + 7);
  }
  std::string text = start.substr(0, start.find(" board=")) +
                     " board=" + (board.empty() ? "-" : board) + " col=" + col;
  const auto cash = start.find(" cash=");
  if (cash != std::string::npos) text += start.substr(cash, start.find(" turn=") - cash);
  if (rules.duel) text += " lat=" + std::to_string(below(4)) + "," + std::to_string(below(4));
  const int turn =
      turns.empty() ? 0 : turns[static_cast<std::size_t>(below(static_cast<int>(turns.size())))];
  return text + " turn=" + static_cast<char>('A' + turn) +
         (rules.duel ? " phase=move" : " phase=roll");
}

// --- Lockstep ------------------------------------------------------------------------------------

std::vector<std::string> Best(const std::vector<std::pair<std::string, double>>& scored) {
  double best = -1e9;
  for (const auto& entry : scored) best = std::max(best, entry.second);
  std::vector<std::string> names;
  for (const auto& [name, score] : scored) {
    if (score > best - 1e-9) names.push_back(name);
  }
  return names;
}

template <Game G>
class Lockstep {
 public:
  Lockstep(const typename G::Rules& rules, const std::string& text, Events& events)
      : rules_(rules), text_(text), events_(events) {}

  // One game, or the first `most` steps of it. False after the first difference.
  bool Play(Style style, std::uint64_t number, long most) {
    RandomStream random(20240607, number, Purpose::kTest, static_cast<std::uint32_t>(style));
    return PlayOn(plain::Game(text_), G::initial(rules_), style, random, most);
  }

  // The same from a position made up at random. One in which the game is over, or in which the
  // player on turn of a duel cannot move, must be refused.
  bool PlayFromAnywhere(Style style, std::uint64_t number, long most) {
    RandomStream random(20240608, number, Purpose::kTest, static_cast<std::uint32_t>(style));
    const std::string position = AnyPosition(text_, random);
    const auto game = plain::Game::FromPosition(text_, position);
    const auto state = G::parse(rules_, position);
    const bool possible = !game.IsOver() && !game.Legal().empty();
    EXPECT_EQ(state.has_value(), possible) << text_ << "\n"
                                           << position << "\n"
                                           << (state ? "" : state.error().message);
    if (!state || !possible) return !::testing::Test::HasFailure();
    return PlayOn(game, *state, style, random, most);
  }

 private:
  bool PlayOn(plain::Game game, typename G::State state, Style style, RandomStream& random,
              long most) {
    NoteState(game, Count(game), events_);
    for (long step = 0; step < most; ++step) {
      Compare(game, state, random.Below(8) == 0);
      if (::testing::Test::HasFailure()) return false;
      if (game.IsEnd()) return true;
      const auto legal = game.Legal();
      const std::string action = Choose(game, legal, style, random);
      const auto found = G::parse_action(rules_, state, action);
      EXPECT_TRUE(found) << (found ? "" : found.error().message);
      if (!found) return false;
      const plain::Game before = game;
      game.Apply(action);
      G::apply(rules_, state, *found);
      NoteStep(before, action, game, events_);
    }
    return true;
  }

  void Compare(const plain::Game& game, const typename G::State& state, bool thorough) {
    const std::string position = game.Position();
    ASSERT_EQ(G::position(rules_, state), position) << text_;
    const Waits waits = game.IsEnd()      ? Waits::kEnd
                        : game.IsChance() ? Waits::kChance
                                          : Waits::kDecision;
    ASSERT_EQ(G::waits(state), waits) << text_ << "\n" << position;
    ASSERT_EQ(G::turns(state), static_cast<std::uint32_t>(game.turns()));
    std::vector<std::int64_t> scores(static_cast<std::size_t>(rules_.seats()));
    G::scores(rules_, state, scores);
    ASSERT_EQ(std::vector<long>(scores.begin(), scores.end()), game.Scores()) << position;
    if (waits == Waits::kEnd) {
      CompareWinShares(game, state);
    } else {
      CompareActions(game, state, position);
    }
    const bool hidden = game.rules().hidden;
    if (hidden || thorough) {
      for (int seat = 0; seat < rules_.seats(); ++seat) {
        ASSERT_EQ(G::view(rules_, state, Seat(seat)), game.View(seat)) << text_ << "\n" << position;
      }
    }
    if (thorough) CompareParsed(game, state, position);
  }

  void CompareWinShares(const plain::Game& game, const typename G::State& state) {
    std::vector<WinShare> shares(static_cast<std::size_t>(rules_.seats()));
    G::win_shares(rules_, state, shares);
    std::vector<std::string> texts;
    for (const auto share : shares) {
      texts.push_back(share.denominator == 1 ? std::to_string(share.numerator)
                                             : std::to_string(share.numerator) + "/" +
                                                   std::to_string(share.denominator));
    }
    ASSERT_EQ(texts, game.WinShares()) << text_ << "\n" << game.Position();
  }

  void CompareActions(const plain::Game& game, const typename G::State& state,
                      const std::string& position) {
    const auto named = NamedActions<G>(rules_, state);
    std::vector<std::string> names;
    for (const auto& entry : named) names.push_back(entry.first);
    ASSERT_EQ(names, game.Legal()) << text_ << "\n" << position;
    if (G::waits(state) != Waits::kDecision) return;
    ASSERT_EQ(G::actor(state).index(), game.Actor()) << text_ << "\n" << position;
    if (game.phase() != Phase::kCorner) {
      ASSERT_EQ(G::turn(state).index(), game.Turn()) << text_ << "\n" << position;
    }
    if (names.size() > 100) return;
    std::vector<std::pair<std::string, double>> ours;
    std::vector<std::pair<std::string, double>> plains;
    for (const auto& [name, action] : named) {
      ours.emplace_back(name, G::novice_score(rules_, state, action));
      plains.emplace_back(name, game.NoviceScore(name));
      if (game.phase() == Phase::kMove || game.phase() == Phase::kPay) {
        ASSERT_NEAR(ours.back().second, plains.back().second, 1e-9) << text_ << "\n"
                                                                    << position << "\n"
                                                                    << name;
      }
    }
    ASSERT_EQ(Best(ours), Best(plains)) << text_ << "\n" << position;
  }

  void CompareParsed(const plain::Game& game, const typename G::State& state,
                     const std::string& position) {
    const auto parsed = G::parse(rules_, position);
    ASSERT_TRUE(parsed) << text_ << "\n" << parsed.error().message;
    ASSERT_EQ(G::key(*parsed), G::key(state)) << text_ << "\n" << position;
    ASSERT_EQ(G::position(rules_, *parsed), position);
    ASSERT_EQ(plain::Game::FromPosition(text_, position).Legal(), game.Legal()) << position;
  }

  const typename G::Rules& rules_;
  const std::string& text_;
  Events& events_;
};

// `anywhere`: from positions made up at random.
void PlayAll(bool anywhere, int games_a_style, long most_steps, Events& events) {
  for (const auto rules : TestedRules()) {
    const std::string text(rules);
    const auto game = ParseGame(text);
    ASSERT_TRUE(game) << game.error().message;
    ASSERT_EQ(CanonicalRules(*game), text);
    VisitGame(*game, [&]<class G>(const typename G::Rules& parsed) {
      Lockstep<G> lockstep(parsed, text, events);
      for (const Style style : kStyles) {
        for (int number = 0; number < games_a_style; ++number) {
          const auto seed = static_cast<std::uint64_t>(number);
          const bool same = anywhere ? lockstep.PlayFromAnywhere(style, seed, most_steps)
                                     : lockstep.Play(style, seed, most_steps);
          if (!same) return;
        }
      }
    });
    if (::testing::Test::HasFailure()) return;
  }
}

void ExpectAllEvents(Events& events, bool anywhere) {
  for (const std::string event : {"phase order",
                                  "phase corner",
                                  "phase place",
                                  "phase trade",
                                  "phase price",
                                  "phase answer",
                                  "phase roll",
                                  "phase move",
                                  "phase carry",
                                  "phase pay",
                                  "phase end",
                                  "captives on a corner",
                                  "captives in a joint stack",
                                  "payer becomes inactive",
                                  "inactive player redeemed",
                                  "team-mate freed by capture",
                                  "own captive recovered",
                                  "plays on past home",
                                  "plays on to home",
                                  "carry complete",
                                  "no sub-move",
                                  "pay cash",
                                  "pay collection",
                                  "price collection",
                                  "price captive",
                                  "price cash",
                                  "accept",
                                  "decline",
                                  "offer on a corner",
                                  "offer in a joint stack",
                                  "turn passes back",
                                  "end: one side left",
                                  "end: cap",
                                  "end: goal",
                                  "end: repetition or no move"}) {
    // Made-up positions are past the setup, and their games too short to repeat a position.
    if (anywhere && (event == "phase order" || event == "phase corner" || event == "phase place" ||
                     event == "end: repetition or no move")) {
      continue;
    }
    EXPECT_GT(events[event], 0) << "never happened: " << event;
    ::testing::Test::RecordProperty(event, std::to_string(events[event]));
  }
}

TEST(Differential, EngineAgreesWithThePlainRules) {
  Events events;
  PlayAll(false, 1, 40, events);
  EXPECT_GE(TestedRules().size(), 60u);
}

TEST(Differential, EngineAgreesFromPositionsOutOfNowhere) {
  Events events;
  PlayAll(true, 1, 20, events);
}

TEST(Differential, SlowEngineAgreesFromPositionsOutOfNowhere) {
  Events events;
  PlayAll(true, 30, 60, events);
  if (!HasFailure()) ExpectAllEvents(events, true);
}

TEST(Differential, SlowEngineAgreesWithThePlainRulesInWholeGames) {
  Events events;
  PlayAll(false, 3, 4000, events);
  if (!HasFailure()) ExpectAllEvents(events, false);
}

}  // namespace
}  // namespace berd
