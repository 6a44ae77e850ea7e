#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/games.h"
#include "tools/command.h"
#include "tools/play/game_record.h"
#include "tools/play/play_table.h"

namespace berd {

// What a match begins with: nothing, or the games of a match that was left.
struct MatchStart {
  AnyRules game;
  std::uint64_t seed = 0;
  int games = 1;
  std::vector<GameRecord> records;
};

// Why there can be no such match; nothing if there can.
Result<void> CheckMatch(const AnyRules& game, int games);

// Plays the games of a match of Brädspel one after another: the loser of a game begins the next.
// Tells the score after each, and who has won. Returns an exit code. Requires: CheckMatch.
int PlayMatch(Console& console, const MatchStart& start, PlayPlayers& players,
              const PlaySettings& settings);

// Goes on with a recorded game.
Result<void> Replay(Session& session, const std::vector<std::string>& actions);

}  // namespace berd
