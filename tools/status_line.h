#pragma once

#include <ostream>
#include <string_view>

#include "tools/command.h"

namespace berd {

// Progress for people, on standard error: on a terminal one line that redraws itself, else a line
// now and then.
class StatusLine {
 public:
  explicit StatusLine(Console& console) : console_(console) {}

  // Seconds that should lie between two calls of Show.
  double interval() const { return console_.interactive ? 0.5 : 10; }

  void Show(std::string_view line) {
    if (console_.interactive) console_.err << "\r\033[K";
    console_.err << line;
    if (!console_.interactive) console_.err << "\n";
    console_.err.flush();
    shown_ = true;
  }

  // Takes the line off a terminal.
  void Finish() {
    if (shown_ && console_.interactive) console_.err << "\r\033[K" << std::flush;
    shown_ = false;
  }

 private:
  Console& console_;
  bool shown_ = false;
};

}  // namespace berd
