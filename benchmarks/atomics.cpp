// The price of one atomic operation, for every operation and memory order.
//
// Most run in one thread on a location of its own, in the steady state. A name is
// operation/order/bytes. The location of "load-released" has had a release store, so that there is
// something to acquire; those below "2-threads" share the location with another thread.

#include "measure.h"
#include <cstdint>

// The orders under the names that the benchmarks bear.
constexpr int relaxed = __ATOMIC_RELAXED;
constexpr int acquire = __ATOMIC_ACQUIRE;
constexpr int release = __ATOMIC_RELEASE;
constexpr int acq_rel = __ATOMIC_ACQ_REL;
constexpr int seq_cst = __ATOMIC_SEQ_CST;

using Bytes1 = uint8_t;
using Bytes4 = uint32_t;
using Bytes8 = uint64_t;
using Bytes16 = unsigned __int128;

// The order that a failing compare-exchange has if only one order is given.
constexpr int FailureOrder(int order) {
  return order == acq_rel ? acquire : order == release ? relaxed : order;
}

template <typename T, int order> struct Load {
  using Type = T;
  static void Do(T *x) { (void)__atomic_load_n(x, order); }
};

template <typename T, int order> struct Store {
  using Type = T;
  static void Do(T *x) { __atomic_store_n(x, 1, order); }
};

template <typename T, int order> struct Exchange {
  using Type = T;
  static void Do(T *x) { (void)__atomic_exchange_n(x, 1, order); }
};

template <typename T, int order> struct FetchAdd {
  using Type = T;
  static void Do(T *x) { (void)__atomic_fetch_add(x, 1, order); }
};

// The location holds 0 for ever.
template <typename T, int order> struct CasSuccess {
  using Type = T;
  static void Do(T *x) {
    T expected = 0;
    __atomic_compare_exchange_n(x, &expected, 0, false, order, FailureOrder(order));
  }
};

template <typename T, int order> struct CasFailure {
  using Type = T;
  static void Do(T *x) {
    T expected = 1;
    __atomic_compare_exchange_n(x, &expected, 2, false, order, FailureOrder(order));
  }
};

template <int order> struct Fence {
  using Type = Bytes4;
  static void Do(Type *) { __atomic_thread_fence(order); }
};

constexpr int kOps = 1024;

// One chunk: nothing but the operations, 16 in a row.
template <typename Op> [[gnu::noinline]] void Chunk(typename Op::Type *x) {
#pragma clang loop unroll_count(16)
  for (int i = 0; i < kOps; i++) {
    Op::Do(x);
    Barrier();
  }
}

// The location has a cache line and a shadow line of its own.
template <typename T> T *Location() {
  alignas(256) static T location[256 / sizeof(T)];
  return &Shared(location[0]);
}

template <typename Op> void OneThread() {
  auto *x = Location<typename Op::Type>();
  Measure(kOps, [x] { Chunk<Op>(x); });
}

template <typename Op> void AfterRelease() {
  __atomic_store_n(Location<typename Op::Type>(), 1, release);
  OneThread<Op>();
}

// Two threads do the same.
template <typename Op> void BothThreads() {
  auto *x = Location<typename Op::Type>();
  MeasureThreads(2, 2, kOps, [x](int) { Chunk<Op>(x); });
}

// One thread does Op and is measured, the other does Other to the same location.
template <typename Op, typename Other> void Against() {
  auto *x = Location<typename Op::Type>();
  MeasureThreads(2, 1, kOps, [x](int self) { self ? Chunk<Other>(x) : Chunk<Op>(x); });
}

#define ONE(text, Op, order, bytes) {text "/" #order "/" #bytes, OneThread<Op<Bytes##bytes, order>>}
#define FENCE(order) {"fence/" #order, OneThread<Fence<order>>}

static const Benchmark kBenchmarks[] = {
    ONE("load", Load, relaxed, 4),
    ONE("load", Load, acquire, 4),
    ONE("load", Load, seq_cst, 4),
    {"load-released/acquire/4", AfterRelease<Load<Bytes4, acquire>>},
    {"load-released/seq_cst/4", AfterRelease<Load<Bytes4, seq_cst>>},
    ONE("store", Store, relaxed, 4),
    ONE("store", Store, release, 4),
    ONE("store", Store, seq_cst, 4),
    ONE("exchange", Exchange, relaxed, 4),
    ONE("exchange", Exchange, acquire, 4),
    ONE("exchange", Exchange, release, 4),
    ONE("exchange", Exchange, acq_rel, 4),
    ONE("exchange", Exchange, seq_cst, 4),
    ONE("fetch_add", FetchAdd, relaxed, 4),
    ONE("fetch_add", FetchAdd, acquire, 4),
    ONE("fetch_add", FetchAdd, release, 4),
    ONE("fetch_add", FetchAdd, acq_rel, 4),
    ONE("fetch_add", FetchAdd, seq_cst, 4),
    ONE("cas-success", CasSuccess, relaxed, 4),
    ONE("cas-success", CasSuccess, acquire, 4),
    ONE("cas-success", CasSuccess, release, 4),
    ONE("cas-success", CasSuccess, acq_rel, 4),
    ONE("cas-success", CasSuccess, seq_cst, 4),
    ONE("cas-failure", CasFailure, relaxed, 4),
    ONE("cas-failure", CasFailure, acquire, 4),
    ONE("cas-failure", CasFailure, release, 4),
    ONE("cas-failure", CasFailure, acq_rel, 4),
    ONE("cas-failure", CasFailure, seq_cst, 4),
    FENCE(acquire),
    FENCE(release),
    FENCE(acq_rel),
    FENCE(seq_cst),

    ONE("load", Load, acquire, 1),
    ONE("load", Load, acquire, 8),
    ONE("load", Load, acquire, 16),
    ONE("store", Store, release, 1),
    ONE("store", Store, release, 8),
    ONE("store", Store, release, 16),
    ONE("fetch_add", FetchAdd, acq_rel, 1),
    ONE("fetch_add", FetchAdd, acq_rel, 8),
    ONE("fetch_add", FetchAdd, acq_rel, 16),
    ONE("cas-success", CasSuccess, acq_rel, 1),
    ONE("cas-success", CasSuccess, acq_rel, 8),
    ONE("cas-success", CasSuccess, acq_rel, 16),

    {"2-threads/fetch_add/relaxed/4", BothThreads<FetchAdd<Bytes4, relaxed>>},
    {"2-threads/fetch_add/acq_rel/4", BothThreads<FetchAdd<Bytes4, acq_rel>>},
    {"2-threads/load/acquire/4", Against<Load<Bytes4, acquire>, Store<Bytes4, release>>},
    {"2-threads/store/release/4", Against<Store<Bytes4, release>, Load<Bytes4, acquire>>},
};

int main(int argc, char **argv) { return RunBenchmark(argc, argv, kBenchmarks); }
