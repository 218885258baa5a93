// utils/heddle/hunt/outcome.h and stack.h: reports become kinds and keys that are the same in each
// execution that shows the same bug.

#include "heddle/hunt/outcome.h"
#include "heddle/hunt/stack.h"

#include <gtest/gtest.h>

#include <csignal>

namespace {
using namespace heddle::hunt;
using How = Ended::How;

Ended EndedWith(How how, int code, const std::string &errors, const std::string &output = "") {
  Ended ended;
  ended.how = how;
  ended.code = code;
  ended.errors = errors;
  ended.output = output;
  return ended;
}

// A race between Pop and Push; the process, thread and addresses are what differs.
std::string Race(const std::string &process, const std::string &address, bool popped_first,
                 bool symbols) {
  const std::string pop =
      symbols
          ? "    #0 Queue::Pop(int, char *) /src/lib/queue.cpp:88:5 (queue+0x1945) (BuildId: ab)\n"
            "    #1 main /src/test.cpp:9:3 (queue+0x1945)\n"
          : "    #0 <null> <null> (queue+0x1945) (BuildId: ab)\n";
  const std::string push =
      symbols ? "    #0 memcpy /heddle/compiler-rt/lib/x.inc:10:3 (queue+0x77) (BuildId: ab)\n"
                "    #1 Queue::Push() /src/lib/queue.cpp:53:15 (queue+0x506) (BuildId: ab)\n"
              : "    #0 <null> <null> (queue+0x77) (BuildId: ab)\n"
                "    #1 <null> <null> (queue+0x506) (BuildId: ab)\n";
  return "==================\n"
         "WARNING: ThreadSanitizer: data race (pid=" +
         process + ")\n  Read of size 4 at " + address + " by main thread:\n" +
         (popped_first ? push : pop) + "\n  Previous write of size 4 at " + address +
         " by thread T2:\n" + (popped_first ? pop : push) +
         "\n  Location is global 'q' of size 64 at " + address + " (queue+0x1618250)\n" +
         "\n  Thread T2 (tid=7, finished) created by main thread at:\n"
         "    #0 pthread_create <null> (queue+0x" +
         process + ")\n\n" + "  Stale read of 0x0 at " + address +
         " by main thread, tick 74 (1 newer store):\n" +
         "    #0 load /src/other.cpp:1:1 (queue+0x" + process + ")\n\n" +
         "  Schedule: random, seed 3, tick 86. To repeat it:\n    TSAN_OPTIONS=\"seed=3\" "
         "./queue\n\n"
         "SUMMARY: ThreadSanitizer: data race /src/lib/queue.cpp:88:5 in Queue::Pop(int, char *)\n"
         "==================\n";
}

Observation Only(const Ended &ended) {
  std::vector<Observation> all = ReadOutcome(ended);
  EXPECT_EQ(all.size(), 1u);
  return all.empty() ? Observation() : all[0];
}

TEST(HuntStack, ReadsFrames) {
  Frame frame;
  ASSERT_TRUE(
      ReadFrame("    #12 Queue<int, 3>::Pop(int, char *) /a/queue.cpp:88:5 (bin/queue+0x19) "
                "(BuildId: 0343)",
                &frame));
  EXPECT_EQ(frame.function, "Queue<int, 3>::Pop(int, char *)");
  EXPECT_EQ(frame.file, "/a/queue.cpp");
  EXPECT_EQ(frame.line, 88);
  EXPECT_EQ(frame.module + frame.offset, "queue0x19");
  EXPECT_EQ(frame.Place(), "queue.cpp:88");
  ASSERT_TRUE(ReadFrame("    #0 <null> <null> (libstdc++.so.6+0xd4)", &frame));
  EXPECT_EQ(frame.function + frame.file, "");
  ASSERT_TRUE(ReadFrame("    #0 main x.c:7 (p+0x1)", &frame)); // no column
  EXPECT_EQ(frame.line, 7);
}

TEST(HuntStack, RefusesWhatIsNoFrame) {
  Frame frame;
  for (const char *line :
       {"", "#0 main", "    #0", "    #x main x.c:7 (p+0x1)", "    #0 main", "    # 0 main (p+0x1)",
        "  Read of size 4:", "    #0 main x.c:7 (p-0x1)"})
    EXPECT_FALSE(ReadFrame(line, &frame)) << line;
}

TEST(HuntStack, TellsTheUsersFramesFromOthers) {
  Frame frame;
  frame.file = "/home/me/queue.cpp";
  EXPECT_TRUE(frame.IsUsers());
  for (const char *file : {"", "/usr/lib/gcc/x86_64-linux-gnu/12/../include/c++/12/atomic",
                           "/heddle/compiler-rt/lib/tsan/rtl/x.cpp", "csu/../sysdeps/nptl/x.h"}) {
    frame.file = file;
    EXPECT_FALSE(frame.IsUsers()) << file;
  }
}

TEST(HuntOutcome, NothingToSee) {
  EXPECT_TRUE(ReadOutcome(EndedWith(How::kExited, 0, "hello\n")).empty());
  EXPECT_TRUE(ReadOutcome(EndedWith(How::kInterrupted, 0, "")).empty());
}

TEST(HuntOutcome, RaceHasAKeyOfItsOwn) {
  const Observation race = Only(EndedWith(How::kExited, 66, Race("71", "0x55", false, true)));
  EXPECT_EQ(race.kind, Kind::kDataRace);
  EXPECT_EQ(race.place, "queue.cpp:53");
  EXPECT_EQ(race.key, "data race\nQueue::Pop(int, char *) queue.cpp:88 < main test.cpp:9\n"
                      "Queue::Push() queue.cpp:53");
  EXPECT_EQ(race.raw_key, "data race\nqueue+0x1945\nqueue+0x77 queue+0x506");
  // Whoever came second, wherever it was, with symbols or without.
  const Observation again = Only(EndedWith(How::kExited, 66, Race("92", "0x77", true, true)));
  EXPECT_EQ(again.key, race.key);
  EXPECT_EQ(again.raw_key, race.raw_key);
  const Observation raw = Only(EndedWith(How::kExited, 66, Race("13", "0x99", true, false)));
  EXPECT_EQ(raw.raw_key, race.raw_key);
  EXPECT_TRUE(FindSame({race}, raw));
  // Frames at the end that symbols would leave out.
  std::string more = Race("13", "0x99", true, false);
  more.replace(more.find("(queue+0x506)"), 13, "(libc.so.6+0x9)");
  const Observation longer = Only(EndedWith(How::kExited, 66, more));
  EXPECT_NE(longer.raw_key, race.raw_key);
  EXPECT_TRUE(FindSame({race}, longer));
  EXPECT_EQ(FindingName(again), FindingName(race));
  EXPECT_EQ(FindingName(race).substr(0, 18), "race-queue.cpp-53-");
  EXPECT_EQ(FindingName(race).size(), 24u);
}

TEST(HuntOutcome, AllReportsOfAnExecution) {
  const std::string two =
      Race("1", "0x1", false, true) +
      "==================\n"
      "WARNING: ThreadSanitizer: lock-order-inversion (potential deadlock) (pid=1)\n"
      "  Cycle in lock order graph: M0 (0x1) => M1 (0x2) => M0\n\n"
      "  Mutex M1 acquired here while holding mutex M0 in main thread:\n"
      "    #0 G() /src/dead.cpp:5:49 (dead+0x19)\n\n"
      "SUMMARY: ThreadSanitizer: lock-order-inversion (potential deadlock) x\n"
      "==================\nThreadSanitizer: reported 2 warnings\n";
  const std::vector<Observation> all = ReadOutcome(EndedWith(How::kExited, 66, two));
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[1].kind, Kind::kReport);
  EXPECT_EQ(all[1].what, "lock-order-inversion (potential deadlock)");
  EXPECT_EQ(all[1].place, "dead.cpp:5");
  EXPECT_FALSE(FindSame({all[0]}, all[1]));
}

