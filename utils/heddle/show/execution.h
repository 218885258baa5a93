// What the runtime wrote to execution_file=: see docs/show.md for the format.
#ifndef HEDDLE_SHOW_EXECUTION_H
#define HEDDLE_SHOW_EXECUTION_H

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace heddle::show {

// Where something is: the address in a module, as its symbols have it.
struct Place {
  std::string module;
  uint64_t offset = 0;

  bool operator<(const Place &other) const {
    return std::tie(module, offset) < std::tie(other.module, other.offset);
  }
};

// An access that a report names.
struct RacingAccess {
  uint64_t address = 0;
  unsigned tid = 0, size = 0;
  bool write = false, atomic = false;
  std::vector<uint64_t> pcs;
};

struct Report {
  std::string what;
  std::vector<RacingAccess> accesses;
};

// An operation, or a report, which comes between operations. There may be millions.
struct Event {
  uint64_t tick = 0;
  unsigned thread = 0, stack = 0;
  std::string_view kind; // as in operation.h; the execution has the text
  // Changes of the thread's clock since its last event: slot and epoch.
  std::vector<std::pair<unsigned, unsigned>> clock;

  // Of an operation. It began in this epoch of the thread's slot.
  unsigned slot = 0, epoch = 0;
  std::optional<uint64_t> object; // an address
  std::optional<unsigned> of;     // the thread that it is about
  bool failed = false, waits = false;

  // Of an atomic one.
  unsigned size = 0;
  std::optional<unsigned> order; // 0 is relaxed, 5 seq_cst
  std::optional<uint64_t> read, written;

  // What an engine said about the store that was read: the stores since, and its tick if it is not
  // the initial value.
  std::optional<unsigned> newer;
  std::optional<uint64_t> from;

  std::unique_ptr<Report> report; // if it is one

  bool IsReport() const { return report != nullptr; }
  bool IsStale() const { return newer && *newer; }
};

struct Execution {
  std::vector<Event> events;                        // in the order of execution
  std::map<unsigned, unsigned> tids;                // of the runtime's reports, by thread
  std::map<unsigned, std::vector<uint64_t>> stacks; // return addresses, innermost first
  std::map<uint64_t, Place> code;                   // of the calls before return addresses
  std::map<uint64_t, Place> objects;                // those in modules
  uint64_t left_out = 0;                            // operations, by KeepLast
  std::set<std::string, std::less<>> kinds;         // the text of the events' kinds

  unsigned Threads() const;                  // the highest number, and one
  std::string NameOf(unsigned thread) const; // "main", "T1"
  std::optional<unsigned> ThreadOf(unsigned tid) const;
  // Forgets all but the last events. Returns what the threads know that have no event left.
  using Clock = std::map<unsigned, unsigned>; // epochs by slot
  std::map<unsigned, Clock> KeepLast(size_t count);
};

// A last line that is cut off is left out. Throws hunt::Failure if it is another format. With
// `last`, only so many events are kept, the last ones.
Execution ReadExecution(std::string_view text, size_t last = 0);

} // namespace heddle::show

#endif // HEDDLE_SHOW_EXECUTION_H
