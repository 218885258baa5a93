// Says in the assembly which atomic operation of the source stands where, so that another mapping
// of operations to instructions can be put in its place: in the compiler's own assembly
// an acquire load and a relaxed load with a fence behind it are the same.
//
// Every operation becomes a relaxed one between two comments. Fences stay the compiler's.
#include <stdatomic.h>

#define MARK(text, order) __asm__ volatile("@ heddle: " text " " #order ::: "memory")
// The register that holds what was loaded, too.
#define MARK_LOADED(text, order, value)                                                            \
  __asm__ volatile("@ heddle: " text " " #order " %0" : "+r"(value)::"memory")
#define MARKED(operation, order, expression)                                                       \
  ({                                                                                               \
    MARK("before " operation, order);                                                              \
    int heddle_value = (expression);                                                               \
    MARK_LOADED("after " operation, order, heddle_value);                                          \
    heddle_value;                                                                                  \
  })

#undef atomic_load_explicit
#define atomic_load_explicit(object, order)                                                        \
  MARKED("load", order, __atomic_load_n((int *)(object), __ATOMIC_RELAXED))

#undef atomic_store_explicit
#define atomic_store_explicit(object, value, order)                                                \
  ({                                                                                               \
    MARK("before store", order);                                                                   \
    __atomic_store_n((int *)(object), value, __ATOMIC_RELAXED);                                    \
    MARK("after store", order);                                                                    \
  })

#define RMW(function, object, value, order)                                                        \
  MARKED("rmw", order, function((int *)(object), value, __ATOMIC_RELAXED))
#undef atomic_exchange_explicit
#define atomic_exchange_explicit(object, value, order)                                             \
  RMW(__atomic_exchange_n, object, value, order)
#undef atomic_fetch_add_explicit
#define atomic_fetch_add_explicit(object, value, order)                                            \
  RMW(__atomic_fetch_add, object, value, order)
#undef atomic_fetch_sub_explicit
#define atomic_fetch_sub_explicit(object, value, order)                                            \
  RMW(__atomic_fetch_sub, object, value, order)
#undef atomic_fetch_or_explicit
#define atomic_fetch_or_explicit(object, value, order) RMW(__atomic_fetch_or, object, value, order)
#undef atomic_fetch_xor_explicit
#define atomic_fetch_xor_explicit(object, value, order)                                            \
  RMW(__atomic_fetch_xor, object, value, order)
#undef atomic_fetch_and_explicit
#define atomic_fetch_and_explicit(object, value, order)                                            \
  RMW(__atomic_fetch_and, object, value, order)

#undef atomic_compare_exchange_strong_explicit
#define atomic_compare_exchange_strong_explicit(object, expected, value, order, failure)           \
  MARKED("rmw", order,                                                                             \
         __atomic_compare_exchange_n((int *)(object), expected, value, 0, __ATOMIC_RELAXED,        \
                                     __ATOMIC_RELAXED))
