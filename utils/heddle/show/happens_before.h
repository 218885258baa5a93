// What happens before an event, as the race detector has it.
//
// Each thread's clock says, for every slot, up to which epoch it knows. An operation of the epoch e
// of slot s happens before an event if the clock of the event's thread has e or more for s when the
// event is over. What a thread comes to know in an operation may be in its clock only when the
// interceptor is done (a lock is acquired after the turn has been passed on), so an event's clock
// is the one with which the thread's next event begins.
//
// Where this departs from the standard: an epoch ends with a release, so of the operations of a
// thread between two releases all or none are known, which is right, since only a release makes
// them known. A slot may come to another thread when it has ended, which then counts as its
// continuation; and when all epochs are used up the runtime forgets its clocks, and what came
// before that is in nobody's past. Both as in race detection itself.
#ifndef HEDDLE_SHOW_HAPPENS_BEFORE_H
#define HEDDLE_SHOW_HAPPENS_BEFORE_H

#include "execution.h"

#include <vector>

namespace heddle::show {

class HappensBefore {
public:
  explicit HappensBefore(const Execution &execution);

  // The last event of `thread` that happens before `event`, or -1. All that the thread did before
  // that happens before it, too. For its own thread: the event before it.
  int Last(size_t event, unsigned thread) const { return last_[event * threads_ + thread]; }
  bool Before(size_t a, size_t b) const;

  // Where an event comes to know of another thread's: the direct ones, neither in program order
  // nor by way of another.
  struct Edge {
    size_t from, to;
  };
  const std::vector<Edge> &Edges() const { return edges_; }

private:
  void FindEdges();

  const Execution &execution_;
  unsigned threads_;
  std::vector<int> last_;
  std::vector<Edge> edges_;
};

} // namespace heddle::show

#endif // HEDDLE_SHOW_HAPPENS_BEFORE_H
