#include "engine/core/error.h"

#include <utility>

namespace berd {

tl::unexpected<Error> Fail(std::string message) {
  return tl::unexpected<Error>(Error{std::move(message)});
}

tl::unexpected<Error> Fail(const std::string& place, const Error& error) {
  return Fail(place + ": " + error.message);
}

}  // namespace berd
