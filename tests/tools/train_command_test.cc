#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "engine/core/random.h"
#include "nn/file_system.h"
#include "nn/network.h"
#include "selfplay/checkpoint.h"
#include "selfplay/learner.h"
#include "test_paths.h"
#include "tests/nn/temporary_folder.h"
#include "tests/tools/run_command.h"

namespace berd {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

namespace fs = std::filesystem;

constexpr const char* kConfig = "[run]\nrules = \"race:short:2x2\"\n";

std::string Write(const TemporaryFolder& folder, const std::string& name, const std::string& text) {
  EXPECT_TRUE(WriteFile(folder.Path(name), text));
  return folder.Path(name);
}

TEST(TrainCommand, RefusesABadConfig) {
  const TemporaryFolder folder;
  const auto path = Write(folder, "x.toml", std::string(kConfig) + "[selfplay]\nlamda = 1\n");
  const auto run = RunCommand({"train", path, "--output", folder.Path("run")});
  EXPECT_EQ(run.exit_code, kExitUsage);
  EXPECT_THAT(run.err, HasSubstr("x.toml:4: unknown key 'lamda' in [selfplay]; did you mean "
                                 "'lambda'?"));
  EXPECT_THAT(run.out, IsEmpty());
  EXPECT_FALSE(fs::exists(folder.Path("run")));
}

TEST(TrainCommand, RefusesBadArguments) {
  EXPECT_EQ(RunCommand({"train"}).exit_code, kExitUsage);
  EXPECT_EQ(RunCommand({"train", "a.toml", "b.toml"}).exit_code, kExitUsage);
  EXPECT_THAT(RunCommand({"train", "a.toml", "--reusme"}).err, HasSubstr("--resume"));
  const auto missing = RunCommand({"train", "/nowhere/a.toml"});
  EXPECT_EQ(missing.exit_code, kExitUsage);
  EXPECT_THAT(missing.err, HasSubstr("/nowhere/a.toml: cannot be opened"));
}

TEST(TrainCommand, RefusesABadSetting) {
  const TemporaryFolder folder;
  const auto path = Write(folder, "x.toml", kConfig);
  const auto run = RunCommand({"train", path, "--set", "selfplay.games=none"});
  EXPECT_EQ(run.exit_code, kExitUsage);
  EXPECT_THAT(run.err, HasSubstr("setting 'selfplay.games=none': 'games' in [selfplay] must be"));
}

TEST(TrainCommand, ExplainsItself) {
  const auto run = RunCommand({"train", "--help"});
  EXPECT_EQ(run.exit_code, kExitOk);
  EXPECT_THAT(run.out, AllOf(HasSubstr("--resume"), HasSubstr("--set"),
                             HasSubstr("berd train configs/quickstart.toml")));
}

TEST(TrainCommand, ResumesOnlyWhatExists) {
  const TemporaryFolder folder;
  const auto path = Write(folder, "x.toml", kConfig);
  const auto run = RunCommand({"train", path, "--output", folder.Path("run"), "--resume"});
  EXPECT_EQ(run.exit_code, kExitUsage);
  EXPECT_THAT(run.err, AllOf(HasSubstr("there is no run to go on with in " + folder.Path("run")),
                             HasSubstr("start it without --resume")));
}

TEST(TrainCommand, RefusesADamagedCheckpoint) {
  const TemporaryFolder folder;
  const auto path = Write(folder, "x.toml", kConfig);
  Write(folder, "checkpoint.berd", "something else");
  const std::string root = fs::path(path).parent_path().string();
  const auto run = RunCommand({"train", path, "--output", root, "--resume"});
  EXPECT_EQ(run.exit_code, kExitUsage);
  EXPECT_THAT(run.err, HasSubstr("checkpoint.berd: not a Berd checkpoint file"));
}

// ---- The real program, with LibTorch

bool HasTrainer() { return fs::exists(fs::path(BERD_CLI_PATH).parent_path() / "libberd_train.so"); }

// The `berd` program as a child process; its output goes to a file.
class Process {
 public:
  Process(const std::vector<std::string>& args, const std::string& output) {
    std::vector<char*> argv;
    std::string program = BERD_CLI_PATH;
    argv.push_back(program.data());
    std::vector<std::string> kept = args;
    for (auto& arg : kept) argv.push_back(arg.data());
    argv.push_back(nullptr);
    const int out = open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    pid_ = fork();
    if (pid_ == 0) {
      dup2(out, STDOUT_FILENO);
      dup2(out, STDERR_FILENO);
      execv(argv[0], argv.data());
      _exit(127);
    }
    close(out);
  }
  ~Process() {
    if (!Ended()) Kill();
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  // Whether the process has ended by itself; then exit_code is known.
  bool Ended() {
    if (!ended_ && waitpid(pid_, &status_, WNOHANG) == pid_) ended_ = true;
    return ended_;
  }
  int Wait() {
    if (!ended_) waitpid(pid_, &status_, 0);
    ended_ = true;
    return exit_code();
  }
  void Kill() {
    kill(pid_, SIGKILL);
    Wait();
  }
  void Send(int signal) const { kill(pid_, signal); }
  int exit_code() const { return WIFEXITED(status_) ? WEXITSTATUS(status_) : -WTERMSIG(status_); }

 private:
  pid_t pid_ = -1;
  int status_ = 0;
  bool ended_ = false;
};

std::string Bytes(const std::string& path) {
  return ReadFile(path, std::uint64_t{1} << 30).value_or("");
}

std::size_t LinesIn(const std::string& path) {
  std::ifstream file(path);
  std::size_t lines = 0;
  for (std::string line; std::getline(file, line);) ++lines;
  return lines;
}

// 240 short rounds and checkpoints as often as possible.
constexpr std::size_t kRounds = 240;
constexpr const char* kShortRounds = R"([run]
rules = "race:short:2x2"
seed = 5
[network]
width = 16
[selfplay]
games = 9600
round = 40
[learning]
batch = 128
window = 3
[checkpoint]
seconds = 0.01
[evaluation]
games = 0
)";

class SlowTrain : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!HasTrainer()) GTEST_SKIP() << "built without the trainer";
    config_ = Write(folder_, "short.toml", kShortRounds);
  }
  std::vector<std::string> Command(const std::string& run, bool resume = false) const {
    std::vector<std::string> args = {"train", config_, "--output", folder_.Path(run)};
    if (resume) args.emplace_back("--resume");
    return args;
  }
  std::string Output() const { return Bytes(folder_.Path("output")); }

  TemporaryFolder folder_;
  std::string config_;
};

