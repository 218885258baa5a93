// Many litmus tests as one C file, since a compiler takes longer to start than to compile a test.
// Each has a prefix by its number, so that its globals are told apart (see emit_c.h).
#ifndef HEDDLE_LITMUS_COMPILE_SOURCE_H
#define HEDDLE_LITMUS_COMPILE_SOURCE_H

#include "../program.h"

#include <string>
#include <vector>

namespace heddle::litmus::compile {

// "t12_"
std::string PrefixOf(size_t number);
// "t12_P0"
std::string ThreadName(const std::string &prefix, int thread);

// The tests, and what a program without a C library needs to be linked, of which nothing is
// executed: an entry, and what libgcc asks for the processor's features. Throws
// std::invalid_argument as EmitC does.
std::string BatchSource(const std::vector<const Program *> &programs);

} // namespace heddle::litmus::compile

#endif // HEDDLE_LITMUS_COMPILE_SOURCE_H
