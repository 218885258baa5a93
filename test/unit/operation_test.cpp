// heddle/schedule/operation.h: names, and what is in conflict.

#include "heddle/schedule/operation.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace {
using namespace __heddle;

TEST(Operation, NamesDiffer) {
  std::set<std::string> names;
  for (u32 kind = 0; kind <= u32(OperationKind::kFiber); kind++)
    EXPECT_TRUE(names.insert(NameOf(OperationKind(kind))).second);
  EXPECT_STREQ(NameOf(OperationKind::kRmw), "rmw");
  EXPECT_STREQ(NameOf(OperationKind::kFork), "fork");
}

TEST(Operation, Conflicts) {
  constexpr Operation kLoad = {OperationKind::kLoad, 8}, kStore = {OperationKind::kStore, 8},
                      kLock = {OperationKind::kLock, 8}, kOther = {OperationKind::kStore, 16},
                      kNone = {OperationKind::kStore, 0};
  static_assert(Conflict(kLoad, kStore) && Conflict(kStore, kLoad) && Conflict(kStore, kStore));
  static_assert(Conflict(kLock, kLock));
  static_assert(!Conflict(kLoad, kLoad) && !Conflict(kStore, kOther) && !Conflict(kNone, kNone));
}

TEST(Operation, AnAcquireMayReadWhatAReleaseHasWritten) {
  constexpr Operation kAcquire = {OperationKind::kAcquire, 8},
                      kRelease = {OperationKind::kRelease, 8};
  static_assert(Conflict(kAcquire, kRelease) && Conflict(kRelease, kRelease));
  static_assert(!Conflict(kAcquire, kAcquire));
  static_assert(Communicates(OperationKind::kAcquire) && !Communicates(OperationKind::kRelease));
}

} // namespace
