// Where the system does not let us switch the randomisation of addresses off, that is said,
// and the run goes on.
//
// RUN: %clang_heddle %s -o %t
// RUN: %system_clang -DFORBID %s -o %t.forbid
// RUN: rm -rf %t.demo && env TSAN_OPTIONS="schedule=random seed=1 record_demo=%t.demo" \
// RUN:   %t.forbid %t 2>&1 | %FileCheck %s
// RUN: env TSAN_OPTIONS="play_demo=%t.demo" %t 2>&1 | %FileCheck %s --check-prefix=PLAYED
//
// CHECK: WARNING: ThreadSanitizer: the system randomises addresses
// CHECK-NOT: WARNING
// CHECK: done
// PLAYED-NOT: WARNING
// PLAYED: done
#include <stdio.h>

#if FORBID
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char **argv) {
  struct sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_personality, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = {sizeof(filter) / sizeof(filter[0]), filter};
  if (argc < 2 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
      prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
    return 1;
  execv(argv[1], argv + 1);
  return 1;
}
#else
int main() { puts("done"); }
#endif
