// A plugin that a program opens at run time takes the runtime's functions from
// the program, volatile's among them: the program exports them all.

// RUN: %heddle-clang -Werror -fsanitize=thread -g -O1 -fPIC -shared -DPLUGIN %s -o %t.so
// RUN: %heddle-clang -Werror -fsanitize=thread -g -O1 %s -o %t -DNAME='"%t.so"'
// RUN: %expect_race %t 2>&1 | %FileCheck %s
// CHECK: WARNING: ThreadSanitizer: data race
// CHECK: plugin_write {{.*}}plugin.c
// CHECK: Previous write
// CHECK: plugin_write {{.*}}plugin.c
// CHECK: Location is global 'plugin_value' {{.*}}.so

// The program is linked with neither -rdynamic nor -ldl.
// RUN: %nm -D %t | grep ' T __tsan_volatile_write4'
#ifdef PLUGIN
int plugin_value __attribute__((aligned(8)));
static volatile int plugin_volatile;
void plugin_write(int value) {
  plugin_value = value;
  plugin_volatile = value;
}
#else
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

static void (*plugin_write)(int);
static int done __attribute__((aligned(8))); // apart: see gcc-fences.cpp

static void *Thread(void *arg) {
  plugin_write(1);
  __atomic_store_n(&done, 1, __ATOMIC_RELAXED);
  return arg;
}

int main(void) {
  void *plugin = dlopen(NAME, RTLD_NOW);
  if (!plugin) {
    fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  plugin_write = (void (*)(int))dlsym(plugin, "plugin_write");
  pthread_t thread;
  pthread_create(&thread, 0, Thread, 0);
  while (!__atomic_load_n(&done, __ATOMIC_RELAXED)) {
  }
  plugin_write(2);
  pthread_join(thread, 0);
  return 0;
}
#endif
