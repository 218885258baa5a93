// What a controlled schedule costs: one piece of work, whose time per operation is printed.
//
//   schedule WORK OPERATIONS [THREADS]
//
// The script of the same name compiles this natively, with stock ThreadSanitizer and with Heddle,
// runs it under several schedules, and compares. WORK is one of
//
//   load, fetch_add, lock   the threads do that to one object: a relaxed load, a seq_cst
//                           read-modify-write, pthread_mutex_lock and unlock (two operations)
//   futex                   the threads hand over in a ring with bare futexes: what a switch from
//                           one kernel thread to another costs without any runtime
//
// Prints nanoseconds of CPU time and of elapsed time per operation, and which share of the
// operations followed one of another thread; only fetch_add and futex know that.

#include "measure.h"
#include <cstdint>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

struct Object {
  alignas(256) std::atomic<uint64_t> word{0};
  alignas(256) pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
} object;

// Each does `count` operations, and returns how many of them came after another thread's.
using Work = long (*)(long count, int self);

long Load(long count, int) {
  auto &word = Shared(object.word);
  for (long i = 0; i < count; i++)
    (void)word.load(std::memory_order_relaxed);
  return 0;
}

long FetchAdd(long count, int) {
  auto &word = Shared(object.word);
  long switches = 0;
  uint64_t expected = word.fetch_add(1) + 1;
  for (long i = 1; i < count; i++) {
    uint64_t found = word.fetch_add(1);
    switches += found != expected;
    expected = found + 1;
  }
  return switches;
}

long Lock(long count, int) {
  auto &mutex = Shared(object.mutex);
  for (long i = 0; i < count; i += 2) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
  }
  return 0;
}

// Whose turn it is, and where the others sleep.
std::atomic<int> turn;
int ring; // how many threads
struct alignas(256) Seat {
  std::atomic<uint32_t> asleep;
} seats[256];

void Futex(std::atomic<uint32_t> &word, int operation, uint32_t value) {
  syscall(SYS_futex, &word, operation, value, nullptr, nullptr, 0);
}

long HandOver(long count, int self) {
  const int next = (self + 1) % ring;
  auto &mine = seats[self].asleep, &theirs = seats[next].asleep;
  for (long i = 0; i < count; i++) {
    for (;;) {
      mine = 1;
      if (turn == self)
        break;
      Futex(mine, FUTEX_WAIT_PRIVATE, 1);
    }
    mine = 0;
    turn = next;
    if (theirs.exchange(0))
      Futex(theirs, FUTEX_WAKE_PRIVATE, 1);
  }
  return count;
}

struct Thread {
  pthread_t handle;
  Work work;
  long count;
  int self;
  long switches;
};

// Held until all threads are there.
pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

void *Run(void *argument) {
  auto *thread = static_cast<Thread *>(argument);
  pthread_mutex_lock(&gate);
  pthread_mutex_unlock(&gate);
  thread->switches = thread->work(thread->count, thread->self);
  return nullptr;
}

void Print(double cpu, double elapsed, double operations, long switches) {
  printf("%.2f %.2f %.4f\n", cpu / operations, elapsed / operations, switches / operations);
}

void MeasureOne(Work work, long operations) {
  work(operations / 10, 0); // warms up
  double cpu = CpuNs(CLOCK_PROCESS_CPUTIME_ID), start = CpuNs(CLOCK_MONOTONIC);
  long switches = work(operations, 0);
  double end = CpuNs(CLOCK_MONOTONIC);
  Print(CpuNs(CLOCK_PROCESS_CPUTIME_ID) - cpu, end - start, operations, switches);
}

void MeasureMany(Work work, long operations, int count) {
  std::vector<Thread> threads(count);
  ring = count;
  pthread_mutex_lock(&gate);
  for (int self = 0; self < count; self++) {
    threads[self] = {{}, work, operations / count, self, 0};
    pthread_create(&threads[self].handle, nullptr, Run, &threads[self]);
  }
  double cpu = CpuNs(CLOCK_PROCESS_CPUTIME_ID), start = CpuNs(CLOCK_MONOTONIC);
  pthread_mutex_unlock(&gate);
  long switches = 0;
  for (Thread &thread : threads) {
    pthread_join(thread.handle, nullptr);
    switches += thread.switches;
  }
  double end = CpuNs(CLOCK_MONOTONIC);
  Print(CpuNs(CLOCK_PROCESS_CPUTIME_ID) - cpu, end - start, operations, switches);
}

constexpr struct {
  const char *name;
  Work work;
} kWorks[] = {{"load", Load}, {"fetch_add", FetchAdd}, {"lock", Lock}, {"futex", HandOver}};

} // namespace

int main(int argc, char **argv) {
  long operations = argc > 2 ? atol(argv[2]) : 0;
  int threads = argc > 3 ? atoi(argv[3]) : 1;
  for (auto &each : kWorks) {
    if (argc < 2 || strcmp(argv[1], each.name) || operations < 10 || threads < 1 || threads > 256)
      continue;
    if (threads == 1)
      MeasureOne(each.work, operations);
    else
      MeasureMany(each.work, operations, threads);
    return 0;
  }
  fprintf(stderr, "usage: schedule load|fetch_add|lock|futex OPERATIONS [THREADS]\n");
  return 2;
}
