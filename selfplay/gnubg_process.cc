#include "selfplay/gnubg_process.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <thread>
#include <utility>

#include "engine/core/text.h"

namespace berd {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::string_view kCommands = "commands";
constexpr std::string_view kLog = "log";
constexpr std::string_view kSocket = "socket";
constexpr std::size_t kLongestAnswer = 4096;

// A new folder that nobody else can read, removed with this object.
class PrivateFolder {
 public:
  static Result<PrivateFolder> Make() {
    std::error_code error;
    std::string base = std::filesystem::temp_directory_path(error).string();
    // gnubg takes a name with a colon for a host, and the names of sockets are short.
    if (error || base.size() > 70 || base.find_first_of(": \t'\"") != std::string::npos) {
      base = "/tmp";
    }
    std::string path = base + "/berd-gnubg-" + std::string(6, 'X');  // mkdtemp replaces these
    if (mkdtemp(path.data()) == nullptr) {
      return Fail(path + ": cannot make this folder: " + std::strerror(errno));
    }
    return PrivateFolder(std::move(path));
  }
  PrivateFolder(PrivateFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  PrivateFolder& operator=(PrivateFolder&&) = delete;
  ~PrivateFolder() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }

  const std::string& path() const { return path_; }
  std::string File(std::string_view name) const { return path_ + "/" + std::string(name); }

