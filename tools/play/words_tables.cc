#include "tools/play/words_tables.h"

#include <algorithm>

#include "engine/core/text.h"
#include "tools/play/play_text.h"
#include "tools/play/tables_view.h"

namespace berd {

namespace {

using tables::kOff;
using tables::Men;

// The two forms of a verb: for a menu, and told of another player.
struct Verb {
  std::string_view effect;
  std::string_view story;
};
constexpr Verb kHit = {"hits on", "hitting on"};
constexpr Verb kBlast = {"blasts", "blasting"};
constexpr Verb kMake = {"makes", "making"};
constexpr Verb kBear = {"bears off", "bearing off"};
constexpr Verb kWin = {"wins", "winning"};

class Words final : public GameWords {
 public:
  explicit Words(const AnyPosition& position)
      : position_(position.Clone()), view_(ReadTables(position)) {}

  std::string Question() const override {
    if (!view_.dice) return "choose";
    return "your move with " + std::to_string(view_.dice->high) + " " +
           std::to_string(view_.dice->low);
  }

  std::string Label(std::string_view action) const override {
    return PlayLabel(ActionTail(action), view_.numbering);
  }

  std::string Effect(std::string_view action) const override {
    return action == "pass" ? "no legal play" : Consequences(action, &Verb::effect);
  }

  void Arrange(std::vector<std::string>& actions) const override {
    std::stable_sort(actions.begin(), actions.end(), [this](const auto& a, const auto& b) {
      return PlayBefore(a, b, view_.numbering);
    });
  }

  std::optional<Result<std::string>> Find(std::string_view typed,
                                          std::span<const std::string> actions) const override {
    return MatchPlay(typed, actions, view_.numbering);
  }

  bool whole_turns() const override { return true; }

  std::string Story(std::string_view action) const override {
    if (Consume(action, "roll:")) return "rolls " + std::string(action);
    if (Consume(action, "open:")) return "begins with " + std::string(action.substr(1));
    if (Consume(action, "start:")) return "begins";
    if (action == "pass") return "cannot move";
    const auto consequences = Consequences(action, &Verb::story);
    std::string story = "plays " + Label(action);
    if (!consequences.empty()) story += ", " + consequences;
    return story + Unplayed(action);
  }

  OutcomeQuestion AskOutcome(char turn, std::span<const std::string> outcomes) const override {
    if (outcomes[0].starts_with("open:")) {
      return {"first dice of W and B",
              "Type the die of W and then that of B, as 53, or who begins and the dice, as B53; "
              "Enter lets the program roll."};
    }
    if (outcomes[0].starts_with("start:")) {
      return {"who begins", "Type W or B; Enter lets the program decide."};
    }
    return GameWords::AskOutcome(turn, outcomes);
  }

  std::optional<std::string> ReadOutcome(std::string_view typed,
                                         std::span<const std::string> outcomes) const override {
    std::string plain = PlainTyping(typed);
    if (outcomes[0].starts_with("open:")) {
      // One die each: the higher begins.
      if (plain.size() == 2) plain.insert(plain.begin(), plain[0] > plain[1] ? 'W' : 'B');
      if (plain.size() == 3 && plain[1] < plain[2]) std::swap(plain[1], plain[2]);
    }
    return GameWords::ReadOutcome(plain, outcomes);
  }

  std::optional<Seat> Subject(std::string_view action) const override {
    if (!Consume(action, "open:") && !Consume(action, "start:")) return std::nullopt;
    return Seat(action.starts_with('W') ? 0 : 1);
  }

  std::string Ending() const override {
    if (view_.points == 0) return view_.ending;
    return view_.ending + ", " + std::to_string(view_.points) +
           (view_.points == 1 ? " point" : " points");
  }

 private:
  // "hits on 7, makes 5", in one form of the verbs.
  std::string Consequences(std::string_view action, std::string_view Verb::*form) const {
    const auto steps = ReadPlay(action);
    const auto after = After(action);
    if (!steps || !after) return "";
    std::string text;
    const auto add = [&](const Verb& verb, const std::string& what) {
      if (what.empty()) return;
      text += (text.empty() ? "" : ", ") + std::string(verb.*form) + " " + what;
    };
    add(kHit, Marked(*steps, '*'));
    add(kBlast, Marked(*steps, '!'));
    const auto turn = static_cast<std::size_t>(view_.turn);
    add(kMake, Made(view_.men[turn], after->men[turn]));
    const int off = after->men[turn][kOff] - view_.men[turn][kOff];
    if (off > 0) add(kBear, std::to_string(off));
    if (after->over && after->points > 0) add(kWin, after->ending);
    return text;
  }

  std::optional<TablesView> After(std::string_view action) const {
    const auto position = position_->Clone();
    if (!position->Apply(action)) return std::nullopt;
    return ReadTables(*position);
  }

  static std::string Listed(const std::vector<std::string>& names) {
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i) {
      text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
    }
    return text;
  }

  static std::string Marked(const std::vector<PlayStep>& steps, char mark) {
    std::vector<std::string> names;
    for (const auto& step : steps) {
      if (step.mark == mark) names.push_back(std::to_string(step.to));
    }
    return Listed(names);
  }

  // The points on which two or more men stand that did not before, each with its number.
  std::string Made(const Men& before, const Men& after) const {
    std::vector<std::string> names;
    for (int point = 1; point <= tables::kPoints; ++point) {
      if (before[point] < 2 && after[point] >= 2) names.push_back(view_.PointName(point));
    }
    if (names.empty()) return "";
    const std::string noun = view_.same_way ? "band" : "point";
    return names.size() == 1 ? "the " + names[0] + " " + noun
                             : "the " + Listed(names) + " " + noun + "s";
  }

  // What to say of dice that cannot be played.
  std::string Unplayed(std::string_view action) const {
    const auto steps = ReadPlay(action);
    const auto after = After(action);
    if (!steps || !after || after->over) return "";
    const std::size_t most = view_.dice->is_double() ? 4 : 2;
    if (steps->size() == most) return "";
    return most == 2 ? ", and cannot play the other die"
                     : ", and cannot play " + std::to_string(most - steps->size()) + " more";
  }

  std::unique_ptr<AnyPosition> position_;
  TablesView view_;
};

}  // namespace

std::unique_ptr<GameWords> TablesWords(const AnyPosition& position,
                                       std::optional<Seat> /*viewer*/) {
  return std::make_unique<Words>(position);
}

}  // namespace berd
