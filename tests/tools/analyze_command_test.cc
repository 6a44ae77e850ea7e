#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "engine/core/random.h"
#include "engine/games.h"
#include "test_paths.h"
#include "tests/search/temporary_table.h"
#include "tests/tools/run_command.h"
#include "tools/rules_argument.h"

namespace berd {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using Json = nlohmann::json;

constexpr const char* kRace = "race:short:2x3";
constexpr const char* kRaceMove = "n=4 home=0,2 board=0:A2,6:A1,16:B3 col=-;- turn=A phase=move:21";
constexpr const char* kRaceOfNine =
    "n=20 home=0,2 board=0:A3,5:A2/B1,9:B2,11:A1,16:B2,27:A1,30:B2 col=A2;B2 turn=A phase=move:53";
constexpr const char* kOpening =
    "n=0 w=24:2,13:5,8:3,6:5/0/0 b=24:2,13:5,8:3,6:5/0/0 turn=W phase=play:31";
constexpr const char* kBackgammonRoll =
    "n=0 w=24:2,13:5,8:3,6:5/0/0 b=24:2,13:5,8:3,6:5/0/0 turn=W phase=roll";

std::string Net(const std::string& name) {
  return BERD_SOURCE_DIR "/configs/nets/" + name + ".net";
}

CommandRun Analyze(std::vector<std::string> args, const std::string& input = "") {
  args.insert(args.begin(), "analyze");
  return RunCommand(args, input);
}

// The JSON object of one position.
Json AnalyzeJson(std::vector<std::string> args) {
  args.emplace_back("--json");
  const auto run = Analyze(std::move(args));
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.out.find('\n'), run.out.size() - 1);
  return run.exit_code == 0 ? Json::parse(run.out) : Json();
}

std::string ErrorOf(std::vector<std::string> args, const std::string& input = "") {
  const auto run = Analyze(std::move(args), input);
  EXPECT_EQ(run.exit_code, 2) << run.out;
  return run.err;
}

// A position some random steps into a game that waits as wanted.
std::string PositionOf(const std::string& rules, Waits waits, std::uint64_t seed, int steps) {
  const auto game = *ResolveRules(rules);
  const auto position = InitialPosition(game);
  RandomStream random(seed, 0, Purpose::kTest, 0);
  for (int step = 0; step < 2000 && position->waits() != Waits::kEnd; ++step) {
    if (step >= steps && position->waits() == waits) break;
    if (position->waits() == Waits::kChance) {
      position->ApplyChance(random);
      continue;
    }
    const auto actions = position->Actions();
    EXPECT_TRUE(position->Apply(actions[random.Below(static_cast<std::uint32_t>(actions.size()))]));
  }
  return position->Position();
}

TEST(AnalyzeCommand, AnswersDecisionsOfEveryGame) {
  for (const auto* rules :
       {"race:short:2x4", "race:n=3:4x2:team=2", "race:short:2x3:color", "race:n=3:3x2:points",
        "race:n=3:2x3:hidden", "race:n=2:2x2:trade", "race:n=3:2x2:goal=20",
        "race:n=3:3x2:setup=rolled", "duel:3x3:3", "duel:3x3:3:hidden", "backgammon", "bradspel",
        "birth:2", "birth:3:advanced"}) {
    ASSERT_TRUE(ResolveRules(rules)) << rules;
    const auto position = PositionOf(rules, Waits::kDecision, 3, 12);
    const auto json =
        AnalyzeJson({"--rules", rules, "--position", position, "--agent", "playouts,mcts=40"});
    ASSERT_EQ(json["waits"], "decision") << rules << " " << position;
    EXPECT_EQ(json["rules"], rules);
    EXPECT_EQ(json["agent"], "playouts,mcts=40");
    ASSERT_EQ(json["choices"].size(), json["choices_total"].get<std::size_t>());
    EXPECT_EQ(json["choices"][0]["error"], 0.0);
    // Every choice can be played; what is not a whole turn says so.
    const auto game = *ResolveRules(rules);
    for (const auto& choice : json["choices"]) {
      const auto after = *ParsePosition(game, position);
      const Seat actor = after->actor();
      for (const auto& action : choice["actions"]) {
        ASSERT_TRUE(after->Apply(action.get<std::string>())) << rules << choice.dump();
      }
      const bool continues = after->waits() == Waits::kDecision && after->actor() == actor;
      EXPECT_EQ(choice.contains("continues"), continues) << rules << choice.dump();
    }
    const auto text =
        Analyze({"--rules", rules, "--position", position, "--agent", "playouts,mcts=40"});
    EXPECT_EQ(text.exit_code, 0);
    const auto lines = LinesOf(text.out);
    for (std::size_t i = 2; i < lines.size(); ++i) EXPECT_LE(Columns(lines[i]), 80u) << lines[i];
  }
}

