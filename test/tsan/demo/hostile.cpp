// Demos with good checksums that no recording writes: what they would run, write or take they do not.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: rm -rf %t.demo && env TSAN_OPTIONS="schedule=random seed=1 record_demo=%t.demo" %t
// RUN: env TSAN_OPTIONS=play_demo=%t.demo %t | %FileCheck %s --check-prefix=PLAYED
// PLAYED: played
//
// Flags are those of a schedule.
// RUN: %python %S/../Inputs/forge-demo %t.demo %t.flag set flags "schedule=random seed=1 execution_file=%t.canary"
// RUN: env TSAN_OPTIONS=play_demo=%t.flag %expect_exit 67 %t 2>&1 | %FileCheck %s --check-prefix=FLAG
// FLAG: ERROR: ThreadSanitizer: play_demo: {{.*}}/META sets a flag that a demo may not set
// RUN: test ! -e %t.canary
//
// It says with which build it was recorded.
// RUN: %python %S/../Inputs/forge-demo %t.demo %t.build remove build
// RUN: env TSAN_OPTIONS=play_demo=%t.build %expect_exit 67 %t 2>&1 | %FileCheck %s --check-prefix=BUILD
// BUILD: ERROR: ThreadSanitizer: play_demo: the demo does not say with which build of the program it was recorded.
//
// TSAN_OPTIONS are this run's, and of a size that a recording has.
// RUN: %python %S/../Inputs/forge-demo %t.demo %t.options add environment "TSAN_OPTIONS=log_path=%t.canary"
// RUN: env TSAN_OPTIONS=play_demo=%t.options %expect_exit 67 %t 2>&1 | %FileCheck %s --check-prefix=OPTIONS
// OPTIONS: /META has TSAN_OPTIONS of its own
// RUN: %python %S/../Inputs/forge-demo %t.demo %t.size set options-size 4097
// RUN: env TSAN_OPTIONS=play_demo=%t.size %expect_exit 67 %t 2>&1 | %FileCheck %s --check-prefix=SIZE
// SIZE: /META has a size of TSAN_OPTIONS that no recording has
//
// What decides what else is run is taken only if it is the same here, or with trust_demo=1.
// RUN: %python %S/../Inputs/forge-demo %t.demo %t.path add environment "LD_BIND_NOW=1"
// RUN: env TSAN_OPTIONS=play_demo=%t.path %t 2>&1 | %FileCheck %s --check-prefix=NOT-TAKEN
// NOT-TAKEN: WARNING: ThreadSanitizer: play_demo: LD_BIND_NOW is another one in the demo than here, and is not set
// NOT-TAKEN: LD_BIND_NOW (null)
// RUN: env LD_BIND_NOW=1 TSAN_OPTIONS=play_demo=%t.path %t 2>&1 | %FileCheck %s --check-prefix=TAKEN --implicit-check-not=WARNING
// RUN: env TSAN_OPTIONS="play_demo=%t.path trust_demo=1" %t 2>&1 | %FileCheck %s --check-prefix=TAKEN --implicit-check-not=WARNING
// TAKEN: LD_BIND_NOW 1
//
// Memory has a limit.
// RUN: %python %S/../Inputs/forge-demo %t.demo %t.bomb zeroes SYSCALL 300
// RUN: env TSAN_OPTIONS=play_demo=%t.bomb %expect_exit 67 %t 2>&1 | %FileCheck %s --check-prefix=BOMB
// BOMB: /SYSCALL, byte 0: The demo would take more memory than it may. If you trust it, play_demo_mb=0 lets it take any.
//
// Links, pipes and devices are not read, nor written.
// RUN: rm -rf %t.link && cp -r %t.demo %t.link && ln -sf %t.demo/QUEUE %t.link/QUEUE
// RUN: env TSAN_OPTIONS=play_demo=%t.link %expect_exit 67 %t 2>&1 | %FileCheck %s --check-prefix=LINK
// LINK: play_demo: cannot read {{.*}}/QUEUE, which is a symbolic link.
// RUN: rm -rf %t.pipe && cp -r %t.demo %t.pipe && rm %t.pipe/QUEUE && mkfifo %t.pipe/QUEUE
// RUN: env TSAN_OPTIONS=play_demo=%t.pipe %expect_exit 67 %t 2>&1 | %FileCheck %s --check-prefix=PIPE
// PIPE: play_demo: cannot read {{.*}}/QUEUE, which is no file.
// RUN: echo mine > %t.mine && rm -rf %t.record && mkdir %t.record && ln -s %t.mine %t.record/ASYNC
// RUN: env TSAN_OPTIONS="schedule=random record_demo=%t.record" %expect_exit 66 %t 2>&1 | %FileCheck %s --check-prefix=RECORD
// RECORD: record_demo: cannot write to {{.*}}.record: a file in it is a symbolic link
// RUN: grep mine %t.mine
//
// Secrets are not recorded, and a replay has those of its own environment.
// RUN: rm -rf %t.secret && env MY_TOKEN=abcdefgh TSAN_OPTIONS="schedule=random record_demo=%t.secret" %t | %FileCheck %s --check-prefix=SECRET
// RUN: %python %S/../Inputs/forge-demo %t.secret %t.same print | %FileCheck %s --check-prefix=HIDDEN
// RUN: env MY_TOKEN=abcdefgh TSAN_OPTIONS=play_demo=%t.secret %t | %FileCheck %s --check-prefix=SECRET
// RUN: env TSAN_OPTIONS=play_demo=%t.secret %t | %FileCheck %s --check-prefix=HIDDEN-SECRET
// RUN: rm -rf %t.kept && env MY_TOKEN=abcdefgh TSAN_OPTIONS="schedule=random record_demo=%t.kept record_secrets=1" %t
// RUN: %python %S/../Inputs/forge-demo %t.kept %t.same print | grep 'MY_TOKEN=abcdefgh'
// SECRET: MY_TOKEN abcdefgh
// HIDDEN: environment MY_TOKEN=xxxxxxxx
// HIDDEN-SECRET: MY_TOKEN xxxxxxxx
// RUN: ls -l %t.secret | grep -c '^-rw-------' | grep -x 6
#include "heddle_test.h"
#include <stdlib.h>
#include <thread>

int main() {
  std::thread([] {}).join();
  for (const char *name : {"LD_BIND_NOW", "MY_TOKEN"}) {
    const char *value = getenv(name);
    printf("%s %s\n", name, value ? value : "(null)");
  }
  printf("played\n");
}
