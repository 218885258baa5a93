#include "happens_before.h"

#include "../hunt/failure.h"

#include <algorithm>

namespace heddle::show {
namespace {

// Of a thread.
struct Progress {
  std::map<unsigned, unsigned> clock;
  std::vector<size_t> operations; // reports are in nobody's past
  std::vector<size_t> known;      // how many of each thread's operations
  int last = -1;                  // its last event
  size_t pending = size_t(-1);    // the event whose clock is that of the next
};

} // namespace

HappensBefore::HappensBefore(const Execution &execution)
    : execution_(execution), threads_(execution.Threads()) {
  const std::vector<Event> &events = execution.events;
  constexpr size_t kMost = size_t(1) << 26;
  if (events.size() > kMost / std::max(threads_, 1u) || threads_ > (1u << 12))
    throw hunt::Failure("the order of " + std::to_string(events.size()) + " operations of " +
                        std::to_string(threads_) +
                        " threads takes too much memory. Show fewer with --last.");
  last_.assign(events.size() * threads_, -1);
  std::vector<Progress> threads(threads_);
  for (Progress &thread : threads)
    thread.known.assign(threads_, 0);

  // The event is over, and its thread's clock is as it is now.
  auto settle = [&](unsigned number) {
    Progress &thread = threads[number];
    if (thread.pending == size_t(-1))
      return;
    for (unsigned other = 0; other < threads_; other++) {
      if (other == number)
        continue;
      const std::vector<size_t> &operations = threads[other].operations;
      size_t &known = thread.known[other];
      while (known < operations.size() && operations[known] < thread.pending) {
        const Event &event = events[operations[known]];
        const auto entry = thread.clock.find(event.slot);
        if (entry == thread.clock.end() || entry->second < event.epoch)
          break;
        known++;
      }
      if (known)
        last_[thread.pending * threads_ + other] = int(operations[known - 1]);
    }
    thread.pending = size_t(-1);
  };

  for (size_t i = 0; i < events.size(); i++) {
    const Event &event = events[i];
    Progress &thread = threads[event.thread];
    for (const auto &[slot, epoch] : event.clock)
      thread.clock[slot] = epoch;
    settle(event.thread);
    last_[i * threads_ + event.thread] = thread.last;
    thread.pending = i;
    if (!event.IsReport()) {
      thread.last = int(i);
      thread.operations.push_back(i);
    }
  }
  for (unsigned number = 0; number < threads_; number++)
    settle(number);
  FindEdges();
}

bool HappensBefore::Before(size_t a, size_t b) const {
  return a != b && int(a) <= Last(b, execution_.events[a].thread) &&
         !execution_.events[a].IsReport();
}

void HappensBefore::FindEdges() {
  for (size_t to = 0; to < execution_.events.size(); to++) {
    const unsigned own = execution_.events[to].thread;
    const int previous = Last(to, own);
    for (unsigned other = 0; other < threads_; other++) {
      const int from = Last(to, other);
      if (other == own || from < 0 || (previous >= 0 && Last(size_t(previous), other) >= from))
        continue;
      bool direct = true;
      for (unsigned third = 0; third < threads_ && direct; third++) {
        const int by = third == own || third == other ? -1 : Last(to, third);
        // Only what is new can have brought it.
        direct = by < 0 || Last(size_t(by), other) < from;
      }
      if (direct)
        edges_.push_back({size_t(from), to});
    }
  }
}

} // namespace heddle::show
