#include "stack.h"

#include <cstdlib>

namespace heddle::hunt {
namespace {

bool Contains(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

bool IsDigits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
}

// Takes ":88" off the end of a path; -1 if there is none.
int TakeNumber(std::string_view *path) {
  const size_t colon = path->rfind(':');
  if (colon == path->npos || !IsDigits(path->substr(colon + 1)))
    return -1;
  const int number = atoi(std::string(path->substr(colon + 1)).c_str());
  *path = path->substr(0, colon);
  return number;
}

void ReadPlace(std::string_view place, Frame *frame) {
  if (place == "<null>")
    return;
  const int last = TakeNumber(&place), before = last < 0 ? -1 : TakeNumber(&place);
  frame->line = before >= 0 ? before : last >= 0 ? last : 0; // the last of two is the column
  frame->file = place;
}

// "(queue+0x194e45)" at the end of what is before "(BuildId: ...)".
bool ReadModule(std::string_view *line, Frame *frame) {
  const size_t build = line->rfind(" (BuildId: ");
  if (build != line->npos)
    *line = line->substr(0, build);
  const size_t open = line->rfind(" (");
  if (line->empty() || line->back() != ')' || open == line->npos)
    return false;
  const std::string_view inside = line->substr(open + 2, line->size() - open - 3);
  const size_t plus = inside.rfind("+0x");
  if (plus == inside.npos)
    return false;
  frame->module = inside.substr(0, plus);
  frame->module.erase(0, frame->module.rfind('/') + 1);
  frame->offset = inside.substr(plus + 1);
  *line = line->substr(0, open);
  return true;
}

} // namespace

bool Frame::IsUsers() const {
  if (file.empty())
    return false;
  for (const char *part : {"/include/c++/", "/compiler-rt/lib/", "/libstdc++-v3/", "../sysdeps/"})
    if (Contains(file, part))
      return false;
  for (const char *start : {"/usr/", "csu/", "nptl/", "stdlib/", "signal/", "assert/", "./nptl/",
                            "./stdlib/", "./signal/", "./assert/", "sysdeps/", "./elf/", "elf/"})
    if (StartsWith(file, start))
      return false;
  return true;
}

std::string Frame::Place() const {
  if (file.empty())
    return "";
  const std::string name = file.substr(file.rfind('/') + 1);
  return line ? name + ":" + std::to_string(line) : name;
}

bool ReadFrame(std::string_view line, Frame *frame) {
  *frame = {};
  const size_t begin = line.find_first_not_of(' ');
  if (begin == line.npos || begin < 2 || line[begin] != '#')
    return false;
  line.remove_prefix(begin + 1);
  const size_t space = line.find(' ');
  if (space == line.npos || !IsDigits(line.substr(0, space)))
    return false;
  line.remove_prefix(space + 1);
  if (!ReadModule(&line, frame))
    return false;
  // A function may have spaces in its name. A path that has some is cut there, each time.
  const size_t place = line.rfind(' ');
  if (place == line.npos)
    return true; // an address only
  ReadPlace(line.substr(place + 1), frame);
  const std::string_view function = line.substr(0, place);
  if (function != "<null>")
    frame->function = function;
  return true;
}

std::vector<Section> ReadSections(std::string_view report) {
  std::vector<Section> sections;
  Section section;
  auto finish = [&] {
    if (!section.frames.empty())
      sections.push_back(std::move(section));
    section = {};
  };
  ForEachLine(report, [&](std::string_view line) {
    Frame frame;
    if (ReadFrame(line, &frame)) {
      section.frames.push_back(frame);
    } else {
      finish();
      section.heading = line.substr(
          line.find_first_not_of(' ') == line.npos ? line.size() : line.find_first_not_of(' '));
    }
  });
  finish();
  return sections;
}

std::string KeyOf(const std::vector<Frame> &frames) {
  // Enough to tell apart callers of one small function, and few enough to fold what differs
  // only far away.
  constexpr int kFrames = 3;
  std::string key;
  int taken = 0;
  auto take = [&](const Frame &frame) {
    if (taken++ == kFrames)
      return false;
    key += (key.empty() ? "" : " < ") +
           (frame.function.empty() ? frame.module + "+" + frame.offset : frame.function);
    if (!frame.Place().empty())
      key += " " + frame.Place();
    return true;
  };
  for (const Frame &frame : frames)
    if (frame.IsUsers() && !take(frame))
      break;
  if (key.empty())
    for (const Frame &frame : frames)
      if (!take(frame))
        break;
  return key;
}

std::string RawKeyOf(const std::vector<Frame> &frames) {
  std::string key, last;
  for (const Frame &frame : frames) {
    // Inlined functions are frames of the same place, if there are symbols.
    const std::string place = frame.module + "+" + frame.offset;
    if (place != last)
      key += (key.empty() ? "" : " ") + place;
    last = place;
  }
  return key;
}

} // namespace heddle::hunt