// Waits until the log has `rounds` more lines than now or the time is over, then a little more.
void WaitForRounds(Process& process, const std::string& log, std::size_t rounds,
                   std::chrono::milliseconds more) {
  using Clock = std::chrono::steady_clock;
  const auto limit = Clock::now() + std::chrono::seconds(60);
  const std::size_t wanted = LinesIn(log) + rounds;
  while (rounds > 0 && LinesIn(log) < wanted && !process.Ended() && Clock::now() < limit) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  std::this_thread::sleep_for(more);
}

TEST_F(SlowTrain, SurvivesKillsAtAnyMoment) {
  ASSERT_EQ(Process(Command("whole"), folder_.Path("output")).Wait(), kExitOk) << Output();
  const std::string whole = Bytes(RunFiles(folder_.Path("whole")).network);
  ASSERT_FALSE(whole.empty());

  const RunFiles files(folder_.Path("killed"));
  RandomStream random(2, 0, Purpose::kTest, 0);
  int kills = 0;
  int kills_with_progress = 0;
  while (true) {
    // Before the first checkpoint there is nothing to go on from.
    const bool resume = fs::exists(files.checkpoint);
    Process process(Command("killed", resume), folder_.Path("output"));
    if (kills == 14) {
      ASSERT_EQ(process.Wait(), kExitOk) << Output();
      break;
    }
    // Sometimes while it starts, mostly in a round or while it writes.
    const std::size_t rounds = random.Below(5);
    WaitForRounds(process, files.log, rounds,
                  std::chrono::milliseconds(random.Below(rounds == 0 ? 400 : 20)));
    if (process.Ended()) {
      ASSERT_EQ(process.exit_code(), kExitOk) << Output();
      break;
    }
    process.Kill();
    ++kills;
    if (!fs::exists(files.checkpoint)) continue;
    const auto checkpoint = LoadCheckpoint(files.checkpoint);
    ASSERT_TRUE(checkpoint) << checkpoint.error().message;
    EXPECT_LE(static_cast<std::size_t>(checkpoint->round), LinesIn(files.log));
    if (checkpoint->round > 0) ++kills_with_progress;
  }
  EXPECT_GE(kills, 10);
  EXPECT_GE(kills_with_progress, 5);
  EXPECT_TRUE(Bytes(files.network) == whole) << "another network than without kills";
  EXPECT_EQ(LinesIn(files.log), kRounds);
  EXPECT_TRUE(LoadNetwork(files.network));
}

