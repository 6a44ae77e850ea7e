#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/error.h"
#include "search/expectiminimax/options.h"

namespace berd {

// An agent string (docs/reference/agents.md), read: `kind[=argument][,key[=value]…]`, for example
// `random`, `greedy,eps=0.25`, `net=champion.net`. Made by ParseAgentSpec, which knows every kind
// and its keys; whoever makes the agent need not check them again.
struct AgentSpec {
  struct Option {
    std::string key;
    std::string value;  // "" for a key that stands alone
    friend bool operator==(const Option&, const Option&) = default;
  };

  std::string kind;
  std::string argument;  // what follows `kind=`, for `net` the file; "" if the kind takes none
  std::vector<Option> options;  // in the order written, each key once

  bool Has(std::string_view key) const;
  // The value of a key, or the fallback if it is not given.
  std::string_view Text(std::string_view key, std::string_view fallback = "") const;
  double Number(std::string_view key, double fallback) const;
  // The values of a key of type kFilters: empty if it is not given.
  std::vector<MoveFilter> Filters(std::string_view key) const;

  friend bool operator==(const AgentSpec&, const AgentSpec&) = default;
};

// The error names the unknown kind or key and the nearest right one, or the range of a value.
Result<AgentSpec> ParseAgentSpec(std::string_view text);

// The agent string; parsing it gives an equal spec.
std::string ToString(const AgentSpec& spec);

// What may be written, for parsing and for help texts. A new kind or key is one line in the tables
// of agent_spec.cc. kFilters is one or more of `COUNT/MARGIN`, or `0` for no filter, with colons
// between them; its range is that of COUNT.
enum class AgentValue : unsigned char { kNone, kFile, kInteger, kOptionalInteger, kReal, kFilters };

struct AgentKey {
  std::string_view name;
  AgentValue value;
  double low;  // range of a number
  double high;
  std::string_view summary;
};

struct AgentKind {
  std::string_view name;
  AgentValue argument;
  std::span<const AgentKey> keys;  // besides the common ones
  std::string_view summary;
};

std::span<const AgentKind> AgentKinds();
// Keys that every kind understands.
std::span<const AgentKey> CommonAgentKeys();

}  // namespace berd
