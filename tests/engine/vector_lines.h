#pragma once

#include <string>
#include <vector>

// Reads the conformance vectors (rules page §10) without a JSON library, which engine tests do not
// link: the lines are flat enough for a scanner that knows strings, numbers and brackets.
namespace berd {

struct VectorStep {
  std::string position;
  std::vector<std::string> legal;
  std::string action;
};

struct VectorLine {
  std::string rules;
  // A game …
  std::vector<VectorStep> steps;
  std::string end;
  bool truncated = false;
  std::vector<long> scores;
  std::vector<std::string> win_shares;
  // … or a position with its views, by seat.
  std::string position;
  std::vector<std::string> views;
};

// All lines of all files tests/vectors/berd/*.jsonl, files in alphabetical order.
std::vector<VectorLine> ReadBerdVectors();
// The same for tests/vectors/<folder>.
std::vector<VectorLine> ReadVectors(const std::string& folder);

}  // namespace berd
