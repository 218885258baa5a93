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
  INSERT "    s->heddle.StartAnew();"
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
  INSERT "    if (!locked_) thr_->heddle.AfterSlotLock(thr_);"
  REASON "A thread that came to a slot must trace it, and settles the volatile reads that were announced before they happened.")

heddle_seam(
  NAME slot-attach
  FILE tsan/rtl/tsan_rtl.cpp
  ANCHOR "  slot->journal.PushBack({thr->tid, epoch});"
  INSERT "  thr->heddle.AfterSlotAttach(slot->sid, epoch);"
  REASON "What the former thread of a slot released must not be taken for the next one's. The next one may be the same thread again, so that nothing else tells.")

heddle_seam(
  NAME slot-choice
  FILE tsan/rtl/tsan_rtl.cpp
  ANCHOR "        slot = ctx->slot_queue.PopFront();\n        if (!slot)\n          break;"
  INSERT "        if (!::__heddle::PrepareSlot(slot)) continue;"
  REASON "With the flags test_slots and test_epochs, tests come to the end of slots and epochs in seconds instead of hours.")

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

heddle_seam(
  NAME blocking-call
  FILE tsan/rtl/tsan_interceptors_posix.cpp
  ANCHOR "    thr->ignore_interceptors--;\n    atomic_store(&thr->in_blocking_func, 0, memory_order_relaxed);\n  }\n\n  ThreadState *thr;"
  INSERT "  ::__heddle::AwayFromSchedule heddle_away{thr};"
  REASON "A thread in a call that may block leaves the schedule for the time of the call.")

heddle_seam(
  NAME blocking-call-type
  FILE tsan/rtl/tsan_interceptors_posix.cpp
  ANCHOR "#include \"tsan_interceptors.h\""
  INSERT "#include \"heddle/rtl/heddle_once.h\"\n#include \"heddle/rtl/heddle_openmp.h\""
  REASON "The type of the above, and what the guards and all interceptors call.")

heddle_seam(
  NAME openmp-accesses
  FILE tsan/rtl/tsan_interceptors_posix.cpp
  ANCHOR "      !thr_->in_ignored_lib && (flags()->ignore_interceptors_accesses ||"
  INSERT "                                ::__heddle::IsOpenMp(pc) ||"
  REASON "What OpenMP's runtime accesses by way of interceptors is ordered by means that nobody sees, while the calls themselves are part of the schedule. Upstream's suppressions leave out either all of a library, or the accesses of all libraries.")

heddle_seam(
  NAME guard-acquire
  FILE tsan/rtl/tsan_interceptors_posix.cpp
  ANCHOR "  auto on_exit = at_scope_exit([blocking_hooks] {\n    if (blocking_hooks)\n      OnPotentiallyBlockingRegionEnd();\n  });\n"
  INSERT "  if (::__heddle::IsControlled(thr)) return ::__heddle::AcquireGuard(thr, pc, g, {kGuardInit, kGuardDone, kGuardRunning});"
  REASON "Under a schedule, who initialises a static object and who waits is the scheduler's to decide; the functions of the C++ ABI that call this are not weak. The program's hooks around it are called as without a schedule.")

heddle_seam(
  NAME guard-release
  FILE tsan/rtl/tsan_interceptors_posix.cpp
  ANCHOR "static void guard_release(ThreadState *thr, uptr pc, atomic_uint32_t *g,\n                          u32 v) {"
  INSERT "  ::__heddle::VisibleOperation heddle_visible(thr, pc, ::__heddle::OperationKind::kOnce, g); heddle_visible.LetGo(g); heddle_visible.WakeAll(::__heddle::WaitKind::kOnce, g);"
  REASON "The end of an initialisation is a visible operation, and those who wait for it go on.")

heddle_seam(
  NAME test-barrier
  FILE tsan/rtl/tsan_interceptors_posix.cpp
  ANCHOR "    u32 cur = atomic_load(barrier, memory_order_relaxed);\n    if (barrier_epoch(cur) != old_epoch)\n      return;"
  INSERT "    ::__heddle::AwayFromSchedule heddle_away{cur_thread_init()};"
  REASON "The barrier of tests is invisible to the race detector, and waits in the kernel: a thread that waits there is away.")

heddle_seam(
  NAME signal-handler
  FILE tsan/rtl/tsan_interceptors_posix.cpp
  ANCHOR "  CHECK(thr->slot);\n  __sanitizer_sigaction *sigactions = interceptor_ctx()->sigactions;"
  INSERT "  thr->heddle.SignalComes(sigactions[sig].sa_flags); SlotUnlocker heddle_unlocked(thr);"
  REASON "A wait under the schedule that a handler interrupts fails or goes on as the handler's SA_RESTART says. A handler that is called because an atomic operation has crashed may allocate.")

