#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "engine/core/any_game.h"
#include "tools/play/draw_parts.h"
#include "tools/play/game_words.h"

namespace berd {

// How one game looks and speaks at the terminal. A game without a face of its own shows its
// strings.
struct GameFace {
  std::string_view game;     // first word of the rules string
  std::string_view letters;  // of the players, by seat
  std::string_view typing;   // help: what moves look like
  std::string_view reading;  // help: how to read the board
  // The fields of the position string that a drawn board shows, separated by blanks.
  std::string_view drawn;
  Drawing (*draw)(const AnyPosition& position, std::optional<Seat> viewer, const TableInfo& table);
  std::unique_ptr<GameWords> (*words)(const AnyPosition& position, std::optional<Seat> viewer);

  char letter(Seat seat) const { return letters[static_cast<std::size_t>(seat.index())]; }
};

// The face of the game of a rules string.
const GameFace& FaceOf(std::string_view rules);

// `viewer`: nobody sees everything.
std::unique_ptr<GameWords> WordsFor(const AnyPosition& position, std::optional<Seat> viewer);

// "W or B", "A or B", or "a letter from A to D".
std::string PlayerLetters(std::string_view rules, int seats);
// The seat of a player's letter in either case, be it the game's own or from A on.
std::optional<Seat> SeatOfPlayer(std::string_view text, std::string_view rules, int seats);

}  // namespace berd
