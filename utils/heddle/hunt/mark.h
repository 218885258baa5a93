// The mark of what this user has written: a demo or a finding says which program is run, with which
// arguments and variables, so one from elsewhere is not just run (trust.h). A mark tells them
// apart.
//
// It is a file MARK, with the HMAC-SHA-256 of all that decides what a replay runs and of all
// streams of the demo. The key is random, made when it is first needed, and only this user can read
// it: $XDG_CONFIG_HOME/heddle/key, or ~/.config/heddle/key. So a mark is good for the same user on
// the same machine, wherever the directory is moved to, as long as nothing in it is changed. What a
// finding counts may change: the mark is not about it.
#ifndef HEDDLE_HUNT_MARK_H
#define HEDDLE_HUNT_MARK_H

#include <string>

namespace heddle::hunt {

struct Finding;

// Nothing if marks can be made. Otherwise why not, in a sentence, with what to do.
std::string WhyNoMarks();

// Before a demo is recorded: makes its directory, and room for its mark, which a full disk would
// not have at the end. Does nothing if that fails. A mark that was there is void.
void ReserveMark(const std::string &demo);
// If nothing was recorded: the directory goes as well, if there is nothing in it.
void ReleaseMark(const std::string &demo);

// If no mark can be made there is none, and a replay asks.
void MarkDemo(const std::string &directory);
// Its demo, too. `directory` is where it is now.
void MarkFinding(const Finding &finding, const std::string &directory);

// False also if there is no key.
bool HasMark(const std::string &demo);
bool HasMark(const Finding &finding, const std::string &directory);

} // namespace heddle::hunt

#endif // HEDDLE_HUNT_MARK_H
