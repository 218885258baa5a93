// The traces of all threads, and the values that loads may return: each needs the
// other, so both grow in turn.
#include "trace.h"

#include <algorithm>

namespace heddle::litmus::hardware {

void MakeTraces(const std::vector<ThreadTraces> &threads, HardwareProgram *program) {
  Values values;
  for (const Location &location : program->locations)
    values.push_back({location.initial});
  for (size_t round = 0;; round++) {
    program->threads.clear();
    Values grown = values;
    // A write whose value takes as many rounds as there are writes has all the
    // others before it.
    size_t longest = 0;
    for (const ThreadTraces &thread : threads) {
      program->threads.push_back(thread(values));
      size_t most = 0;
      for (const Trace &trace : program->threads.back()) {
        size_t writes = 0;
        for (const Event &event : trace.events)
          if (event.kind == Event::Kind::kWrite) {
            grown[event.location].insert(event.value);
            writes++;
          }
        most = std::max(most, writes);
      }
      longest += most;
    }
    if (grown == values || round >= longest)
      return;
    values = std::move(grown);
  }
}

} // namespace heddle::litmus::hardware
