#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string_view>

#include "tools/analyze/report.h"
#include "tools/choice_text.h"
#include "tools/play/draw_board.h"
#include "tools/play/game_face.h"

namespace berd {

namespace {

constexpr std::size_t kWidth = kDrawWidth;

// A line of a table, its last column wrapped under itself.
std::string TableLine(const std::string& columns, const std::string& last) {
  std::string text = columns;
  const std::size_t room = kWidth - std::min(columns.size(), kWidth - 20);
  bool first = true;
  for (const auto& part : Wrapped(last, static_cast<int>(room))) {
    if (!first) text += std::string(columns.size(), ' ');
    text += part + "\n";
    first = false;
  }
  if (first) text += "\n";
  while (text.size() > 1 && text[text.size() - 2] == ' ') text.erase(text.size() - 2, 1);
  return text;
}

class TextReport {
 public:
  TextReport(const AnalysisReport& report, std::size_t most)
      : report_(report), most_(most), points_(ClassPoints(report.game)) {}

  std::string Write() {
    const AnyPosition& position = *report_.position;
    const auto shown = report_.Shown();
    text_ = position.rules();
    if (report_.seat) text_ += ", by " + report_.agent;
    text_ += "\n" + shown + "\n";
    if (report_.roll) AddRoll();
    text_ += "\n";
    if (report_.decision) {
      AddDecision();
    } else if (report_.chance) {
      AddChance();
    } else {
      AddEnd();
    }
    return std::move(text_);
  }

 private:
  char LetterOf(Seat seat) const { return FaceOf(report_.position->rules()).letter(seat); }
  std::size_t Limited(std::size_t count) const {
    return most_ == 0 ? count : std::min(count, most_);
  }
  std::string_view ValueName() const {
    switch (report_.by()) {
      case RankedBy::kWinShare:
        return "win share";
      case RankedBy::kEquity:
        return "equity";
      default:
        return "score";
    }
  }

  // "wins 63.2% (1:41.0 2:20.1 3:2.1)", by points.
  std::string WinsText(std::string_view word, const std::vector<float>& values, Seat seat) const {
    const auto first = static_cast<std::size_t>(seat.index()) * points_.size();
    std::map<int, double> share_of_points;
    double all = 0;
    for (std::size_t c = 0; c < points_.size(); ++c) {
      share_of_points[points_[c]] += double{values[first + c]};
      all += double{values[first + c]};
    }
    std::string text = fmt::format("{} {:.1f}%", word, 100 * all);
    std::string_view gap = " (";
    for (const auto& [points, share] : share_of_points) {
      if (share < 0.0005) continue;
      text += fmt::format("{}{}:{:.1f}", gap, points, 100 * share);
      gap = " ";
    }
    return gap == " " ? text + ")" : text;
  }

  // What is known of wins by points, for games that are worth points.
  std::string ClassesText(const std::vector<float>& values, Seat seat) const {
    if (points_.size() == 1 || values.empty()) return "";
    return WinsText("wins", values, seat) + " " +
           WinsText("losses", values, Seat(1 - seat.index()));
  }

  // Everybody's win shares, where there are more than two players.
  std::string SharesText(const std::vector<float>& values) const {
    if (report_.position->seats() < 3 || values.empty()) return "";
    std::string text;
    for (int seat = 0; seat < report_.position->seats(); ++seat) {
      text += fmt::format("{}{} {:.1f} %", seat == 0 ? "" : ", ", LetterOf(Seat(seat)),
                          100 * WinShareFrom(report_.game, values, Seat(seat)));
    }
    return text;
  }

  // ---- A decision

  std::string DepthHeading() const {
    const auto& search = report_.decision->search;
    if (search.simulations > 0) return "  visits";
    if (search.games > 0) return "      +/-  games";
    if (search.plies > 0) return "  plies";
    return report_.decision->choices[0].depth.margin ? "  margin" : "";
  }

  std::string DepthColumns(const RankedDepth& depth) const {
    const auto& search = report_.decision->search;
    if (search.simulations > 0) return fmt::format("  {:>6}", depth.visits);
    if (search.games > 0) {
      if (depth.games == 0) return "       -  1 ply";
      return "  " + GapText(report_.by(), depth.standard_error) +
             fmt::format("  {:>5}", depth.games);
    }
    if (search.plies > 0) return fmt::format("  {:>5}", depth.plies);
    return depth.margin ? fmt::format("  {:>+6}", *depth.margin) : "";
  }

