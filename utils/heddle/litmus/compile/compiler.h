// A compiler, a target and a level of optimisation: from the text of a C file to a linked program.
//
// The program is linked statically at fixed addresses, without a C library, so that every address
// in it is a number and its threads can be executed on paper. No flag changes how atomics
// are compiled but those that stand for the target.
#ifndef HEDDLE_LITMUS_COMPILE_COMPILER_H
#define HEDDLE_LITMUS_COMPILE_COMPILER_H

#include "disassembly.h"
#include "elf_file.h"
#include "target.h"
#include "tool.h"

#include <string>
#include <vector>

namespace heddle::litmus::compile {

struct Compiler {
  enum class Family { kGcc, kClang };
  std::string name;    // as it was asked for
  std::string command; // what is run
  std::string version; // the first line of --version
  Family family = Family::kGcc;
};

struct Configuration {
  Compiler compiler;
  Target target;
  std::string level; // "-O2"
};

// "gcc aarch64-lse -O2"
std::string NameOf(const Configuration &configuration);

struct Limits {
  double seconds = 60; // for each run of a tool
};

// "gcc" and "clang" are the target's own; all else is a command. Throws ToolError.
Compiler FindCompiler(const std::string &name, const Target &target, const Limits &limits);

// What is run to compile and to link, for reports and for those who want to do it by hand.
std::vector<std::string> CompileWords(const Configuration &configuration, const std::string &source,
                                      const std::string &object);
std::vector<std::string> LinkWords(const Configuration &configuration, const std::string &object,
                                   const std::string &program);

struct Binary {
  ElfFile file;
  Lines code;
};

// Compiles, links and disassembles. Throws ToolError, and ElfError for a program that is none.
Binary Build(const Configuration &configuration, const std::string &source, const Limits &limits);

} // namespace heddle::litmus::compile

#endif // HEDDLE_LITMUS_COMPILE_COMPILER_H
