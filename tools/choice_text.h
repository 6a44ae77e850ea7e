#pragma once

#include <span>
#include <string>
#include <string_view>

#include "engine/core/error.h"
#include "search/agent.h"
#include "selfplay/agent_spec.h"
#include "tools/play/game_words.h"

namespace berd {

// What `--agent`, `--hint` and the like take: an agent string, or one that begins with the file
// name of a network.
Result<AgentSpec> ResolveAgent(const std::string& text);

// A path as it could be typed: "16/5 21/3".
std::string TypableText(std::span<const std::string> actions, const GameWords& words);

// "with win share", "with the points expected", "with its score".
std::string_view RankedByText(RankedBy by);
// A value of a ranking in a column: " 55.12 %", " +0.2150", "   12.50"; win shares and points with
// as many digits fewer.
std::string ValueText(RankedBy by, double value, int fewer_digits = 0);
// A difference of such values: "  1.11", "  0.031".
std::string GapText(RankedBy by, double gap);

// How well a choice is known: "412 visits", "2 plies", "360 games"; "" for a look at what it leads
// to.
std::string DepthText(const RankedDepth& depth);

}  // namespace berd