  std::string ChoiceLine(std::size_t index) const {
    const auto& choices = report_.decision->choices;
    const auto& choice = choices[index];
    const RankedBy by = report_.by();
    const double gap = choices[0].value - choice.value;
    std::string value = choice.valued ? ValueText(by, choice.value) : std::string(7, ' ') + "-";
    std::string error = index > 0 && choice.valued ? GapText(by, gap) : std::string(6, ' ');
    const std::string columns =
        fmt::format("{:>3}  {:>9}  {:>6}{}  ", index + 1, value, error, DepthColumns(choice.depth));
    const auto words = WordsFor(*report_.position, report_.position->actor());
    std::string play = TypableText(choice.actions, *words);
    if (!CompletesTurn(*report_.position, choice.actions)) play += " ...";
    if (choice.actions.size() == 1) {
      const auto effect = words->Effect(choice.actions[0]);
      if (!effect.empty() && columns.size() + play.size() + 2 + effect.size() <= kWidth) {
        play += "  " + effect;
      }
    }
    std::string line = TableLine(columns, play);
    if (!choice.valued) return line;
    for (const auto& more :
         {ClassesText(choice.values, *report_.seat), SharesText(choice.values)}) {
      if (!more.empty()) line += TableLine("     ", more);
    }
    return line;
  }

  void AddDecision() {
    const auto& decision = *report_.decision;
    const std::string phase = std::string(PhaseText());
    text_ += fmt::format("{} decides ({}), {} choice{}\n", LetterOf(*report_.seat), phase,
                         decision.choices.size(), decision.choices.size() == 1 ? "" : "s");
    if (points_.size() > 1 && report_.by() == RankedBy::kEquity) {
      text_ += "Wins and losses are in percent; in brackets points:percent.\n";
    }
    text_ += fmt::format("  #  {:>9}  {:>6}{}  choice\n", ValueName(), "error", DepthHeading());
    const std::size_t shown = Limited(decision.choices.size());
    for (std::size_t i = 0; i < shown; ++i) text_ += ChoiceLine(i);
    AddRest(decision.choices.size(), shown);
    AddSearch(decision.search);
    if (report_.played) AddPlayed();
  }

  // What the position waits for, in the words of its string.
  std::string PhaseText() const {
    const auto shown = report_.Shown();
    const auto phase = shown.find("phase=");
    return phase == std::string::npos ? "" : shown.substr(phase + 6);
  }

  void AddRest(std::size_t count, std::size_t shown) {
    if (shown < count) {
      text_ += fmt::format("     ... and {} more; --most 0 lists all\n", count - shown);
    }
  }

  void AddPlayed() {
    const auto& played = *report_.played;
    const auto& choices = report_.decision->choices;
    const auto& choice = choices[played.rank - 1];
    const auto words = WordsFor(*report_.position, report_.position->actor());
    std::string text = "played " + TypableText(report_.played_actions, *words) +
                       fmt::format(": number {} of {}", played.rank, choices.size());
    const auto same = [&](const RankedChoice& other) {
      return other.valued && other.value == choice.value;
    };
    if (!choice.valued) {
      text += ", not looked at";
    } else if (played.rank == 1) {
      text += ", the best";
    } else if (same(choices[0])) {
      text += ", as good as the best";
    } else {
      auto gap = GapText(report_.by(), played.error);
      gap.erase(0, gap.find_first_not_of(' '));
      text += ", error " + gap;
      if (report_.by() == RankedBy::kWinShare) text += " %";
    }
    if (choice.valued && report_.decision->search.simulations > 0) {
      text += ", " + DepthText(choice.depth);
    }
    if (choice.depth.games > 0 && played.rank > 1) {
      auto error = GapText(report_.by(), choice.depth.error_of_gap);
      error.erase(0, error.find_first_not_of(' '));
      text += " +/- " + error;
    }
    if (played.actions < report_.played_actions.size()) {
      text += fmt::format(" (judged by the first {} of its actions: more cannot be listed here)",
                          played.actions);
    }
    text_ += TableLine("", text);
  }

  void AddSearch(const SearchSummary<std::string>& search) {
    std::string text;
    const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
    if (search.simulations > 0) add(fmt::format("{} simulations", search.simulations));
    if (search.nodes > 0 && (search.simulations > 0 || search.plies > 1))
      add(fmt::format("{} states", search.nodes));
    if (search.simulations > 0) {
      add(fmt::format("depth {:.1f} on average, {} at most", search.depth_mean, search.depth_most));
    }
    if (search.samples > 0 && search.simulations == 0) {
      add(fmt::format("mean over {} guesses of what {} does not see", search.samples,
                      LetterOf(*report_.seat)));
    }
    if (!search.complete) add("cut short by its limit");
    if (!text.empty()) text_ += "\n" + TableLine("", text);
    if (!search.line.empty()) text_ += TableLine("line: ", LineText(search.line));
  }

  // "A 16/5 21/3; 63: B 4/6": who does what, and after which outcomes.
  std::string LineText(const std::vector<std::string>& line) const {
    const auto position = report_.position->Clone();
    std::string text;
    char last = 0;  // who acted last, 0 after chance
    for (const auto& action : line) {
      if (position->waits() == Waits::kEnd) break;
      const auto words = WordsFor(*position, std::nullopt);
      if (position->waits() == Waits::kChance) {
        text += (text.empty() ? "" : text.ends_with(':') ? " " : "; ");
        text += std::string(ActionTail(action)) + ":";
        last = 0;
      } else {
        const char letter = LetterOf(position->actor());
        if (last != letter) {
          text += (text.empty() || text.ends_with(':') ? "" : ";");
          text += (text.empty() ? "" : " ") + std::string(1, letter);
          last = letter;
        }
        const std::array one = {action};
        text += " " + TypableText(one, *words);
      }
      if (!position->Apply(action)) break;
    }
    return text;
  }

