#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "engine/core/error.h"
#include "engine/games.h"
#include "nn/network.h"
#include "nn/trainer.h"

namespace berd {

// How games of self-play are played and turned into training examples.
struct SelfPlayOptions {
  std::uint64_t seed = 1;
  // Probability that a decision is a uniformly random afterstate instead of the best one.
  double exploration = 0.02;
  // TD(lambda): 1 learns from final results only, 0 from the next decision's value only.
  double lambda = 0.7;
  // Games with hidden values: number of sampled states a decision is averaged over.
  int hidden_samples = 4;
  // The target of an example is the exact expectation over the next dice instead of what was
  // played (lambda is not used then; some twenty times the work).
  bool exact_dice = false;
};

struct RoundStats {
  std::int64_t games = 0;
  std::int64_t decisions = 0;
  std::int64_t examples = 0;
  std::int64_t turns = 0;
  std::int64_t capped = 0;  // games that ended by the turn cap (or the plies of the duel)
};

// Parallel self-play of one game and the replay window of its examples: afterstates with the
// values that TD(lambda) expects of them (Sutton 1988; Tesauro 1995 for the use on afterstates of a
// dice game). An exploring decision cuts the return: it is replaced by the best decision's value.
//
// Play runs on the threads of the calling TBB arena and may overlap with Fill; all other calls must
// not overlap. The same networks and options give the same examples at any number of threads.
class SelfPlay {
 public:
  virtual ~SelfPlay() = default;

  // Plays games first .. first + count - 1 with the network in every seat. The examples wait
  // until Commit.
  virtual RoundStats Play(const std::shared_ptr<const Network>& network, std::uint64_t first,
                          std::int64_t count, const SelfPlayOptions& options) = 0;
  // Moves the examples of the last Play into the replay window and drops those of the oldest
  // rounds beyond `window` rounds.
  virtual void Commit(std::size_t window) = 0;

  // Examples in the window; the newest round is at the end.
  virtual std::size_t examples() const = 0;
  // Examples of the round committed last.
  virtual std::size_t newest() const = 0;
  // Replaces the batch by these examples.
  virtual void Fill(std::span<const std::uint32_t> chosen, TrainingBatch& batch) const = 0;

  // The replay window as bytes, round by round, and back. The bytes are those of this build's
  // states: for a checkpoint, not for exchange. Bytes that do not fit are refused and change
  // nothing.
  virtual std::string EncodeWindow() const = 0;
  virtual Result<void> DecodeWindow(std::string_view bytes) = 0;

  // Name and number of the inputs that networks for this game need.
  virtual NetworkShape EmptyShape() const = 0;
};

std::unique_ptr<SelfPlay> MakeSelfPlay(const AnyRules& game);

}  // namespace berd
