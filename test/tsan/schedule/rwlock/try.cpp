// What the functions that do not wait return, to the thread itself and to another.
// RUN: %clangxx_heddle %s -o %t && %every_schedule %t | %FileCheck %s
// CHECK: free: read 0, write 0
// CHECK: read: read 0, write EBUSY
// CHECK: written: read EBUSY, write EBUSY
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <thread>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

const char *Unlocked(int result) {
  if (result == 0)
    pthread_rwlock_unlock(&lock);
  return result == 0 ? "0" : result == EBUSY ? "EBUSY" : "?";
}

void Try(const char *state) {
  std::thread([=] {
    const char *read = Unlocked(pthread_rwlock_tryrdlock(&lock));
    const char *write = Unlocked(pthread_rwlock_trywrlock(&lock));
    printf("%s: read %s, write %s\n", state, read, write);
  }).join();
}

int main() {
  Try("free");
  pthread_rwlock_rdlock(&lock);
  Try("read");
  pthread_rwlock_unlock(&lock);
  pthread_rwlock_wrlock(&lock);
  Try("written");
  pthread_rwlock_unlock(&lock);
}
