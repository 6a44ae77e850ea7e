#include "tools/play/session.h"

#include <utility>

#include "search/play.h"

namespace berd {

Session::Session(const AnyRules& game, std::uint64_t seed, std::uint32_t number)
    : game_(game), seed_(seed), number_(number), position_(InitialPosition(game_)) {}

Result<void> Session::Apply(std::string_view action) {
  auto before = position_->Clone();
  if (auto ok = position_->Apply(action); !ok) return ok;
  steps_.push_back({std::move(before), std::string(action), asked_});
  return {};
}

std::string Session::RollChance() {
  const Seat turn = position_->turn();
  std::uint32_t events = 0;
  for (const auto& step : steps_) {
    events += step.before->waits() == Waits::kChance && step.before->turn() == turn ? 1 : 0;
  }
  RandomStream random(seed_, number_, Purpose::kChance, ChanceIndex(turn, events));
  auto before = position_->Clone();
  auto name = position_->ApplyChance(random);
  steps_.push_back({std::move(before), name, asked_});
  return name;
}

RandomStream Session::AgentStream() { return {seed_, number_, Purpose::kAgent, asked_++}; }

std::vector<std::string> Session::Actions() const {
  std::vector<std::string> actions;
  for (const auto& step : steps_) actions.push_back(step.action);
  return actions;
}

bool Session::Undo(const std::function<bool(Seat)>& decides) {
  for (std::size_t i = steps_.size(); i-- > 0;) {
    auto& step = steps_[i];
    if (step.before->waits() != Waits::kDecision || !decides(step.before->actor())) continue;
    position_ = std::move(step.before);
    asked_ = step.asked;
    steps_.erase(steps_.begin() + static_cast<std::ptrdiff_t>(i), steps_.end());
    return true;
  }
  return false;
}

}  // namespace berd