TEST(AnalyzeCommand, AnswersRollsOfEveryGameWithDice) {
  for (const auto* rules : {"race:short:2x4", "race:n=3:3x2:hidden", "race:n=2:2x2:setup=rolled",
                            "backgammon", "bradspel", "birth:2"}) {
    const auto position = PositionOf(rules, Waits::kChance, 5, 6);
    const auto json =
        AnalyzeJson({"--rules", rules, "--position", position, "--agent", "playouts,mcts=10"});
    ASSERT_EQ(json["waits"], "chance") << rules << " " << position;
    if (!json["listed"].get<bool>()) continue;
    double mean = 0;
    double luck = 0;
    double whole = 0;
    for (const auto& outcome : json["outcomes"]) {
      const auto probability = outcome["probability"].get<double>();
      whole += probability;
      mean += probability * outcome["value"].get<double>();
      luck += probability * outcome["luck"].get<double>();
    }
    EXPECT_NEAR(whole, 1, 1e-12) << rules;
    EXPECT_NEAR(mean, json["mean"].get<double>(), 1e-9) << rules;
    EXPECT_NEAR(luck, 0, 1e-9) << rules;
  }
}

TEST(AnalyzeCommand, OnePlyRanksByTheNetwork) {
  const auto json =
      AnalyzeJson({"--rules", "backgammon", "--agent", Net("backgammon"), "--position", kOpening});
  EXPECT_EQ(json["by"], "equity");
  EXPECT_EQ(json["seat"], "W");
  EXPECT_THAT(json["class_points"], ElementsAre(1, 2, 3));
  EXPECT_EQ(json["choices_total"], 16);
  EXPECT_EQ(json["search"]["plies"], 1);
  // Making the five point is what everybody plays.
  EXPECT_THAT(json["choices"][0]["actions"], ElementsAre("6/5,8/5"));
  double last = 1e9;
  for (const auto& choice : json["choices"]) {
    EXPECT_LE(choice["value"], last);
    last = choice["value"];
    EXPECT_NEAR(choice["error"].get<double>(), json["choices"][0]["value"].get<double>() - last,
                1e-12);
    const auto& mine = choice["classes"][0];
    const auto& other = choice["classes"][1];
    double equity = 0;
    double whole = 0;
    for (std::size_t c = 0; c < 3; ++c) {
      equity += (double(c) + 1) * (mine[c].get<double>() - other[c].get<double>());
      whole += mine[c].get<double>() + other[c].get<double>();
    }
    EXPECT_NEAR(equity, last, 1e-5);
    EXPECT_NEAR(whole, 1, 1e-5);
    EXPECT_NEAR(choice["win_shares"][0].get<double>() + choice["win_shares"][1].get<double>(), 1,
                1e-5);
  }
}

TEST(AnalyzeCommand, DeeperSearchesSayHowDeepEachChoiceWasValued) {
  const auto json = AnalyzeJson({"--rules", "race:short:2x9", "--position", kRaceOfNine, "--agent",
                                 Net("race_short_2x9") + ",plies=2,filter=2/1"});
  const auto& choices = json["choices"];
  ASSERT_GT(choices.size(), 3u);
  EXPECT_EQ(json["search"]["plies"], 2);
  EXPECT_EQ(json["search"]["complete"], true);
  EXPECT_GT(json["search"]["nodes"], choices.size());
  for (std::size_t i = 0; i < choices.size(); ++i) EXPECT_EQ(choices[i]["plies"], i < 2 ? 2 : 1);
}

