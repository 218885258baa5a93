// The alternate stacks of the runtime are not seen: in each thread sigaltstack says that there is none
// until the program sets one, and again when it has taken it away; a handler with SA_ONSTACK runs
// on the program's. A thread that is used again begins without. Ten thousand threads leave nothing behind.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: %expect_clean %t
// RUN: env TSAN_OPTIONS=use_sigaltstack=0 %expect_clean %t
// RUN: env TSAN_OPTIONS=schedule=random %expect_clean %t
// RUN: env TSAN_OPTIONS=schedule=random:weak_memory=mograph %expect_clean %t
#include <assert.h>
#include <cstdio>
#include <cstring>
#include <errno.h>
#include <sanitizer/heddle_interface.h>
#include <signal.h>
#include <thread>

static void ExpectNone() {
  stack_t stack;
  memset(&stack, 1, sizeof(stack));
  assert(sigaltstack(nullptr, &stack) == 0);
  assert(stack.ss_flags == SS_DISABLE && !stack.ss_sp && !stack.ss_size);
}

static thread_local char *where;
static void Handle(int) {
  char here;
  where = &here;
  stack_t stack;
  assert(sigaltstack(nullptr, &stack) == 0 && stack.ss_flags == SS_ONSTACK);
  const stack_t none = {nullptr, SS_DISABLE, 0};
  assert(sigaltstack(&none, nullptr) == -1 && errno == EPERM);
  errno = 0;
}

static void UseOwn() {
  ExpectNone();
  static thread_local char memory[256 << 10];
  stack_t old, current;
  const stack_t own = {memory, 0, sizeof(memory)}, none = {nullptr, SS_DISABLE, 0};
  assert(sigaltstack(&own, &old) == 0 && old.ss_flags == SS_DISABLE && !old.ss_sp);
  assert(sigaltstack(nullptr, &current) == 0 && current.ss_sp == memory && current.ss_flags == 0);
  // In the call, and not at the end of the next: raise() is synchronous.
  raise(SIGUSR1);
  assert(where >= memory && where < memory + sizeof(memory));
  assert(sigaltstack(&old, &current) == 0 && current.ss_sp == memory);
  ExpectNone();
  assert(sigaltstack(&own, nullptr) == 0);
  assert(sigaltstack(&none, &current) == 0 && current.ss_sp == memory);
  ExpectNone();
  const stack_t small = {memory, 0, 1}, wrong = {memory, 77, sizeof(memory)};
  assert(sigaltstack(&small, nullptr) == -1 && errno == ENOMEM);
  assert(sigaltstack(&wrong, nullptr) == -1 && errno == EINVAL);
  ExpectNone();
}

// Leaves its own behind.
static void LeaveOwn() {
  ExpectNone();
  static char memory[256 << 10];
  const stack_t own = {memory, 0, sizeof(memory)};
  assert(sigaltstack(&own, nullptr) == 0);
}

static int Mappings() {
  FILE *file = fopen("/proc/self/maps", "r");
  int lines = 0;
  for (int c; (c = fgetc(file)) != EOF;)
    lines += c == '\n';
  fclose(file);
  return lines;
}

int main() {
  struct sigaction action = {};
  action.sa_handler = Handle;
  action.sa_flags = SA_ONSTACK;
  sigaction(SIGUSR1, &action, nullptr);
  UseOwn();
  std::thread(UseOwn).join();
  std::thread([] { std::thread(UseOwn).join(); }).join();
  std::thread(LeaveOwn).join();

  heddle::Options options;
  options.executions = 3;
  heddle::Explore(options, [] { std::thread(LeaveOwn).join(); });

  for (int i = 0; i < 100; i++)
    std::thread([] {}).join();
  const int before = Mappings();
  for (int i = 0; i < 10000; i++)
    std::thread([] {}).join();
  const int more = Mappings() - before;
  if (more > 1000)
    fprintf(stderr, "%d mappings more\n", more);
  assert(more <= 1000);
}
