// Objects in memory that has a name have one name in the schedule too, wherever they are mapped. As
// other programs may have them, who waits for them in vain is not in a deadlock: it is looked after.
// RUN: %clangxx_heddle %s -o %t
// RUN: env TSAN_OPTIONS="schedule=random seed=5 processes=together" %t | %FileCheck %s
// RUN: env TSAN_OPTIONS="schedule=pct seed=5 processes=together" %t | %FileCheck %s
// RUN: env TSAN_OPTIONS="schedule=queue processes=together" %t | %FileCheck %s
// CHECK: at other addresses
// CHECK: posted from outside
#include <fcntl.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "heddle_test.h"

static char name[64];

static sem_t *MapByName() {
  const int file = shm_open(name, O_RDWR | O_CREAT, 0600);
  EXPECT(file >= 0 && ftruncate(file, 2 * 4096) == 0);
  void *memory = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 4096);
  EXPECT(memory != MAP_FAILED);
  close(file);
  return static_cast<sem_t *>(memory);
}

int main() {
  snprintf(name, sizeof(name), "/heddle-test-%d", getpid());
  sem_t *semaphores = MapByName();
  const int segment = shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600);
  auto *in_segment = static_cast<sem_t *>(shmat(segment, nullptr, 0));
  EXPECT(sem_init(&semaphores[0], 1, 0) == 0 && sem_init(&semaphores[1], 1, 0) == 0);
  EXPECT(sem_init(&in_segment[0], 1, 0) == 0);
  const pid_t child = fork();
  if (child == 0) {
    sem_t *again = MapByName();
    auto *segment_again = static_cast<sem_t *>(shmat(segment, nullptr, 0));
    EXPECT(again != semaphores && segment_again != in_segment);
    for (int i = 0; i < 10; i++) {
      sem_wait(&again[0]);
      sem_post(&segment_again[0]);
    }
    _exit(0);
  }
  for (int i = 0; i < 10; i++) {
    sem_post(&semaphores[0]);
    sem_wait(&in_segment[0]);
  }
  puts("at other addresses");
  fflush(stdout);
  int status;
  EXPECT(waitpid(child, &status, 0) == child && status == 0);
  // A process that the schedule does not know.
  if (syscall(SYS_fork) == 0) {
    sem_post(&semaphores[1]);
    _exit(0);
  }
  sem_wait(&semaphores[1]);
  puts("posted from outside");
  wait(nullptr);
  shm_unlink(name);
  shmctl(segment, IPC_RMID, nullptr);
}
