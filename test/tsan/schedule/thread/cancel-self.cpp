// Threads that cancel themselves, are cancelled before they begin, while they end, and twice; and one
// that sleeps for ever in turns.
//
// RUN: %clangxx_heddle %s -o %t && %every_schedule %t
#include "heddle_test.h"
#include <unistd.h>

static pthread_key_t key;
static atomic<int> destroyed;
static void Destroy(void *) {
  pthread_testcancel();
  destroyed++;
}

static void *CancelSelf(void *) {
  pthread_cancel(pthread_self());
  pthread_testcancel();
  EXPECT(!"cancelled");
  return nullptr;
}
static void *TestOften(void *) {
  for (;;)
    pthread_testcancel();
  return nullptr;
}
static void *Sleep(void *) {
  for (;;)
    sleep(1000);
  return nullptr;
}
static void *End(void *) {
  pthread_setspecific(key, &key);
  return nullptr;
}

int main() {
  pthread_key_create(&key, Destroy);
  pthread_t thread;
  void *result;
  EXPECT(!pthread_create(&thread, nullptr, CancelSelf, nullptr));
  EXPECT(!pthread_join(thread, &result) && result == PTHREAD_CANCELED);
  for (auto *function : {TestOften, Sleep}) {
    EXPECT(!pthread_create(&thread, nullptr, function, nullptr));
    EXPECT(!pthread_cancel(thread));
    EXPECT(!pthread_cancel(thread));
    EXPECT(!pthread_join(thread, &result) && result == PTHREAD_CANCELED);
  }
  EXPECT(!pthread_create(&thread, nullptr, End, nullptr));
  EXPECT(!pthread_cancel(thread));
  EXPECT(!pthread_join(thread, &result) && !result);
  EXPECT(destroyed == 1);
}
