#include "tools/play/play_text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <utility>

#include "engine/core/text.h"

namespace berd {

namespace {

using tables::Numbering;

constexpr int kMostSteps = 4;

std::string PlaceText(int place) {
  return place == kPlayBar ? "bar" : place == kPlayOff ? "off" : std::to_string(place);
}

std::optional<int> ReadPlace(std::string_view text, bool first) {
  if (text == "bar" || text == "b") return kPlayBar;
  if (text == "off" || text == "o") return kPlayOff;
  if (text == "0" || text == "25") return first ? kPlayBar : kPlayOff;
  if (const auto point = ParseNumber(text, 1, tables::kPoints)) return static_cast<int>(*point);
  return std::nullopt;
}

// "8/5(2)", "24/18*/16": the steps of one word, appended.
bool ReadWord(std::string_view word, std::vector<PlayStep>& steps) {
  std::uint32_t times = 1;
  if (const auto open = word.find('('); open != std::string_view::npos) {
    if (word.back() != ')') return false;
    const auto count = ParseNumber(word.substr(open + 1, word.size() - open - 2), 1, kMostSteps);
    if (!count) return false;
    times = *count;
    word = word.substr(0, open);
  }
  std::vector<PlayStep> chain;
  std::optional<int> from;
  const auto places = Split(word, '/');
  for (std::size_t i = 0; i < places.size(); ++i) {
    std::string_view text = places[i];
    char mark = 0;
    if (i > 0 && !text.empty() && (text.back() == '*' || text.back() == '!')) {
      mark = text.back();
      text.remove_suffix(1);
    }
    const auto place = ReadPlace(text, i == 0);
    if (!place || (*place == kPlayBar && i > 0) || (from && *from == kPlayOff)) return false;
    if (from) chain.push_back({*from, *place, mark});
    from = place;
  }
  if (chain.empty()) return false;
  for (; times > 0; --times) steps.insert(steps.end(), chain.begin(), chain.end());
  return true;
}

// How far a place is from being borne off.
int Distance(int place, Numbering numbering) {
  if (place == kPlayBar) return tables::kBar;
  if (place == kPlayOff) return tables::kOff;
  return tables::Renumber(place, numbering);
}

using Chain = std::vector<PlayStep>;

// The steps joined to the ways of single men, the rearmost first.
std::vector<Chain> Chains(std::vector<PlayStep> steps, Numbering numbering) {
  const auto key = [&](const PlayStep& step) {
    return std::pair(-Distance(step.from, numbering), -Distance(step.to, numbering));
  };
  std::stable_sort(steps.begin(), steps.end(),
                   [&](const auto& a, const auto& b) { return key(a) < key(b); });
  std::vector<Chain> chains;
  for (const auto& step : steps) {
    const auto before = std::find_if(chains.begin(), chains.end(), [&](const Chain& chain) {
      return chain.back().to == step.from;
    });
    if (before == chains.end()) {
      chains.push_back({step});
    } else {
      before->push_back(step);
    }
  }
  return chains;
}

std::string ChainText(const Chain& chain) {
  std::string text = PlaceText(chain[0].from);
  for (const auto& step : chain) {
    text += "/" + PlaceText(step.to);
    if (step.mark != 0) text += step.mark;
  }
  return text;
}

// What a play does to the own men, and where it hits.
struct PlayEffect {
  std::array<int, 32> change{};
  std::set<std::pair<int, char>> hits;
};

PlayEffect EffectOf(const std::vector<PlayStep>& steps) {
  PlayEffect effect;
  for (const auto& step : steps) {
    --effect.change[static_cast<std::size_t>(step.from)];
    ++effect.change[static_cast<std::size_t>(step.to)];
    if (step.mark != 0) effect.hits.emplace(step.to, step.mark);
  }
  return effect;
}

struct Candidate {
  std::string_view action;
  std::vector<PlayStep> steps;
  PlayEffect effect;
};

// All of `some` occur in `all`, as often.
bool Contains(const std::vector<PlayStep>& all, const std::vector<PlayStep>& some) {
  auto left = all;
  return std::all_of(some.begin(), some.end(), [&](const PlayStep& step) {
    const auto same = std::find_if(left.begin(), left.end(), [&](const PlayStep& other) {
      return other.from == step.from && other.to == step.to;
    });
    if (same == left.end()) return false;
    left.erase(same);
    return true;
  });
}

bool SameOrder(const std::vector<PlayStep>& a, const std::vector<PlayStep>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const auto& x, const auto& y) { return x.from == y.from && x.to == y.to; });
}