TEST(HuntOutcome, ReportThatIsCutOff) {
  const std::string race = Race("1", "0x1", false, true);
  for (size_t length = 0; length <= race.size(); length++) {
    const std::vector<Observation> all =
        ReadOutcome(EndedWith(How::kSignalled, SIGKILL, race.substr(0, length)));
    ASSERT_GE(all.size(), 1u);
    EXPECT_EQ(all.back().kind, Kind::kCrash);
    EXPECT_EQ(all.back().what, "SIGKILL");
  }
}

TEST(HuntOutcome, DeadlockAndLivelock) {
  const std::string deadlock = "==================\nWARNING: ThreadSanitizer: deadlock (pid=9)\n"
                               "  Main thread waits for mutex 0x1, held by thread T1:\n"
                               "    #0 G() /src/dead.cpp:5:49 (dead+0x19)\n\n"
                               "  Thread T1 waits for mutex 0x2, held by main thread:\n"
                               "    #0 F() /src/dead.cpp:4:49 (dead+0x18)\n\n"
                               "SUMMARY: ThreadSanitizer: deadlock\n==================\n";
  const Observation one = Only(EndedWith(How::kExited, 66, deadlock));
  EXPECT_EQ(one.kind, Kind::kDeadlock);
  EXPECT_EQ(one.key, "deadlock\nF() dead.cpp:4\nG() dead.cpp:5");
  const std::string livelock =
      "WARNING: ThreadSanitizer: livelock (no thread gets anything done) (pid=9)\n";
  EXPECT_EQ(Only(EndedWith(How::kExited, 66, livelock)).kind, Kind::kLivelock);
}

