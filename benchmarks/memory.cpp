// The memory that live atomics take: a million of them, each stored to once.

#include "measure.h"

namespace {

constexpr int kAtomics = 1000000;

template <std::memory_order order> void Store() {
  std::atomic<long> *atomics = new std::atomic<long>[kAtomics];
  for (int i = 0; i < kAtomics; i++)
    Shared(atomics[i]).store(1, order);
  delete[] atomics;
}

const Benchmark kBenchmarks[] = {
    {"million-atomics/release", Store<std::memory_order_release>},
    {"million-atomics/relaxed", Store<std::memory_order_relaxed>},
};

} // namespace

int main(int argc, char **argv) { return RunBenchmark(argc, argv, kBenchmarks); }
