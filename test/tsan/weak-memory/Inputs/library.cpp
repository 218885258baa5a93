#include "library.h"

alignas(8) static std::atomic<int> exported{1};

extern "C" std::atomic<int> *LibraryLocation() { return &exported; }
extern "C" void LibraryStore(int value, std::memory_order order) { exported.store(value, order); }
extern "C" int LibraryLoad(std::memory_order order) { return exported.load(order); }

namespace {
struct AtLoadAndUnload {
  AtLoadAndUnload() { exported.store(2, std::memory_order_relaxed); }
  ~AtLoadAndUnload() { exported.store(9, std::memory_order_relaxed); }
} at_load_and_unload;
} // namespace
