// A compiled test as the hardware models take it: for each thread the code that it may reach, the
// memory that it may read, and which addresses are the test's locations and results.
#ifndef HEDDLE_LITMUS_COMPILE_IMAGE_H
#define HEDDLE_LITMUS_COMPILE_IMAGE_H

#include "../hardware/code.h"
#include "../program.h"
#include "compiler.h"

#include <string>
#include <vector>

namespace heddle::litmus::compile {

struct CompiledThread {
  hardware::Image image;
  hardware::Entry entry;
};

// The functions of a compiler's library, which tests share, and the memory that is not code: made
// once for a program with many tests.
class ImageMaker {
public:
  // `prefixes` are those of all tests in the program.
  ImageMaker(const Binary &binary, const Target &target, const std::vector<std::string> &prefixes);

  // Throws std::runtime_error if a thread or a location has no symbol.
  std::vector<CompiledThread> Make(const Program &program, const std::string &prefix) const;

  // The code of a test's threads and of what they call, for people.
  std::string Listing(const Program &program, const std::string &prefix) const;

private:
  struct Range {
    std::string name;
    uint64_t begin = 0, end = 0;
  };
  std::vector<Range> RangesOf(const Program &program, const std::string &prefix) const;
  uint64_t AddressOf(const std::string &name) const;
  void AddCode(uint64_t begin, uint64_t end, hardware::Image *image) const;
  std::string List(const Range &range) const;

  const Binary &binary_;
  hardware::Image common_;
  std::vector<Range> library_;
};

} // namespace heddle::litmus::compile

#endif // HEDDLE_LITMUS_COMPILE_IMAGE_H
