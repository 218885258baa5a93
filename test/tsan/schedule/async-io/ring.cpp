// A thread that waits in io_uring_enter is away from the schedule, and comes after what was submitted.
//
// REQUIRES: io_uring
// RUN: %clangxx_heddle %s -o %t && %expect_clean %t
// RUN: %every_schedule --kernel %t | %FileCheck %s
// CHECK: number 7, result 0
#include "heddle_test.h"
#include <linux/io_uring.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static int ring;
static io_uring_params params;
static char *queues;
static io_uring_sqe *requests;
static int number; // by whoever submits, read by whoever is told

static void *Submit(void *) {
  number = 7;
  auto *tail = reinterpret_cast<std::atomic<unsigned> *>(queues + params.sq_off.tail);
  auto *entries = reinterpret_cast<unsigned *>(queues + params.sq_off.array);
  memset(&requests[0], 0, sizeof(requests[0]));
  requests[0].opcode = IORING_OP_NOP;
  requests[0].user_data = reinterpret_cast<__u64>(&number);
  entries[0] = 0;
  tail->store(1, std::memory_order_release);
  EXPECT(syscall(SYS_io_uring_enter, ring, 1, 0, 0, nullptr, 0) == 1);
  return nullptr;
}

int main() {
  ring = int(syscall(SYS_io_uring_setup, 4, &params));
  EXPECT(ring >= 0 && params.features & IORING_FEAT_SINGLE_MMAP);
  queues = static_cast<char *>(mmap(nullptr, params.cq_off.cqes + 8 * sizeof(io_uring_cqe),
                                    PROT_READ | PROT_WRITE, MAP_SHARED, ring, IORING_OFF_SQ_RING));
  requests = static_cast<io_uring_sqe *>(mmap(nullptr, 4 * sizeof(io_uring_sqe),
                                              PROT_READ | PROT_WRITE, MAP_SHARED, ring,
                                              IORING_OFF_SQES));
  EXPECT(queues != MAP_FAILED && requests != MAP_FAILED);
  pthread_t thread;
  pthread_create(&thread, nullptr, Submit, nullptr);
  EXPECT(syscall(SYS_io_uring_enter, ring, 0, 1, IORING_ENTER_GETEVENTS, nullptr, 0) == 0);
  auto *done = reinterpret_cast<io_uring_cqe *>(queues + params.cq_off.cqes);
  printf("number %d, result %d\n", *reinterpret_cast<int *>(done->user_data), done->res);
  pthread_join(thread, nullptr);
  close(ring);
}
