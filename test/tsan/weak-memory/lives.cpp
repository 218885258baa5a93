// No load sees a store of a former life of its address: in a heap block, on a stack, in
// memory that is used anew with a placement new, a plain store, a memset, a memcpy, a memmove,
// a bzero, a std::copy, an assignment of what is around it, by realloc, or mapped again.
//
// RUN: %clangxx_heddle %s -o %t && %every_engine %t | %FileCheck %s
// RUN: %every_engine --scheduled --seeds 2 --options "read_policy=oldest" %t
// RUN: env TSAN_OPTIONS="schedule=pctwm weak_memory=mograph seed=1" %expect_clean %t
#include "Inputs/lives.h"
#include <algorithm>
#include <cstring>
#include <new>
#include <strings.h>
#include <sys/mman.h>

// So that the compiler knows nothing of where a pointer comes from.
template <class T> T *Unknown(T *pointer) {
  asm volatile("" : "+r"(pointer)::"memory");
  return pointer;
}

bool Heap(Lives &lives) {
  auto *first = Unknown(new atomic<int>(0));
  lives.First(first);
  delete first;
  auto *second = Unknown(new atomic<int>(lives.value()));
  bool reused = lives.Second(second);
  delete second;
  return reused;
}

bool Malloc(Lives &lives) {
  auto *first = Unknown(new (malloc(64)) atomic<int>(0));
  lives.First(first);
  free(first);
  auto *second = Unknown(static_cast<int *>(malloc(64)));
  *second = lives.value();
  bool reused = lives.Second(reinterpret_cast<atomic<int> *>(second));
  free(second);
  return reused;
}

bool Calloc(Lives &lives) {
  auto *first = Unknown(new (malloc(64)) atomic<int>(0));
  lives.First(first);
  free(first);
  auto *second = Unknown(static_cast<int *>(calloc(16, 4)));
  lives.SetValue(0);
  bool reused = lives.Second(reinterpret_cast<atomic<int> *>(second));
  free(second);
  return reused;
}

// Two functions with the same frame.
template <int function> __attribute__((noinline)) bool InFrame(Lives &lives, bool second) {
  alignas(8) atomic<int> object(lives.value());
  if (second)
    return lives.Second(Unknown(&object));
  lives.First(Unknown(&object));
  return false;
}
bool Stack(Lives &lives) {
  InFrame<1>(lives, false);
  return InFrame<2>(lives, true);
}

alignas(8) unsigned char storage[8];

bool Placement(Lives &lives) {
  lives.First(new (storage) atomic<int>(0));
  return lives.Second(Unknown(new (storage) atomic<int>(lives.value())));
}

bool Memset(Lives &lives) {
  auto *object = Unknown(new (storage) atomic<int>(0));
  lives.First(object);
  memset(Unknown(&storage[0]), 3, sizeof(storage));
  lives.SetValue(0x03030303);
  return lives.Second(object);
}

bool MemsetByte(Lives &lives) { // one byte of it
  auto *object = Unknown(new (storage) atomic<int>(0));
  lives.First(object);
  memset(Unknown(&storage[0]), lives.value(), 1);
  return lives.Second(object);
}

bool Memcpy(Lives &lives) {
  auto *object = Unknown(new (storage) atomic<int>(0));
  lives.First(object);
  int values[2] = {lives.value(), 0};
  memcpy(Unknown(&storage[0]), Unknown(&values[0]), sizeof(values));
  return lives.Second(object);
}

bool Memmove(Lives &lives) { // from a place that overlaps
  alignas(8) static int values[4];
  auto *object = Unknown(new (&values[2]) atomic<int>(0));
  lives.First(object);
  Unknown(&values[0])[0] = lives.value();
  memmove(Unknown(&values[2]), Unknown(&values[0]), sizeof(int));
  bool reused = lives.Second(object);
  memmove(Unknown(&values[1]), Unknown(&values[0]), 3 * sizeof(int));
  EXPECT(values[3] == lives.value()); // what was the object's
  return reused;
}

bool Bzero(Lives &lives) {
  auto *object = Unknown(new (storage) atomic<int>(0));
  lives.First(object);
  bzero(Unknown(&storage[0]), sizeof(storage));
  lives.SetValue(0);
  return lives.Second(object);
}

bool Copy(Lives &lives) {
  auto *object = Unknown(new (storage) atomic<int>(0));
  lives.First(object);
  int values[2] = {lives.value(), 0};
  std::copy(Unknown(&values[0]), values + 2, Unknown(reinterpret_cast<int *>(storage)));
  return lives.Second(object);
}

