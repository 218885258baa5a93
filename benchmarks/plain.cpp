// Programs without atomic operations of their own: plain memory, mutexes, malloc, threads. What a
// change to atomics costs those who have none.

#include "measure.h"
#include <cstdint>
#include <mutex>

namespace {

constexpr int kThreads = 2;

//===-- Plain memory -----------------------------------------------------------------------===//

// Arrays of every access size. Sums keep the compiler from dropping the reads.
struct Arrays {
  static constexpr int kLength = 1024;
  uint8_t bytes[kLength] = {};
  uint16_t shorts[kLength] = {};
  uint32_t ints[kLength] = {};
  uint64_t longs[kLength] = {};
  uint64_t sum = 0;
};

// Reads 4 and writes 2 elements per step, in an order that defeats vectorization.
[[gnu::noinline]] void WalkArrays(Arrays &a) {
  uint64_t sum = a.sum;
  for (int i = 0; i < Arrays::kLength; i++) {
    int j = (i * 17) % Arrays::kLength;
    sum += a.bytes[i] + a.shorts[j] + a.ints[i] + a.longs[j];
    if (i & 1) {
      a.bytes[j] = uint8_t(sum);
      a.longs[i] = sum;
    } else {
      a.shorts[i] = uint16_t(sum);
      a.ints[j] = uint32_t(sum);
    }
  }
  a.sum = sum;
}

struct Particle {
  double position[3], speed[3];
  float mass;
  uint16_t hits;
  bool alive;
  Particle *next;
};

[[gnu::noinline]] void Hit(Particle &p) {
  p.hits++;
  p.alive = p.hits != 60000;
}

[[gnu::noinline]] void Move(Particle &p, double dt) {
  for (int i = 0; i < 3; i++)
    p.position[i] += p.speed[i] * dt;
  if (p.position[0] > 1) {
    p.position[0] = 0;
    Hit(p);
  }
}

constexpr int kParticles = 512;

// A linked list through an array, in no particular order.
std::vector<Particle> MakeParticles() {
  std::vector<Particle> particles(kParticles);
  for (int i = 0; i < kParticles; i++)
    particles[i] = {{0, 0, 0}, {i * .01, 1, 2}, 1, 0, true, nullptr};
  for (int i = 0; i < kParticles; i++)
    particles[i * 197 % kParticles].next = &particles[(i + 1) * 197 % kParticles];
  return particles;
}

[[gnu::noinline]] void MoveAll(Particle *first) {
  Particle *p = first;
  do {
    if (p->alive)
      Move(*p, .001f * p->mass);
    p = p->next;
  } while (p != first);
}

void MemoryArrays() {
  static Arrays arrays;
  Measure(Arrays::kLength, [] { WalkArrays(Shared(arrays)); });
}

void MemoryStructs() {
  std::vector<Particle> particles = MakeParticles();
  Measure(kParticles, [&] { MoveAll(particles.data()); });
}

// memcpy, memset and strlen: the interceptors' way to the shadow.
void MemoryFunctions() {
  static char buffers[2][256];
  Measure(4, [] {
    char *from = &Shared(buffers[0][0]), *to = &Shared(buffers[1][0]);
    memset(from, 'x', 200);
    memcpy(to, from, 201);
    memmove(to + 8, to, 64);
    from[0] = char(strlen(to));
  });
}

// The threads share nothing.
void MemoryThreads() {
  std::vector<Arrays> arrays(kThreads);
  std::vector<Particle> particles[kThreads];
  for (auto &p : particles)
    p = MakeParticles();
  MeasureThreads(kThreads, kThreads, Arrays::kLength + kParticles, [&](int self) {
    WalkArrays(arrays[self]);
    MoveAll(particles[self].data());
  });
}

//===-- Mutexes ----------------------------------------------------------------------------===//

constexpr int kLocks = 256;

struct Guarded {
  std::mutex mutex;
  long counter = 0;
};

// Four mutexes in turn, in one thread.
void MutexUncontended() {
  Guarded guarded[4];
  Guarded *first = &Shared(guarded[0]);
  Measure(kLocks, [first] {
    for (int i = 0; i < kLocks; i++) {
      std::lock_guard<std::mutex> lock(first[i % 4].mutex);
      first[i % 4].counter++;
    }
  });
}

void MutexContended() {
  Guarded here;
  Guarded &guarded = Shared(here);
  MeasureThreads(kThreads, kThreads, kLocks, [&guarded](int) {
    for (int i = 0; i < kLocks; i++) {
      std::lock_guard<std::mutex> lock(guarded.mutex);
      guarded.counter++;
    }
  });
}

//===-- Allocation and threads -------------------------------------------------------------===//

void Malloc() {
  constexpr int kBlocks = 64;
  Measure(kBlocks, [] {
    char *blocks[kBlocks];
    for (int i = 0; i < kBlocks; i++) {
      blocks[i] = &Shared(*static_cast<char *>(malloc(8 << i % 8)));
      blocks[i][0] = char(i);
    }
    for (char *block : blocks)
      free(block);
  });
}

void Threads() {
  Measure(1, [] { std::thread([] {}).join(); });
}

// The process alone.
void Startup() {}

const Benchmark kBenchmarks[] = {
    {"memory/arrays", MemoryArrays},
    {"memory/structs", MemoryStructs},
    {"memory/functions", MemoryFunctions},
    {"memory/2-threads", MemoryThreads},
    {"mutex/uncontended", MutexUncontended},
    {"mutex/2-threads", MutexContended},
    {"malloc", Malloc},
    {"thread-create-join", Threads},
    {"startup", Startup},
};

} // namespace

int main(int argc, char **argv) { return RunBenchmark(argc, argv, kBenchmarks); }
