// Included before every test with `--param options=FLAGS` (docs/testing.md): the runtime takes
// these flags where TSAN_OPTIONS does not say otherwise.
#ifdef __cplusplus
extern "C"
#endif
__attribute__((weak, visibility("default"), disable_sanitizer_instrumentation)) const char *
__tsan_default_options(void) {
  return HEDDLE_DEFAULT_OPTIONS;
}
