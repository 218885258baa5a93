// liburing calls the kernel past libc. A recording refuses it all the same.
//
// REQUIRES: liburing, io_uring
// RUN: %clangxx_heddle %s -o %t -luring
// RUN: %record_and_play %t | %FileCheck %s
// RUN: rm -rf %t.demo
// RUN: env TSAN_OPTIONS="schedule=random record_demo=%t.demo" %t 2>&1 | %FileCheck --check-prefix=NOTE %s
// RUN: env TSAN_OPTIONS="schedule=random" %t | %FileCheck --check-prefix=FREE %s
// CHECK: Function not implemented
// NOTE: note: io_uring is refused in a recording
// FREE: result 0
#include <liburing.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static io_uring ring;

static void *Await(void *) {
  io_uring_cqe *done;
  if (!io_uring_wait_cqe(&ring, &done))
    printf("result %d\n", done->res);
  return nullptr;
}

int main() {
  if (const int error = io_uring_queue_init(4, &ring, 0)) {
    printf("%s\n", strerror(-error));
    return 0;
  }
  pthread_t thread;
  pthread_create(&thread, nullptr, Await, nullptr);
  io_uring_prep_nop(io_uring_get_sqe(&ring));
  io_uring_submit(&ring);
  pthread_join(thread, nullptr);
  io_uring_queue_exit(&ring);
}