  // ---- Chance

  std::string MeanText(const ChanceAnalysis& chance) const {
    auto value = ValueText(report_.by(), chance.mean);
    value.erase(0, value.find_first_not_of(' '));
    std::string text =
        fmt::format("{} of {} before it {}", ValueName(), LetterOf(chance.seat), value);
    return chance.outcomes.empty()
               ? text + " as the agent expects it: the outcomes are too many to list"
               : text + fmt::format(", the mean over {} outcomes", chance.outcomes.size());
  }

  void AddRoll() {
    const auto& roll = *report_.roll;
    const auto strip = [](std::string text) { return text.erase(0, text.find_first_not_of(' ')); };
    std::string luck = strip(GapText(report_.by(), std::abs(roll.luck)));
    if (report_.by() != RankedBy::kEquity) luck += " %";
    text_ +=
        "\n" + TableLine("", fmt::format("{}: luck {}{}{}", roll.outcome, roll.luck < 0 ? "-" : "+",
                                         luck, roll.chance.outcomes.empty() ? " or so" : "") +
                                 ", from " + strip(ValueText(ByUtility(), roll.chance.mean)) +
                                 " to " + strip(ValueText(ByUtility(), roll.value)) + " for " +
                                 LetterOf(roll.chance.seat));
    if (roll.chance.outcomes.empty()) {
      text_ += TableLine("",
                         "The outcomes are too many to list: the first number is what the "
                         "agent expects without looking at them.");
    }
  }
  RankedBy ByUtility() const {
    return points_.size() > 1 ? RankedBy::kEquity : RankedBy::kWinShare;
  }

  void AddChance() {
    const auto& chance = *report_.chance;
    text_ += TableLine("", "chance (" + PhaseText() + "): " + MeanText(chance));
    for (const auto& more : {ClassesText(chance.values, chance.seat), SharesText(chance.values)}) {
      if (!more.empty()) text_ += TableLine("", more);
    }
    if (chance.outcomes.empty()) return;
    std::size_t widest = 7;
    for (const auto& outcome : chance.outcomes) {
      widest = std::max(widest, ActionTail(outcome.outcome).size());
    }
    text_ += fmt::format("{:<{}}  {:>6}  {:>9}  {:>8}  best choice\n", "outcome", widest, "chance",
                         ValueName(), "luck");
    const std::size_t shown = Limited(chance.outcomes.size());
    for (std::size_t i = 0; i < shown; ++i) text_ += OutcomeLine(chance, i, widest);
    AddRest(chance.outcomes.size(), shown);
  }

  std::string OutcomeLine(const ChanceAnalysis& chance, std::size_t index,
                          std::size_t widest) const {
    const auto& outcome = chance.outcomes[index];
    const double scale = report_.by() == RankedBy::kWinShare ? 100 : 1;
    const std::string columns = fmt::format(
        "{:<{}}  {:>6}  {:>9}  {:>+8.{}f}  ", ActionTail(outcome.outcome), widest,
        fmt::format("{}/{}", outcome.weight, chance.total_weight),
        ValueText(report_.by(), outcome.value), scale * outcome.luck, scale > 1 ? 2 : 4);
    const auto after = report_.position->Clone();
    if (!after->Apply(outcome.outcome)) return columns + "\n";
    if (after->waits() == Waits::kEnd) return TableLine(columns, "the game is over");
    if (outcome.estimate) return TableLine(columns, "(chance again; what the agent expects)");
    const auto words = WordsFor(*after, after->actor());
    std::string play = TypableText(outcome.best, *words);
    if (!CompletesTurn(*after, outcome.best)) play += " ...";
    const bool other = after->actor() != chance.seat;
    return TableLine(columns, (other ? std::string(1, LetterOf(after->actor())) + " " : "") + play);
  }

  // ---- The end

  void AddEnd() {
    const AnyPosition& position = *report_.position;
    text_ += "The game is over";
    const auto ending = WordsFor(position, std::nullopt)->Ending();
    text_ += ending.empty() ? ".\n" : ": " + ending + ".\n";
    const auto shares = position.WinShares();
    const auto scores = position.Scores();
    for (std::size_t seat = 0; seat < shares.size(); ++seat) {
      std::string share = std::to_string(shares[seat].numerator);
      if (shares[seat].denominator != 1) share += "/" + std::to_string(shares[seat].denominator);
      text_ += fmt::format("{}: win share {}, score {}\n", LetterOf(Seat(static_cast<int>(seat))),
                           share, scores[seat]);
    }
  }

  const AnalysisReport& report_;
  std::size_t most_;
  std::vector<int> points_;
  std::string text_;
};

}  // namespace

std::string ReportText(const AnalysisReport& report, std::size_t most) {
  return TextReport(report, most).Write();
}

}  // namespace berd
