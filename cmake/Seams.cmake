# Every place where upstream's source must call us. Each seam inserts one line
# after an anchor that must match exactly once; all else that Heddle changes is
# a file of its own in lib/. Keep this list short: each entry is something to
# look at again when moving to a newer LLVM (docs/newer-llvm.md).

heddle_seam(
  NAME flag-types
  FILE tsan/rtl/tsan_flags.h
  ANCHOR "#include \"sanitizer_common/sanitizer_deadlock_detector_interface.h\""
  INSERT "#include \"heddle/rtl/heddle_flags.h\""
  REASON "Our tsan_flags.inc declares flags whose types must be known where the flags are.")

heddle_seam(
  NAME location-state
  FILE tsan/rtl/tsan_sync.h
  ANCHOR "  VectorClock *clock;"
  INSERT "  ::__heddle::LocationState heddle;"
  REASON "The release sequences of an atomic location live and die with its SyncVar.")

heddle_seam(
  NAME location-reset
  FILE tsan/rtl/tsan_sync.cpp
  ANCHOR "  Free(read_clock);"
  INSERT "  heddle.Reset();"
  REASON "A SyncVar that is reused for another address forgets the first one's release sequences.")

heddle_seam(
  NAME global-reset
  FILE tsan/rtl/tsan_sync.cpp
  ANCHOR "    s->last_lock.Reset();"
  INSERT "    s->heddle.Reset();"
  REASON "When the epochs run out all clocks start anew; none from before may be compared with later ones.")

heddle_seam(
  NAME thread-state
  FILE tsan/rtl/tsan_rtl.h
  ANCHOR "  VectorClock clock;"
  INSERT "  ::__heddle::ThreadExtension heddle;"
  REASON "Fence clocks and the like live and die with the thread; fibers have their own.")

heddle_seam(
  NAME slot-lock
  FILE tsan/rtl/tsan_rtl.h
  ANCHOR "    if (!locked_)\n      SlotLock(thr_);"
  INSERT "    if (!locked_) thr_->heddle.AfterSlotLock(thr_, thr_->fast_state.sid());"
  REASON "A thread that came to another slot must trace it, and settles the volatile reads that were announced before they happened.")

heddle_seam(
  NAME annotation-acquire
  FILE tsan/rtl/tsan_rtl_mutex.cpp
  ANCHOR "  SlotLocker locker(thr);\n  ReadLock lock(&s->mtx);"
  INSERT "  thr->heddle.Acquire(thr, s);"
  REASON "__tsan_acquire(&x) acquires what atomic operations on x released: the clocks are apart, the meaning is not.")

heddle_seam(
  NAME report-race
  FILE tsan/rtl/tsan_rtl_report.cpp
  ANCHOR "  uptr addr = ShadowToMem(shadow_mem);"
  INSERT "  if (thr->heddle.Orders(thr, old)) return;"
  REASON "A volatile read that is not settled yet may order the two accesses.")
