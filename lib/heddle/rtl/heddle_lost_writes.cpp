//===-- heddle_lost_writes.cpp --------------------------------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_lost_writes.h"

#include "heddle/rtl/heddle_memory.h"
#include "sanitizer_common/sanitizer_mutex.h"

using namespace __sanitizer;
using namespace __tsan;

namespace __heddle {

LostWrites *LostWrites::buckets[kBuckets];

LostWrites *LostWrites::Of(uptr addr, u8 bytes) {
  static StaticSpinMutex mutex;
  SpinMutexLock lock(&mutex);
  const RawShadow *shadow = MemToShadow(addr);
  LostWrites *of = First(shadow);
  while (of && of->shadow_ != shadow)
    of = of->next_;
  if (!of) {
    of = static_cast<LostWrites *>(AllocateRecord(sizeof(LostWrites)));
    internal_memset(of, 0, sizeof(*of));
    of->shadow_ = shadow;
    of->next_ = First(shadow);
    __atomic_store_n(&buckets[BucketOf(shadow)], of, __ATOMIC_RELEASE);
  }
  of->bytes_ |= bytes;
  return of;
}

} // namespace __heddle
