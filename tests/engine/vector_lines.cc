#include "tests/engine/vector_lines.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "test_paths.h"

namespace berd {

namespace {

class Scanner {
 public:
  explicit Scanner(const std::string& text) : text_(text) {}

  // Skips white space, commas and colons; the next character.
  char Peek() {
    while (text_.at(at_) == ' ' || text_.at(at_) == ',' || text_.at(at_) == ':') ++at_;
    return text_[at_];
  }
  void Expect(char c) {
    if (Peek() != c) throw std::runtime_error("expected " + std::string(1, c) + " in " + text_);
    ++at_;
  }
  bool Ends(char c) {
    if (Peek() != c) return false;
    ++at_;
    return true;
  }
  std::string String() {
    Expect('"');
    const auto end = text_.find('"', at_);
    std::string word = text_.substr(at_, end - at_);
    at_ = end + 1;
    return word;
  }
  // A number or true.
  std::string Word() {
    Peek();
    const auto end = text_.find_first_of(" ,]}", at_);
    std::string word = text_.substr(at_, end - at_);
    at_ = end;
    return word;
  }
  std::vector<std::string> Strings() {
    std::vector<std::string> list;
    for (Expect('['); !Ends(']');) list.push_back(String());
    return list;
  }

 private:
  const std::string& text_;
  std::size_t at_ = 0;
};

VectorStep ReadStep(Scanner& scanner) {
  VectorStep step;
  for (scanner.Expect('{'); !scanner.Ends('}');) {
    const std::string key = scanner.String();
    if (key == "pos") {
      step.position = scanner.String();
    } else if (key == "act") {
      step.action = scanner.String();
    } else {
      step.legal = scanner.Strings();
    }
  }
  return step;
}

VectorLine ReadLine(const std::string& text) {
  VectorLine line;
  Scanner scanner(text);
  for (scanner.Expect('{'); !scanner.Ends('}');) {
    const std::string key = scanner.String();
    if (key == "rules") {
      line.rules = scanner.String();
    } else if (key == "end") {
      line.end = scanner.String();
    } else if (key == "pos") {
      line.position = scanner.String();
    } else if (key == "truncated") {
      line.truncated = scanner.Word() == "true";
    } else if (key == "win") {
      line.win_shares = scanner.Strings();
    } else if (key == "score") {
      for (scanner.Expect('['); !scanner.Ends(']');)
        line.scores.push_back(std::stol(scanner.Word()));
    } else if (key == "steps") {
      for (scanner.Expect('['); !scanner.Ends(']');) line.steps.push_back(ReadStep(scanner));
    } else if (key == "views") {
      for (scanner.Expect('{'); !scanner.Ends('}');) {
        scanner.String();
        line.views.push_back(scanner.String());
      }
    } else {
      throw std::runtime_error("unknown key " + key);
    }
  }
  return line;
}

}  // namespace

std::vector<VectorLine> ReadVectors(const std::string& folder) {
  std::vector<std::filesystem::path> files;
  const auto path = std::filesystem::path(BERD_SOURCE_DIR) / "tests/vectors" / folder;
  for (const auto& entry : std::filesystem::directory_iterator(path)) {
    if (entry.path().extension() == ".jsonl") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  std::vector<VectorLine> lines;
  for (const auto& file : files) {
    std::ifstream stream(file);
    for (std::string text; std::getline(stream, text);) {
      if (!text.empty()) lines.push_back(ReadLine(text));
    }
  }
  return lines;
}

std::vector<VectorLine> ReadBerdVectors() { return ReadVectors("berd"); }

}  // namespace berd
