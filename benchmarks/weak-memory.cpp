// What weak memory costs: see the script of the same name, and measure.h.
//
//   operation/...   one thread, one operation after the other on one location
//   atomics-heavy/messages   two threads pass reference-counted messages through a bounded queue
//   atomics-heavy/table      two threads look up, insert and count in a table without locks
//   few-atomics     two threads sort and look up, with one atomic operation for a thousand accesses
//   memory/...      100,000 live atomics that two threads store to and load from
//   long/...        ten million operations: does the last tenth cost what the first did?
//
// "memory" and "long" print memory as the kernel knows it.

#include "measure.h"
#include <algorithm>
#include <cstdint>
#include <unordered_map>

namespace {

constexpr auto kRelaxed = std::memory_order_relaxed;
constexpr auto kAcquire = std::memory_order_acquire;
constexpr auto kRelease = std::memory_order_release;
constexpr auto kAcqRel = std::memory_order_acq_rel;
constexpr auto kSeqCst = std::memory_order_seq_cst;

// A field of /proc/self/status, in kilobytes.
long Status(const char *field) {
  FILE *file = fopen("/proc/self/status", "r");
  char line[256];
  long value = 0;
  while (file && fgets(line, sizeof(line), file))
    if (!strncmp(line, field, strlen(field)))
      value = atol(line + strlen(field));
  if (file)
    fclose(file);
  return value;
}

//===-- One operation -----------------------------------------------------===//

constexpr int kOperations = 1000;
alignas(256) std::atomic<long> word{0};

template <typename Operation> void Repeat(Operation operation) {
  auto &x = Shared(word);
  x.store(1, kRelease); // most locations have released something
  Measure(kOperations, [&] {
    for (int i = 0; i < kOperations; i++) {
      operation(x, i);
      Barrier();
    }
  });
}

template <std::memory_order order> void Load() {
  Repeat([](std::atomic<long> &x, int) { (void)x.load(order); });
}
template <std::memory_order order> void Store() {
  Repeat([](std::atomic<long> &x, int i) { x.store(i, order); });
}
template <std::memory_order order> void FetchAdd() {
  Repeat([](std::atomic<long> &x, int) { x.fetch_add(1, order); });
}
template <std::memory_order order> void CompareExchange() {
  long expected = 1;
  Repeat([&](std::atomic<long> &x, int i) {
    if (x.compare_exchange_strong(expected, i, order, kRelaxed))
      expected = i;
  });
}

//===-- Many atomics ------------------------------------------------------===//

struct Message {
  std::atomic<int> references{1};
  int length;
  unsigned char text[56];
};

void Release(Message *message) {
  if (message->references.fetch_sub(1, kAcqRel) == 1)
    delete message;
}

// Vyukov's bounded queue: a cell's turn says who may use it.
class MessageQueue {
public:
  MessageQueue() {
    for (size_t i = 0; i < kCells; i++)
      cells_[i].turn.store(i, kRelaxed);
  }

  bool Push(Message *message) {
    size_t position = tail_.load(kRelaxed);
    Cell *cell;
    for (;;) {
      cell = &cells_[position % kCells];
      const intptr_t ahead = intptr_t(cell->turn.load(kAcquire) - position);
      if (ahead < 0)
        return false;
      if (ahead > 0)
        position = tail_.load(kRelaxed);
      else if (tail_.compare_exchange_strong(position, position + 1, kRelaxed))
        break;
    }
    cell->message = message;
    cell->turn.store(position + 1, kRelease);
    return true;
  }

  Message *Pop() {
    size_t position = head_.load(kRelaxed);
    Cell *cell;
    for (;;) {
      cell = &cells_[position % kCells];
      const intptr_t ahead = intptr_t(cell->turn.load(kAcquire) - (position + 1));
      if (ahead < 0)
        return nullptr;
      if (ahead > 0)
        position = head_.load(kRelaxed);
      else if (head_.compare_exchange_strong(position, position + 1, kRelaxed))
        break;
    }
    Message *message = cell->message;
    cell->turn.store(position + kCells, kRelease);
    return message;
  }

private:
  static constexpr size_t kCells = 64;
  struct Cell {
    std::atomic<size_t> turn;
    Message *message;
  };

