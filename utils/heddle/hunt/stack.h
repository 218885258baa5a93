// Stacks in ThreadSanitizer's reports.
#ifndef HEDDLE_HUNT_STACK_H
#define HEDDLE_HUNT_STACK_H

#include <string>
#include <string_view>
#include <vector>

namespace heddle::hunt {

struct Frame {
  std::string function;       // nothing if it is not known
  std::string file;           // the whole path, likewise
  int line = 0;               // 0, likewise
  std::string module, offset; // "queue", "0x194e45"

  // Neither of the runtime, the C++ library nor the system, as far as one can see.
  bool IsUsers() const;
  std::string Place() const; // "queue.cpp:88", or nothing
};

// "    #0 Pop() /src/queue.cpp:88:5 (queue+0x194e45) (BuildId: ...)"; false if it is no such line.
bool ReadFrame(std::string_view line, Frame *frame);

// A heading and the frames below it.
struct Section {
  std::string heading;
  std::vector<Frame> frames;
};

// All sections of a report that have frames.
std::vector<Section> ReadSections(std::string_view report);

// What is the same in each execution: functions and lines of the first frames that are the
// user's; and places in modules of all frames.
std::string KeyOf(const std::vector<Frame> &frames);
std::string RawKeyOf(const std::vector<Frame> &frames);

// Calls `line(text)` for each line, without its end.
template <class Function> void ForEachLine(std::string_view text, Function line) {
  while (!text.empty()) {
    const size_t end = text.find('\n');
    line(text.substr(0, end));
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
  }
}

inline bool StartsWith(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

} // namespace heddle::hunt

#endif // HEDDLE_HUNT_STACK_H
