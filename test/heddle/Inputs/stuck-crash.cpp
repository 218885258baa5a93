// Crashes, and never ends: what it wants to have called at its death waits for ever. With "early"
// that is before its first thread; with "announced" only the first words about it come.
#include <sanitizer/common_interface_defs.h>

#include <atomic>
#include <cstdio>
#include <cstring>
#include <thread>

#include <unistd.h>

std::atomic<int *> pointer{nullptr};

void WaitForEver() {
  while (true)
    pause();
}

int main(int argc, char **argv) {
  const char *how = argc > 1 ? argv[1] : "";
  __sanitizer_set_death_callback(WaitForEver);
  if (strcmp(how, "early"))
    std::thread([] { pointer = nullptr; }).join();
  if (!strcmp(how, "announced")) {
    fputs("ThreadSanitizer:DEADLYSIGNAL\n", stderr);
    WaitForEver();
  }
  return *pointer.load();
}
