#include "tools/play/game_face.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "tools/play/words_berd.h"
#include "tools/play/words_birth.h"
#include "tools/play/words_tables.h"
#include "tools/rules_argument.h"

namespace berd {

namespace {

constexpr std::string_view kFromA = "ABCDEFGHIJKLMNOP";
static_assert(kFromA.size() == kMaxSeats);

constexpr std::string_view kBerdTyping =
    R"(Choose by the number in front, by the move itself, or by an unambiguous beginning
of it. 16/5 moves a token from square 16 by a 5; b1-b2 moves one in the duel.
Several moves of a turn can stand in one line: 16/5 21/3. Enter alone takes the
only choice there is.
)";

constexpr std::string_view kBerdReading =
    R"(The board: a tower shows its own tokens above its captives; A2 are two tokens of
A. # marks a stack that nobody can capture: two tokens of one player, or a token
on a square of its colour (12a is a square of A's colour). x5 are five tokens of
several colours, listed below the board. A? is a token whose value you do not
see. On corners nobody is captured. Tokens move clockwise and finish at home.
)";

constexpr std::string_view kTablesTyping =
    R"(Choose by the number in front or by the play itself, in your own numbers: 8/5 6/5
or 8/5,6/5, in any order. 13/7/5 or 13/5 moves one man with both dice, 8/5(2) two
men alike; bar/22 enters, 6/off bears off. The * of a hit and the ! of a blast can
be left out. Enter alone takes the only choice there is.
)";

constexpr std::string_view kBackgammonReading =
    R"(The board: O are the men of W, X those of B; a number is a pile of so many men.
Points have your numbers, and you bear off at the bottom right. Each player's
plays are told in that player's own numbers: the 5 point of one is the 20 point
of the other.
)";

constexpr std::string_view kBradspelReading =
    R"(The board: O are the men of W, X those of B; a number is a pile of so many men.
Both sides move the same way round, from 1 to 24. Tongues have your numbers, and
you bear off at the bottom right; the other side's 1 is your 13. Each player's
plays are told in that player's own numbers.
)";

constexpr std::string_view kBirthTyping =
    R"(Type the value of the die that you play, 1 to 6; with an Eject the number of the
area where the dice go. Enter alone takes the only choice there is.
)";

constexpr std::string_view kBirthReading =
    R"(The board: the ring of sections 0 to 14 with its areas and pieces; in it the dice
that lie in the areas, for each player the values, their sum of pips, and a * where
the player scores them. Below it the hands.
)";

Drawing DrawString(const AnyPosition& position, std::optional<Seat> viewer, const TableInfo&) {
  Drawing drawing{.canvas = Canvas(kDrawWidth, 0), .below = {}};
  for (const auto& line : Wrapped(SeenPosition(position, viewer), kDrawWidth, 2)) {
    drawing.below.emplace_back(line);
  }
  return drawing;
}

std::unique_ptr<GameWords> PlainWords(const AnyPosition&, std::optional<Seat>) {
  return std::make_unique<GameWords>();
}

constexpr GameFace kPlainFace = {.game = "",
                                 .letters = kFromA,
                                 .typing = "Choose by the number in front or by the move itself.\n",
                                 .reading = "",
                                 .drawn = "",
                                 .draw = DrawString,
                                 .words = PlainWords};

// A game with a face of its own adds a line here.
constexpr std::array kFaces = {
    GameFace{"race", kFromA, kBerdTyping, kBerdReading, "home board col cash", DrawRace, BerdWords},
    GameFace{"duel", kFromA, kBerdTyping, kBerdReading, "board col lat", DrawDuel, BerdWords},
    GameFace{"backgammon", "WB", kTablesTyping, kBackgammonReading, "w b turn", DrawTables,
             TablesWords},
    GameFace{"bradspel", "WB", kTablesTyping, kBradspelReading, "w b turn", DrawTables,
             TablesWords},
    GameFace{"birth", "ABC", kBirthTyping, kBirthReading, "pos hand area", DrawBirth, BirthWords},
};

}  // namespace

const GameFace& FaceOf(std::string_view rules) {
  const auto game = rules.substr(0, rules.find(':'));
  const auto* const face = std::find_if(kFaces.begin(), kFaces.end(),
                                        [&](const GameFace& known) { return known.game == game; });
  return face == kFaces.end() ? kPlainFace : *face;
}

std::unique_ptr<GameWords> WordsFor(const AnyPosition& position, std::optional<Seat> viewer) {
  return FaceOf(position.rules()).words(position, viewer);
}

std::string PlayerLetters(std::string_view rules, int seats) {
  const auto letters = FaceOf(rules).letters;
  if (letters.starts_with('A')) return SeatLetters(seats);
  return std::string(1, letters[0]) + " or " + letters[1];
}

std::optional<Seat> SeatOfPlayer(std::string_view text, std::string_view rules, int seats) {
  if (text.size() == 1) {
    const auto letter = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
    const auto at = FaceOf(rules).letters.substr(0, static_cast<std::size_t>(seats)).find(letter);
    if (at != std::string_view::npos) return Seat(static_cast<int>(at));
  }
  return SeatOfLetter(text, seats);
}

}  // namespace berd
