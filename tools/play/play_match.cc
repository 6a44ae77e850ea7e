#include "tools/play/play_match.h"

#include <array>
#include <cassert>
#include <ostream>

#include "engine/bradspel/match.h"
#include "engine/core/text.h"

namespace berd {

namespace {

constexpr std::array<char, 2> kLetters = {'W', 'B'};

char LetterOf(Seat seat) { return kLetters[static_cast<std::size_t>(seat.index())]; }

const PositionOf<Bradspel>* BradspelOf(const AnyPosition& position) {
  return dynamic_cast<const PositionOf<Bradspel>*>(&position);
}

// "W 4, B 1"
std::string ScoreText(const BradspelMatch& match) {
  return "W " + std::to_string(match.points(Seat(0))) + ", B " +
         std::to_string(match.points(Seat(1)));
}

std::string ResultText(const BradspelMatch& match) {
  std::string text = "The match is over: " + ScoreText(match) + ". ";
  const auto winner = match.Leader();
  if (!winner) return text + "Points and wins are equal: it is drawn.";
  text += LetterOf(*winner);
  text += " wins the match";
  if (const auto rank = match.DecidingRank()) {
    text += " by the better wins (" + std::string(kBradspelRanks[static_cast<std::size_t>(*rank)]) +
            ")";
  }
  return text + ".";
}

class Match {
 public:
  Match(Console& console, const MatchStart& start, PlayPlayers& players,
        const PlaySettings& settings)
      : console_(console),
        start_(start),
        players_(players),
        settings_(settings),
        match_(start.games, BradspelOf(*InitialPosition(start.game))->game_rules()) {}

  int Run() {
    for (std::size_t i = 0; i < start_.records.size() && !match_.over(); ++i) {
      Session session(start_.game, start_.seed, Number());
      if (const auto ok = Replay(session, start_.records[i].actions); !ok) {
        console_.err << "berd play: " << ok.error().message << "\n";
        return kExitFailed;
      }
      if (session.position().waits() != Waits::kEnd) return PlayOn(std::move(session));
      Note(session.position());
      played_.push_back(start_.records[i]);
    }
    return match_.over() ? Result() : PlayOn(NextGame());
  }

 private:
  std::uint32_t Number() const { return static_cast<std::uint32_t>(match_.played()); }

  void Note(const AnyPosition& position) {
    match_.Add(Bradspel::outcome(BradspelOf(position)->state()));
  }

  Session NextGame() {
    Session session(start_.game, start_.seed, Number());
    if (const auto starter = match_.starter()) {
      const auto ok = session.Apply(std::string("start:") + LetterOf(*starter));
      assert(ok.has_value());
      static_cast<void>(ok);
    }
    return session;
  }

  int PlayOn(Session session) {
    while (true) {
      Announce();
      PlayTable table(console_, std::move(session), players_, SettingsNow());
      table.Run();
      settings_.owned_path = table.owned_path();
      const bool ended = table.session().position().waits() == Waits::kEnd;
      if (ended) {
        played_.push_back(table.Record());
        Note(table.session().position());
      }
      if (match_.over()) return Result();
      if (!table.finished()) {
        console_.out << "The match is left after " << match_.played() << " of " << match_.games()
                     << " games: " << ScoreText(match_) << ".\n";
        return kExitOk;
      }
      session = NextGame();
    }
  }

  void Announce() {
    console_.out << "Game " << match_.played() + 1 << " of " << match_.games();
    if (match_.played() > 0) console_.out << ", the match stands " << ScoreText(match_);
    if (const auto starter = match_.starter()) {
      console_.out << "; " << LetterOf(*starter) << " lost the last game and begins";
    }
    console_.out << ".\n";
  }

  PlaySettings SettingsNow() const {
    PlaySettings settings = settings_;
    settings.match = {.games = match_.games(),
                      .score = "Match: game " + std::to_string(match_.played() + 1) + " of " +
                               std::to_string(match_.games()) + ", " + ScoreText(match_),
                      .earlier = played_,
                      .last = match_.played() + 1 == match_.games()};
    return settings;
  }

  int Result() {
    console_.out << ResultText(match_) << "\n";
    return kExitOk;
  }

  Console& console_;
  const MatchStart& start_;
  PlayPlayers& players_;
  PlaySettings settings_;
  BradspelMatch match_;
  std::vector<GameRecord> played_;
};

}  // namespace

Result<void> CheckMatch(const AnyRules& game, int games) {
  if (BradspelOf(*InitialPosition(game)) == nullptr) {
    return Fail("only Bradspel is played in matches; the rules " + CanonicalRules(game) +
                " are those of another game");
  }
  if (games % 2 == 0) {
    return Fail("a match has an odd number of games, such as " + std::to_string(games + 1) +
                ", not " + std::to_string(games));
  }
  return {};
}

int PlayMatch(Console& console, const MatchStart& start, PlayPlayers& players,
              const PlaySettings& settings) {
  return Match(console, start, players, settings).Run();
}

Result<void> Replay(Session& session, const std::vector<std::string>& actions) {
  for (const auto& action : actions) {
    // Agents go on with random numbers that the recorded part cannot have used.
    if (session.position().waits() == Waits::kDecision) session.AgentStream();
    if (auto ok = session.Apply(action); !ok) return ok;
  }
  return {};
}

}  // namespace berd
