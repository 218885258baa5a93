// Stands before liburcu's own header, whose fences are inline assembly: the same as the compiler's
// fences, which ThreadSanitizer sees. A barrier for dependent reads is an acquire fence, since
// C++'s model has no dependencies.
#ifndef _URCU_ARCH_H
#define _URCU_ARCH_H

#include <stdint.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
#include <urcu/compiler.h>
#include <urcu/config.h>
#include <urcu/syscall-compat.h>

#define CONFIG_HAVE_MEM_COHERENCY
#define CAA_CACHE_LINE_SIZE 128

#define cmm_mb() __atomic_thread_fence(__ATOMIC_SEQ_CST)
#define cmm_rmb() __atomic_thread_fence(__ATOMIC_ACQUIRE)
#define cmm_wmb() __atomic_thread_fence(__ATOMIC_RELEASE)
#define cmm_mc() cmm_barrier()
#define cmm_rmc() cmm_barrier()
#define cmm_wmc() cmm_barrier()
#define cmm_read_barrier_depends() cmm_rmb()

#define cmm_smp_mb() cmm_mb()
#define cmm_smp_rmb() cmm_rmb()
#define cmm_smp_wmb() cmm_wmb()
#define cmm_smp_mc() cmm_mc()
#define cmm_smp_rmc() cmm_rmc()
#define cmm_smp_wmc() cmm_wmc()
#define cmm_smp_read_barrier_depends() cmm_read_barrier_depends()

#define caa_cpu_relax() cmm_barrier()

typedef uint64_t caa_cycles_t;
static inline caa_cycles_t caa_get_cycles(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (caa_cycles_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

#endif // _URCU_ARCH_H
