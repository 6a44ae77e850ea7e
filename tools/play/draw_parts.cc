#include "tools/play/draw_parts.h"

#include <algorithm>

namespace berd {

namespace {

// Ways to write a group, from the most to the least telling.
enum class Detail { kValues, kCounts, kTight, kTotal };

InkText Write(const GroupView& group, Detail detail) {
  InkText text;
  if (detail == Detail::kTotal) {
    if (group.size() > 1) return InkText("x" + std::to_string(CountTokens(group)));
    detail = Detail::kCounts;
  }
  for (const auto& tokens : group) {
    if (text.size() > 0 && detail != Detail::kTight) text.Add(" ");
    text.Add(detail == Detail::kValues ? TokensText(tokens) : CountText(tokens),
             SeatStyle(tokens.color));
  }
  return text;
}

bool HasValues(const GroupView& group) { return !group.empty() && !group[0].values.empty(); }

// The most telling way that fits in `width` columns with `tail` behind it. `complete` becomes false
// if it leaves something out.
InkText Fit(const GroupView& group, int width, std::string_view tail, bool& complete) {
  for (const Detail detail : {Detail::kValues, Detail::kCounts, Detail::kTight, Detail::kTotal}) {
    InkText text = Write(group, detail);
    if (!tail.empty()) text.Add(tail, InkStyle::kBold);
    if (text.size() > width && detail != Detail::kTotal) continue;
    if (detail == Detail::kTotal || (detail != Detail::kValues && HasValues(group))) {
      complete = false;
    }
    return text;
  }
  return {};
}

void AddGroup(GroupView& sum, const GroupView& group) {
  for (const auto& tokens : group) {
    const auto same = std::find_if(sum.begin(), sum.end(),
                                   [&](const auto& t) { return t.color == tokens.color; });
    if (same == sum.end()) {
      sum.push_back(tokens);
      continue;
    }
    same->count += tokens.count;
    same->values.insert(same->values.end(), tokens.values.begin(), tokens.values.end());
  }
}

}  // namespace

bool IsProtected(const StackView& stack, char guarded) {
  return std::any_of(stack.active.begin(), stack.active.end(), [&](const auto& tokens) {
    return tokens.count >= 2 || tokens.color == guarded;
  });
}

CellText FitCell(const PlaceView& place, int width, char guarded, bool corner) {
  GroupView active;
  GroupView captives;
  for (const auto& stack : place.stacks) {
    AddGroup(active, stack.active);
    AddGroup(captives, stack.captives);
  }
  CellText cell;
  // Which of several stacks holds the captives, two lines cannot say.
  if (place.stacks.size() > 1 && !captives.empty()) cell.complete = false;
  const bool mark = !corner && IsProtected(place.stacks[0], guarded);
  cell.top = Fit(active, width, mark ? "#" : "", cell.complete);
  if (!captives.empty()) cell.bottom = Fit(captives, width, "", cell.complete);
  return cell;
}

InkText InkTokens(const TokensView& tokens) {
  return InkText(TokensText(tokens), SeatStyle(tokens.color));
}

InkText InkGroup(const GroupView& group) {
  return group.empty() ? InkText("-") : Write(group, Detail::kValues);
}

InkText InkStack(const StackView& stack) {
  InkText text = InkGroup(stack.active);
  if (!stack.captives.empty()) text.Add(" over ").Add(InkGroup(stack.captives));
  return text;
}

namespace {

// Cuts `entry` at a blank so that its beginning fits in `room` columns.
InkText CutOff(InkText& entry, int room) {
  const auto blank = entry.text().rfind(' ', static_cast<std::size_t>(room));
  const int end = blank == std::string::npos || blank < 4 ? room : static_cast<int>(blank);
  InkText head;
  InkText rest("     ");
  for (int i = 0; i < entry.size(); ++i) {
    (i < end ? head : rest)
        .Add(entry.text().substr(static_cast<std::size_t>(i), 1), entry.style(i));
  }
  entry = rest;
  return head;
}

}  // namespace

std::vector<InkText> Flow(const std::string& headline, const std::vector<InkText>& entries,
                          int width) {
  std::vector<InkText> lines;
  if (entries.empty()) return lines;
  InkText line(headline);
  for (InkText entry : entries) {
    if (line.size() + entry.size() + 2 > width) {
      lines.push_back(line);
      line = InkText();
    }
    line.Add("  ");
    while (line.size() + entry.size() > width) {
      lines.push_back(line.Add(CutOff(entry, width - line.size())));
      line = InkText();
    }
    line.Add(entry);
  }
  lines.push_back(line);
  return lines;
}

std::vector<InkText> SquareList(const std::vector<const PlaceView*>& places, int width) {
  std::vector<InkText> entries;
  for (const auto* place : places) {
    InkText entry(place->square + ": ");
    for (std::size_t i = 0; i < place->stacks.size(); ++i) {
      if (i > 0) entry.Add(" | ");
      entry.Add(InkStack(place->stacks[i]));
    }
    entries.push_back(entry);
  }
  return Flow("In full:", entries, width);
}

}  // namespace berd
