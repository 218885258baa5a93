// Stands before liburcu's own header: loads and stores of shared memory as relaxed atomic ones.
#ifndef _URCU_SYSTEM_H
#define _URCU_SYSTEM_H

#include <urcu/arch.h>
#include <urcu/compiler.h>

#define _CMM_LOAD_SHARED(p) __atomic_load_n(&(p), __ATOMIC_RELAXED)
#define CMM_LOAD_SHARED(p) _CMM_LOAD_SHARED(p)
#define _CMM_STORE_SHARED(x, v)                                                                    \
  __extension__({                                                                                  \
    __typeof__(x) cmm_stored = (v);                                                                \
    __atomic_store_n(&(x), cmm_stored, __ATOMIC_RELAXED);                                          \
    cmm_stored;                                                                                    \
  })
#define CMM_STORE_SHARED(x, v) _CMM_STORE_SHARED(x, v)

#endif // _URCU_SYSTEM_H