TEST(AnalyzeCommand, RolloutsComeWithErrors) {
  const auto json = AnalyzeJson({"--rules", "race:short:2x9", "--position", kRaceOfNine, "--agent",
                                 Net("race_short_2x9") + ",rollout=72,truncate=3,filter=2/1"});
  const auto& choices = json["choices"];
  ASSERT_GT(choices.size(), 2u);
  EXPECT_EQ(choices[0]["games"], 72);
  EXPECT_GT(choices[0]["standard_error"], 0.0);
  EXPECT_EQ(choices[0]["standard_error_of_error"], 0.0);
  EXPECT_GT(choices[1]["standard_error_of_error"], 0.0);
  EXPECT_FALSE(choices[2].contains("games"));
  EXPECT_EQ(choices[2]["plies"], 1);
}

TEST(AnalyzeCommand, TreeSearchesShowVisitsAndALine) {
  const std::vector<std::string> args = {"--rules",           kRace,        "--agent",
                                         "playouts,mcts=150", "--position", kRaceMove};
  const auto json = AnalyzeJson(args);
  int visits = 0;
  for (const auto& choice : json["choices"]) {
    visits += choice["visits"].get<int>();
    EXPECT_EQ(choice["value"].is_null(), choice["visits"] == 0);
  }
  EXPECT_EQ(visits, 150);
  EXPECT_EQ(json["search"]["simulations"], 150);
  EXPECT_GE(json["search"]["depth_most"], json["search"]["depth_mean"]);
  const auto position = *ParsePosition(*ResolveRules(kRace), kRaceMove);
  const auto& line = json["search"]["principal_variation"];
  EXPECT_GE(line.size(), json["choices"][0]["actions"].size());
  for (const auto& action : line) EXPECT_TRUE(position->Apply(action.get<std::string>()));
  EXPECT_THAT(Analyze(args).out, HasSubstr("\nline: A "));
}

TEST(AnalyzeCommand, ResultsDependOnThePositionAlone) {
  const auto first = PositionOf(kRace, Waits::kDecision, 1, 10);
  const auto second = PositionOf(kRace, Waits::kDecision, 1, 14);
  const std::vector<std::string> args = {"--rules",          kRace,    "--agent",
                                         "playouts,mcts=60", "--json", "--position"};
  auto many = args;
  many.emplace_back("-");
  auto one = args;
  one.push_back(second);
  EXPECT_EQ(LinesOf(Analyze(many, first + "\n" + second + "\n").out).at(1) + "\n",
            Analyze(one).out);
}

TEST(AnalyzeCommand, ARollHasTheLuckOfItsOutcome) {
  const auto chance = AnalyzeJson(
      {"--rules", "backgammon", "--agent", Net("backgammon"), "--position", kBackgammonRoll});
  EXPECT_EQ(chance["outcomes_total"], 21);
  EXPECT_EQ(chance["outcomes"][0]["outcome"], "roll:66");
  const auto rolled = AnalyzeJson({"--rules", "backgammon", "--agent", Net("backgammon"),
                                   "--position", kBackgammonRoll, "--roll", "13"});
  EXPECT_EQ(rolled["position"], kOpening);
  EXPECT_EQ(rolled["roll"]["outcome"], "roll:31");
  EXPECT_EQ(rolled["roll"]["mean"], chance["mean"]);
  const auto& listed = chance["outcomes"];
  const auto found = std::find_if(listed.begin(), listed.end(), [](const auto& outcome) {
    return outcome["outcome"] == "roll:31";
  });
  ASSERT_NE(found, listed.end());
  EXPECT_EQ((*found)["luck"], rolled["roll"]["luck"]);
  EXPECT_EQ((*found)["best"], rolled["choices"][0]["actions"]);
  EXPECT_EQ((*found)["value"], rolled["choices"][0]["value"]);
}

TEST(AnalyzeCommand, AThrowOfManyDiceIsNotListed) {
  const auto json = AnalyzeJson({"--rules", "birth:3", "--agent", Net("birth")});
  EXPECT_EQ(json["listed"], false);
  EXPECT_THAT(json["outcomes"], IsEmpty());
  EXPECT_EQ(json["win_shares"].size(), 3u);
  EXPECT_EQ(json["win_shares"][0], json["mean"]);
  EXPECT_THAT(Analyze({"--rules", "birth:3", "--agent", Net("birth")}).out,
              HasSubstr("too many to list"));
  const auto rolled =
      AnalyzeJson({"--rules", "birth:3", "--agent", Net("birth"), "--roll", "11223344556"});
  EXPECT_EQ(rolled["roll"]["outcome"], "hand:2.2.2.2.2.1");
  EXPECT_EQ(rolled["roll"]["listed"], false);
  EXPECT_THAT(ErrorOf({"--rules", "birth:3", "--agent", Net("birth"), "--roll", "112"}),
              HasSubstr("Type 11 dice"));
}

