// utils/heddle/hunt/deadly_signal.h and deadly_signal_watch.h: what the runtime says of a deadly
// signal, and processes that do not end after it.

#include "heddle/hunt/deadly_signal.h"
#include "heddle/hunt/deadly_signal_watch.h"
#include "heddle/hunt/files.h"

#include <gtest/gtest.h>

#include <csignal>
#include <string>

#include <sys/wait.h>
#include <unistd.h>

namespace {
using namespace heddle::hunt;

constexpr double kGrace = DeadlySignalWatch::kGrace;

std::string ReportOf(pid_t process) {
  return "==" + std::to_string(process) + "==ERROR: ThreadSanitizer: SEGV on unknown address\n";
}

// A process that leads a group and waits until it is killed.
struct Waiting {
  explicit Waiting(bool works = false) {
    int ends[2];
    EXPECT_EQ(pipe(ends), 0);
    process = fork();
    if (process == 0) {
      setpgid(0, 0);
      if (works && fork() == 0)
        for (volatile int i = 0;; i = i + 1) {
        }
      (void)!write(ends[1], "", 1);
      while (true)
        pause();
    }
    char byte;
    EXPECT_EQ(read(ends[0], &byte, 1), 1);
    close(ends[0]);
    close(ends[1]);
  }
  ~Waiting() {
    kill(-process, SIGKILL);
    waitpid(process, nullptr, 0);
  }

  pid_t process;
};

struct Watched {
  void Print(const std::string &text, bool error = true) {
    const int file = (error ? errors : output).Get();
    EXPECT_EQ(write(file, text.data(), text.size()), ssize_t(text.size()));
  }

  Descriptor output = MemoryFile("output"), errors = MemoryFile("errors");
  DeadlySignalWatch watch{output.Get(), errors.Get()};
};

TEST(HuntDeadlySignal, Words) {
  const std::string errors = "x\nThreadSanitizer:DEADLYSIGNAL\n" + ReportOf(7) + ReportOf(8);
  const std::vector<DeadlySignal> signals = DeadlySignalsIn(errors);
  ASSERT_EQ(signals.size(), 2u);
  EXPECT_EQ(signals[0].process, 7);
  EXPECT_EQ(signals[0].text.substr(0, 5), "SEGV ");
  EXPECT_EQ(signals[1].process, 8);
  EXPECT_FALSE(EndsInDeadlySignal(errors));
  EXPECT_TRUE(EndsInDeadlySignal("ThreadSanitizer:DEADLYSIGNAL\n"));
  EXPECT_EQ(DeadlySignalsIn("==ERROR: ThreadSanitizer: x").at(0).process, 0);
  EXPECT_EQ(DeadlySignalsIn("99999999999999==ERROR: ThreadSanitizer: x").at(0).process, 0);
  EXPECT_TRUE(DeadlySignalsIn("ERROR: ThreadSanitizer: x").empty());
}

TEST(HuntDeadlySignal, OneThatStaysIsStuck) {
  const Waiting waiting;
  Watched watched;
  EXPECT_FALSE(watched.watch.IsStuck(waiting.process, 0));
  watched.Print(ReportOf(waiting.process));
  EXPECT_FALSE(watched.watch.IsStuck(waiting.process, 10));
  EXPECT_FALSE(watched.watch.IsStuck(waiting.process, 10 + kGrace * 0.9));
  EXPECT_TRUE(watched.watch.IsStuck(waiting.process, 10 + kGrace));
}

TEST(HuntDeadlySignal, OneThatGoesOnPrintingIsNot) {
  const Waiting waiting;
  Watched watched;
  watched.Print(ReportOf(waiting.process));
  for (int i = 0; i < 10; i++) {
    watched.Print("still here\n", i % 2);
    EXPECT_FALSE(watched.watch.IsStuck(waiting.process, i * kGrace));
  }
  EXPECT_TRUE(watched.watch.IsStuck(waiting.process, 10 * kGrace));
}

TEST(HuntDeadlySignal, WordsOfOthers) {
  const Waiting waiting, another;
  pid_t ended;
  {
    const Waiting third;
    ended = third.process;
  }
  Watched watched;
  watched.Print(ReportOf(another.process) + ReportOf(ended) + ReportOf(0));
  EXPECT_FALSE(watched.watch.IsStuck(waiting.process, 0));
  EXPECT_FALSE(watched.watch.IsStuck(waiting.process, kGrace));
  EXPECT_FALSE(watched.watch.IsStuck(waiting.process, 100 * kGrace));
}

TEST(HuntDeadlySignal, OneWhoseChildIsAtWorkIsNot) {
  const Waiting waiting(/*works=*/true);
  Watched watched;
  watched.Print(ReportOf(waiting.process));
  for (int i = 0; i < 3; i++)
    EXPECT_FALSE(watched.watch.IsStuck(waiting.process, i * kGrace));
}

TEST(HuntDeadlySignal, AnAnnouncementWithoutAReport) {
  Watched watched;
  watched.Print("ThreadSanitizer:DEADLYSIGNAL\n");
  EXPECT_FALSE(watched.watch.IsStuck(1, 0));
  EXPECT_TRUE(watched.watch.IsStuck(1, kGrace));
}

TEST(HuntDeadlySignal, OneThatIsSilentIsNot) {
  const Waiting waiting;
  Watched watched;
  EXPECT_FALSE(watched.watch.IsStuck(waiting.process, 100 * kGrace));
  watched.Print("nothing of interest\n");
  EXPECT_FALSE(watched.watch.IsStuck(waiting.process, 200 * kGrace));
  EXPECT_FALSE(watched.watch.IsStuck(waiting.process, 300 * kGrace));
}

} // namespace
