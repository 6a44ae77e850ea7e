#include "selfplay/gnubg_process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "search/random_agent.h"
#include "selfplay/game_player.h"
#include "selfplay/gnubg_agent.h"
#include "test_paths.h"

namespace berd {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StartsWith;

// With fake_gnubg.py in the place of the program and a folder of its own for temporary files.
class GnubgProcessTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::path(testing::TempDir()) / ("berd_" + std::to_string(getpid()) + test->name());
    // A short name, for sockets lie in it.
    temporary_ = fs::path("/tmp") / ("berd-test-" + std::to_string(getpid()));
    fs::create_directories(folder_);
    fs::create_directories(temporary_);
    Set("TMPDIR", temporary_.string());
    Set("FAKE_GNUBG_LOG", Log());
    Set("BERD_GNUBG", BERD_SOURCE_DIR "/tests/selfplay/fake_gnubg.py");
    Behave("echo");
  }
  void TearDown() override {
    for (const auto& name : set_) unsetenv(name.c_str());
    EXPECT_THAT(Files(temporary_), IsEmpty());
    fs::remove_all(folder_);
    fs::remove_all(temporary_);
  }

  void Set(const std::string& name, const std::string& value) {
    setenv(name.c_str(), value.c_str(), 1);
    set_.push_back(name);
  }
  void Behave(const std::string& mode) { Set("FAKE_GNUBG", mode); }
  std::string Log() const { return (folder_ / "log").string(); }
  std::string folder() const { return folder_.string(); }

  // What the fake programs wrote down.
  std::vector<std::string> LogLines() const {
    std::vector<std::string> lines;
    std::ifstream stream(Log());
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
  }
  static std::vector<std::string> Files(const fs::path& path) {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(path)) names.push_back(entry.path().string());
    return names;
  }

  static std::string StartError(const GnubgOptions& options = {}) {
    const auto process = GnubgProcess::Start(options);
    return process ? "fine" : process.error().message;
  }
  std::string AskError(const std::string& mode, const GnubgOptions& options = {}) {
    Behave(mode);
    const auto process = GnubgProcess::Start(options);
    if (!process) return process.error().message;
    const auto answer = (*process)->Ask("hello");
    EXPECT_FALSE((*process)->Ask("again")) << "after an error";
    return answer ? "fine" : answer.error().message;
  }

 private:
  fs::path folder_;
  fs::path temporary_;
  std::vector<std::string> set_;
};

bool Alive(pid_t id) { return kill(id, 0) == 0; }

// Waits up to ten seconds for the end of a process that is not our child.
bool EndsSoon(pid_t id) {
  for (int i = 0; i < 5000 && Alive(id); ++i) usleep(2000);
  return !Alive(id);
}

TEST_F(GnubgProcessTest, AsksAndIsAnswered) {
  const auto process = GnubgProcess::Start({.plies = 1});
  ASSERT_TRUE(process) << process.error().message;
  EXPECT_EQ(*(*process)->Ask("hello"), "hello");
  EXPECT_EQ(*(*process)->Ask(""), "");
  EXPECT_EQ(*(*process)->Ask("good bye"), "good bye");
  EXPECT_THAT(LogLines()[0], AllOf(HasSubstr("set evaluation chequerplay evaluation plies 1|"),
                                   HasSubstr("set cube use off|"), HasSubstr("|external ")));
}

TEST_F(GnubgProcessTest, PutsAnswersTogether) {
  Behave("pieces");
  const auto process = GnubgProcess::Start({});
  ASSERT_TRUE(process) << process.error().message;
  EXPECT_EQ(*(*process)->Ask("8/5 6/5 "), "8/5 6/5 ");
}

TEST_F(GnubgProcessTest, EndsWithTheObject) {
  auto process = *GnubgProcess::Start({});
  const pid_t id = process->id();
  EXPECT_TRUE(Alive(id));
  process.reset();
  EXPECT_FALSE(Alive(id));
}

// The thread that starts it may end before it.
TEST_F(GnubgProcessTest, OutlivesTheThreadThatStartedIt) {
  std::unique_ptr<GnubgProcess> process;
  std::thread([&] { process = *GnubgProcess::Start({}); }).join();
  EXPECT_EQ(*process->Ask("hello"), "hello");
}

TEST_F(GnubgProcessTest, EndsWhenOurProcessIsKilled) {
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t child = fork();
  if (child == 0) {
    const auto process = GnubgProcess::Start({});
    const pid_t id = process ? (*process)->id() : 0;
    if (write(ready[1], &id, sizeof id) != sizeof id) _exit(1);
    while (true) pause();
  }
  pid_t id = 0;
  ASSERT_EQ(read(ready[0], &id, sizeof id), static_cast<ssize_t>(sizeof id));
  ASSERT_GT(id, 0);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_TRUE(EndsSoon(id));
  close(ready[0]);
  close(ready[1]);
}