TEST_F(SlowTrain, StopsAtCtrlCAndGoesOn) {
  const RunFiles files(folder_.Path("run"));
  {
    Process process(Command("run"), folder_.Path("output"));
    WaitForRounds(process, files.log, 3, std::chrono::milliseconds(0));
    process.Send(SIGINT);
    EXPECT_EQ(process.Wait(), kExitFailed);
    EXPECT_THAT(Output(), HasSubstr("Go on with: berd train " + files.config + " --resume"));
  }
  // The written config says where the run is.
  const std::vector<std::string> again = {"train", files.config, "--resume"};
  EXPECT_EQ(Process(again, folder_.Path("output")).Wait(), kExitOk) << Output();
  ASSERT_EQ(Process(Command("whole"), folder_.Path("output")).Wait(), kExitOk) << Output();
  EXPECT_TRUE(Bytes(files.network) == Bytes(RunFiles(folder_.Path("whole")).network));
}

TEST_F(SlowTrain, MovesAnEarlierRunAsideAndMeasuresTheNewOne) {
  auto args = Command("run/");  // the slash must not matter
  args.insert(args.end(), {"--set", "selfplay.games=100", "--set", "evaluation.games=40"});
  ASSERT_EQ(Process(args, folder_.Path("output")).Wait(), kExitOk) << Output();
  EXPECT_THAT(Output(), AllOf(HasSubstr("arena: net="), HasSubstr("win share "),
                              HasSubstr("Play against it: ")));
  const std::string first = Bytes(folder_.Path("run/final.net"));
  ASSERT_EQ(Process(args, folder_.Path("output")).Wait(), kExitOk) << Output();
  EXPECT_THAT(Output(), HasSubstr(" is now " + folder_.Path("run.old1")));
  EXPECT_THAT(folder_.Names(), Contains("run.old1"));
  EXPECT_TRUE(Bytes(folder_.Path("run.old1/final.net")) == first);
  EXPECT_TRUE(Bytes(folder_.Path("run/final.net")) == first);
}

TEST_F(SlowTrain, RefusesToGoOnWithOtherSettings) {
  auto args = Command("run");
  args.insert(args.end(), {"--set", "selfplay.games=100"});
  ASSERT_EQ(Process(args, folder_.Path("output")).Wait(), kExitOk) << Output();
  const std::string before = Bytes(folder_.Path("run/final.net"));
  auto other = Command("run", true);
  other.insert(other.end(), {"--set", "selfplay.games=200"});
  EXPECT_EQ(Process(other, folder_.Path("output")).Wait(), kExitUsage);
  EXPECT_THAT(Output(), AllOf(HasSubstr("belongs to a run with config"), HasSubstr("games = 100")));
  EXPECT_TRUE(Bytes(folder_.Path("run/final.net")) == before);
}

}  // namespace
}  // namespace berd