heddle_seam(
  NAME signal-comes
  FILE tsan/rtl/tsan_interceptors_posix.cpp
  ANCHOR "  // Don't mess with synchronous signals.\n  const bool sync = is_sync_signal(sctx, sig, info);"
  INSERT "  ::__heddle::TranslateSender(info); if (sync ? ::__heddle::StepOverTimestamp(sig, info, ctx) : ::__heddle::KeepSignal(thr, sig, info)) return;"
  REASON "A signal from outside is handled where a demo can say so, and in a replay where the demo says; one that an instruction has raised which is recorded is not the program's. In an execution of a fork server the sender is called what the program calls it.")

heddle_seam(
  NAME report-note
  FILE tsan/rtl/tsan_report.cpp
  ANCHOR "  for (uptr i = 0; i < rep->threads.Size(); i++)\n    PrintThread(rep->threads[i]);\n\n  if (rep->typ == ReportTypeThreadLeak && rep->count > 1)\n    Printf(\"  And %d more similar thread leaks.\\n\\n\", rep->count - 1);"
  INSERT "  ::__heddle::PrintReportNotes(rep);"
  REASON "Every report says which stale reads led to it, which schedule it came from and how to repeat it.")

heddle_seam(
  NAME report-note-type
  FILE tsan/rtl/tsan_report.cpp
  ANCHOR "#include \"tsan_report.h\""
  INSERT "#include \"heddle/rtl/heddle_control.h\""
  REASON "The declaration of the above.")

heddle_seam(
  NAME initialize
  FILE tsan/rtl/tsan_rtl.cpp
  ANCHOR "\n  OnInitialize();"
  INSERT "  ::__heddle::StartControl();"
  REASON "A schedule begins when the flags are read and the main thread exists. The hook itself is the program's to define.")

heddle_seam(
  NAME background-thread
  FILE tsan/rtl/tsan_rtl.cpp
  ANCHOR "  static atomic_uint32_t bg_thread = {};"
  INSERT "  if (!::__heddle::NeedsBackgroundThread()) return;"
  REASON "An execution of a fork server is short: to start a thread that has nothing to do is a good part of what it costs.")

heddle_seam(
  NAME background-flush
  FILE tsan/rtl/tsan_rtl.cpp
  ANCHOR "  while (!atomic_load_relaxed(&ctx->stop_background_thread)) {\n    SleepForMillis(100);"
  INSERT "    ::__heddle::WorkInBackground();"
  REASON "A recording of a program whose threads all wait is killed sooner or later: what it has is to be in the demo by then. Nor has such a program a thread of its own that could say what they wait for.")

heddle_seam(
  NAME layout
  FILE tsan/rtl/tsan_rtl.cpp
  ANCHOR "  __tsan::InitializePlatformEarly();"
  INSERT "  ::__heddle::PrepareLayout();"
  REASON "In a recording or a replay the first thread has a heap of its own, and that comes next.")

heddle_seam(
  NAME own-mappings
  FILE sanitizer_common/sanitizer_linux.cpp
  ANCHOR "uptr internal_mmap(void *addr, uptr length, int prot, int flags, int fd,\n                   u64 offset) {\n#      if SANITIZER_FREEBSD || SANITIZER_LINUX_USES_64BIT_SYSCALLS"
  INSERT "  void *PlaceApart(uptr); if (!addr) addr = PlaceApart(length);"
  REASON "The runtime's own mappings must not move the program's, which are where the system finds room. They all come through here.")

heddle_seam(
  NAME finalize
  FILE tsan/rtl/tsan_rtl.cpp
  ANCHOR "  failed = OnFinalize(failed);"
  INSERT "  ::__heddle::EndControl(thr);"
  REASON "At the end the schedule stands still, and its trace and log are written.")

heddle_seam(
  NAME shadow-full
  FILE tsan/rtl/tsan_rtl_access.cpp
  ANCHOR "      index = (atomic_load_relaxed(&thr->trace_pos) / 2) % 16;"
  INSERT "    ::__heddle::LostWrites::BeforeReplacing(shadow_mem, index / 4);"
  REASON "A plain write begins a new life of an atomic object, also if nothing is left of it in the shadow.")

heddle_seam(
  NAME shadow-full-scalar
  FILE tsan/rtl/tsan_rtl_access.cpp
  ANCHOR "      atomic_load_relaxed(&thr->trace_pos) / sizeof(Event) % kShadowCnt;"
  INSERT "  ::__heddle::LostWrites::BeforeReplacing(shadow_mem, index);"
  REASON "The same where there are no vector instructions.")

