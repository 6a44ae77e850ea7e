// Games with hidden numbers: nobody is shown what the view hides.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cctype>
#include <set>

#include "engine/core/random.h"
#include "tests/tools/run_command.h"
#include "tools/play/draw_board.h"
#include "tools/play/menu.h"
#include "tools/play/narrator.h"
#include "tools/play/position_view.h"
#include "tools/rules_argument.h"

namespace berd {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// Tokens with their values, "B20", that a view shows anywhere.
void AddTokens(const GroupView& group, std::set<std::string>& tokens) {
  for (const auto& part : group) {
    for (const auto& value : part.values) {
      if (value != "?") tokens.insert(part.color + value);
    }
  }
}

std::set<std::string> SeenTokens(const AnyPosition& position, Seat viewer) {
  const auto view = ReadPosition(position.View(viewer));
  std::set<std::string> tokens;
  for (const auto& place : view.board) {
    for (const auto& stack : place.stacks) {
      AddTokens(stack.active, tokens);
      AddTokens(stack.captives, tokens);
    }
  }
  for (int seat = 0; seat < position.seats(); ++seat) {
    AddTokens(ReadGroup(view.FieldOfSeat("col", ';', seat)), tokens);
  }
  return tokens;
}

// Tokens with values that a text names: "A10", "A10,30".
std::set<std::string> NamedTokens(const std::string& text) {
  std::set<std::string> tokens;
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    const char color = text[i];
    const bool word = i > 0 && std::isalnum(static_cast<unsigned char>(text[i - 1])) != 0;
    if (color < 'A' || color > 'P' || word) continue;
    std::size_t at = i + 1;
    while (true) {
      std::string value;
      while (at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])) != 0) {
        value += text[at++];
      }
      // Shorter numbers are counts.
      if (value.size() >= 2 && text[at] != '?') tokens.insert(color + value);
      if (value.empty() || at >= text.size() || text[at] != ',') break;
      ++at;
    }
  }
  return tokens;
}

TEST(HiddenPlay, NamedTokensAreFound) {
  EXPECT_EQ(NamedTokens("A10,30# over B2? C20, at 16/5@20 D3"),
            (std::set<std::string>{"A10", "A30", "C20"}));
}

TEST(HiddenPlay, BoardsAndStoriesTellWhatTheViewTells) {
  for (const auto* rules :
       {"race:short:3x4:hidden", "race:n=3:4x3:hidden+team=2", "race:n=7:2x5:color+hidden",
        "duel:3x3:4:hidden", "duel:4x4:3:hidden"}) {
    const auto game = ResolveRules(rules);
    ASSERT_TRUE(game) << rules;
    TableInfo table{.game = *game, .labels = {}};
    table.labels.resize(static_cast<std::size_t>(SeatsOf(*game)), "human");
    for (std::uint32_t number = 0; number < 8; ++number) {
      const auto position = InitialPosition(*game);
      RandomStream random(3, number, Purpose::kTest, 0);
      std::vector<Narrator> narrators;
      narrators.reserve(kMaxSeats);
      for (int seat = 0; seat < position->seats(); ++seat) narrators.emplace_back(Seat(seat));
      while (position->waits() != Waits::kEnd) {
        const auto before = position->Clone();
        std::string action;
        if (position->waits() == Waits::kChance) {
          action = position->ApplyChance(random);
        } else {
          const auto actions = position->Actions();
          action = actions[random.Below(static_cast<std::uint32_t>(actions.size()))];
          ASSERT_TRUE(position->Apply(action));
        }
        for (int seat = 0; seat < position->seats(); ++seat) {
          const Seat viewer(seat);
          auto seen = SeenTokens(*position, viewer);
          std::string drawn;
          for (const auto& line : DrawBoard(*position, viewer, table, {})) drawn += line + "\n";
          for (const auto& token : NamedTokens(drawn)) {
            ASSERT_TRUE(seen.contains(token)) << token << "\n" << position->View(viewer) << drawn;
          }
          seen.merge(SeenTokens(*before, viewer));
          auto& narrator = narrators[static_cast<std::size_t>(seat)];
          narrator.Tell(*before, action, *position);
          for (const auto& line : narrator.Take()) {
            for (const auto& token : NamedTokens(line)) {
              ASSERT_TRUE(seen.contains(token))
                  << token << " is no business of " << Letter(viewer) << ": " << line << "\n"
                  << before->Position();
            }
          }
        }
      }
    }
  }
}

TEST(HiddenPlay, PlacingIsSecretUntilItIsComplete) {
  const auto game = ResolveRules("duel:3x3:2:hidden");
  const auto position = InitialPosition(*game);
  Narrator own{Seat(0)};
  Narrator other{Seat(1)};
  std::string told;
  for (const auto* action : {"place:a", "place:c"}) {
    const auto before = position->Clone();
    ASSERT_TRUE(position->Apply(action));
    own.Tell(*before, action, *position);
    other.Tell(*before, action, *position);
  }
  EXPECT_THAT(own.Take(), testing::ElementsAre("A places 10 on a, places 20 on c."));
  EXPECT_THAT(other.Take(), testing::ElementsAre("A places its tokens."));
}

TEST(HiddenPlay, TheKeyboardIsHandedOver) {
  const auto run =
      RunCommand({"play", "--rules", "duel:3x3:1:hidden", "--seats", "human,human", "--seed", "1"},
                 "\nb\n\na\n\n");
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_THAT(run.out, HasSubstr("Pass the keyboard to A, then press Enter. \n"));
  const auto at = run.out.find("Pass the keyboard to B, then press Enter. \n");
  ASSERT_NE(at, std::string::npos);
  // B sees where A stands, not what it is, and the other way round.
  const auto back = run.out.find("Pass the keyboard to A", at);
  const auto second = run.out.substr(at, back - at);
  EXPECT_THAT(second, HasSubstr("A places its tokens."));
  EXPECT_THAT(second, HasSubstr("A?"));
  EXPECT_THAT(second, Not(HasSubstr("A10")));
  EXPECT_THAT(run.out.substr(back), HasSubstr("B places its tokens."));
  EXPECT_THAT(run.out.substr(back), Not(HasSubstr("B10")));
}

}  // namespace
}  // namespace berd
