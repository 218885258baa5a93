// Feeds bytes to the litmus parsers. What that of C accepts must print as a test that
// it reads as the same program.

#include "heddle/litmus/hardware/assembly_litmus.h"
#include "heddle/litmus/parser.h"
#include "heddle/litmus/printer.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  using namespace heddle::litmus;
  std::string text(reinterpret_cast<const char *>(data), size);
  Program program, again;
  ParseError error;
  if (hardware::IsAssemblyTest(text)) {
    hardware::AssemblyTest test;
    if (!hardware::ParseAssembly(text, "input", &test, &error) && error.message.empty())
      abort();
    hardware::ParseAssemblyExpectation(text, "input", &error);
    return 0;
  }
  if (!Parse(text, "input", &program, &error)) {
    if (error.message.empty())
      abort();
    return 0;
  }
  std::vector<Expectation> expectations;
  ParseExpectations(text, "input", program, &expectations, &error);
  std::string printed = PrintProgram(program);
  if (!Parse(printed, "printed", &again, &error) || !SameProgram(program, again)) {
    fprintf(stderr, "%s\n%s\n", printed.c_str(), error.ToString().c_str());
    abort();
  }
  return 0;
}
