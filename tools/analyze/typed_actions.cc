#include "tools/analyze/typed_actions.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <span>

#include "engine/core/text.h"
#include "tools/play/game_face.h"

namespace berd {

namespace {

constexpr std::size_t kListed = 8;

std::string Lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

std::string Listed(std::span<const std::string> names) {
  std::vector<std::string_view> shown;
  for (const auto& name : names.first(std::min(names.size(), kListed))) shown.push_back(name);
  auto text = JoinAlternatives(shown);
  if (names.size() > kListed) text += " and " + std::to_string(names.size() - kListed) + " more";
  return text;
}

// By its name, in the game's own notation, or by the unambiguous beginning of its name, with or
// without the first word.
Result<std::string> ReadAction(const AnyPosition& position, std::string_view typed) {
  const auto actions = position.Actions();
  if (std::find(actions.begin(), actions.end(), typed) != actions.end()) return std::string(typed);
  const auto words = WordsFor(position, position.actor());
  if (auto found = words->Find(typed, actions)) return *std::move(found);
  const std::string word = Lower(typed);
  std::vector<std::string> meant;
  std::vector<std::string_view> tails;
  for (const auto& action : actions) {
    const std::string name = Lower(action);
    if (ActionTail(name) == word) return action;
    if (name.starts_with(word) || ActionTail(name).starts_with(word)) meant.push_back(action);
    tails.push_back(ActionTail(action));
  }
  if (meant.size() == 1) return meant[0];
  if (!meant.empty()) return Fail(Quoted(typed) + " could be " + Listed(meant));
  const auto nearest = Nearest(ActionTail(typed), tails);
  return Fail(Quoted(typed) + " is not legal here" +
              (nearest.empty() ? "; legal: " + Listed(actions)
                               : "; did you mean '" + std::string(nearest) + "'?"));
}

std::vector<std::string_view> Words(std::string_view text) {
  std::vector<std::string_view> words;
  while (true) {
    const auto first = text.find_first_not_of(" ,");
    if (first == std::string_view::npos) return words;
    const auto end = text.find_first_of(" ,", first);
    words.push_back(text.substr(first, end - first));
    if (end == std::string_view::npos) return words;
    text.remove_prefix(end);
  }
}

}  // namespace

Result<std::vector<std::string>> ReadPlayed(const AnyPosition& start, std::string_view text,
                                            bool single) {
  if (WordsFor(start, start.actor())->whole_turns()) {
    return ReadAction(start, text).map([](std::string action) {
      return std::vector<std::string>{std::move(action)};
    });
  }
  std::vector<std::string> actions;
  const auto position = start.Clone();
  for (const auto word : Words(text)) {
    const bool over = position->waits() != Waits::kDecision || position->actor() != start.actor() ||
                      position->turns() != start.turns();
    if (over || (single && !actions.empty())) {
      return Fail(Quoted(word) +
                  (over ? ": the decision ends after " : ": give one action only, ") +
                  Quoted(actions.back()));
    }
    auto action = ReadAction(*position, word);
    if (!action) return tl::unexpected(action.error());
    if (auto ok = position->Apply(*action); !ok) return tl::unexpected(ok.error());
    actions.push_back(*std::move(action));
  }
  if (actions.empty()) return Fail("no action is named");
  return actions;
}

Result<std::string> ReadOutcome(const AnyPosition& position, std::string_view text) {
  const auto outcomes = position.Actions();
  const auto words = WordsFor(position, position.turn());
  if (std::find(outcomes.begin(), outcomes.end(), text) != outcomes.end()) return std::string(text);
  if (auto outcome = words->ReadOutcome(text, outcomes)) return *outcome;
  if (outcomes.empty()) {
    const auto letter = FaceOf(position.rules()).letter(position.turn());
    const auto help = words->AskOutcome(letter, outcomes).help;
    return Fail(Quoted(text) + " is no outcome here. " + std::string(Split(help, ';').front()));
  }
  return Fail(Quoted(text) + " is no outcome here; possible: " + Listed(outcomes));
}

}  // namespace berd