TEST_F(GnubgProcessTest, SaysWhatGoesWrong) {
  constexpr GnubgOptions kShort = {.plies = 0,
                                   .start_timeout = std::chrono::milliseconds(100),
                                   .reply_timeout = std::chrono::milliseconds(100)};
  EXPECT_THAT(AskError("die"), HasSubstr("died"));
  EXPECT_THAT(AskError("hang", {.reply_timeout = std::chrono::milliseconds(100)}),
              HasSubstr("did not answer within 100 ms"));
  EXPECT_THAT(AskError("chatter"), HasSubstr("more than one line"));
  EXPECT_THAT(AskError("long"), HasSubstr("more than one line"));
  EXPECT_THAT(AskError("stop"),
              AllOf(HasSubstr("stopped before it listened"), HasSubstr("'no such command'")));
  EXPECT_THAT(AskError("deaf", kShort), HasSubstr("did not listen within 100 ms"));
}

TEST_F(GnubgProcessTest, SaysHowToInstallIt) {
  Set("BERD_GNUBG", "/no/such/gnubg");
  EXPECT_THAT(StartError(), HasSubstr("BERD_GNUBG: '/no/such/gnubg' is not a program"));
  Set("BERD_GNUBG", "/tmp");
  EXPECT_THAT(StartError(), HasSubstr("'/tmp' is not a program"));
  if (access("/usr/games/gnubg", X_OK) == 0) return;
  const std::string path = std::getenv("PATH");
  setenv("BERD_GNUBG", "", 1);
  setenv("PATH", folder().c_str(), 1);
  EXPECT_THAT(StartError(), HasSubstr("apt install gnubg"));
  setenv("PATH", path.c_str(), 1);
}

TEST_F(GnubgProcessTest, IsFoundOnThePath) {
  const std::string path = std::getenv("PATH");
  setenv("BERD_GNUBG", "", 1);
  setenv("PATH", ("/no/such/folder:" + folder() + ":" + path).c_str(), 1);
  fs::copy(BERD_SOURCE_DIR "/tests/selfplay/fake_gnubg.py", folder() + "/gnubg");
  EXPECT_EQ(FindGnubg(), folder() + "/gnubg");
  setenv("PATH", path.c_str(), 1);
}

TEST_F(GnubgProcessTest, ServersAreKept) {
  GnubgServers servers({});
  EXPECT_EQ(servers.idle(), 0U);
  ASSERT_TRUE(servers.Prepare());
  ASSERT_TRUE(servers.Prepare());
  for (int i = 0; i < 5; ++i) EXPECT_EQ(*servers.Ask("hello"), "hello");
  EXPECT_EQ(servers.idle(), 1U);
  EXPECT_THAT(LogLines(), SizeIs(6));
}

TEST_F(GnubgProcessTest, ThereIsAServerForEveryThreadAtMost) {
  GnubgServers servers({});
  std::vector<std::thread> threads;
  threads.reserve(3);
  for (int thread = 0; thread < 3; ++thread) {
    threads.emplace_back([&servers, thread] {
      const std::string name = "thread " + std::to_string(thread);
      for (int i = 0; i < 100; ++i) EXPECT_EQ(*servers.Ask(name), name);
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_LE(servers.idle(), 3U);
}

TEST_F(GnubgProcessTest, ADeadServerIsReplacedOnce) {
  Behave("die-second");
  GnubgServers servers({});
  EXPECT_EQ(*servers.Ask("one"), "one");
  EXPECT_EQ(*servers.Ask("two"), "two");  // by a new process
  Behave("die");
  const auto answer = servers.Ask("three");
  ASSERT_FALSE(answer);
  EXPECT_THAT(answer.error().message, HasSubstr("died"));
  EXPECT_EQ(servers.idle(), 0U);
  EXPECT_THAT(LogLines(), SizeIs(3 + 5));
}

// ---- The agent

Result<ArenaResult> Match(int threads) {
  const auto servers = std::make_shared<GnubgServers>(GnubgOptions{});
  const std::vector<AgentMaker<Backgammon>> makers = {
      [servers] { return std::make_unique<GnubgAgent>(servers); },
      [] { return std::make_unique<RandomAgent<Backgammon>>(); }};
  return RunArena<Backgammon>(BackgammonRules{}, makers, {.games = 20, .threads = threads});
}

TEST_F(GnubgProcessTest, AMatchStopsWithAnErrorWhenGnubgFails) {
  for (const std::string mode : {"nonsense", "illegal", "die"}) {
    Behave(mode);
    for (const int threads : {1, 3}) {
      const auto result = Match(threads);
      ASSERT_FALSE(result) << mode;
      EXPECT_THAT(result.error().message,
                  AllOf(StartsWith("the match was stopped: gnubg"),
                        HasSubstr(mode == "nonsense"  ? "cannot read 'Error:'"
                                  : mode == "illegal" ? "is not legal by our rules"
                                                      : "died")));
    }
  }
}

}  // namespace
}  // namespace berd
