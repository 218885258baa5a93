// Executions as the runtime writes them, for the tests of utils/heddle/show.
#ifndef HEDDLE_SHOW_TESTING_H
#define HEDDLE_SHOW_TESTING_H

#include "heddle/show/execution.h"
#include "heddle/show/symbols.h"

namespace show_testing {

// A message that is published relaxed. The reader sees the flag, not the data.
inline std::string MessagePassing() {
  return R"({"heddle_execution":1}
{"thread":0,"tid":0}
{"clock":0,"changes":[0,1]}
{"pc":100,"module":"/bin/mp","offset":16}
{"stack":7,"pcs":[100]}
{"tick":0,"thread":0,"kind":"thread-create","stack":7,"slot":0,"epoch":1,"of":1}
{"thread":1,"tid":1}
{"clock":1,"changes":[0,1,1,1]}
{"tick":1,"thread":1,"kind":"thread-start","stack":0,"slot":1,"epoch":1}
{"object":4096,"module":"/bin/mp","offset":64}
{"tick":2,"thread":1,"kind":"store","stack":7,"slot":1,"epoch":1,"object":4096,"size":4,"order":0,"written":1}
{"tick":3,"thread":1,"kind":"store","stack":7,"slot":1,"epoch":1,"object":8192,"size":4,"order":0,"written":1}
{"clock":0,"changes":[0,2]}
{"tick":4,"thread":0,"kind":"load","stack":7,"slot":0,"epoch":2,"object":8192,"size":4,"order":2,"read":1,"newer":0,"from":3}
{"tick":5,"thread":0,"kind":"load","stack":7,"slot":0,"epoch":2,"object":4096,"size":4,"order":0,"read":0,"newer":1}
{"report":"failed assertion","tick":6,"tid":0,"stack":7}
)";
}

// The writer releases a lock, which the main thread takes: {0: create, 1: start, 2: unlock,
// 3: store, 4: lock, 5: load}.
inline std::string Locks() {
  return R"({"heddle_execution":1}
{"clock":0,"changes":[0,1]}
{"tick":0,"thread":0,"kind":"thread-create","stack":0,"slot":0,"epoch":1,"of":1}
{"clock":1,"changes":[0,1,1,1]}
{"tick":1,"thread":1,"kind":"thread-start","stack":0,"slot":1,"epoch":1}
{"tick":2,"thread":1,"kind":"unlock","stack":0,"slot":1,"epoch":1,"object":64}
{"clock":1,"changes":[1,2]}
{"tick":3,"thread":1,"kind":"store","stack":0,"slot":1,"epoch":2,"object":128,"size":4,"order":0,"written":1}
{"clock":0,"changes":[0,2]}
{"tick":4,"thread":0,"kind":"lock","stack":0,"slot":0,"epoch":2,"object":64}
{"clock":0,"changes":[1,1]}
{"tick":5,"thread":0,"kind":"load","stack":0,"slot":0,"epoch":2,"object":128,"size":4,"order":0,"read":1}
)";
}

} // namespace show_testing

#endif // HEDDLE_SHOW_TESTING_H
