// A thread that may be cancelled at any moment is cancelled while it computes, and in each kind of
// wait. Where that is, the schedule decides, and a replay repeats it.
//
// Without exceptions: what unwinds a thread where no exception can come from need not find its cleanups.
// RUN: %clangxx_heddle -fno-exceptions %s -o %t
// RUN: rm -rf %t.d && mkdir %t.d
// RUN: %record_and_play %t compute %t.d count | %FileCheck %s
// RUN: %record_and_play --times 1 %t spin %t.d | %FileCheck %s
// RUN: %record_and_play --seeds 2 %t schedule %t.d | %FileCheck %s
// RUN: %record_and_play --seeds 2 %t kernel %t.d | %FileCheck %s
// RUN: %every_schedule %t compute %t.d
// RUN: %every_schedule --kernel %t schedule %t.d
// CHECK: ended
#include "heddle_test.h"
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>
#include <sys/file.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <unistd.h>

static int ends[2], locked_file, other_file;
static atomic<int> ready, cleaned, value, stored;
static atomic<long> steps;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin_lock;
static pthread_barrier_t barrier;
static pthread_t main_thread;
static sem_t semaphore;
static char byte;
static int word;
static volatile long sink;

// Those that compute.
static void AddUp() {
  for (;;)
    steps++;
}
static void Load() {
  while (!value.load(acquire))
    ;
}
static void Store() {
  for (;;)
    stored.store(1, relaxed);
}
static void Exchange() {
  for (int expected = 1;; expected = 1)
    value.compare_exchange_strong(expected, 2);
}
static void Fence() {
  for (;;)
    atomic_thread_fence(seq_cst);
}
// No operation at all.
static void Spin() {
  for (long i = 0;; i++)
    __asm__ volatile("" : : "r"(i));
}
static void TouchMemory() {
  for (;;)
    sink = 1;
}

// Those that wait in the schedule.
static void Lock() { pthread_mutex_lock(&mutex); }
static void LockToWrite() { pthread_rwlock_wrlock(&rwlock); }
static void LockToRead() { pthread_rwlock_rdlock(&rwlock); }
static void LockSpinning() { pthread_spin_lock(&spin_lock); }
static void Meet() { pthread_barrier_wait(&barrier); }
static void SemWait() { sem_wait(&semaphore); }
static void Join() { pthread_join(main_thread, nullptr); }
static void Sleep() { sleep(3600); }
static void Futex() {
  for (;;)
    syscall(SYS_futex, &word, FUTEX_WAIT, 0, nullptr, nullptr, 0);
}
static pthread_mutex_t of_condition = PTHREAD_MUTEX_INITIALIZER;
static void Unlock(void *) { EXPECT(!pthread_mutex_unlock(&of_condition)); }
static void CondWait() {
  EXPECT(!pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, nullptr));
  pthread_mutex_lock(&of_condition);
  pthread_cleanup_push(Unlock, nullptr);
  EXPECT(!pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, nullptr));
  for (;;)
    pthread_cond_wait(&condition, &of_condition);
  pthread_cleanup_pop(1);
}

// And those that wait in the kernel.
static void Read() { (void)!read(ends[0], &byte, 1); }
static void Poll() {
  pollfd file = {ends[0], POLLIN, 0};
  poll(&file, 1, -1);
}
static void Select() {
  fd_set set;
  FD_ZERO(&set);
  FD_SET(ends[0], &set);
  select(ends[0] + 1, &set, nullptr, nullptr, nullptr);
}
static void Pause() { pause(); }
static void LockFile() { flock(other_file, LOCK_EX); }

static void Cleanup(void *) { cleaned++; }
static void *Run(void *call) {
  pthread_cleanup_push(Cleanup, nullptr);
  int old;
  EXPECT(!pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old) &&
         old == PTHREAD_CANCEL_DEFERRED);
  ready = 1;
  reinterpret_cast<void (*)()>(call)();
  pthread_cleanup_pop(0);
  EXPECT(false && "it was not cancelled");
  return nullptr;
}

// Cancelled before it lets anybody do so.
static void *Later(void *) {
  pthread_cleanup_push(Cleanup, nullptr);
  EXPECT(!pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, nullptr));
  EXPECT(!pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, nullptr));
  ready = 1;
  while (!value)
    sched_yield();
  EXPECT(!pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, nullptr));
  pthread_cleanup_pop(0);
  EXPECT(false && "it was not cancelled");
  return nullptr;
}
static void *Deferred(void *) {
  EXPECT(!pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, nullptr));
  int old;
  EXPECT(!pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &old) &&
         old == PTHREAD_CANCEL_ASYNCHRONOUS);
  ready = 1;
  while (!value)
    ;
  pthread_cleanup_push(Cleanup, nullptr);
  pthread_testcancel();
  pthread_cleanup_pop(0);
  EXPECT(false && "it was not cancelled");
  return nullptr;
}

static void Cancel(void *(*function)(void *), void (*call)(), int late) {
  ready = cleaned = value = 0;
  pthread_t thread;
  EXPECT(!pthread_create(&thread, nullptr, function, reinterpret_cast<void *>(call)));
  while (!ready)
    sched_yield();
  for (int i = 0; i < late; i++)
    sched_yield();
  EXPECT(!pthread_cancel(thread));
  if (!call)
    value = 1;
  void *result = nullptr;
  EXPECT(!pthread_join(thread, &result) && result == PTHREAD_CANCELED && cleaned == 1);
}

int main(int count, char **arguments) {
  const char *kind = arguments[1];
  char name[4096];
  snprintf(name, sizeof(name), "%s/locked", arguments[2]);
  main_thread = pthread_self();
  EXPECT(!pipe(ends) && !sem_init(&semaphore, 0, 0));
  EXPECT(!pthread_spin_init(&spin_lock, 0) && !pthread_barrier_init(&barrier, nullptr, 2));
  EXPECT(!pthread_spin_lock(&spin_lock) && !pthread_rwlock_wrlock(&rwlock) &&
         !pthread_mutex_lock(&mutex));
  locked_file = open(name, O_RDWR | O_CREAT, 0600);
  other_file = open(name, O_RDWR);
  EXPECT(!flock(locked_file, LOCK_EX));
  struct {
    const char *kind;
    void (*call)();
  } const calls[] = {
      {"compute", AddUp},       {"compute", Load},          {"compute", Store},
      {"compute", Exchange},    {"compute", Fence},         {"spin", Spin},
      {"spin", TouchMemory},    {"schedule", Lock},         {"schedule", LockToWrite},
      {"schedule", LockToRead}, {"schedule", LockSpinning}, {"schedule", Meet},
      {"schedule", SemWait},    {"schedule", Join},         {"schedule", Sleep},
      {"schedule", Futex},      {"schedule", CondWait},     {"kernel", Read},
      {"kernel", Poll},         {"kernel", Select},         {"kernel", Pause},
      {"kernel", LockFile},
  };
  for (const auto &each : calls)
    for (int late : {0, 20})
      if (!strcmp(each.kind, kind))
        Cancel(Run, each.call, late);
  if (!strcmp(kind, "compute")) {
    Cancel(Later, nullptr, 0);
    Cancel(Deferred, nullptr, 0);
    if (count > 3)
      printf("%ld steps\n", steps.load());
  }
  puts("ended");
}
