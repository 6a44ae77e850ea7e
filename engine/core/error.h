#pragma once

#include <string>

#include "tl/expected.hpp"

namespace berd {

// An error of the outside world (a file, a notation, a configuration, a network). The message says
// what is wrong, where, and what would be right; it is one line without a final newline.
struct Error {
  std::string message;
};

// A value or an `Error`. Thread-compatible like the value it holds.
template <class T>
using Result = tl::expected<T, Error>;

// An error for any Result.
tl::unexpected<Error> Fail(std::string message);

// The same error with a place or a context in front: `place: message`.
tl::unexpected<Error> Fail(const std::string& place, const Error& error);

}  // namespace berd
