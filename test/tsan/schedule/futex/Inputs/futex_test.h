// The system call, as the programs of this directory make it.
#ifndef FUTEX_TEST_H
#define FUTEX_TEST_H

#include "heddle_test.h"
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef std::atomic<unsigned> Word;

// -1 with errno in `error`, or what the call returned. Every other call is private.
struct Result {
  long value;
  int error;
  bool operator==(const Result &other) const = default;
};

inline Result Futex(Word *word, int operation, unsigned value, const void *timeout = nullptr,
                    Word *word2 = nullptr, unsigned value3 = 0) {
  static thread_local int calls;
  if (calls++ % 2)
    operation |= FUTEX_PRIVATE_FLAG;
  errno = 0;
  long result = syscall(SYS_futex, word, operation, value, timeout, word2, value3);
  return {result, errno};
}

inline const void *Count(long count) { return (const void *)count; }
const Result kOk = {0, 0};
inline Result Error(int error) { return {-1, error}; }

#endif // FUTEX_TEST_H
