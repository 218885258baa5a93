// mremap gives memory another address. Accesses to what was at the new address before are no races with
// accesses to what is there now, and what was released through an object in the memory is acquired through
// it where it is now.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: %expect_race %t 2>&1 | %FileCheck %s
// RUN: env TSAN_OPTIONS=weak_memory=buffer %expect_race %t 2>&1 | %FileCheck %s
// RUN: env TSAN_OPTIONS="schedule=random seed=1" %expect_race %t 2>&1 | %FileCheck %s
// RUN: env TSAN_OPTIONS="schedule=random seed=2 weak_memory=mograph" %expect_race %t 2>&1 | %FileCheck %s
#include "heddle_test.h"
#include <string.h>
#include <sys/mman.h>

constexpr size_t kPages = 4096, kSize = 16 * kPages;

static char *Map(size_t size = kSize) {
  void *at = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  EXPECT(at != MAP_FAILED);
  return static_cast<char *>(at);
}

static char *Move(char *from, char *to) {
  void *at = mremap(from, kSize, kSize, MREMAP_MAYMOVE | MREMAP_FIXED, to);
  EXPECT(at == to);
  return to;
}

static char *first, *second, *third;

// Between the steps nothing orders the threads: only the test knows what is where.
static __attribute__((disable_sanitizer_instrumentation)) char *Load(char *const *pointer) {
  return *pointer;
}

static long *LongAt(char *const *memory, size_t at = 0) {
  return reinterpret_cast<long *>(Load(memory) + at);
}

// T1's memory leaves the address, T2's comes there.
static void WriteAndLeave() {
  memset(Load(&first), 1, kSize);
  Move(Load(&first), Load(&third));
}
static void ComeAndWrite() {
  Move(Load(&second), Load(&first));
  memset(Load(&first), 2, kSize);
}

// T1 releases, T2 moves, T3 acquires. T3 is ordered after T1 by the object alone.
static void Publish() {
  *LongAt(&first, 8 * 100) = 42;
  __atomic_store_n(LongAt(&first), 1, __ATOMIC_RELEASE);
}
static void MoveAway() { Move(Load(&first), Load(&second)); }
static void Consume() {
  EXPECT(__atomic_load_n(LongAt(&second), __ATOMIC_ACQUIRE) == 1);
  EXPECT(*LongAt(&second, 8 * 100) == 42);
}

// The same with a mutex, which is held while its memory moves.
static pthread_mutex_t *MutexAt(char *const *memory) {
  return reinterpret_cast<pthread_mutex_t *>(Load(memory) + 256);
}
static long guarded;
static void Guard() {
  EXPECT(!pthread_mutex_init(MutexAt(&first), nullptr));
  pthread_mutex_lock(MutexAt(&first));
  guarded = 1;
  Move(Load(&first), Load(&second));
  pthread_mutex_unlock(MutexAt(&second));
}
static void UseGuarded() {
  pthread_mutex_lock(MutexAt(&second));
  guarded++;
  pthread_mutex_unlock(MutexAt(&second));
}

// After the move races are found.
static void MoveBack() { Move(Load(&second), Load(&first)); }
static void Write() { *LongAt(&first, 8 * 50) = 1; }

static void MapAll() {
  first = Map();
  second = Map();
  third = Map();
}

// Growing, in place and not, and shrinking.
static void Resize() {
  char *memory = Map();
  memset(memory, 3, kSize);
  for (size_t size = kSize; size < 64 * kSize; size *= 2) {
    void *at = mremap(memory, size, 2 * size, MREMAP_MAYMOVE);
    EXPECT(at != MAP_FAILED);
    memory = static_cast<char *>(at);
    EXPECT(memory[kSize - 1] == 3 && memory[2 * size - 1] == 0);
    memory[2 * size - 1] = 4;
  }
  EXPECT(mremap(memory, 64 * kSize, kPages, 0) == memory && memory[kPages - 1] == 3);
  EXPECT(mremap(memory + 1, kPages, kSize, MREMAP_MAYMOVE) == MAP_FAILED);
  EXPECT(mremap(memory, kPages, 0, MREMAP_MAYMOVE) == MAP_FAILED);
  EXPECT(mremap(memory, kPages, kPages, MREMAP_MAYMOVE | MREMAP_FIXED, memory) == MAP_FAILED);
  EXPECT(memory[kPages - 1] == 3);
  EXPECT(!munmap(memory, kPages));
}

int main() {
  MapAll();
  Verdict("another's memory at the address", Interleave({{T1, WriteAndLeave}, {T2, ComeAndWrite}}));
  MapAll();
  Verdict("an atomic object moves", Interleave({{T1, Publish}, {T2, MoveAway}, {T3, Consume}}));
  MapAll();
  Verdict("a mutex moves", Interleave({{T1, Guard}, {T2, UseGuarded}}));
  MapAll();
  Verdict("writes after the move",
          Interleave({{T1, MoveAway}, {T1, MoveBack}, {T1, Write}, {T2, Write}}));
  Verdict("sizes", Interleave({{T1, Resize}}));
}
// CHECK: another's memory at the address: no race
// CHECK: an atomic object moves: no race
// CHECK: a mutex moves: no race
// CHECK: writes after the move: race
// CHECK: sizes: no race
