#include "surroundings.h"

#include "command.h"
#include "hunt/failure.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <new>

#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <ucontext.h>
#include <unistd.h>

namespace heddle {
namespace {

constexpr size_t kStack = size_t(8) << 20, kEnough = size_t(1) << 20;

// The next file that is opened would take the number of a closed one, and get what is printed.
// These are opened the wrong way round, so that it is still an error to use them.
void OpenStandardFiles() {
  for (int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(number, F_GETFD) < 0)
      (void)!open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

// A thread gets a stack as large as the limit unless told otherwise.
void EnlargeThreads() {
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes))
    return;
  if (!pthread_attr_setstacksize(&attributes, kStack))
    pthread_setattr_default_np(&attributes);
  pthread_attr_destroy(&attributes);
}

bool StackIsSmall() {
  rlimit limit;
  return !getrlimit(RLIMIT_STACK, &limit) && limit.rlim_cur < kEnough;
}

int Complain(const char *what) {
  fprintf(stderr, "heddle: %s\n", what);
  return kCommandFailed;
}

int Guard(const std::function<int()> &run) {
  try {
    return run();
  } catch (const std::bad_alloc &) {
    return Complain(hunt::kNoMemory);
  } catch (const std::exception &error) {
    return Complain(error.what());
  }
}

// For makecontext, which passes no pointers.
const std::function<int()> *to_run;
int result;
void Enter() { result = Guard(*to_run); }

int CallOnLargeStack(const std::function<int()> &run) {
  void *stack = mmap(nullptr, kStack, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (stack == MAP_FAILED)
    return Guard(run);
  ucontext_t here, there;
  getcontext(&there);
  there.uc_stack.ss_sp = stack;
  there.uc_stack.ss_size = kStack;
  there.uc_link = &here;
  makecontext(&there, Enter, 0);
  to_run = &run;
  swapcontext(&here, &there);
  munmap(stack, kStack);
  return result;
}

} // namespace

int CallInOrder(const std::function<int()> &run) {
  OpenStandardFiles();
  for (int number : {SIGPIPE, SIGXFSZ})
    signal(number, SIG_IGN); // the call fails, too
  int code;
  if (StackIsSmall()) {
    EnlargeThreads();
    code = CallOnLargeStack(run);
  } else {
    code = Guard(run);
  }
  errno = 0;
  if (!fflush(stdout) && !ferror(stdout))
    return code;
  const std::string why = errno ? std::string(": ") + strerror(errno) : "";
  return Complain(
      ("standard output cannot be written" + why + ". Is there space, and does somebody read it?")
          .c_str());
}

} // namespace heddle
