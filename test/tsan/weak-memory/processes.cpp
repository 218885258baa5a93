// Memory shared with other processes is as the hardware has it: a child's stores are seen,
// and a load in the parent is never older than what is there.
//
// RUN: %clangxx_heddle %s -o %t && %every_engine %t
#include "heddle_test.h"
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

struct Shared {
  alignas(8) atomic<int> value;
  alignas(8) atomic<int> other;
};

static void Use(Shared *shared) {
  // A history, if it had one.
  std::thread([&] {
    for (int i = 1; i < 5; i++)
      shared->value.store(i, relaxed);
  }).join();
  fflush(stdout);
  pid_t child = fork();
  if (!child) {
    EXPECT(shared->value.load(relaxed) == 4);
    shared->value.store(7, relaxed);
    shared->other.fetch_add(1, relaxed);
    _exit(0);
  }
  int status;
  EXPECT(waitpid(child, &status, 0) == child && !status);
  EXPECT(shared->value.load(relaxed) == 7);
  EXPECT(shared->other.fetch_add(1, relaxed) == 1);
  // Another thread that knows nothing of the last store sees it all the same.
  alignas(8) atomic<bool> stored{false};
  std::thread reader([&] {
    while (!stored.load(relaxed)) {
    }
    EXPECT(shared->value.load(relaxed) == 8);
  });
  shared->value.store(8, relaxed);
  stored.store(true, relaxed);
  reader.join();
}

int main() {
  const int size = 3 * 4096;
  for (int i = 0; i < 3; i++) {
    void *mapping =
        mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    EXPECT(mapping != MAP_FAILED);
    Use(new (mapping) Shared());
    // A part is unmapped; the rest is shared still.
    EXPECT(!munmap(mapping, 4096));
    Use(new (static_cast<char *>(mapping) + 4096) Shared());
    EXPECT(!munmap(static_cast<char *>(mapping) + 4096, size - 4096));

    // Private memory that is mapped over with shared.
    void *private_mapping =
        mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    auto *shared = new (private_mapping) Shared();
    shared->value.store(1, relaxed);
    EXPECT(mmap(private_mapping, 4096, PROT_READ | PROT_WRITE,
                MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == private_mapping);
    Use(shared);
    munmap(private_mapping, 4096);

    int id = shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600);
    EXPECT(id >= 0);
    void *segment = shmat(id, nullptr, 0);
    EXPECT(!shmctl(id, IPC_RMID, nullptr));
    EXPECT(segment != MAP_FAILED);
    Use(new (segment) Shared());
    EXPECT(!shmdt(segment));
  }
}
