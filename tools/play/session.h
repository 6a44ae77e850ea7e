#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/any_game.h"
#include "engine/games.h"

namespace berd {

// One game from its beginning, with everything that happened: for playing, taking back and saving.
// Dice and agents draw from the same random streams as PlayOn (search/play.h) with game and dice
// number `number`, so a seed gives the same game here and there; taking back does not change the
// dice.
class Session {
 public:
  Session(const AnyRules& game, std::uint64_t seed, std::uint32_t number = 0);

  const AnyRules& game() const { return game_; }
  std::uint64_t seed() const { return seed_; }
  const AnyPosition& position() const { return *position_; }

  // An action of the deciding seat, or a named outcome of chance.
  Result<void> Apply(std::string_view action);
  // A draw by the program; its name.
  std::string RollChance();
  // The random stream of the agent that is asked next; every asking counts.
  RandomStream AgentStream();

  // What happened, and from which positions.
  std::size_t steps() const { return steps_.size(); }
  const AnyPosition& before(std::size_t step) const { return *steps_[step].before; }
  const std::string& action(std::size_t step) const { return steps_[step].action; }
  std::vector<std::string> Actions() const;

  // Goes back to the last position in which one of these seats decided. False if there is none.
  bool Undo(const std::function<bool(Seat)>& decides);

 private:
  struct Step {
    std::unique_ptr<AnyPosition> before;
    std::string action;
    std::uint32_t asked;  // agents asked before it
  };

  AnyRules game_;
  std::uint64_t seed_;
  std::uint32_t number_;
  std::unique_ptr<AnyPosition> position_;
  std::vector<Step> steps_;
  std::uint32_t asked_ = 0;
};

}  // namespace berd