TEST(AnalyzeCommand, APlayHasItsErrorAndRank) {
  const std::vector<std::string> args = {"--rules",    "backgammon", "--agent", Net("backgammon"),
                                         "--position", kOpening,     "--played"};
  const auto of = [&](const char* played) {
    auto all = args;
    all.emplace_back(played);
    return AnalyzeJson(all);
  };
  const auto best = of("8/5 6/5");
  EXPECT_EQ(best["played"]["rank"], 1);
  EXPECT_EQ(best["played"]["error"], 0.0);
  const auto json = of("24/23, 13/10");
  const auto rank = json["played"]["rank"].get<std::size_t>();
  EXPECT_GT(rank, 1u);
  EXPECT_EQ(json["played"]["actions"], json["choices"][rank - 1]["actions"]);
  EXPECT_EQ(json["played"]["error"], json["choices"][rank - 1]["error"]);
  auto all = args;
  all.emplace_back("8/5 6/5");
  EXPECT_THAT(Analyze(all).out, HasSubstr("\nplayed 8/5 6/5: number 1 of 16, the best\n"));
}

TEST(AnalyzeCommand, StepsOfAPlayMayComeInAnyOrder) {
  const auto of = [&](const char* played) {
    return AnalyzeJson({"--rules", kRace, "--agent", "playouts,mcts=60", "--position", kRaceMove,
                        "--played", played})["played"];
  };
  const auto played = of("m:0/2 m:6/1");
  EXPECT_EQ(of("6/1 0/2")["rank"], played["rank"]);
  EXPECT_THAT(of("6/1, 0/2")["given"], ElementsAre("m:6/1", "m:0/2"));
}

TEST(AnalyzeCommand, SingleStepsAreJudgedByTheFirst) {
  const auto json = AnalyzeJson(
      {"--rules", kRace, "--agent", "greedy", "--position", kRaceMove, "--played", "0/2 6/1"});
  EXPECT_EQ(json["by"], "novice_score");
  EXPECT_THAT(json["played"]["actions"], ElementsAre("m:0/2"));
  EXPECT_EQ(json["played"]["continues"], true);
}

TEST(AnalyzeCommand, SolvedDuelsShowMargins) {
  const TemporaryTable file;
  ASSERT_EQ(RunCommand({"solve", "--rules", "duel:3x3:2", "--out", file.path(), "--threads", "1"})
                .exit_code,
            0);
  const auto json = AnalyzeJson({"--rules", "duel:3x3:2", "--agent", "solver=" + file.path(),
                                 "--position", PositionOf("duel:3x3:2", Waits::kDecision, 2, 7)});
  double last = 1;
  for (const auto& choice : json["choices"]) {
    const int margin = choice["margin"];
    EXPECT_EQ(choice["value"], margin > 0 ? 1.0 : margin == 0 ? 0.5 : 0.0);
    EXPECT_LE(choice["value"], last);
    last = choice["value"];
  }
}

TEST(AnalyzeCommand, AnEndIsItsResult) {
  const auto position = PositionOf(kRace, Waits::kEnd, 4, 0);
  const auto json = AnalyzeJson({"--rules", kRace, "--agent", "greedy", "--position", position});
  EXPECT_EQ(json["waits"], "end");
  EXPECT_EQ(json["win_shares"].size(), 2u);
  EXPECT_EQ(json["scores"].size(), 2u);
  EXPECT_FALSE(json.contains("agent"));
  EXPECT_THAT(Analyze({"--rules", kRace, "--agent", "greedy", "--position", position}).out,
              HasSubstr("The game is over"));
  EXPECT_THAT(
      ErrorOf({"--rules", kRace, "--agent", "greedy", "--position", position, "--played", "0/1"}),
      HasSubstr("the game is over"));
}