TEST(HuntOutcome, AssertionAbortAndCrash) {
  const Observation assertion =
      Only(EndedWith(How::kSignalled, SIGABRT,
                     "ThreadSanitizer: failed assertion in thread T1 (pid=3)\n"
                     "prog: /src/rwlock.cpp:78: void (anonymous namespace)::Read(): Assertion `a "
                     "== b && \"c: d\"' "
                     "failed.\n"));
  EXPECT_EQ(assertion.kind, Kind::kAssertion);
  EXPECT_EQ(assertion.place, "rwlock.cpp:78");
  EXPECT_EQ(assertion.key, "failed assertion\nrwlock.cpp:78 Assertion `a == b && \"c: d\"'");
  const Observation abort =
      Only(EndedWith(How::kSignalled, SIGABRT,
                     "terminate called after throwing an instance of 'std::runtime_error'\n"
                     "  what():  no\n"));
  EXPECT_EQ(abort.kind, Kind::kAbort);
  EXPECT_NE(abort.key.find("runtime_error"), abort.key.npos);
  const char *segv =
      "ThreadSanitizer:DEADLYSIGNAL\n==2==ERROR: ThreadSanitizer: SEGV on unknown address 0x0 (pc "
      "0x5)\n==2==Hint: address points to the zero page.\n    #0 main /src/crash.cpp:5:52 "
      "(crash+0x19)\n\n==2==Register values:\nSUMMARY: ThreadSanitizer: SEGV x in main\n";
  // One that has crashed, and does not come to its end, is not one that hangs.
  for (const How how : {How::kExited, How::kTimedOut}) {
    const Observation crash = Only(EndedWith(how, 66, segv));
    EXPECT_EQ(crash.kind, Kind::kCrash);
    EXPECT_EQ(crash.what, "SEGV");
    EXPECT_EQ(crash.place, "crash.cpp:5");
  }
  const Observation stuck = Only(EndedWith(How::kTimedOut, 0, "ThreadSanitizer:DEADLYSIGNAL\n"));
  EXPECT_EQ(stuck.kind, Kind::kCrash);
  EXPECT_EQ(stuck.what, "deadly signal");
  // One that goes on has printed the words itself.
  const char *own = "ThreadSanitizer:DEADLYSIGNAL\nwas printed by the last run\n";
  EXPECT_EQ(Only(EndedWith(How::kTimedOut, 0, own)).kind, Kind::kTimeOut);
}