  alignas(64) Cell cells_[kCells];
  alignas(64) std::atomic<size_t> tail_{0};
  alignas(64) std::atomic<size_t> head_{0};
};

struct Totals {
  alignas(64) std::atomic<long> pushed{0}, popped{0}, bytes{0};
};

// Each thread makes messages, keeps the last one for a while, and handles what it finds: some 15
// atomic operations a message, and 40 plain accesses.
void Messages() {
  static MessageQueue queue;
  static Totals totals;
  static std::atomic<Message *> greeting{nullptr};
  constexpr int kMessages = 500;

  auto *first = new Message;
  first->length = 1;
  first->text[0] = 1;
  greeting.store(first, kRelease);
  MeasureThreads(2, 2, kMessages, [&](int self) {
    Message *kept = nullptr;
    for (int i = 0; i < kMessages; i++) {
      auto *message = new Message;
      message->length = 16;
      for (int j = 0; j < message->length; j++)
        Shared(message->text[j]) = (unsigned char)(i + j + self);
      message->text[0] = greeting.load(kAcquire)->text[0];
      message->references.fetch_add(1, kRelaxed); // one for the queue, one to keep
      if (kept)
        Release(kept);
      kept = message;
      if (queue.Push(message))
        totals.pushed.fetch_add(1, kRelaxed);
      else
        Release(message);
      if (Message *found = queue.Pop()) {
        long sum = 0;
        for (int j = 0; j < found->length; j++)
          sum += Shared(found->text[j]);
        totals.popped.fetch_add(1, kRelaxed);
        totals.bytes.fetch_add(sum & 63, kRelaxed);
        Release(found);
      }
    }
    Release(kept);
  });
}

// Open addressing: a key that is in the table stays, its value changes.
class Table {
public:
  static constexpr long kEntries = 1024;

