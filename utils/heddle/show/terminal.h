// An execution as text: a lane for each thread, stale reads drawn to the stores that they read.
#ifndef HEDDLE_SHOW_TERMINAL_H
#define HEDDLE_SHOW_TERMINAL_H

#include "view.h"

#include <functional>
#include <string>

namespace heddle::show {

struct TerminalOptions {
  bool colour = false;
  bool fold = true;
  bool ascii = false; // nothing else
  unsigned width = 0; // of the terminal; 0: any
};

// Gives the text to `write`, a line at a time: of a long execution it is hundreds of megabytes.
void WriteText(const View &view, const TerminalOptions &options,
               const std::function<void(const std::string &)> &write);
std::string ToText(const View &view, const TerminalOptions &options);

} // namespace heddle::show

#endif // HEDDLE_SHOW_TERMINAL_H