// Deals the values of each colour that the seat does not see anew.
std::string Permuted(const AnyRules& game, const std::string& text, Seat seat) {
  return VisitGame(game, [&]<class G>(const typename G::Rules& rules) {
    const auto state = *G::parse(rules, text);
    RandomStream random(9, 0, Purpose::kHidden, 0);
    return G::position(rules, G::sample_hidden(rules, G::observe(rules, state, seat), random));
  });
}

TEST(AnalyzeCommand, DoesNotDependOnHiddenValues) {
  int differ = 0;
  for (const auto* rules : {"race:n=3:3x4:hidden", "duel:3x3:4:hidden", "race:n=3:2x4:hidden"}) {
    const auto game = *ResolveRules(rules);
    for (int steps = 8; steps < 40; steps += 8) {
      for (const Waits waits : {Waits::kDecision, Waits::kChance}) {
        const auto text = PositionOf(rules, waits, 6, steps);
        const auto position = *ParsePosition(game, text);
        if (position->waits() != waits) continue;
        const Seat seat = waits == Waits::kDecision ? position->actor() : position->turn();
        const auto other = Permuted(game, text, seat);
        differ += other != text ? 1 : 0;
        const auto run = [&](const std::string& shown, bool json) {
          std::vector<std::string> args = {"--rules", rules, "--agent",    "playouts,mcts=20",
                                           "--most",  "0",   "--position", shown};
          if (json) args.emplace_back("--json");
          const auto done = Analyze(args);
          EXPECT_EQ(done.exit_code, 0) << shown << done.err;
          return done.out;
        };
        EXPECT_EQ(run(text, true), run(other, true)) << rules << " " << text;
        EXPECT_EQ(run(text, false), run(other, false));
        // The view says as much.
        EXPECT_EQ(run(text, true), run(position->View(seat), true)) << position->View(seat);
      }
    }
  }
  EXPECT_GT(differ, 5);
}

TEST(AnalyzeCommand, RefusesTheViewOfAnotherPlayer) {
  const auto error = [](const char* position) {
    return ErrorOf(
        {"--rules", "race:short:2x3:hidden", "--agent", "greedy", "--position", position});
  };
  EXPECT_THAT(error("n=0 home=0,2 board=0:A{?.?.?},16:B{10.20.30} col=-;- turn=A phase=move:31"),
              HasSubstr("the player to act, A, sees"));
  EXPECT_THAT(error("n=0 home=0,2 board=0:A{10.20},16:B{?.?.?} col=-;- turn=A phase=move:31"),
              HasSubstr("with values for each '?'"));
}

TEST(AnalyzeCommand, ReadsManyPositions) {
  const std::string lines =
      std::string("# two positions\n") + kRaceMove + "\n\n" + kRaceMove + "\r\n";
  const std::vector<std::string> args = {"--rules", kRace, "--agent", "greedy"};
  auto piped = args;
  piped.insert(piped.end(), {"--position", "-", "--json"});
  const auto run = Analyze(piped, lines);
  EXPECT_EQ(run.exit_code, 0) << run.err;
  const auto out = LinesOf(run.out);
  ASSERT_EQ(out.size(), 2u);
  EXPECT_EQ(out[0], out[1]);
  EXPECT_EQ(Json::parse(out[0])["position"], kRaceMove);

  const std::string path = testing::TempDir() + "berd_analyze_positions.txt";
  std::ofstream(path) << lines;
  auto from_file = args;
  from_file.insert(from_file.end(), {"--file", path, "--json"});
  EXPECT_EQ(Analyze(from_file).out, run.out);
  std::filesystem::remove(path);

  const auto broken = Analyze(piped, lines + "nonsense\n");
  EXPECT_EQ(broken.exit_code, 2);
  EXPECT_EQ(broken.out, run.out);
  EXPECT_THAT(broken.err, HasSubstr("standard input line 5: "));
  EXPECT_THAT(ErrorOf(piped), HasSubstr("no position in it"));
}

TEST(AnalyzeCommand, ListsAtMostWhatIsAsked) {
  const std::vector<std::string> args = {"--rules",    "backgammon", "--agent", Net("backgammon"),
                                         "--position", kOpening,     "--most",  "2"};
  const auto run = Analyze(args);
  EXPECT_THAT(run.out, HasSubstr("\n  2 "));
  EXPECT_THAT(run.out, Not(HasSubstr("\n  3 ")));
  EXPECT_THAT(run.out, HasSubstr("and 14 more; --most 0 lists all"));
  const auto json = AnalyzeJson(args);
  EXPECT_EQ(json["choices"].size(), 2u);
  EXPECT_EQ(json["choices_total"], 16);
}

