// How an execution ends is told, and does not disturb the next one.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: %fork_server "schedule=random" %t race -- seed=1 seed=2 | %FileCheck --check-prefix=RACE %s
// RACE: ready
// RACE: WARNING: ThreadSanitizer: data race
// RACE: TSAN_OPTIONS="schedule=random seed=1"
// RACE: ended 66
// RACE: WARNING: ThreadSanitizer: data race
// RACE: TSAN_OPTIONS="schedule=random seed=2"
// RACE: ended 66
// RACE: server 0
// RUN: %fork_server "schedule=random" %t abort -- seed=1 seed=2 | %FileCheck --check-prefix=ABORT %s
// ABORT: ThreadSanitizer: abort in thread T0
// ABORT: ended -6
// ABORT: ended -6
// RUN: %fork_server "schedule=random" %t deadlock -- seed=1 | %FileCheck --check-prefix=DEADLOCK %s
// DEADLOCK: WARNING: ThreadSanitizer: deadlock
// DEADLOCK: ended 66
// RUN: %fork_server "schedule=random" %t crash -- seed=1 | %FileCheck --check-prefix=CRASH %s
// CRASH: ThreadSanitizer: deadly signal in thread T0
// CRASH: ended 66
// RUN: %fork_server "schedule=none" %t exit -- seed=1 seed=2 | %FileCheck --check-prefix=EXIT %s
// EXIT: ended 7
// EXIT: ended 7
//
// What the program has printed before its first thread, and not yet flushed, is in each.
// RUN: %fork_server "schedule=random" %t exit -- seed=1 seed=2 | %FileCheck --check-prefix=OUTPUT %s
// OUTPUT: ready
// OUTPUT-NEXT: begins
// OUTPUT-NEXT: ended 7
// OUTPUT-NEXT: begins
// OUTPUT-NEXT: ended 7
//
// A program that starts no thread runs to its end.
// RUN: %fork_server "schedule=random" %t alone -- | %FileCheck --check-prefix=ALONE %s
// ALONE: begins
// ALONE-NEXT: gone
// ALONE-NEXT: server 0
//
// Flags that have had a say before are refused, wrong ones get the usual message, and the server
// goes on.
// RUN: %fork_server "schedule=random" %t exit -- weak_memory=mograph schedule=none \
// RUN:   schedule=pct:schedule_depth=0 schedule_trace=%t.trace seed=3 | %FileCheck --check-prefix=FLAGS %s
// FLAGS: an execution of a fork server cannot change weak_memory; start another server with it
// FLAGS: ended 66
// FLAGS: an execution of a fork server cannot change whether there is a schedule
// FLAGS: ended 66
// FLAGS: schedule_depth must be 1 to 100
// FLAGS: ended 66
// FLAGS: an execution of a fork server cannot change schedule_trace
// FLAGS: ended 66
// FLAGS: ended 7
// RUN: not env TSAN_OPTIONS="schedule=random fork_server=1" %t exit 2>&1 | %FileCheck --check-prefix=SOCKET %s
// SOCKET: fork_server=1: no socket of type SOCK_SEQPACKET has this descriptor
// RUN: not env TSAN_OPTIONS="schedule=random fork_server=1 record_demo=%t.demo" %t exit 2>&1 \
// RUN:   | %FileCheck --check-prefix=DEMO %s
// DEMO: fork_server does not go with record_demo or play_demo
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int data;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int main(int, char **arguments) {
  puts("begins");
  if (!strcmp(arguments[1], "alone"))
    return 0;
  pthread_t thread;
  pthread_create(&thread, nullptr, [](void *) -> void * { return data++, nullptr; }, nullptr);
  if (!strcmp(arguments[1], "race"))
    data++;
  pthread_join(thread, nullptr);
  if (!strcmp(arguments[1], "abort"))
    abort();
  if (!strcmp(arguments[1], "crash"))
    *static_cast<volatile int *>(nullptr) = 1;
  if (!strcmp(arguments[1], "deadlock")) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_lock(&mutex);
  }
  return strcmp(arguments[1], "exit") ? 0 : 7;
}
