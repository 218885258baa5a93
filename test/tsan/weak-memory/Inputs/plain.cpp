// Not instrumented.
extern "C" void PlainStore(int *location, int value) {
  __atomic_store_n(location, value, __ATOMIC_RELEASE);
}
extern "C" int PlainAdd(int *location, int value) {
  return __atomic_fetch_add(location, value, __ATOMIC_SEQ_CST);
}
