// A thread that waits in pthread_join is cancelled: it wakes up, cleans up and ends. Who disables
// cancellation is not woken, and ends later.
//
// RUN: %clangxx_heddle %s -o %t && %every_schedule %t
#include "heddle_test.h"

static atomic<bool> may_end;
static pthread_t waited_for;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int cleaned;

static void *Wait(void *) {
  while (!may_end)
    sched_yield();
  return nullptr;
}

static void Clean(void *) {
  EXPECT(!pthread_mutex_lock(&mutex));
  cleaned++;
  EXPECT(!pthread_mutex_unlock(&mutex));
}

static void *Join(void *) {
  pthread_cleanup_push(Clean, nullptr);
  pthread_join(waited_for, nullptr);
  EXPECT(!"cancelled");
  pthread_cleanup_pop(0);
  return nullptr;
}

static void *JoinDisabled(void *) {
  int old;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
  pthread_cleanup_push(Clean, nullptr);
  EXPECT(!pthread_join(waited_for, nullptr));
  pthread_setcancelstate(old, nullptr);
  pthread_testcancel();
  EXPECT(!"cancelled");
  pthread_cleanup_pop(0);
  return nullptr;
}

int main() {
  pthread_t first, second;
  void *result;
  EXPECT(!pthread_create(&waited_for, nullptr, Wait, nullptr));
  EXPECT(!pthread_create(&first, nullptr, Join, nullptr));
  EXPECT(!pthread_cancel(first));
  EXPECT(!pthread_join(first, &result) && result == PTHREAD_CANCELED);
  EXPECT(cleaned == 1);
  EXPECT(!pthread_create(&second, nullptr, JoinDisabled, nullptr));
  EXPECT(!pthread_cancel(second));
  may_end = true;
  EXPECT(!pthread_join(second, &result) && result == PTHREAD_CANCELED);
  EXPECT(cleaned == 2);
}