 private:
  explicit PrivateFolder(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

std::string CommandText(int plies, const std::string& socket) {
  std::string text =
      "set lang C\n"
      "set threads 1\n"
      "set cube use off\n"
      "set jacoby off\n"
      "set beavers 0\n";
  const std::string evaluation = "set evaluation chequerplay evaluation ";
  text += "set evaluation chequerplay type evaluation\n";
  text += evaluation + "plies " + std::to_string(plies) + "\n";
  text += evaluation + "cubeful off\n";
  text += evaluation + "prune on\n";
  text += "set evaluation cubedecision evaluation plies 0\n";
  return text + "external " + socket + "\n";
}

// The last line that the program printed, to say why it stopped.
std::string LastLine(const std::string& log) {
  std::ifstream stream(log);
  std::string last;
  for (std::string line; std::getline(stream, line);) {
    if (!line.empty()) last = line;
  }
  return last.empty() ? "it printed nothing" : "its last words: " + Quoted(last);
}

// Connects once the program listens.
Result<int> Connect(const ChildProcess& child, const PrivateFolder& folder,
                    std::chrono::milliseconds timeout) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string name = folder.File(kSocket);
  name.copy(address.sun_path, sizeof address.sun_path - 1);
  const auto deadline = Clock::now() + timeout;
  while (true) {
    const int socket_id = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (socket_id < 0) return Fail(std::string("gnubg: no socket: ") + std::strerror(errno));
    if (connect(socket_id, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) {
      return socket_id;
    }
    close(socket_id);
    if (!child.running()) {
      return Fail("gnubg stopped before it listened; " + LastLine(folder.File(kLog)));
    }
    if (Clock::now() >= deadline) {
      return Fail("gnubg did not listen within " + std::to_string(timeout.count()) + " ms; " +
                  LastLine(folder.File(kLog)));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

bool IsProgram(const std::string& path) {
  return access(path.c_str(), X_OK) == 0 && !std::filesystem::is_directory(path);
}

}  // namespace

Result<std::string> FindGnubg() {
  if (const char* chosen = std::getenv("BERD_GNUBG"); chosen != nullptr && *chosen != '\0') {
    if (IsProgram(chosen)) return std::string(chosen);
    return Fail("BERD_GNUBG: " + Quoted(chosen) + " is not a program");
  }
  const char* const path = std::getenv("PATH");
  for (const auto folder : Split(path == nullptr ? "" : path, ':')) {
    if (folder.empty()) continue;
    if (auto file = std::string(folder) + "/gnubg"; IsProgram(file)) return file;
  }
  if (IsProgram("/usr/games/gnubg")) return std::string("/usr/games/gnubg");
  return Fail("GNU Backgammon is not installed; on Debian: apt install gnubg");
}

Result<std::unique_ptr<GnubgProcess>> GnubgProcess::Start(const GnubgOptions& options) {
  const auto program = FindGnubg();
  if (!program) return tl::unexpected(program.error());
  const auto folder = PrivateFolder::Make();
  if (!folder) return tl::unexpected(folder.error());
  const std::string commands = folder->File(kCommands);
  if (!(std::ofstream(commands) << CommandText(options.plies, folder->File(kSocket))
                                << std::flush)) {
    return Fail(commands + ": cannot be written");
  }
  auto child = ChildProcess::Start(
      {*program, "-t", "-q", "-r", "-s", folder->path(), "-c", commands}, folder->File(kLog));
  if (!child) return tl::unexpected(child.error());
  const auto socket_id = Connect(**child, *folder, options.start_timeout);
  if (!socket_id) return tl::unexpected(socket_id.error());
  // Once connected neither side needs the folder any more.
  return std::unique_ptr<GnubgProcess>(new GnubgProcess(*std::move(child), *socket_id, options));
}

GnubgProcess::~GnubgProcess() { close(socket_); }

Result<std::string> GnubgProcess::Ask(std::string_view request) {
  if (failed_) return Fail("gnubg failed before");
  const auto sent = Send(std::string(request) + "\n");
  auto answer = sent ? Receive() : Result<std::string>(tl::unexpected(sent.error()));
  failed_ = !answer;
  return answer;
}

Result<void> GnubgProcess::Send(std::string_view line) const {
  while (!line.empty()) {
    const auto sent = send(socket_, line.data(), line.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) return Fail(std::string("gnubg cannot be asked: ") + std::strerror(errno));
    line.remove_prefix(static_cast<std::size_t>(sent));
  }
  return {};
}

Result<std::string> GnubgProcess::Receive() const {
  const auto deadline = Clock::now() + options_.reply_timeout;
  std::string answer;
  while (true) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    pollfd wait{socket_, POLLIN, 0};
    const int ready = left > 0 ? poll(&wait, 1, static_cast<int>(left)) : 0;
    if (ready < 0 && errno == EINTR) continue;
    if (ready == 0) {
      return Fail("gnubg did not answer within " + std::to_string(options_.reply_timeout.count()) +
                  " ms");
    }
    std::array<char, 512> part;
    const auto received = recv(socket_, part.data(), part.size(), 0);
    if (received < 0 && errno == EINTR) continue;
    if (received <= 0) return Fail("gnubg died while it was asked");
    answer.append(part.data(), static_cast<std::size_t>(received));
    const auto end = answer.find('\n');
    if (end == std::string::npos && answer.size() <= kLongestAnswer) continue;
    if (end == std::string::npos || end + 1 != answer.size()) {
      return Fail("gnubg answered more than one line: " + Quoted(answer));
    }
    answer.pop_back();
    return answer;
  }
}

Result<void> GnubgServers::Prepare() {
  auto process = TakeIdle();
  if (process == nullptr) {
    auto started = GnubgProcess::Start(options_);
    if (!started) return tl::unexpected(started.error());
    process = *std::move(started);
  }
  GiveBack(std::move(process));
  return {};
}

Result<std::string> GnubgServers::Ask(std::string_view request) {
  if (auto process = TakeIdle()) {
    if (auto answer = process->Ask(request)) {
      GiveBack(std::move(process));
      return answer;
    }
  }
  // None was free, or it died; a fresh one gets no second chance.
  auto process = GnubgProcess::Start(options_);
  if (!process) return tl::unexpected(process.error());
  auto answer = (*process)->Ask(request);
  if (answer) GiveBack(*std::move(process));
  return answer;
}

std::size_t GnubgServers::idle() const {
  const std::lock_guard lock(mutex_);
  return idle_.size();
}

std::unique_ptr<GnubgProcess> GnubgServers::TakeIdle() {
  const std::lock_guard lock(mutex_);
  if (idle_.empty()) return nullptr;
  auto process = std::move(idle_.back());
  idle_.pop_back();
  return process;
}

void GnubgServers::GiveBack(std::unique_ptr<GnubgProcess> process) {
  const std::lock_guard lock(mutex_);
  idle_.push_back(std::move(process));
}

}  // namespace berd