heddle_seam(
  NAME shadow-full-type
  FILE tsan/rtl/tsan_rtl_access.cpp
  ANCHOR "#include \"tsan_rtl.h\""
  INSERT "#include \"heddle/rtl/heddle_lost_writes.h\""
  REASON "The declaration of the above.")

heddle_seam(
  NAME own-frames
  FILE tsan/rtl/tsan_rtl_report.cpp
  ANCHOR "\n  StackStripMain(top);"
  INSERT "  ::__heddle::StripOwnFrames(top);"
  REASON "Under a schedule our interceptor calls upstream's; reports show one frame for the call, as without.")

heddle_seam(
  NAME deadly-signal
  FILE tsan/rtl/tsan_rtl.cpp
  ANCHOR "static void TsanOnDeadlySignal(int signo, void *siginfo, void *context) {"
  INSERT "  if (::__heddle::StepOverTimestamp(signo, siginfo, context)) return; ::__heddle::GiveUpLocks(); ::__heddle::PrintFailureNotes(\"deadly signal\");"
  REASON "A crash comes with the notes that a race comes with, also if it is inside the runtime, where locks are held that a report takes. An instruction that is recorded is none.")

heddle_seam(
  NAME deadly-signal-stack
  FILE tsan/rtl/tsan_rtl.cpp
  ANCHOR "                          BufferedStackTrace *stack) {"
  INSERT "  ::__heddle::OwnAllocations heddle_own;"
  REASON "libc allocates when it is asked for the bounds of a stack. The program's allocator takes locks that the thread may have held when it crashed.")

heddle_seam(
  NAME deadly-signal-type
  FILE tsan/rtl/tsan_rtl.cpp
  ANCHOR "#include \"tsan_defs.h\""
  INSERT "#include \"heddle/rtl/heddle_control.h\"\n#include \"heddle/rtl/heddle_crash.h\"\n#include \"heddle/rtl/heddle_timestamps.h\""
  REASON "The declaration of the above.")

heddle_seam(
  NAME symbolizer-orphan
  FILE sanitizer_common/sanitizer_linux.cpp
  ANCHOR "int internal_fork() {\n#    if SANITIZER_LINUX"
  INSERT "  int ForkOrphan(void); return ForkOrphan();"
  REASON "The symbolizer is not a child of the program, which may wait for all of its children to end.")

heddle_seam(
  NAME symbolizer-runs
  FILE sanitizer_common/sanitizer_posix_libcdep.cpp
  ANCHOR "bool IsProcessRunning(pid_t pid) {\n  int process_status;"
  INSERT "  bool IsOrphanRunning(int); return IsOrphanRunning(pid);"
  REASON "One that is not a child cannot be asked about with waitpid.")

heddle_seam(
  NAME symbolizer-files
  FILE sanitizer_common/sanitizer_symbolizer_posix_libcdep.cpp
  ANCHOR "    input_fd_ = infd[0];\n    output_fd_ = outfd[1];"
  INSERT "    int MoveOutOfTheWay(int); input_fd_ = MoveOutOfTheWay(input_fd_); output_fd_ = MoveOutOfTheWay(output_fd_);"
  REASON "The symbolizer's pipes, which come with the first report, take no numbers of descriptors from the program.")

heddle_seam(
  NAME symbolizer-start
  FILE sanitizer_common/sanitizer_symbolizer_posix_libcdep.cpp
  ANCHOR "bool SymbolizerProcess::StartSymbolizerSubprocess() {"
  INSERT "  int LockDescriptors(void); void UnlockDescriptors(int *); __attribute__((cleanup(UnlockDescriptors))) UNUSED int heddle_locked = LockDescriptors();"
  REASON "Before its pipes are out of the way, the program opens nothing.")

heddle_seam(
  NAME own-files-lock
  FILE sanitizer_common/sanitizer_posix.cpp
  ANCHOR "fd_t OpenFile(const char *filename, FileAccessMode mode, error_t *errno_p) {"
  INSERT "  int LockDescriptors(void); void UnlockDescriptors(int *); __attribute__((cleanup(UnlockDescriptors))) UNUSED int heddle_locked = LockDescriptors();"
  REASON "The same for files that the runtime opens: that of log_path=, and what it reads to write a report.")

heddle_seam(
  NAME own-files
  FILE sanitizer_common/sanitizer_posix.cpp
  ANCHOR "  fd_t res = internal_open(filename, flags, 0660);\n  if (internal_iserror(res, errno_p))\n    return kInvalidFd;"
  INSERT "  int MoveOwnFile(int); res = MoveOwnFile(int(res));"
  REASON "When they are opened depends on when there is a report, which may be another time in a replay.")
