// What an execution came to: from its end and what it printed to the things that were found.
//
// Two keys fold duplicates. The raw one is made of places in modules, which are printed with
// symbolize=0 too, so that a bug that shows in every execution costs no symbolizer each time. The
// other one is for people and for findings of other builds: kind, functions and lines. Neither
// has addresses, thread numbers or ticks. With symbols a report leaves out frames below main and
// of the runtime, so that its raw key is another; the first frames are the same.
#ifndef HEDDLE_HUNT_OUTCOME_H
#define HEDDLE_HUNT_OUTCOME_H

#include <string>
#include <vector>

namespace heddle::hunt {

// How the process of an execution ended.
struct Ended {
  enum class How {
    kExited,     // `code` is the exit code
    kSignalled,  // `code` is the signal
    kTimedOut,   // it was ended by us
    kInterrupted // so it was, because the command is to stop
  };
  How how = How::kExited;
  int code = 0;
  bool waited = false;        // all its threads slept when it was ended by us
  std::string output, errors; // standard output and standard error
};

enum class Kind {
  kDataRace,
  kReport, // any other of ThreadSanitizer's
  kDeadlock,
  kLivelock,
  kAssertion,
  kAbort,
  kCrash,
  kTimeOut, // used the processor all the time
  kHang,    // waited
  kExit,    // not with 0
  kRefused  // the runtime itself says that it cannot run
};

// As in names of findings and in JSON.
const char *NameOf(Kind kind);
// The kind of that name; false if there is none.
bool KindOf(const std::string &name, Kind *kind);

// Whether such an execution ends by itself; if not, it is cut off, and so is a recording of it.
inline bool Ends(Kind kind) { return kind != Kind::kTimeOut && kind != Kind::kHang; }

struct Observation {
  Kind kind = Kind::kExit;
  std::string what;  // "data race", "SEGV", "exit code 3"
  std::string place; // "queue.cpp:88", or nothing
  std::string raw_key, key;
  std::string tops; // places in modules of the first frames
  std::string text; // the part of the output that is about it
};

// The reports of an execution in their order, and how it ended if that is a finding by itself.
// `report_code` is the exit code that stands for a report.
std::vector<Observation> ReadOutcome(const Ended &ended, int report_code = 66);

// The first one that is the same, with or without symbols; or nothing.
const Observation *FindSame(const std::vector<Observation> &all, const Observation &one);

// "race-queue.cpp-88-1a2b3c", the same for the same key.
std::string FindingName(const Observation &observation);

} // namespace heddle::hunt

#endif // HEDDLE_HUNT_OUTCOME_H
