// Writes a litmus test as a C11 translation unit without main, for looking at what
// a compiler makes of it:
//
//     #include <stdatomic.h>
//
//     _Atomic int x = 0;
//     int P0_r0;
//
//     void P0(void) {
//       int r0 = atomic_load_explicit(&x, memory_order_acquire);
//       P0_r0 = r0;
//     }
//
// The locations are global and keep their names, so that they are symbols. So is
// one plain int for each register that the test observes. It is written at the end
// of the thread: nothing stands between the accesses that the test is about. Nobody
// else touches it, and no other thread is told of it, so it changes no outcome.
#ifndef HEDDLE_LITMUS_EMIT_C_H
#define HEDDLE_LITMUS_EMIT_C_H

#include "program.h"

#include <string>

namespace heddle::litmus {

// Throws std::invalid_argument if two of the globals would have the same name, or
// one that C or <stdatomic.h> has taken.
std::string EmitC(const Program &program);

// The same without the #include, and with a prefix before the name of every global:
// for files that hold several tests.
std::string EmitCGlobals(const Program &program, const std::string &prefix);

// The statements of one thread, for those who put something else around them. With
// the prefix "*" all globals are pointers.
std::string EmitCBody(const Program &program, int thread, const std::string &prefix);

// "P0_r0", or a location's name.
std::string SymbolOf(const Program &program, const Observable &observable);

} // namespace heddle::litmus

#endif // HEDDLE_LITMUS_EMIT_C_H
