// Runs a fuzz target without libFuzzer: first every corpus file, then mutated corpus entries and
// random bytes, bounded in number and time. Takes libFuzzer's spelling of the options it knows:
//
//   rules_fuzz [-runs=N] [-max_total_time=SECONDS] [-seed=N] [-max_len=N] [FILE|FOLDER]...
//
// The same seed gives the same inputs. When the target crashes, the input is left in
// crash-<target> in the working folder; run the target with that file to see the crash again.

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

using Input = std::vector<std::uint8_t>;

struct Options {
  std::uint64_t runs = 100'000;
  std::uint64_t max_total_time = 10;
  std::uint64_t seed = 1;
  std::uint64_t max_len = 4096;
  std::vector<std::filesystem::path> corpus;
};

// Read by the signal handler, hence global.
const Input* current_input = nullptr;
std::string crash_file = "crash-input";

void SaveInputAndDie(int signal) {
  const int file = open(crash_file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (file >= 0 && current_input != nullptr) {
    const auto written = write(file, current_input->data(), current_input->size());
    static_cast<void>(written);
    close(file);
  }
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

bool ParseNumber(std::string_view text, std::string_view name, std::uint64_t& value) {
  if (!text.starts_with(name)) return false;
  text.remove_prefix(name.size());
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

bool ParseOptions(std::span<char*> arguments, Options& options) {
  for (const std::string_view argument : arguments) {
    if (!argument.starts_with('-')) {
      options.corpus.emplace_back(argument);
    } else if (!ParseNumber(argument, "-runs=", options.runs) &&
               !ParseNumber(argument, "-max_total_time=", options.max_total_time) &&
               !ParseNumber(argument, "-seed=", options.seed) &&
               !ParseNumber(argument, "-max_len=", options.max_len)) {
      std::cerr << "unknown option " << argument << '\n';
      return false;
    }
  }
  return true;
}

Input ReadFile(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

bool ReadCorpus(const std::vector<std::filesystem::path>& paths, std::vector<Input>& corpus) {
  std::vector<std::filesystem::path> files;
  for (const auto& path : paths) {
    if (std::filesystem::is_directory(path)) {
      for (const auto& entry : std::filesystem::recursive_directory_iterator(path)) {
        if (entry.is_regular_file()) files.push_back(entry.path());
      }
    } else if (std::filesystem::exists(path)) {
      files.push_back(path);
    } else {
      std::cerr << "no such file or folder: " << path << '\n';
      return false;
    }
  }
  std::sort(files.begin(), files.end());
  for (const auto& file : files) corpus.push_back(ReadFile(file));
  return true;
}

class Mutator {
 public:
  Mutator(std::uint64_t seed, std::size_t max_len, const std::vector<Input>& corpus)
      : random_(seed), max_len_(max_len), corpus_(corpus) {}

  // One time in eight (always without a corpus) random bytes, else a corpus entry with 1 to 8
  // edits.
  Input Next() {
    Input input;
    if (corpus_.empty() || Below(8) == 0) {
      RandomBytes(input);
    } else {
      input = Pick();
    }
    for (std::size_t edits = 1 + Below(8); edits > 0; --edits) Edit(input);
    if (input.size() > max_len_) input.resize(max_len_);
    return input;
  }

 private:
  std::size_t Below(std::size_t bound) { return static_cast<std::size_t>(random_() % bound); }
  const Input& Pick() { return corpus_[Below(corpus_.size())]; }

  // The parsers under test read text: prefer the characters they know.
  std::uint8_t Byte() {
    static constexpr std::string_view kLikely = "0123456789ABCDabc:;,=+-/@!.?{}|>\"[]# \n";
    if (Below(4) == 0) return static_cast<std::uint8_t>(Below(256));
    return static_cast<std::uint8_t>(kLikely[Below(kLikely.size())]);
  }

  void RandomBytes(Input& input) {
    input.resize(Below(std::min<std::size_t>(max_len_, 64) + 1));
    for (auto& byte : input) byte = Byte();
  }

  void Edit(Input& input) {
    const std::size_t at = Below(input.size() + 1);
    const auto position = input.begin() + static_cast<std::ptrdiff_t>(at);
    const std::size_t rest = input.size() - at;
    switch (Below(7)) {
      case 0:  // change a byte
        if (rest > 0) input[at] = Byte();
        break;
      case 1:  // flip a bit
        if (rest > 0) input[at] = static_cast<std::uint8_t>(input[at] ^ (1U << Below(8)));
        break;
      case 2:  // insert a byte
        input.insert(position, Byte());
        break;
      case 3:  // remove some bytes
        input.erase(position, position + static_cast<std::ptrdiff_t>(
                                             std::min<std::size_t>(rest, 1 + Below(8))));
        break;
      case 4: {  // repeat a part elsewhere
        const std::size_t length = std::min<std::size_t>(rest, 1 + Below(16));
        const Input part(position, position + static_cast<std::ptrdiff_t>(length));
        const auto target = static_cast<std::ptrdiff_t>(Below(input.size() + 1));
        input.insert(input.begin() + target, part.begin(), part.end());
        break;
      }
      case 5:  // cut
        if (Below(4) == 0) input.resize(at);
        break;
      default:  // go on as another entry does
        if (!corpus_.empty() && Below(2) == 0) {
          const Input& other = Pick();
          const std::size_t from = Below(other.size() + 1);
          input.resize(at);
          input.insert(input.end(), other.begin() + static_cast<std::ptrdiff_t>(from), other.end());
        }
        break;
    }
  }

  std::mt19937_64 random_;
  std::size_t max_len_;
  const std::vector<Input>& corpus_;
};

void Run(const Input& input) {
  current_input = &input;
  LLVMFuzzerTestOneInput(input.data(), input.size());
}

}  // namespace

int main(int argc, char** argv) {
  const std::span<char*> arguments(argv, static_cast<std::size_t>(argc));
  Options options;
  std::vector<Input> corpus;
  if (!ParseOptions(arguments.subspan(1), options) || !ReadCorpus(options.corpus, corpus)) return 2;

  crash_file = "crash-" + std::filesystem::path(arguments[0]).filename().string();
  for (const int signal : {SIGABRT, SIGSEGV, SIGFPE, SIGILL, SIGBUS}) {
    std::signal(signal, SaveInputAndDie);
  }

  const auto start = std::chrono::steady_clock::now();
  const auto limit = std::chrono::seconds(options.max_total_time);
  Run({});
  for (const Input& input : corpus) Run(input);
  Mutator mutator(options.seed, options.max_len, corpus);
  std::uint64_t runs = 0;
  while (runs < options.runs) {
    Run(mutator.Next());
    ++runs;
    if (runs % 64 == 0 && std::chrono::steady_clock::now() - start > limit) break;
  }
  std::cout << corpus.size() << " corpus files and " << runs << " made inputs, no crash\n";
  return 0;
}