TEST(HuntOutcome, TimesAndExitCodes) {
  Ended ended = EndedWith(How::kTimedOut, 0, "");
  EXPECT_EQ(Only(ended).kind, Kind::kTimeOut);
  ended.waited = true;
  EXPECT_EQ(Only(ended).kind, Kind::kHang);
  const Observation exit = Only(EndedWith(
      How::kExited, 1, "", "[ RUN ] Q.Pop\n/src/queue_test.cpp:41: Failure\nExpected: x\n"));
  EXPECT_EQ(exit.kind, Kind::kExit);
  EXPECT_EQ(exit.what, "exit code 1");
  EXPECT_EQ(exit.place, "queue_test.cpp:41");
  // A program's own 66, and another code of reports.
  EXPECT_EQ(Only(EndedWith(How::kExited, 66, "")).kind, Kind::kExit);
  EXPECT_EQ(ReadOutcome(EndedWith(How::kExited, 9, Race("1", "0x1", false, true)), 9).size(), 1u);
  EXPECT_EQ(ReadOutcome(EndedWith(How::kExited, 9, Race("1", "0x1", false, true))).size(), 2u);
  const Observation refused = Only(EndedWith(
      How::kExited, 66, "ERROR: ThreadSanitizer: weak_memory=mograph needs a schedule.\n"));
  EXPECT_EQ(refused.kind, Kind::kRefused);
  EXPECT_EQ(refused.what, "weak_memory=mograph needs a schedule.");
}

TEST(HuntOutcome, WrongFlagsAreNoFindings) {
  auto refusal = [](const std::string &errors, int code = 66, int report_code = 66) {
    const auto all = ReadOutcome(EndedWith(How::kExited, code, errors), report_code);
    return all.size() == 1 && all[0].kind == Kind::kRefused ? all[0].what : "";
  };
  EXPECT_EQ(refusal("ThreadSanitizer: failed to read suppressions file '/x'\n"),
            "failed to read suppressions file '/x'");
  EXPECT_EQ(refusal("ThreadSanitizer: failed to parse suppressions.\nSupported ..."),
            "failed to parse suppressions.");
  EXPECT_EQ(refusal("ERROR: Invalid value for bool option: 'x'\n"
                    "ThreadSanitizer: ERROR: Flag parsing failed.\n"),
            "ERROR: Invalid value for bool option: 'x'");
  EXPECT_EQ(refusal("ThreadSanitizer: ERROR: unterminated string\n"), "unterminated string");
  EXPECT_EQ(refusal("==7==ERROR: ThreadSanitizer setrlimit() failed 22\n"),
            "the address space is limited: ulimit -v unlimited");
  EXPECT_EQ(refusal("==7==ERROR: External symbolizer path is set to '/x' which isn't a known "
                    "symbolizer.\n"),
            "External symbolizer path is set to '/x' which isn't a known symbolizer.");
  // A program may say such a thing, too, and exit with any code.
  EXPECT_EQ(refusal("ERROR: Invalid value for bool option: 'x'\n", 1), "");
  EXPECT_EQ(refusal("ThreadSanitizer: ERROR: unterminated string\n", 0), "");
  EXPECT_EQ(refusal("ThreadSanitizer: ERROR: unterminated string\n", 0, 0),
            "unterminated string"); // exitcode=0
}

TEST(HuntOutcome, ACrashThatTheRuntimeEndsWithAbort) {
  const Observation crash = Only(EndedWith(
      How::kSignalled, SIGABRT, "==7==ERROR: ThreadSanitizer: SEGV on unknown address 0x0\n"));
  EXPECT_EQ(crash.kind, Kind::kCrash);
  EXPECT_EQ(crash.what, "SEGV");
}

TEST(HuntOutcome, NamesOfKinds) {
  for (Kind kind :
       {Kind::kDataRace, Kind::kReport, Kind::kDeadlock, Kind::kLivelock, Kind::kAssertion,
        Kind::kAbort, Kind::kCrash, Kind::kTimeOut, Kind::kHang, Kind::kExit, Kind::kRefused}) {
    Kind read;
    EXPECT_TRUE(KindOf(NameOf(kind), &read));
    EXPECT_EQ(read, kind);
  }
  Kind none;
  EXPECT_FALSE(KindOf("no such", &none));
}

TEST(HuntOutcome, NamesAreFileNames) {
  Observation odd;
  odd.kind = Kind::kExit;
  odd.place = "../a b\nc" + std::string(500, 'x');
  const std::string name = FindingName(odd);
  EXPECT_EQ(name.find_first_of("/ \n"), name.npos);
  EXPECT_LT(name.size(), 255u);
}

} // namespace
