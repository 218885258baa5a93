// Atomics of all kinds have the right values and synchronise: std::atomic_ref, the count of
// a std::shared_ptr, 16 bytes at once, an object accessed in different sizes (which has no
// history, and is as the hardware has it), in static initialisers and destructors, in a signal
// handler.
//
// RUN: %clangxx_heddle %cx16 %s -o %t -latomic && %every_engine %t | %FileCheck %s
// RUN: %every_engine --scheduled --seeds 2 --options "read_policy=oldest" %t
// RUN: env TSAN_OPTIONS="schedule=pctwm weak_memory=mograph seed=1" %expect_clean %t
#include "heddle_test.h"
#include <csignal>
#include <memory>
#include <thread>

template <class First, class Second> void Both(const First &first, const Second &second) {
  std::thread one(first), two(second);
  one.join();
  two.join();
}

static void AtomicRef() {
  alignas(8) int flag = 0;
  int data = 0;
  Both(
      [&] {
        data = 1;
        std::atomic_ref(flag).store(1, release);
        std::atomic_ref(flag).fetch_add(1, relaxed); // the sequence goes on
      },
      [&] {
        if (int found = std::atomic_ref(flag).load(acquire))
          EXPECT(data == 1 && found <= 2);
      });
  EXPECT(flag == 2); // plainly, after the joins
  flag = 10;
  Both([&] { std::atomic_ref(flag).fetch_add(1, relaxed); },
       [&] { EXPECT(std::atomic_ref(flag).load(relaxed) >= 10); });
  EXPECT(std::atomic_ref(flag).load(relaxed) == 11);
}

// The last owner deletes; what the others did with the object comes before.
static void SharedPtr() {
  struct Object {
    int data[2] = {1, 2};
    bool *deleted;
    ~Object() {
      data[0] = data[1] = 0;
      *deleted = true;
    }
  };
  bool deleted = false;
  {
    auto object = std::make_shared<Object>();
    object->deleted = &deleted;
    std::weak_ptr<Object> weak = object;
    std::thread one([mine = object] { mine->data[0]++; });
    std::thread two([mine = object] { mine->data[1]++; });
    std::thread three([weak] {
      if (auto mine = weak.lock())
        EXPECT(mine->deleted);
    });
    object.reset();
    one.join();
    two.join();
    three.join();
  }
  EXPECT(deleted);
}

struct Wide {
  long low, high;
};

static void SixteenBytes() {
  alignas(16) atomic<Wide> wide{Wide{0, 0}};
  int data = 0;
  Both(
      [&] {
        for (long i = 1; i <= 5; i++) {
          data = int(i) * (i == 5);
          wide.store({i, -i}, i == 5 ? release : relaxed);
        }
      },
      [&] {
        Wide found;
        do {
          found = wide.load(acquire);
          EXPECT(found.low == -found.high);
        } while (found.low < 5);
        EXPECT(data == 5);
      });
  auto increment = [&] {
    for (int i = 0; i < 5; i++) {
      Wide old = wide.load(relaxed);
      while (!wide.compare_exchange_weak(old, {old.low + 1, old.high - 1})) {
      }
    }
  };
  Both(increment, increment);
  EXPECT(wide.load().low == 15 && wide.load().high == -15);
}

// A clock belongs to an address, with and without weak memory: what is released to the whole
// is acquired by its first half, not by its second.
static void Sizes() {
  union Mixed {
    atomic<unsigned long> whole;
    atomic<unsigned> half[2];
    atomic<unsigned char> byte[8];
    Mixed() : whole(0) {}
  };
  Mixed mixed, late;
  int data = 0;
  Both(
      [&] {
        data = 1;
        mixed.whole.store(0x0000000200000001, release);
        late.whole.store(0x0000000200000001, relaxed);
      },
      [&] {
        if (mixed.half[0].load(acquire)) {
          EXPECT(data == 1);
          EXPECT(mixed.half[1].load(relaxed) == 2 && mixed.byte[4].load(relaxed) == 2);
          EXPECT(mixed.whole.load(relaxed) == 0x0000000200000001);
        }
        late.whole.load(relaxed);
        late.half[1].load(acquire);
      });
  EXPECT(mixed.whole.load(relaxed) == 0x0000000200000001);
  EXPECT(late.half[0].load(relaxed) == 1 && late.half[1].load(relaxed) == 2);
  mixed.half[1].store(5, relaxed);
  EXPECT(mixed.whole.load(relaxed) == 0x0000000500000001);
}

// What was released before the sizes were mixed is acquired after.
static void SizesLater() {
  union {
    unsigned long whole = 0;
    unsigned half[2];
  } mixed;
  int data = 0;
  atomic<bool> go{false};
  std::thread writer([&] {
    data = 1;
    __atomic_store_n(&mixed.whole, 1, __ATOMIC_RELEASE);
    go.store(true, relaxed);
  });
  while (!go.load(relaxed)) {
  }
  // Coherence would let a load of the whole read the 0; the hardware does not.
  if (__atomic_load_n(&mixed.half[0], __ATOMIC_ACQUIRE))
    EXPECT(data == 1);
  writer.join();
}

alignas(8) static atomic<int> handled{0};
static int handled_data;

static void SignalHandler() {
  handled = 0;
  handled_data = 0;
  signal(SIGUSR1, [](int) {
    handled_data = 1;
    EXPECT(handled.load(relaxed) == 1); // stored by the same thread
    handled.store(2, release);
  });
  Both(
      [] {
        handled.store(1, relaxed);
        raise(SIGUSR1);
        while (handled.load(relaxed) != 2) {
        }
      },
      [] {
        int found;
        while ((found = handled.load(acquire)) != 2)
          EXPECT(found == 0 || found == 1);
        EXPECT(handled_data == 1);
      });
}

struct Global {
  alignas(8) atomic<int> value{1};
  int data = 0;
  Global() {
    std::thread([this] {
      data = 1;
      value.store(2, relaxed);
      value.store(3, relaxed);
    }).join();
    EXPECT(value.load(relaxed) == 3);
  }
  ~Global() {
    int found = value.load(relaxed);
    EXPECT(found == 4);
    std::thread([this] { value.store(5, relaxed); }).join();
    EXPECT(value.load(relaxed) == 5);
    puts("destroyed");
    // CHECK: over
    // CHECK-NEXT: destroyed
  }
} global;

int main() {
  EXPECT(global.value.load(relaxed) == 3);
  std::thread([] { global.value.store(4, relaxed); }).join();
  for (int i = 0; i < 8; i++) {
    AtomicRef();
    SharedPtr();
    SixteenBytes();
    Sizes();
    SizesLater();
    SignalHandler();
  }
  puts("over");
}