TEST(AnalyzeCommand, WithoutAnAgentPlayoutsJudge) {
  const auto run = Analyze({"--rules", "duel:3x3:2", "--json"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(Json::parse(run.out)["agent"], "playouts,mcts=2000,cpuct=2");
  EXPECT_THAT(run.err, HasSubstr("no --agent"));
}

TEST(AnalyzeCommand, SaysWhatIsWrong) {
  EXPECT_THAT(ErrorOf({}), HasSubstr("--rules is missing"));
  EXPECT_THAT(ErrorOf({"--rules", "shrot"}), HasSubstr("did you mean 'short'?"));
  EXPECT_THAT(ErrorOf({"--rules", kRace, "--agent", "gredy"}), HasSubstr("'greedy'"));
  EXPECT_THAT(ErrorOf({"--rules", kRace, "--agent", "no/such.net,plies=2"}),
              HasSubstr("no/such.net"));
  EXPECT_THAT(ErrorOf({"--rules", kRace, "--file", "/no/such/file", "--agent", "greedy"}),
              HasSubstr("cannot open /no/such/file"));
  const auto about = [](std::vector<std::string> args, const char* agent = "greedy") {
    args.insert(args.begin(), {"--rules", kRace, "--agent", agent});
    return ErrorOf(std::move(args));
  };
  EXPECT_THAT(about({"--position", "foo"}), HasSubstr("'n='"));
  EXPECT_THAT(about({"--position", kRaceMove}, "random"), HasSubstr("no ranking of its own"));
  EXPECT_THAT(about({}), HasSubstr("values no position"));
  EXPECT_THAT(about({"--roll", "77"}), HasSubstr("'77' is no outcome here; possible: roll:11"));
  EXPECT_THAT(about({"--position", kRaceMove, "--roll", "31"}), HasSubstr("waits for no roll"));
  EXPECT_THAT(about({"--played", "0/1"}), HasSubstr("waits for a roll"));
  EXPECT_THAT(about({"--position", "-", "--played", "0/1"}), HasSubstr("goes with one position"));
  EXPECT_THAT(about({"--position", "-", "--file", "x"}), HasSubstr("exclude each other"));
  EXPECT_THAT(about({"--position", kRaceMove, "--played", "7/2"}),
              HasSubstr("'7/2' is not legal here; did you mean '"));
  EXPECT_THAT(about({"--position", kRaceMove, "--played", "0/2"}, "playouts,mcts=20"),
              HasSubstr("more to decide after 'm:0/2'"));
  EXPECT_THAT(about({"--position", kRaceMove, "--played", "0/2 6/1 0/1"}),
              HasSubstr("the decision ends after 'm:6/1'"));
}

// Whole outputs, kept in tests/golden/; BERD_UPDATE_GOLDEN=1 writes them anew, as for GoldenPlay.
TEST(AnalyzeCommand, MatchesTheGoldenOutputs) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> outputs = {
      {"analyze_race",
       {"--rules", kRace, "--agent", "playouts,mcts=100", "--position", kRaceMove, "--played",
        "6/2 0/1", "--most", "6"}},
      {"analyze_roll", {"--rules", "race:n=1:2x2", "--agent", "playouts,mcts=50"}},
      {"analyze_hidden",
       {"--rules", "race:n=1:2x2:hidden", "--agent", "playouts,mcts=50", "--roll", "31"}},
      {"analyze_greedy", {"--rules", kRace, "--agent", "greedy", "--position", kRaceMove}},
  };
  for (const auto& [name, args] : outputs) {
    const auto run = Analyze(args);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    const std::string path = BERD_SOURCE_DIR "/tests/golden/" + name + ".txt";
    if (std::getenv("BERD_UPDATE_GOLDEN") != nullptr) {
      std::ofstream(path) << run.out;
      continue;
    }
    std::ifstream in(path);
    const std::string golden{std::istreambuf_iterator<char>(in), {}};
    EXPECT_EQ(run.out, golden) << name;
  }
}

}  // namespace
}  // namespace berd
