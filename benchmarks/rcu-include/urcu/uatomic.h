// Stands before liburcu's own header, whose operations are inline assembly on x86. As in its
// documentation those that return a value are full barriers, the others are relaxed.
#ifndef _URCU_UATOMIC_H
#define _URCU_UATOMIC_H

#include <urcu/arch.h>
#include <urcu/system.h>

#define UATOMIC_HAS_ATOMIC_BYTE
#define UATOMIC_HAS_ATOMIC_SHORT

#define uatomic_read(addr) __atomic_load_n(addr, __ATOMIC_RELAXED)
#define uatomic_set(addr, v) __atomic_store_n(addr, (__typeof__(*(addr)))(v), __ATOMIC_RELAXED)

#define uatomic_xchg(addr, v)                                                                      \
  __extension__({                                                                                  \
    __atomic_thread_fence(__ATOMIC_SEQ_CST);                                                       \
    __typeof__(*(addr)) ua_old =                                                                   \
        __atomic_exchange_n(addr, (__typeof__(*(addr)))(v), __ATOMIC_SEQ_CST);                     \
    __atomic_thread_fence(__ATOMIC_SEQ_CST);                                                       \
    ua_old;                                                                                        \
  })
#define uatomic_cmpxchg(addr, old, _new)                                                           \
  __extension__({                                                                                  \
    __typeof__(*(addr)) ua_old = (__typeof__(*(addr)))(old);                                       \
    __atomic_thread_fence(__ATOMIC_SEQ_CST);                                                       \
    __atomic_compare_exchange_n(addr, &ua_old, (__typeof__(*(addr)))(_new), 0, __ATOMIC_SEQ_CST,   \
                                __ATOMIC_SEQ_CST);                                                 \
    __atomic_thread_fence(__ATOMIC_SEQ_CST);                                                       \
    ua_old;                                                                                        \
  })
#define uatomic_add_return(addr, v)                                                                \
  __extension__({                                                                                  \
    __atomic_thread_fence(__ATOMIC_SEQ_CST);                                                       \
    __typeof__(*(addr)) ua_new = __atomic_add_fetch(addr, v, __ATOMIC_SEQ_CST);                    \
    __atomic_thread_fence(__ATOMIC_SEQ_CST);                                                       \
    ua_new;                                                                                        \
  })
#define uatomic_sub_return(addr, v)                                                                \
  __extension__({                                                                                  \
    __atomic_thread_fence(__ATOMIC_SEQ_CST);                                                       \
    __typeof__(*(addr)) ua_new = __atomic_sub_fetch(addr, v, __ATOMIC_SEQ_CST);                    \
    __atomic_thread_fence(__ATOMIC_SEQ_CST);                                                       \
    ua_new;                                                                                        \
  })

#define uatomic_and(addr, v) ((void)__atomic_fetch_and(addr, v, __ATOMIC_RELAXED))
#define uatomic_or(addr, v) ((void)__atomic_fetch_or(addr, v, __ATOMIC_RELAXED))
#define uatomic_add(addr, v) ((void)__atomic_fetch_add(addr, v, __ATOMIC_RELAXED))
#define uatomic_sub(addr, v) ((void)__atomic_fetch_sub(addr, v, __ATOMIC_RELAXED))
#define uatomic_inc(addr) uatomic_add(addr, 1)
#define uatomic_dec(addr) uatomic_sub(addr, 1)

#define cmm_smp_mb__before_uatomic_and() cmm_smp_mb()
#define cmm_smp_mb__after_uatomic_and() cmm_smp_mb()
#define cmm_smp_mb__before_uatomic_or() cmm_smp_mb()
#define cmm_smp_mb__after_uatomic_or() cmm_smp_mb()
#define cmm_smp_mb__before_uatomic_add() cmm_smp_mb()
#define cmm_smp_mb__after_uatomic_add() cmm_smp_mb()
#define cmm_smp_mb__before_uatomic_sub() cmm_smp_mb()
#define cmm_smp_mb__after_uatomic_sub() cmm_smp_mb()
#define cmm_smp_mb__before_uatomic_inc() cmm_smp_mb()
#define cmm_smp_mb__after_uatomic_inc() cmm_smp_mb()
#define cmm_smp_mb__before_uatomic_dec() cmm_smp_mb()
#define cmm_smp_mb__after_uatomic_dec() cmm_smp_mb()

#endif // _URCU_UATOMIC_H
