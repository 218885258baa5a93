// Segments of System V are attached where they were in the recording.
//
// RUN: %clang_heddle %s -o %t
// RUN: %t
// RUN: rm -rf %t.demo && env TSAN_OPTIONS="schedule=random seed=1 record_demo=%t.demo" \
// RUN:   %t > %t.recorded
// RUN: env TSAN_OPTIONS="play_demo=%t.demo" %t > %t.played
// RUN: cmp %t.recorded %t.played
#include <pthread.h>
#include <stdio.h>
#include <sys/ipc.h>
#include <sys/shm.h>

enum { kTimes = 20 };

static int segment;
static void *attached[2][kTimes];

static void *Attach(void *argument) {
  void **at = argument;
  for (int i = 0; i < kTimes; i++) {
    at[i] = shmat(segment, NULL, 0);
    if (i % 3 == 0 && shmdt(at[i]))
      perror("shmdt");
  }
  return NULL;
}

int main() {
  segment = shmget(IPC_PRIVATE, 5000, IPC_CREAT | 0600);
  if (segment < 0)
    return 1;
  pthread_t threads[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], NULL, Attach, attached[i]);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  shmctl(segment, IPC_RMID, NULL);
  for (int i = 0; i < kTimes; i++)
    printf("%p %p\n", attached[0][i], attached[1][i]);
  return shmdt(&segment) != -1;
}
