// With report_waiting_after a program that still runs says once what each of its threads waits for,
// and goes on. Here it waits for another process, which waits for just that.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: bash -c 'set -e; for options in schedule=random schedule=queue schedule=pos \
// RUN:   "schedule=random weak_memory=mograph" "schedule=random record_demo=%t.demo"; do rm -rf %t.demo; \
// RUN:   TSAN_OPTIONS="$options report_waiting_after=1" %t waits > %t.said; %FileCheck %s --check-prefix=WAITS < %t.said; \
// RUN:   done'
// RUN: env TSAN_OPTIONS="schedule=random report_waiting_after=1" %t alone > %t.said
// RUN: %FileCheck %s --check-prefix=ALONE < %t.said
// RUN: env TSAN_OPTIONS="schedule=random report_waiting_after=1" %t busy > %t.said
// RUN: %FileCheck %s --check-prefix=BUSY < %t.said
#include "heddle_test.h"
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

static int errors[2], answer[2];
static volatile char *told;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static bool done;

// Of the other process: prints what comes until it has what is to come last, and then lets the
// program go on.
static void ReadReport(const char *last) {
  static char text[1 << 16];
  size_t size = 0;
  while (!strstr(text, last)) {
    const ssize_t more = read(errors[0], text + size, sizeof(text) - 1 - size);
    EXPECT(more > 0);
    size += size_t(more);
  }
  fputs(text, stdout);
  fflush(stdout);
  *told = 1;
  EXPECT(write(answer[1], "", 1) == 1);
  _exit(0);
}

__attribute__((noinline)) static void AwaitAnswer() {
  char byte;
  EXPECT(read(answer[0], &byte, 1) == 1);
}

__attribute__((noinline)) static void AwaitCondition() {
  pthread_mutex_lock(&mutex);
  while (!done)
    pthread_cond_wait(&condition, &mutex);
  pthread_mutex_unlock(&mutex);
}

// Performs no operation.
__attribute__((noinline, disable_sanitizer_instrumentation)) static void Compute() {
  while (!*told) {
  }
}

int main(int, char **arguments) {
  const bool waits = !strcmp(arguments[1], "waits"), busy = !strcmp(arguments[1], "busy");
  told = static_cast<volatile char *>(
      mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  EXPECT(!pipe(errors) && !pipe(answer));
  const pid_t child = fork();
  if (!child) {
    close(errors[1]);
    ReadReport(waits ? "AwaitCondition" : busy ? "#0" : "AwaitAnswer");
  }
  signal(SIGPIPE, SIG_IGN); // the rest of the report may find no reader
  dup2(errors[1], 2);
  if (busy) {
    // BUSY: ThreadSanitizer: the program still runs after 1 seconds (pid={{[0-9]+}}). The others wait for the next operation of
    // BUSY-NEXT: thread T1:
    // BUSY-NEXT: #0
    std::thread thread([] { Compute(); });
    thread.join();
  } else if (waits) {
    // WAITS: ThreadSanitizer: the program still runs after 1 seconds (pid={{[0-9]+}}). Its threads:
    // WAITS-NEXT: Main thread is in a system call:
    // WAITS: #{{[01]}} AwaitAnswer
    // WAITS: Thread T1 waits for condition variable 0x{{[0-9a-f]+}}:
    // WAITS-NEXT: #0
    // WAITS-NEXT: #1 AwaitCondition
    std::thread thread([] { AwaitCondition(); });
    AwaitAnswer();
    pthread_mutex_lock(&mutex);
    done = true;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
    thread.join();
  } else {
    // ALONE: ThreadSanitizer: the program still runs after 1 seconds (pid={{[0-9]+}}). Its threads:
    // ALONE-NEXT: Main thread is in a system call:
    // ALONE: #{{[01]}} AwaitAnswer
    AwaitAnswer();
  }
  int status;
  EXPECT(waitpid(child, &status, 0) == child && !status);
}