  // Returns the value's place, or none if the table has no key like that and is not to get it.
  std::atomic<long> *Find(long key, bool insert) {
    for (long i = key * 7919 % kEntries;; i = (i + 1) % kEntries) {
      Entry &entry = entries_[i];
      long found = entry.key.load(kAcquire);
      if (!found && insert)
        entry.key.compare_exchange_strong(found, key, kAcqRel, kAcquire);
      if (found == key || (!found && insert))
        return &entry.value;
      if (!found)
        return nullptr;
    }
  }

private:
  struct Entry {
    std::atomic<long> key{0}, value{0};
  };
  Entry entries_[kEntries];
};

// Of sixteen accesses one stores, one adds, and fourteen only read; each is counted. The plain work
// between is to draw the key and to note it.
void LookUps() {
  static Table table;
  static std::atomic<long> hits[2], stores{0};
  static long last[2][64];
  constexpr int kLookUps = 1000;
  MeasureThreads(2, 2, kLookUps, [&](int self) {
    uint32_t random = 12345 + self;
    for (int i = 0; i < kLookUps; i++) {
      random = random * 1664525 + 1013904223;
      const long key = 1 + (random >> 16) % (Table::kEntries / 2);
      std::atomic<long> *value = table.Find(key, i % 16 < 2);
      if (!value)
        continue;
      if (i % 16 == 0)
        value->store(i, kRelease);
      else if (i % 16 == 1)
        value->fetch_add(1, kAcqRel);
      else
        Shared(last[self][i % 64]) = value->load(kAcquire);
      if (i % 16 < 2)
        stores.fetch_add(1, kRelaxed);
      hits[self].fetch_add(1, kRelaxed);
    }
  });
}

//===-- Few atomics -------------------------------------------------------===//

void FewAtomics() {
  static std::atomic<long> progress{0}, limit{1l << 62};
  constexpr int kRounds = 4, kValues = 256;
  MeasureThreads(2, 2, kRounds, [&](int self) {
    std::vector<uint32_t> values(kValues);
    std::unordered_map<uint32_t, uint32_t> positions;
    uint32_t random = 12345 + self;
    for (int round = 0; round < kRounds && progress.load(kRelaxed) < limit.load(kAcquire);
         round++) {
      for (auto &value : values)
        value = random = random * 1664525 + 1013904223;
      std::sort(values.begin(), values.end());
      positions.clear();
      for (uint32_t i = 0; i < kValues; i++)
        positions[Shared(values[i])] = i;
      progress.fetch_add(1, kAcqRel);
    }
  });
}

//===-- Memory ------------------------------------------------------------===//

constexpr int kAtomics = 100000;

template <std::memory_order store, std::memory_order load, int kStores> void LiveAtomics() {
  auto *atomics = new std::atomic<long>[kAtomics];
  auto work = [&](int self) {
    for (int round = 0; round < kStores; round++) {
      for (int i = 0; i < kAtomics; i++)
        Shared(atomics[i]).store(2 * round + self, store);
      for (int i = 0; i < kAtomics; i++)
        (void)Shared(atomics[i]).load(load);
    }
  };
  std::thread a(work, 0), b(work, 1);
  a.join();
  b.join();
  printf("peak-kb %ld\n", Status("VmHWM:"));
  delete[] atomics;
}

//===-- A long run --------------------------------------------------------===//

void AnyOperation(std::atomic<long> &x, uint32_t random) {
  long value = random % 16;
  switch ((random >> 8) % 8) {
  case 0:
    return x.store(value, kRelaxed);
  case 1:
    return x.store(value, kRelease);
  case 2:
    return (void)x.fetch_add(1, kAcqRel);
  case 3:
    return (void)x.compare_exchange_strong(value, value + 1, kAcqRel, kRelaxed);
  case 4:
    return (void)x.load(kSeqCst);
  case 5:
    return (void)x.load(kAcquire);
  default:
    return (void)x.load(kRelaxed);
  }
}

// Two threads that live all the time do operations of all kinds. Prints what each tenth of them
// cost, and the memory after it.
template <long kOperations> void Long() {
  static std::atomic<long> words[64];
  auto work = [](int self) {
    uint32_t random = self + 1;
    double start = CpuNs(CLOCK_PROCESS_CPUTIME_ID);
    for (int tenth = 0; tenth < 10; tenth++) {
      for (long i = 0; i < kOperations / 20; i++) {
        random = random * 1664525 + 1013904223;
        AnyOperation(Shared(words[(random >> 16) % 64]), random >> 8);
      }
      if (self)
        continue;
      const double now = CpuNs(CLOCK_PROCESS_CPUTIME_ID);
      printf("tenth %.4f %ld\n", (now - start) / (kOperations / 10), Status("VmRSS:"));
      start = now;
    }
  };
  std::thread a(work, 0), b(work, 1);
  a.join();
  b.join();
}

#define OPERATION(name, Function, order, constant)                                                 \
  {"operation/" name "/relaxed", Function<kRelaxed>},                                              \
      {"operation/" name "/" order, Function<constant>}, {                                         \
    "operation/" name "/seq_cst", Function<kSeqCst>                                                \
  }

const Benchmark kBenchmarks[] = {
    OPERATION("load", Load, "acquire", kAcquire),
    OPERATION("store", Store, "release", kRelease),
    OPERATION("fetch_add", FetchAdd, "acq_rel", kAcqRel),
    OPERATION("compare_exchange", CompareExchange, "acq_rel", kAcqRel),
    {"atomics-heavy/messages", Messages},
    {"atomics-heavy/table", LookUps},
    {"few-atomics", FewAtomics},
    {"memory/relaxed", LiveAtomics<kRelaxed, kRelaxed, 4>},
    {"memory/released", LiveAtomics<kRelease, kAcquire, 4>},
    {"long/million", Long<1000000>},
    {"long/ten-million", Long<10000000>},
};

} // namespace

int main(int argc, char **argv) { return RunBenchmark(argc, argv, kBenchmarks); }
