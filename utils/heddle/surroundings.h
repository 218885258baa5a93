// What the command needs of the process that it is started in, whatever is left of that: standard
// files may be closed, and the stack, files and memory limited.
#ifndef HEDDLE_SURROUNDINGS_H
#define HEDDLE_SURROUNDINGS_H

#include <functional>

namespace heddle {

// Calls `run` with standard files that are open, with a stack that is large enough, also for its
// threads, and with writes that fail instead of ending the process. Returns what it returns, or
// kCommandFailed, and says so, if it throws or standard output cannot be written.
int CallInOrder(const std::function<int()> &run);

} // namespace heddle

#endif // HEDDLE_SURROUNDINGS_H