// Plays that do the same to the own men differ in what is hit on the way. If every step was typed,
// that says which is meant.
void KeepSameHits(const std::vector<PlayStep>& typed, std::vector<const Candidate*>& meant) {
  std::set<int> blots;
  for (const auto* play : meant) {
    for (const auto& hit : play->effect.hits) blots.insert(hit.first);
  }
  std::set<int> hits;
  for (const auto& step : typed) {
    if (blots.contains(step.to)) hits.insert(step.to);
  }
  std::vector<const Candidate*> same;
  for (const auto* play : meant) {
    std::set<int> own;
    for (const auto& hit : play->effect.hits) own.insert(hit.first);
    if (play->steps.size() == typed.size() && own == hits) same.push_back(play);
  }
  if (same.size() == 1) meant = same;
}

}  // namespace

std::optional<std::vector<PlayStep>> ReadPlay(std::string_view text) {
  std::string plain;
  for (const char c : text) {
    // A dash is another way to write the stroke, a comma to write a blank.
    plain += c == '-'   ? '/'
             : c == ',' ? ' '
                        : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  std::vector<PlayStep> steps;
  for (const auto word : Split(plain, ' ')) {
    if (!word.empty() && !ReadWord(word, steps)) return std::nullopt;
  }
  if (steps.empty()) return std::nullopt;
  return steps;
}

std::string PlayLabel(std::string_view action, Numbering numbering) {
  const auto steps = ReadPlay(action);
  if (!steps) return std::string(action);
  // Men that go the same way are one word; of a hit the first man has the mark.
  std::vector<std::pair<Chain, int>> words;
  for (const auto& chain : Chains(*steps, numbering)) {
    const auto same = std::find_if(words.begin(), words.end(),
                                   [&](const auto& word) { return SameOrder(word.first, chain); });
    if (same == words.end()) {
      words.emplace_back(chain, 1);
      continue;
    }
    ++same->second;
    for (std::size_t i = 0; i < chain.size(); ++i) {
      if (chain[i].mark != 0) same->first[i].mark = chain[i].mark;
    }
  }
  std::string label;
  for (const auto& [chain, times] : words) {
    label += (label.empty() ? "" : " ") + ChainText(chain);
    if (times > 1) label += "(" + std::to_string(times) + ")";
  }
  return label;
}

bool PlayBefore(std::string_view a, std::string_view b, Numbering numbering) {
  const auto key = [&](std::string_view action) {
    std::vector<int> ways;
    const auto steps = ReadPlay(action);
    if (!steps) return ways;
    for (const auto& chain : Chains(*steps, numbering)) {
      ways.push_back(-Distance(chain.front().from, numbering));
      ways.push_back(-Distance(chain.back().to, numbering));
    }
    return ways;
  };
  return key(a) < key(b);
}

std::optional<Result<std::string>> MatchPlay(std::string_view typed,
                                             std::span<const std::string> actions,
                                             Numbering numbering) {
  const auto steps = ReadPlay(typed);
  if (!steps) return std::nullopt;
  const auto wanted = EffectOf(*steps);
  std::vector<Candidate> plays;
  for (const auto& action : actions) {
    if (auto read = ReadPlay(action)) {
      auto effect = EffectOf(*read);
      plays.push_back({action, *std::move(read), std::move(effect)});
    }
  }
  std::vector<const Candidate*> meant;
  const auto hits_wanted = [&](const Candidate& play) {
    return std::includes(play.effect.hits.begin(), play.effect.hits.end(), wanted.hits.begin(),
                         wanted.hits.end());
  };
  for (const auto& play : plays) {
    if (play.effect.change == wanted.change && hits_wanted(play)) meant.push_back(&play);
  }
  if (meant.size() > 1) KeepSameHits(*steps, meant);
  if (meant.size() > 1) {
    // In Bradspel even the order of the steps may matter, for what the last one does.
    for (const auto* play : meant) {
      if (SameOrder(play->steps, *steps)) return Result<std::string>(std::string(play->action));
    }
  }
  if (meant.empty()) {
    // Some of the steps only.
    for (const auto& play : plays) {
      if (Contains(play.steps, *steps) && hits_wanted(play)) meant.push_back(&play);
    }
  }
  if (meant.size() == 1) return Result<std::string>(std::string(meant[0]->action));
  if (meant.empty()) {
    return Result<std::string>(Fail(Quoted(typed) + " is not a legal play; `moves` lists them"));
  }
  constexpr std::size_t kShown = 6;
  std::vector<std::string> labels;
  for (const auto* play : meant) {
    if (labels.size() < kShown) labels.push_back(PlayLabel(play->action, numbering));
  }
  std::vector<std::string_view> shown(labels.begin(), labels.end());
  const auto more = meant.size() - shown.size();
  return Result<std::string>(Fail(Quoted(typed) + " could be " + JoinAlternatives(shown) +
                                  (more > 0 ? " and " + std::to_string(more) + " more" : "")));
}

}  // namespace berd