bool Assignment(Lives &lives) {
  struct Around {
    int object, others[15];
  };
  alignas(8) static Around around;
  auto *object = Unknown(new (&around.object) atomic<int>(0));
  lives.First(object);
  Around other{lives.value(), {}};
  *Unknown(&around) = *Unknown(&other);
  return lives.Second(object);
}

bool Union(Lives &lives) {
  static union Both {
    atomic<int> object;
    int plain;
    Both() : plain(0) {}
  } both;
  Unknown(&both)->plain = 0;
  lives.First(&both.object);
  Unknown(&both)->plain = lives.value();
  return lives.Second(&both.object);
}

// The neighbours in the same eight bytes fill the shadow with accesses of their own, and
// drive the plain write out.
bool Crowded(Lives &lives) {
  static struct {
    alignas(8) atomic<int> object;
    char neighbours[4];
  } crowd;
  new (&crowd.object) atomic<int>(0);
  lives.First(&crowd.object);
  new (Unknown(&crowd.object)) atomic<int>(lives.value());
  for (int i = 0; i < 4; i++)
    std::thread([&, i] {
      // Which access has to go depends on how many there have been.
      static int elsewhere[8];
      for (int j = 0; j < i; j++)
        Unknown(&elsewhere[0])[2 * j]++;
      Unknown(&crowd)->neighbours[i]++;
    }).join();
  return lives.Second(&crowd.object);
}

bool Realloc(Lives &lives) { // in place or elsewhere: the value goes along
  auto *first = Unknown(new (malloc(64)) atomic<int>(0));
  lives.First(first);
  new (Unknown(first)) atomic<int>(lives.value());
  auto *second = static_cast<atomic<int> *>(realloc(Unknown(first), 32));
  bool reused = lives.Second(Unknown(second));
  free(second);
  return reused;
}

bool ReallocAway(Lives &lives) { // to a new block, and another comes to the old one's place
  auto *first = Unknown(new (malloc(64)) atomic<int>(0));
  lives.First(first);
  void *moved = Unknown(realloc(Unknown(first), 100000));
  auto *second = Unknown(new (malloc(64)) atomic<int>(lives.value()));
  bool reused = lives.Second(second);
  free(moved);
  free(second);
  return reused;
}

void *Map(void *at) {
  void *result = mmap(at, 4096, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | (at ? MAP_FIXED : 0), -1, 0);
  EXPECT(result != MAP_FAILED);
  return result;
}

bool Unmapped(Lives &lives) {
  auto *first = static_cast<atomic<int> *>(Map(nullptr));
  lives.First(first);
  munmap(first, 4096);
  auto *second = static_cast<atomic<int> *>(Map(first));
  lives.SetValue(0); // nobody initialises it
  bool reused = lives.Second(second);
  munmap(second, 4096);
  return reused;
}

bool MappedOver(Lives &lives) {
  auto *first = static_cast<atomic<int> *>(Map(nullptr));
  lives.First(first);
  auto *second = static_cast<atomic<int> *>(Map(first));
  lives.SetValue(0);
  bool reused = lives.Second(second);
  munmap(second, 4096);
  return reused;
}

int main() {
  Repeat("new and delete", Heap);
  Repeat("malloc and a plain store", Malloc);
  Repeat("calloc", Calloc);
  Repeat("stack", Stack);
  Repeat("placement new", Placement);
  Repeat("memset", Memset);
  Repeat("memset of a byte", MemsetByte);
  Repeat("memcpy", Memcpy);
  Repeat("memmove", Memmove);
  Repeat("bzero", Bzero);
  Repeat("std::copy", Copy);
  Repeat("assignment", Assignment);
  Repeat("union", Union);
  Repeat("crowded", Crowded);
  Repeat("realloc", Realloc);
  Repeat("realloc away", ReallocAway);
  Repeat("munmap and mmap", Unmapped);
  Repeat("mmap over it", MappedOver);
  // CHECK: new and delete: reused
  // CHECK: malloc and a plain store: reused
  // CHECK: calloc: reused
  // CHECK: stack: reused
  // CHECK: placement new: reused
  // CHECK: memset: reused
  // CHECK: memset of a byte: reused
  // CHECK: memcpy: reused
  // CHECK: memmove: reused
  // CHECK: bzero: reused
  // CHECK: std::copy: reused
  // CHECK: assignment: reused
  // CHECK: union: reused
  // CHECK: crowded: reused
  // CHECK: realloc
  // CHECK: realloc away: reused
  // CHECK: munmap and mmap: reused
  // CHECK: mmap over it: reused
}
